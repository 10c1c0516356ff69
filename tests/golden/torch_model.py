"""A separate implementation of the Transformer in PyTorch: the golden values of chapters 07 to 10.

Written from the formulas of the papers, with nothing of torch.nn but matrix products, and run in float64. It shares the
project's conventions (names of parameters, packed q | k | v, sentences as rows without padding) and none of its code. All
functions take `t`, a dictionary from a parameter's name to its tensor.
"""

import math

import torch

from golden import dropout_mask, normal
from make_12_ssru import unit

# Where in a layer units are dropped: site = 16 x layer + place.
SOURCE_EMBEDDING, TARGET_EMBEDDING, SELF_WEIGHTS, AFTER_SELF, CROSS_WEIGHTS, AFTER_CROSS, AFTER_ACTIVATION, AFTER_FFN = range(8)


class Rates:
    """Dropout rates and the state of the step; rates of 0 switch dropout off."""

    def __init__(self, embedding=0.0, attention=0.0, activation=0.0, residual=0.0, seed=20170612, step=3,
                 source_row=5, target_row=11):
        self.embedding, self.attention, self.activation, self.residual = embedding, attention, activation, residual
        self.state = {"seed": seed, "step": step}
        self.first_row = {"source": source_row, "target": target_row}

    def drop(self, x, rate, site, side, row=0, heads=1, head=0):
        """dropout(x), whose first row is row `row` of the micro-batch."""
        if rate == 0:
            return x
        return x * dropout_mask(*x.shape, rate, site, self.first_row[side] + row, heads=heads, head=head, **self.state)


class Stack:
    """The common settings of all layers of a stack. ssru: a decoder has an SSRU in the place of its self-attention."""

    def __init__(self, layers, heads, norm, side, first_layer, rates, gelu=False, ssru=False):
        self.layers, self.heads, self.norm, self.side, self.first_layer = layers, heads, norm, side, first_layer
        self.rates, self.gelu, self.ssru = rates, gelu, ssru

    def site(self, layer, place):
        return 16 * (self.first_layer + layer) + place

    def stream(self, s, n):
        """The residual stream after a sublayer."""
        return s if self.norm == "pre" else n


def segments(lengths):
    """(first row, rows) of sentences that are packed one after the other."""
    begin, result = 0, []
    for n in lengths:
        result.append((begin, n))
        begin += n
    return result


def layer_norm(t, name, x):
    """Ba, Kiros, Hinton 2016; the variance is the biased one."""
    mean = x.mean(1, keepdim=True)
    variance = ((x - mean) ** 2).mean(1, keepdim=True)
    return t[name + ".gamma"] * (x - mean) / torch.sqrt(variance + 1e-5) + t[name + ".beta"]


def attend(q, k, v, queries, keys, causal, stack, layer, place):
    """Vaswani et al. 2017, equation 1, for each head and sentence; 0 where there is nothing to attend to."""
    heads, width = stack.heads, q.shape[1] // stack.heads
    rows = []
    for (qb, qn), (kb, kn) in zip(queries, keys):
        parts = []
        for h in range(heads):
            columns = slice(h * width, (h + 1) * width)
            if qn == 0 or kn == 0:
                parts.append(q.new_zeros(qn, width))
                continue
            scores = q[qb:qb + qn, columns] @ k[kb:kb + kn, columns].T / math.sqrt(width)
            if causal:
                scores = scores.masked_fill(torch.ones(qn, kn).triu(kn - qn + 1).bool(), -math.inf)
            weights = stack.rates.drop(torch.softmax(scores, 1), stack.rates.attention, stack.site(layer, place),
                                       stack.side, qb, heads, h)
            parts.append(weights @ v[kb:kb + kn, columns])
        rows.append(torch.cat(parts, 1))
    used = sum(n for _, n in queries)
    return torch.cat(rows + [q.new_zeros(q.shape[0] - used, q.shape[1])])


def bias(t, name):
    return t.get(name, 0)


def self_attention(t, name, x, sentences, causal, stack, layer):
    D = x.shape[1]
    q, k, v = (x @ t[name + ".wqkv"] + bias(t, name + ".bqkv")).split(D, 1)
    heads = attend(q, k, v, sentences, sentences, causal, stack, layer, SELF_WEIGHTS)
    return heads @ t[name + ".wo"] + bias(t, name + ".bo")


