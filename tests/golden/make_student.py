#!/usr/bin/env python3
"""Golden values of `gradus import` for models in Marian's own files: tiny and random, and their logits, by formulas in numpy.

Needs numpy, torch (to write), sentencepiece. Writes for each model the folder import_student_NAME with model.NAME.bin or model.npz, a
vocabulary and expected.safetensors: ids of a batch (-1 fills), and the logits that follow from them, in double.

    ssru      model.ssru.bin    int8 matrices with the scales of activations, an SSRU in the decoder
    self      model.self.bin    float matrices, self-attention in the decoder
    npz       model.npz         the same weights, deflated
    pre       model.npz         pre-norm, swish, self-attention; one table under the names of early options; vectors of one axis, in F64
    tables    model.npz         pre-norm, relu, an SSRU; three tables; F16
"""

import dataclasses
import pathlib
import shutil
import struct

import numpy as np
import sentencepiece
import torch

from golden import write

TOP = pathlib.Path(__file__).parent
TOY = TOP.parent.parent / "chapters" / "11_translator" / "toy"
FLOAT, INT8, TEXT = 0x404, 0x4101, 0x101
TIED = "tied-embeddings-all: true"
D, F, HEADS, ENCODER, DECODER = 16, 24, 2, 2, 2

CONFIGURATION = """\
bert-train-type-embeddings: true
bert-type-vocab-size: 2
dec-cell: ssru
dec-cell-base-depth: 2
dec-depth: {decoder}
dim-emb: {D}
dim-rnn: 1024
dim-vocabs:
  - {words}
  - {words}
enc-depth: {encoder}
input-types: []
layer-normalization: false
{tying}
transformer-decoder-autoreg: {unit}
transformer-dim-ffn: {F}
transformer-ffn-activation: {activation}
transformer-ffn-depth: 2
transformer-heads: {heads}
transformer-postprocess: {after}
transformer-postprocess-emb: d
transformer-postprocess-top: {top}
transformer-preprocess: {before}
transformer-tied-layers: []
transformer-train-position-embeddings: false
type: transformer
version: v1.9.56 94aeaa46 2021-04-28 00:28:35 +0100
"""


@dataclasses.dataclass
class Kind:
    """What a model has beside its sizes."""
    name: str
    seed: int
    unit: str = "self-attention"
    int8: bool = False
    pre: bool = False  # normalises before the sublayers
    activation: str = "relu"
    tables: str = TIED  # the fields about them

    def configuration(self, words):
        before, after, top = ("n", "da", "n") if self.pre else ('""', "dan", '""')
        return CONFIGURATION.format(
            D=D, F=F, words=words, heads=HEADS, encoder=ENCODER, decoder=DECODER, unit=self.unit, tying=self.tables, activation=self.activation,
            before=before, after=after, top=top)

    def names_of_tables(self):
        """Of the source, the target and the output."""
        return ("Wemb",) * 3 if "true" in self.tables else ("encoder_Wemb", "decoder_Wemb", "decoder_ff_logit_out_Wt")


def learn_pieces(path):
    """</s> is piece 0 and <unk> is piece 1, as Marian has it."""
    sentencepiece.SentencePieceTrainer.train(
        input=[str(TOY / "train.en"), str(TOY / "train.de")], model_prefix=str(path.with_suffix("")), model_type="unigram", vocab_size=150, normalization_rule_name="identity",
        eos_id=0, unk_id=1, bos_id=-1, pad_id=-1, minloglevel=2, num_threads=1, character_coverage=1.0)
    path.with_suffix(".model").rename(path)
    path.with_suffix(".vocab").unlink()
    return len(sentencepiece.SentencePieceProcessor(model_file=str(path)))


def matrix_names(words, kind):
    """Names and shapes of all parameters."""
    square, bias = (D, D), (1, D)
    names = {name: (words, D) for name in kind.names_of_tables()}
    names["decoder_ff_logit_out_b"] = (1, words)

    def norm(before, after):
        name, place = (before, "_pre") if kind.pre else (after, "")
        names.update({f"{name}_ln_scale{place}": bias, f"{name}_ln_bias{place}": bias})

    def attention(name):
        for part in "qkvo":
            names.update({f"{name}_W{part}": square, f"{name}_b{part}": bias})
        norm(f"{name}_Wo", f"{name}_Wo")

    def feed_forward(name):
        names.update({f"{name}_W1": (D, F), f"{name}_b1": (1, F), f"{name}_W2": (F, D), f"{name}_b2": bias})
        norm(f"{name}_ffn", f"{name}_ffn")

    for layer in range(1, ENCODER + 1):
        attention(f"encoder_l{layer}_self")
        feed_forward(f"encoder_l{layer}_ffn")
    for layer in range(1, DECODER + 1):
        if kind.unit == "rnn":
            names.update({f"decoder_l{layer}_rnn_W": square, f"decoder_l{layer}_rnn_Wf": square, f"decoder_l{layer}_rnn_bf": bias})
            norm(f"decoder_l{layer}_rnn", f"decoder_l{layer}_rnn_ffn")
        else:
            attention(f"decoder_l{layer}_self")
        attention(f"decoder_l{layer}_context")
        feed_forward(f"decoder_l{layer}_ffn")
    if kind.pre:
        names.update({f"{stack}_top_ln_{part}": bias for stack in ("encoder", "decoder") for part in ("scale", "bias")})
    return names


