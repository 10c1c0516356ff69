"""The page on why: what a translation looked at, and a look-up that mixes."""
from statistics import mean

from registry import picture
from svg import FULLEST, SMALLEST, Picture, signed

SENTENCE = "A man in a blue shirt is standing on a ladder cleaning a window."
CELL = 23


@picture("chapters/pictures/what-it-looked-at.svg")
def what_it_looked_at(data):
    rows, columns, maps = data.attention(SENTENCE, "cross")
    last = max(layer for layer, _ in maps)
    heads = [weights for (layer, _), weights in maps.items() if layer == last]
    weights = [[mean(head[i][j] for head in heads) for j in range(len(columns))] for i in range(len(rows))]
    left, top = 84, 84
    p = Picture(left + CELL * len(columns) + 12, top + CELL * len(rows) + 12, "What a translation looked at",
                "A table of German words, one a row, and English words, one a column. The fuller a square's colour, the more the German "
                "word took from the English word.")
    for i, word in enumerate(rows):
        p.text(left - 8, top + (i + 0.5) * CELL + 5, word, size=SMALLEST, anchor="end")
    for j, word in enumerate(columns):
        p.text(left + (j + 0.5) * CELL + 5, top - 7, word, size=SMALLEST, turn=-90)
    p.shares(left, top, weights, CELL)
    return p


@picture("chapters/pictures/soft-look-up.svg")
def soft_look_up(data):
    """The same data as lesson 03's picture of one query, with its last steps only."""
    weights = data.table("03_attention", "who looks at whom", "weights of head 1")
    word = "cat"
    shares = weights.row(word)
    p = Picture(640, 262, "A look-up that finds one entry, and a look-up that mixes all",
                "On the left a query finds the one key that is equal, and gets its value. On the right a query gets a weight for every "
                "key, and a mixture of all values.")
    p.text(12, 24, "A database", bold=True)
    p.text(12, 46, "one key is equal: all or nothing", "soft", SMALLEST)
    p.text(332, 24, "Attention", bold=True)
    p.text(332, 46, f"every key is compared: the query of {word}", "soft", SMALLEST)
    for i, key in enumerate(weights.names):
        y = 66 + i * 40
        row(p, 12, y, key, 1.0 if key == word else 0.0)
        row(p, 332, y, key, shares[i])
    p.text(12, 250, f"answer: value of {word}", "forward", SMALLEST, True)
    p.text(332, 250, "answer: sum of weight × value", "forward", SMALLEST, True)
    return p


def row(p, x, y, key, share):
    p.box(x, y, 72, 28, [key], size=SMALLEST)
    p.arrow([(x + 76, y + 14), (x + 104, y + 14)], "soft", head=6)
    p.rect(x + 108, y + 3, 80, 22, "tile", radius=2)
    p.rect(x + 108, y + 3, 80 * share, 22, "forward", radius=2, opacity=FULLEST)
    p.text(x + 184, y + 19, signed(share), size=SMALLEST, anchor="end")
    p.arrow([(x + 192, y + 14), (x + 220, y + 14)], "soft", head=6)
    p.box(x + 224, y, 72, 28, ["value"], words="ink" if share else "soft", size=SMALLEST)
