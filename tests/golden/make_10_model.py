#!/usr/bin/env python3
"""Golden values of chapter 10: the whole model with its loss and all gradients, and its weights after ten steps of Adam.

Loss, gradients and optimiser are PyTorch's own (cross_entropy, autograd, torch.optim). Clipping is not: clip_grad_norm_ adds
1e-6 to the norm, which the formula does not."""

import math

import torch

from golden import FOLDER, normal, record, write
from torch_model import Rates, Transformer

SOURCES, TARGETS = [3, 0, 1, 4], [2, 3, 3, 0]  # the judges' case: two spare source rows, one spare target row


def ids(used, rows, vocab, step):
    """Words 1 .. vocab - 1, repeated; spare rows hold <pad>."""
    return torch.tensor([1 + n * step % (vocab - 1) for n in range(used)] + [0] * (rows - used))


def parameters(model):
    return {n: normal(*shape, scale=1 / math.sqrt(shape[0]) if n.split(".")[-1].startswith("w") else 1.0)
            for n, shape in model.shapes().items()}


def model_file(name, model, smoothing, sources=SOURCES, targets=TARGETS, spare_sources=2, spare_targets=1):
    """The case of the gradient judges, by default with 8 target rows and a spare one."""
    rows = sum(targets)
    batch = (ids(sum(sources), sum(sources) + spare_sources, model.source_vocab, 4), sources,
             ids(rows, rows + spare_targets, model.target_vocab, 5), targets)
    target = torch.tensor([(3 + 2 * n) % model.target_vocab for n in range(rows)])

    def loss(t):
        logits = model.logits(t, *batch)[:rows]
        total = torch.nn.functional.cross_entropy(logits, target, reduction="sum", label_smoothing=smoothing)
        return {"loss": 0.25 * total.reshape(1)}  # the judges' inverse_tokens
    record(name, parameters(model), loss)


def pairs(vocab):
    """Five pairs of words 4 .. vocab - 1, of unequal lengths."""
    k, result = 0, []
    for s, t in zip([3, 1, 4, 2, 5], [2, 4, 1, 3, 6]):
        source = [4 + (k := k + 3) % (vocab - 4) for _ in range(s)]
        target = [4 + (k := k + 2) % (vocab - 4) for _ in range(t)]
        result.append((source, target))
    return result


def training_file(name, model, make_optimiser, clip=None, steps=10, smoothing=0.1):
    """All five pairs as one batch, repeated for each step."""
    bos, eos = 2, 3
    source, decoder_input, target, source_lengths, target_lengths = [], [], [], [], []
    for s, t in pairs(model.target_vocab):
        source += s + [eos]
        decoder_input += [bos] + t
        target += t + [eos]
        source_lengths.append(len(s) + 1)
        target_lengths.append(len(t) + 1)
    start = parameters(model)
    weights = {n: torch.nn.Parameter(w.clone()) for n, w in start.items()}
    decays = [w for n, w in weights.items() if n.split(".")[-1].startswith("w")]
    others = [w for n, w in weights.items() if not n.split(".")[-1].startswith("w")]
    optimiser = make_optimiser(decays, others)
    losses, norms = [], []
    for step in range(1, steps + 1):
        model.rates.state["step"] = step
        optimiser.zero_grad()
        logits = model.logits(weights, torch.tensor(source), source_lengths, torch.tensor(decoder_input), target_lengths)
        loss = torch.nn.functional.cross_entropy(logits, torch.tensor(target), label_smoothing=smoothing)
        loss.backward()
        gradients = torch.cat([w.grad.flatten() for w in weights.values()])
        norms.append(gradients.norm().item())
        losses.append(loss.item())
        if clip:
            for w in weights.values():
                w.grad *= min(1.0, clip / norms[-1])
        optimiser.step()
    after = {n + ".after": w.detach() for n, w in weights.items()}
    after.update({"losses": torch.tensor(losses), "norms": torch.tensor(norms)})
    write(FOLDER / f"{name}.safetensors", {**start, **after, **{"d" + n: torch.zeros_like(v) for n, v in after.items()}})


def adamw(decays, others):
    return torch.optim.AdamW([{"params": decays, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=1e-2,
                             betas=(0.9, 0.98), eps=1e-9)


def adam(decays, others):
    return torch.optim.Adam(decays + others, lr=1e-2, betas=(0.9, 0.98), eps=1e-9)


def sgd(decays, others):
    return torch.optim.SGD([{"params": decays, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=1e-2,
                           momentum=0.6)


for norm in "pre", "post":
    model_file(f"model_{norm}", Transformer(4, 2, 5, 7, 7, 2, 2, norm, tying="all"), 0.1)
    dropped = Rates(embedding=0.3, attention=0.3, activation=0.3, residual=0.3)
    model_file(f"model_{norm}_dropped", Transformer(4, 2, 5, 7, 7, 2, 2, norm, tying="all", rates=dropped), 0.1)
training_file("training_pre", Transformer(4, 2, 5, 7, 7, 2, 2, "pre", tying="all"), adamw, clip=0.5)
training_file("training_post", Transformer(4, 2, 5, 7, 7, 2, 2, "post", tying="all"), adam)
rates = Rates(embedding=0.3, attention=0.3, activation=0.3, residual=0.3, source_row=0, target_row=0)
training_file("training_dropped", Transformer(4, 2, 5, 7, 7, 2, 2, "pre", tying="none", rates=rates), adamw, clip=0.5)
model_file("model_of_one_layer", Transformer(4, 2, 3, 7, 7, 1, 1, "pre", tying="all"), 0.1)  # for the wrong twins

# All of these differ on purpose: rows and spare rows of the sides, vocabularies, depths, the rates of dropout.
uneven = {"embedding": 0.1, "attention": 0.2, "activation": 0.3, "residual": 0.4}
model_file("model_uneven", Transformer(4, 2, 5, 9, 7, 1, 2, "pre", tying="output", rates=Rates(**uneven)), 0.1,
           sources=[5, 0, 2, 1], targets=[2, 1, 0, 3], spare_sources=1, spare_targets=3)
training_file("training_uneven", Transformer(4, 2, 5, 9, 7, 1, 2, "post", tying="output",
                                             rates=Rates(**uneven, source_row=0, target_row=0)), sgd, clip=0.5)
model_file("model_biased", Transformer(4, 2, 5, 9, 7, 1, 2, "post", tying="output", bias="output", output_bias=True), 0.1)
training_file("training_biased", Transformer(4, 2, 5, 9, 7, 1, 2, "pre", tying="none", bias="output", output_bias=True),
              lambda decays, others: sgd(decays + others, []), clip=0.5)  # every parameter decays
training_file("training_ssru", Transformer(4, 2, 5, 7, 7, 2, 2, "pre", tying="none", rates=rates, ssru=True), adamw, clip=0.5)
