#!/usr/bin/env python3
"""Tests changes.py: what it says of a recipe and of the files of a change, and, without building, each change of the project."""
import contextlib
import io
import unittest
import unittest.mock

import changes
import page

RECIPE = """
| | file | what goes there |
|---|---|---|
| 1 | `chapters/NN_CHAPTER/LEAF.hpp` | the leaf |
| 2 | `step.hpp`, `tests/list.txt` in `tests/` | a line |
| 3 | `more.hpp` | only if it has more |

Notes.
"""


class Changes(unittest.TestCase):
    def test_a_file_that_no_row_names_and_a_row_without_a_file_are_named(self):
        files = ["chapters/05_layer_norm/rms_norm.hpp", "chapters/run/step.hpp"]
        self.assertEqual(changes.complaints(RECIPE, files), [])
        self.assertEqual(changes.complaints(RECIPE, [*files, "more.hpp"]), [])
        self.assertEqual(changes.complaints(RECIPE, [*files, "one_step.hpp"]), ["no row names one_step.hpp"])
        self.assertEqual(changes.complaints(RECIPE, files[1:]), ["no file for the row | 1 | `chapters/NN_CHAPTER/LEAF.hpp` | the leaf |"])

    def test_each_change_applies_and_is_what_its_recipe_says(self):
        text = changes.RECIPES.read_text(encoding="utf-8")
        for name, change in changes.CHANGES.items():
            with self.subTest(name), contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(changes.compared(name, changes.section(text, change.recipe)), [])
                self.assertEqual(said.getvalue(), f"{name}: {change.most_code} code files, {change.most_files} files\n")
                if name != changes.LEAF:
                    self.assertEqual(changes.patched(name, page.ROOT, "--check"), "")

    def test_a_count_that_grows_is_refused(self):
        small = changes.CHANGES["schedule"]._replace(most_code=0)
        with unittest.mock.patch.dict(changes.CHANGES, schedule=small), contextlib.redirect_stdout(io.StringIO()):
            recipe = changes.section(changes.RECIPES.read_text(encoding="utf-8"), small.recipe)
            self.assertEqual(changes.compared("schedule", recipe), ["schedule: more than 0 code files, or than 3 files"])


if __name__ == "__main__":
    unittest.main()
