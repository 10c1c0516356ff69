"""What every picture has to keep: readable sizes, text inside the picture and apart from other text, a title, a page that shows it."""
import re
from xml.etree import ElementTree

import markdown
from svg import SMALLEST, WIDEST, text_width

SVG = "{http://www.w3.org/2000/svg}"
TURN = re.compile(r"rotate\((-?\d+) ")
SHORTEST_ALT = 40  # letters: a sentence about what one sees


class Extent:
    """The rectangle that a line of text covers."""

    def __init__(self, element):
        self.words = "".join(element.itertext())
        kinds = element.get("class", "").split()
        self.size = float(element.get("font-size", 16))
        x, y = float(element.get("x")), float(element.get("y"))
        width = text_width(self.words, self.size, "bold" in kinds)
        left = -width if "end" in kinds else -width / 2 if "middle" in kinds else 0
        corners = [(left, -0.73 * self.size), (left + width, 0.21 * self.size)]
        turn = TURN.match(element.get("transform", ""))
        if turn and turn[1] in ("-90", "90"):
            sign = 1 if turn[1] == "90" else -1
            corners = [(-sign * b, sign * a) for a, b in corners]
        self.left, self.right = (x + side for side in sorted(a for a, _ in corners))
        self.top, self.bottom = (y + side for side in sorted(b for _, b in corners))

    def meets(self, other):
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 1 and down > 1


def problems_of(svg):
    """What is wrong with the text of one file."""
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        return [f"not well-formed: {error}"]
    found = [f"no <{part}>" for part in ("title", "desc") if not (root.findtext(SVG + part) or "").strip()]
    _, _, width, height = (float(word) for word in root.get("viewBox").split())
    if width > WIDEST:
        found.append(f"{width:g} units wide, more than {WIDEST}")
    extents = [Extent(element) for element in root.iter(SVG + "text")]
    for at, extent in enumerate(extents):
        if extent.size < SMALLEST:
            found.append(f"'{extent.words}' has size {extent.size:g}, below {SMALLEST}")
        if extent.left < 0 or extent.top < 0 or extent.right > width or extent.bottom > height:
            found.append(f"'{extent.words}' leaves the picture")
        found += [f"'{extent.words}' and '{other.words}' overlap" for other in extents[:at] if extent.meets(other)]
    return found


def shown(root, pages):
    """For each picture of the pages, by its path from the top folder: the alternative texts it is shown with."""
    alts = {}
    for page in pages:
        for alt, target in markdown.IMAGE.findall(page.read_text(encoding="utf-8")):
            path = (page.parent / target).resolve()
            if path.is_relative_to(root):
                alts.setdefault(path.relative_to(root).as_posix(), []).append((page.relative_to(root).as_posix(), alt))
    return alts


def page_problems(path, alts):
    if path not in alts:
        return [f"{path}: no page shows it"]
    short = [page for page, alt in alts[path] if len(alt) < SHORTEST_ALT]
    return [f"{page}: the alternative text of {path} is too short to say what one sees" for page in short]
