"""Chapter 05: which numbers share a mean, and how large gradients are in a deep stack."""
from plot import Plot
from registry import picture
from svg import Picture, signed

CHAPTER = "05_layer_norm"
WIDE, HIGH = 50, 28


def tinted(p, x, y, value, kind, bold=False, opacity=0.28):
    p.rect(x, y, WIDE - 2, HIGH - 2, "tile", radius=2)
    p.rect(x, y, WIDE - 2, HIGH - 2, kind, radius=2, opacity=opacity)
    p.text(x + WIDE / 2 - 1, y + 18, signed(value), size=15, bold=bold, anchor="middle")


@picture(f"chapters/{CHAPTER}/pictures/layer-norm-batch-norm.svg")
def layer_norm_batch_norm(data):
    section = "which numbers share a mean"
    x = data.table(CHAPTER, section, "x (N, D)")
    of_rows, alone, beside = (data.table(CHAPTER, section, f"means of the {title}").values[0]
                              for title in ("rows", "columns (D), the first", "columns (D), both"))
    p = Picture(640, 344, "Layer norm and batch norm: which numbers share a mean",
                "The same numbers twice. Left, each row has a mean. Right, each column has one.")
    left, right, top = 82, 424, 74
    colours = ("forward", "third")
    p.text(left, 26, "layer norm", bold=True)
    p.text(left, 50, "one mean for each row", "soft", 15)
    p.text(right, 26, "batch norm", bold=True)
    p.text(right, 50, "one mean for each column", "soft", 15)
    for row, (name, values) in enumerate(zip(x.names, x.values)):
        y = top + row * HIGH + (10 if row >= 4 else 0)
        p.text(left - 8, y + 18, name, "ink" if row < 4 else "soft", 15, anchor="end")
        for column, value in enumerate(values):
            tinted(p, left + column * WIDE, y, value, colours[row % 2])
            tinted(p, right + column * WIDE, y, value, colours[column % 2])
        p.arrow([(left + 4 * WIDE + 2, y + 13), (left + 4 * WIDE + 18, y + 13)], colours[row % 2])
        tinted(p, left + 4 * WIDE + 22, y, of_rows[row], colours[row % 2], True, 0.55)
    below = top + 6 * HIGH + 10
    for column in range(4):
        middle = right + column * WIDE + WIDE / 2 - 1
        p.arrow([(middle, below + 2), (middle, below + 18)], colours[column % 2])
        tinted(p, right + column * WIDE, below + 22, beside[column], colours[column % 2], True, 0.55)
        tinted(p, right + column * WIDE, below + 22 + HIGH + 6, alone[column], colours[column % 2], True, 0.2)
    p.text(right - 10, below + 41, "both sentences", size=15, anchor="end")
    p.text(right - 10, below + 47 + HIGH, "the first sentence alone", "soft", 15, anchor="end")
    return p


@picture(f"chapters/{CHAPTER}/pictures/gradients-by-depth.svg")
def gradients_by_depth(data):
    lines = data.section(CHAPTER, "the size of dw in all 24 sublayers").split("\n")[2:]
    rows = [[float(word) for word in line.split()] for line in lines]
    p = Picture(640, 322, "The size of each sublayer's gradient in a stack of 24",
                "Two plots with a logarithmic axis. With constant sublayers the post-norm gradient falls towards the bottom.")
    p.text(14, 26, "size of dw", "soft", 15)
    random, constant = (Plot(p, 62 + at * 300, 58, 264, 206, (1, 24), (0.0006, 10), True) for at in (0, 1))
    for at, (plot, title) in enumerate(((random, "random matrices"), (constant, "constant sublayers"))):
        p.text(plot.x + 132, 26, title, bold=True, anchor="middle")
        plot.axes((1, 6, 12, 18, 24), (0.001, 0.01, 0.1, 1, 10), "sublayer, from the bottom", at == 0)
        for kind, column in (("backward", 1 + 2 * at), ("forward", 2 + 2 * at)):
            plot.curve([(row[0], row[column]) for row in rows], kind)
    p.text(random.left(17), random.top(5.2), "post-norm", "backward", 15, True, anchor="middle")
    p.text(random.left(17), random.top(0.45), "pre-norm", "forward", 15, True, anchor="middle")
    p.text(constant.left(13.2), constant.top(0.03), "post-norm", "backward", 15, True)
    p.text(constant.left(7), constant.top(1.5), "pre-norm", "forward", 15, True, anchor="middle")
    return p
