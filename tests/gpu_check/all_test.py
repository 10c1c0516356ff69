#!/usr/bin/env python3
"""Tests that tests/gpu_check/build names sources that exist, and that tests/gpu_check/all continues after a part that fails or hangs,
with a stand-in for gpu_check."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ALL = Path(__file__).resolve().parent / "all"
STAND_IN = """#!/usr/bin/env bash
part() { echo '{"device": "a GPU", "date": "2026-01-02", "sources": {}, "'"$1"'": {}}' > "$2"; }
case $1 in
  time) part times "$2" ;;
  train) [[ -f $2 ]] || { echo "$2 cannot be read"; exit 2; }; part "training $5" "$7"; echo 4 5 > "$3" ;;
  *slow) sleep 60 ;;
  *) part "${4-kernels}" "$2" ;;
esac
"""


class Build(unittest.TestCase):
    def test_every_source_that_it_compiles_is_there(self):
        done = subprocess.run([ALL.with_name("build"), "--list"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        listed = done.stdout.splitlines()
        self.assertIn("chapters/11_translator/search/cache_cuda.cu", listed)
        self.assertIn("lib/gradus/gpu/nvcc/runtime.cu", listed)


class All(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.program = self.folder / "program"
        self.program.write_text(STAND_IN)
        self.program.chmod(0o755)
        (self.folder / "ids").write_text("")

    def run_all(self, *parts, **environment):
        done = subprocess.run([ALL, self.folder / "out", *parts], capture_output=True, text=True,
                              env={**os.environ, "GPU_CHECK": str(self.program), **environment})
        report = dict(line.split(",")[0].split(": ") for line in done.stdout.split("\n\n")[-1].splitlines())
        sections = json.loads((self.folder / "out" / "result.json").read_text()).keys() - {"device", "date", "sources"}
        return done.returncode, report, sections

    def test_all_parts_become_one_result(self):
        status, report, sections = self.run_all("judges", "times", "train", "train_bf16", IDS=str(self.folder / "ids"))
        self.assertEqual((status, set(report.values())), (0, {"done"}))
        self.assertEqual(sections, {"kernels", "times", "training exact", "training bf16"})
        self.assertEqual((self.folder / "out" / "translations.bf16.ids").read_text(), "4 5\n")
        _, _, sections = self.run_all("times")
        self.assertEqual(len(sections), 4)

    def test_a_part_that_fails_stops_no_other(self):
        status, report, sections = self.run_all("train", "nonsense", "times")
        self.assertEqual((status, sections), (1, {"times"}))
        failed = "failed with status 2"
        self.assertEqual(report, {"train": failed, "nonsense": failed, "times": "done", "join": "done"})

    def test_a_checker_has_its_say_where_it_is_installed(self):
        checker = self.folder / "compute-sanitizer"
        for status, said, sections in ((0, "done", {"times", "memcheck"}), (9, "failed with status 9", {"times"})):
            checker.write_text('#!/bin/sh\nwhile [ "$1" != ' + str(self.program) + f' ]; do shift; done; "$@"; exit {status}\n')
            checker.chmod(0o755)
            found = self.run_all("times", "memcheck", PATH=f"{self.folder}:{os.environ['PATH']}")
            self.assertEqual((found[0], found[1]["memcheck"], found[2]), (int(status != 0), said, sections))
        if shutil.which("compute-sanitizer") is None and not Path("/usr/local/cuda/bin/compute-sanitizer").exists():
            status, report, _ = self.run_all("times", "memcheck")
            self.assertEqual((report["memcheck"], status), ("not installed", 0))

    def test_a_part_that_does_not_end_stops_no_other(self):
        ids = str(self.folder / "ids")
        status, report, sections = self.run_all("times", "judges", "train", CASES="slow", IDS=ids, LIMIT="8")
        self.assertEqual((status, sections), (1, {"times"}))
        self.assertEqual(list(report.values()), ["done", "no time left", "no time left", "done"])


if __name__ == "__main__":
    unittest.main()
