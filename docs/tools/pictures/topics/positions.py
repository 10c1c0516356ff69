"""Chapter 02: the table of positions as a heat map, its hands as clocks, and the sum of words and positions."""
import math

from lessons import Stale
from registry import picture
from svg import SMALLEST, Picture

CHAPTER = "02_positional_encoding"
WIDTH, POSITIONS = 32, 40  # of the table that is drawn
HANDS = ((0, "backward"), (2, "forward"), (4, "third"))  # pairs of columns and their colours


def table(data):
    rows = [[float(word) for word in line.split()] for line in data.demo(CHAPTER, str(POSITIONS), str(WIDTH)).splitlines()]
    if len(rows) != POSITIONS or any(len(row) != WIDTH for row in rows):
        raise Stale(f"demo_{CHAPTER} prints no table of {POSITIONS} x {WIDTH} (build it: make chapter CHAPTER=02)")
    return rows


@picture(f"chapters/{CHAPTER}/pictures/positions-heat-map.svg")
def heat_map(data):
    p = Picture(640, 420, "The table of positions",
                f"A heat map of {POSITIONS} positions and {WIDTH} columns. The columns at the left change fast from row to row, those "
                "at the right slowly.")
    left, top, across, down = 76, 62, 14, 8
    rows = table(data)
    p.heat(left, top, rows, across, down)
    for at in range(0, POSITIONS, 10):
        p.text(left - 8, top + at * down + 10, str(at), "soft", SMALLEST, anchor="end")
    p.text(18, top + POSITIONS * down / 2, "position", size=SMALLEST, anchor="middle", turn=-90)
    p.text(left, 24, "column", size=SMALLEST)
    p.arrow([(left + 60, 19), (left + WIDTH * across, 19)], "soft")
    for column in range(0, WIDTH, 4):
        p.text(left + (column + 0.5) * across, 52, str(column), "soft", SMALLEST, anchor="middle")
    bottom = top + POSITIONS * down
    p.text(left, bottom + 24, "these columns change fast", "soft", SMALLEST)
    p.text(left + WIDTH * across, bottom + 24, "these columns change slowly", "soft", SMALLEST, anchor="end")
    key(p, left + WIDTH * across + 28, top)
    return p


def key(p, x, y):
    steps = [1 - at / 4 for at in range(9)]
    p.heat(x, y, [[value] for value in steps], 24, 18)
    for at, label in ((0, "+1"), (4, "0"), (8, "−1")):
        p.text(x + 30, y + at * 18 + 14, label, "soft", SMALLEST)


def hand(p, x, y, length, angle, kind, stroke=2.5, opacity=None):
    """A hand of a clock: angle 0 points up, growing angles turn clockwise."""
    p.line([(x, y), (x + length * math.sin(angle), y - length * math.cos(angle))], kind, stroke, opacity=opacity)


def face(p, x, y, radius):
    p.circle(x, y, radius, "tile", "rule")
    for hour in range(12):
        angle = hour * math.pi / 6
        p.line([(x + (radius - tick) * math.sin(angle), y - (radius - tick) * math.cos(angle)) for tick in (0, 5)], "soft", 1)


def angles(row):
    """The angle of each hand: its sine stands in an even column, its cosine in the next one."""
    return [math.atan2(row[2 * pair], row[2 * pair + 1]) for pair, _ in HANDS]


@picture(f"chapters/{CHAPTER}/pictures/clock-hands.svg")
def clock_hands(data):
    p = Picture(640, 386, "Positions as clock hands",
                "Each pair of columns is a hand of a clock. From one position to the next each hand turns by an angle of its own.")
    rows, radius = table(data), 44
    for at in range(6):
        x, y = 62 + at * 103, 62
        face(p, x, y, radius)
        for length, (_, kind), angle in zip((24, 31, 38), HANDS, angles(rows[at])):
            hand(p, x, y, length, angle, kind)
        p.text(x, y + radius + 22, f"position {at}", size=SMALLEST, anchor="middle")
    for at, (pair, kind) in enumerate(HANDS):
        x = 30 + at * 205
        p.line([(x, 160), (x + 26, 160)], kind, 2.5)
        p.text(x + 34, 165, f"columns {2 * pair} and {2 * pair + 1}", kind, SMALLEST)
    p.text(18, 212, "A shift by 2 (pale: before, strong: after) turns a hand by the same angle everywhere:", size=SMALLEST)
    for at, start in enumerate((2, 3, 4)):
        shift(p, 110 + at * 210, 290, 54, rows, start)
    return p


def shift(p, x, y, radius, rows, start):
    """The first two hands at position `start`, pale, and two positions later, with the arcs between."""
    face(p, x, y, radius)
    for length, (_, kind), old, new in zip((28, 44), HANDS, angles(rows[start]), angles(rows[start + 2])):
        hand(p, x, y, length, old, kind, 2, opacity=0.45)
        hand(p, x, y, length, new, kind)
        arc(p, x, y, length - 6, old, old + (new - old) % (2 * math.pi), kind)
    p.text(x, y + radius + 24, f"from {start} to {start + 2}", size=SMALLEST, anchor="middle")


def arc(p, x, y, radius, start, end, kind):
    points = [(x + radius * math.sin(start + (end - start) * part / 12), y - radius * math.cos(start + (end - start) * part / 12))
              for part in range(13)]
    p.line(points, kind, 1.5, dashed=True)


@picture(f"chapters/{CHAPTER}/pictures/words-and-positions.svg")
def words_and_positions(data):
    section = "the encoder's input"
    tables = [data.table(CHAPTER, section, title) for title in ("sqrt(D) table", "positions", "x, the sum")]
    p = Picture(640, 190, "A sentence with its positions",
                "The word vectors of the sentence plus the rows of the table of positions give the input of the encoder.")
    left, top, width, height = 62, 58, 43, 30
    for name, y in zip(tables[0].names, range(top, 500, height)):
        p.text(left - 8, y + 20, name, size=SMALLEST, anchor="end")
    for title, numbers, sign in zip(("words, times √D", "positions 0 to 3", "x, what the encoder reads"), tables, ("+", "=", "")):
        p.text(left, 24, title, size=SMALLEST, bold=True)
        p.text(left, 44, f"(N, D) = {len(numbers.values)}×{len(numbers.values[0])}", "soft", SMALLEST)
        p.cells(left, top, numbers.values, width, height, largest=2.2)
        p.text(left + 4 * width + 9, top + 2 * height + 4, sign, size=20, anchor="middle")
        left += 4 * width + 20
    return p
