#!/usr/bin/env python3
"""Tests page/build.py: how it joins modules and descriptions, and the files that it writes."""
import base64
import contextlib
import gzip
import io
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

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
                            b="export async function b() {}\n")
        self.assertEqual(text.split(), """const modules = []; modules[0] = (() => { async function b() {} return { b }; })();
            modules[1] = (() => { const { b } = modules[0]; const a = b; return { a }; })();
            modules[2] = (() => { const { a } = modules[1]; const { b } = modules[0]; b(a); return { }; })();""".split())

    def test_modules_of_other_folders_may_have_the_same_names(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"page/main.mjs": "import { x } from '../app/x.mjs';\nimport { y } from \"./x.mjs\";\n", "app/x.mjs": "export const x = 1;\n",
                               "page/x.mjs": "export class y {}\n"}.items():
                (Path(folder) / name).parent.mkdir(exist_ok=True)
                (Path(folder) / name).write_text(text, encoding="utf-8")
            self.assertEqual(build.modules(Path(folder), "page/main.mjs", {}), {"app/x.mjs": True, "page/x.mjs": True, "page/main.mjs": True})

    def test_modules_that_import_each_other_are_an_error(self):
        with self.assertRaisesRegex(SystemExit, "import each other"):
            self.bundled(main='import { a } from "./a.mjs";\n', a='import { b } from "./b.mjs";\n', b='import { a } from "./a.mjs";\n')

    def test_the_scripts_of_the_pages_have_no_import_left_and_every_chapter(self):
        made = build.scripts(ROOT)
        self.assertEqual(list(made), ["live", "model", "translator"])
        for text in made.values():
            self.assertNotRegex(text, r"(?m)^(import|export) ")
        for chapter in build.chapters(ROOT):
            self.assertIn(f'"{chapter}": {{', made["live"])

    def test_a_mistake_has_the_words_of_its_chapter_first(self):
        mistakes = build.description(ROOT, "05_layer_norm")["mistakes"]
        self.assertEqual(mistakes["no-epsilon"]["words"], "No epsilon is added to the variance, so a constant row gives no finite number.")
        self.assertIn("-finite-differences", mistakes["sample-deviation"]["judges"])

    def test_a_mistake_has_its_own_words_before_those_of_other_chapters_and_needs_some(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"page/lessons/05_b.json": '{"blocks": {}, "mistakes": {"mine": "own words"}}',
                               "tests/wrong/x.hpp": "/// twin: mine 05_b own golden\n/// twin: theirs 05_b own -parity golden\n"
                                                    "/// twin: other 06_c own golden\n/// twin: mute 05_b own golden\n/// twin: both 05_b own contract\n",
                               "exercises/05_b/a.toml": '[mistakes]\nmine = "the exercise"\nboth = "of chapter five"\n',
                               "exercises/06_c/a.toml": '[mistakes]\ntheirs = "from six"\nother = "six"\nboth = "of chapter six"\n'}.items():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_text(text, encoding="utf-8")
            self.assertEqual(build.description(Path(folder), "05_b")["mistakes"],
                             {"mine": {"words": "Own words", "judges": ["golden"]}, "theirs": {"words": "From six", "judges": ["-parity", "golden"]},
                              "both": {"words": "Of chapter five", "judges": ["contract"]}})


