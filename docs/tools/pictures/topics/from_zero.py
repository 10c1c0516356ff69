"""The page on from-zero: its preset trained on forty sentences; the loss, the positions, and eight heads of the first layer."""
import figures
import lessons
from plot import Plot
from registry import picture
from svg import SMALLEST, WIDEST, Picture, text_width

CHAPTER = "02_positional_encoding"
WIDTH, EVERY, POSITIONS = 512, 8, 40  # of the preset's table; which columns are drawn
CELL, GAP = 15, 16  # of the tables of weights


def forty(data):
    measured = figures.read(data.root).get("forty")
    if not measured:
        raise lessons.Stale("docs/records/measured.json has no part forty (make from-zero)")
    return measured


@picture("docs/tutorials/pictures/from-zero-loss.svg")
def loss(data):
    run = forty(data)
    p = Picture(640, 330, "The training's loss",
                "A curve over the epochs. It falls.")
    pairs, highest = run["sentences"], 6
    plot = Plot(p, 46, 50, 570, 210, (0, run["epochs"]), (0, highest))
    p.text(14, 26, "loss, in nats a word", "soft", SMALLEST)
    plot.axes([run["epochs"] * part // 5 for part in range(6)], range(highest + 1), f"epoch, each of {pairs} updates")
    plot.curve([(step / pairs, min(value, highest)) for step, value in run["curve"]], "forward")
    return p


@picture("docs/tutorials/pictures/from-zero-positions.svg")
def positions(data):
    rows = [[float(word) for word in line.split()] for line in data.demo(CHAPTER, str(POSITIONS), str(WIDTH)).splitlines()]
    if len(rows) != POSITIONS or any(len(row) != WIDTH for row in rows):
        raise lessons.Stale(f"demo_{CHAPTER} prints no table of {POSITIONS} x {WIDTH} (build it: make chapter CHAPTER=02)")
    p = Picture(640, 420, "The positions of the preset",
                f"A heat map of {POSITIONS} positions and of every eighth of {WIDTH} columns. The columns at the left change fast from "
                "row to row, those in the right half hardly.")
    left, top, across, down = 60, 62, 8.5, 8
    p.heat(left, top, [row[::EVERY] for row in rows], across, down)
    for at in range(0, POSITIONS, 10):
        p.text(left - 8, top + at * down + 10, str(at), "soft", SMALLEST, anchor="end")
    p.text(18, top + POSITIONS * down / 2, "position", size=SMALLEST, anchor="middle", turn=-90)
    p.text(left, 24, f"column; every eighth of {WIDTH} is shown", size=SMALLEST)
    for column in range(0, WIDTH, 64):
        p.text(left + (column / EVERY + 0.5) * across, 52, str(column), "soft", SMALLEST, anchor="middle")
    bottom = top + POSITIONS * down
    p.text(left, bottom + 24, "blue: above 0", "forward", SMALLEST, True)
    p.text(left + 130, bottom + 24, "orange: below 0", "backward", SMALLEST, True)
    return p


def heads(kind, title, reads, asked):
    @picture(f"docs/tutorials/pictures/from-zero-{kind}.svg")
    def draw(data):
        shown = forty(data)["attention"][kind]
        side, high = CELL * len(shown["columns"]), CELL * len(shown["rows"])
        left, top = 14 + longest(shown["rows"]), 36 + longest(shown["columns"])
        in_a_row = max(1, int((WIDEST - left + GAP) // (side + GAP)))
        lines = -(-len(shown["heads"]) // in_a_row)
        p = Picture(WIDEST, top + lines * (high + 30), title,
                    f"{len(shown['heads'])} tables of weights. A row is a word that {reads}, a column is a word {asked}; the fuller a "
                    "square's colour, the larger the weight.")
        for head, weights in enumerate(shown["heads"]):
            line, place = divmod(head, in_a_row)
            x, y = left + place * (side + GAP), top + line * (high + 30)
            p.text(x + side / 2, y - 9 if line else 22, f"head {head + 1}", size=SMALLEST, anchor="middle")
            p.shares(x, y, weights, CELL)
            if line == 0:
                words_across(p, x, y, shown["columns"])
            if place == 0:
                words_down(p, x, y, shown["rows"])
        return p


def longest(words):
    return 6 + max(text_width(word, SMALLEST) for word in words)


def words_across(p, x, y, words):
    for at, word in enumerate(words):
        p.text(x + (at + 0.5) * CELL + 5, y - 5, word, "soft", SMALLEST, turn=-90)


def words_down(p, x, y, words):
    for at, word in enumerate(words):
        p.text(x - 6, y + (at + 0.5) * CELL + 5, word, "soft", SMALLEST, anchor="end")


heads("encoder", "Eight heads of the first encoder layer", "looks", "that it looks at")
heads("decoder", "Eight heads of self-attention in the first decoder layer", "the decoder is about to say", "that it has read")
heads("cross", "Eight heads of cross-attention in the first decoder layer", "the decoder is about to say", "of the source")
