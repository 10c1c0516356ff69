#!/usr/bin/env python3
"""Tries the three calls of `all` on the host layer, with the real gpu_check at tiny sizes: each leaves its part of result.json.

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
ALL = Path(__file__).resolve().parent / "all"
IDS = "gradus ids 1\nvocabulary 8 8\n[train]\n" + 48 * "4\t5 6 7\n" + "[test]\n4 5\t6\n6\t6\n7 4 5\t6\n"
# The call, its parts, and what it leaves. Tools that a machine lacks are reported and are no failure.
CALLS = (("check", {"build": "not needed", "judges": "done", "step": "done", "memcheck": None}, {"kernels", "judged step"}),
         ("measure", {"times": "done", "train": "done"}, {"times", "training, exact, 2048 tokens"}),
         ("compare", {"pytorch": None}, set()))


class Calls(unittest.TestCase):
    def test_each_call_leaves_its_part_of_the_result(self):
        with tempfile.TemporaryDirectory() as name:
            folder, expected = Path(name), set()
            (folder / "ids").write_text(IDS)
            given = {**os.environ, "GPU_CHECK": PROGRAM, "CASES": CASES, "IDS": str(folder / "ids"), "TINY": "--tiny",
                     "TORCH_DEVICE": "cpu", "LIMIT": "3600"}  # the host layer is slower than any GPU
            for call, parts, sections in CALLS:
                if call == "compare" and subprocess.run(["python3", "-c", "import torch"], capture_output=True).returncode == 0:
                    self.compare_alone(folder, given)  # PyTorch names another device than the host layer
                    continue
                done = subprocess.run([ALL, folder / "out", call], capture_output=True, text=True, env=given)
                self.assertEqual(done.returncode, 0, done.stdout[-3000:])
                report = dict(line.split(",")[0].split(": ") for line in done.stdout.split("\n\n")[-1].splitlines())
                self.assertEqual(report.keys(), {*parts, "join"})
                for part, said in parts.items():
                    self.assertIn(report[part], (said,) if said else ("done", "not installed"), part)
                result = json.loads((folder / "out" / "result.json").read_text())
                expected |= sections | {part for part, said in parts.items() if said is None and report[part] == "done"}
                self.assertEqual(result.keys() - {"device", "date", "sources"}, expected)
                self.assertEqual(result["device"], "host layer")
            for row in (*result["kernels"].values(), *result["judged step"].values()):
                self.assertTrue(row["passed"])
                self.assertIsNotNone(row.get("gradient", 0))
            self.assertEqual({name: row["replays"] for name, row in result["judged step"].items()},
                             {f"step, {products}": 20 for products in ("exact", "tf32", "bf16")})
            self.assertEqual(sorted(path.name for path in (folder / "out").iterdir()),
                             ["log.txt", "parts", "result.json", "translations.exact.ids"])

    def compare_alone(self, folder, given):
        done = subprocess.run([ALL, folder / "torch", "compare"], capture_output=True, text=True, env=given)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        rows = json.loads((folder / "torch" / "result.json").read_text())["pytorch"]["step"]
        self.assertIn("step, 24 tokens, tf32, eager", rows)


if __name__ == "__main__":
    unittest.main()
