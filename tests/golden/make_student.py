#!/usr/bin/env python3
"""Golden values of `gradus import` for students: tiny random models in Marian's own binary, and their logits, by formulas in numpy.

Needs numpy, torch (to write), sentencepiece. Writes for each model the folder import_student_NAME with model.NAME.bin, vocab.NAME.spm and
expected.safetensors: ids of a batch (-1 fills), and the logits that follow from them, in double.

    ssru    int8 matrices with the scales of activations, an SSRU in the decoder
    self    float matrices, self-attention in the decoder
"""

import pathlib
import struct

import numpy as np
import sentencepiece
import torch

from golden import write

TOP = pathlib.Path(__file__).parent
TOY = TOP.parent.parent / "chapters" / "11_translator" / "toy"
FLOAT, INT8, TEXT = 0x404, 0x4101, 0x101
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
tied-embeddings-all: true
transformer-decoder-autoreg: {unit}
transformer-dim-ffn: {F}
transformer-ffn-activation: relu
transformer-ffn-depth: 2
transformer-heads: {heads}
transformer-postprocess: dan
transformer-postprocess-emb: d
transformer-postprocess-top: ""
transformer-preprocess: ""
transformer-tied-layers: []
transformer-train-position-embeddings: false
type: transformer
version: v1.9.56 94aeaa46 2021-04-28 00:28:35 +0100
"""


def learn_pieces(path):
    """</s> is piece 0 and <unk> is piece 1, as Marian has it."""
    sentencepiece.SentencePieceTrainer.train(
        input=[str(TOY / "train.en"), str(TOY / "train.de")], model_prefix=str(path.with_suffix("")), model_type="unigram", vocab_size=150, normalization_rule_name="identity",
        eos_id=0, unk_id=1, bos_id=-1, pad_id=-1, minloglevel=2, num_threads=1, character_coverage=1.0)
    path.with_suffix(".model").rename(path)
    path.with_suffix(".vocab").unlink()
    return len(sentencepiece.SentencePieceProcessor(model_file=str(path)))


def matrix_names(words, unit):
    """Names and shapes of all parameters."""
    square, bias = (D, D), (1, D)
    names = {"Wemb": (words, D), "decoder_ff_logit_out_b": (1, words)}

    def norm(name):
        names.update({f"{name}_ln_scale": bias, f"{name}_ln_bias": bias})

    def attention(name):
        for part in "qkvo":
            names.update({f"{name}_W{part}": square, f"{name}_b{part}": bias})
        norm(f"{name}_Wo")

    def feed_forward(name):
        names.update({f"{name}_W1": (D, F), f"{name}_b1": (1, F), f"{name}_W2": (F, D), f"{name}_b2": bias})
        norm(f"{name}_ffn")

    for layer in range(1, ENCODER + 1):
        attention(f"encoder_l{layer}_self")
        feed_forward(f"encoder_l{layer}_ffn")
    for layer in range(1, DECODER + 1):
        if unit == "rnn":
            names.update({f"decoder_l{layer}_rnn_W": square, f"decoder_l{layer}_rnn_Wf": square, f"decoder_l{layer}_rnn_bf": bias})
            norm(f"decoder_l{layer}_rnn_ffn")
        else:
            attention(f"decoder_l{layer}_self")
        attention(f"decoder_l{layer}_context")
        feed_forward(f"decoder_l{layer}_ffn")
    return names


def random_tensors(draw, words, unit, int8):
    """For each name the type, the shape, the bytes and the values that they stand for."""
    tensors = {}
    for name, shape in matrix_names(words, unit).items():
        kind = name.split("_")[-1]
        center, size = (1, 0.3) if kind == "scale" else (0, 0.3) if 1 in shape else (0, shape[-1] ** -0.5)
        values = (center + size * draw.standard_normal(shape)).astype(np.float32)
        if int8 and 1 not in shape:
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


def norm(x, w, name):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-6) * w[f"{name}_ln_scale"] + w[f"{name}_ln_bias"]


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
    return norm(x + out @ w[f"{name}_Wo"] + w[f"{name}_bo"], w, f"{name}_Wo")


def feed_forward(w, name, x):
    inner = np.maximum(x @ w[f"{name}_W1"] + w[f"{name}_b1"], 0)
    return norm(x + inner @ w[f"{name}_W2"] + w[f"{name}_b2"], w, f"{name}_ffn")


def ssru(w, name, x):
    state, out = np.zeros(D), np.empty_like(x)
    for t, row in enumerate(x):
        f = 1 / (1 + np.exp(-(row @ w[f"{name}_Wf"] + w[f"{name}_bf"][0])))
        state = f * state + (1 - f) * (row @ w[f"{name}_W"])
        out[t] = np.maximum(state, 0)
    return norm(x + out, w, f"{name}_ffn")


def logits(w, unit, source, target):
    """Of each target word, from the words before it; the first has the vector 0 before it."""
    x = w["Wemb"][source] * np.sqrt(D) + positions(len(source))
    for layer in range(1, ENCODER + 1):
        x = feed_forward(w, f"encoder_l{layer}_ffn", attention(w, f"encoder_l{layer}_self", x, x))
    y = np.concatenate([np.zeros((1, D)), w["Wemb"][target[:-1]]]) * np.sqrt(D) + positions(len(target))
    for layer in range(1, DECODER + 1):
        name = f"decoder_l{layer}"
        y = ssru(w, f"{name}_rnn", y) if unit == "rnn" else attention(w, f"{name}_self", y, y, causal=True)
        y = feed_forward(w, f"{name}_ffn", attention(w, f"{name}_context", y, x))
    return y @ w["Wemb"].T + w["decoder_ff_logit_out_b"]


def make(name, unit, int8, seed):
    folder = TOP / f"import_student_{name}"
    folder.mkdir(exist_ok=True)
    words = learn_pieces(folder / f"vocab.{name}.spm")
    draw = np.random.default_rng(seed)
    tensors = random_tensors(draw, words, unit, int8)
    text = CONFIGURATION.format(D=D, F=F, words=words, heads=HEADS, encoder=ENCODER, decoder=DECODER, unit=unit)
    write_binary(folder / f"model.{name}.bin", tensors, text)
    w = {key: values for key, (_, _, _, values) in tensors.items() if values is not None}
    sides = {side: [np.append(draw.integers(1, words, n), 0) for n in lengths] for side, lengths in (("source", (5, 1, 9)), ("labels", (7, 3, 1)))}
    out = np.zeros((3, 8, words))
    for row, (source, target) in enumerate(zip(sides["source"], sides["labels"])):
        out[row, :len(target)] = logits(w, unit, source, target)
    padded = {side: torch.tensor([[*row, *[-1] * (max(map(len, rows)) - len(row))] for row in rows]) for side, rows in sides.items()}
    write(folder / "expected.safetensors", {**padded, "logits": torch.from_numpy(out)})


make("ssru", "rnn", True, 3)
make("self", "self-attention", False, 4)
