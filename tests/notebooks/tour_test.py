#!/usr/bin/env python3
"""Opens the tour in JupyterLab in a headless Chromium as a reader does: another sentence, Run All Cells, then looks at what is shown.

    tour_test.py [--picture FILE] COMMAND ...        COMMAND opens JupyterLab: make notebook, or scripts/notebook --no-browser

The command runs here, or elsewhere on this machine (in a chroot). Its address is read from what it prints. If JupyterLab saves
the tour of this folder (it does so every two minutes), the test takes that back.
Prints the seconds until JupyterLab answered, until the tour was on the screen, and until its last cell had run.
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "chapters/11_translator"))
from browser import Browser

ADDRESS = re.compile(r"http://(?:127\.0\.0\.1|localhost):\d+/lab\S*token=\S+")
SENTENCE = 'const std::string sentence = "Two children play with a red ball.";  // change this sentence'
TOUR = Path(__file__).resolve().parents[2] / "notebooks/tour.ipynb"
CODE = ".jp-Notebook .jp-CodeCell"
TALL = 4000  # JupyterLab draws what the window shows: all cells at once in one so tall
OPTIONS = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
OPTIONS.add_argument("--picture", help="stores a picture of the tour after its run")
OPTIONS.add_argument("command", nargs=argparse.REMAINDER)


class Lab:
    """JupyterLab, started by a command; `address` is where it answers."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        encoding="utf-8", errors="replace", start_new_session=True)
        self.said = []
        for line in self.process.stdout:
            self.said.append(line)
            if found := ADDRESS.search(line):
                self.address = found[0]
                return
        raise AssertionError("JupyterLab did not start:\n" + "".join(self.said[-30:]))

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.communicate(timeout=60)


class Tour(unittest.TestCase):
    options = None

    @classmethod
    def setUpClass(cls):
        began = time.monotonic()
        cls.addClassCleanup(TOUR.write_bytes, TOUR.read_bytes())
        lab = Lab(cls.options.command)
        cls.addClassCleanup(lab.close)
        cls.started = time.monotonic() - began
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open(lab.address, width=1300, height=TALL)
        cls.browser.wait_for(f"document.querySelectorAll('{CODE} .cm-content').length >= 10")
        cls.browser.wait_for("document.body.innerText.includes('C++17 | Idle')")  # cells that run earlier are forgotten
        cls.shown = time.monotonic() - began

    def test_another_sentence_to_the_end(self):
        browser, began = self.browser, time.monotonic()
        browser.limit_s = 240  # the first statement of a session compiles the headers
        cells = browser.value(f"document.querySelectorAll('{CODE}').length")
        self.change_the_sentence()
        self.choose("Run", "runmenu:run-all")
        last = f"[...document.querySelectorAll('{CODE} .jp-InputPrompt')].at(-1).innerText"
        browser.wait_for(f"/\\[\\d+\\]/.test({last})")
        ran = time.monotonic() - began

        prompts = browser.value(f"[...document.querySelectorAll('{CODE} .jp-InputPrompt')].map(e => e.innerText.trim())")
        self.assertEqual(prompts, [f"[{number}]:" for number in range(1, cells + 1)])  # each ran once, in its order
        self.assertEqual(browser.value("document.querySelectorAll('.jp-RenderedText[data-mime-type*=error]').length"), 0)
        self.assert_shown()
        if self.options.picture:
            browser.screenshot(self.options.picture)
        print(f"JupyterLab after {self.started:.0f} s, the tour after {self.shown:.0f} s, all {cells} cells in {ran:.0f} s", file=sys.stderr)

    def change_the_sentence(self):
        """Puts the caret into the line, selects it, and types."""
        line = "[...document.querySelectorAll('.jp-CodeCell .cm-line')].find(e => e.innerText.includes('std::string sentence ='))"
        self.browser.click(line)
        self.browser.press("Home", 36)
        self.browser.press("End", 35, modifiers=8)  # with Shift
        self.browser.type(SENTENCE)
        self.assertEqual(self.browser.value(f"{line}.innerText"), SENTENCE)

    def choose(self, menu, command):
        self.browser.click(f"[...document.querySelectorAll('.lm-MenuBar-item')].find(e => e.innerText.trim() === '{menu}')")
        self.browser.wait_for(f"document.querySelector('.lm-Menu-item[data-command=\"{command}\"]')")
        self.browser.click(f"document.querySelector('.lm-Menu-item[data-command=\"{command}\"]')")

    def assert_shown(self):
        """The new sentence's translation, its words beside the one picture, four tables, and what is said of the two gradients."""
        outputs = self.browser.value("[...document.querySelectorAll('.jp-OutputArea-output')].map(e => e.innerText)")
        text = "\n".join(outputs)
        self.assertRegex(text, "(?i)kinder spielen")
        self.assertRegex(text, "(?i)and back: .*children")
        pictures = self.browser.value("[...document.querySelectorAll('.jp-RenderedSVG img')].map(e => decodeURIComponent(e.src))")
        self.assertEqual([("ball" in picture, "dog" in picture) for picture in pictures], [(True, False)])
        self.assertGreaterEqual(self.browser.value("document.querySelectorAll('.jp-OutputArea-output table').length"), 4)
        self.assertNotIn("snow", text)
        self.assertEqual((text.count("agrees"), text.count("DIFFERS")), (2, 2))  # the library and its wrong twin, each by two methods


if __name__ == "__main__":
    Tour.options = OPTIONS.parse_args()
    if not Tour.options.command:
        OPTIONS.error("which command opens JupyterLab?")
    unittest.main(argv=sys.argv[:1])
