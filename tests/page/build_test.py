#!/usr/bin/env python3
"""Tests how page/build.py joins modules and descriptions: each module once, behind those that it needs; a circle is an error."""
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "page"))
import build


class Bundle(unittest.TestCase):
    def bundled(self, **modules):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in modules.items():
                (Path(folder) / f"{name}.mjs").write_text(text, encoding="utf-8")
            return build.bundled(Path(folder), "main.mjs")

    def test_each_module_stands_once_behind_those_that_it_needs(self):
        text = self.bundled(main='import { a } from "./a.mjs";\nimport { b } from "./b.mjs";\nb(a);\n', a='import { b } from "./b.mjs";\nexport const a = b;\n',
                            b="export function b() {}\n")
        self.assertEqual(text.split(), "function b() {} const a = b; b(a);".split())

    def test_modules_that_import_each_other_are_an_error(self):
        with self.assertRaisesRegex(SystemExit, "import each other"):
            self.bundled(main='import { a } from "./a.mjs";\n', a='import { b } from "./b.mjs";\n', b='import { a } from "./a.mjs";\n')

    def test_the_script_of_the_page_has_no_import_left_and_every_chapter(self):
        text = build.script(ROOT)
        self.assertNotRegex(text, r"(?m)^(import|export) ")
        for chapter in build.chapters(ROOT):
            self.assertIn(f'"{chapter}": {{', text)

    def test_a_mistake_has_the_words_of_its_chapter_first(self):
        mistakes = build.description(ROOT, "05_layer_norm")["mistakes"]
        self.assertEqual(mistakes["no-epsilon"]["words"], "No epsilon is added to the variance, so a constant row gives no finite number.")
        self.assertIn("-finite-differences", mistakes["sample-deviation"]["judges"])


if __name__ == "__main__":
    unittest.main()
