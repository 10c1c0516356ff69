#!/usr/bin/env python3
"""A separate implementation of Philox4x32-10, from the paper's definition, for the first draws of seed 1.

    make_philox.py      prints which of the first 2 x 16 units a dropout of rate 1/2 keeps (seed 1, step 1, site 0)
"""

MASK = 0xFFFFFFFF


def philox(counter, key):
    c0, c1, c2, c3 = counter
    k0, k1 = key & MASK, key >> 32
    for _ in range(10):
        hi0, lo0 = divmod(0xD2511F53 * c0, 1 << 32)
        hi1, lo1 = divmod(0xCD9E8D57 * c2, 1 << 32)
        c0, c1, c2, c3 = hi1 ^ c1 ^ k0, lo1, hi0 ^ c3 ^ k1, lo0
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


def keeps(row, column, rate, seed, step, site, heads=1, head=0):
    words = philox((column // 4, (row * heads + head) & MASK, site, step), seed)
    return words[column % 4] >= round(rate * 2**32)


def centred(word):
    """An odd integer, symmetric about 0."""
    return 2 * word + 1 - 2**32


def uniform(i, site, bound, seed):
    """First value of element i of parameter number `site`, between -bound and bound."""
    return bound * centred(philox((i // 4, 0, site, 0), seed)[i % 4]) / 2**32


def gauss(i, site, sigma, seed):
    """The same, normal: the sum of twelve uniform draws."""
    return sigma * sum(centred(w) for k in (1, 2, 3) for w in philox((i, k, site, 0), seed)) / 2**33


if __name__ == "__main__":
    print("".join("01"[keeps(n, d, 0.5, seed=1, step=1, site=0)] for n in range(2) for d in range(16)))
