#!/usr/bin/env python3
"""Tests docs/tools/figures.py: it finds the numbers of a page by the words around them, or says what is missing."""
import random
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "tools"))
import figures
import markdown
import wording

MEASURED = {"model": {"bleu": 39.931, "chrf2": 64.12, "parameters": 3125760, "share": 0.26, "rate": "872 (820 to 877)", "met": ""}, "beam": {"1": 38, "5": 40}}
PAGE = """# Page

It has 3,125,760 parameters, scores
39.93 BLEU, and 64.1 chrF2.

## One thread

| beam | BLEU |
|---|---|
| 5 | 40 |

## Two threads

| beam | BLEU |
|---|---|
| 5 | 38 |
"""
LINES = """It has {model.parameters:,} parameters, scores {.bleu:.2f} BLEU, and {.chrf2:.1f} chrF2.
## One thread
| 5 | {beam.5} |
## Two threads
| 5 | {beam.1} |
"""


def values(page=PAGE, lines=LINES):
    numbered = [(f"x.txt:{number}", line) for number, line in enumerate(lines.split("\n"), 1) if line.strip()]
    return figures.values(page, numbered, MEASURED)


def shown(page=PAGE, lines=LINES):
    """[(name, what the page says, what it should say)]"""
    found, problems = values(page, lines)
    assert not problems, problems
    return [(value.name, page[value.start:value.end], value.new) for value in found]


class Figures(unittest.TestCase):
    def assert_complains(self, complaint, page=PAGE, lines=LINES):
        problems = values(page, lines)[1]
        self.assertIn(complaint, "\n".join(problems))
        self.assertEqual(len(problems), 1, problems)

    def test_numbers_are_found_by_the_words_around_them_wherever_lines_break(self):
        expected = [("model.parameters", "3,125,760", "3,125,760"), ("model.bleu", "39.93", "39.93"), ("model.chrf2", "64.1", "64.1"),
                    ("beam.5", "40", "40"), ("beam.1", "38", "38")]
        self.assertEqual(shown(), expected)
        self.assertEqual(shown(PAGE.replace(" BLEU, and", "\nBLEU, and")), expected)

    def test_a_stale_page_is_renewed(self):
        stale = PAGE.replace("39.93", "1.0").replace("3,125,760", "7").replace("| 38 |", "| 40.5e-3 |")
        self.assertEqual(figures.renewed(stale, values(stale)[0]), PAGE)

    def test_a_number_counts_as_a_whole(self):
        for page, said in (("at -3.5%, so", "-3.5%"), ("at 1,234,567.8, so", "1,234,567.8"), ("at 12. So", "12"), ("at 2e-05.", "2e-05")):
            self.assertEqual(shown(page, "at {model.share:.0%}"), [("model.share", said, "26%")])
        self.assert_complains("x.txt:1: the page has no", "at 39.9.3 so", "at {model.bleu}")
        self.assert_complains("x.txt:1: the page has no", "some 139.93 BLEU", "some 1{model.bleu} BLEU")

    def test_words_are_values_too_if_words_stand_on_both_sides(self):
        row = "| {model.rate} | {.met} |"
        self.assertEqual(shown("| 7 (5 to 9) |  |", row), [("model.rate", "7 (5 to 9)", "872 (820 to 877)"), ("model.met", "", "")])
        for line in ("{model.rate} words", "rate {model.rate}"):
            self.assert_complains("model.rate is no number, so words of the page have to stand before it and behind it", "rate 7 words", line)

    def test_words_that_are_gone_are_named_with_the_nearest_line(self):
        self.assert_complains('x.txt:1: the page has no "It has 3,125,760 parameters, scores 39.93 BLEU, and 64.1 chrF2."; '
                              "nearest is line 3: It has 3,125,760 weights, scores", PAGE.replace("parameters", "weights"))

    def test_words_that_stand_twice_are_named(self):
        self.assert_complains('x.txt:1: "It has 3,125,760 parameters, scores 39.93 BLEU, and 64.1 chrF2." stands 2 times on the page, in lines 3 and 17',
                              PAGE + "It has 1 parameters, scores 2 BLEU, and 3 chrF2.\n")
        self.assert_complains('"| 5 | 40 |" stands 2 times on the page, in lines 10 and 16', lines=LINES.replace("## One thread\n", ""))

    def test_below_a_heading_that_is_gone_nothing_is_sought(self):
        self.assert_complains('x.txt:2: the page has no "## One thread"; nearest is line 6: ## On one thread', PAGE.replace("## One", "## On one"))

    def test_a_place_ends_at_the_next_one_and_at_a_heading(self):
        page = PAGE.replace("## Two threads", "With two:")
        self.assertEqual(shown(page, LINES.replace("## Two threads", "With two:")), shown())
        self.assert_complains("x.txt:3: the page has no", lines="It has\n## One thread\n| 5 | {beam.5} | 6 |")

    def test_an_indented_line_continues_the_one_above(self):
        page = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
        lines = "|---|---|\n    | {beam.1} | {beam.5} |\n    | {beam.1} | {beam.5} |\n"
        self.assertEqual([said for _, said, _ in shown(page, lines)], ["1", "2", "3", "4"])

    def test_a_name_that_is_not_there_and_a_format_that_does_not_fit_are_named(self):
        self.assert_complains("x.txt:1: model.blue is not in docs/records/measured.json", lines=LINES.replace(".bleu", ".blue"))
        self.assert_complains("model.own.bleu is not in", lines=LINES.replace("{.bleu", "{.own.bleu"))
        self.assert_complains("x.txt:1: model.bleu: ", lines=LINES.replace(":.2f", ":d"))

    def test_a_line_that_is_not_understood_is_named(self):
        for line in ("scores {bleu} BLEU", "scores {model.bleu BLEU", "scores {model.bleu:.2f} BLEU, {and"):
            self.assert_complains("x.txt:1: expected words of the page with {NAME}", lines=line)

    def test_a_number_has_one_line(self):
        lines = LINES.split("\n")[0] + "\n{model.bleu:.2f} BLEU, and"
        self.assert_complains("x.txt:2: line 4 of the page: a line above names this number, too", lines=lines)
        found, problems = figures.values("at 5, then 6", [("x:1", "then {beam.5}"), ("x:2", "at {beam.1}")], MEASURED)  # in another order than the page
        self.assertEqual(([value.new for value in found], problems), (["38", "40"], []))

    def test_code_and_comments_hold_no_figures(self):
        self.assertEqual(shown(PAGE + "```\nIt has 1 parameters, scores 2 BLEU, and 3 chrF2.\n```\n"), shown())
        self.assert_complains("the page has no", "<!-- at 5 -->", "at {beam.5}")

    def test_words_go_on_in_the_next_line_but_not_in_the_next_paragraph(self):
        self.assert_complains("x.txt:1: the words begin in line 1 of the page and go on in another paragraph", "at 5\n\nso", "at {beam.5} so")


