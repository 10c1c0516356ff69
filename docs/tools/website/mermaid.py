"""Mermaid's flow charts, drawn by Graphviz: GitHub draws them in the browser, the site's pages contain them as SVG."""
import html
import re
import shutil
import subprocess

ARROW = re.compile(r"\s*(?:-->|-\.\s*\"([^\"]*)\"\s*\.->)\s*")
NODE = re.compile(r"(\w+)(?:\[\"?(.*?)\"?\])?$")


class Chart:
    def __init__(self, text):
        lines = [line.strip() for line in text.strip().split("\n")]
        head = re.match(r"graph (TD|BT|LR|RL)$", lines[0])
        if not head:
            raise SystemExit(f"the site draws Mermaid's `graph` only, not: {lines[0]}")
        self.direction = head[1].replace("TD", "TB")
        self.labels, self.arrows = {}, []
        for line in lines[1:]:
            self.read(line)

    def read(self, line):
        """a[label] --> b & c"""
        words = ARROW.split(line)  # nodes, label, nodes, label, ...
        groups = [[self.node(name.strip(), line) for name in part.split(" & ")] for part in words[::2]]
        for left, label, right in zip(groups, words[1::2], groups[1:]):
            self.arrows += [(a, b, label) for a in left for b in right]

    def node(self, text, line):
        match = NODE.match(text)
        if not match:
            raise SystemExit(f"the site does not understand this line of a Mermaid graph: {line}")
        if match[2] or match[1] not in self.labels:
            self.labels[match[1]] = match[2] or match[1]
        return match[1]

    def dot(self):
        quoted = lambda text: '"' + text.replace('"', r'\"').replace("<br>", r"\n") + '"'
        lines = [f"rankdir={self.direction}", 'bgcolor=transparent; node [shape=box, style="rounded,filled", fontname=Helvetica, fontsize=15]',
                 "edge [fontname=Helvetica, fontsize=14, arrowsize=0.7]; nodesep=0.25; ranksep=0.4"]
        lines += [f"{name} [label={quoted(label)}]" for name, label in self.labels.items()]
        lines += [f"{a} -> {b}" + (f" [label={quoted(label)}, style=dashed]" if label else "") for a, b, label in self.arrows]
        return "digraph {\n" + "\n".join(lines) + "\n}\n"


def svg(text):
    """The chart as an SVG element without colours of its own: the style sheet has those of class `chart`."""
    if not shutil.which("dot"):
        raise SystemExit("dot is missing: apt-get install graphviz")
    drawn = subprocess.run(["dot", "-Tsvg"], input=Chart(text).dot(), capture_output=True, text=True, check=True).stdout
    drawn = re.sub(r"<!--.*?-->|<title>.*?</title>", "", drawn[drawn.index("<svg"):], flags=re.S)
    drawn = re.sub(r' (?:fill|stroke|id|font-family)="[^"]*"', "", drawn)
    width = float(re.search(r'width="([\d.]+)pt"', drawn)[1])
    size = re.search(r'viewBox="[^"]*"', drawn)[0]
    names = ", ".join(Chart(text).labels.values()).replace("<br>", " ")
    return re.sub(r"<svg[^>]*>", f'<svg class="chart" role="img" aria-label="{html.escape("Diagram of: " + names)}" {size} '
                                 f'style="max-width:{width * 1.2:.0f}px; min-width:{min(width * 0.8, 560):.0f}px">', drawn, count=1)
