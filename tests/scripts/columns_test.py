#!/usr/bin/env python3
"""Tests docs/tools/columns.py: quoted code with narrow and wide lines, and what is no quoted code."""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "tools"))
import columns

PAGE = """# A page

<!-- code: norm.cpp norm -->
```cpp
{}
```
<!-- end -->
"""


class Columns(unittest.TestCase):
    def test_a_line_above_96_columns_is_found_with_its_line_block_and_width(self):
        self.assertEqual(columns.wide_lines(PAGE.format("x" * 96)), [])
        self.assertEqual(columns.wide_lines(PAGE.format("int a;\n  " + "x" * 95)), [(6, "norm.cpp norm", 97, "x" * 95)])
        self.assertEqual(columns.wide_lines(PAGE.format("x" * 97), width=97), [])

    def test_every_block_of_a_page_is_read(self):
        page = PAGE.format("x" * 97) + "\n" + PAGE.replace("norm", "sum").format("y" * 98)
        self.assertEqual([(wide.line, wide.block) for wide in columns.wide_lines(page)], [(5, "norm.cpp norm"), (13, "sum.cpp sum")])

    def test_text_output_and_examples_of_blocks_may_be_wide(self):
        wide = "x" * 200
        for page in (wide, f"```cpp\n{wide}\n```\n", PAGE.replace("code:", "demo:").format(wide), f"````\n{PAGE.format(wide)}````\n"):
            self.assertEqual(columns.wide_lines(page), [])

    def test_columns_are_those_of_a_reader_not_bytes(self):
        self.assertEqual(columns.columns("é" * 96), 96)
        self.assertEqual(columns.columns("e\u0301"), 1)
        self.assertEqual(columns.columns("語"), 2)

    def test_no_cell_of_where_to_change_is_wide_and_a_wide_one_is_found(self):
        page = (ROOT / "docs" / "where-to-change.md").read_text(encoding="utf-8")
        self.assertEqual(columns.wide_cells(page), [])
        self.assertEqual(columns.wide_cells(f"text {'x' * 200}\n| 1 | `a` | {'x' * 121} |\n| {'x' * 120} |"), [(2, 121)])
        wide = page.replace("| the formula, on arrays |", f"| the formula, {'on arrays ' * 12}|")
        self.assertEqual(len(columns.wide_cells(wide)), 1)

    def test_the_program_names_page_and_block_and_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            for text, status, said in ((PAGE.format("x" * 97), 1, "a.md:5: 97 columns, norm.cpp norm: xxx"),
                                       (PAGE.format("x"), 0, "columns: 1 pages, 0 lines above 96 in 0 quoted blocks")):
                (root / "a.md").write_text(text, encoding="utf-8")
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    self.assertEqual(columns.main([], root), status)
                self.assertIn(said, out.getvalue())


if __name__ == "__main__":
    unittest.main()
