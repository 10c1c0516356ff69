#!/usr/bin/env python3
"""Tests that docs/tools/claims.py rejects sources that the texts do not bear out, and statements without a source."""
import contextlib
import io
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "tools"))
import claims

TEXT = "A title\n\nThe norm comes\nafter the sum.\n    x = self.norm1(x + _x)\n"
SOURCES = 'add first.\n    from-zero 3-4 "comes after"\n    umar-jamil 5 "norm1(x + _x)"\nNothing here.\n    nothing\n'
LESSON = "# Norm\n\nTwo tutorials\nadd first.\n\n## What public tutorials get wrong\n\n- Nothing here.\n"
TUTORIAL = "# Zero\n\n| what | here |\n|---|---|\n| the norm | 05 |\n"
ROW = '| the norm |\n    3 "The norm"\n'


def check(page, sources=SOURCES, name="chapters/05_norm/README.md", texts=True, beside=None):
    """(exit status, complaints, last line)"""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        files = {root / name: page, root / "docs/claims" / (beside or name.replace(".md", ".txt")): sources}
        for prefix in claims.TEXTS.values() if texts else ():
            files[Path(folder) / "shared" / "seeds" / f"{prefix}_abc.txt"] = TEXT
        for file, text in files.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        output, errors = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", ["claims.py", "--root", str(root)]), mock.patch.dict("os.environ", clear=True), \
                contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = claims.main()
        return status, errors.getvalue(), output.getvalue()


class Claims(unittest.TestCase):
    def assert_complains(self, complaint, page, sources=SOURCES, **where):
        status, errors, _ = check(page, sources, **where)
        self.assertIn(complaint, errors)
        self.assertEqual(status, 1)

    def test_true_sources_pass(self):
        self.assertEqual(check(LESSON), (0, "", "claims: 3 sources, 0 problems\n"))
        self.assertEqual(check(TUTORIAL, ROW, name="docs/tutorials/from-zero.md"), (0, "", "claims: 1 sources, 0 problems\n"))

    def test_words_that_do_not_stand_in_the_line_are_named(self):
        self.assert_complains('from-zero 3 has no "comes after"', LESSON, SOURCES.replace("3-4", "3"))
        self.assert_complains('umar-jamil 4 has no "norm1(x + _x)"; line 5 has', LESSON, SOURCES.replace("jamil 5", "jamil 4"))
        self.assert_complains("no line has", LESSON, SOURCES.replace("comes after", "comes before"))
        self.assert_complains('from-zero has "the NORM"', LESSON, SOURCES.replace('3-4 "comes after"', 'never "the NORM"'))
        self.assertEqual(check(LESSON, SOURCES.replace('3-4 "comes after"', 'never "dropout"'))[0], 0)

    def test_a_statement_without_a_source_is_named(self):
        head, _, rest = SOURCES.partition("Nothing here.")
        self.assert_complains("README.md:3: speaks of a tutorial without a source", LESSON, "Nothing here." + rest)
        self.assert_complains("README.md:8: speaks of a tutorial", LESSON, head)
        self.assert_complains("README.md:3: speaks", "# A\n\nIn from-zero it is so.\n", "")
        self.assert_complains("README.md:4: speaks", "| a | b |\n|---|---|\n| fine | 1 |\n| umar-jamil | 2 |\n", "")
        self.assert_complains("from-zero.md:5: speaks", TUTORIAL, "", name="docs/tutorials/from-zero.md")

    def test_sources_serve_their_own_row_item_or_paragraph_only(self):
        nothing = "One\n    nothing\n"
        self.assert_complains("README.md:2: speaks", "- One tutorial.\n- Another tutorial.\n", nothing)
        self.assert_complains("README.md:3: speaks", "One tutorial.\n\nA tutorial.\n", nothing)

    def test_sources_of_a_head_serve_the_rows_of_its_table(self):
        table = "| name | score |\n|---|---|\n| from-zero | 1 |\n| umar-jamil | 2 |\n"
        self.assertEqual(check(table, "| name | score |\n    nothing\n")[0], 0)
        self.assert_complains("README.md:8: speaks", table + "\n" + table.replace("| name", "| other"), "| name | score |\n    nothing\n")

    def test_links_code_and_fences_are_no_statement(self):
        page = "See [from-zero](from-zero.md) and `--preset from-zero`.\n\n```\nfrom-zero\n```\n"
        self.assertEqual(check(page, "")[0], 0)

    def test_as_many_sources_as_tutorials(self):
        self.assert_complains("says 3 tutorials, has sources in 2", LESSON.replace("Two tutorials", "Three of the five tutorials"))
        self.assert_complains("says 3 tutorials, has sources in 2", LESSON.replace("Two tutorials", "Three of the five"))
        self.assert_complains("says 2 tutorials, has sources in 1", LESSON, re.sub("    umar-jamil .*\n", '    from-zero never "dropout"\n', SOURCES))  # two of one

    def test_a_source_that_nobody_understands_is_named(self):
        self.assert_complains("not understood: from-zero \"comes", LESSON, SOURCES.replace("from-zero 3-4", "from-zero"))
        self.assert_complains("not understood: nothing", LESSON, SOURCES.replace('umar-jamil 5 "norm1(x + _x)"', "nothing"))
        self.assert_complains("no tutorial of that name", LESSON, SOURCES.replace("from-zero", "from-one"))
        self.assert_complains('README.txt:6: no source below "Two tutorials"', LESSON, SOURCES + "Two tutorials\n")

    def test_words_that_stand_not_once_on_the_page_are_named(self):
        self.assert_complains('README.txt:1: the page has no "add first."; nearest is line 4: add second.', LESSON.replace("first", "second"))
        self.assert_complains('"add first." stands 2 times on the page, in lines 4 and 10', LESSON + "\nTo add first.\n")
        self.assert_complains('"# Norm" stands in no paragraph', LESSON, SOURCES + "# Norm\n    nothing\n")

    def test_a_file_without_a_page_is_named(self):
        self.assert_complains("docs/claims/a/b.txt: no page a/b.md", LESSON, beside="a/b.txt")

    def test_a_folder_of_texts_that_is_not_there_is_an_error(self):
        with mock.patch.object(sys, "argv", ["claims.py", "--texts", "/nowhere"]), self.assertRaisesRegex(SystemExit, "no folder /nowhere"):
            claims.main()

    def test_without_the_texts_the_form_is_checked_and_the_script_says_so(self):
        status, errors, output = check(LESSON, SOURCES.replace("3-4", "1"), texts=False)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("not compared with the texts: no folder", output)
        self.assert_complains("speaks of a tutorial", LESSON, "", texts=False)


if __name__ == "__main__":
    unittest.main()
