#!/usr/bin/env python3
"""Tests that the site's checks can fail, and what it makes of Markdown: order, anchors, equations, pictures, charts, specifications."""
import json
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "docs" / "tools"
sys.path[:0] = [str(TOOLS / "website"), str(TOOLS)]
import links
import mermaid
import notebook
import order
import page
import search
import specification

DRAWING = """<svg class="picture"><title>t</title><style>.picture{--ink:#000}
@media (prefers-color-scheme:dark){.picture{--ink:#fff}}</style><a href="../01_a/README.md"><rect/></a></svg>"""


class Tree:
    """Files in a folder of their own."""

    def __init__(self, test, **files):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name, text in files.items():
            path = self.root / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


class Site:
    equations = {"1.1": "chapters/01_a/README.md"}

    def __init__(self):
        self.pictures = {"chapters/pictures/map.svg": DRAWING, "docs/plain.svg": "<svg><rect/></svg>"}

    def target(self, path, source):
        return page.address(path) if path.endswith(".md") else path

    def exists(self, target):
        return target == "chapters/01_a/README.md"

    def drawing(self, path):
        return self.pictures.get(path)


def made(text, source="chapters/01_a/README.md"):
    return page.Body(Site(), source, text).html


class Order(unittest.TestCase):
    def files(self, **more):
        text = "Begin\n  README.md\nChapters\n  chapters/[0-9]*/\nMore\n  docs/*.md\n"
        return {"docs__site__order.txt": text, "README.md": "# a\n", "chapters__01_b__FAST.md": "# 01 · b, fast\n",
                "chapters__01_b__x.md": "# x\n",
                "chapters__01_b__README.md": "# 01 · b\n[f](FAST.md) [z](z.md) [x](x.md)\n", "chapters__01_b__z.md": "# z\n",
                "chapters__01_b__solutions.md": "# 01 · Solutions\n", **more}

    def read(self, **more):
        tree = Tree(self, **self.files(**more))
        return order.read(tree.root, sorted(tree.root.rglob("*.md")))

    def test_pages_follow_the_links_of_their_lesson_and_fast_and_solutions_come_last(self):
        sections = self.read()
        self.assertEqual([heading for heading, _ in sections], ["Begin", "Chapters", "More"])
        self.assertEqual([entry.title for entry in order.flat(sections[1][1])], ["01 · b", "z", "x", "b, fast", "Solutions"])

    def test_a_page_without_a_place_a_title_or_a_file_is_an_error(self):
        for complaint, more in (("no place for new.md", {"new.md": "# new\n"}), ("needs a title", {"docs__a.md": "text\n"}),
                                ("no page gone.md", {"docs__site__order.txt": "Begin\n  gone.md\n"})):
            with self.assertRaisesRegex(SystemExit, complaint):
                self.read(**more)