def random_tensors(draw, words, kind):
    """For each name the type, the shape, the bytes and the values that they stand for."""
    tensors = {}
    for name, shape in matrix_names(words, kind).items():
        center, size = (1, 0.3) if "_ln_scale" in name else (0, 0.3) if 1 in shape else (0, shape[-1] ** -0.5)
        values = (center + size * draw.standard_normal(shape)).astype(np.float32)
        if kind.int8 and 1 not in shape:
            divisor = np.float32(127 / np.abs(values).max())
            q = np.rint(values * divisor).astype(np.int8)
            stored = q if name == "Wemb" else q.T
            tensors[name] = (INT8, shape, stored.tobytes() + divisor.tobytes(), q.astype(np.float64) / np.float64(divisor))
            tensors[f"{name}_QuantMultA"] = (FLOAT, (1, 1), np.float32(1).tobytes(), None)
        else:
            tensors[name] = (FLOAT, shape, values.tobytes(), values.astype(np.float64))
    return dict(sorted(tensors.items()))


def write_binary(path, tensors, text):
    """Data of whole 256 bytes each; that of the text at the end needs none."""
    rows = [(name.encode() + b"\0", kind, shape, data + bytes(-len(data) % 256)) for name, (kind, shape, data, _) in tensors.items()]
    rows.append((b"special:model.yml\0", TEXT, (len(text) + 1,), text.encode() + b"\0"))
    out = struct.pack("<QQ", 1, len(rows))
    out += b"".join(struct.pack("<QQQQ", len(name), kind, len(shape), len(data)) for name, kind, shape, data in rows)
    out += b"".join(name for name, *_ in rows) + b"".join(struct.pack(f"<{len(shape)}i", *shape) for _, _, shape, _ in rows)
    gap = -(len(out) + 8) % 256
    path.write_bytes(out + struct.pack("<Q", gap) + bytes(gap) + b"".join(data for *_, data in rows))


def write_npz(path, tensors, text, save):
    save(path, **tensors, **{"special:model.yml": np.frombuffer(text.encode() + b"\0", np.int8)})


def norm(x, w, name, place=""):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-6) * w[f"{name}_ln_scale{place}"] + w[f"{name}_ln_bias{place}"]


def sublayer(w, pre, before, after, x, f):
    """f with a skip connection, and a norm of that name before it or after it."""
    return x + f(norm(x, w, before, "_pre")) if pre else norm(x + f(x), w, after)


