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
    p = Picture(640, 290, "A look-up that finds one entry, and a look-up that mixes all",
                "On the left a query finds the one key that is equal, and gets its value. On the right a query gets a weight for every key, "
                "and a mixture of all values.")
    equal = [1.0 if key == word else 0.0 for key in weights.names]
    look_up(p, 12, "A database", word, weights.names, equal, f"answer: value of {word}")
    look_up(p, 338, "Attention", word, weights.names, weights.row(word), "answer: sum of weight × value")
    return p


def look_up(p, x, title, word, keys, shares, answer):
    """The query at the top, one row for each key, the answer below."""
    p.text(x, 24, title, bold=True)
    p.box(x, 36, 110, 28, [f"query of {word}"], "paper", "forward", "forward", SMALLEST)
    p.arrow([(x + 46, 66), (x + 46, 92)], "forward", head=6)
    for left, name in ((x + 10, "key"), (x + 82, "weight"), (x + 198, "value")):
        p.text(left, 86, name, "soft", SMALLEST)
    for i, key in enumerate(keys):
        row(p, x, 94 + i * 38, key, shares[i])
    p.text(x, 276, answer, "forward", SMALLEST, True)


def row(p, x, y, key, share):
    p.box(x, y, 62, 28, [key], size=SMALLEST)
    p.rect(x + 82, y + 3, 52, 22, "tile", radius=2)
    p.rect(x + 82, y + 3, 52 * share, 22, "forward", radius=2, opacity=FULLEST)
    p.text(x + 140, y + 19, signed(share), size=SMALLEST)
    p.arrow([(x + 174, y + 14), (x + 194, y + 14)], "soft", head=6)
    p.box(x + 198, y, 94, 28, [f"of {key}"], words="ink" if share else "soft", size=SMALLEST)


@picture("chapters/pictures/two-heads.svg")
def two_heads(data):
    section = data.section("03_attention", "who looks at whom")
    titles = [line.split(" (")[0] for line in section.split("\n") if line.startswith("weights of head")]
    tables = [data.table("03_attention", "who looks at whom", title) for title in titles]
    cell, high, top = 58, 32, 72
    p = Picture(640, top + high * len(tables[0].names) + 12, "The weights of two heads",
                "Two tables with a row for each word that asks and a column for each word that is asked. Each row sums to 1.")
    for left, title, table in zip((78, 386), titles, tables):
        p.text(left, 22, title, size=SMALLEST, bold=True)
        for at, word in enumerate(table.names):
            p.text(left + (at + 0.5) * cell - 1, top - 12, word, "soft", SMALLEST, anchor="middle")
            p.text(left - 8, top + at * high + 20, word, size=SMALLEST, anchor="end")
        p.cells(left, top, table.values, cell, high, largest=1)
    return p
