#!/usr/bin/env python3
"""Golden values of chapter 04: masked softmax, dropout of dense weights, dense attention with padding and causal masks."""

import math

import torch

from golden import dropout_mask, normal, record

FIRST_TARGET_ROW = 11  # of the judges' step state


def masked_softmax(s, mask):
    """Over the last axis, each row over its allowed entries only; a row without any is zero."""
    rows = []
    for row, allowed in zip(s.reshape(-1, s.shape[-1]), mask.expand(s.shape).reshape(-1, s.shape[-1])):
        chosen = allowed.nonzero().flatten()
        rows.append(torch.zeros(len(row)).index_put((chosen,), torch.softmax(row[chosen], 0)) if len(chosen)
                    else 0 * row)
    return torch.stack(rows).reshape(s.shape)


def case_mask(B, T, S):
    """The mask that the case describes: about a third hidden, and the whole second row."""
    i = torch.arange(B * T * S)
    return ((i % 7 != 2) & (i % 5 != 3) & (i // S != 1)).reshape(B, 1, T, S)


def positions(lengths, left):
    """(B, longest): position in the sentence, -1 for padding."""
    longest = max(lengths)
    shift = [longest - n if left else 0 for n in lengths]
    return torch.tensor([[t - d if 0 <= t - d < n else -1 for t in range(longest)] for n, d in zip(lengths, shift)])


def draw(query_positions, key_positions, query_begin, heads, rate, site):
    """The factors of all weights, (B, H, T, S): one for padding."""
    m = torch.ones(len(query_begin), heads, query_positions.shape[1], key_positions.shape[1])
    for b, begin in enumerate(query_begin):
        for t, j in enumerate(query_positions[b].tolist()):
            for h in range(heads if j >= 0 else 0):
                row = dropout_mask(1, key_positions.shape[1], rate, site, FIRST_TARGET_ROW + begin + j, heads=heads, head=h)
                for s, i in enumerate(key_positions[b].tolist()):
                    m[b, h, t, s] = row[0, i] if i >= 0 else 1
    return m


def dense_attention(t, query_lengths, key_lengths, heads, left, causal, rate, site):
    B, T, D = t["q"].shape
    S = t["k"].shape[1]
    q, k, v = (t[name].reshape(B, -1, heads, D // heads).transpose(1, 2) for name in "qkv")
    key_positions = positions(key_lengths, left)
    mask = (key_positions >= 0)[:, None, None, :].expand(B, 1, T, S)
    if causal:
        mask = mask & torch.ones(T, S, dtype=bool).tril(S - T)
    p = masked_softmax(q @ k.transpose(2, 3) / math.sqrt(D // heads), mask)
    begins = [sum(query_lengths[:b]) for b in range(B)]
    m = draw(positions(query_lengths, left), key_positions, begins, heads, rate, site)
    return ((m * p) @ v).transpose(1, 2).reshape(B, T, D)


def record_dense(name, D, query_lengths, key_lengths, *arguments):
    B, T, S = len(query_lengths), max(query_lengths), max(key_lengths)
    record(name, {"q": normal(B, T, D), "k": normal(B, S, D), "v": normal(B, S, D)},
           lambda t: {"y": dense_attention(t, query_lengths, key_lengths, *arguments)})


if __name__ == "__main__":
    mask = case_mask(2, 3, 4)
    record("masked_softmax", {"s": normal(2, 2, 3, 4)}, lambda t: {"p": masked_softmax(t["s"], mask)})
    record("masked_softmax_large", {"s": normal(2, 2, 3, 4, scale=1000.0)}, lambda t: {"p": masked_softmax(t["s"], mask)})
    query = torch.tensor([[0, 1, -1], [0, 1, 2]])
    key = torch.tensor([[0, 1, 2, 3], [-1, -1, 0, 1]])
    factors = draw(query, key, [0, 2], heads=3, rate=0.4, site=18)
    record("dense_dropout", {"x": normal(2, 3, 3, 4)}, lambda t: {"y": factors * t["x"]})
    record_dense("dense_attention", 6, [3, 1], [2, 4], 2, False, False, 0.3, 18)
    record_dense("dense_attention_aligned", 4, [4, 4], [2, 2], 2, False, True, 0.3, 18)
    record_dense("dense_attention_causal", 4, [2, 4], [2, 4], 2, True, True, 0.3, 18)
