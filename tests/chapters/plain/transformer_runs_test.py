#!/usr/bin/env python3
"""Runs chapters/plain/transformer.cpp as a reader does: the check of the gradients, a short training, wrong arguments.

    transformer_runs_test.py PROGRAM Transformer     PROGRAM: transformer.cpp, compiled with optimisation
    transformer_runs_test.py PROGRAM Reversal        the training on digits, half a minute for each placement of the norms

That it computes what the library computes is tested in transformer_test.cpp beside this file.
"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SOURCE = ROOT / "chapters/plain/transformer.cpp"
QUOTES = ROOT / "chapters/11_translator/toy"
KINDS = 32  # of parameters; a last norm of each stack is added with pre-norm: two gains and two shifts
WIDEST = 80


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=600)


class Transformer(unittest.TestCase):
    def test_every_gradient_passes_its_check(self):
        done = run("check")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        post, pre = re.split(r"^pre-norm.*\n", done.stdout, flags=re.M)
        for part, kinds in (post, KINDS), (pre, KINDS + 4):
            self.assertEqual(len(re.findall(r"^ +(\S+) +\d+ +\d\.\de-\d+ *$", part, re.M)), kinds, part)
        self.assertNotIn("WRONG", done.stdout)

    def test_check_of_one_placement(self):
        for placement in "post", "pre":
            done = run("check", placement)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(re.findall(r"^(\w+)-norm", done.stdout, re.M), [placement])

    def test_forty_sentences_are_learnt_by_heart(self):
        done = run("sentences", "pre")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\n40 of 40 right, 40 with 4 beams\n", done.stdout)
        losses = [float(loss) for loss in re.findall(r"^ +\d+ +(\d\.\d+) +0\.\d+$", done.stdout, re.M)]
        self.assertEqual(len(losses), 10)
        self.assertLess(losses[-1], losses[0] / 3)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), WIDEST)

    def test_the_sentences_are_those_of_the_project(self):
        text = SOURCE.read_text(encoding="utf-8")
        pairs = re.findall(r"([^|]+)\|([^|\n]+)\n", re.search(r'R"\((.*?)\)"', text, re.S)[1] + "\n")
        english, french = ((QUOTES / f"quotes.{end}").read_text(encoding="utf-8").splitlines() for end in ("en", "fr"))
        self.assertEqual([(source.replace("\n", " "), target) for source, target in pairs], list(zip(english, french)))

    def test_wrong_arguments(self):
        for arguments in ["x"], [""], ["check", "x"], ["reverse", "pre", "post"], ["dump", ""], ["pre"]:
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertRegex(done.stderr, r"^usage: [^\n]*\n$")


class Reversal(unittest.TestCase):
    def test_at_least_99_of_100_unseen_rows_are_reversed(self):
        for placement in "post", "pre":
            done = run("reverse", placement)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            greedy, asked, by_beams = map(int, re.search(r"^(\d+) of (\d+) right, (\d+) with 4 beams$", done.stdout, re.M).groups())
            self.assertEqual(asked, 500)
            self.assertGreaterEqual(min(greedy, by_beams), 0.99 * asked, placement)
            for row, answer in re.findall(r"^   ([\d ]+)\n-> ([\d ]+)$", done.stdout, re.M):
                self.assertEqual(answer, row[::-1])
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), WIDEST)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop(1)
    unittest.main()
