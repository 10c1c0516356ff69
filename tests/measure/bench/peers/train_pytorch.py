#!/usr/bin/env python3
"""Training steps of PyTorch on the batches of gradus. Prints JSON, as bench_steps does.

    train_pytorch.py IDS BATCHES tutorial|tuned THREADS STEPS [--half 0|1]

--half takes one half of each batch's sentences, for two processes with one thread each. They exchange no gradients, which favours PyTorch.
"""
import argparse
import json
import time

import peak
import torch
import torch_model

BOS, EOS, WARM_UP = 2, 3, 3


def read_pairs(path):
    """The pairs of the part [train], and the number of words."""
    pairs, part, words = [], None, 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("vocabulary"):
                words = int(line.split()[1])
            elif line.startswith("["):
                part = line.strip()
            elif part == "[train]":
                pairs.append([[int(word) for word in side.split()] for side in line.rstrip("\n").split("\t")])
    return pairs, words


def padded(rows):
    longest = max(map(len, rows))
    return torch.tensor([row + [torch_model.PADDING] * (longest - len(row)) for row in rows])


def main():
    a = argparse.ArgumentParser()
    a.add_argument("ids")
    a.add_argument("batches")
    a.add_argument("kind", choices=["tutorial", "tuned"])
    a.add_argument("threads", type=int)
    a.add_argument("steps", type=int)
    a.add_argument("--half", type=int)
    o = a.parse_args()
    torch.set_num_threads(o.threads)
    torch.manual_seed(1)
    pairs, words = read_pairs(o.ids)
    with open(o.batches, encoding="utf-8") as file:
        batches = [[int(n) for n in next(file).split()] for _ in range(o.steps + WARM_UP)]
    if o.half is not None:
        batches = [batch[o.half::2] for batch in batches]
    step, tokens, losses = torch_model.trainer(words, o.kind == "tuned"), 0, []
    for number, batch in enumerate(batches):
        if number == WARM_UP:
            start, processor = time.perf_counter(), time.process_time()
        source = padded([pairs[i][0] + [EOS] for i in batch])
        target = padded([[BOS] + pairs[i][1] + [EOS] for i in batch])
        losses.append(step(source, target))
        tokens += sum(len(pairs[i][1]) + 1 for i in batch) if number >= WARM_UP else 0
    seconds = time.perf_counter() - start
    print(json.dumps({"version": torch.__version__, "threads": o.threads, "tokens": tokens, "seconds": seconds,
                      "processor_share": (time.process_time() - processor) / seconds, "first_loss": losses[0], "last_loss": losses[-1],
                      "peak_memory_mb": peak.memory_mb()}))


if __name__ == "__main__":
    main()
