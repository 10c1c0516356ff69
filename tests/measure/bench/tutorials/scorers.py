"""BLEU three ways: by `gradus score`, without smoothing, and as a scorer gives it that takes words for sentences."""

import collections
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


def letters(hypothesis, reference):
    """What a sentence gets if each word counts as a sentence and its letters as words: words at the same place are compared."""
    return plain_bleu(list(zip(hypothesis.split(), reference.split())))


class Gradus:
    """The program, for its scores and for translations by the bundled model."""

    def __init__(self, program):
        self.program = program

    def says(self, *arguments, **more):
        """What it prints. Its warnings of single sentences are not shown; what it says when it fails is."""
        run = subprocess.run([self.program, *arguments], capture_output=True, encoding="utf-8", check=False, **more)
        if run.returncode != 0:
            sys.exit(f"{self.program} {arguments[0]}: {run.stderr}")
        return run.stdout

    def bleu(self, hypotheses, references, *options):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("hypotheses", "references")]
            for file, lines in zip(files, (hypotheses, references)):
                file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
            said = self.says("score", "--hypotheses", files[0], "--references", files[1], *options)
        return float(re.search(r"^BLEU\S* = (\d+\.\d+)", said, re.MULTILINE).group(1))

    def translations(self, sentences):
        return self.says("translate", "--threads", "1", input="\n".join(sentences) + "\n").splitlines()


def tokens(line):
    """Words and marks in lower case."""
    return re.findall(r"\w+|[^\w\s]", line.lower())
