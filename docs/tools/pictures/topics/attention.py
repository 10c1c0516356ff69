"""Chapter 03: one word's query, keys and values; scores and weights; the shapes of two heads; heads of the bundled model."""
from lessons import Stale
from registry import picture
from svg import FULLEST, SMALLEST, Picture, signed

CHAPTER = "03_attention"
HEAD, WORD = 1, "sleeps"  # of the pictures that show one head, one query
SENTENCE = "A dog runs through the snow."
LAYERS = (1, 4)  # of the bundled model, the first and the last


class Head:
    """Queries, keys, values, scores, weights and outputs of one head, as the demo prints them."""

    def __init__(self, data):
        packed = data.table(CHAPTER, "queries, keys, values", "q | k | v")
        heads = data.section(CHAPTER, "scores").count("scores of head")
        width = len(packed.values[0]) // 3
        part = width // heads
        self.words, self.width = packed.names, part
        first = HEAD * part
        self.q, self.k, self.v = ([row[at * width + first:at * width + first + part] for row in packed.values] for at in range(3))
        self.scores = data.table(CHAPTER, "scores", f"scores of head {HEAD}").values
        self.weights = data.table(CHAPTER, "who looks at whom", f"weights of head {HEAD}").values
        self.output = [row[first:first + part] for row in data.table(CHAPTER, "the output", "y, the heads' outputs").values]


@picture(f"chapters/{CHAPTER}/pictures/one-query.svg")
def one_query(data):
    head = Head(data)
    asks = head.words.index(WORD)
    p = Picture(640, 340, f"What '{WORD}' takes from the sentence, in head {HEAD}",
                f"The query of {WORD} meets the key of every word and gives a score. Softmax makes weights of the scores. "
                "The weights mix the values to the output.")
    cell, top, row = 44, 128, 40
    key, score, weight, value, mixed = 74, 206, 310, 436, 548
    p.text(key, 24, f"query q of {WORD}, head {HEAD}", size=SMALLEST, bold=True)
    p.cells(key, 34, [head.q[asks]], cell, 28, largest=4)
    p.text(score, 44, f"The query meets each key: score = q · k / √{head.width}.", "soft", SMALLEST)
    p.text(score, 64, "Softmax turns the scores into weights that sum to 1.", "soft", SMALLEST)
    for x, title in ((key, "keys k"), (score, "scores"), (weight, "weights p"), (value, "values v"), (mixed, "p × v")):
        p.text(x, top - 14, title, size=SMALLEST, bold=True)
    for at, word in enumerate(head.words):
        y = top + at * row
        p.text(8, y + 19, word, size=SMALLEST, bold=at == asks)
        p.cells(key, y, [head.k[at]], cell, 28, largest=4)
        p.arrow([(key + 2 * cell + 3, y + 13), (score - 4, y + 13)], "soft", head=6)
        p.text(score + 36, y + 19, signed(head.scores[asks][at]), size=SMALLEST, anchor="end")
        p.arrow([(score + 46, y + 13), (weight - 6, y + 13)], "soft", head=6)
        share = head.weights[asks][at]
        p.rect(weight, y + 3, 110, 20, "tile", radius=2)
        p.rect(weight, y + 3, 110 * share, 20, "forward", radius=2, opacity=FULLEST)
        p.text(weight + 106, y + 19, signed(share), size=SMALLEST, anchor="end")
        p.cells(value, y, [head.v[at]], cell, 28, largest=4)
        p.cells(mixed, y, [[share * number for number in head.v[at]]], cell, 28, largest=4)
    bottom = top + len(head.words) * row
    p.line([(mixed, bottom - 2), (mixed + 2 * cell, bottom - 2)], "ink")
    p.text(mixed - 12, bottom + 26, "sum, the output of this head", size=SMALLEST, bold=True, anchor="end")
    p.cells(mixed, bottom + 8, [head.output[asks]], cell, 28, largest=4)
    return p


