"""Data flow through a component, forward and backward, with the shapes of the tiny sentence: chapters 00, 03, 05 to 09."""
from flow import APART, EDGE, Flow, legend, shape
from registry import picture
from svg import SMALLEST, Picture

HIGH = 62  # from the lane of a sublayer up to the lane of the stream, and down to the lane of its gradient


class Sizes:
    """The tiny sentence's sizes, counted in what the demos print."""

    def __init__(self, data):
        x = data.table("05_layer_norm", "the tiny sentence, normalised", "x (N, D)").values
        self.N, self.D = len(x), len(x[0])
        self.F = len(data.table("06_feed_forward", "forward", "z = x w1 + b1").values[0])
        heads = data.section("03_attention", "who looks at whom").count("weights of head")
        self.H, self.Dk = heads, self.D // heads
        memory = data.table("08_decoder", "what comes in", "memory").values
        target = data.table("08_decoder", "what comes in", "x, the embedded decoder input").values
        self.Ns, self.Nt = len(memory), len(target)
        self.target_vocab = len(data.table("09_transformer", "from memory to logits", "logits, transposed").values)
        self.source_vocab = len(data.table("01_embedding", "the sentence as vectors", "source_embedding").values)


def lane(p, x0, x1, y, name, shape_, back=False, at=None):
    """One arrow by itself, its name and shape above it, or below it if it goes backward."""
    kind = "backward" if back else "forward"
    p.arrow([(x1, y), (x0, y)] if back else [(x0, y), (x1, y)], kind, head=6)
    p.text((x0 + x1) / 2 if at is None else at, y + 18 if back else y - 8, f"{name} ({shape_})", kind, SMALLEST, anchor="middle")


@picture("chapters/00_foundations/pictures/linear-flow.svg")
def linear(data):
    x = data.table("00_foundations", "a linear map, forward", "x (N, in)").values
    w = data.table("00_foundations", "a linear map, forward", "w (in, out)").values
    n, inner, outer = len(x), len(w), len(w[0])
    p = Picture(582, 254, "A linear map, forward and backward",
                "The input is multiplied with w, then b is added. Backward, dy goes through the same two boxes from right to left.")
    flow = Flow(p, 24, 86)
    flow.arrow("x", shape(n, inner), 84)
    product = flow.box(["product"], 126, "u = x w", "dx = du wᵀ")
    flow.arrow("u", shape(n, outer), 84)
    bias = flow.box(["add to each row"], 146, "y = u + b", "du = dy")
    flow.arrow("y", shape(n, outer), 84)
    flow.takes(product, f"w ({shape(inner, outer)})")
    flow.takes(bias, f"b ({outer})")
    flow.gives(product, f"dw += xᵀ du ({shape(inner, outer)})")
    flow.gives(bias, f"db += sum of rows of dy ({outer})")
    legend(p, 238)
    return p


@picture("chapters/06_feed_forward/pictures/feed-forward-flow.svg")
def feed_forward(data):
    z = Sizes(data)
    thin, wide = shape(z.N, z.D), shape(z.N, z.F)
    p = Picture(640, 290, "The feed-forward network, forward and backward",
                "A linear map to a wider matrix, ReLU, and a linear map back. The gradients pass the same boxes from right to left.")
    flow = Flow(p, 12, 104)
    flow.arrow("x", thin, 56)
    inner = flow.box(["linear"], 122, "x w1 + b1", "dx = dz w1ᵀ")
    flow.arrow("z", wide, 56)
    flow.box(["ReLU"], 88, "max(0, z)", "dh · [z > 0]")
    flow.arrow("h", wide, 56)
    outer = flow.box(["linear"], 122, "h w2 + b2", "dh = dy w2ᵀ")
    flow.arrow("y", thin, 56)
    flow.takes(inner, f"w1 ({shape(z.D, z.F)})", f"b1 ({z.F})")
    flow.takes(outer, f"w2 ({shape(z.F, z.D)})", f"b2 ({z.D})")
    flow.gives(inner, "dw1 += xᵀ dz", "db1 += sum of rows of dz")
    flow.gives(outer, "dw2 += hᵀ dy", "db2 += sum of rows of dy")
    legend(p, 274)
    return p


