#!/usr/bin/env python3
"""Tests tests/measure/mutation/mutants.py --scripts: the mutants of its rules, the judges of each file, and that a judge in a copy rejects a change."""
import argparse
import ast
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import mutant_scripts
from mutant_judges import ROOT
from mutant_script_rules import candidates, masked

CODE = '''"""A text: a < b and 1."""
import re
MOST = 7


class Box:
    def size(self, wide, high=3):
        """Not a + b."""
        if wide < high and not self.closed:
            self.log.append(min(wide, high))
            return [x * 2 for x in self.rows if x is not None]
        return "größer" if wide in (high, 5) else f"{wide + 1} of" + "x"


def total(all):
    sum = 0
    for n, one in enumerate(all):
        sum += one // 2 - n
        continue
    return sum
'''
SCRIPT = '''// if (a < b) never
import { x } from './x.js';

const share = (weight) => Math.round(100 * weight) + ' < %';

export function shown(all, is_open) {
  const found = all.map((one, i) => ({ one, i }));
  if (!is_open && found.length > 2) return null;
  found.classList.add('x');
  return /^a < b$/.test(all[0]) ? share(1) : 'none';
}
'''


def changes(name, source, function=None):
    """{(line before, line after)} of all mutants of a function."""
    return {mutant.shown() for title, found in candidates(name, source) for mutant in found if function in (None, title)}


class Python(unittest.TestCase):
    def test_each_rule_changes_its_place(self):
        found = changes("a.py", CODE, "Box.size")
        condition = "if wide < high and not self.closed:"
        for after in ("if wide <= high and not self.closed:", "if wide < high or not self.closed:", "if wide < high and self.closed:",
                      "if (not (wide < high and not self.closed)):", "if True:", "if False:"):
            self.assertIn((condition, after), found)
        for before, after in (("self.log.append(min(wide, high))", "self.log.append(max(wide, high))"),
                              ("self.log.append(min(wide, high))", "self.log.append(min(high, wide))"),
                              ("self.log.append(min(wide, high))", "self.log.remove(min(wide, high))"),
                              ("self.log.append(min(wide, high))", "pass"),
                              ("return [x * 2 for x in self.rows if x is not None]", "return [x / 2 for x in self.rows if x is not None]"),
                              ("return [x * 2 for x in self.rows if x is not None]", "return [x * 3 for x in self.rows if x is not None]"),
                              ("return [x * 2 for x in self.rows if x is not None]", "return [x * 2 for x in self.rows if x is None]"),
                              ("return [x * 2 for x in self.rows if x is not None]", "return [x * 2 for x in self.rows if True]"),
                              ("return [x * 2 for x in self.rows if x is not None]", "return None")):
            self.assertIn((before, after), found)

    def test_places_behind_letters_of_several_bytes_are_right(self):
        line = 'return "größer" if wide in (high, 5) else f"{wide + 1} of" + "x"'
        found = changes("a.py", CODE, "Box.size")
        self.assertIn((line, 'return "größer" if wide not in (high, 5) else f"{wide + 1} of" + "x"'), found)
        self.assertIn((line, 'return "größer" if wide in (high, 6) else f"{wide + 1} of" + "x"'), found)
        self.assertIn((line, 'return f"{wide + 1} of" + "x" if wide in (high, 5) else "größer"'), found)

    def test_texts_joins_defaults_and_documentation_stay(self):
        for before, after in changes("a.py", CODE):
            self.assertFalse(before.startswith(('"""', "import", "def ", "class ")), (before, after))
            self.assertFalse(after.endswith('- "x"') or "wide - 1" in after, after)

    def test_functions_and_what_is_outside_have_their_own(self):
        self.assertEqual([title for title, _ in candidates("a.py", CODE)], ["Box.size", "total", "module"])
        self.assertEqual(changes("a.py", CODE, "module"), {("MOST = 7", "MOST = 8")})
        self.assertIn(("sum += one // 2 - n", "sum += one * 2 - n"), changes("a.py", CODE, "total"))
        self.assertIn(("sum += one // 2 - n", "pass"), changes("a.py", CODE, "total"))
        self.assertIn(("continue", "pass"), changes("a.py", CODE, "total"))

    def test_every_mutant_of_the_tools_can_be_read_by_python(self):
        count = 0
        for name in mutant_scripts.script_files(""):
            if name.endswith(".py"):
                for mutant in mutant_scripts.order(name, 3)[:10]:
                    ast.parse(mutant.applied())
                    count += 1
        self.assertGreater(count, 300)


class JavaScript(unittest.TestCase):
    def test_each_rule_changes_its_place(self):
        found = changes("a.js", SCRIPT)
        for before, after in (("if (!is_open && found.length > 2) return null;", "if (!is_open || found.length > 2) return null;"),
                              ("if (!is_open && found.length > 2) return null;", "if (is_open && found.length > 2) return null;"),
                              ("if (!is_open && found.length > 2) return null;", "if (!is_open && found.length >= 2) return null;"),
                              ("if (!is_open && found.length > 2) return null;", "if (!is_open && found.length > 3) return null;"),
                              ("if (!is_open && found.length > 2) return null;", "if (!(!is_open && found.length > 2)) return null;"),
                              ("found.classList.add('x');", "found.classList.remove('x');"), ("found.classList.add('x');", ";"),
                              ("return /^a < b$/.test(all[0]) ? share(1) : 'none';", "return /^a < b$/.test(all[0]) ? 'none' : share(1);"),
                              ("return /^a < b$/.test(all[0]) ? share(1) : 'none';", "return /^a < b$/.test(all[1]) ? share(1) : 'none';"),
                              ("const share = (weight) => Math.round(100 * weight) + ' < %';",
                               "const share = (weight) => Math.round(100 / weight) + ' < %';")):
            self.assertIn((before, after), found)

    def test_texts_patterns_and_comments_stay(self):
        self.assertEqual(len(masked(SCRIPT)), len(SCRIPT))
        for before, after in changes("a.js", SCRIPT):
            self.assertFalse("<= b" in after or "<= %" in after or before.startswith(("//", "import")), after)


