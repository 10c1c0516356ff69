#!/usr/bin/env python3
"""Golden values of chapter 02: sinusoids in 50 decimal digits; position and embed by PyTorch's own embedding."""

import math
from decimal import Decimal, getcontext

import torch
from golden import FOLDER, dropout_mask, normal, record, write

getcontext().prec = 50
TWO_PI = 2 * Decimal("3.14159265358979323846264338327950288419716939937511")


def sinusoid(position, column, width):
    """The angle to 50 digits, without whole turns, so that the sine of a double is exact to about its last place."""
    angle = position / Decimal(10000) ** (Decimal(column - column % 2) / width)
    angle = float(angle % TWO_PI)
    return math.cos(angle) if column % 2 else math.sin(angle)


def in_halves(position, column, width, steps):
    """The same with the sines first: base^(-i / steps)."""
    i, is_cosine = column % (width // 2), column >= width // 2
    angle = float(position / Decimal(10000) ** (Decimal(i) / steps) % TWO_PI)
    return math.cos(angle) if is_cosine else math.sin(angle)


def places(lengths, spare, first):
    """The position of each row of the batch; -1 for spare rows."""
    return torch.tensor([f + j for n, f in zip(lengths, first) for j in range(n)] + [-1] * spare)


def encodings(positions, place):
    return positions[place.clamp(min=0)] * (place >= 0)[:, None]


def main():
    table = torch.tensor([[sinusoid(p, d, 6) for d in range(6)] for p in range(300)])
    write(FOLDER / "sinusoids.safetensors", {"y": table, "dy": torch.zeros_like(table)})

    place = places([3, 0, 5, 1], 2, [2, 0, 0, 4])
    record("position", {"x": normal(11, 3), "positions": normal(5, 3)},
           lambda t: {"y": t["x"] + encodings(t["positions"], place)}, constants=["positions"])

    ids = torch.tensor([5, 3, 3, 1, 0, 4, 3, 5, 0, 0])
    place_of_word = places([3, 0, 4, 1], 2, [2, 0, 0, 4])
    mask = dropout_mask(10, 6, rate=0.4, site=1, first_row=11)  # the judges' step state numbers target tokens from 11

    def embed(t):
        words = torch.nn.functional.embedding(ids, t["table"], padding_idx=0) * (ids != 0)[:, None]
        return {"y": mask * (6**0.5 * words + encodings(t["positions"], place_of_word))}

    record("embed", {"table": normal(6, 6), "positions": normal(5, 6)}, embed, constants=["positions"])

    for name, steps in (("sinusoids_in_halves", 3), ("sinusoids_in_halves_less_one", 2)):
        table = torch.tensor([[in_halves(p, d, 6, steps) for d in range(6)] for p in range(300)])
        write(FOLDER / f"{name}.safetensors", {"y": table, "dy": torch.zeros_like(table)})


main()