@picture("chapters/05_layer_norm/pictures/add-norm-flow.svg")
def add_norm(data):
    z = Sizes(data)
    size = shape(z.N, z.D)
    p = Picture(640, 304, "Add and norm, forward and backward",
                "A sublayer's output f passes dropout and is added to the stream x. The sum s goes on as the stream, and through a "
                "layer norm. Backward, the gradients of both readers of s add up.")
    flow = Flow(p, 12, 120)
    top, bottom = flow.y - HIGH, flow.y + APART + HIGH
    flow.arrow("f", size, 54)
    flow.box(["dropout"], 100, "m ⊙ f", "df = m ⊙ dx")
    flow.arrow("m ⊙ f", size, 60, back="dx")
    left = flow.x
    flow.box(["add"], 136, "s = x + m ⊙ f", "dx = ds + back(dn)", up=HIGH - 4, down=HIGH - 4)
    right = flow.x
    flow.arrow("s", size, 68, back="back(dn)")
    flow.box(["layer norm"], 108, f"γ, β ({z.D})", f"dγ, dβ ({z.D})")
    flow.arrow("n", size, 54, until=628 - flow.x - 54)
    lane(p, 12, left, top, "x", size)
    lane(p, 12, left, bottom, "dx", size, back=True)
    lane(p, right, 628, top, "s", size)
    lane(p, right, 628, bottom, "ds", size, back=True)
    p.text(18, top - 22, "the stream", "soft", SMALLEST)
    legend(p, 288)
    return p


@picture("chapters/03_attention/pictures/attention-flow.svg")
def attention(data):
    z = Sizes(data)
    size, scores = shape(z.N, z.D), shape(z.H, z.N, z.N)
    p = Picture(640, 352, "Multi-head self-attention, forward and backward",
                "A linear map makes queries, keys and values. Scores, softmax and the weighted sum of the values follow, then a linear "
                "map. Values go round the scores. Gradients go the same ways back.")
    flow = Flow(p, 10, 120)
    top, bottom = flow.y - HIGH, flow.y + APART + HIGH
    tall = {"up": HIGH - 4, "down": HIGH - 4}
    flow.arrow("x", size, 42)
    flow.box(["linear", "wqkv", shape(z.D, 3 * z.D)], 62, **tall)
    left = flow.x
    flow.arrow("q, k", size, 52, back="dq, dk")
    flow.box(["scores"], 76, "q kᵀ/√Dk")
    flow.arrow("s", scores, 52)
    flow.box(["softmax"], 76, "of rows")
    flow.arrow("p", scores, 52)
    right = flow.x
    flow.box(["mix"], 50, "p v", **tall)
    flow.arrow("y", size, 62)
    flow.box(["linear", "wo", shape(z.D, z.D)], 54)
    flow.arrow("f", size, 42)
    lane(p, left, right, top, "v", size)
    lane(p, left, right, bottom, "dv", size, back=True)
    p.text(10, 308, f"{z.H} heads of {z.Dk} columns: q, k, v and y are {size}, {z.Dk} columns for each head.", "soft", SMALLEST)
    legend(p, 334)
    return p


class Layer:
    """Sublayers with add & norm behind each, along the stream of a pre-norm stack."""

    def __init__(self, p, y, size, step):
        self.p, self.flow, self.size, self.step = p, Flow(p, 10, y), size, step
        self.top, self.bottom, self.stream, self.name = y - HIGH, y + APART + HIGH, 10, "x"

    def sublayer(self, lines, width, reads, parameters=("", "")):
        self.flow.arrow(reads, self.size, self.step)
        middle = self.flow.box(lines, width, *parameters)
        self.flow.arrow("f", self.size, self.step)
        return middle

    def add_norm(self, width, at=None):
        """`at`: where the labels of the stream stand, if not in the middle."""
        self.road(self.flow.x, at)
        self.flow.box(["add", "&", "norm"], width, up=HIGH - 4, down=HIGH - 4)
        self.stream, self.name = self.flow.x, "s"

    def road(self, until, at=None):
        lane(self.p, self.stream, until, self.top, self.name, self.size, at=at)
        lane(self.p, self.stream, until, self.bottom, "d" + self.name, self.size, back=True, at=at)

    def end(self):
        self.flow.arrow("n", self.size, self.step + 26)
        self.road(self.flow.x)


