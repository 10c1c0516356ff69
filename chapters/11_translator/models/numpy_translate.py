#!/usr/bin/env python3
"""The bundled models without gradus: with numpy, SentencePiece, and open file formats.

    chapters/11_translator/models/numpy_translate.py chapters/11_translator/models/en-de "A dog runs through the snow."

Greedy search (`gradus translate --beam-size 1`). Everything is computed anew for each word: slow, but short. Debian:
python3-numpy, python3-sentencepiece. The steps are those of the chapters that are named beside them.
"""
import json
import sys

import numpy as np
import sentencepiece

folder, *sentences = sys.argv[1:]
model = json.load(open(f"{folder}/model.json", encoding="utf-8"))["model"]
D, H = model["d_model"], model["heads"]
subwords = sentencepiece.SentencePieceProcessor(f"{folder}/subwords.model")

# safetensors: eight bytes with the length of the header, the header in JSON, then the values, here of two bytes each.
stored = open(f"{folder}/weights.safetensors", "rb").read()
begin = 8 + int.from_bytes(stored[:8], "little")
W = {name: np.frombuffer(stored, "<f2", np.prod(t["shape"]), begin + t["data_offsets"][0]).reshape(t["shape"]).astype("f4")
     for name, t in json.loads(stored[8:begin]).items()}


def embed(ids):  # (T) -> (T, D): words (chapter 01) and sines and cosines of their positions (02)
    angle = np.arange(len(ids))[:, None] / 10000 ** (np.arange(0, D, 2) / D)
    return W["source_embedding"][ids] * D ** 0.5 + np.stack([np.sin(angle), np.cos(angle)], 2).reshape(len(ids), D)


def norm(x, name):  # 05
    return (x - x.mean(1)[:, None]) / np.sqrt(x.var(1)[:, None] + 1e-5) * W[name + ".gamma"] + W[name + ".beta"]


def attention(x, memory, name):  # x (T, D), memory (S, D) -> (T, D); the heads are side by side in the columns (03)
    parts = zip((x, memory, memory), np.split(W[name + ".wqkv"], 3, 1))
    q, k, v = ((a @ w).reshape(len(a), H, D // H).swapaxes(0, 1) for a, w in parts)  # (H, T or S, D / H)
    future = np.triu(np.full((len(x), len(memory)), -1e9), 1) if name.endswith("self_attention") and name[0] == "d" else 0
    p = np.exp(q @ k.swapaxes(1, 2) / (D / H) ** 0.5 + future)
    return (p / p.sum(2)[:, :, None] @ v).swapaxes(0, 1).reshape(len(x), D) @ W[name + ".wo"]


def feed_forward(x, name):  # 06
    return np.maximum(x @ W[name + ".inner.w"] + W[name + ".inner.b"], 0) @ W[name + ".outer.w"] + W[name + ".outer.b"]


def stack(x, side, memory, parts):  # 07, 08: each part reads the norm of the stream x and adds its result to x
    n = norm(x, f"{side}.first_norm")
    for name in (f"{side}.{layer}.{part}" for layer in range(model[f"{side}_layers"]) for part in parts):
        feeds, crosses = name.endswith("feed_forward"), name.endswith("cross_attention")
        x = x + (feed_forward(n, name) if feeds else attention(n, memory if crosses else n, name))
        n = norm(x, name + "_norm")
    return n


for sentence in sentences:  # 09, 11
    source, target = subwords.encode(sentence) + [subwords.eos_id()], [subwords.bos_id()]
    memory = stack(embed(source), "encoder", None, ["self_attention", "feed_forward"])
    while target[-1] != subwords.eos_id() and len(target) < 200:
        n = stack(embed(target), "decoder", memory, ["self_attention", "cross_attention", "feed_forward"])
        logits = n[-1] @ W["source_embedding"].T  # one table for both languages and the output
        logits[subwords.eos_id()] -= 1e9 * (len(target) == 1)  # no translation is empty
        target.append(int(logits.argmax()))
    print(subwords.decode(target[1:-1]))
