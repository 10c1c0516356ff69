#!/usr/bin/env python3
"""Tests tests/measure/mutation/mutants.py --host without a compiler: the functions it finds, the mutants of its rules, the judges of each file."""
import argparse
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import mutant_host
import mutant_planted
from mutant_host_code import functions, masked
from mutant_host_judges import Playground, stem
from mutant_host_rules import candidates, drawn, renamed
from mutant_judges import ROOT
from mutant_mirrors import MIRRORS, SCRIPTS_OF, folders_of, targets_of

CODE = r'''#include "x.hpp"
namespace gradus {
constexpr double margin = 16;
struct Point {
  double x = 0, y = 0;
  bool is_open = false;
};
template <class Real, class F>
Real mean(const Row<Real>& row, F&& f) {
  // a comment: x = 1; and a "string { in it"
  if (row.empty()) fail("mean(): a row { without numbers" + row.name());
  Real sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) sum += f(row[i], i + 1);
  return sum / row.size();
}
Box::Box(int width, int height) : Shape(width), height_(height) {}
const std::vector<std::string> names = {"source", "target"};
bool operator<(const Point& a, const Point& b) { return a.x == b.x && !b.is_open ? a.y < b.y : a.x < b.x; }
void read(Recipe& r, const nlohmann::json& json) {
  r.source = json.at("source");
  r.target = json["target"];
  r.all.reserve(8);
  while (next(r)) {
    if (r.full(max_count, min_count)) break;
    store(r.first, r.second);
  }
}
}  // namespace gradus
'''


def found(code):
    return {function: mutants for function, mutants in candidates("lib/x.cpp", code)}


def made(code, function, rule):
    """The mutants of a rule for the lines of a function."""
    return [mutant.shown()[1] for mutant in found(code)[function] if mutant.rule == rule]


class Functions(unittest.TestCase):
    def test_functions_are_found_and_nothing_else(self):
        self.assertEqual([name for name, _, _ in functions(masked(CODE))], ["mean", "Box", "operator<", "read"])

    def test_initialisers_belong_to_a_function(self):
        bodies = {name: CODE[begin:end] for name, begin, end in functions(masked(CODE))}
        self.assertEqual(bodies["Box"].strip(), ": Shape(width), height_(height) {}")
        self.assertTrue(bodies["mean"].rstrip().endswith("return sum / row.size();\n}"))

    def test_comments_and_literals_are_hidden_and_places_stay(self):
        code = masked(CODE)
        self.assertEqual(len(code), len(CODE))
        self.assertEqual([at for at, c in enumerate(code) if c == "\n"], [at for at, c in enumerate(CODE) if c == "\n"])
        self.assertNotIn("comment", code)
        self.assertNotIn("without", code)
        self.assertNotIn("x.hpp", code)

    def test_every_function_of_the_trainer_is_found(self):
        text = (ROOT / "chapters/10_training/trainer.hpp").read_text(encoding="utf-8")
        names = [name for name, _, _ in functions(masked(text))]
        for name in ("Trainer", "all_steps", "resume", "run", "save", "is_validation_due", "steps_together", "announced",
                     "take_steps", "validate"):
            self.assertIn(name, names)