class Pages(unittest.TestCase):
    def test_headings_have_the_anchors_of_github(self):
        self.assertIn('<h2 id="a-b-c_d">', made("## A, `b`: c_d!\n"))
        self.assertIn('<h2 id="a-1">', made("## A\n\n## A\n"))

    def test_links_lead_to_the_pages_of_the_site(self):
        self.assertIn('href="../02_b/index.html#c"', made("[b](../02_b/README.md#c)\n"))
        self.assertIn('href="FAST.html"', made("[b](FAST.md)\n"))
        self.assertIn('href="https://a.b"', made("[b](https://a.b)\n"))

    def test_equations_are_linked_where_they_are_mentioned(self):
        self.assertIn('id="eq-1.1"', made("```math\ny = x \\tag{eq:1.1}\n```\n"))
        self.assertIn('(<a class="eq" href="#eq-1.1">eq:1.1</a>)', made("See (eq:1.1).\n"))
        self.assertIn('<a class="eq" href="../chapters/01_a/index.html#eq-1.1">', made("(eq:1.1)\n", "docs/b.md"))
        self.assertNotIn("<a", made("See (eq:9.9), no equation.\n"))

    def test_formulas_and_code(self):
        self.assertIn('<span class="math tex2jax_process">\\(a &lt; b\\)</span>', made("$a < b$\n"))
        self.assertIn('\\[a\n\\]', made("```math\na\n```\n"))
        self.assertIn("<code>$x$ &lt;b&gt;\n</code>", made("```text\n$x$ <b>\n```\n"))
        self.assertNotIn("<!--", made("<!-- code: a b -->\ntext\n"))

    def test_drawings_stand_in_the_page_and_follow_the_switch(self):
        text = made("[![a map](../pictures/map.svg)](../README.md)\n")
        self.assertIn("html.dark .picture{--ink:#fff}", text)
        self.assertNotIn("@media", text)
        self.assertIn('<a href="index.html"><rect/>', text)
        self.assertNotIn("README", text)
        self.assertIn('role="img" aria-label="plain"><svg><rect/>', made("![plain](plain.svg)\n", "docs/a.md"))
        broken = Site()
        broken.pictures["chapters/pictures/map.svg"] = DRAWING.replace("01_a", "gone")
        with self.assertRaisesRegex(SystemExit, "link to ../gone/README.md"):
            page.Body(broken, "chapters/01_a/README.md", "![a](../pictures/map.svg)\n")

    def test_a_picture_with_two_sources_follows_the_switch(self):
        source = '<source media="(prefers-color-scheme: dark)" srcset="d.png">'
        text = made(f'<picture>{source}<img src="l.png" alt="a"></picture>\n')
        self.assertIn('<img class="only-light" src="l.png" alt="a"><img class="only-dark" src="d.png" alt="a">', text)

    def test_charts_of_mermaid_are_drawn(self):
        text = made('```mermaid\ngraph LR\n  a["one<br>two"] --> b & c[three]\n  b -. "not" .-> c\n'
                    '  a -- "in" --> c\n  c -- out of --> a\n```\n')
        for words in (">one<", ">two<", ">b<", ">three<", ">not<", ">in<", ">out of<"):
            self.assertIn(words, text)
        self.assertEqual(text.count("stroke-dasharray"), 1)
        for wrong in ("sequenceDiagram\n", "graph LR\n  a ==> b\n"):
            with self.assertRaises(SystemExit):
                mermaid.svg(wrong)

    def test_a_notebook_becomes_a_page(self):
        cells = [{"cell_type": "markdown", "source": ["# A\n", "$a\\,b$ and $$c$$"]},
                 {"cell_type": "code", "source": ["int x;"], "outputs": [{"text": ["5\n"]}, {"data": {"text/plain": ["6"]}}]}]
        text = notebook.markdown(json.dumps({"cells": cells}))
        for piece in ("# A\n$`a\\,b`$ and", "```math\nc\n```", "```cpp\nint x;\n```", "```text\n5\n```", "```text\n6\n```"):
            self.assertIn(piece, text)

    def test_the_search_has_the_words_of_each_part(self):
        found = list(search.parts("a.html", "T", made("# T\n\nfirst\n\n## Second\n\nwords $x$ `code`\n")))
        self.assertEqual(found, [["a.html#t", "T", "T", "first"], ["a.html#second", "T", "Second", "words x code"]])


class Links(unittest.TestCase):
    def problems(self, text):
        tree = Tree(self, **{"a.html": text, "b__c.html": '<h2 id="d">'})
        return "\n".join(links.check(tree.root)[1])

    def test_links_and_anchors_must_be_there(self):
        self.assertEqual(self.problems('<a href="b/c.html#d"></a><a href="https://a.b"></a><a href="#e" id="e"></a>'), "")
        self.assertIn("link to c.html, which is not there", self.problems('<a href="c.html"></a>'))
        self.assertIn("link to b/c.html#x, which has no such part", self.problems('<a href="b/c.html#x"></a>'))
        self.assertIn("link to x.svg, which is not there", self.problems('<img src="x.svg">'))

    def test_nothing_is_fetched_from_the_network(self):
        for text in ('<script src="https://a.b/c.js"></script>', '<link href="//a.b/c.css">', '<img src="http://a.b/c.png">'):
            self.assertIn("is fetched from the network", self.problems(text))


class Specifications(unittest.TestCase):
    def test_the_four_parts_become_commands(self):
        self.assertEqual(specification.commands("/// computes  y = <bos> `<eos>`\nint a<b>;"),
                         "/// \\computes   y = \\<bos\\> `<eos>`\nint a<b>;")
        self.assertEqual(specification.commands("///           z = y"), "///           <br>z = y")
        self.assertEqual(specification.commands("int<b> a;  ///< ends in <eos>"), "int<b> a;  ///< ends in \\<eos\\>")

    def test_declarations_by_an_alias_are_written_out(self):
        alias = "template <class Device, class Dev = Device>\nusing NormForward = void(Device& dev, Out<Dev, 2> y,\n  In<Dev, 2> x);\n"
        self.assertEqual(specification.commands(f"{alias}NormForward<Dev> norm_forward;\nNormForward<Cpu<Real>, Dev> norm_forward;\nOther<Cpu<Real>, Dev> f;"),
                         f"{alias}void norm_forward(Dev& dev, Out<Dev, 2> y,\n  In<Dev, 2> x);\nvoid norm_forward(Cpu<Real>& dev, Out<Dev, 2> y,\n"
                         "  In<Dev, 2> x);\nOther<Cpu<Real>, Dev> f;")


if __name__ == "__main__":
    unittest.main()
