#!/usr/bin/env python3
"""Tests portuguese.py with a program that only notes what it is asked, and the sentences of everyday.tsv."""
import json
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import portuguese  # noqa: E402

PROGRAM = """#!/bin/sh
echo "$@" >> {asked}
case "$1" in
translate) shift 9; if [ "$1" = --input ]; then sed 's/^/pt /' "$2"; else for text in "$@"; do echo "pt $text"; done; fi ;;
evaluate) echo 'BLEU|x = 12.34'; echo 'chrF2|x = 56.78' ;;
train) mkdir -p "$6" && touch "$6/report.html"
  echo '{{"event": "step", "step": 1, "loss": 2}}' > "$8"; echo '{{"event": "end", "seconds": 90}}' >> "$8" ;;
esac
"""


class Portuguese(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.folder = Path(keep.name)
        self.program = self.folder / "gradus"
        self.program.write_text(PROGRAM.format(asked=self.folder / "asked"))
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    def asked(self):
        return (self.folder / "asked").read_text().splitlines()

    def test_everyday_sentences_are_a_hundred_pairs_that_the_old_text_lacks(self):
        portuguese.everyday(self.folder)
        sides = [(self.folder / f"general.{language}").read_text(encoding="utf-8").splitlines() for language in portuguese.LANGUAGES]
        for side in sides:
            self.assertEqual(len(set(side)), 100)
        self.assertTrue(all(a != b for a, b in zip(*sides)))
        self.assertFalse(set(sides[0]) & set(portuguese.made_sentences(portuguese.OLD_SENTENCES, portuguese.OLD_SEED)))

    def test_old_text_is_what_the_student_says_and_is_made_once(self):
        with mock.patch.object(portuguese, "OLD_SENTENCES", 7):
            for _ in range(2):
                portuguese.made_old_text(self.program, self.folder)
        source, target = [(self.folder / f"old.{language}").read_text(encoding="utf-8").splitlines() for language in portuguese.LANGUAGES]
        self.assertEqual((len(source), target), (7, ["pt " + line for line in source]))
        self.assertEqual(len(self.asked()), 1)

    def test_each_way_to_train_has_its_options_its_scores_and_its_minutes(self):
        expected = {"packages": {"bleu": 12.34, "chrf2": 56.78}, "everyday": {"bleu": 12.34, "chrf2": 56.78}, "steps": 1, "minutes": 1.5}
        for name, has, lacks in (("alone", "--preset fine-tune", "--mix"), ("mixed", f"--mix-source {self.folder}/old.en", "--freeze"),
                                 ("frozen", "--freeze-encoder", "--freeze-decoder")):
            self.assertEqual(portuguese.trained(self.program, self.folder, name), expected)
            line = next(line for line in reversed(self.asked()) if line.startswith("train"))
            self.assertIn("--init-from en-pt", line)
            self.assertIn(has, line)
            self.assertNotIn(lacks, line)
        count = len(self.asked())
        portuguese.trained(self.program, self.folder, "alone")
        self.assertEqual(len(self.asked()), count)
        self.assertEqual(json.loads((self.folder / "scores-mixed.json").read_text())["everyday"]["bleu"], 12.34)

    def test_texts_are_cut_to_as_many_pairs_as_are_told(self):
        for part in portuguese.PAIRS:
            for language in portuguese.LANGUAGES:
                portuguese.write(self.folder / f"{part}.{language}", [f"{language} {i}" for i in range(4000)])
        portuguese.shorten(self.folder)
        for part, count in portuguese.PAIRS.items():
            for language in portuguese.LANGUAGES:
                self.assertEqual(portuguese.lines_of(self.folder / f"{part}.{language}"), [f"{language} {i}" for i in range(count)])

    def test_examples_stand_beside_their_reference(self):
        for language, word in zip(portuguese.LANGUAGES, ("source", "reference")):
            portuguese.write(self.folder / f"test.{language}", [f"{word} {i}" for i in range(5)])
        shown = portuguese.examples(self.program, self.folder)
        self.assertEqual(list(shown), ["1", "2", "3"])
        self.assertEqual(shown["2"], {"source": "source 1", "reference": "reference 1", "before": "pt source 1", "after": "pt source 1"})


if __name__ == "__main__":
    unittest.main()
