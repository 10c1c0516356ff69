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
        for end, words in ((2.02, "like"), (2.04, "a little higher"), (2.29, "a little higher"), (2.31, "much higher"), (1.96, "a little lower"), (2.2, "a little higher"), (1.5, "much lower"), (1.8, "a little lower"), (7.0, "much higher")):
            self.assertIn(words, tables.seen([run(1, end)], [run(1, 2.0)]))

    def test_a_warning_has_its_precision_its_recall_and_its_number(self):
        self.assertEqual([tables.warning_cell({"warned": warned, "precision": 0.25, "recall": recall}) for warned, recall in ((7, 0.5), (7, None), (0, 0.5))],
                         ["0.25, 0.50 (7)", "0.25 (7)", "–"])
        number = iter(range(1, 1000))

        def found():
            return {"sentences": next(number), "bad": next(number), **{code: {"warned": next(number), "precision": 0.5, "recall": None} for code in (*tables.WARNINGS, "all")}}
        made = {kind: {"own": found(), "garbage": found()} for kind in tables.TEXTS}
        rows = tables.warning_kinds(ROOT, {"warnings": {"made": made, **found(), "garbage": found()}}).split("\n")[4:]
        self.assertEqual([int(row.split(" | ")[1]) for row in rows], [97, 105, *range(1, 97, 8)])
        self.assertEqual(rows[2], "| made words into Japanese | 1 | 2 | " + " | ".join(f"0.50 ({n})" for n in range(3, 9)) + " |")
        self.assertEqual(tables.warning_kinds(ROOT, {}), "Nothing has been measured yet.")

    def test_a_share_stands_in_the_row_of_its_part_and_the_column_of_its_work(self):
        works = {work: {part: 10 * i + j / 10 for j, part in enumerate(tables.PARTS)} for i, work in enumerate(tables.WORKS, 1)}
        lines = tables.time_shares(ROOT, {"time_shares": {"kind": "a processor", "date": "today", "works": works}}).split("\n")
        self.assertEqual(lines[0], "Percent of the time of each work, on one thread of a processor, today:")
        self.assertEqual(lines[4], "| " + list(tables.PARTS.values())[0] + " | 10.0 | 20.0 | 30.0 | 40.0 | 50.0 |")
        self.assertEqual(lines[6], "| " + list(tables.PARTS.values())[2] + " | 10.2 | 20.2 | 30.2 | 40.2 | 50.2 |")

    def test_a_translation_cannot_break_its_cell(self):
        self.assertIn("| `doubled-index` | Ein \\| Hund |", tables.twin_sentences(ROOT, {"twins": COSTS}))


if __name__ == "__main__":
    unittest.main()