class Rules(unittest.TestCase):
    def test_what_each_rule_makes(self):
        cases = [
            ("mean", "off by one", "for (std::size_t i = 0; i <= row.size(); ++i) sum += f(row[i], i + 1);"),
            ("mean", "off by one", "for (std::size_t i = 0; i < row.size(); ++i) sum += f(row[i], i);"),
            ("mean", "sign", "for (std::size_t i = 0; i < row.size(); ++i) sum -= f(row[i], i + 1);"),
            ("mean", "sign", "for (std::size_t i = 0; i < row.size(); ++i) sum += f(row[i], i - 1);"),
            ("mean", "overwritten", "for (std::size_t i = 0; i < row.size(); ++i) sum = f(row[i], i + 1);"),
            ("mean", "arguments swapped", "for (std::size_t i = 0; i < row.size(); ++i) sum += f(i + 1, row[i]);"),
            ("mean", "other operation", "return sum * row.size();"),
            ("mean", "nothing returned", "return {};"),
            ("mean", "statement dropped", "if (row.empty()) ;"),
            ("mean", "condition", 'if (false) fail("mean(): a row { without numbers" + row.name());'),
            ("mean", "number", "Real sum = 1;"),
            ("Box", "neighbour", "Box::Box(int width, int height) : Shape(height), height_(height) {}"),
            ("operator<", "comparison",
             "bool operator<(const Point& a, const Point& b) { return a.x != b.x && !b.is_open ? a.y < b.y : a.x < b.x; }"),
            ("operator<", "negation",
             "bool operator<(const Point& a, const Point& b) { return a.x == b.x && b.is_open ? a.y < b.y : a.x < b.x; }"),
            ("operator<", "branches swapped",
             "bool operator<(const Point& a, const Point& b) { return a.x == b.x && !b.is_open ? a.x < b.x : a.y < b.y; }"),
            ("read", "key", 'r.source = json.at("source_");'),
            ("read", "key", 'r.target = json["target_"];'),
            ("read", "neighbour", 'r.target = json.at("source");'),
            ("read", "neighbour", "store(r.second, r.second);"),
            ("read", "neighbour", "if (r.full(min_count, min_count)) break;"),
            ("read", "jump", "if (r.full(max_count, min_count)) continue;"),
            ("read", "arguments swapped", "store(r.second, r.first);"),
            ("read", "condition", "while (!(next(r))) {"),
            ("declarations", "truth", "bool is_open = true;"),
            ("declarations", "number", "constexpr double margin = 17;"),
            ("declarations", "number", "double x = 0, y = 1;"),
        ]
        for function, rule, line in cases:
            with self.subTest(rule=rule, line=line):
                self.assertIn(line, made(CODE, function, rule))

    def test_what_no_rule_touches(self):
        made_of_all = [mutant for mutants in found(CODE).values() for mutant in mutants]
        self.assertFalse([mutant for mutant in made_of_all if "reserve(8)" in mutant.shown()[0] and "reserve" not in
                          mutant.shown()[1]])  # only time depends on it
        self.assertFalse([mutant for mutant in made_of_all if mutant.line in (1, 10, 17)])
        self.assertNotIn('" - row.name()', "".join(mutant.shown()[1] for mutant in made_of_all))

    def test_a_mutant_changes_one_place(self):
        for mutants in found(CODE).values():
            for mutant in mutants:
                self.assertNotEqual(mutant.applied(), CODE)
                self.assertEqual(mutant.applied()[:mutant.begin], CODE[:mutant.begin])
                self.assertTrue(mutant.applied().endswith(CODE[mutant.end:]))

    def test_a_statement_of_several_lines_is_shown_as_one(self):
        code = "void f() {\n  store(a,\n        b);\n}\n"
        self.assertIn(";", made(code, "f", "statement dropped"))

    def test_a_word_of_a_name_has_neighbours(self):
        self.assertEqual(list(renamed("source_tokens")), ["target_tokens"])
        self.assertIn("DecoderLayer", list(renamed("EncoderLayer")))
        self.assertEqual(list(renamed("resource")), [])


class Draw(unittest.TestCase):
    def lines(self, seed):
        return [mutant.applied() for mutant in drawn(list(candidates("lib/x.cpp", CODE)), seed)]

    def test_it_depends_on_the_seed_alone_and_forgets_nothing(self):
        self.assertEqual(self.lines(1), self.lines(1))
        self.assertNotEqual(self.lines(1), self.lines(2))
        self.assertEqual(sorted(self.lines(1)), sorted(self.lines(2)))
        self.assertEqual(len(self.lines(1)), sum(len(mutants) for mutants in found(CODE).values()))

    def test_the_first_are_of_different_functions(self):
        first = drawn(list(candidates("lib/x.cpp", CODE)), 1)[:5]
        self.assertEqual(len({mutant.kernel for mutant in first}), 5)


class Judges(unittest.TestCase):
    def test_tests_that_mirror_a_file(self):
        self.assertEqual(targets_of("chapters/07_encoder/stack.hpp"), ["test_07_encoder"])
        self.assertEqual(targets_of("lib/gradus/plot/ticks.cpp")[0], "test_plot")
        self.assertEqual(targets_of("chapters/11_translator/search/search_host.cpp")[0], "test_11_translator")
        self.assertIn("test_11_program", targets_of("app/main.cpp"))

    def test_each_file_has_judges_and_each_rule_a_file(self):
        names = mutant_host.host_files("")
        for name in names:
            for folder in folders_of(name):
                self.assertTrue((ROOT / folder).is_dir(), f"{name}: {folder}")
        for beginning, _ in MIRRORS + SCRIPTS_OF:
            self.assertTrue([name for name in names if name.startswith(beginning)], beginning)

    def test_what_a_file_and_its_tests_have_in_common(self):
        self.assertEqual(stem("chapters/03_attention/attention_reference.cpp"), stem("test_03_attention/attention_test"))
        self.assertEqual(stem("app/commands/train_command.cpp"), "train")

    def test_kernels_and_demos_are_not_here(self):
        names = mutant_host.host_files("")
        self.assertGreater(len(names), 150)
        self.assertFalse([name for name in names if "_cuda" in name or "demo" in name])
        self.assertEqual(mutant_host.host_files("10_training/trainer"), ["chapters/10_training/trainer.hpp"])

    def test_what_runs_for_ever_writes_too_much_or_takes_all_memory_is_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Playground(Path(folder))
            self.assertEqual(place.status(["true"], 5, 5), 0)
            self.assertEqual(place.status(["sleep", "60"], 5, 0.2), "time")
            self.assertEqual(place.status([sys.executable, "-c", "while True: pass"], 1, 60), "time")
            greedy = "import sys\ntry:\n    b = bytearray(16 << 30)\nexcept MemoryError:\n    sys.exit(3)"
            self.assertEqual(place.status([sys.executable, "-c", greedy], 5, 60), 3)
            self.assertEqual(place.status(["sh", "-c", "test $TMPDIR = $PWD && test -z \"$(ls)\""], 5, 5), 0)


