#!/usr/bin/env python3
"""Puts the live lessons together, in build/page: the engine, the scripts as one, and a page for each lesson (`make page`).

    page/build.py [--engines build/wasm/page] [--output build/page]

The site takes the scripts and live.css from there (docs/tools/website/build.py). No module can be loaded from a file, so those of a page become one script.
"""
import argparse
import base64
import gzip
import html
import json
import posixpath
import re
import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/wrong"))

import twin_rows  # noqa: E402

IMPORT = re.compile(r"""^import (\{[^}]*\}) from ["'](\.[^"']+)["'];\n""", re.M)
EXPORT = re.compile(r"^export ((?:async )?(?:const|class|function) (\w+))", re.M)
DEMO = re.compile(r"^<!-- demo: ([^\n]+?) -->\n```text\n(.*?)^```\n<!-- end -->$", re.M | re.S)
ENGINES = {"live": "engine.js", "mistakes": "mistakes.js", "translate": "translator_engine.js"}  # as they are built, and as the page has them
MODELS = "chapters/11_translator/models"
PART_BYTES = 700_000  # of a model, in a script of its own: a page that is a file learns only when a whole script has come


def chapters(root):
    """The chapters with a live lesson."""
    return sorted(path.stem for path in (root / "page/lessons").glob("*.json"))


def path_of(module, name):
    """The path of a module that another one imports."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), name))


def modules(root, module, done):
    """The paths of a module and of those that it imports, each behind those that it needs."""
    if module not in done:
        done[module] = False
        for _, name in IMPORT.findall((root / module).read_text(encoding="utf-8")):
            other = path_of(module, name)
            if modules(root, other, done) and done[other] is False:
                raise SystemExit(f"{module} and {other} import each other")
        done[module] = done.pop(module) or True
    return done


def bundled(root, first):
    """A module and those that it imports as one text: each is a function that returns what it exports."""
    made = list(modules(root, first, {}))
    place = lambda module: f"modules[{made.index(module)}]"
    texts = []
    for module in made:
        text = IMPORT.sub(lambda match: f"const {match[1]} = {place(path_of(module, match[2]))};\n", (root / module).read_text(encoding="utf-8"))
        names = ", ".join(name for _, name in EXPORT.findall(text))
        texts.append(f"{place(module)} = (() => {{\n{EXPORT.sub(lambda match: match[1], text)}return {{ {names} }};\n}})();\n")
    return "const modules = [];\n" + "".join(texts)


def judges(root):
    """Chapter and twin: its judges."""
    return {(twin.chapter, twin.name): twin.judges for twin in twin_rows.rows(root)}


def sentences(root, chapter):
    """What the exercises say about each mistake: those of the chapter, else those of another one."""
    found = {}
    for path in sorted((root / "exercises").glob("[0-9]*/*.toml"), key=lambda path: path.parent.name == chapter):
        found |= tomllib.loads(path.read_text(encoding="utf-8")).get("mistakes", {})
    return found


def description(root, chapter):
    """The description of a lesson, with the words and the judges of the chapter's known mistakes."""
    made = json.loads((root / f"page/lessons/{chapter}.json").read_text(encoding="utf-8"))
    words = sentences(root, chapter) | made.get("mistakes", {})
    made["mistakes"] = {twin: {"words": words[twin][0].upper() + words[twin][1:], "judges": names}
                        for (home, twin), names in judges(root).items() if home == chapter and twin in words}
    return made


def script(root, module, begin):
    """A module of page/scripts as a script, which calls its `start` so."""
    return f"// Made by page/build.py from page/scripts.\n(() => {{\n{bundled(root, f'page/scripts/{module}.mjs')}modules.at(-1).{begin};\n}})();\n"


def scripts(root):
    """The scripts of the pages by their names."""
    every = {chapter: description(root, chapter) for chapter in chapters(root)}
    return {"live": script(root, "main", f"start({json.dumps(every, ensure_ascii=False)}, document.currentScript)"),
            "model": script(root, "model_page", "start(document.currentScript)"),
            "translator": script(root, "translator_page", f"start({json.dumps(models(root), ensure_ascii=False)}, document.currentScript)")}


def models(root):
    """The bundled models by their names: title, examples, the number of parts, and the size of each file."""
    known = (root / "app/models/known_models.cpp").read_text(encoding="utf-8")
    made = {}
    for name, title, examples in re.findall(r'\{"([a-z-]+)", "([^"]+)", "[^"]*",\s*((?:"  [^"]*\\n"\s*)+)\}', known):
        parts, sizes = model_parts(root / MODELS / name)
        made[name] = {"title": title, "examples": re.findall(r'"  (.*?)\\n"', examples), "parts": len(parts), "bytes": sizes}
    return made


