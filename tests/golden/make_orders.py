#!/usr/bin/env python3
"""A separate implementation of the orders of an epoch, with the Philox of make_philox.py: the numbers in shuffle_test.cpp.

    make_orders.py      prints the orders of ten pairs, and of their batches by length, for some seeds and epochs
"""

from make_philox import philox

SITE = 0xFFFFFFFF
TARGETS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]  # tokens of the ten pairs, end marks counted


def shuffled(items, seed, epoch, purpose):
    """The Fisher-Yates shuffle, from the last place down; each exchange has its own counter."""
    items = list(items)
    for i in range(len(items), 1, -1):
        words = philox((i, purpose, SITE, epoch), seed)
        k = ((words[0] << 32) | words[1]) % i
        items[i - 1], items[k] = items[k], items[i - 1]
    return items


def by_length(seed, epoch, limit):
    """Pairs from short to long, cut into batches of at most `limit` tokens, then the batches shuffled."""
    batches, tokens = [], 0
    for pair in sorted(shuffled(range(len(TARGETS)), seed, epoch, 0), key=lambda i: TARGETS[i]):
        if not batches or tokens + TARGETS[pair] > limit:
            batches.append([])
            tokens = 0
        batches[-1].append(pair)
        tokens += TARGETS[pair]
    return shuffled(batches, seed, epoch, 1)


if __name__ == "__main__":
    for seed, epoch in (1, 1), (1, 2), (2, 1), ((7 << 32) + 1, 3):
        print(seed, epoch, shuffled(range(10), seed, epoch, 0), by_length(seed, epoch, 9))
