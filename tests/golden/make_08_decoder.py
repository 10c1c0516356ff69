#!/usr/bin/env python3
"""Golden values of chapter 08: a layer of the decoder and a stack of two, dropout on, in both placements of the norm, with
self-attention and with an SSRU."""

from golden import normal, record
from torch_model import Rates, Stack, decoder, decoder_layer, layer_shapes, parameters, segments, stack_shapes

D, F = 6, 5
SOURCES, SOURCE_ROWS = segments([3, 0, 1, 4]), 10  # the last two rows are spare
TARGETS, TARGET_ROWS = segments([2, 3, 3, 0]), 9   # and the last one here
RATES = Rates(attention=0.3, activation=0.3, residual=0.3)



def files(norm, ssru):
    stack = Stack(2, 2, norm, "target", 3, RATES, ssru=ssru)

    def layer(t):
        s, n = decoder_layer(t, "layer", t["x"], t.get("u", t["x"]), t["memory"], TARGETS, SOURCES, stack, 1)
        return {"s": s, "n": n} if stack.norm == "pre" else {"n": n}

    inputs = {"x": normal(TARGET_ROWS, D), "memory": normal(SOURCE_ROWS, D),
              **parameters(layer_shapes("layer", True, D, F, ssru=ssru))}
    if norm == "pre":
        inputs["u"] = normal(TARGET_ROWS, D)
    form = norm + "_ssru" * ssru
    record(f"decoder_layer_{form}", inputs, layer)
    record(f"decoder_{form}", {"x": normal(TARGET_ROWS, D), "memory": normal(SOURCE_ROWS, D),
                               **parameters(stack_shapes("decoder", stack, D, F))},
           lambda t: {"y": decoder(t, t["x"], t["memory"], TARGETS, SOURCES, stack)})


for ssru in False, True:
    for norm in "pre", "post":
        files(norm, ssru)
