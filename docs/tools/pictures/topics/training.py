"""Chapter 10: teacher forcing, smoothed targets, learning rates, loss curves, batches by length."""
import re

from plot import Plot
from registry import picture
from svg import Picture

CHAPTER = "10_training"
FOLDER = f"chapters/{CHAPTER}/pictures"


@picture(f"{FOLDER}/teacher-forcing.svg")
def teacher_forcing(data):
    source, reads, says = (re.split(r" {2,}", line.strip())[1:] for line in data.section(CHAPTER, "three rows").split("\n"))
    left, wide, box = 134, 124, 100
    p = Picture(640, 372, "Teacher forcing in three rows",
                "The decoder input and the target are the same sentence, shifted by one word. All four questions are asked at once.")
    rows = [("encoder input", 24, source, "rule"), ("decoder input", 136, reads, "forward"), ("target", 310, says, "third")]
    for at in range(len(reads) - 1):
        p.line([(left + at * wide + box, 312), (left + (at + 1) * wide + 8, 176)], "third", 1.8, dashed=True)
    for name, y, words, edge in rows:
        p.text(left - 14, y + (24 if name == "encoder input" else 16), name, bold=True, anchor="end")
        for at, word in enumerate(words):
            p.box(left + at * wide, y, box, 38, [word], "tile", edge)
    right = left + box + 3 * wide
    band(p, left, 82, right - left, "encoder")
    p.arrow([(right, 97), (right + 14, 97), (right + 14, 235), (right + 2, 235)], "soft")
    band(p, left, 220, right - left, "decoder")
    for at in range(len(reads)):
        x = left + at * wide + box / 2
        p.arrow([(x, 64), (x, 80)], "soft")
        p.arrow([(x, 176), (x, 218)], "forward")
        p.arrow([(x, 252), (x, 308)], "forward")
    p.text(left - 14, 172, "is read", "soft", 15, anchor="end")
    p.text(left - 14, 346, "is to be said", "soft", 15, anchor="end")
    p.text(left - 14, 276, "dashed: the", "third", 15, anchor="end")
    p.text(left - 14, 294, "same word", "third", 15, anchor="end")
    return p


def band(p, x, y, width, name):
    p.rect(x, y, width, 30, "tile", "soft")
    p.text(x + width / 2, y + 20, name, size=15, anchor="middle")


@picture(f"{FOLDER}/one-hot-and-smoothed.svg")
def one_hot_and_smoothed(data):
    table = data.table(CHAPTER, "the loss of one row", data.section(CHAPTER, "the loss of one row").split("\n")[1])
    names, p_q = table.names[:-1] if table.names[-1] == "l" else table.names, table.values
    smoothed, said = [row[2] for row in p_q], [row[1] for row in p_q]
    target = smoothed.index(max(smoothed))
    columns = [("one-hot target", "right word: 1", [float(row == target) for row in range(len(names))], "third"),
               ("smoothed target q", "no word has 0", smoothed, "third"),
               ("the model's p", "a little too sure", said, "forward")]
    left, wide, top, high = 84, 188, 72, 22
    p = Picture(640, top + high * len(names) + 14, "One-hot target, smoothed target, and the model's probabilities",
                "Three columns of bars, one bar for each of 14 words.")
    for row, name in enumerate(names):
        p.text(left - 10, top + row * high + 16, name, bold=row == target, size=15, anchor="end")
    for at, (name, meaning, values, kind) in enumerate(columns):
        x = left + at * wide
        p.text(x, 26, name, bold=True)
        p.text(x, 48, meaning, "soft", 15)
        p.line([(x, top - 4), (x, top + high * len(names))], "rule", 1)
        for row, value in enumerate(values):
            p.rect(x, top + row * high + 3, 112 * value, high - 6, kind, radius=1)
            words = f"{value:g}" if at == 0 else f"{value:.3f}"
            p.text(x + 112 * value + 6, top + row * high + 16, words, "ink" if row == target else "soft", 15, row == target)
    return p


