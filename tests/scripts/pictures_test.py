#!/usr/bin/env python3
"""Tests that the checks of the pictures can fail."""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

TOOLS = Path(__file__).resolve().parents[2] / "docs" / "tools"
sys.path[:0] = [str(TOOLS / "pictures"), str(TOOLS)]
import compare
import draw
import lint
import registry
import svg
from data import Data
from svg import Picture

FILE = "chapters/05_norm/pictures/rows.svg"
ALT = "Three rows of numbers, each with the mean of its own row beside it."
DEMO = "#!/bin/sh\nprintf '== rows ==\\nx (N, D)\\n  the   0.50  -1.00\\n         2.00   3.00\\nmean 0.25\\n'\n"


def rows(data, shift=0.0, words="0.50"):
    p = Picture(300, 80, "Rows", "Rows of numbers.")
    p.text(20 + shift, 30, words)
    p.rect(20, 40, 100, 20, "forward", opacity=0.5)
    return p


class Tree:
    """A folder with one page and one picture of it."""

    def run(self, *options, alt=ALT, drawn=None, now=rows, extra=None):
        """(exit status, complaints)"""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            file = root / FILE
            file.parent.mkdir(parents=True)
            (file.parents[1] / "README.md").write_text(f"![{alt}](pictures/rows.svg)\n" if alt is not None else "", encoding="utf-8")
            if drawn:
                file.write_text(drawn, encoding="utf-8")
            if extra:
                (file.parent / extra).write_text("<svg/>", encoding="utf-8")
            errors = io.StringIO()
            arguments = ["draw.py", "--root", folder, "--build", folder, *options]
            with mock.patch.object(registry, "load", lambda: {FILE: now}), mock.patch.object(sys, "argv", arguments), \
                    contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
                return draw.main(), errors.getvalue()


class Check(unittest.TestCase):
    def assertFinds(self, message, **tree):
        status, errors = Tree().run("--check", **tree)
        self.assertEqual(status, 1)
        self.assertIn(message, errors)

    def test_what_is_up_to_date_passes(self):
        self.assertEqual(Tree().run("--check", drawn=rows(None).svg()), (0, ""))

    def test_missing_stale_and_strange_pictures(self):
        self.assertFinds("not drawn yet")
        self.assertFinds("out of date", drawn=rows(None, words="0.60").svg())
        self.assertFinds("old.svg: no function draws it", drawn=rows(None).svg(), extra="old.svg")

    def test_pages(self):
        self.assertFinds("no page shows it", drawn=rows(None).svg(), alt=None)
        self.assertFinds("too short", drawn=rows(None).svg(), alt="rows")


class Compare(unittest.TestCase):
    def test_rounding_is_no_change(self):
        old = rows(None).svg()
        self.assertTrue(compare.alike(old, rows(None, words="0.51").svg()))
        self.assertTrue(compare.alike(old, rows(None, shift=1).svg()))

    def test_changes(self):
        old = rows(None).svg()
        for new in (rows(None, words="0.52").svg(), rows(None, words="0.50 x").svg(), rows(None, shift=2).svg(),
                    old.replace('class="forward"', 'class="backward"'), old.replace("0.50\"", "0.53\""),
                    old.replace("<title>Rows", "<title>Row"), old.replace("</svg>", "<path/></svg>"), old[:-9],
                    old.replace("--ink:#1c1e22", "--ink:#2c1e22")):
            self.assertFalse(compare.alike(old, new), new)


class Lint(unittest.TestCase):
    def test_sound_pictures(self):
        self.assertEqual(lint.problems_of(rows(None).svg()), [])

    def test_texts(self):
        p = Picture(300, 80, "Rows", "Rows of numbers.")
        p.text(10, 30, "first words")
        p.text(60, 34, "overlap")
        p.text(250, 30, "leaves the picture")
        p.text(200, 60, "small", size=14)
        p.text(20, 30, "turned and out", turn=-90)
        self.assertEqual(lint.problems_of(p.svg()), [
            "'overlap' and 'first words' overlap", "'leaves the picture' leaves the picture", "'small' has size 14, below 15",
            "'turned and out' leaves the picture", "'turned and out' and 'first words' overlap"])

    def test_files(self):
        self.assertIn("not well-formed", lint.problems_of("<svg>")[0])
        self.assertEqual(lint.problems_of(Picture(700, 80, "", "x").svg()), ["no <title>", "700 units wide, more than 640"])


class Colours(unittest.TestCase):
    """Contrast of text as WCAG 2 counts it: 4.5 is the least for small text."""

    def test_text_is_readable(self):
        for theme in (svg.LIGHT, svg.DARK):
            colours = {name: [int(colour[at:at + 2], 16) for at in (1, 3, 5)] for name, colour in theme.items()}
            grounds = [colours["paper"], colours["tile"]]
            pairs = [(colours[kind], ground) for kind in ("ink", "soft", "forward", "backward", "third") for ground in grounds]
            pairs += [(colours["ink"], mixed(colours[kind], colours["tile"])) for kind in ("forward", "backward")]
            for text, ground in pairs + [(colours["onlit"], colours["lit"])]:
                self.assertGreaterEqual(contrast(text, ground), 4.5, (text, ground))


def mixed(colour, ground):
    return [svg.FULLEST * a + (1 - svg.FULLEST) * b for a, b in zip(colour, ground)]


def contrast(a, b):
    dark, light = sorted(sum(share * linear(part) for share, part in zip((0.2126, 0.7152, 0.0722), colour)) for colour in (a, b))
    return (light + 0.05) / (dark + 0.05)


def linear(part):
    return part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4


class Registry(unittest.TestCase):
    def test_a_picture_is_drawn_by_one_function(self):
        with mock.patch.object(registry, "DRAWERS", {}):
            registry.picture(FILE)(rows)
            with self.assertRaisesRegex(ValueError, f"two functions draw {FILE}"):
                registry.picture(FILE)(rows)


class Tables(unittest.TestCase):
    def test_rows_of_a_demo(self):
        with tempfile.TemporaryDirectory() as folder:
            demo = Path(folder) / "demo_05_norm"
            demo.write_text(DEMO, encoding="utf-8")
            demo.chmod(0o755)
            table = Data(folder, Path(folder)).table("05_norm", "rows", "x (N, D)")
        self.assertEqual((table.names, table.values), (["the", ""], [[0.5, -1.0], [2.0, 3.0]]))


if __name__ == "__main__":
    unittest.main()
