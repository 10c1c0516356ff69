"""Data flow: boxes in a row; values go to the right along the upper lane, gradients to the left along the lower one.

A value and its gradient have the same shape, so one label between the two arrows serves both.
"""
from svg import SMALLEST

APART = 46  # between the lane of the values and the lane of the gradients
EDGE = 28  # from a lane to the edge of a box


class Flow:
    """Draws from left to right; `x` is where the next arrow or box begins, `y` the lane of the values."""

    def __init__(self, picture, x, y):
        self.p, self.x, self.y = picture, x, y

    def arrow(self, name, shape, width, back=None, until=0):
        """Both arrows, with their names. Without a gradient `back` is empty. `until`: longer by this, but labelled as if it were not."""
        right, middle = self.x + width + until, self.x + width / 2
        self.p.arrow([(self.x, self.y), (right, self.y)], "forward", head=6)
        self.p.text(middle, self.y - 8, name, "forward", SMALLEST, anchor="middle")
        self.p.text(middle, self.y + APART / 2 + 5, shape, "ink", SMALLEST, anchor="middle")
        back = "d" + name if back is None else back
        if back:
            self.p.arrow([(right, self.y + APART), (self.x, self.y + APART)], "backward", head=6)
            self.p.text(middle, self.y + APART + 18, back, "backward", SMALLEST, anchor="middle")
        self.x = right

    def box(self, lines, width, forward="", backward="", up=0, down=0):
        """A box with a name in its middle; what it computes stands at the height of each lane. It grows by `up` and `down`."""
        top, bottom = self.y - EDGE - up, self.y + APART + EDGE + down
        self.p.rect(self.x, top, width, bottom - top, "tile", "rule")
        middle = self.x + width / 2
        for at, line in enumerate(lines):
            y = self.y + APART / 2 + 5 + 18 * (at - (len(lines) - 1) / 2)
            self.p.text(middle, y, line, "ink", SMALLEST, bold=True, anchor="middle")
        if forward:
            self.p.text(middle, self.y - 2, forward, "forward", SMALLEST, anchor="middle")
        if backward:
            self.p.text(middle, self.y + APART + 14, backward, "backward", SMALLEST, anchor="middle")
        self.x += width
        return middle

    def takes(self, middle, *labels):
        """Parameters come from above into the box whose middle this is."""
        top = self.y - EDGE
        self.p.arrow([(middle, top - 20), (middle, top)], "ink", head=6)
        for at, label in enumerate(reversed(labels)):
            self.p.text(middle, top - 25 - 18 * at, label, "ink", SMALLEST, anchor="middle")

    def gives(self, middle, *labels):
        """Their gradients leave downwards."""
        bottom = self.y + APART + EDGE
        self.p.arrow([(middle, bottom), (middle, bottom + 20)], "backward", head=6)
        for at, label in enumerate(labels):
            self.p.text(middle, bottom + 36 + 18 * at, label, "backward", SMALLEST, anchor="middle")


def shape(*sizes):
    return "×".join(str(size) for size in sizes)


def legend(p, y):
    """Which colour is which direction."""
    x = 12
    p.arrow([(x, y), (x + 30, y)], "forward", head=6)
    p.text(x + 36, y + 5, "forward: values", "forward", SMALLEST)
    p.arrow([(x + 190, y), (x + 160, y)], "backward", head=6)
    p.text(x + 196, y + 5, "backward: gradients", "backward", SMALLEST)