@picture(f"{FOLDER}/learning-rates.svg")
def learning_rates(data):
    lines = [line.split() for line in data.section(CHAPTER, "learning rates of all schedules").split("\n")]
    rows = [[float(word) for word in line] for line in lines[1:]]
    p = Picture(640, 372, "The learning rates of all five schedules",
                "All rise in a straight line during the warm-up. Then each falls in its own way, or stays.")
    plot = Plot(p, 52, 44, 560, 264, (0, 1000), (0, 1.05))
    p.text(14, 26, "learning rate, as a share of the peak", "soft", 15)
    p.rect(plot.left(0), plot.top(1.05), plot.left(100) - plot.left(0), 264 + plot.y - plot.top(1.05), "tile", radius=0)
    plot.axes((0, 100, 200, 400, 600, 800, 1000), (0, 0.25, 0.5, 0.75, 1), "step")
    p.text(plot.left(92), plot.top(0.24), "warm-up", "soft", 15, anchor="middle", turn=-90)
    styles = {"constant": ("soft", True), "inverse-sqrt": ("forward", False), "linear": ("third", False), "cosine": ("backward", False),
              "plateau": ("ink", False)}
    for column, name in enumerate(lines[0][1:], 1):
        points = [(row[0], row[column]) for row in rows]
        if name == "plateau":
            points = stairs(points)
        plot.curve(points, *styles[name][:1], 2.4, styles[name][1])
    p.text(plot.left(985), plot.top(0.955), "constant", "soft", 15, True, anchor="end")
    p.text(plot.left(330), plot.top(0.93), "cosine", "backward", 15, True)
    p.text(plot.left(550), plot.top(0.94), "plateau", "ink", 15, True, anchor="end")
    p.text(plot.left(985), plot.top(0.36), "inverse-sqrt", "forward", 15, True, anchor="end")
    p.text(plot.left(745), plot.top(0.065), "linear", "third", 15, True, anchor="end")
    return p


def stairs(points):
    """The same points, with an edge where the rate falls at once."""
    way = points[:1]
    for point in points[1:]:
        if point[1] < way[-1][1]:
            way.append((point[0], way[-1][1]))
        way.append(point)
    return way


@picture(f"{FOLDER}/loss-curves.svg")
def loss_curves(data):
    rows = [[float(word) for word in line.split()] for line in data.section(CHAPTER, "learning too long").split("\n")[1:]]
    best = min(rows, key=lambda row: row[2])
    p = Picture(640, 350, "Training loss and validation loss",
                "The training loss falls to zero. The validation loss falls, has a minimum, and rises.")
    plot = Plot(p, 44, 44, 570, 244, (0, rows[-1][0]), (0, 4))
    p.text(14, 26, "loss, in nats a token", "soft", 15)
    plot.axes(range(0, 201, 50), range(5), "step")
    p.line([(plot.left(best[0]), plot.top(3.1)), (plot.left(best[0]), plot.top(0))], "third", 1.6, dashed=True)
    p.circle(plot.left(best[0]), plot.top(best[2]), 5, "third")
    mark = f"best validation: {best[2]:.2f} at step {best[0]:.0f}"
    p.text(plot.left(best[0]) + 4, plot.top(3.18), mark, "third", 15, True, anchor="middle")
    plot.curve([(row[0], row[1]) for row in rows], "forward")
    plot.curve([(row[0], row[2]) for row in rows], "backward")
    p.text(plot.left(198), plot.top(2.45), "validation: other pairs", "backward", 15, True, anchor="end")
    p.text(plot.left(198), plot.top(0.16), "training: the pairs that it learns from", "forward", 15, True, anchor="end")
    return p


@picture(f"{FOLDER}/batches-by-length.svg")
def batches_by_length(data):
    lines = [line.split() for line in data.section(CHAPTER, "batches of eight").split("\n")]
    p = Picture(640, 336, "Batches by chance and by length, in rectangles",
                "Each rectangle is a batch of eight sentences. Coloured bars are words, the rest is padding.")
    for at, (order, name) in enumerate((("chance", "by chance"), ("length", "of similar length"))):
        top = 52 + at * 152
        start = next(number for number, line in enumerate(lines) if line[0] == order)
        share = next(line for line in lines[start:] if line[0] == "padding")
        p.text(14, top - 22, name, bold=True)
        p.text(626, top - 22, f"{share[-2]} % padding", "backward", 16, True, anchor="end")
        for batch, line in enumerate(line for line in lines if line[0] == order):
            rectangle(p, 14 + batch * 103, top, [int(word) for word in line[1:]])
    p.text(14, 326, "blue: words;", "forward", 15, True)
    p.text(112, 326, "the rest of a frame: padding, up to its longest sentence", "backward", 15)
    return p


def rectangle(p, x, y, lengths):
    """A bar for each sentence of a batch, and what fills it up to the longest."""
    longest, unit, bar = max(lengths), 4.2, 11
    for row, length in enumerate(lengths):
        p.rect(x, y + row * bar, unit * length, bar - 2, "forward", radius=1)
        p.rect(x + unit * length, y + row * bar, unit * (longest - length), bar - 2, "backward", radius=1, opacity=0.3)
    p.rect(x - 4, y - 5, unit * longest + 8, bar * len(lengths) + 8, "none", "soft", radius=3)