class WhatIsPublished(unittest.TestCase):
    NAME = "chapters/10_training/trainer.hpp"
    ROW = {"file": NAME, "verdict": "survived"}

    def published(self, rows, is_covered, **before):
        known = {"host": {"seed": 1, "a_file": 3, "by_file": {self.NAME: {"tried": 3, "killed": 2, "equivalent": 0,
                 "survived": 1}}, "not_killed": [self.ROW], "texts": {self.NAME: mutant_host.checksum(self.NAME)}, **before}}
        with mock.patch.object(mutant_host, "text_of", lambda name: json.dumps(known)):
            return mutant_host.published({self.NAME: (rows, is_covered)}, argparse.Namespace(seed=1, count=3))

    def test_the_score_is_of_those_that_change_something(self):
        rows = [{**self.ROW, "verdict": verdict} for verdict in ["killed"] * 3 + ["equivalent", "survived"]]
        found = self.published(rows, True)
        self.assertEqual((found["tried"], found["killed"], found["equivalent"], found["survived"]), (5, 3, 1, 1))
        self.assertEqual(found["percent"], 75.0)
        self.assertEqual(found["by_room"]["chapters/10_training"]["percent"], 75.0)
        self.assertEqual([row["verdict"] for row in found["not_killed"]], ["equivalent", "survived"])

    def test_what_was_known_stays_while_the_text_is_the_same(self):
        self.assertEqual(self.published([], False)["killed"], 2)
        self.assertEqual(self.published([], False)["not_killed"], [self.ROW])
        for other in ({"seed": 2}, {"a_file": 4}, {"texts": {self.NAME: "another"}}):
            found = self.published([], False, **other)
            self.assertEqual((found["tried"], found["left"], found["files_covered"]), (0, [self.NAME], 0))


class Planted(unittest.TestCase):
    def test_each_planted_mistake_changes_one_place_of_a_file_that_is_there(self):
        rows = mutant_planted.planted()
        self.assertGreater(len(rows), 20)
        self.assertEqual(len(rows), len(set(rows)))
        for name in {row[0] for row in rows}:
            mutants = mutant_planted.order(name)  # ValueError where the code has changed: write the line anew, or remove it
            self.assertEqual([mutant.text for mutant in mutants], [row[2] for row in rows if row[0] == name])
            self.assertTrue(all(mutant.applied() != mutant.source for mutant in mutants))

    def test_tools_are_judged_as_scripts_and_the_rest_as_code_for_the_processor(self):
        asked = []
        for module, name in ((mutant_planted, "HostJudges"), (mutant_planted.mutant_scripts, "Workshop")):
            made = mock.patch.object(module, name, lambda folder, name=name: mock.Mock(verdict=lambda mutant: asked.append((name, folder, mutant.name)) or "a test"))
            made.start()
            self.addCleanup(made.stop)
        judges = mutant_planted.Judges("here")
        files = ("app/bench/bench.cpp", "page/scripts/bar.mjs", "exercises/meter.py")
        self.assertEqual([judges.verdict(mutant_planted.order(name)[0]) for name in files], 3 * ["a test"])
        self.assertEqual(asked, [("HostJudges", "here", files[0]), ("Workshop", "here", files[1]), ("Workshop", "here", files[2])])
        self.assertEqual([mutant_planted.judges_now(name) for name in files],
                         [mutant_host.judges_now(files[0]), *map(mutant_planted.mutant_scripts.judges_now, files[1:])])


class Script(unittest.TestCase):
    def test_the_list_has_as_many_as_asked_for(self):
        script = Path(__file__).resolve().parent / "mutants.py"
        lines = subprocess.run([sys.executable, script, "--host", "--list", "--count", "4", "10_training/trainer"],
                               capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(sum(line.startswith("chapters/10_training/trainer.hpp:") for line in lines), 4)


if __name__ == "__main__":
    unittest.main()
