"""The Transformer as a map of the chapters; each lesson shows it with its own chapter lit.

Text flows from left to right: the source along the upper lane, the translation along the lower one. Boxes are links to the lessons where
the picture stands inline in an HTML page; there `data-chapter` names the folder.
"""
from registry import picture
from svg import Picture

CHAPTERS = {"00": "00_foundations", "01": "01_embedding", "02": "02_positional_encoding", "03": "03_attention", "04": "04_masks",
            "05": "05_layer_norm", "06": "06_feed_forward", "07": "07_encoder", "08": "08_decoder", "09": "09_transformer",
            "10": "10_training", "11": "11_translator", "12": "12_ssru"}
WORDS, LAYER = 58, 232  # where the boxes begin; where the two stacks begin
SOURCE, TARGET = 73, 193  # the middle of each lane
TALL = 68  # height of the boxes of a stack
MEMORY = 492  # where the memory goes down
OUTPUT = 570


class Map:
    def __init__(self, data, lit):
        self.lit = lit
        described = f" The boxes of chapter {lit} are lit." if lit else ""
        self.p = Picture(640, 276, "The Transformer, a map of the chapters",
                         "The source runs through embedding, positions and the encoder, the translation through embedding, positions, "
                         "the decoder and the output. The decoder reads the encoder's memory." + described)
        self.source, self.target, self.said = words(data)

    def draw(self):
        self.frames()
        self.words()
        self.box("01", WORDS + 14, 26, 70, 206, ["Embed-", "ding"])
        self.box("02", WORDS + 94, 26, 66, 206, ["Position"])
        self.stack(SOURCE, ["03", "05", "06", "05"])
        self.stack(TARGET, ["12" if self.lit == "12" else "03", "05", "03", "05", "06", "05"])  # the SSRU in the place of self-attention
        self.box("09", OUTPUT, TARGET - TALL / 2, 58, TALL, ["Output"])
        self.bars()
        return self.p

    def frames(self):
        self.frame("09", "09 Transformer", WORDS + 4, 4, 632 - WORDS, 234, end=True)
        self.frame("07", "07 Encoder × L", LAYER - 10, 9, 252, 104)
        self.frame("08", "08 Decoder × L", LAYER - 10, 129, 336, 104)

    def frame(self, number, label, x, y, width, height, end=False):
        lit = number == self.lit

        def draw():
            if lit:
                self.p.rect(x, y, width, height, "lit", "lit", 6, opacity=0.14, stroke=2.5)
            else:
                self.p.rect(x, y, width, height, "none", "rule", 6)
            self.p.text(x + width - 8 if end else x + 8, y + 18, label, "lit" if lit else "soft", 15, lit, anchor="end" if end else "start")
        self.p.link(CHAPTERS[number], draw)

    def words(self):
        for lane, name, column in ((SOURCE, "source", self.source), (TARGET, "target", self.target)):
            for at, word in enumerate(column):
                self.p.text(4, lane + 10 + 19 * (at - 1.5), word, size=15)
            self.p.text(4, lane - 39, name, "soft", 15)
            self.flow(WORDS, WORDS + 14, lane)
            self.flow(WORDS + 84, WORDS + 94, lane)
            self.flow(WORDS + 160, LAYER, lane)
        for at, word in enumerate(self.said):
            self.p.text(OUTPUT + 29, 48 + 19 * at, word, size=15, anchor="middle")
        self.p.arrow([(OUTPUT + 29, TARGET - TALL / 2), (OUTPUT + 29, 118)], "soft", head=6)

    def stack(self, lane, numbers):
        """One layer: attention, norm, feed-forward, norm, with the residual connections above them."""
        x, top = LAYER, lane - TALL / 2
        for at, number in enumerate(numbers):
            width = {"03": 66, "05": 26, "06": 58, "12": 66}[number]
            if number == "05":
                self.residual(before, x + width / 2, lane, top)
            else:
                before = x - 5
            {"03": self.attention, "05": self.norm, "06": self.feed_forward, "12": self.ssru}[number](x, top, width)
            last = at == len(numbers) - 1
            right = OUTPUT if last and lane == TARGET else MEMORY if last else x + width + 10
            self.flow(x + width, right, lane, head=not (last and lane == SOURCE))
            if number == "03" and at == 2:
                self.memory(x + width / 2, top)
            x += width + 10

    def residual(self, before, after, lane, top):
        self.p.arrow([(before, lane), (before, top - 7), (after, top - 7), (after, top)], "soft", 1.2, head=5)

    def memory(self, x, top):
        self.p.arrow([(MEMORY, SOURCE), (MEMORY, 121), (x, 121), (x, top)], "forward", 2, head=7)
        self.p.text(MEMORY + 6, SOURCE + 14, "memory", "forward", 15)

    def attention(self, x, top, width):
        """The upper part is chapter 03, the strip below it chapter 04."""
        self.box("03", x, top, width, TALL - 22, ["Attention"])
        self.box("04", x, top + TALL - 22, width, 22, [], "04 Mask")

    def norm(self, x, top, width):
        self.box("05", x, top, width, TALL, [])
        self.p.text(x + width / 2 + 5, top + TALL - 4, "Norm", self.ink("05"), 15, turn=-90)

    def feed_forward(self, x, top, width):
        self.box("06", x, top, width, TALL, ["Feed-", "forward"])

    def ssru(self, x, top, width):
        self.box("12", x, top, width, TALL, ["SSRU"])

    def bars(self):
        for at, (number, label) in enumerate((("00", "00 Foundations"), ("10", "10 Training"), ("11", "11 Translator"))):
            self.box(number, 4 + at * 213, 244, 206, 28, [], label)

    def ink(self, number):
        return "onlit" if number == self.lit else "ink"

    def box(self, number, x, y, width, height, name, label=None):
        """The chapter's number, bold, above the lines of its name; or the label alone."""
        kind, edge = ("lit", "lit") if number == self.lit else ("tile", "rule")
        lines = [label] if label else [number] + name

        def draw():
            if number == "05":
                self.p.rect(x, y, width, height, kind, edge)
                self.p.text(x + width / 2, y + 15, number, self.ink(number), 15, True, anchor="middle")
            else:
                self.p.box(x, y, width, height, lines, kind, edge, self.ink(number), 15, bold=not label)
        self.p.link(CHAPTERS[number], draw)

    def flow(self, x0, x1, y, head=True):
        if head:
            self.p.arrow([(x0, y), (x1, y)], "soft", head=6)
        else:
            self.p.line([(x0, y), (x1, y)], "soft", 1.6)


def words(data):
    """The source, the decoder's input, and the likeliest next words of the tiny model."""
    lines = data.section("09_transformer", "from memory to logits").split("\n")
    source, target = (line.split(":")[1].split() for line in lines[:2])
    said = [line.split(":")[1].split()[0] for line in data.section("09_transformer", "the three likeliest words").split("\n")]
    return source, target, said


def lesson(number, chapter):
    @picture(f"chapters/{chapter}/pictures/transformer-{number}.svg")
    def draw(data):
        return Map(data, number).draw()


for number_, chapter_ in CHAPTERS.items():
    lesson(number_, chapter_)


@picture("chapters/pictures/transformer.svg")
def all_chapters(data):
    return Map(data, None).draw()
