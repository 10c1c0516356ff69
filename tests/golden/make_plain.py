#!/usr/bin/env python3
"""Golden values of chapters/plain/transformer.cpp: loss, all gradients, and the parameters after three steps of Adam.

    /usr/bin/python3 tests/golden/make_plain.py PROGRAM     PROGRAM: transformer.cpp, compiled

The layers, their masks, the loss and the optimiser are PyTorch's own: torch.nn.TransformerEncoderLayer and TransformerDecoderLayer,
cross_entropy, torch.optim.Adam. The program's `dump` gives the parameters and the batch.
"""

import math
import subprocess
import sys

import torch
from torch import nn

from golden import FOLDER, write

PADDING, STEPS, WARMUP = 0, 3, 2


def dump(program, norm):
    """Name: numbers."""
    lines = subprocess.run([program, "dump", norm], capture_output=True, text=True, check=True).stdout.splitlines()
    return {name: torch.tensor([float(number) for number in numbers]) for name, *numbers in map(str.split, lines)}


def positions(length, D):
    """Vaswani et al. 2017, section 3.5."""
    return torch.tensor([[(math.cos if j % 2 else math.sin)(p / 10000 ** ((j - j % 2) / D)) for j in range(D)]
                         for p in range(length)])


class Model(nn.Module):
    def __init__(self, given, norm):
        super().__init__()
        source_words, target_words, D, H, F = given["words,D,H,F"].int().tolist()
        encoder_layers, decoder_layers, self.sentences = given["layers,B"].int().tolist()
        layer = {"d_model": D, "nhead": H, "dim_feedforward": F, "dropout": 0.0, "batch_first": True, "norm_first": norm == "pre"}
        last = (lambda: nn.LayerNorm(D)) if norm == "pre" else (lambda: None)
        self.source_table, self.target_table = nn.Embedding(source_words, D), nn.Embedding(target_words, D)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**layer), encoder_layers, last())
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**layer), decoder_layers, last())
        self.D = D

    def places(self):
        """The plain program's name: (a parameter, its rows, whether it is stored transposed)."""
        D, found = self.D, {"source_embedding": (self.source_table.weight, ..., False),
                            "target_embedding": (self.target_table.weight, ..., False)}
        for side, stack in ("encoder", self.encoder), ("decoder", self.decoder):
            for number, layer in enumerate(stack.layers):
                attentions = {"self_attention": layer.self_attn}
                if side == "decoder":
                    attentions["cross_attention"] = layer.multihead_attn
                for kind, attention in attentions.items():
                    for at, part in enumerate("qkv"):
                        rows = slice(at * D, (at + 1) * D)
                        found[f"{side}.{number}.{kind}.{part}.w"] = (attention.in_proj_weight, rows, True)
                    found[f"{side}.{number}.{kind}.o.w"] = (attention.out_proj.weight, ..., True)
                for part, linear in ("inner", layer.linear1), ("outer", layer.linear2):
                    found[f"{side}.{number}.feed_forward.{part}.w"] = (linear.weight, ..., True)
                    found[f"{side}.{number}.feed_forward.{part}.b"] = (linear.bias, ..., False)
                for at, kind in enumerate([*attentions, "feed_forward"], 1):
                    found.update(norm_places(f"{side}.{number}.{kind}.norm", getattr(layer, f"norm{at}")))
            if stack.norm is not None:
                found.update(norm_places(f"{side}.last_norm", stack.norm))
        return found

    def load(self, given):
        """Everything gets the program's value; the biases of attention, which the program leaves out, become a constant 0."""
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if name.endswith(("in_proj_bias", "out_proj.bias")):
                    parameter.zero_()
                    parameter.requires_grad_(False)
            for name, (parameter, rows, is_transposed) in self.places().items():
                part = parameter[rows]
                shape = part.T.shape if is_transposed else part.shape
                values = given[name].reshape(shape)
                part.copy_(values.T if is_transposed else values)

    def forward(self, source, read):
        padding, unread = source == PADDING, read == PADDING
        future = torch.ones(read.shape[1], read.shape[1]).triu(1).bool()
        embed = lambda table, ids: table(ids) * math.sqrt(self.D) + positions(ids.shape[1], self.D)
        memory = self.encoder(embed(self.source_table, source), src_key_padding_mask=padding)
        x = self.decoder(embed(self.target_table, read), memory, tgt_mask=future, tgt_key_padding_mask=unread,
                         memory_key_padding_mask=padding)
        return x @ self.target_table.weight.T


def norm_places(name, norm):
    return {f"{name}.gamma": (norm.weight, ..., False), f"{name}.beta": (norm.bias, ..., False)}


def values(model, prefix, of):
    return {prefix + name: (of(parameter)[rows].T if is_transposed else of(parameter)[rows]).clone()
            for name, (parameter, rows, is_transposed) in model.places().items()}


def make(program, norm):
    given = dump(program, norm)
    model = Model(given, norm)
    model.load(given)
    batch = {name: given[name].long().reshape(model.sentences, -1) for name in ("source", "input", "target")}
    optimiser = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], betas=(0.9, 0.98), eps=1e-9)
    tensors = {}
    for step in range(1, STEPS + 1):
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(model(batch["source"], batch["input"]).flatten(0, 1), batch["target"].flatten(),
                                           ignore_index=PADDING, label_smoothing=given["smoothing,loss"][0].item())
        loss.backward()
        if step == 1:
            tensors = {"loss": loss.detach().reshape(1), **values(model, "d", lambda p: p.grad)}
        for group in optimiser.param_groups:
            group["lr"] = model.D ** -0.5 * min(step ** -0.5, step * WARMUP ** -1.5)
        optimiser.step()
    tensors.update(values(model, "after.", lambda p: p.detach()))
    write(FOLDER / f"plain_{norm}.safetensors", tensors)
    return max((tensors[name].flatten() - given[name]).abs().max().item() for name in tensors if name != "loss")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for placement in "post", "pre":
        print(f"largest difference from the program's numbers: {make(sys.argv[1], placement):.1e}")