def cross_attention(t, name, x, memory, targets, sources, stack, layer):
    D = x.shape[1]
    wq, wk, wv = t[name + ".wqkv"].split(D, 1)
    bq, bk, bv = t[name + ".bqkv"].split(D) if name + ".bqkv" in t else (0, 0, 0)
    heads = attend(x @ wq + bq, memory @ wk + bk, memory @ wv + bv, targets, sources, False, stack, layer, CROSS_WEIGHTS)
    return heads @ t[name + ".wo"] + bias(t, name + ".bo")


def feed_forward(t, name, x, stack, layer):
    z = x @ t[name + ".inner.w"] + t[name + ".inner.b"]
    h = z * (1 + torch.erf(z / math.sqrt(2))) / 2 if stack.gelu else torch.clamp(z, min=0)
    h = stack.rates.drop(h, stack.rates.activation, stack.site(layer, AFTER_ACTIVATION), stack.side)
    return h @ t[name + ".outer.w"] + t[name + ".outer.b"]


def sublayer(t, norm_name, x, found, stack, layer, place):
    """(s, n): the stream plus the sublayer's output, and its norm."""
    s = x + stack.rates.drop(found, stack.rates.residual, stack.site(layer, place), stack.side)
    return s, layer_norm(t, norm_name, s)


def encoder_layer(t, name, x, u, sentences, stack, layer):
    """(s, n) of the layer's last sublayer. x is the stream, u the input of the first sublayer."""
    found = self_attention(t, name + ".self_attention", u, sentences, False, stack, layer)
    s, n = sublayer(t, name + ".self_attention_norm", x, found, stack, layer, AFTER_SELF)
    found = feed_forward(t, name + ".feed_forward", n, stack, layer)
    return sublayer(t, name + ".feed_forward_norm", stack.stream(s, n), found, stack, layer, AFTER_FFN)


def ssru(t, name, x, sentences):
    """Kim et al. 2019."""
    return unit(x @ t[name + ".input.w"], x @ t[name + ".forget.w"] + t[name + ".forget.b"], [n for _, n in sentences])["h"]


def decoder_layer(t, name, x, u, memory, targets, sources, stack, layer):
    own = name + (".ssru" if stack.ssru else ".self_attention")
    found = ssru(t, own, u, targets) if stack.ssru else self_attention(t, own, u, targets, True, stack, layer)
    s, n = sublayer(t, own + "_norm", x, found, stack, layer, AFTER_SELF)
    found = cross_attention(t, name + ".cross_attention", n, memory, targets, sources, stack, layer)
    s, n = sublayer(t, name + ".cross_attention_norm", stack.stream(s, n), found, stack, layer, AFTER_CROSS)
    found = feed_forward(t, name + ".feed_forward", n, stack, layer)
    return sublayer(t, name + ".feed_forward_norm", stack.stream(s, n), found, stack, layer, AFTER_FFN)


def run_stack(t, name, x, stack, layer_function):
    u = layer_norm(t, name + ".first_norm", x) if stack.norm == "pre" else x
    for layer in range(stack.layers):
        s, n = layer_function(f"{name}.{layer}", x, u, layer)
        x, u = stack.stream(s, n), n
    return u


def encoder(t, x, sentences, stack):
    return run_stack(t, "encoder", x, stack,
                     lambda name, x, u, layer: encoder_layer(t, name, x, u, sentences, stack, layer))


def decoder(t, x, memory, targets, sources, stack):
    return run_stack(t, "decoder", x, stack,
                     lambda name, x, u, layer: decoder_layer(t, name, x, u, memory, targets, sources, stack, layer))


