#!/usr/bin/env python3
"""Builds the site, build/docs/html: the pages from Markdown, the reference from Doxygen, one frame around both (`make docs`).

    docs/tools/website/build.py
"""
import argparse
import html
import posixpath
import shutil
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import colour
import formulas
import frame
import links
import markdown
import notebook
import order
import page
import reference
import search

ROOT = Path(__file__).resolve().parents[3]
MATHJAX = ["MathJax.js", "config/TeX-AMS_SVG.js", "jax/element/mml", "jax/input/TeX", "extensions", "localization/en",
           *(f"jax/output/SVG/{name}" for name in ("jax.js", "config.js", "autoload", "fonts/TeX"))]
PICTURES = (".svg", ".png", ".jpg", ".gif", ".webp")
LIVE = "build/page"  # what `make page` has built
FRONT = "chapters/pictures/transformer.svg"  # shown on the front page, where its boxes lead to the chapters


class Site:
    def __init__(self, root, output):
        self.root, self.output = root, output
        sources = markdown.pages(root)
        self.frame = frame.Frame(root, order.read(root, sources))
        self.titles = {entry.source: entry.title for entry in self.frame.line if entry.source != order.REFERENCE}
        self.equations = {tag: source for source in self.titles if source.startswith("chapters/")
                          for tag in markdown.TAG.findall(self.text(source))}
        self.wanted = {}  # source files and folders that a page links, and the first page that does
        self.entries = []  # of the search
        self.live = {path.stem for path in (root / "page/lessons").glob("*.json")} if (root / LIVE / "live.js").exists() else set()

    def text(self, source):
        return (self.root / source).read_text(encoding="utf-8")

    def exists(self, target):
        return (self.root / target).exists()

    def drawing(self, path):
        """The text of an SVG file; None for another picture."""
        return self.text(path) if path.endswith(".svg") else None

    def target(self, path, page_of):
        """The page that shows a file or a folder of the project."""
        file = self.root / path
        if not file.exists():
            raise SystemExit(f"{page_of}: link to {path}, which is not there")
        if file.is_dir():
            if f"{path}/README.md" in self.titles:
                return page.address(f"{path}/README.md")
            self.wanted.setdefault(path, page_of)
            return f"{path}/files.html"
        if path in self.titles:
            return page.address(path)
        if path.endswith(PICTURES):
            self.copy(path)
            return path
        self.wanted.setdefault(path, page_of)
        return page.address(path)

    def copy(self, path):
        (self.output / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / path, self.output / path)

    def write(self, address, text):
        file = self.output / address
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def write_pages(self):
        for source, title in self.titles.items():
            text = self.text(source)
            if source == "README.md" and (self.root / FRONT).exists() and Path(FRONT).name not in text:
                first, rest = text.split("\n## ", 1)
                text = f"{first}\n![The Transformer; each box leads to its chapter]({FRONT})\n\n## {rest}"
            body = page.Body(self, source, text)
            self.entries += search.parts(page.address(source), title, body.html)
            self.write(page.address(source), self.frame.around(body.html, title, page.address(source), source, body.headings, self.live_head(source)))

    def live_head(self, source):
        """What makes the numbers of a lesson live, and the pages of the whole model and of the translator."""
        folder, name = posixpath.split(source)
        chapter = posixpath.basename(folder)
        top = posixpath.relpath(".", folder) if folder else "."
        if self.live and source in ("page/model.md", "page/translator.md"):
            run = f'<script src="{top}/site/live/{name[:-3]}.js" data-top="{top}" defer></script>'
            if name == "translator.md":
                run = f'<link rel="stylesheet" href="{top}/site/live/translator.css">\n{run}'
        elif name == "README.md" and chapter in self.live:
            run = f'<script src="{top}/site/live/live.js" data-chapter="{chapter}" defer></script>'
        else:
            return ""
        return f'<link rel="stylesheet" href="{top}/site/live/live.css">\n{run}\n'

    def write_sources(self):
        """The files that the pages link. A folder's page lists its files, which are shown, too."""
        done = set()
        while left := [path for path in self.wanted if path not in done]:
            for path in left:
                done.add(path)
                if (self.root / path).is_dir():
                    self.write_folder(path)
                else:
                    self.write_file(path)

    def write_folder(self, path):
        files = sorted(file for file in (self.root / path).iterdir() if not file.name.startswith((".", "__")))
        address = f"{path}/files.html"
        items = "\n".join(f'<li><a href="{posixpath.relpath(self.target(file.relative_to(self.root).as_posix(), address), path)}">'
                          f"<code>{file.name}{'/' if file.is_dir() else ''}</code></a></li>" for file in files)
        self.write(address, self.frame.around(f"<h1><code>{path}/</code></h1>\n<ul>\n{items}\n</ul>", path, address))

    def write_file(self, path):
        file = self.root / path
        if file.suffix == ".ipynb":
            body = page.Body(self, path, notebook.markdown(self.text(path)))
            self.write(page.address(path), self.frame.around(body.html, path, page.address(path), headings=body.headings))
            return
        try:
            text = file.read_text(encoding="utf-8")
            inside = f'<pre class="file" tabindex="0"><code>{colour.file(file, text)}</code></pre>'
        except UnicodeDecodeError:
            self.copy(path)
            inside = f'<p>{file.stat().st_size:,} bytes, not text: <a href="{file.name}" download>the file</a>.</p>'
        body = f"<h1><code>{html.escape(path)}</code></h1>\n{inside}"
        self.write(page.address(path), self.frame.around(body, path, page.address(path), kind="source"))

    def copy_mathjax(self):
        for name in MATHJAX:
            source, target = formulas.MATHJAX / name, self.output / "site/mathjax" / name
            if not source.exists():
                raise SystemExit(f"{source} is missing: apt-get install libjs-mathjax")
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)

    def write_static(self):
        for name in ("site.css", "site.js"):
            self.write(f"site/{name}", self.text(f"docs/site/{name}"))
        self.write("site/code.css", colour.colours("xcode", "github-dark"))
        self.write("site/search.js", search.script(self.entries))
        for name in [*(path.name for path in (self.root / LIVE).glob("*.js")), "live.css", "translator.css"] if self.live else ():
            self.write(f"site/live/{name}", self.text(f"{LIVE}/{name}"))


def main():
    argparse.ArgumentParser(description=__doc__.split("\n")[0]).parse_args()
    output = ROOT / "build/docs/html"
    shutil.rmtree(output, ignore_errors=True)
    site = Site(ROOT, output)
    site.copy_mathjax()
    site.write_pages()
    functions, problems = reference.write(site)
    site.write_sources()
    site.write_static()
    count, broken = links.check(output)
    if not site.live:
        print("site: without the live numbers of the lessons, which need emscripten (make page)")
    for problem in problems + broken:
        print(problem, file=sys.stderr)
    print(f"site: {len(site.titles)} pages, {functions} leaves and composites, {count} links, {len(problems + broken)} problems")
    return 1 if problems + broken else 0


if __name__ == "__main__":
    sys.exit(main())
