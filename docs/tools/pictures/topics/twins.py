"""The page on what a mistake costs: the losses of each twin beside those of the right program, as far as they are measured."""
import figures
import tables
from plot import Plot
from registry import picture
from svg import SMALLEST, Picture

IN_A_ROW, WIDTH, HEIGHT = 3, 164, 100  # small plots; the size of one
HIGHEST = 9  # the top of the axis


@picture("docs/pictures/losses-of-twins.svg")
def losses_of_twins(data):
    costs = figures.read(data.root).get("twins", {})
    names = list(tables.TWINS)
    lines = -(-len(names) // IN_A_ROW)
    p = Picture(640, 66 + lines * 156 + 20, "Training losses of the wrong twins",
                f"{len(names)} small plots. In each one curve is the right program's and one the twin's.")
    p.text(14, 24, "loss of the training, in nats a token", "soft", SMALLEST)
    for at, name in enumerate(names):
        plot = Plot(p, 40 + at % IN_A_ROW * 204, 66 + at // IN_A_ROW * 156, WIDTH, HEIGHT, (0, 100), (0, HIGHEST))
        p.text(plot.x, plot.y - 12, name, size=SMALLEST, bold=True)
        plot.axes((0, 50, 100), (0, 3, 6, 9))
        if name in costs and "right" in costs:
            curve(plot, costs["right"]["runs"][0], "forward")
            curve(plot, costs[name]["runs"][0], "backward")
        else:
            p.text(plot.x + WIDTH / 2, plot.y + HEIGHT / 2, "not measured yet", "soft", SMALLEST, anchor="middle")
    below = 66 + lines * 156
    p.text(14, below + 4, "blue: the right program", "forward", SMALLEST, True)
    p.text(220, below + 4, "orange: the twin", "backward", SMALLEST, True)
    p.text(390, below + 4, "across: % of the steps", "soft", SMALLEST)
    return p


def curve(plot, run, kind):
    plot.curve([(100 * step / run["steps"], min(loss, HIGHEST)) for step, loss in run["curve"]], kind, 2.2)
