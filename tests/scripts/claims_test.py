#!/usr/bin/env python3
"""Tests that docs/tools/claims.py rejects marks that the texts do not bear out, and statements without a mark."""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "tools"))
import claims

TEXT = "A title\n\nThe norm comes\nafter the sum.\n    x = self.norm1(x + _x)\n"
MARK = '<!-- says: from-zero 3-4 "comes after"; umar-jamil 5 "norm1(x + _x)" -->'
LESSON = f"# Norm\n\nTwo tutorials add first. {MARK}\n\n## What public tutorials get wrong\n\n- Nothing here. <!-- says: nothing -->\n"
TUTORIAL = '# Zero\n\n| what | here |\n|---|---|\n| the norm | 05 <!-- says: 3 "The norm" --> |\n'


def check(page, name="chapters/05_norm/README.md", texts=True):
    """(exit status, complaints, last line)"""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(page, encoding="utf-8")
        for prefix in claims.TEXTS.values() if texts else ():
            file = Path(folder) / "shared" / "seeds" / f"{prefix}_abc.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(TEXT, encoding="utf-8")
        output, errors = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", ["claims.py", "--root", str(root)]), mock.patch.dict("os.environ", clear=True), \
                contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = claims.main()
        return status, errors.getvalue(), output.getvalue()


class Claims(unittest.TestCase):
    def assert_complains(self, complaint, page, **where):
        status, errors, _ = check(page, **where)
        self.assertIn(complaint, errors)
        self.assertEqual(status, 1)

    def test_true_marks_pass(self):
        self.assertEqual(check(LESSON), (0, "", "claims: 2 marks, 0 problems\n"))
        self.assertEqual(check(TUTORIAL, name="docs/tutorials/from-zero.md"), (0, "", "claims: 1 marks, 0 problems\n"))

    def test_words_that_do_not_stand_in_the_line_are_named(self):
        self.assert_complains('from-zero 3 has no "comes after"', LESSON.replace("3-4", "3"))
        self.assert_complains('umar-jamil 4 has no "norm1(x + _x)"; line 5 has', LESSON.replace("jamil 5", "jamil 4"))
        self.assert_complains("no line has", LESSON.replace("comes after", "comes before"))
        self.assert_complains('from-zero has "the NORM"', LESSON.replace('3-4 "comes after"', 'never "the NORM"'))
        self.assertEqual(check(LESSON.replace('3-4 "comes after"', 'never "dropout"'))[0], 0)

    def test_a_statement_without_a_mark_is_named(self):
        self.assert_complains("README.md:3: speaks of a tutorial without a mark", LESSON.replace(MARK, ""))
        self.assert_complains("README.md:7: speaks of a tutorial", LESSON.replace("<!-- says: nothing -->", ""))
        self.assert_complains("README.md:3: speaks", "# A\n\nIn from-zero it is so.\n")
        self.assert_complains("README.md:4: speaks", "| a | b |\n|---|---|\n| fine | 1 |\n| umar-jamil | 2 |\n")
        self.assert_complains("from-zero.md:5: speaks", TUTORIAL.replace("<!--", "").replace("-->", ""), name="docs/tutorials/from-zero.md")

    def test_a_mark_serves_its_own_row_item_or_paragraph_only(self):
        self.assert_complains("README.md:2: speaks", f"- One tutorial. {MARK}\n- Another tutorial.\n")
        self.assert_complains("README.md:3: speaks", f"A tutorial. {MARK}\n\nA tutorial.\n")

    def test_links_code_and_fences_are_no_statement(self):
        page = "See [from-zero](from-zero.md) and `--preset from-zero`.\n\n```\nfrom-zero\n```\n"
        self.assertEqual(check(page)[0], 0)

    def test_as_many_marks_as_tutorials(self):
        self.assert_complains("says 3 tutorials, has marks of 2", LESSON.replace("Two tutorials", "Three of the five tutorials"))
        self.assert_complains("says 3 tutorials, has marks of 2", LESSON.replace("Two tutorials", "Three of the five"))

    def test_a_mark_that_github_would_show_or_nobody_reads_is_named(self):
        self.assert_complains("at the beginning of a line", f"A tutorial.\n{MARK}\n")
        self.assert_complains("not understood", LESSON.replace("norm1(x + _x)", "a | b"))
        self.assert_complains("not understood", LESSON.replace("from-zero 3-4", "from-zero"))
        self.assert_complains("no tutorial of that name", LESSON.replace("from-zero", "from-one"))
        self.assert_complains("does not end", LESSON.replace(" -->", "->", 1))

    def test_a_folder_of_texts_that_is_not_there_is_an_error(self):
        with mock.patch.object(sys, "argv", ["claims.py", "--texts", "/nowhere"]), self.assertRaisesRegex(SystemExit, "no folder /nowhere"):
            claims.main()

    def test_without_the_texts_the_form_is_checked_and_the_script_says_so(self):
        status, errors, output = check(LESSON.replace("3-4", "1"), texts=False)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("not compared with the texts: no folder", output)
        self.assert_complains("speaks of a tutorial", LESSON.replace(MARK, ""), texts=False)


if __name__ == "__main__":
    unittest.main()
