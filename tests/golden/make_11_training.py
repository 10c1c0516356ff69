#!/usr/bin/env python3
"""Golden values of chapter 11: two whole trainings, from text files to the model, in PyTorch and float64.

Written from the papers and from what `gradus train --help` says of each option; shares no code with the project. The words of
both command lines stand in tests/chapters/11_translator/golden_training_test.cpp. Each file holds every number that the run
reports, the weights after the last step and those of the model.
"""

import collections
import math
import pathlib
import re

import torch

from golden import FOLDER, write
from make_philox import gauss, philox, uniform
from torch_model import Transformer

TOY = pathlib.Path(__file__).parents[2] / "chapters" / "11_translator" / "toy"
PAD, UNK, BOS, EOS = range(4)


def lines(name, count):
    return (TOY / name).read_text().splitlines()[:count]


def words(sentence, lower):
    return re.findall(r"[^\W_]+|[^\w\s]", sentence.lower() if lower else sentence)


class Vocabulary:
    """The most frequent words first, equally frequent ones by their bytes."""

    def __init__(self, sentences, lower, min_frequency):
        self.lower = lower
        counts = collections.Counter(w for s in sentences for w in words(s, lower))
        ranked = sorted(counts, key=lambda w: (-counts[w], w.encode()))
        self.ids = {w: 4 + i for i, w in enumerate(w for w in ranked if counts[w] >= min_frequency)}

    def encode(self, sentence):
        return [self.ids.get(w, UNK) for w in words(sentence, self.lower)]

    def __len__(self):
        return 4 + len(self.ids)


def shuffled(n, seed, epoch):
    """The Fisher-Yates shuffle, with each exchange drawn by Philox."""
    order = list(range(n))
    for i in range(n, 1, -1):
        a, b, _, _ = philox((i, 0, 0xFFFFFFFF, epoch), seed)
        k = (a * 2**32 + b) % i
        order[i - 1], order[k] = order[k], order[i - 1]
    return order


def batches(pairs, seed, epoch, tokens=0, sentences=0):
    """Lists of pairs; end marks count as tokens."""
    result = [[]]
    for i in shuffled(len(pairs), seed, epoch):
        grown = result[-1] + [pairs[i]]
        full = (len(grown) > sentences if sentences else
                max(sum(len(s) + 1 for s, _ in grown), sum(len(t) + 1 for _, t in grown)) > tokens)
        result[-1:] = [result[-1], [pairs[i]]] if full else [grown]
    return result


def rows(pairs):
    """(source, lengths, decoder input, lengths), target: sentences one after the other, with their marks."""
    source = [x for s, _ in pairs for x in s + [EOS]]
    decoder_input = [x for _, t in pairs for x in [BOS] + t]
    target = [x for _, t in pairs for x in t + [EOS]]
    return (torch.tensor(source), [len(s) + 1 for s, _ in pairs], torch.tensor(decoder_input),
            [len(t) + 1 for _, t in pairs]), torch.tensor(target)


def first_weights(model, init, seed):
    """Matrices of linear maps are numbered first, then all other parameters."""
    shapes = model.shapes()
    matrices = [n for n in shapes if n.split(".")[-1].startswith("w")]
    result = {}
    for name, shape in shapes.items():
        size = math.prod(shape)
        if name in matrices:
            site, maps = matrices.index(name), 3 if name.endswith("wqkv") else 1
            fan_in, fan_out = shape[0], shape[1] / maps
            values = [uniform(i, site, math.sqrt(6 / (fan_in + fan_out)), seed) if init == "xavier" else
                      gauss(i, site, math.sqrt(2 / fan_in), seed) for i in range(size)]
        elif len(shape) == 2:  # a table: its rank among the others, with tables first
            site = len(matrices) + [n for n in shapes if n not in matrices].index(name)
            values = [gauss(i, site, 1 / math.sqrt(shape[1]), seed) for i in range(size)]
            if name != "output":
                values[:shape[1]] = [0] * shape[1]  # the row of padding
        else:
            values = [1.0 if name.endswith("gamma") else 0.0] * size
        result[name] = torch.nn.Parameter(torch.tensor(values).reshape(shape))
    return result


def rate(step, kind, peak, warmup, end):
    if step < warmup:
        return peak * step / warmup
    progress = min(1.0, (step - warmup) / (end - warmup))
    return peak * (1 - progress if kind == "linear" else (1 + math.cos(math.pi * progress)) / 2)


def greedy(model, t, source):
    """Never outputs <pad> or <bos>, and <eos> not as the first word; at most 1.5 times the source plus ten words."""
    said = []
    while len(said) < math.floor(1.5 * len(source)) + 10:
        batch = (torch.tensor(source), [len(source)], torch.tensor([BOS] + said), [len(said) + 1])
        logits = model.logits(t, *batch)[-1]
        logits[[PAD, BOS] if said else [PAD, BOS, EOS]] = -math.inf
        word = int(logits.argmax())
        if word == EOS:
            break
        said.append(word)
    return said


def loss_of(model, t, pairs, smoothing=0.0):
    batch, target = rows(pairs)
    return torch.nn.functional.cross_entropy(model.logits(t, *batch), target, label_smoothing=smoothing)


