#!/usr/bin/env python3
"""Golden values of chapter 07: a layer of the encoder and a stack of two, dropout on, in both placements of the norm."""

from golden import normal, record
from torch_model import Rates, Stack, encoder, encoder_layer, layer_shapes, parameters, segments, stack_shapes

D, F, LENGTHS, ROWS = 6, 5, [3, 0, 1, 4], 10  # the last two rows are spare
RATES = Rates(attention=0.3, activation=0.3, residual=0.3)

for norm in "pre", "post":
    stack = Stack(2, 2, norm, "source", 1, RATES)

    def layer(t, stack=stack):
        s, n = encoder_layer(t, "layer", t["x"], t.get("u", t["x"]), segments(LENGTHS), stack, 1)
        return {"s": s, "n": n} if stack.norm == "pre" else {"n": n}

    inputs = {"x": normal(ROWS, D), **parameters(layer_shapes("layer", False, D, F))}
    if norm == "pre":
        inputs["u"] = normal(ROWS, D)
    record(f"encoder_layer_{norm}", inputs, layer)
    record(f"encoder_{norm}", {"x": normal(ROWS, D), **parameters(stack_shapes("encoder", stack, D, F))},
           lambda t, stack=stack: {"y": encoder(t, t["x"], segments(LENGTHS), stack)})