@picture(f"chapters/{CHAPTER}/pictures/scores-and-weights.svg")
def scores_and_weights(data):
    head = Head(data)
    p = Picture(640, 232, "Scores before and after softmax",
                "At the left scores of any size and sign, at the right weights; each row of weights sums to 1.")
    cell, row, top = 58, 32, 72
    for left, title, numbers in ((70, f"scores of head {HEAD}", head.scores), (376, "weights", head.weights)):
        p.text(left, 22, title, size=SMALLEST, bold=True)
        for at, word in enumerate(head.words):
            p.text(left + (at + 0.5) * cell - 1, top - 12, word, "soft", SMALLEST, anchor="middle")
        p.cells(left, top, numbers, cell, row)
    for at, word in enumerate(head.words):
        p.text(62, top + at * row + 20, word, size=SMALLEST, anchor="end")
    middle = top + 2 * row
    p.arrow([(310, middle + 4), (370, middle + 4)], "ink")
    p.text(340, middle - 8, "softmax", size=SMALLEST, anchor="middle")
    p.text(340, middle + 26, "by row", "soft", SMALLEST, anchor="middle")
    p.text(70, top + 4 * row + 20, "any numbers", "soft", SMALLEST)
    p.text(376, top + 4 * row + 20, "above 0, each row sums to 1", "soft", SMALLEST)
    return p


@picture(f"chapters/{CHAPTER}/pictures/head-shapes.svg")
def head_shapes(data):
    packed = data.table(CHAPTER, "queries, keys, values", "q | k | v").values
    heads = data.section(CHAPTER, "scores").count("scores of head")
    rows, width = len(packed), len(packed[0]) // 3
    p = Picture(640, 290, "Shapes through multi-head attention",
                "The input becomes queries, keys and values. Their columns are split between the heads. Each head makes weights, and "
                "mixes its values. The outputs of the heads stand side by side, and a last linear map follows.")
    Shapes(p, rows, width, heads).draw()
    return p