class Judging(unittest.TestCase):
    def test_every_file_has_judges_that_exist_and_no_line_of_judges_is_useless(self):
        names = mutant_scripts.script_files("")
        self.assertGreater(len(names), 25)
        used = set()
        for name in names:
            start = next(start for start, _ in mutant_scripts.JUDGES if name.startswith(start))
            used.add(start)
            for judge in mutant_scripts.judges_of(name):
                self.assertTrue((ROOT / judge).is_file(), judge)
        self.assertEqual(used, {start for start, _ in mutant_scripts.JUDGES})
        self.assertFalse([name for name in names if name.endswith("_test.py")])

    def test_equal_draws_for_equal_seeds(self):
        name = "exercises/report.py"
        first, again, other = (mutant_scripts.order(name, seed) for seed in (1, 1, 2))
        key = [(m.begin, m.end, m.text) for m in first]
        self.assertEqual(key, [(m.begin, m.end, m.text) for m in again])
        self.assertNotEqual(key, [(m.begin, m.end, m.text) for m in other])
        self.assertEqual(sorted(key), sorted((m.begin, m.end, m.text) for m in other))

    def test_results_tell_integer_division_from_a_comment(self):
        code = "def f(a, b):\n    return a // b + 1\n"
        mutants = [m for _, found in candidates("exercises/x.py", code) for m in found]
        keys = {mutant_scripts.ScriptResults.key(m, "") for m in mutants}
        self.assertEqual(len(keys), len(mutants))
        self.assertGreater(len(keys), 2)


class InACopy(unittest.TestCase):
    """A small project with one tool and its test."""

    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.root = Path(keep.name) / "project"
        (self.root / "tools").mkdir(parents=True)
        (self.root / "docs/records").mkdir(parents=True)
        (self.root / "tools/a.py").write_text("def area(w, h):\n    return w * h\n\n\ndef unused():\n    return 5\n", encoding="utf-8")
        (self.root / "tools/a_test.py").write_text("import a\nassert a.area(3, 5) == 15\n", encoding="utf-8")
        self.record = self.root / "docs/records/mutants.json"
        self.record.write_text('{"seed": 1, "host": {"tried": 3}}\n', encoding="utf-8")
        for words in (["init", "-q"], ["add", "."]):
            subprocess.run(["git", *words], cwd=self.root, check=True)
        for module in (mutant_scripts, sys.modules["mutant_host"], sys.modules["mutant_results"]):
            for name, value in (("ROOT", self.root), ("WORK", Path(keep.name) / "work"), ("PUBLISHED", self.record)):
                if hasattr(module, name):
                    self.change(module, name, value)
        self.change(mutant_scripts, "JUDGES", [("tools/a", "tools/a_test.py")])
        self.change(sys.modules["mutant_results"], "explained", dict)
        self.change(sys.modules["mutant_host"], "explained", dict)

    def change(self, module, name, value):
        patch = mock.patch.object(module, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def run_it(self, **more):
        options = argparse.Namespace(word="", count=20, seed=1, list=False, write=False, jobs=1, **{})
        vars(options).update(more)
        with mock.patch("builtins.print") as said:
            status = mutant_scripts.main(options)
        return status, " ".join(str(call.args[0]) for call in said.call_args_list if call.args)

    def test_what_a_test_notices_is_killed_and_the_rest_survives(self):
        status, said = self.run_it()
        self.assertEqual(status, 1)
        self.assertIn("survived: tools/a.py:6 (constant)\n  - return 5\n  + return 6", said)
        self.assertIn("tools/a.py: 2 killed, 0 equivalent, 2 survived", said)
        self.assertIn("50.0 % rejected", said)
        self.assertEqual((self.root / "tools/a.py").read_text(), "def area(w, h):\n    return w * h\n\n\ndef unused():\n    return 5\n")

    def test_write_publishes_what_is_known_and_keeps_the_other_parts(self):
        self.run_it()
        self.run_it(write=True)
        record = json.loads(self.record.read_text())
        self.assertEqual(record["host"], {"tried": 3})
        self.assertEqual({k: record["scripts"][k] for k in ("tried", "killed", "survived", "files", "files_covered", "left")},
                         {"tried": 4, "killed": 2, "survived": 2, "files": 1, "files_covered": 1, "left": []})
        (self.root / "tools/a.py").write_text("def area(w, h):\n    return h * w\n", encoding="utf-8")
        self.run_it(write=True)
        self.assertEqual(json.loads(self.record.read_text())["scripts"]["left"], ["tools/a.py"])

    def test_a_judge_that_rejects_what_is_unchanged_is_not_asked_and_nothing_is_kept(self):
        (self.root / "tools/a_test.py").write_text("assert False\n", encoding="utf-8")
        status, said = self.run_it()
        self.assertIn("rejects what is unchanged", said)
        self.assertIn("0 killed", said)
        self.run_it(write=True)
        self.assertEqual(json.loads(self.record.read_text())["scripts"]["left"], ["tools/a.py"])

    def test_an_endless_loop_is_killed(self):
        (self.root / "tools/a_test.py").write_text("import a\nwhile a.area(1, 5) < 5:\n    pass\n", encoding="utf-8")
        with mock.patch.object(mutant_scripts.Workshop, "usual_seconds", return_value=-1.9):  # so that it takes a second
            _, said = self.run_it(count=50)
        self.assertRegex(said, "[1-9] killed")


if __name__ == "__main__":
    unittest.main()