def model_parts(folder):
    """The files of a model one after the other, compressed, as texts in base 64; and the size of each file."""
    files = [(folder / name).read_bytes() for name in ("model.json", "subwords.model", "weights.safetensors")]
    packed = gzip.compress(b"".join(files), mtime=0)
    return [base64.b64encode(packed[at:at + PART_BYTES]).decode() for at in range(0, len(packed), PART_BYTES)], [len(file) for file in files]


def engine(folder, name):
    """Emscripten's script with its WebAssembly as a text, compressed: a page that is a file can load scripts, and nothing else."""
    packed = base64.b64encode(gzip.compress((folder / f"{name}.wasm").read_bytes(), mtime=0)).decode()
    return (folder / f"{name}.js").read_text(encoding="utf-8") + f'gradus_{name}.packed = "{packed}";\n'


def lesson_page(root, chapter):
    """A page with the live numbers of a lesson and none of its words."""
    readme = (root / f"chapters/{chapter}/README.md").read_text(encoding="utf-8")
    title = re.search(r"^# (.*)$", readme, re.M)[1]
    texts = dict(DEMO.findall(readme))
    blocks = [f'<pre tabindex="0" data-demo="{html.escape(name)}"><code>{html.escape(texts[name])}</code></pre>' for name in description(root, chapter)["blocks"]]
    return frame(title, f'<p><a href="index.html">All live lessons</a></p>\n<h1>{html.escape(title)}</h1>\n' + "\n".join(blocks), f'<script src="live.js" data-chapter="{chapter}" defer></script>\n')


def own_page(name, title, root, style=""):
    """The page of a script that has one of its own, in the element `root`."""
    return frame(title, f'<p><a href="index.html">All live lessons</a></p>\n<h1>{title}</h1>\n<div id="{root}"></div>', f'{style}<script src="{name}.js" defer></script>\n')


def index_page(root):
    titles = {chapter: re.search(r"^# (.*)$", (root / f"chapters/{chapter}/README.md").read_text(encoding="utf-8"), re.M)[1] for chapter in chapters(root)}
    items = "\n".join(f'<li><a href="{chapter}.html">{html.escape(title)}</a></li>' for chapter, title in [*titles.items(), ("model", "The whole model, to be trained"), ("translator", "The translator")])
    return frame("Live lessons", f"<h1>Live lessons</h1>\n<p>The numbers of these lessons, without their words. Change one: the C++ of the chapter computes what depends on it, "
                                 f"forward and backward. The site of <code>make docs</code> has them within the lessons.</p>\n<ul>\n{items}\n</ul>")


def frame(title, body, run=""):
    return f"""<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} · gradus</title>
<script>document.documentElement.className = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";</script>
<link rel="stylesheet" href="site.css">
<link rel="stylesheet" href="live.css">
{run}</head>
<body>
<main>
<article>
{body}
</article>
</main>
</body>
</html>
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--engines", type=Path, default=ROOT / "build/wasm/page")
    parser.add_argument("--output", type=Path, default=ROOT / "build/page")
    options = parser.parse_args()
    for name in ENGINES:
        if not (options.engines / f"{name}.wasm").is_file():
            sys.exit(f"{options.engines / name}.wasm is missing (build it: make page)")
    options.output.mkdir(parents=True, exist_ok=True)
    write = lambda name, text: (options.output / name).write_text(text, encoding="utf-8")
    for built, name in ENGINES.items():
        write(name, engine(options.engines, built))
    shutil.copyfile(ROOT / "page/live.css", options.output / "live.css")
    shutil.copyfile(ROOT / "docs/site/site.css", options.output / "site.css")
    write("translator.css", "".join((ROOT / path).read_text(encoding="utf-8") for path in ("app/serve/page/answer.css", "page/translator.css")))
    for name, text in scripts(ROOT).items():
        write(f"{name}.js", text)
    for model in models(ROOT):
        for i, part in enumerate(model_parts(ROOT / MODELS / model)[0]):
            write(f"{model}.{i}.js", f'(globalThis.gradus_parts ??= {{}})["{model}.{i}"] = "{part}";\n')
    write("model.html", own_page("model", "The whole model", "walk"))
    write("translator.html", own_page("translator", "The translator", "translator", '<link rel="stylesheet" href="translator.css">\n'))
    write("index.html", index_page(ROOT))
    for chapter in chapters(ROOT):
        write(f"{chapter}.html", lesson_page(ROOT, chapter))
    print(f"{options.output.relative_to(ROOT) if options.output.is_relative_to(ROOT) else options.output}/index.html: {len(chapters(ROOT))} live lessons")


if __name__ == "__main__":
    main()
