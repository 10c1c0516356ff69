#!/usr/bin/env python3
"""Tests that gpu_result.py names the kernels that have changed since they ran on a GPU, and rejects invalid results."""
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
        for name in ("lib/gradus/gpu", "chapters/05_x", "docs/records"):
            (self.root / name).mkdir(parents=True)
        kernel = '#include <cmath>\n#include "05_x/b_cuda.hpp"\n'
        for name, text in (("chapters/05_x/a_cuda.cu", kernel), ("chapters/05_x/b_cuda.hpp", '#include "gradus/gpu/d.hpp"\n'),
                           ("chapters/05_x/c_cpu.cpp", "c"), ("lib/gradus/gpu/d.hpp", '#include "gradus/gpu/host/e.hpp"\n'),
                           ("lib/gradus/gpu/host/e.hpp", "e"), ("lib/gradus/gpu/f.hpp", "nobody reads it")):
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_text(text)
        self.same = {name: self.hash((self.root / name).read_text())
                     for name in ("chapters/05_x/a_cuda.cu", "chapters/05_x/b_cuda.hpp", "lib/gradus/gpu/d.hpp")}

    def tearDown(self):
        self.folder.cleanup()

    def run_with(self, result):
        if result is not None:
            (self.root / "docs" / "records" / "gpu_check.json").write_text(result)
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
        self.assertNotIn("since", self.run_with(self.result(self.same)).stdout)
        done = self.run_with(self.result({"chapters/05_x/a_cuda.cu": self.hash("x"), "chapters/05_x/z_cuda.cu": "0"}))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines()[1:], ["changed since: chapters/05_x/a_cuda.cu",
                                                        "new since: chapters/05_x/b_cuda.hpp",
                                                        "gone since: chapters/05_x/z_cuda.cu",
                                                        "new since: lib/gradus/gpu/d.hpp"])

    def test_a_program_is_built_with_the_hashes_of_what_kernels_read(self):
        table = self.root / "kernel_sources.cpp"
        subprocess.run([sys.executable, SCRIPT, "--root", self.root, "--hashes", table], check=True)
        rows = [line.strip() for line in table.read_text().splitlines() if line.startswith(" ")]
        self.assertEqual(rows, [f'{{"{name}", "{digest}"}},' for name, digest in self.same.items()])

    def test_what_failed_there_fails_here(self):
        self.assertEqual(self.run_with(self.result({}, passed=False)).returncode, 1)
        for passed in (True, False):
            result = {**json.loads(self.result(self.same)), "judged step": {"step, tf32": {"gradient": 1, "passed": passed}}}
            self.assertEqual(self.run_with(json.dumps(result)).returncode, 0 if passed else 1)

    def test_what_failed_or_was_not_judged_there_is_named(self):
        result = json.loads(self.result(self.same))
        result["kernels"]["not finished"] = {"double": None, "float": None, "passed": False}
        result["judged step"] = {"step, exact": {"same_bits": True, "same_bits_early": True, "passed": True},
                                 "step, tf32": {"same_bits": True, "passed": True},
                                 "step, tf32, early starts": {"failed": "a fault", "passed": False}}
        result["times"] = {"step": {"step, exact": {"median_ms": 1}}, "failed": {"step, tf32, early starts": "a fault"}}
        done = self.run_with(json.dumps(result))
        self.assertEqual((done.returncode, done.stderr.splitlines()), (1, [
            "failed there: not finished", "failed there: step, tf32, early starts", "failed there: step, tf32, early starts: a fault"]))
        self.assertIn("there is also: times (1 rows)\nnot judged with early starts: step, tf32\n", done.stdout)

    def test_what_is_no_result_is_refused(self):
        for text in ("", "{}", "[]", '{"sources": {}, "kernels": {}}', '{"device": "a", "date": "b"}',
                     '{"device": "a", "date": "b", "sources": [], "kernels": []}',
                     self.result({}).replace("a GPU", "host layer")):
            self.assertEqual(self.run_with(text).returncode, 1, text)

    def join(self, *parts):
        paths = [self.root / f"part{i}.json" for i in range(len(parts))]
        for path, part in zip(paths, parts):
            path.write_text(json.dumps(part))
        return subprocess.run([sys.executable, SCRIPT, "--join", self.root / "docs" / "records" / "gpu_check.json", *paths],
                              capture_output=True, text=True)

    def test_parts_become_one_result(self):
        judged = json.loads(self.result(self.same))
        judged["device"] = "a GPU, driver 13.0"
        times = {"device": "a GPU, driver 13.0", "date": "2026-01-03", "sources": judged["sources"],
                 "times": {"ceilings": {"copy": {"median_ms": 1.0}}, "repetitions": 3}}
        torch = {"device": "a GPU", "date": "2026-01-01", "pytorch": {"step": {}}}
        for parts in ((judged, times, torch), (torch, times, judged)):
            self.assertEqual(self.join(*parts).returncode, 0)
            result = json.loads((self.root / "docs" / "records" / "gpu_check.json").read_text())
            self.assertEqual(result, {**torch, **times, **judged, "date": "2026-01-03"})
            told = self.run_with(None).stdout.splitlines()
            self.assertEqual(told, ["ran on a GPU, driver 13.0 on 2026-01-03: 1 components", "there is also: pytorch",
                                    "there is also: times (1 rows)"])

    def test_parts_that_do_not_belong_together_are_refused(self):
        part = {"device": "a GPU", "date": "2026-01-02", "sources": {"x.cu": "1"}, "kernels": {}}
        for other in ({**part, "times": {}}, {"device": "another", "date": "2026-01-02", "times": {}},
                      {"device": "a GPU", "date": "2026-01-02", "sources": {"x.cu": "2"}, "times": {}}, {}, []):
            done = self.join(part, other)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), other)
            self.assertFalse((self.root / "docs" / "records" / "gpu_check.json").exists())


if __name__ == "__main__":
    unittest.main()
