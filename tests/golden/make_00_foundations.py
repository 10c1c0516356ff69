#!/usr/bin/env python3
"""Golden values of chapter 00: linear map and dropout."""

from golden import dropout_mask, normal, record

record("linear", {"x": normal(5, 3), "w": normal(3, 4), "b": normal(4)},
       lambda t: {"y": t["x"] @ t["w"] + t["b"]})

# The judges' step state numbers target tokens from 11.
mask = dropout_mask(6, 7, rate=0.4, site=19, first_row=11)
record("dropout", {"x": normal(6, 7)}, lambda t: {"y": mask * t["x"]})
