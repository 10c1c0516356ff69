#!/usr/bin/env python3
"""Tests docs/tools/excerpts.py, and the width of a table's cells."""
import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "tools"))
import excerpts

MOST_IN_A_CELL = 120  # of columns, so that the table of a page stays a table


def wide_cells(text):
    """(line, columns) of the cells that are too wide."""
    return [(number, excerpts.columns(cell.strip())) for number, line in enumerate(text.split("\n"), 1) if line.startswith("|")
            for cell in line.split("|") if excerpts.columns(cell.strip()) > MOST_IN_A_CELL]


class Excerpts(unittest.TestCase):
    def test_columns_are_those_of_a_reader_not_bytes(self):
        self.assertEqual(excerpts.columns("é" * 96), 96)
        self.assertEqual(excerpts.columns("e\u0301"), 1)
        self.assertEqual(excerpts.columns("語Ａa"), 5)  # wide, full-width, narrow

    def test_a_line_is_wide_above_96_columns(self):
        self.assertFalse(excerpts.is_wide("a\n" + "x" * 96))
        self.assertTrue(excerpts.is_wide("a\n" + "x" * 97 + "\nb"))

    def test_the_same_code_has_the_same_characters(self):
        self.assertTrue(excerpts.same_code("f(a,\n  b);", "f(a, b);\n"))
        self.assertFalse(excerpts.same_code("f(a, b);", "f(a, c);"))

    def test_clang_format_gets_the_code_and_the_project_s_style_with_other_columns(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "clang-format"  # the real one is not everywhere; `make lessons` calls it
            program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\ncat\necho\n')
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            with mock.patch.dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"]):
                said = excerpts.narrow("int a;")
        self.assertIn("ColumnLimit: 96", said)
        self.assertIn("BreakStringLiterals: false", said)
        self.assertNotIn("ColumnLimit: 1", said)
        self.assertIn("BasedOnStyle: Google", said)
        self.assertTrue(said.endswith("}\nint a;"), said)


class Cells(unittest.TestCase):
    def test_no_cell_of_where_to_change_is_wide_and_a_wide_one_is_found(self):
        page = (ROOT / "docs" / "where-to-change.md").read_text(encoding="utf-8")
        self.assertEqual(wide_cells(page), [])
        self.assertEqual(wide_cells(f"text {'x' * 200}\n| 1 | `a` | {'x' * 121} |\n| {'x' * 120} |"), [(2, 121)])


if __name__ == "__main__":
    unittest.main()
