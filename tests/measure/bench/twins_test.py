#!/usr/bin/env python3
"""Tests that tests/measure/bench/twins.py keeps finished trainings, records each, and refuses to mix budgets; with a program that only pretends."""
import contextlib
import gzip
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import twins  # noqa: E402

# A program that appends its command to a file, and whose BLEU is in its own text.
PROGRAM = """#!/bin/sh
echo {name} $1 >> {said}
case $1 in
  train) while [ "$1" != --output ]; do shift; done
         mkdir "$2"
         for step in 1 2; do echo '{{"event": "step", "step": '$step', "loss": 1.0}}'; done > "$2.log"
         echo '{{"event": "end", "seconds": 60}}' >> "$2.log" ;;
  evaluate) printf 'BLEU = {bleu}\\nchrF2 = 50.0\\n' ;;
  score-pairs) echo '{{"log_prob": {forced}, "tokens": [{{"text": "Ein"}}, {{"text": "<eos>"}}]}}'
               echo '{{"log_prob": -7, "tokens": [{{"text": "E"}}, {{"text": "in"}}, {{"text": "<eos>"}}]}}' ;;
  *) case "$*" in *--json*) for one in 1 2; do echo '{{"score": -1.5, "text": "Ein", "tokens": [{{"text": "Ein"}}, {{"text": "<eos>"}}]}}'; done ;;
                  *) echo Ein Hund. ;; esac ;;
esac
"""


class Twins(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.build, self.record = self.place / "build", self.place / "measured.json"
        for name in ("train", "val", twins.TEST):
            for side in ("en", "de"):
                with gzip.open(self.place / f"{name}.{side}.gz", "wt") as file:
                    file.write("A dog.\nA cat.\n")
        self.add("gradus", 30.0)
        for at, name in enumerate(twins.names()):
            self.add(f"twins/gradus-{name}", 30.0 - at)

    def add(self, name, bleu, forced="-1.5"):
        path = self.build / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PROGRAM.format(name=name, bleu=bleu, forced=forced, said=str(self.place / "said")))
        path.chmod(0o755)

    def run_it(self, *options):
        words = ["twins.py", self.place, "--build", self.build, "--work", self.place / "work", "--record", self.record, *options]
        with mock.patch.object(sys, "argv", [str(word) for word in words]), mock.patch("sys.stderr"):
            twins.main()
        return json.loads(self.record.read_text())["twins"]

    def trainings(self):
        return [line.split()[0] for line in (self.place / "said").read_text().splitlines() if line.endswith(" train")]

    def test_the_closest_get_all_seeds_and_nothing_trains_twice(self):
        found = self.run_it("--closest", "2")
        one, two, three = twins.names()[:3]
        self.assertEqual([len(found[name]["runs"]) for name in ("right", one, two, three)], [3, 3, 3, 1])
        self.assertEqual([found[name]["lost"] for name in (one, two, three)], [0.0, 1.0, 2.0])
        self.assertEqual(len(self.trainings()), 3 + 3 + 3 + len(twins.names()) - 2)
        self.assertEqual(self.run_it("--closest", "2"), found)
        self.assertEqual(len(self.trainings()), 3 + 3 + 3 + len(twins.names()) - 2)

    def test_a_later_twin_is_added_to_the_record_of_the_earlier_ones(self):
        first, second = twins.names()[:2]
        self.run_it(second, "--seeds", "1")
        found = self.run_it(first, "--seeds", "1")
        self.assertTrue({"right", first, second} <= set(found))
        self.assertEqual(sorted(self.trainings()), sorted(["gradus", f"twins/gradus-{first}", f"twins/gradus-{second}"]))
        self.assertEqual((found["sentence"], found[first]["runs"][0]["says"]), ("A cat.", "Ein Hund."))

    def test_a_stopped_measurement_has_recorded_what_was_finished(self):
        third = twins.names()[2]
        (self.build / f"twins/gradus-{third}").write_text("#!/bin/sh\nexit 3\n")
        with self.assertRaises(Exception):
            self.run_it("--seeds", "1")
        self.assertEqual(sorted(set(json.loads(self.record.read_text())["twins"]) & set(twins.names())), sorted(twins.names()[:2]))

    def test_a_measurement_that_is_stopped_again_keeps_its_seeds(self):
        first, *_, last = twins.names()
        self.run_it(first, "--seeds", "1,2", "--closest", "1")
        (self.build / f"twins/gradus-{last}").write_text("#!/bin/sh\nexit 3\n")
        with self.assertRaises(Exception):
            self.run_it(last, "--seeds", "1,2")
        self.assertEqual(len(json.loads(self.record.read_text())["twins"][first]["runs"]), 2)

    def test_a_twin_that_translates_without_its_mistake_is_refused(self):
        for name, is_refused in (("causal-cross", False), (twins.names()[0], True)):
            self.add(f"twins/gradus-{name}", 30.0, forced="-2.5")
            with self.subTest(name), (self.assertRaisesRegex(SystemExit, "differ by 1.0000") if is_refused else contextlib.nullcontext()):
                self.run_it(name, "--seeds", "1")

    def test_trainings_of_another_budget_are_not_taken(self):
        self.run_it(twins.names()[0], "--seeds", "1")
        with self.assertRaisesRegex(SystemExit, "another budget"):
            self.run_it(twins.names()[0], "--seeds", "1", "--epochs", "2")

    def test_an_unknown_twin_is_refused(self):
        with self.assertRaises(SystemExit):
            self.run_it("no-such-twin")


if __name__ == "__main__":
    unittest.main()