class Nearest(unittest.TestCase):
    def nearest(self, words, text):
        return wording.nearest(words, text, 0, len(text))

    def test_it_is_the_line_that_has_the_words_or_in_which_they_begin(self):
        self.assertIn("line 2: alpha beta", self.nearest("alpha beta", "x\nalpha beta\ny\nz\n"))
        self.assertIn("line 2: x alpha", self.nearest("alpha beta gamma", "y\nx alpha\nbeta gamma\nbeta gamma z\n"))
        self.assertIn("line 3: # Alphas", self.nearest("# Alpha", "Alpha\n# Beta\n# Alphas\n# Gamma\n"))

    def test_a_long_line_is_cut(self):
        self.assertEqual(self.nearest("w", "w" * 500), "nearest is line 1: " + "w" * 160)


class Project(unittest.TestCase):
    def test_a_wrong_digit_is_seen_on_every_page(self):
        """A digit of each number in docs/values, one at a time."""
        measured, chance = figures.read(ROOT), random.Random(1)
        for path in markdown.pages(ROOT):
            lines, text = wording.lines_beside(ROOT, "values", path), path.read_text(encoding="utf-8")
            found, problems = figures.values(text, lines, measured)
            self.assertEqual(problems, [])
            numbers = [value for value in found if re.search(r"\d", value.new)]
            for value in chance.sample(numbers, min(4, len(numbers))):
                at = value.start + re.search(r"\d", value.new).start()
                wrong = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1:]
                seen, lost = figures.values(wrong, lines, measured)
                self.assertTrue(lost or any(wrong[one.start:one.end] != one.new for one in seen), f"{path}: {value}")


if __name__ == "__main__":
    unittest.main()