class Pages(unittest.TestCase):
    def built(self, folder):
        output = folder / "out/page"
        for name in build.ENGINES:
            (folder / f"{name}.js").write_text(f"the engine {name}\n", encoding="utf-8")
            (folder / f"{name}.wasm").write_bytes(f"its code {name}".encode())
        with mock.patch.object(sys, "argv", ["build.py", "--engines", str(folder), "--output", str(output)]), contextlib.redirect_stdout(io.StringIO()) as said:
            build.main()
        return output, said.getvalue()

    def test_every_lesson_has_a_page_with_its_blocks_as_the_chapter_prints_them(self):
        with tempfile.TemporaryDirectory() as folder:
            output, said = self.built(Path(folder))
            chapters = [path.stem for path in sorted((ROOT / "page/lessons").glob("*.json"))]
            self.assertEqual(said, f"{output}/index.html: {len(chapters)} live lessons\n")
            self.assertEqual(sorted(path.name for path in output.iterdir()),
                             sorted([*(f"{chapter}.html" for chapter in chapters), "engine.js", "index.html", "live.css", "live.js", "mistakes.js", "model.html", "model.js", "site.css",
                                     "translator.css", "translator.html", "translator.js", "translator_engine.js",
                                     *(f"{name}.{i}.js" for name, model in build.models(ROOT).items() for i in range(model["parts"]))]))
            self.check_models(output)
            for built, name in build.ENGINES.items():
                text, packed = re.fullmatch(rf'(.*\n)gradus_{built}\.packed = "(.*)";\n', (output / name).read_text(encoding="utf-8")).groups()
                self.assertEqual((text, gzip.decompress(base64.b64decode(packed))), (f"the engine {built}\n", f"its code {built}".encode()))
            for name, source in {"live.css": ROOT / "page/live.css", "site.css": ROOT / "docs/site/site.css"}.items():
                self.assertEqual((output / name).read_bytes(), source.read_bytes())
            index = (output / "index.html").read_text(encoding="utf-8")
            self.assertEqual(re.findall(r'<li><a href="(.*?)\.html">(\d\d|The)', index), [*((chapter, chapter[:2]) for chapter in chapters), ("model", "The"), ("translator", "The")])
            self.assertIn('<div id="walk"></div>', (output / "model.html").read_text(encoding="utf-8"))
            self.assertIn('<script src="model.js" defer></script>', (output / "model.html").read_text(encoding="utf-8"))
            self.assertRegex((output / "translator.html").read_text(encoding="utf-8"), 'href="translator.css">\\n<script src="translator.js" defer></script>')
            self.assertNotIn("<script src", index)
            for chapter in chapters:
                self.check_page((output / f"{chapter}.html").read_text(encoding="utf-8"), chapter)

    def check_models(self, output):
        models = build.models(ROOT)
        self.assertEqual([(name, model["title"], model["examples"][1]) for name, model in models.items()],
                         [("en-de", "English → German", "Two men are playing guitar on a stage."), ("de-en", "German → English", "Zwei Männer spielen auf einer Bühne Gitarre.")])
        for name, model in models.items():
            parts = [re.fullmatch(rf'\(globalThis\.gradus_parts \?\?= \{{\}}\)\["{name}\.{i}"\] = "(.*)";\n', (output / f"{name}.{i}.js").read_text(encoding="utf-8"))[1]
                     for i in range(model["parts"])]
            files = [(ROOT / "chapters/11_translator/models" / name / file).read_bytes() for file in ("model.json", "subwords.model", "weights.safetensors")]
            self.assertEqual(gzip.decompress(b"".join(map(base64.b64decode, parts))), b"".join(files))
            self.assertEqual(model["bytes"], [len(file) for file in files])

    def check_page(self, text, chapter):
        readme = (ROOT / f"chapters/{chapter}/README.md").read_text(encoding="utf-8")
        title = build.html.escape(readme.split("\n")[0].removeprefix("# "))
        self.assertIn(f"<title>{title} · gradus</title>", text)
        self.assertIn(f"<h1>{title}</h1>", text)
        self.assertIn(f'<script src="live.js" data-chapter="{chapter}" defer></script>', text)
        self.assertRegex(text, 'href="site.css">\n.*href="live.css">')
        listed = json.loads((ROOT / f"page/lessons/{chapter}.json").read_text(encoding="utf-8"))["blocks"]
        shown = re.findall(r'<pre tabindex="0" data-demo="(.*?)"><code>(.*?)</code></pre>', text, re.S)
        self.assertEqual([build.html.unescape(name) for name, _ in shown], list(listed))
        for name, numbers in shown:
            block = f"<!-- demo: {build.html.unescape(name)} -->\n```text\n{build.html.unescape(numbers)}```\n<!-- end -->"
            self.assertIn(block, readme)

    def test_without_an_engine_it_says_how_to_build_one(self):
        with mock.patch.object(sys, "argv", ["build.py", "--engines", "/nowhere"]), self.assertRaisesRegex(SystemExit, "^/nowhere/live.wasm is missing .*make page"):
            build.main()


if __name__ == "__main__":
    unittest.main()
