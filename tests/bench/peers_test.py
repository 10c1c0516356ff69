#!/usr/bin/env python3
"""Tests the scripts of `make bench-peers` without a measurement: what is kept, what is judged, what is refused."""
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent / "peers"
sys.path.insert(0, str(HERE))
sys.modules.setdefault("ctranslate2", types.ModuleType("ctranslate2"))  # no translation is computed here

import measure  # noqa: E402
import summary  # noqa: E402


def translation(share):
    """A run of a program, of which `share` was processor time."""
    search = {"sentences_per_second": {"median": 90.0}, "ms_per_sentence_alone": {"median": 1.0}}
    return {"searches": [search, search], "loading_ms": {"median": 4.0}, "processor": "a processor", "blas_core": "Haswell",
            "products_gflops": {"median": 50.0}, "processor_share": share}


def results(share):
    conditions = {"processors": 2, "same": 5, "of": 5, "gradus": "gradus 0 (gcc)", "python": "3"}
    return {"conditions": conditions, "runs": {"captions 1 gradus": [translation(share)], "captions 1 float32": [translation(share)]}}


class PeersTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def earlier(self, stored, program="abc"):
        file = self.place / "results.json"
        if stored is not None:
            file.write_text(json.dumps(stored))
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            return measure.earlier(file, program)["runs"], said.getvalue()

    def test_results_of_another_program_are_dropped(self):
        runs = {"captions 1 gradus": [{}]}
        self.assertEqual(self.earlier({"runs": runs, "program_sha256": "abc"}), (runs, ""))
        self.assertEqual(self.earlier({"runs": runs}), (runs, ""))  # of an older script
        kept, said = self.earlier({"runs": runs, "program_sha256": "def"})
        self.assertEqual(kept, {})
        self.assertIn("begins anew", said)

    def test_without_results_it_begins(self):
        self.assertEqual(self.earlier(None), ({}, ""))

    def test_on_a_quiet_machine_bounds_are_judged(self):
        found = summary.summarised(results(0.99))
        self.assertEqual(found["rows"]["loading"]["result"], "met")
        self.assertEqual(found["rows"]["million"]["result"], "not measured")
        self.assertEqual(found["met"], 3)  # loading, and the two bounds on a sentence alone

    def test_under_other_load_no_bound_is_judged(self):
        found = summary.summarised(results(0.8))
        self.assertEqual(found["rows"]["loading"]["result"], "not judged: other load")
        self.assertEqual(found["rows"]["million"]["result"], "not measured")
        self.assertEqual(found["rows"]["alone_beam_int8"]["result"], "not measured")
        self.assertEqual(found["met"], 0)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            summary.print_table(found)
        self.assertIn("no bound is judged", said.getvalue())

    def test_a_named_folder_without_multi30k_is_refused(self):
        environment = {name: value for name, value in os.environ.items() if name != "GRADUS_DATA"}
        for data, more in ((str(self.place), {}), ("", {"GRADUS_DATA": str(self.place)})):
            done = subprocess.run([HERE / "run", "build/none", data], env={**environment, **more}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(f"{self.place} does not hold Multi30k", done.stderr)
        self.assertEqual(list(self.place.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
