#!/usr/bin/env python3
"""Golden values of chapter 05: layer norm at the widths where mistakes show, its extremes, and Add & Norm."""

import numpy
import torch

from golden import FOLDER, dropout_mask, normal, record, write

EPSILON = 1e-5


def layer_norm(x, gamma, beta, epsilon=EPSILON):
    mean = x.mean(1, keepdim=True)
    variance = ((x - mean) ** 2).mean(1, keepdim=True)  # divided by D
    y = gamma * (x - mean) / torch.sqrt(variance + epsilon) + beta
    assert torch.allclose(y, torch.nn.functional.layer_norm(x, x.shape[1:], gamma, beta, epsilon), atol=1e-9)
    return y


for width in (2, 3, 4, 7):
    record(f"layer_norm_{width}", {"x": normal(5, width), "gamma": normal(width), "beta": normal(width)},
           lambda t: {"y": layer_norm(t["x"], t["gamma"], t["beta"])})

# Add & Norm. The judges' step state numbers target tokens from 11.
mask = dropout_mask(6, 5, rate=0.3, site=19, first_row=11)


def add_norm(t):
    s = t["x"] + mask * t["f"]
    return {"s": s, "n": layer_norm(s, t["gamma"], t["beta"])}


record("add_norm", {"x": normal(6, 5), "f": normal(6, 5), "gamma": normal(5), "beta": normal(5)}, add_norm)


def stack(t, pre):
    """Three sublayers x w + b, with each placement in its usual form."""
    norm = lambda which, x: layer_norm(x, t[f"gamma{which}"], t[f"beta{which}"])
    f = lambda l, x: x @ t[f"w{l}"] + t[f"b{l}"]
    x = t["x"]
    for l in range(3):
        # In a pre-norm stack norm l follows sublayer l, so the norm before it is number l - 1.
        x = x + f(l, norm(l - 1 if l else "first", x)) if pre else norm(l, x + f(l, x))
    return {"y": norm(2, x) if pre else x}


for placement in ("pre", "post"):
    inputs = {"x": normal(4, 5)}
    for which in ["first"] * (placement == "pre") + [0, 1, 2]:
        inputs |= {f"gamma{which}": normal(5), f"beta{which}": normal(5)}
    for l in range(3):
        inputs |= {f"w{l}": normal(5, 5, scale=0.5), f"b{l}": normal(5)}
    record(f"residual_stack_{placement}", inputs, lambda t: stack(t, placement == "pre"))


def extreme(name, x):
    """One case in 80-bit arithmetic, backward by the whole Jacobian of each row; written as float64."""
    rows, width = x.shape
    gamma, beta, dy = normal(width), normal(width), normal(rows, width)
    long = lambda t: t.numpy().astype(numpy.longdouble)
    X, G, B, DY = long(x), long(gamma), long(beta), long(dy)
    c = X - X.mean(1, keepdims=True)
    sigma = numpy.sqrt((c * c).mean(1, keepdims=True) + numpy.longdouble(EPSILON))
    xhat = c / sigma
    dx = numpy.empty_like(X)
    for n in range(rows):
        # d xhat_j / d x_i
        jacobian = (numpy.eye(width, dtype=numpy.longdouble) - 1 / numpy.longdouble(width)
                    - numpy.outer(xhat[n], xhat[n]) / width) / sigma[n]
        dx[n] = jacobian.T @ (G * DY[n])
    values = {"x": X, "gamma": G, "beta": B, "y": G * xhat + B, "dy": DY, "dx": dx,
              "dgamma": (DY * xhat).sum(0), "dbeta": DY.sum(0)}
    write(FOLDER / f"{name}.safetensors", {k: torch.tensor(v.astype(numpy.float64)) for k, v in values.items()})


extreme("layer_norm_constant", torch.tensor([0.0, 1.0, -3.7, 0.1, 1e6, 1e-8]).reshape(6, 1).repeat(1, 4))
extreme("layer_norm_far", 1e6 + normal(5, 7))
extreme("layer_norm_narrow", 1 + 1e-6 * normal(5, 7))
extreme("layer_norm_wide", 1e6 * normal(5, 7))

record("layer_norm_epsilon", {"x": normal(5, 7), "gamma": normal(7), "beta": normal(7)},
       lambda t: {"y": layer_norm(t["x"], t["gamma"], t["beta"], 0.25)})
