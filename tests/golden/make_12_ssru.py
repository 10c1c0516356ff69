#!/usr/bin/env python3
"""Golden values of chapter 12: the scan of the SSRU within sentences, and the sublayer.

Written from the paper of Kim et al. 2019, sentence by sentence and word by word, as the cell of a recurrent network.
"""

import torch

from golden import normal, record


def cell(u, a, state):
    """One word: its output, and the state after it."""
    keep = torch.sigmoid(a)
    state = torch.lerp(u, state, keep)
    return torch.relu(state), state


def unit(u, a, lengths, first=None):
    """Rows behind the sentences belong to none, and give zeros."""
    outputs, states, words = [], [], iter(zip(u, a))
    for i, length in enumerate(lengths):
        state = torch.zeros(u.shape[1]) if first is None else first[i]
        for _ in range(length):
            y, state = cell(*next(words), state)
            outputs.append(y)
        states.append(state)
    spare = [torch.zeros(u.shape[1]) for _ in words]
    return {"h": torch.stack(outputs + spare), "last": torch.stack(states)}


def record_scan(name, lengths, rows, columns, scale=1.0):
    record(name, {"u": normal(rows, columns), "a": normal(rows, columns, scale=scale), "first": normal(len(lengths), columns)},
           lambda t: unit(t["u"], t["a"], lengths, t["first"]))


def sublayer(t):
    result = unit(t["x"] @ t["w"], t["x"] @ t["wf"] + t["bf"], [3, 1, 4], t["first"])
    return {"y": result["h"], "last": result["last"]}


if __name__ == "__main__":
    record_scan("ssru", [3, 1, 4], 10, 5)
    record("ssru_without_state", {"u": normal(10, 5), "a": normal(10, 5)}, lambda t: {"h": unit(t["u"], t["a"], [3, 1, 4])["h"]})
    record_scan("ssru_empty_sentences", [0, 2, 0], 2, 3)
    record_scan("ssru_large_gates", [3, 1, 4], 10, 5, scale=300.0)
    record("ssru_sublayer", {"x": normal(10, 5), "first": normal(3, 5), "w": normal(5, 5), "wf": normal(5, 5), "bf": normal(5)}, sublayer)
