"""A picture as SVG: shapes, arrows, text and tables of numbers, in colours for light and for dark.

One file serves light and dark. Its colours are variables that a media query changes, which browsers also follow inside <img>. The
background is drawn: GitHub's theme may differ from the browser's, and then a dark picture stands on a white page, or the other way
round. With a background of its own it stays readable there. The two backgrounds are GitHub's page colours, so where the themes agree no
edge is seen. Two files in a <picture> element would need twice the files, and Markdown viewers that take the element out show one of them.

No element has an id, and every style is limited to the class `picture`, so several pictures can stand inline in one HTML page. A site with
a switch of its own sets the variables of `.picture` again.
"""
from xml.sax.saxutils import escape, quoteattr

SMALLEST = 15  # units; a picture is at most 640 units wide
WIDEST = 640
FULLEST = 0.48  # opacity of a colour behind a number, which stays readable on it
FONT = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans',Roboto,'DejaVu Sans',sans-serif"
LIGHT = {"paper": "#ffffff", "ink": "#1c1e22", "soft": "#5b6068", "rule": "#aeb4bd", "tile": "#eef1f5",
         "forward": "#2450b2", "backward": "#b04a12", "third": "#24733f", "lit": "#2450b2", "onlit": "#ffffff"}
DARK = {"paper": "#0d1117", "ink": "#e8eaed", "soft": "#a3abb5", "rule": "#59616c", "tile": "#1b212a",
        "forward": "#8db4ff", "backward": "#f2a46c", "third": "#7fcf9c", "lit": "#8db4ff", "onlit": "#0d1117"}
FILLS = ("paper", "ink", "soft", "rule", "tile", "forward", "backward", "third", "lit", "onlit")
STROKES = ("ink", "soft", "rule", "forward", "backward", "third", "lit")


def variables(colours):
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())


STYLE = (f".picture{{{variables(LIGHT)}font-family:{FONT};font-size:16px}}\n"
         f"@media (prefers-color-scheme:dark){{.picture{{{variables(DARK)}}}}}\n"
         + "".join(f".picture .{name}{{fill:var(--{name})}}" for name in FILLS) + "\n"
         + "".join(f".picture .line-{name}{{stroke:var(--{name});fill:none}}" for name in STROKES) + "\n"
         + "".join(f".picture .edge-{name}{{stroke:var(--{name})}}" for name in STROKES) + "\n"
         + ".picture .bold{font-weight:700}.picture .italic{font-style:italic}.picture .middle{text-anchor:middle}"
           ".picture .end{text-anchor:end}.picture text{stroke:none}\n")

# Advance widths of Helvetica and Arial, in thousandths of the font size; what is not listed has 600.
WIDTHS = {char: width for width, chars in {
    191: "'", 222: "ijl", 260: "|", 278: " !,./:;[]\\ftI", 333: "()-r`·", 334: "{}", 355: '"', 389: "*", 469: "^",
    500: "Jckvsxyz", 556: "0123456789abdeghnopqu?_#$Läöüß–LF", 584: "+<>=~−×≤", 611: "FTZ", 667: "ABEKPSVXY&▁", 722: "CDHNRUw",
    778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1000: "→←↑↓…"}.items() for char in chars}


def text_width(words, size, bold=False):
    """An estimate, 4 % above Arial's own; bold letters are 7 % wider."""
    return sum(WIDTHS.get(char, 600) for char in words) / 1000 * size * (1.11 if bold else 1.04)


def number(value):
    """At most one digit behind the point: coordinates need no more."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def signed(value, digits=2):
    """A number with a minus sign of a plus sign's width."""
    return f"{value:.{digits}f}".replace("-", "−")


