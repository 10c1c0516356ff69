#!/usr/bin/env python3
"""Tries the four calls on the host layer, with the real gpu_check at tiny sizes: each leaves its part of the result, also if a row of it fails.

    calls_test.py PROGRAM CASES
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, CASES = sys.argv.pop(1), sys.argv.pop(1)
FOLDER = Path(__file__).resolve().parent / "calls"
IDS = "gradus ids 1\nvocabulary 8 8\n[train]\n" + 48 * "4\t5 6 7\n" + "[test]\n4 5\t6\n6\t6\n7 4 5\t6\n"
NCU = """#!/usr/bin/env bash
[[ $1 != --import ]] || exec cat "$2"
while [[ $1 != --export ]]; do shift; done
report=$2.ncu-rep
shift 2
"$@" > "$report"
"""
PYTORCH = subprocess.run(["python3", "-c", "import torch"], capture_output=True).returncode == 0
# The call, its parts, and what it leaves. Tools that a machine lacks are reported and are no failure.
CALLS = (("1_check", {"machine": None, "build": "not needed", "judges": "done", "step": "done", "memcheck": None}, {"kernels", "judged step"}),
         ("2_times", {"machine": None, "build": "not needed", "times": "failed with status 3", "train": "done"}, {"times", "training, tf32, 2048 tokens"}),
         ("3_profile", {"machine": None, "build": "not needed", **{f"profile_{name}": "done" for name in ("loss", "attention", "blocks")}}, set()),
         ("4_peers", {"machine": None, "pytorch": None}, set()))


class Calls(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        (self.folder / "ids").write_text(IDS)
        (self.folder / "ncu").write_text(NCU)
        (self.folder / "ncu").chmod(0o755)
        self.given = {**os.environ, "GPU_CHECK": PROGRAM, "CASES": CASES, "IDS": str(self.folder / "ids"), "TINY": "--tiny", "TORCH_DEVICE": "cpu",
                      "PATH": f"{self.folder}:{os.environ['PATH']}", "LIMIT": "3600"}  # the host layer is slower than any GPU

    def call(self, name, out, status=0, **environment):
        """(report of the parts, result.json) of a call."""
        done = subprocess.run([FOLDER / name, self.folder / out], capture_output=True, text=True, env={**self.given, **environment})
        self.assertEqual(done.returncode, status, done.stdout[-3000:])
        report = dict(line.split(",")[0].split(": ") for line in done.stdout.split("\n\n")[-1].splitlines())
        return report, json.loads((self.folder / out / "result.json").read_text())

    def test_each_call_leaves_its_part_of_the_result(self):
        expected = set()
        for call, parts, sections in CALLS:
            if call == "4_peers" and PYTORCH:  # PyTorch names another device than the host layer
                _, result = self.call(call, "torch")
                self.assertIn("step, 24 tokens, tf32, eager", result["pytorch"]["step"])
                continue
            fails = call == "2_times"
            report, result = self.call(call, "out", int(fails), **({"TINY": "--tiny --fail early"} if fails else {}))
            self.assertEqual(report.keys(), {*parts, "join"})
            for part, said in parts.items():
                self.assertIn(report[part], (said,) if said else ("done", "not installed"), part)
            expected |= sections | {part for part, said in parts.items() if said is None and report[part] == "done"} - {"machine"}
            self.assertEqual(result.keys() - {"device", "date", "sources"}, expected)
            self.assertEqual(result["device"], "host layer")
        for row in (*result["kernels"].values(), *result["judged step"].values()):
            self.assertTrue(row["passed"])
            self.assertIsNotNone(row.get("gradient", 0))
        self.assertEqual({name: row["replays"] for name, row in result["judged step"].items()},
                         {f"step, {products}": 20 for products in ("exact", "tf32", "bf16")})
        self.assertEqual([len(result["times"][group]) for group in ("step", "translation", "early starts", "failed")], [6, 2, 0, 2])
        for name, rows in (("loss", ["output_loss rows, naive,", "output_loss rows,"]), ("blocks", 2 * ["attention backward, blocks,"]),
                           ("attention", 2 * [f"attention backward, {form}" for form in ("naive,", "", "blocks,")])):
            said = (self.folder / "out" / f"profile_{name}.txt").read_text().splitlines()[1:]
            self.assertEqual(len(said), len(rows))
            for line, row in zip(said, rows):
                self.assertTrue(line.startswith(row), line)


if __name__ == "__main__":
    unittest.main()
