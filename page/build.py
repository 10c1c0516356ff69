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
import re
import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/wrong"))

import twin_rows  # noqa: E402

IMPORT = re.compile(r'^import \{[^}]*\} from "\./([^"]+)";\n', re.M)
DEMO = re.compile(r"^<!-- demo: ([^\n]+?) -->\n```text\n(.*?)^```\n<!-- end -->$", re.M | re.S)
ENGINES = {"live": "engine.js", "mistakes": "mistakes.js"}  # as they are built, and as the page has them


def chapters(root):
    """The chapters with a live lesson."""
    return sorted(path.stem for path in (root / "page/lessons").glob("*.json"))


def modules(folder, name, done):
    """The names of a module and of those that it imports, each behind those that it needs."""
    if name not in done:
        done[name] = False
        for other in IMPORT.findall((folder / name).read_text(encoding="utf-8")):
            if modules(folder, other, done) and done[other] is False:
                raise SystemExit(f"page/scripts/{name} and {other} import each other")
        done[name] = done.pop(name) or True
    return done


def bundled(folder, name):
    """A module and those that it imports as one text, in which every name stands once."""
    texts = [IMPORT.sub("", (folder / one).read_text(encoding="utf-8")) for one in modules(folder, name, {})]
    return "\n".join(re.sub(r"^export ", "", text, flags=re.M) for text in texts)


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


def script(root):
    every = {chapter: description(root, chapter) for chapter in chapters(root)}
    text = bundled(root / "page/scripts", "main.mjs")
    return f"// Made by page/build.py from page/scripts.\n(() => {{\n{text}\nstart({json.dumps(every, ensure_ascii=False)}, document.currentScript);\n}})();\n"


def model_script(root):
    text = bundled(root / "page/scripts", "model_page.mjs")
    return f"// Made by page/build.py from page/scripts.\n(() => {{\n{text}\nstart(document.currentScript);\n}})();\n"


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


def model_page():
    return frame("The whole model", '<p><a href="index.html">All live lessons</a></p>\n<h1>The whole model</h1>\n<div id="walk"></div>', '<script src="model.js" defer></script>\n')


def index_page(root):
    titles = {chapter: re.search(r"^# (.*)$", (root / f"chapters/{chapter}/README.md").read_text(encoding="utf-8"), re.M)[1] for chapter in chapters(root)}
    items = "\n".join(f'<li><a href="{chapter}.html">{html.escape(title)}</a></li>' for chapter, title in [*titles.items(), ("model", "The whole model, to be trained")])
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
    write("live.js", script(ROOT))
    write("model.js", model_script(ROOT))
    write("model.html", model_page())
    write("index.html", index_page(ROOT))
    for chapter in chapters(ROOT):
        write(f"{chapter}.html", lesson_page(ROOT, chapter))
    print(f"{options.output.relative_to(ROOT) if options.output.is_relative_to(ROOT) else options.output}/index.html: {len(chapters(ROOT))} live lessons")


if __name__ == "__main__":
    main()