class Picture:
    """Elements are drawn in the order of the calls; x grows to the right, y grows downwards."""

    def __init__(self, width, height, title, description):
        self.width, self.height, self.title, self.description = width, height, title, description
        self.elements = []

    def add(self, element):
        self.elements.append(element)

    def text(self, x, y, words, kind="ink", size=16, bold=False, italic=False, anchor="start", turn=0):
        """One line of text; y is its baseline. `turn` rotates it about (x, y)."""
        classes = [kind] + ["bold"] * bold + ["italic"] * italic + ([anchor] if anchor != "start" else [])
        turned = f' transform="rotate({turn} {number(x)} {number(y)})"' if turn else ""
        sized = f' font-size="{number(size)}"' if size != 16 else ""
        self.add(f'<text x="{number(x)}" y="{number(y)}" class="{" ".join(classes)}"{sized}{turned}>{escape(words)}</text>')

    def rect(self, x, y, width, height, kind="tile", edge=None, radius=4, opacity=None, stroke=1.2, dashed=False):
        classes = kind + (f" edge-{edge}" if edge else "")
        extra = f' stroke-width="{number(stroke)}"' if edge else ""
        extra += f' rx="{number(radius)}"' if radius else ""
        extra += f' fill-opacity="{opacity:.2f}"' if opacity is not None else ""
        extra += ' stroke-dasharray="5 4"' if dashed else ""
        extra += ' fill="none"' if kind == "none" else ""
        self.add(f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" class="{classes}"{extra}/>')

    def circle(self, x, y, radius, kind="tile", edge=None):
        classes = kind + (f" edge-{edge}" if edge else "")
        extra = (' stroke-width="1.2"' if edge else "") + (' fill="none"' if kind == "none" else "")
        self.add(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" class="{classes}"{extra}/>')

    def line(self, points, kind="rule", stroke=1.5, dashed=False, opacity=None):
        """Straight pieces through the points."""
        way = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
        extra = ' stroke-dasharray="5 4"' if dashed else ""
        extra += f' stroke-opacity="{opacity:.2f}"' if opacity is not None else ""
        self.add(f'<path d="{way}" class="line-{kind}" stroke-width="{number(stroke)}" stroke-linejoin="round"{extra}/>')

    def area(self, points, kind="tile", opacity=None):
        """A filled shape with these corners."""
        corners = "L".join(f"{number(x)} {number(y)}" for x, y in points)
        extra = f' fill-opacity="{opacity:.2f}"' if opacity is not None else ""
        self.add(f'<path d="M{corners}Z" class="{kind}"{extra}/>')

    def arrow(self, points, kind="ink", stroke=1.6, dashed=False, head=7):
        """A line through the points with a head at the last one."""
        (x0, y0), (x1, y1) = points[-2:]
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        foot_x, foot_y = x1 - head * dx, y1 - head * dy
        self.line(points[:-1] + [(foot_x + 1.5 * dx, foot_y + 1.5 * dy)], kind, stroke, dashed)
        corners = [(x1, y1), (foot_x - 0.5 * head * dy, foot_y + 0.5 * head * dx), (foot_x + 0.5 * head * dy, foot_y - 0.5 * head * dx)]
        self.add(f'<path d="M{"L".join(f"{number(x)} {number(y)}" for x, y in corners)}Z" class="{kind}"/>')

    def curve(self, x0, y0, x1, y1, kind="ink", stroke=1.6, head=6):
        """An arrow that leaves and arrives level; without a head if `head` is 0."""
        middle, foot = (x0 + x1) / 2, x1 - head
        points = [(x0, y0), (middle, y0), (middle, y1), (foot + head / 5, y1)]
        start, *rest = [f"{number(x)} {number(y)}" for x, y in points]
        way = f"M{start}C{' '.join(rest)}"
        self.add(f'<path d="{way}" class="line-{kind}" stroke-width="{number(stroke)}"/>')
        if head:
            corners = f"{number(foot)} {number(y1 - head / 2)}L{number(foot)} {number(y1 + head / 2)}"
            self.add(f'<path d="M{number(x1)} {number(y1)}L{corners}Z" class="{kind}"/>')

    def box(self, x, y, width, height, lines, kind="tile", edge="rule", words="ink", size=16, bold=False):
        """A rectangle with lines of text in its middle; the first is bold if `bold`."""
        self.rect(x, y, width, height, kind, edge)
        step = size * 1.2
        first = y + height / 2 + 0.36 * size - step * (len(lines) - 1) / 2
        for at, line in enumerate(lines):
            self.text(x + width / 2, first + at * step, line, words, size, bold and at == 0, anchor="middle")

    def cells(self, x, y, values, width, height, largest=None):
        """A table of numbers. The stronger a cell's colour, the larger the number; the second colour means below zero."""
        gap = 2
        largest = largest or max(max(abs(value) for value in row) for row in values) or 1
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                left, top = x + j * width, y + i * height
                kind = "forward" if value >= 0 else "backward"
                self.rect(left, top, width - gap, height - gap, "tile", radius=2)
                self.rect(left, top, width - gap, height - gap, kind, radius=2, opacity=FULLEST * min(1, abs(value) / largest))
                middle = left + (width - gap) / 2, top + (height - gap) / 2 + 0.36 * SMALLEST
                self.text(*middle, signed(value), size=SMALLEST, anchor="middle")

    def heat(self, x, y, values, width, height):
        """A table without numbers, one path for each colour. Values from -1 to 1."""
        patches, levels = {}, 20
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                level = round(abs(value) * levels)
                if level:
                    corner = f"M{number(x + j * width)} {number(y + i * height)}"
                    kind = "forward" if value > 0 else "backward"
                    patches.setdefault((kind, level), []).append(f"{corner}h{number(width)}v{number(height)}h{number(-width)}z")
        self.rect(x, y, width * len(values[0]), height * len(values), "tile", radius=0)
        for (kind, level), pieces in sorted(patches.items()):
            opacity = level / levels
            self.add(f'<path d="{"".join(pieces)}" class="{kind}" fill-opacity="{opacity:.2f}" shape-rendering="crispEdges"/>')

    def shares(self, x, y, rows, cell):
        """A table of squares; the fuller a square's colour, the larger its share (0 to 1)."""
        self.rect(x, y, cell * len(rows[0]), cell * len(rows), "tile", radius=2)
        self.add('<g class="forward">')
        square = f"h{number(cell - 1)}v{number(cell - 1)}h{number(1 - cell)}z"
        for i, row in enumerate(rows):
            for j, share in enumerate(row):
                self.add(f'<path d="M{number(x + j * cell)} {number(y + i * cell)}{square}" fill-opacity="{share:.2f}"/>')
        self.add("</g>")

    def link(self, chapter, draw):
        """What draw() adds becomes a link to a chapter's lesson; it works where the picture stands inline, not inside <img>."""
        self.add(f'<a href={quoteattr(f"../{chapter}/README.md")} data-chapter={quoteattr(chapter)}>')
        draw()
        self.add("</a>")

    def svg(self):
        body = "\n".join(self.elements)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 {number(self.width)} {number(self.height)}" '
                f'width="{number(self.width)}" height="{number(self.height)}">\n'
                f"<title>{escape(self.title)}</title>\n<desc>{escape(self.description)}</desc>\n<style>\n{STYLE}</style>\n"
                f'<rect width="100%" height="100%" class="paper" rx="8"/>\n{body}\n</svg>\n')
