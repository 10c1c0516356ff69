#!/usr/bin/env python3
"""Tests docs/tools/tables.py: the table of the twins with nothing, something and everything measured."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "docs" / "tools"), str(ROOT / "tests" / "measure" / "bench")]
import tables
import twins


def run(bleu, end, says="Ein Hund."):
    return {"bleu": bleu, "curve": [[1, 9.0], [2, end]], "says": says}


COSTS = {"epochs": 8, "pairs": 29000, "test_sentences": 1000, "test": "test_2016_flickr", "beam_size": 5, "sentence": "A dog.",
         "right": {"runs": [run(30.0, 2.0), run(31.0, 2.2)]},
         "no-scale": {"lost": 0.5, "runs": [run(29.5, 2.01), run(30.5, 2.2)]},
         "doubled-index": {"lost": 3.0, "runs": [run(27.0, 2.1, "Ein | Hund")]}}


class Tables(unittest.TestCase):
    def test_each_twin_that_trains_has_its_words_and_its_judges(self):
        self.assertEqual(set(tables.TWINS), set(twins.names(ROOT)))
        for name in tables.TWINS:
            self.assertTrue(tables.judges(ROOT, name)[0], name)

    def test_a_judge_that_rejects_in_one_chapter_is_not_called_blind(self):
        reject, blind = tables.judges(ROOT, "no-scale")  # blind in chapter 03, not in chapter 07
        self.assertIn("dual-numbers", reject)
        self.assertEqual(blind, ["finite-differences"])
        self.assertFalse([word for word in reject if word.startswith("-")])

    def test_each_line_of_the_plain_transformer_after_its_head_belongs_to_one_section(self):
        rows = tables.plain_sections(ROOT, {}).splitlines()[2:]
        ends = [tuple(map(int, row.split("|")[1].split(" to "))) for row in rows]
        self.assertTrue(all(before + 1 == after for (_, before), (after, _) in zip(ends, ends[1:])))
        self.assertEqual(ends[-1][1], len((ROOT / "chapters/plain/transformer.cpp").read_text(encoding="utf-8").splitlines()))
        linked = {number for row in rows for number in re.findall(r"\[(\d\d)\]", row)}
        self.assertEqual(linked, {f"{number:02}" for number in range(12)})
        self.assertIn(" | attention | 3.2 | [03](../03_attention/README.md), [04](../04_masks/README.md) |", rows[3])

    def test_the_compilers_of_the_page_are_those_of_the_check(self):
        lines = tables.compilers(ROOT, {}).splitlines()
        self.assertIn("| Debian 12 | clang 14 | libstdc++, libc++ |", lines)
        self.assertIn("| Debian 13 | g++ 14 | libstdc++ |", lines)
        checked = [line for line in (ROOT / "tests/compilers/compilers.txt").read_text(encoding="utf-8").splitlines() if line.startswith(tuple(tables.SYSTEMS))]
        self.assertEqual(sum(line.count("++,") + line.count("++ |") for line in lines), len(checked))

    def test_nothing_measured(self):
        text = tables.twin_costs(ROOT, {})
        self.assertTrue(text.startswith("Nothing has been measured yet"))
        self.assertEqual(text.count("not measured yet |"), len(tables.TWINS))
        self.assertEqual(tables.twin_sentences(ROOT, {}), "Nothing has been measured yet.")

    def test_what_is_measured_comes_first_and_the_rest_is_named(self):
        lines = tables.twin_costs(ROOT, {"twins": COSTS}).split("\n")
        self.assertIn(f"Measured: 2 of {len(tables.TWINS)} twins. Not measured yet: `sample-variance`", lines[0])
        self.assertIn("30.50 BLEU (seeds: 2)", lines[0])
        self.assertTrue(lines[4].startswith("| `doubled-index` |"))
        self.assertTrue(lines[4].endswith("| 3.00 | 27.00 | 1 | 2.10, a little higher |"))
        self.assertTrue(lines[5].endswith("| 0.50 | 30.00 | 2 | 2.10, like the right one |"))
        self.assertEqual(len(lines), 4 + len(tables.TWINS))

    def test_the_words_for_a_curve(self):
        for end, words in ((2.02, "like"), (2.2, "a little higher"), (1.5, "much lower"), (1.8, "a little lower"), (7.0, "much higher")):
            self.assertIn(words, tables.seen([run(1, end)], [run(1, 2.0)]))

    def test_a_translation_cannot_break_its_cell(self):
        self.assertIn("| `doubled-index` | Ein \\| Hund |", tables.twin_sentences(ROOT, {"twins": COSTS}))


if __name__ == "__main__":
    unittest.main()
