#!/usr/bin/env python3
"""Tests the page of `gradus serve` in a headless Chromium: typing, reading and pointing like a user.

    serve_page_test.py PROGRAM        needs Chromium, and a program that was built with cpp-httplib
"""
import json
import subprocess
import sys
import unittest
from urllib.parse import urlsplit

from browser import PROGRAM as CHROMIUM
from browser import Browser

PROGRAM = sys.argv[1]
ENTER, TAB = 13, 9
SENTENCE = "A little girl in a pink dress is climbing a tree."


def command_line(*arguments):
    return json.loads(subprocess.run([PROGRAM, "translate", "--json", *arguments], capture_output=True, text=True, check=True).stdout)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def serve(self, *options):
        """The address of a server that ends with the test."""
        server = subprocess.Popen([PROGRAM, "serve", "--port", "0", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.server = server
        return server.stdout.readline().strip()

    def open(self, address, **window):
        self.browser.open(address, **window)
        self.browser.wait_for("document.querySelector('.example') && document.hasFocus()")
        return self.browser

    def ask(self, browser, text):
        """Types a text into the focused field, and waits for the answer."""
        browser.value("document.getElementById('text').value = ''")
        browser.type(text)
        browser.press("Enter", ENTER)
        wanted = json.dumps(text.split("\n")[0].strip())
        browser.wait_for(f"document.getElementById('status').textContent === '' && "
                         f"document.querySelector('article .note').textContent === {wanted}")

    def assert_edges_fade_where_there_is_more(self, browser):
        frames = "[...document.querySelectorAll('.scroller')]"
        browser.wait_for(f"{frames}.every((f) => f.classList.contains('more') === f.scrollLeft + f.clientWidth < f.scrollWidth - 1)")
        browser.value("document.querySelector('.heat').style.width = '60rem'")  # a longer sentence
        last = f"{frames}.pop()"
        browser.value(f"{last}.scrollLeft = 1")
        browser.wait_for(f"{last}.classList.contains('more')")
        browser.value(f"{last}.scrollLeft = 5000")
        browser.wait_for(f"!{last}.classList.contains('more')")

    def translations(self, browser):
        return browser.value("[...document.querySelectorAll('.translation')].map((e) => e.textContent)")

    def assert_clean(self, browser, address):
        """Requires: no script failed, nothing was refused, and no other server got a request."""
        self.assertEqual(browser.complaints, [])
        self.assertGreater(len(browser.requests), 5)
        own = urlsplit(address)[:2]
        self.assertEqual([url for url in browser.requests if not url.startswith("data:") and urlsplit(url)[:2] != own], [])

    def test_a_sentence_its_beams_and_what_it_nearly_said(self):
        address = self.serve()
        browser = self.open(address)
        self.ask(browser, SENTENCE)
        expected = command_line(SENTENCE, "--n-best", "5")
        self.assertEqual(self.translations(browser), [expected["text"]])
        rows = browser.value("[...document.querySelectorAll('details table:not(.heat) tbody tr')].map("
                             "(r) => [...r.children].map((c) => c.textContent))")
        self.assertEqual([row[:3] for row in rows],
                         [[str(i + 1), one["text"], f"{one['score']:.3f}"] for i, one in enumerate(expected["n_best"])])
        said = browser.value("[...document.querySelectorAll('.steps li')].map((l) => l.querySelector('strong')?.textContent)")
        self.assertEqual([text and text.replace("␣", "\u2581") for text in said], [token["text"] for token in expected["tokens"]])
        self.assertGreater(browser.value("document.querySelectorAll('.chip').length"), 4 * len(said))
        self.assert_clean(browser, address)

    def test_words_light_those_that_they_looked_at(self):
        address = self.serve()
        browser = self.open(address)
        self.ask(browser, "In the park two men are playing guitar.")
        word = "[...document.querySelectorAll('.words')[1].querySelectorAll('.word')].find((e) => e.textContent === 'spielen')"
        lit = ("[...document.querySelectorAll('.words')[0].querySelectorAll('.word')].map("
               "(e) => [e.textContent, Number(e.style.getPropertyValue('--weight'))]).sort((a, b) => b[1] - a[1])")
        self.assertEqual(browser.value(lit)[0][1], 0)
        browser.point_at(word)
        browser.wait_for("document.querySelector('.word.chosen')")
        self.assertEqual(browser.value(lit)[0][0], "playing")
        self.assertRegex(browser.value("document.querySelector('.aligned output').textContent"), r"^spielen – playing \d+ %")
        self.assertNotEqual(browser.value("getComputedStyle([...document.querySelectorAll('.words .word')][6]).backgroundColor"),
                            browser.value("getComputedStyle([...document.querySelectorAll('.words .word')][0]).backgroundColor"))
        browser.point_at("document.querySelector('h1')")
        browser.wait_for("!document.querySelector('.word.chosen')")
        browser.value("document.querySelectorAll('.words')[0].querySelectorAll('.word')[6].focus()")  # as Tab does
        self.assertRegex(browser.value("document.querySelector('.aligned output').textContent"), r"^playing – spielen \d+ %")

    def test_the_map_shows_the_layer_and_head_that_are_chosen(self):
        address = self.serve("--model", "en-de")
        browser = self.open(address)
        self.ask(browser, "A dog runs.")
        answer = browser.value("fetch('/translate?text=A+dog+runs.&attention=true').then((r) => r.json())")
        attention = answer["sentences"][0]["attention"]
        shown = "[...document.querySelectorAll('.heat tbody tr')].map((r) => [...r.querySelectorAll('td')].map((c) => Number(c.style.getPropertyValue('--weight'))))"
        self.assertEqual(browser.value(shown), attention["mean"])
        choose = "((n, v) => { const s = document.querySelectorAll('select')[n]; s.value = v; s.dispatchEvent(new Event('change')); })"
        browser.value(f"{choose}(0, 1)")
        self.assertEqual(browser.value(shown), attention["weights"][0][0])
        browser.value(f"{choose}(1, 2)")
        self.assertEqual(browser.value(shown), attention["weights"][0][2])
        self.assertEqual(browser.value("document.querySelectorAll('select option').length"),
                         1 + attention["layers"] + attention["heads"])

    def test_the_other_direction_by_keyboard_and_its_examples(self):
        address = self.serve()
        browser = self.open(address)
        browser.value("document.querySelector('input[value=\"de-en\"]').click()")
        browser.wait_for("document.querySelector('.example').textContent.startsWith('Ein')")
        browser.value("document.querySelector('.example').focus()")
        browser.press("Enter", ENTER)
        browser.wait_for("document.querySelector('.translation')")
        self.assertEqual(self.translations(browser), [command_line("--model", "de-en", "Ein Hund rennt durch den Schnee.")["text"]])
        self.assertEqual(browser.value("document.querySelector('.translation').lang"), "en")
        self.assert_clean(browser, address)

    def test_text_stays_text(self):
        address = self.serve()
        browser = self.open(address)
        evil = "<img src=x onerror=\"document.title='broken'\"> <b>A dog</b> &amp; runs."
        self.ask(browser, evil)
        self.assertEqual(browser.value("document.querySelectorAll('main img, main b').length"), 0)
        self.assertEqual(browser.value("document.title"), "gradus: translate")
        self.assert_clean(browser, address)

    def test_several_lines_and_a_warning(self):
        address = self.serve()
        browser = self.open(address)
        self.ask(browser, "A dog runs.\n\nTo be or not to be, that is the question of metaphysical prokaryotes.")
        self.assertEqual(len(self.translations(browser)), 2)
        self.assertIn("unsure of line 3", browser.value("document.querySelector('.warning').textContent"))

    def test_a_refusal_and_a_server_that_is_gone_are_said(self):
        address = self.serve("--most-lines", "1")
        browser = self.open(address)
        browser.type("A dog.\nA cat.")
        browser.press("Enter", ENTER)
        browser.wait_for("!document.getElementById('error').hidden")
        self.assertEqual(browser.value("document.getElementById('error').textContent"),
                         "the text has 2 lines; this server takes 1 at a time")
        self.ask(browser, "A dog.")
        self.assertTrue(browser.value("document.getElementById('error').hidden"))
        self.server.kill()
        self.server.wait()
        browser.press("Enter", ENTER)
        browser.wait_for("document.getElementById('error').textContent.includes('does not answer')")

    def test_it_fits_a_phone_and_has_a_dark_side(self):
        address = self.serve("--model", "en-de")
        colours = []
        for dark in (False, True):
            browser = self.open(address, width=390, height=800, dark=dark)
            self.ask(browser, "Several cyclists wait at a red traffic light in the rain while an incomprehensibilification passes.")
            self.assertLessEqual(browser.value("document.documentElement.scrollWidth"), 390)
            self.assert_edges_fade_where_there_is_more(browser)
            colours.append(browser.value("getComputedStyle(document.body).backgroundColor"))
            self.assertEqual(browser.value("[...document.querySelectorAll('button, input, select, textarea')].filter("
                                           "(e) => !e.textContent && !e.labels?.length && !e.ariaLabel).length"), 0)
        self.assertNotEqual(*colours)

    def test_tab_reaches_everything_in_order(self):
        address = self.serve()
        browser = self.open(address)
        seen = []
        for _ in range(5):
            seen.append(browser.value("document.activeElement.id || document.activeElement.className"))
            browser.press("Tab", TAB)
        self.assertEqual(seen, ["text", "go", "beam", "example", "example"])


if __name__ == "__main__":
    nowhere = subprocess.run([PROGRAM, "serve", "--host", "192.0.2.1"], capture_output=True, text=True, check=False).stderr
    if "built without" in nowhere:
        sys.exit(f"no page to look at: {nowhere}")
    if not CHROMIUM:
        sys.exit("no Chromium here; `scripts/packages browser` installs it")
    unittest.main(argv=sys.argv[:1])
