"""Curves over two axes."""
import math

from svg import SMALLEST


class Plot:
    """The area of a plot inside a picture; `across` and `up` are the ends of its axes."""

    def __init__(self, picture, x, y, width, height, across, up, logarithmic=False):
        self.picture, self.x, self.y, self.width, self.height = picture, x, y, width, height
        self.across, self.up, self.scale = across, up, math.log10 if logarithmic else float

    def left(self, value):
        low, high = self.across
        return self.x + self.width * (value - low) / (high - low)

    def top(self, value):
        low, high = (self.scale(end) for end in self.up)
        return self.y + self.height * (1 - (self.scale(value) - low) / (high - low))

    def axes(self, ticks_across, ticks_up, name_across="", labels=True):
        """Level lines with their numbers at the left, and numbers below; `name_across` stands below these."""
        for value in ticks_up:
            y = self.top(value)
            self.picture.line([(self.x, y), (self.x + self.width, y)], "rule", 1, opacity=0.6)
            if labels:
                self.picture.text(self.x - 7, y + 5, f"{value:g}", "soft", SMALLEST, anchor="end")
        for value in ticks_across:
            self.picture.text(self.left(value), self.y + self.height + 20, f"{value:g}", "soft", SMALLEST, anchor="middle")
        if name_across:
            self.picture.text(self.x + self.width / 2, self.y + self.height + 42, name_across, "soft", SMALLEST, anchor="middle")

    def curve(self, points, kind, stroke=2.4, dashed=False):
        self.picture.line([(self.left(a), self.top(b)) for a, b in points], kind, stroke, dashed)