class Shapes:
    """Matrices as grids with their true number of rows and columns; each head has its colour."""
    UNIT = 10
    COLOURS = ("forward", "third", "backward", "soft")

    def __init__(self, p, rows, width, heads):
        self.p, self.rows, self.width, self.heads, self.part = p, rows, width, heads, width // heads

    def draw(self):
        high, middle = self.rows * self.UNIT, 142
        x = self.named(10, middle, "x", self.rows, [(self.width, "ink")])
        x = self.step(x, middle, "wqkv")
        split = [(self.part, self.COLOURS[head]) for head in range(self.heads)]
        start = x
        for name in "qkv":
            self.p.text(x + self.width * self.UNIT / 2, middle - high / 2 - 8, name, size=SMALLEST, anchor="middle")
            x = self.grid(x, middle, self.rows, split) + 5
        self.p.text((start + x) / 2, middle + high / 2 + 20, f"{self.rows}×{3 * self.width}", "soft", SMALLEST, anchor="middle")
        ends = [self.head(x, middle + (2 * head - self.heads + 1) * 78, middle, self.COLOURS[head]) for head in range(self.heads)]
        x = max(ends) + 26
        for head in range(self.heads):
            y = middle + (2 * head - self.heads + 1) * 78
            self.p.curve(ends[head] + 4, y, x - 3, middle + (head - (self.heads - 1) / 2) * 12, self.COLOURS[head])
        x = self.named(x, middle, "y", self.rows, split)
        x = self.step(x, middle, "wo", 36)
        self.named(x, middle, "f", self.rows, [(self.width, "ink")])

    def head(self, x, y, middle, colour):
        """softmax(q k^T) v of one head; returns the right edge."""
        self.p.text(x + 20, y - 16 if y < middle else y + 26, f"head {self.COLOURS.index(colour)}", colour, SMALLEST, anchor="end")
        self.p.curve(x, middle + (y - middle) / 8, x + 22, y, colour)
        x = self.factor(x + 27, y, self.rows, self.part, colour, "q")
        x = self.factor(x + 14, y, self.part, self.rows, colour, "kᵀ")
        self.p.text(x + 24, y + 22, "max", size=SMALLEST, anchor="middle")
        x = self.step(x + 1, y, "soft-", 46)
        x = self.factor(x, y, self.rows, self.rows, colour, "p")
        x = self.factor(x + 14, y, self.rows, self.part, colour, "v")
        self.p.text(x + 10, y + 6, "=", size=SMALLEST, anchor="middle")
        return self.factor(x + 20, y, self.rows, self.part, colour, "")

    def factor(self, x, y, rows, columns, colour, name):
        width = columns * self.UNIT
        if name:
            self.p.text(x + width / 2, y - self.rows * self.UNIT / 2 - 6, name, colour, SMALLEST, anchor="middle")
        self.p.text(x + width / 2, y + self.rows * self.UNIT / 2 + 18, f"{rows}×{columns}", "soft", SMALLEST, anchor="middle")
        return self.grid(x, y, rows, [(columns, colour)])

    def named(self, x, y, name, rows, parts):
        width, high = sum(columns for columns, _ in parts) * self.UNIT, rows * self.UNIT
        self.p.text(x + width / 2, y - high / 2 - 8, name, size=SMALLEST, anchor="middle")
        self.p.text(x + width / 2, y + high / 2 + 20, f"{rows}×{width // self.UNIT}", "soft", SMALLEST, anchor="middle")
        return self.grid(x, y, rows, parts)

    def grid(self, x, y, rows, parts):
        top = y - rows * self.UNIT / 2
        for columns, colour in parts:
            for at in range(rows * columns):
                row, column = divmod(at, columns)
                place = x + column * self.UNIT, top + row * self.UNIT
                self.p.rect(*place, self.UNIT - 1.4, self.UNIT - 1.4, colour, radius=1.5, opacity=0.75)
            x += columns * self.UNIT
        return x

    def step(self, x, y, name, width=44):
        self.p.arrow([(x + 3, y), (x + width - 4, y)], "ink", head=6)
        self.p.text(x + width / 2, y - 8, name, size=SMALLEST, anchor="middle")
        return x + width


def eight_heads(kind, title, reads, asked):
    @picture(f"chapters/{CHAPTER}/pictures/heads-{kind}.svg")
    def draw(data):
        rows, columns, maps = data.attention(SENTENCE, kind)
        heads = max(head for _, head in maps)
        if any((layer, head) not in maps for layer in LAYERS for head in range(1, heads + 1)):
            raise Stale(f"the bundled model has no layers {LAYERS}")
        cell, left, top = 15.5, 76, 98
        side, high = cell * len(columns), cell * len(rows)
        p = Picture(640, top + 2 * high + 46, title,
                    f"{len(LAYERS) * heads} tables, heads of the first and of the last layer. A row is a word that {reads}, a column is "
                    f"a word {asked}; the fuller a square's colour, the larger the weight.")
        for line, layer in enumerate(LAYERS):
            y = top + line * (high + 36)
            for row, word in enumerate(rows):
                p.text(left - 6, y + (row + 0.5) * cell + 5, word, "soft", SMALLEST, anchor="end")
            for head in range(1, heads + 1):
                x = left + (head - 1) * (side + 16)
                p.text(x + side / 2, y - 9 if line else 22, f"layer {layer}, head {head}", size=SMALLEST, anchor="middle")
                p.shares(x, y, maps[layer, head], cell)
                for column, word in enumerate(columns if line == 0 else []):
                    p.text(x + (column + 0.5) * cell + 5, y - 5, word, "soft", SMALLEST, turn=-90)
        return p


eight_heads("encoder", "Eight heads of the encoder", "looks", "that it looks at")
eight_heads("decoder", "Eight heads of the decoder's self-attention", "the decoder is about to say", "that it has read")
eight_heads("cross", "Eight heads of the decoder's cross-attention", "the decoder is about to say", "of the source")
