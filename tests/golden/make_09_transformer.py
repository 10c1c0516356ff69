#!/usr/bin/env python3
"""Golden values of chapter 09: logits and all gradients of whole models of 2 + 2 layers, the best of rows of logits, and
first values of parameters."""

import math

import torch

from golden import FOLDER, normal, record, write
from make_philox import gauss, uniform
from torch_model import Rates, Transformer

SOURCES, TARGETS = [3, 0, 1, 4], [2, 3, 3, 0]  # two spare source rows, one spare target row


def ids(used, rows, vocab, step):
    """Words 1 .. vocab - 1, repeated; spare rows hold <pad>."""
    return torch.tensor([1 + n * step % (vocab - 1) for n in range(used)] + [0] * (rows - used))


def model_file(name, model):
    batch = (ids(8, 10, model.source_vocab, 4), SOURCES, ids(8, 9, model.target_vocab, 5), TARGETS)
    parameters = {n: normal(*shape, scale=0.5 if len(shape) == 2 else 1.0) for n, shape in model.shapes().items()}
    record(name, parameters, lambda t: {"logits": model.logits(t, *batch)})


for norm in "pre", "post":
    rates = Rates(embedding=0.3, attention=0.3, activation=0.3, residual=0.3)
    model_file(f"transformer_{norm}", Transformer(4, 2, 5, 7, 7, 2, 2, norm, tying="all", rates=rates))
    model_file(f"transformer_{norm}_still", Transformer(4, 2, 5, 9, 7, 2, 2, norm, tying="none", bias="all", gelu=True))


def best(logits, k):
    """Log-probabilities by torch's own log_softmax; of equal ones the smaller id first."""
    scores, order = torch.sort(torch.log_softmax(logits, 1), dim=1, descending=True, stable=True)
    return {"scores": scores[:, :k], "ids": order[:, :k].to(torch.float64)}


rows = normal(5, 9)
rows[1] *= 1000                      # too large for exp
rows[2] = 0.25                       # all equal
rows[3, [2, 5, 7]] = 3.0             # three equal best ones
rows[4] = rows[4] / 10 - 5000
zeros = torch.zeros(5, 4)  # decoding has no backward
write(FOLDER / "log_probs_top_k.safetensors", {"logits": rows, **best(rows, 4), "dscores": zeros, "dids": zeros})


def first_values(seed=7):
    """wqkv (4, 12), wo (4, 4), inner.w (4, 3), outer.w (3, 4) and so on: an encoder layer with D = 4, F = 3 and biases in
    its attention; numbers of parameters as in its layout."""
    maps = {"wqkv": (0, 48, 4, 4), "wo": (1, 16, 4, 4), "inner.w": (2, 12, 4, 3), "outer.w": (3, 12, 3, 4)}
    biases = {"bqkv": (4, 12, 4), "bo": (5, 4, 4), "inner.b": (8, 3, 4), "outer.b": (9, 4, 3)}
    result = {}
    for name, (site, n, fan_in, fan_out) in maps.items():
        result["xavier." + name] = [uniform(i, site, math.sqrt(6 / (fan_in + fan_out)), seed) for i in range(n)]
        result["kaiming." + name] = [gauss(i, site, math.sqrt(2 / fan_in), seed) for i in range(n)]
        result["kaiming-uniform." + name] = [uniform(i, site, math.sqrt(6 / fan_in), seed) for i in range(n)]
        result["normal." + name] = [gauss(i, site, 0.02, seed) for i in range(n)]
        result["pytorch." + name] = [uniform(i, site, 1 / math.sqrt(fan_in), seed) for i in range(n)]
    for name, (site, n, fan_in) in biases.items():
        result["pytorch." + name] = [uniform(i, site, 1 / math.sqrt(fan_in), seed) for i in range(n)]
    result["xavier.table"] = [uniform(i, 0, math.sqrt(6 / (5 + 4)), seed) for i in range(5 * 4)]  # 5 words, D = 4
    result["kaiming.table"] = [gauss(i, 0, math.sqrt(2 / 4), seed) for i in range(5 * 4)]
    return {name: torch.tensor(values) for name, values in result.items()}


write(FOLDER / "initial_values.safetensors", first_values())

x, table, bias = normal(5, 6), normal(70, 6), normal(70)
table[[9, 40, 69]] = 3 * x[2]  # equal best words of row 2: the smaller id first
bias[[9, 40, 69]] = 1.0
x[4] *= 1000                   # logits too large for exp
zeros = torch.zeros(5, 4)
write(FOLDER / "output_top_k.safetensors",
      {"x": x, "table": table, "bias": bias, **best(x @ table.T + bias, 4), "dscores": zeros, "dids": zeros})

for norm in "pre", "post":
    rates = Rates(embedding=0.3, attention=0.3, activation=0.3, residual=0.3)
    model_file(f"transformer_{norm}_ssru", Transformer(4, 2, 5, 7, 7, 2, 2, norm, tying="all", rates=rates, ssru=True))
