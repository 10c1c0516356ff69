#!/usr/bin/env python3
"""gpu_result.py tells what changed since a GPU ran the kernels, and refuses what is no result."""
import hashlib
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "gpu_result.py"


class GpuResult(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        for name in ("lib/gradus/gpu", "chapters/05_x", "docs"):
            (self.root / name).mkdir(parents=True)
        for name, text in (("chapters/05_x/a_cuda.cu", "a"), ("chapters/05_x/b_cuda.hpp", "b"), ("chapters/05_x/c_cpu.cpp", "c")):
            (self.root / name).write_text(text)

    def tearDown(self):
        self.folder.cleanup()

    def run_with(self, result):
        if result is not None:
            (self.root / "docs" / "gpu_check.json").write_text(result)
        return subprocess.run([sys.executable, SCRIPT, "--root", self.root], capture_output=True, text=True)

    def result(self, sources, passed=True):
        return json.dumps({"device": "a GPU", "date": "2026-01-02", "sources": sources,
                           "kernels": {"layer_norm": {"double": 0, "float": 0, "passed": passed}}})

    def hash(self, text):
        return hashlib.sha256(text.encode()).hexdigest()

    def test_nothing_has_run(self):
        done = self.run_with(None)
        self.assertEqual((done.returncode, "no GPU has run" in done.stdout), (0, True))

    def test_what_changed_is_named(self):
        same = {"chapters/05_x/a_cuda.cu": self.hash("a"), "chapters/05_x/b_cuda.hpp": self.hash("b")}
        self.assertNotIn("since", self.run_with(self.result(same)).stdout)
        done = self.run_with(self.result({"chapters/05_x/a_cuda.cu": self.hash("x"), "chapters/05_x/z_cuda.cu": "0"}))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines()[1:], ["changed since: chapters/05_x/a_cuda.cu",
                                                        "new since: chapters/05_x/b_cuda.hpp",
                                                        "gone since: chapters/05_x/z_cuda.cu"])

    def test_what_failed_there_fails_here(self):
        self.assertEqual(self.run_with(self.result({}, passed=False)).returncode, 1)

    def test_what_is_no_result_is_refused(self):
        for text in ("", "{}", "[]", '{"sources": {}, "kernels": {}}'):
            self.assertEqual(self.run_with(text).returncode, 1, text)


if __name__ == "__main__":
    unittest.main()
