"""What the pictures show: numbers that the project's own programs print."""
import html
import re
import subprocess
import tempfile
from pathlib import Path

import lessons

KINDS = {"encoder": "k0", "decoder": "k1", "cross": "k2"}  # classes of the page that `gradus translate --attention` writes
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?$")


class Table:
    """Rows of numbers with a name each, as the demos print them."""

    def __init__(self, names, values):
        self.names, self.values = names, values

    def row(self, name):
        return self.values[self.names.index(name)]


def words(attribute):
    """The pieces of an attribute of the attention page, without the mark of a word's beginning."""
    return [piece.removeprefix("_") for piece in html.unescape(attribute).split("\n")]


def attention_of(page, kind):
    """One kind of attention from that page: words of the rows, words of the columns, {(layer, head): rows of weights}."""
    panel = re.search(rf'class="panel {KINDS[kind]}\b.*?data-rows="(.*?)" data-columns="(.*?)"', page, re.S)
    rows, columns, maps = words(panel[1]), words(panel[2]), {}
    for layer, head, weights in re.findall(r'id="\w+m(\d+)-([1-9]\d*)" data-weights="(\w+)"', panel[0]):
        flat = [int(weights[at:at + 2], 36) / 1000 for at in range(0, len(weights), 2)]
        maps[int(layer), int(head)] = [flat[at:at + len(columns)] for at in range(0, len(flat), len(columns))]
    return rows, columns, maps


class Data:
    def __init__(self, build, root):
        self.build, self.root = Path(build).resolve(), root
        self.demos = lessons.Demos(build, root)
        self.kept = {}

    def section(self, chapter, name):
        """The text that a chapter's demo prints below `== name ==`."""
        return self.demos.section(chapter, name)

    def table(self, chapter, section, title=None):
        """The rows below the line that begins with `title`; without a title those at the top."""
        lines = self.section(chapter, section).split("\n")
        start = -1 if title is None else next((at for at, line in enumerate(lines) if line.startswith(title)), None)
        if start is None:
            raise lessons.Stale(f"demo_{chapter}, section '{section}': no line begins with '{title}'")
        names, values = [], []
        for line in lines[start + 1:]:
            words = line.split()
            if not line.startswith("  ") or not words:
                break
            name = "" if NUMBER.match(words[0]) and line.startswith("    ") else words.pop(0)
            names.append(name)
            values.append([float(word) for word in words])
        return Table(names, values)

    def gradus(self, *arguments):
        """What the program prints."""
        return self.output([self.build / "gradus", *arguments])

    def demo(self, chapter, *arguments):
        """What a chapter's demo prints with these arguments."""
        return self.output([self.build / "chapters" / chapter / f"demo_{chapter}", *arguments])

    def attention(self, sentence, kind):
        """The bundled model's attention on a sentence, as `attention_of` reads it."""
        return attention_of(self.file("attention.html", "translate", sentence, "--attention"), kind)

    def output(self, command):
        key = tuple(str(word) for word in command)
        if not Path(key[0]).is_file():
            raise lessons.Stale(f"no {key[0]} (build it: make test)")
        if key not in self.kept:
            done = subprocess.run(key, cwd=self.root, capture_output=True, text=True, timeout=300)
            if done.returncode != 0:
                raise lessons.Stale(f"{' '.join(key)} failed: {done.stderr.strip()}")
            self.kept[key] = done.stdout
        return self.kept[key]

    def file(self, name, *arguments):
        """What the program writes into the file `name`, the last argument."""
        key = (name, *arguments)
        if key not in self.kept:
            with tempfile.TemporaryDirectory() as folder:
                self.output([self.build / "gradus", *arguments, str(Path(folder) / name)])
                self.kept[key] = (Path(folder) / name).read_text(encoding="utf-8")
        return self.kept[key]
