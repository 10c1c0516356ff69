"""Chapter 04: three masks, what softmax makes of them, and what a decoder may read."""
import math

from registry import picture
from svg import FULLEST, Picture, signed

CHAPTER = "04_masks"
LEFT, GAP = 56, 14
WIDE, HIGH = 46, 32


def grid(at):
    """The left end of a grid of four columns."""
    return LEFT + at * (4 * WIDE + GAP)


def words_around(p, y, words):
    """Words beside the rows and above the columns."""
    for row, word in enumerate(words):
        p.text(LEFT - 8, y + row * HIGH + 20, word, size=15, anchor="end")
        for at in range(3):
            p.text(grid(at) + row * WIDE + WIDE / 2 - 1, y - 8, word, size=15, anchor="middle")


@picture(f"chapters/{CHAPTER}/pictures/three-masks.svg")
def three_masks(data):
    section = "three masks of one sentence"
    table = data.table(CHAPTER, section, data.section(CHAPTER, section).split("\n")[0])
    p = Picture(640, 274, "Padding mask, causal mask, and both", "Rows are the words that look, columns the words that are looked at.")
    names = [("padding mask", "hides the padding"), ("causal mask", "hides later words"), ("both", "each mask must allow it")]
    top = 88
    for at, (name, meaning) in enumerate(names):
        middle = grid(at) + 2 * WIDE - 1
        p.text(middle, 24, name, bold=True, anchor="middle")
        p.text(middle, top + 4 * HIGH + 22, meaning, "soft", 15, anchor="middle")
        p.text(middle, 50, "looked at", "soft", 15, anchor="middle")
        for row, values in enumerate(table.values):
            for column, value in enumerate(values[4 * at:4 * at + 4]):
                x, y = grid(at) + column * WIDE, top + row * HIGH
                p.rect(x, y, WIDE - 2, HIGH - 2, "lit" if value else "tile", radius=3)
                p.text(x + WIDE / 2 - 1, y + 20, f"{value:g}", "onlit" if value else "soft", 16, bool(value), anchor="middle")
    words_around(p, top, table.names)
    p.text(LEFT - 8, 80, "looks", "soft", 15, anchor="end")
    p.text(LEFT, top + 4 * HIGH + 46, "1 = may look, 0 = may not", "soft", 15)
    return p


@picture(f"chapters/{CHAPTER}/pictures/scores-mask-softmax.svg")
def scores_mask_softmax(data):
    section = "scores, mask, softmax"
    scores, weights = (data.table(CHAPTER, section, title) for title in ("scores of head 0", "weights where"))
    masks = data.table(CHAPTER, "three masks of one sentence", data.section(CHAPTER, "three masks of one sentence").split("\n")[0])
    allowed = [row[8:] for row in masks.values]
    largest = max(abs(value) for row in scores.values for value in row)
    p = Picture(640, 260, "Scores, mask, softmax", "Where the mask is 0 the score is left out, and the weight is 0.")
    top = 72
    for at, name in enumerate(("1  scores", "2  mask", "3  softmax")):
        p.text(grid(at) + 2 * WIDE - 1, 24, name, bold=True, anchor="middle")
    for at, meaning in enumerate(("every pair of words", "some are left out", "each row sums to 1")):
        p.text(grid(at) + 2 * WIDE - 1, top + 4 * HIGH + 22, meaning, "soft", 15, anchor="middle")
        if at:
            p.arrow([(grid(at) - 42, 19), (grid(at) + 26, 19)], "soft")
    p.cells(grid(0), top, scores.values, WIDE, HIGH, largest)
    for row in range(4):
        for column in range(4):
            x, y = column * WIDE, top + row * HIGH
            if allowed[row][column]:
                p.cells(grid(1) + x, y, [[scores.values[row][column]]], WIDE, HIGH, largest)
                weight = weights.values[row][column]
                p.rect(grid(2) + x, y, WIDE - 2, HIGH - 2, radius=2)
                p.rect(grid(2) + x, y, WIDE - 2, HIGH - 2, "third", radius=2, opacity=FULLEST * weight)
                p.text(grid(2) + x + WIDE / 2 - 1, y + 20, signed(weight), size=15, anchor="middle")
            else:
                p.rect(grid(1) + x + 1, y + 1, WIDE - 4, HIGH - 4, "none", "rule", radius=2, dashed=True)
                p.rect(grid(2) + x, y, WIDE - 2, HIGH - 2, radius=2)
                p.text(grid(2) + x + WIDE / 2 - 1, y + 20, f"{weights.values[row][column]:g}", "soft", 15, anchor="middle")
    words_around(p, top, scores.names)
    p.text(LEFT, top + 4 * HIGH + 46, "The row of <pad> is computed and never used.", "soft", 15)
    return p


@picture(f"chapters/{CHAPTER}/pictures/no-peeking.svg")
def no_peeking(data):
    rows = [line.split()[2:] for line in data.section("10_training", "three rows").split("\n") if "encoder" not in line]
    reads, says = rows[0], data.section("10_training", "three rows").split("\n")[2].split()[1:]
    likeliest = [line.split(":")[1].split() for line in data.section("09_transformer", "the three likeliest words").split("\n")]
    p = Picture(620, 268, "A decoder does not see the words that it is to say",
                "Row by row the decoder reads one word more. Later words are covered.")
    top, wide, high = 54, 96, 50
    p.text(16, 30, "the decoder reads", "soft")
    p.text(16 + 4 * wide + 46, 30, "and says", "soft")
    p.text(16 + 4 * wide + 204, 30, "probability", "soft", anchor="end")
    for row, word in enumerate(says):
        y = top + row * high
        for column, read in enumerate(reads):
            x = 16 + column * wide
            if column <= row:
                p.box(x, y, wide - 8, 36, [read], "tile", "forward")
            else:
                p.rect(x, y, wide - 8, 36, "rule", radius=4, opacity=0.35)
                p.text(x + wide / 2 - 4, y + 23, "hidden", "soft", 15, anchor="middle")
        right = 16 + 4 * wide
        p.arrow([(right, y + 18), (right + 38, y + 18)], "forward")
        p.text(right + 46, y + 24, word, bold=True)
        p.text(right + 204, y + 24, f"{100 * math.exp(float(likeliest[row][1])):.0f} %", "soft", 16, anchor="end")
    return p
