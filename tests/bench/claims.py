#!/usr/bin/env python3
"""Counts again what the tutorial say-hello2y prints as its BLEU. Prints JSON, for tests/bench/record.py.

    claims.py PROGRAM TEXT    TEXT: the tutorial as plain text, with its lines "target : ..." and "predicted : ..."

`bleu` is that of the printed pairs by `gradus score`, which smooths; `four_words` is how many sequences of four words of the
predictions are in their references: without one, the BLEU without smoothing is 0. `letters` is what the tutorial's scorer gives: it
takes each word for a sentence and its letters for words, compares words at the same place, and ends with the shorter side. The
tutorial takes the mean over the sentences of a batch.
"""

import collections
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile


def ngrams(units, n):
    return collections.Counter(tuple(units[i:i + n]) for i in range(len(units) + 1 - n))


def matches(hypothesis, reference, n):
    return sum((ngrams(hypothesis, n) & ngrams(reference, n)).values())


def plain_bleu(pairs):
    """BLEU of (hypothesis, reference) pairs, each a sequence of units, without smoothing (Papineni and others 2002)."""
    lengths = [sum(len(pair[side]) for pair in pairs) for side in (0, 1)]
    right = [sum(matches(*pair, n) for pair in pairs) for n in range(1, 5)]
    possible = [sum(max(0, len(hypothesis) + 1 - n) for hypothesis, _ in pairs) for n in range(1, 5)]
    if 0 in right:
        return 0.0
    mean = statistics.mean(math.log(r / p) for r, p in zip(right, possible))
    return 100 * math.exp(mean + min(0, 1 - lengths[1] / lengths[0]))


def score(program, predicted, targets):
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, name) for name in ("predicted", "targets")]
        for file, lines in zip(files, (predicted, targets)):
            file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        output = subprocess.run([program, "score", "--hypotheses", files[0], "--references", files[1]],
                                stdout=subprocess.PIPE, text=True, check=True).stdout
    return float(re.search(r"^BLEU\S* = (\d+\.\d+)", output, re.MULTILINE).group(1))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    text = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    targets, predicted = (re.findall(rf"^{word} : (.*?)\s*$", text, re.MULTILINE) for word in ("target", "predicted"))
    if not targets or len(targets) != len(predicted):
        sys.exit(f"{sys.argv[2]}: {len(targets)} targets and {len(predicted)} predictions")
    words = [(p.split(), t.split()) for p, t in zip(predicted, targets)]
    letters = [plain_bleu(list(zip(*pair))) for pair in words]
    found = {"pairs": len(words), "printed": float(re.search(r"^BLEU SCORE = (\S+)$", text, re.MULTILINE).group(1)),
             "bleu": score(sys.argv[1], predicted, targets), "four_words": sum(matches(*pair, 4) for pair in words),
             "letters": statistics.mean(letters), "letters_least": min(letters), "letters_most": max(letters)}
    print(json.dumps({key: round(value, 2) for key, value in found.items()}))


if __name__ == "__main__":
    main()
