"""Chapter 12: what a state remembers of each word, and what the next word costs."""
import re

from plot import Plot
from registry import picture
from svg import SMALLEST, Picture

CHAPTER = "12_ssru"


@picture(f"chapters/{CHAPTER}/pictures/ssru-memory.svg")
def memory(data):
    section, cell = "what is left of each word", 28
    tables = [data.table(CHAPTER, section, f"column {column}") for column in range(4)]
    p = Picture(640, 252, "What the state remembers",
                "Four tables, one for each column of the state. A row is the word after which one looks, a column is a word before it; the fuller a "
                "square's colour, the larger that word's share.")
    left, top = 84, 94
    for row, word in enumerate(tables[0].names):
        p.text(left - 8, top + (row + 0.5) * cell + 5, word, "soft", SMALLEST, anchor="end")
    for at, table in enumerate(tables):
        x = left + at * (4 * cell + 24)
        p.shares(x, top, table.values, cell)
        for column, word in enumerate(table.names):
            p.text(x + (column + 0.5) * cell + 5, top - 6, word, "soft", SMALLEST, turn=-90)
        p.text(x + 2 * cell, top + 4 * cell + 22, f"column {at}", size=SMALLEST, anchor="middle")
    return p


@picture(f"chapters/{CHAPTER}/pictures/ssru-cost.svg")
def cost(data):
    lines = data.section(CHAPTER, "the next word, at D = 256").split("\n")
    rows = [[int(word) for word in re.findall(r"\d+", line)] for line in lines if line.startswith("word")]
    p = Picture(640, 300, "What the next word costs", "Two curves of multiplications over the number of the word: self-attention rises, the SSRU does not.")
    last, most = rows[-1][0], 800
    plot = Plot(p, 62, 52, 420, 184, (0, last), (0, most))
    p.text(14, 28, "thousand multiplications", "soft", SMALLEST)
    plot.axes(range(0, last + 1, 200), range(0, most + 1, 200), "number of the word")
    for column, kind, name in ((1, "backward", "self-attention"), (2, "forward", "SSRU")):
        points = [(row[0], row[column] / 1000) for row in rows]
        plot.curve(points, kind)
        p.text(plot.left(last) + 10, plot.top(points[-1][1]) + 5, name, kind, SMALLEST)
    return p