def sinusoids(longest, D):
    """Vaswani et al. 2017, section 3.5."""
    table = torch.zeros(longest, D)
    for p in range(longest):
        for i in range(D // 2):
            angle = p / 10000 ** (2 * i / D)
            table[p, 2 * i], table[p, 2 * i + 1] = math.sin(angle), math.cos(angle)
    return table


class Transformer:
    """The whole model. tying: "none", "output" or "all"; bias, of the attentions: "none", "output" (W_O) or "all"."""

    def __init__(self, d_model, heads, ffn, source_vocab, target_vocab, encoder_layers, decoder_layers, norm,
                 tying="none", bias="none", gelu=False, rates=None, scale=True, output_bias=False, ssru=False):
        self.D, self.F, self.tying, self.bias, self.norm = d_model, ffn, tying, bias, norm
        self.output_bias = output_bias
        self.source_vocab, self.target_vocab = source_vocab, target_vocab
        self.rates = rates or Rates()
        self.scale = math.sqrt(d_model) if scale else 1.0
        self.encoder = Stack(encoder_layers, heads, norm, "source", 1, self.rates, gelu)
        self.decoder = Stack(decoder_layers, heads, norm, "target", 1 + encoder_layers, self.rates, gelu, ssru)

    def shapes(self):
        """Name and shape of every parameter."""
        result = {"source_embedding": (self.source_vocab, self.D)}
        if self.tying != "all":
            result["target_embedding"] = (self.target_vocab, self.D)
        if self.tying == "none":
            result["output"] = (self.target_vocab, self.D)
        if self.output_bias:
            result["output_bias"] = (self.target_vocab,)
        for side, stack in ("encoder", self.encoder), ("decoder", self.decoder):
            result.update(stack_shapes(side, stack, self.D, self.F, self.bias))
        return result

    def output_table(self, t):
        return t[{"none": "output", "output": "target_embedding", "all": "source_embedding"}[self.tying]]

    def embed(self, table, ids, lengths, site, side):
        """Word, times sqrt(D) unless `scale` is off, plus position; id 0 is padding and a vector of zeros."""
        x = torch.where((ids == 0)[:, None], torch.zeros(()), table[ids] * self.scale)
        positions = sinusoids(max([*lengths, 1]), self.D)
        x = x + torch.cat([positions[:n] for n in lengths] + [torch.zeros(len(ids) - sum(lengths), self.D)])
        return self.rates.drop(x, self.rates.embedding, site, side)

    def forward(self, t, source, source_lengths, decoder_input, target_lengths):
        """The decoder's output, one row a token."""
        sources, targets = segments(source_lengths), segments(target_lengths)
        x = self.embed(t["source_embedding"], source, source_lengths, SOURCE_EMBEDDING, "source")
        memory = encoder(t, x, sources, self.encoder)
        table = t["source_embedding" if self.tying == "all" else "target_embedding"]
        y = self.embed(table, decoder_input, target_lengths, TARGET_EMBEDDING, "target")
        return decoder(t, y, memory, targets, sources, self.decoder)

    def logits(self, t, *batch):
        return self.forward(t, *batch) @ self.output_table(t).T + bias(t, "output_bias")


def parameters(shapes):
    """Random values for all of `shapes`."""
    return {name: normal(*shape) for name, shape in shapes.items()}


def stack_shapes(name, stack, D, F, bias="none"):
    result = {}

    def norm(which):
        result[which + ".gamma"], result[which + ".beta"] = (D,), (D,)
    if stack.norm == "pre":
        norm(name + ".first_norm")
    for layer in range(stack.layers):
        result.update(layer_shapes(f"{name}.{layer}", name == "decoder", D, F, bias, stack.ssru))
    return result


def layer_shapes(name, is_decoder, D, F, bias="none", ssru=False):
    result = {}
    if ssru:
        result[f"{name}.ssru.input.w"], result[f"{name}.ssru.forget.w"], result[f"{name}.ssru.forget.b"] = (D, D), (D, D), (D,)
    for attention in ["self_attention"] * (not ssru) + ["cross_attention"] * is_decoder:
        result[f"{name}.{attention}.wqkv"], result[f"{name}.{attention}.wo"] = (D, 3 * D), (D, D)
        if bias == "all":
            result[f"{name}.{attention}.bqkv"] = (3 * D,)
        if bias != "none":
            result[f"{name}.{attention}.bo"] = (D,)
    result[f"{name}.feed_forward.inner.w"], result[f"{name}.feed_forward.inner.b"] = (D, F), (F,)
    result[f"{name}.feed_forward.outer.w"], result[f"{name}.feed_forward.outer.b"] = (F, D), (D,)
    for sub in ["ssru" if ssru else "self_attention"] + ["cross_attention"] * is_decoder + ["feed_forward"]:
        result[f"{name}.{sub}_norm.gamma"], result[f"{name}.{sub}_norm.beta"] = (D,), (D,)
    return result
