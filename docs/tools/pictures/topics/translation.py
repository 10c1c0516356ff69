"""Chapter 11: a beam search as a tree, the n-grams of BLEU, subword merges."""
import re

from registry import picture
from svg import Picture, signed

CHAPTER = "11_translator"


class Node:
    """A beginning of a translation: the last word, the sum of its log probabilities, and what became of it."""

    def __init__(self, step, parent, word, total, becomes):
        self.step, self.parent, self.word, self.total, self.becomes = step, parent, word, total, becomes
        self.x = self.y = 0

    def path(self):
        return [self] if self.parent is None else self.parent.path() + [self]


def search_steps(lines):
    """The nodes of each step, best first."""
    steps, root = [], Node(0, None, "<bos>", 0, "open")
    for line in lines:
        step, start, _, total, becomes, word = line.split()
        if len(steps) < int(step):
            before = [node for node in steps[-1] if node.becomes == "open"] if steps else [root]
            steps.append([])
        steps[-1].append(Node(int(step), before[int(start) - 1], word.replace("_", ""), float(total), becomes))
    return root, steps


@picture(f"chapters/{CHAPTER}/search/pictures/beam-as-a-tree.svg")
def beam_as_a_tree(data):
    lines = data.section(CHAPTER, "a beam search of the bundled model").split("\n")
    root, steps = search_steps([line for line in lines if re.match(r" +\d", line)])
    total = float(re.search(r"sum (-[\d.]+)", lines[-3])[1])
    best = next(node for nodes in steps for node in nodes if node.becomes == "finished" and node.total == total)
    rows, top, high, wide, box = len(steps), 104, 82, 125, 120
    p = Picture(640, top + rows * high + 50, "A beam search of the bundled model as a tree",
                "From top to bottom one word more in each row. Three beams go on in each row; the others are dropped.")
    p.text(12, 26, lines[0], bold=True)
    p.text(12, 48, "3 beams; number: sum of the log probabilities", "soft", 15)
    root.x, root.y = 8 + box / 2, top - 32
    for at, nodes in enumerate(steps):
        kept = [node for node in nodes if node.becomes != "dropped"]
        for column, node in enumerate(kept + [node for node in nodes if node.becomes == "dropped"][:5 - len(kept)]):
            node.x, node.y = 8 + column * wide + box / 2, top + at * high + 20
    drawn = [node for nodes in steps for node in nodes if node.x]
    winners, greedy = best.path(), greedy_path(root, drawn)
    for node in sorted(drawn, key=lambda node: node in winners):
        branch(p, node, "forward" if node in winners else "backward" if node in greedy else None)
    p.text(root.x, root.y + 5, root.word, "soft", 15, anchor="middle")
    for node in drawn:
        leaf(p, node, node in winners, box)
    result = lines[-3].split(": ")[1]
    p.text(12, p.height - 16, f"best: {result}", "forward", bold=True)
    p.text(p.width - 12, p.height - 38, "orange: greedy search", "backward", 15, True, anchor="end")
    p.text(p.width - 12, p.height - 16, "grey: dropped; green frame: finished", "soft", 15, anchor="end")
    return p


def greedy_path(root, nodes):
    """The nodes of a search that takes the best word each time."""
    path = [root]
    while True:
        children = [node for node in nodes if node.parent is path[-1]]
        if not children or path[-1].becomes == "finished":
            return path
        path.append(max(children, key=lambda node: node.total))


def branch(p, node, path):
    """The line to a node; those of a path are wide and coloured."""
    start, end = (node.parent.x, node.parent.y + (10 if node.step == 1 else 21)), (node.x, node.y - 21)
    dropped = node.becomes == "dropped"
    p.line([start, end], path or ("rule" if dropped else "ink"), 3 if path else 1.5, dashed=dropped)


