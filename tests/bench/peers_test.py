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
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "docs" / "tools")]
sys.modules.setdefault("ctranslate2", types.ModuleType("ctranslate2"))  # no translation is computed here

import measure  # noqa: E402
import summary  # noqa: E402
import tables  # noqa: E402
import texts  # noqa: E402
import time_shares  # noqa: E402

SOURCES = [path for folder in ("lib", "chapters") for path in (HERE.parents[2] / folder).rglob("*.[ch]pp")]


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

    def earlier(self, stored, program="abc", kind="a processor, family 1"):
        file = self.place / "results.json"
        if stored is not None:
            file.write_text(json.dumps(stored))
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            return measure.earlier(file, program, kind)["runs"], said.getvalue()

    def test_results_of_another_program_are_dropped(self):
        runs = {"captions 1 gradus": [{}]}
        self.assertEqual(self.earlier({"runs": runs, "program_sha256": "abc"}), (runs, ""))
        self.assertEqual(self.earlier({"runs": runs}), (runs, ""))  # of an older script
        kept, said = self.earlier({"runs": runs, "program_sha256": "def"})
        self.assertEqual(kept, {})
        self.assertIn("begins anew", said)

    def test_results_of_another_processor_are_dropped(self):
        runs, name = {"captions 1 gradus": [{}]}, "a processor, family "
        self.assertEqual(self.earlier({"runs": runs, "conditions": {"kind": name + "1"}}), (runs, ""))
        kept, said = self.earlier({"runs": runs, "conditions": {"kind": name + "2"}})
        self.assertEqual(kept, {})
        self.assertIn("the processor is another one", said)

    def test_a_processor_has_a_name_a_family_and_a_model(self):
        file = self.place / "cpuinfo"
        file.write_text("processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\nmodel\t\t: 18\n")
        self.assertEqual(measure.processor_kind(file), "AMD EPYC, family 25, model 17")
        file.write_text("processor\t: 0\nBogoMIPS\t: 50\n")  # as on ARM64
        self.assertEqual(measure.processor_kind(file), measure.platform.machine())
        self.assertNotEqual(measure.processor_kind(self.place / "none"), "")

    def recorded(self, *words):
        """What `run` tells record.py to store under, and its words for measure.py, with stubs in the place of all scripts. There is no perf."""
        stubs = {"tests/bench/peers/run": (measure.HERE / "run").read_text(), "build/peers/python/bin/python": "#!/bin/sh\necho $* > words\n",
                 "tests/bench/record.py": "#!/bin/sh\necho $1 >> keys\n[ $1 != time_shares ]\n",
                 "docs/tools/lessons.py": "#!/bin/sh\ntouch renewed\n",
                 "tests/bench/peers/summary.py": "", "data/test_2016_flickr.en.gz": ""}
        for name, text in stubs.items():
            file = self.place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)
        subprocess.run([self.place / "tests/bench/peers/run", "build", "data", *words], check=True, stderr=subprocess.DEVNULL)
        self.assertTrue((self.place / "renewed").exists())
        keys = (self.place / "keys").read_text().split()
        (self.place / "keys").unlink()
        return keys, (self.place / "words").read_text().split()[3:]

    def test_other_decides_where_the_numbers_go(self):
        self.assertEqual(self.recorded(), (["peers", "time_shares"], []))
        self.assertEqual(self.recorded("--other", "--again"), (["peers_other", "time_shares"], ["--again"]))
        self.assertEqual(self.recorded("--again", "--other"), (["peers_other", "time_shares"], ["--again"]))

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

    def test_each_worker_of_the_peer_gets_as_many_batches_as_the_others(self):
        for sentences, length, workers, batches in ((1000, 33, 2, 22), (1000, 33, 1, 21), (48, 70, 2, 2), (24, 250, 2, 4), (24, 250, 1, 3), (2, 3000, 2, 2)):
            size = texts.batch_size([length] * sentences, workers)
            self.assertEqual(-(-sentences // size), batches)

    def test_the_limit_of_training_counts_the_products(self):
        run = {"tokens": 1000, "source_tokens": 1200, "seconds": 0.5, "peak_memory_mb": 600.0}
        multiplications = 1200 * 655_360 + 1000 * 1_935_360  # 4 layers of each side, and 10,000 words for a target token
        self.assertEqual(summary.product_flops(run), 6 * multiplications)
        stored = results(0.99)
        stored["runs"].update({"train gradus 2": [run], "train tutorial": [{**run, "seconds": 5, "version": "1"}]})
        found = summary.summarised(stored)
        self.assertEqual(found["conditions"]["training_mflop"], "16.3")
        self.assertEqual(found["conditions"]["training_most"], "6,123")  # 2 x 50 GFLOP/s
        self.assertEqual(found["conditions"]["training_share"], "33 %")
        self.assertEqual(found["conditions"]["training_most_tutorial"], "30.6")
        self.assertNotIn("training_most_tuned", found["conditions"])  # not measured

    def test_memory_has_a_bound_in_megabytes(self):
        stored = results(0.99)
        for memory, result in ((513.0, "met"), (513.1, "not met")):
            stored["runs"]["train gradus 2"] = stored["runs"]["train tuned"] = [
                {"tokens": 1000, "source_tokens": 1, "seconds": 1, "peak_memory_mb": memory, "version": "1"}]
            row = summary.summarised(stored)["rows"]["training_memory"]
            self.assertEqual((row["bound"], row["result"], row["ratio"]), ("at most 513 MB", result, "1.00"))

    def test_a_function_counts_for_the_part_that_it_works_for(self):
        report = """# Overhead  Symbol
 40.00% |[.] gradus::register_tile<6, 4, float, false, gradus::(anonymous namespace)::tile<6, 4, false>(gradus::Product const&)
 20.00% |[.] gradus::register_tile<5, 1, float, false, gradus::(anonymous namespace)::score_turned<5, 1, float>(gradus::Weights<float> const&)
 15.00% |[.] gradus::(anonymous namespace)::choose_words<float, gradus::Cpu<float>, gradus::(anonymous namespace)::Int8Tiles>
 10.00% |[k] clear_page_erms
  8.50% |[k] __schedule
  6.25% |[.] gradus::(anonymous namespace)::run<float>
  0.25% |[.] main
"""
        found = time_shares.shares(report)
        self.assertEqual({part: share for part, share in found.items() if share},
                         {"products": 40.0, "attention": 20.0, "words": 15.0, "memory": 10.0, "system": 8.5, "loss": 6.2, "other": 0.2})

    def test_every_part_of_gradus_names_functions_that_there_are(self):
        code = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
        for part in ("attention", "words", "loss", "dropout", "norms", "products", "gradients"):
            for word in time_shares.PARTS[part]:
                self.assertRegex(code, rf"\w*{word.split('::')[-1].rstrip('<')}\w*[(<]", f"{part}: no function is called so")

    def test_the_page_shows_every_part_of_every_work(self):
        for name in ("captions.en", "words200.en", "bench_steps"):
            (self.place / name).touch()
        self.assertEqual(set(tables.WORKS), set(time_shares.commands(self.place, self.place)))
        self.assertEqual(set(tables.PARTS), {*time_shares.PARTS, "other"})
        works = {work: {part: 10.0 * i + j for j, part in enumerate(tables.PARTS)} for i, work in enumerate(tables.WORKS)}
        lines = tables.time_shares(None, {"time_shares": {"kind": "a processor", "date": "2026-01-01", "works": works}}).splitlines()
        self.assertIn("one thread of a processor, 2026-01-01", lines[0])
        self.assertEqual(lines[2], "| part | training | beam 5 | greedy | greedy, 8 bits | 200 words, beam 5 |")
        self.assertEqual(lines[5], "| output layer and choice of words, in translating | 1.0 | 11.0 | 21.0 | 31.0 | 41.0 |")
        self.assertEqual(tables.time_shares(None, {}), "Nothing has been measured yet.")


if __name__ == "__main__":
    unittest.main()
