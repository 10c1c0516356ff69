#!/usr/bin/env python3
"""Golden values of chapter 03: attention within segments, and multi-head attention, self and cross.

Written from section 3.2 of the paper, sentence by sentence and head by head, with a loop for each.
"""

import math

import torch

from golden import dropout_mask, normal, record

FIRST_TARGET_ROW = 11  # of the judges' step state


def softmax_over_visible(scores, visible):
    """Softmax of each row over its first visible[t] entries; zeros elsewhere, and zeros everywhere if none is visible."""
    rows = [torch.cat([torch.softmax(row[:n], 0), torch.zeros(len(row) - n)]) for row, n in zip(scores, visible)]
    return torch.stack(rows) if rows else torch.zeros(0, scores.shape[1])


def attention(q, k, v, query_lengths, key_lengths, heads, causal=False, rate=0.0, site=0):
    width = q.shape[1] // heads
    y = torch.zeros_like(q)
    query_end = key_end = 0
    for T, S in zip(query_lengths, key_lengths):
        query, key = query_end, key_end
        query_end, key_end = query + T, key + S
        for h in range(heads if T else 0):
            columns = slice(h * width, (h + 1) * width)
            scores = q[query:query_end, columns] @ k[key:key_end, columns].T / math.sqrt(width)
            visible = [max(0, S - T + t + 1) if causal else S for t in range(T)]
            weights = softmax_over_visible(scores, visible)
            if rate:
                weights = weights * dropout_mask(T, S, rate, site, FIRST_TARGET_ROW + query, heads=heads, head=h)
            y[query:query_end, columns] = weights @ v[key:key_end, columns]
    return y


def multi_head(t, queries, memory, *arguments, **options):
    """Separate projections, as in the paper."""
    D = queries.shape[1]
    wq, wk, wv = t["wqkv"].split(D, 1)
    bq, bk, bv = t["bqkv"].split(D)
    y = attention(queries @ wq + bq, memory @ wk + bk, memory @ wv + bv, *arguments, **options)
    return y @ t["wo"] + t["bo"]


def qkv(Nq, Nk, D, scale=1.0):
    return {"q": normal(Nq, D, scale=scale), "k": normal(Nk, D, scale=scale), "v": normal(Nk, D)}


def parameters(D):
    return {"wqkv": normal(D, 3 * D), "wo": normal(D, D), "bqkv": normal(3 * D), "bo": normal(D)}


def record_attention(name, inputs, *arguments, **options):
    record(name, inputs, lambda t: {"y": attention(t["q"], t["k"], t["v"], *arguments, **options)})


if __name__ == "__main__":
    record_attention("attention", qkv(10, 10, 6), [3, 1, 4], [2, 5, 1], 2, rate=0.3, site=18)
    record_attention("attention_causal", qkv(10, 10, 6), [3, 1, 4], [3, 1, 4], 3, causal=True, rate=0.25, site=34)
    record_attention("attention_aligned", qkv(8, 8, 6), [4, 2, 2, 0], [2, 5, 0, 1], 2, causal=True)
    record_attention("attention_large_logits", qkv(8, 8, 8, scale=32.0), [3, 1, 4], [2, 5, 1], 2)
    record("self_attention", {"x": normal(8, 4), **parameters(4)},
           lambda t: {"y": multi_head(t, t["x"], t["x"], [3, 1, 2], [3, 1, 2], 2, causal=True, rate=0.3, site=18)})
    record("cross_attention", {"x": normal(8, 4), "memory": normal(8, 4), **parameters(4)},
           lambda t: {"y": multi_head(t, t["x"], t["memory"], [3, 1, 2], [1, 3, 2], 2, rate=0.3, site=36)})