def leaf(p, node, wins, wide):
    x, y = node.x - wide / 2, node.y - 21
    if node.becomes == "dropped":
        p.text(node.x, node.y - 4, node.word, "soft", 15, anchor="middle")
        p.text(node.x, node.y + 14, signed(node.total), "soft", 15, anchor="middle")
        return
    edge, stroke = ("third", 2.4) if node.becomes == "finished" else ("soft", 1.2)
    p.rect(x, y, wide, 42, "lit" if wins else "tile", edge, stroke=stroke)
    words = "onlit" if wins else "ink"
    p.text(node.x, node.y - 4, node.word, words, 15 if len(node.word) > 12 else 16, anchor="middle")
    p.text(node.x, node.y + 14, signed(node.total), words, 15, anchor="middle")


@picture(f"chapters/{CHAPTER}/metrics/pictures/bleu-ngrams.svg")
def bleu_ngrams(data):
    lines = data.section(CHAPTER, "n-grams of one pair").split("\n")
    translation, reference = (line.split()[1:] for line in lines[:2])
    found = [[word == "1" for word in line.split(":")[1].split()] for line in lines[2:-1]]
    left, wide, high = 124, 62, 21
    p = Picture(640, 496, "The n-grams of BLEU for one pair of sentences",
                "Below the words of a translation lies a bar for each sequence of one to four words. Filled bars occur in the reference.")
    for y, name, words in ((26, "reference", reference), (56, "translation", translation)):
        p.text(left - 14, y, name, "soft", 15, anchor="end")
        for at, word in enumerate(words):
            same = word in (reference if words is translation else translation)
            p.text(left + at * wide + wide / 2 - 2, y, word, "ink" if same else "backward", 16, True, anchor="middle")
    y = 72
    for n, matches in enumerate(found, 1):
        lanes = min(n, len(matches))
        p.text(left - 14, y + lanes * high / 2 + 6, f"{n} word{'s' if n > 1 else ''}", bold=True, anchor="end")
        for at, match in enumerate(matches):
            top = y + at % lanes * high
            p.rect(left + at * wide + 2, top + 3, n * wide - 8, high - 5, "lit" if match else "tile", None if match else "rule", radius=4)
        p.text(left + 7 * wide + 6, y + lanes * high / 2 + 6, f"{sum(matches)} of {len(matches)}", size=16)
        y += lanes * high + 16
    score = lines[-1].split()[2]
    p.height = y + 34
    p.text(left, y + 12, "filled: the reference has it too", "forward", 15, True)
    p.text(left + 7 * wide - 6, y + 12, f"BLEU {score}", bold=True, anchor="end")
    return p


@picture(f"chapters/{CHAPTER}/data/pictures/subword-merges.svg")
def subword_merges(data):
    lines = data.section(CHAPTER, "subwords, one merge after the other").split("\n")
    counts = re.findall(r"(\w+) (\d+) times", lines[0])
    rows = [[cell.split() for cell in line.split("|")[1:]] for line in lines[1:]]
    widths = [max(len(pieces) for pieces in column) for column in zip(*[[["x"] * len("".join(cell)) for cell in row] for row in rows])]
    unit, gap, left, top, high = 17.8, 12, 84, 70, 52
    p = Picture(640, top + high * len(rows) + 8, "Letters are joined to subwords, one pair at each step",
                "Five words in rows of letters. In each row below, the most frequent pair of neighbours has become one piece.")
    p.text(12, 26, "joined", "soft", 15)
    known = set()
    for at, row in enumerate(rows):
        y = top + at * high
        new = {piece for pieces in row for piece in pieces if len(piece) > 1} - known
        known |= new
        p.text(12, y + 19, *((f"{new.copy().pop()}", "forward") if new else ("letters", "soft")), 16, bool(new))
        x = left
        for (word, times), pieces, width in zip(counts, row, widths):
            if at == 0:
                p.text(x + width * unit / 2 - 1, 26, word, bold=True, anchor="middle")
                p.text(x + width * unit / 2 - 1, 46, f"{times} times", "soft", 15, anchor="middle")
            place = x
            for piece in pieces:
                size = len(piece) * unit
                p.rect(place, y, size - 2, 28, "lit" if piece in new else "tile", None if piece in new else "rule", radius=3)
                p.text(place + size / 2 - 1, y + 19, piece, "onlit" if piece in new else "ink", 15, anchor="middle")
                place += size
            x += width * unit + gap
    return p
