#!/usr/bin/env python3
"""Tests the site of `make docs` in a headless Chromium, from files: every page on a phone, the switch for dark, search, keys, equations.

    site_test.py [build/docs/html]
"""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "chapters/11_translator"))
from browser import Browser

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else "build/docs/html").resolve()
if not (FOLDER / "index.html").is_file():
    sys.exit(f"no site in {FOLDER} (build it: make docs)")
SET = ("document.readyState === 'complete' && (!document.querySelector('.math') || "
       "document.querySelectorAll('.math .MathJax_SVG, .math .MathJax_SVG_Display').length >= document.querySelectorAll('.math').length)")
# The size in pixels of the smallest label of the page's pictures.
LABEL = ("Math.min(99, ...[...document.querySelectorAll('.drawing svg text')].map(text => parseFloat(getComputedStyle(text).fontSize) * "
         "text.ownerSVGElement.getBoundingClientRect().width / text.ownerSVGElement.viewBox.baseVal.width))")
CHAPTER = "chapters/05_layer_norm/index.html"


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, page, **window):
        self.browser.open(f"file://{FOLDER / page}", **window)
        self.browser.wait_for(SET)
        return self.browser

    def press(self, key):
        self.browser.press(key, {"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "Enter": 13, "/": 191}[key])

    def test_every_page_fits_a_phone_and_sets_its_formulas(self):
        pages = sorted(path for path in FOLDER.rglob("*.html") if "reference" not in path.parts and ".hpp" not in path.name)
        pages += sorted((FOLDER / "reference").glob("group__*.html")) + [FOLDER / "reference/index.html"]
        for page in pages:
            with self.subTest(page=page.relative_to(FOLDER).as_posix()):
                browser = self.open(page.relative_to(FOLDER), width=400, height=800)
                self.assertLessEqual(browser.value("document.documentElement.scrollWidth"), 400)
                self.assertGreaterEqual(browser.value(LABEL), 11)
                self.assertEqual(browser.value("document.querySelectorAll('.merror, [data-mml-node=merror]').length"), 0)
                self.assertEqual(browser.complaints, [])
                self.assertEqual([url for url in browser.requests if not url.startswith(("file:", "data:", "about:"))], [])

    def test_the_switch_overrules_the_system_and_is_remembered(self):
        colour = "getComputedStyle(document.body).backgroundColor"
        dark, light = (self.open(CHAPTER, dark=is_dark).value(colour) for is_dark in (True, False))
        self.assertNotEqual(dark, light)
        self.browser.value("document.querySelector('.theme').click()")
        self.assertEqual(self.browser.value(colour), dark)
        self.assertEqual(self.open("index.html").value(colour), dark)
        self.browser.value("document.querySelector('.theme').click()")
        self.assertEqual(self.browser.value(colour), light)
        self.browser.value("localStorage.clear()")

    def test_search_finds_a_part_and_a_function(self):
        browser = self.open(CHAPTER)
        for words, address in (("label smoothing", "chapters/10_training/loss.html"),
                               ("layer_norm_forward", "reference/group__layer__norm.html")):
            browser.value("document.querySelector('.search input').value = ''")
            self.press("/")
            browser.wait_for("document.activeElement.type === 'search'")
            browser.type(words)
            browser.wait_for(f"document.querySelector('.found a[href*=\"{address}\"]')")
            browser.value("document.activeElement.blur()")

    def test_arrows_turn_the_page_and_the_menu_opens_on_a_phone(self):
        browser = self.open(CHAPTER, width=400, height=800)
        self.assertEqual(browser.value("getComputedStyle(document.querySelector('.pages')).display"), "none")
        browser.value("document.querySelector('.menu').click()")
        self.assertEqual(browser.value("getComputedStyle(document.querySelector('.pages')).display"), "block")
        self.press("ArrowRight")
        browser.wait_for("location.pathname.endsWith('/05_layer_norm/checked.html')")
        browser.wait_for(SET)
        self.press("ArrowLeft")
        browser.wait_for("location.pathname.endsWith('/05_layer_norm/index.html')")

    def test_a_mention_leads_to_the_equation(self):
        browser = self.open("chapters/05_layer_norm/FAST.html")
        browser.value("document.querySelector('a.eq').click()")
        browser.wait_for("location.pathname.endsWith('/05_layer_norm/index.html') && location.hash.startsWith('#eq-5.')")
        browser.wait_for(SET)
        browser.wait_for("Math.abs(document.getElementById(location.hash.slice(1)).getBoundingClientRect().top) < 200")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
