#!/usr/bin/env python3
"""Tests that the check of the formulas can fail: each mistake that GitHub or MathJax punishes is planted once."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "tools"))
import formulas


def problems(text, mathjax=False):
    page = formulas.Page("page.md", text)
    if mathjax:
        formulas.set_by_mathjax([page])
    return "\n".join(page.problems)


class Formulas(unittest.TestCase):
    def assert_complains(self, complaint, text, mathjax=False):
        self.assertIn(complaint, problems(text, mathjax))

    def assert_changes(self, before, after, text):
        self.assert_complains(formulas.CHANGED.format(before, after), text)

    def test_formulas_that_come_out_unchanged_pass(self):
        for text in ("a $x_1$, ($y^2$) and $`\\{z\\,w\\}`$.\n", "- $a_{i}$: $`b\\;`$\n\n| $c$ | $`\\{d\\}`$ |\n|---|---|\n| $e$ | 5 |\n",
                     "```math\n\\begin{aligned} a &= b \\\\ c &= d \\end{aligned} \\tag{eq:5.1}\n```\n",
                     "`$PATH`, ``$`x`$``\n\n    echo $HOME $$\n\n```sh\necho $x$y\n```\n<!-- $a$b -->\n", "$a < b$ and $s_i$ and $s_j$, *words*\n"):
            self.assertEqual(problems(text, mathjax=True), "", text)

    def test_backslashes_before_punctuation_are_lost(self):
        self.assert_changes("x\\,w", "x,w", "$x\\,w$\n")
        self.assert_changes("\\{a\\}", "{a}", "$\\{a\\}$\n")

    def test_emphasis_links_and_html_inside_a_formula(self):
        self.assert_changes("_a", "no formula", "$_a$ and $b_$\n")
        self.assert_changes("a *b* c", "no formula", "$a *b* c$\n")
        self.assert_changes("[a](b)", "no formula", "$[a](b)$\n")
        self.assert_changes("a <b > c", "no formula", "$a <b > c$\n")
        self.assert_complains("needs spaces around < and >", "$a<b$\n")

    def test_a_bar_ends_the_cell_of_a_table(self):
        self.assert_changes("a | b", "no formula", "| x | y |\n|---|---|\n| $a | b$ | c |\n")
        self.assert_changes("\\|a\\|", "|a|", "| x | y |\n|---|---|\n| $`\\|a\\|`$ | c |\n")

    def test_what_may_stand_beside_a_dollar(self):
        for text in ("-$x$\n", "$x$-axis\n", "$x$'s\n", "**$x$**\n", "5$x$\n", "$x$5\n", "[$x$](https://a.b)\n", "$ x$\n", "$x $\n"):
            self.assert_changes("x", "no formula", text)
        self.assert_changes("x", "no formula", "a$`x`$\n")

    def test_dollars_without_a_formula_and_double_dollars(self):
        for text in ("it costs $5\n", "$$\nx\n$$\n", "$$x$$\n", "$a\n\nb$\n"):
            self.assert_complains("belongs to no formula", text)

    def test_broken_lines_and_fences_in_lists(self):
        self.assert_complains("page.md:2: $a +\nb$ is broken over two lines", "\n$a +\nb$\n")
        self.assert_complains("inside a list", "- a\n\n  ```math\n  x\n  ```\n")

    def test_what_mathjax_cannot_set(self):
        for complaint, text in (("page.md:3: Missing close brace", "a\n\n$\\frac{a$ b\n"), ("Double subscripts", "$a_1_2$\n"),
                                ("Undefined control sequence \\foo", "```math\n\\foo\n```\n"),
                                ("Extra \\left or missing \\right", "$`\\left( a`$\n"),
                                ("GitHub refuses \\operatorname", "$\\operatorname{a} b$\n")):
            self.assert_complains(complaint, text, mathjax=True)


if __name__ == "__main__":
    unittest.main()