def positions(count):
    """Sines in the first half of the columns, cosines in the second; the exponent reaches 1."""
    angle = np.arange(count)[:, None] * 10000.0 ** (-np.arange(D // 2) / (D // 2 - 1))
    return np.concatenate([np.sin(angle), np.cos(angle)], 1)


def attention(w, name, x, memory, causal=False):
    heads = lambda y: y.reshape(len(y), HEADS, -1).transpose(1, 0, 2)
    q, k, v = (heads(rows @ w[f"{name}_W{part}"] + w[f"{name}_b{part}"]) for part, rows in (("q", x), ("k", memory), ("v", memory)))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(D // HEADS)
    if causal:
        scores = np.where(np.tri(len(x)), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    out = (weights / weights.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(x), D)
    return out @ w[f"{name}_Wo"] + w[f"{name}_bo"]


def feed_forward(w, name, x, activation):
    inner = x @ w[f"{name}_W1"] + w[f"{name}_b1"]
    inner = inner / (1 + np.exp(-inner)) if activation == "swish" else np.maximum(inner, 0)
    return inner @ w[f"{name}_W2"] + w[f"{name}_b2"]


def ssru(w, name, x):
    state, out = np.zeros(D), np.empty_like(x)
    for t, row in enumerate(x):
        f = 1 / (1 + np.exp(-(row @ w[f"{name}_Wf"] + w[f"{name}_bf"][0])))
        state = f * state + (1 - f) * (row @ w[f"{name}_W"])
        out[t] = np.maximum(state, 0)
    return out


def layers(w, kind, stack, count, x, memory=None):
    """A stack; with a memory it is the decoder's."""
    def add(name, end, f, before=None):
        return sublayer(w, kind.pre, before or f"{name}_{end}", f"{name}_{end}", x, f)

    for layer in range(1, count + 1):
        name = f"{stack}_l{layer}"
        if memory is None or kind.unit != "rnn":
            x = add(f"{name}_self", "Wo", lambda y: attention(w, f"{name}_self", y, y, causal=memory is not None))
        else:
            x = add(f"{name}_rnn", "ffn", lambda y: ssru(w, f"{name}_rnn", y), before=f"{name}_rnn")
        if memory is not None:
            x = add(f"{name}_context", "Wo", lambda y: attention(w, f"{name}_context", y, memory))
        x = add(f"{name}_ffn", "ffn", lambda y: feed_forward(w, f"{name}_ffn", y, kind.activation))
    return norm(x, w, f"{stack}_top") if kind.pre else x


def logits(w, kind, source, target):
    """Of each target word, from the words before it; the first has the vector 0 before it."""
    source_table, target_table, output_table = (w[name] for name in kind.names_of_tables())
    x = layers(w, kind, "encoder", ENCODER, source_table[source] * np.sqrt(D) + positions(len(source)))
    y = np.concatenate([np.zeros((1, D)), target_table[target[:-1]]]) * np.sqrt(D) + positions(len(target))
    return layers(w, kind, "decoder", DECODER, y, x) @ output_table.T + w["decoder_ff_logit_out_b"]


def folder_of(kind):
    folder = TOP / f"import_student_{kind.name}"
    folder.mkdir(exist_ok=True)
    return folder


def write_expected(kind, draw, words, w):
    sides = {side: [np.append(draw.integers(1, words, n), 0) for n in lengths] for side, lengths in (("source", (5, 1, 9)), ("labels", (7, 3, 1)))}
    out = np.zeros((3, 8, words))
    for row, (source, target) in enumerate(zip(sides["source"], sides["labels"])):
        out[row, :len(target)] = logits(w, kind, source, target)
    padded = {side: torch.tensor([[*row, *[-1] * (max(map(len, rows)) - len(row))] for row in rows]) for side, rows in sides.items()}
    write(folder_of(kind) / "expected.safetensors", {**padded, "logits": torch.from_numpy(out)})


def make_binary(kind):
    folder = folder_of(kind)
    words = learn_pieces(folder / f"vocab.{kind.name}.spm")
    draw = np.random.default_rng(kind.seed)
    tensors = random_tensors(draw, words, kind)
    write_binary(folder / f"model.{kind.name}.bin", tensors, kind.configuration(words))
    write_expected(kind, draw, words, {key: values for key, (_, _, _, values) in tensors.items() if values is not None})
    return words, {key: values.astype(np.float32) for key, (_, _, _, values) in tensors.items() if values is not None}


def make_npz(kind, words, stored, text, save=np.savez):
    """`stored` are the arrays of the file; without its own, those of random_tensors."""
    shutil.copy(TOP / "import_student_self" / "vocab.self.spm", folder_of(kind) / "vocab.spm")
    write_npz(folder_of(kind) / "model.npz", stored, text, save)


def make_random_npz(kind, words, store):
    draw = np.random.default_rng(kind.seed)
    stored = {key: store(values) for key, (_, _, _, values) in random_tensors(draw, words, kind).items()}
    text = kind.configuration(words).replace("tied-layers: []", "tied-layers:\n  []")  # the form of early versions
    make_npz(kind, words, stored, text)
    shapes = matrix_names(words, kind)
    write_expected(kind, draw, words, {key: values.astype(np.float64).reshape(shapes[key]) for key, values in stored.items()})


make_binary(Kind("ssru", 3, unit="rnn", int8=True))
plain = Kind("self", 4)
words, weights = make_binary(plain)
make_npz(Kind("npz", 4), words, weights, plain.configuration(words), np.savez_compressed)
make_random_npz(Kind("pre", 5, pre=True, activation="swish", tables="tied-embeddings: true\ntied-embeddings-all: false\ntied-embeddings-src: true"), words,
                lambda values: values[0] if len(values) == 1 else values.astype(np.float32))
make_random_npz(Kind("tables", 6, unit="rnn", pre=True, tables="tied-embeddings: false\ntied-embeddings-all: false"), words, lambda values: values.astype(np.float16))
