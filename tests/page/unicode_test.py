#!/usr/bin/env python3
"""Compares what the translator's page asks of the browser about characters, in node, with Python's tables (lib/gradus/io/browser_unicode/answers.js)."""
import json
import subprocess
import sys
import unicodedata
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NODE = sys.argv[1] if len(sys.argv) > 1 else "node"
CATEGORIES = "Cn Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co".split()  # as utf8proc counts them
ASSIGNED = [c for c in range(0x20000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
NEWER = 10  # characters that a newer Unicode than Python's may change
SCRIPT = """
const library = {};
globalThis.LibraryManager = { library };
globalThis.mergeInto = (to, made) => Object.assign(to, made);
globalThis.HEAP32 = new Int32Array(32);
new Function(require("fs").readFileSync(process.argv[1], "utf8"))();
globalThis.browserHas = library.$browserHas;
const parts = (c, compatible) => Array.from(HEAP32.subarray(0, library.browser_parts(c, 0, 32, compatible)));
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(asked.map((c) => [library.browser_category(c), library.browser_combining_class(c), library.browser_lower(c), library.browser_upper(c),
  parts(c, 0), parts(c, 1), library.browser_is_ignorable(c), library.browser_columns(c)])));
"""


def answers(points):
    done = subprocess.run([NODE, "-e", SCRIPT, str(ROOT / "lib/gradus/io/browser_unicode/answers.js")], input=json.dumps(points), capture_output=True, text=True, check=True)
    return dict(zip(points, json.loads(done.stdout)))


class Characters(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.answers = answers(ASSIGNED)

    def check(self, place, expected, most=0):
        others = [f"{c:04X}: {self.answers[c][place]}, not {expected(c)}" for c in ASSIGNED if self.answers[c][place] != expected(c)]
        self.assertLessEqual(len(others), most, others[:20])

    def test_categories(self):
        self.check(0, lambda c: CATEGORIES.index(unicodedata.category(chr(c))), NEWER)

    def test_combining_classes_that_are_0_or_those_of_viramas(self):
        has_parts = lambda c: unicodedata.normalize("NFD", chr(c)) != chr(c)
        self.check(1, lambda c: 0 if has_parts(c) else min(1, unicodedata.combining(chr(c))) if unicodedata.combining(chr(c)) != 9 else 9)

    def test_letters_of_the_other_case(self):
        self.check(2, lambda c: ord(chr(c).lower()[0]), NEWER)
        self.check(3, lambda c: ord(chr(c).upper()[0]), NEWER)

    def test_parts(self):
        for place, form in ((4, "NFD"), (5, "NFKD")):
            self.check(place, lambda c, form=form: [ord(part) for part in unicodedata.normalize(form, chr(c))])

    def test_characters_that_show_nothing(self):
        some = {0xAD: 1, 0x200B: 1, 0x200D: 1, 0xFE0F: 1, 0x115F: 1, 0x20: 0, 0xA0: 0, 0x300: 0, 0x61: 0, 0x600: 0}
        self.assertEqual({c: self.answers[c][6] for c in some}, some)

    def test_columns_of_letters(self):
        wide = lambda c: 2 if unicodedata.east_asian_width(chr(c)) in "WF" else 1
        letters = [c for c in ASSIGNED if unicodedata.category(chr(c)) in ("Lu", "Ll", "Lo", "Nd")]
        others = [f"{c:04X}" for c in letters if self.answers[c][7] != wide(c)]
        self.assertEqual(others[:20], [])
        self.assertEqual([self.answers[c][7] for c in (0x1F415, 0x2603, 0x300, 0x200D)], [2, 1, 0, 0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