def adam(t, decay):
    pulled = [w for n, w in t.items() if n.split(".")[-1].startswith("w")]
    others = [w for n, w in t.items() if not n.split(".")[-1].startswith("w")]
    return torch.optim.AdamW([{"params": pulled, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}],
                             betas=(0.9, 0.98), eps=1e-9)


def sgd(t, decay, momentum):
    pulled = [w for n, w in t.items() if n.split(".")[-1].startswith("w")]
    others = [w for n, w in t.items() if not n.split(".")[-1].startswith("w")]
    return torch.optim.SGD([{"params": pulled, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}],
                           lr=1.0, momentum=momentum)


class Run:
    """A training; `training` and `validation` are pairs of ids, `places` those whose translations are shown."""

    def __init__(self, model, weights, optimiser, choices, training, validation, places):
        self.model, self.t, self.optimiser, self.choices = model, weights, optimiser, choices
        self.training, self.validation, self.places = training, validation, places
        self.reports, self.validations, self.said, self.kept = [], [], [], []

    def step(self, batch, end):
        c = self.choices
        self.optimiser.zero_grad()
        loss = loss_of(self.model, self.t, batch, c["smoothing"])
        loss.backward()
        norm = torch.cat([w.grad.flatten() for w in self.t.values()]).norm().item()
        for w in self.t.values():
            w.grad *= min(1.0, c["clip"] / norm)
        now = rate(len(self.reports) + 1, c["schedule"], c["peak"], c["warmup"], end)
        for group in self.optimiser.param_groups:
            group["lr"] = now
        self.optimiser.step()
        self.reports.append([loss.item(), norm, now, sum(len(s) + 1 for s, _ in batch), sum(len(t) + 1 for _, t in batch)])

    def validate(self):
        with torch.no_grad():
            self.validations.append([len(self.reports), loss_of(self.model, self.t, self.validation).item()])
            self.said.append([greedy(self.model, self.t, self.validation[i][0] + [EOS]) for i in self.places])
        self.kept.append({n: w.detach().clone() for n, w in self.t.items()})

    def run(self):
        c = self.choices
        epochs = [batches(self.training, c["seed"], e, c.get("tokens", 0), c.get("sentences", 0))
                  for e in range(1, c["epochs"] + 1)]
        end = c.get("decay_steps") or sum(map(len, epochs))
        for epoch in epochs:
            for batch in epoch:
                self.step(batch, end)
                if c.get("valid_every") and len(self.reports) % c["valid_every"] == 0:
                    self.validate()
            if not c.get("valid_every"):
                self.validate()
        if c.get("keep_best"):
            best = min(range(len(self.validations)), key=lambda i: self.validations[i][1])
            return self.kept[best]
        last = self.kept[-c["average_last"]:]
        return {n: sum(k[n] for k in last) / len(last) for n in self.t}

    def store(self, name):
        model = self.run()
        longest = max(len(s) for v in self.said for s in v)
        tensors = {n: w.detach() for n, w in self.t.items()}
        tensors.update({"model." + n: w for n, w in model.items()})
        with torch.no_grad():
            tensors["model_loss"] = loss_of(self.model, model, self.validation).reshape(1)
        tensors["reports"] = torch.tensor(self.reports, dtype=torch.float64)
        tensors["validations"] = torch.tensor(self.validations, dtype=torch.float64)
        tensors["said"] = torch.tensor([[s + [-1] * (longest - len(s)) for s in v] for v in self.said])
        write(FOLDER / f"{name}.safetensors", tensors)
        print(f"  {len(self.reports)} steps, {len(self.validations)} validations, losses {self.validations}")


def text(lower, min_frequency, joint):
    """Pairs of ids of the first lines of the toy corpus; one more pair, without a translation, is left out."""
    source, target = lines("train.en", 40), lines("train.de", 40)
    read = source + ["A dog."]
    first = Vocabulary(read + target if joint else read, lower, min_frequency)
    second = first if joint else Vocabulary(target, lower, min_frequency)

    def pairs(a, b):
        return [(first.encode(s), second.encode(t)) for s, t in zip(a, b)]
    return pairs(source, target), pairs(lines("valid.en", 9), lines("valid.de", 9)), len(first), len(second)


def averaged():
    training, validation, vocab, _ = text(lower=False, min_frequency=2, joint=True)
    model = Transformer(8, 2, 12, vocab, vocab, 1, 1, "pre", tying="all")
    weights = first_weights(model, "xavier", seed=5)
    choices = {"smoothing": 0.1, "clip": 0.45, "schedule": "linear", "peak": 0.15, "warmup": 6, "seed": 5, "tokens": 60,
               "epochs": 4, "valid_every": 7, "average_last": 2}
    Run(model, weights, adam(weights, 0.05), choices, training, validation, (0, 3, 6)).store("trained_averaged")


def best():
    training, validation, sources, targets = text(lower=True, min_frequency=1, joint=False)
    model = Transformer(6, 1, 5, sources, targets, 2, 2, "post", tying="none", bias="all", gelu=True, scale=False)
    seed = 2**40 + 3
    weights = first_weights(model, "kaiming", seed)
    choices = {"smoothing": 0.2, "clip": 0.8, "schedule": "cosine", "peak": 3.0, "warmup": 4, "decay_steps": 40, "seed": seed,
               "sentences": 7, "epochs": 4, "keep_best": True}
    Run(model, weights, sgd(weights, 0.01, 0.8), choices, training, validation, (0, 3, 6)).store("trained_best")


averaged()
best()
