"""The page on the five tutorials: their losses on Multi30k, with the tutorial's learning rate and with a shared one."""
import figures
import lessons
from plot import Plot
from registry import picture
from svg import SMALLEST, Picture

NAMES = ("say-hello2y", "from-zero", "hyunwoongko", "umar-jamil", "samlynnevans", "quick")
WIDTH, HEIGHT, HIGHEST = 164, 120, 9  # of one plot; the top of its axis


@picture("docs/tutorials/pictures/losses-of-presets.svg")
def losses_of_presets(data):
    measured = figures.read(data.root).get("presets")
    if not measured:
        raise lessons.Stale("docs/records/measured.json has no part presets (tests/measure/bench/presets.py)")
    p = Picture(640, 460, "Training losses of the five presets and of quick",
                "Six small plots. In each one curve has the tutorial's own learning rate and one the shared rate.")
    p.text(14, 24, "loss of the training, in nats a token", "soft", SMALLEST)
    for at, name in enumerate(NAMES):
        plot = Plot(p, 40 + at % 3 * 204, 66 + at // 3 * 190, WIDTH, HEIGHT, (0, 100), (0, HIGHEST))
        p.text(plot.x, plot.y - 12, name, size=SMALLEST, bold=True)
        plot.axes((0, 50, 100), (0, 3, 6, 9), "% of the steps" if at > 2 else "")
        for rate, kind in (("own", "backward"), ("shared", "forward")):
            run = measured[name][rate]
            plot.curve([(100 * step / run["steps"], min(loss, HIGHEST)) for step, loss in run["curve"]], kind, 2.2)
    p.text(14, 448, "blue: the shared rate", "forward", SMALLEST, True)
    p.text(200, 448, "orange: the preset's own rate", "backward", SMALLEST, True)
    return p