@picture("chapters/07_encoder/pictures/encoder-layer-flow.svg")
def encoder_layer(data):
    z = Sizes(data)
    p = Picture(576, 316, "A layer of the encoder, forward and backward",
                "Self-attention, add and norm, feed-forward, add and norm. The stream runs above them, its gradient below them.")
    layer = Layer(p, 124, shape(z.N, z.D), 46)
    layer.sublayer(["self-", "attention"], 84, "u")
    layer.add_norm(60)
    layer.sublayer(["feed-", "forward"], 84, "n")
    layer.add_norm(60)
    layer.end()
    p.text(10, layer.top - 26, "the stream", "soft", SMALLEST)
    legend(p, 300)
    return p


@picture("chapters/08_decoder/pictures/decoder-layer-flow.svg")
def decoder_layer(data):
    z = Sizes(data)
    p = Picture(640, 352, "A layer of the decoder, forward and backward",
                "Causal self-attention, cross-attention and feed-forward, each with add and norm behind it. Cross-attention also reads the "
                "encoder's memory, and gives back its gradient. The stream runs above, its gradient below.")
    layer = Layer(p, 134, shape(z.Nt, z.D), 38)
    layer.sublayer(["causal", "self-", "attention"], 68, "u")
    layer.add_norm(44)
    middle = layer.sublayer(["cross-", "attention"], 68, "n")
    layer.add_norm(44, at=middle - 36)
    layer.sublayer(["feed-", "forward"], 58, "n")
    layer.add_norm(44)
    layer.end()
    y, memory = layer.flow.y, shape(z.Ns, z.D)
    p.arrow([(middle, 26), (middle, y - EDGE)], "forward", head=6)
    p.text(middle, 20, f"memory ({memory})", "forward", SMALLEST, anchor="middle")
    p.arrow([(middle, y + APART + EDGE), (middle, 292)], "backward", head=6)
    p.text(middle, 308, f"dM += … ({memory})", "backward", SMALLEST, anchor="middle")
    p.text(10, layer.top - 26, "the stream", "soft", SMALLEST)
    legend(p, 336)
    return p


@picture("chapters/09_transformer/pictures/transformer-flow.svg")
def transformer(data):
    z = Sizes(data)
    p = Picture(616, 322, "The whole model, forward and backward",
                "Source ids become vectors, and the encoder makes the memory of them. Target ids become vectors; the decoder reads them "
                "and the memory; the output map makes logits. Gradients go the same ways back, as far as the two tables.")
    low = 186
    source, target = Flow(p, 6, 50), Flow(p, 6, low)
    source.arrow("source", str(z.Ns), 52, back="")
    source.box(["embed"], 88, f"Ws ({shape(z.source_vocab, z.D)})", "dWs += …")
    source.arrow("x", shape(z.Ns, z.D), 44)
    source.box(["encoder"], 76)
    source.arrow("memory", shape(z.Ns, z.D), 60, back="dM")
    target.arrow("target", str(z.Nt), 52, back="")
    target.box(["embed"], 88, f"Wt ({shape(z.target_vocab, z.D)})", "dWt += …")
    target.arrow("x", shape(z.Nt, z.D), 44, until=136)
    target.box(["decoder"], 76, up=low - 50)
    target.arrow("x", shape(z.Nt, z.D), 44)
    target.box(["output"], 88, f"Wo ({shape(z.target_vocab, z.D)})", "dWo += …")
    target.arrow("logits", shape(z.Nt, z.target_vocab), 62, back="dz")
    legend(p, 306)
    return p
