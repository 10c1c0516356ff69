#!/usr/bin/env python3
"""Tests the scripts of `make bench-peers` without a measurement: what is kept, what is judged, what is refused."""
import contextlib
import gzip
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent / "peers"
sys.path[:0] = [str(HERE), str(HERE.parents[3] / "docs" / "tools")]
sys.modules.setdefault("ctranslate2", types.ModuleType("ctranslate2"))  # no translation is computed here

import load  # noqa: E402
import measure  # noqa: E402
import peak  # noqa: E402
import summary  # noqa: E402
import tables  # noqa: E402
import texts  # noqa: E402
import time_shares  # noqa: E402

SOURCES = [path for folder in ("lib", "chapters", "app") for path in (HERE.parents[3] / folder).rglob("*.[ch]pp")]


# The bounds that docs/peers.md shows.
BOUNDS = {
    "train_tutorial": "8 times", "train_tuned": "4 times", "train_two": "2.5 times", "train_threads": "1.9 times",
    "beam_float32": "1.5 times", "beam_int8": "1.5 times", "greedy_float32": "1.5 times", "greedy_int8": "1.5 times",
    "words50_float32": "1.3 times", "words200_float32": "1.3 times",
    "alone_beam_float32": "at most 5 ms", "alone_greedy_float32": "at most 2.5 ms", "loading": "at most 15 ms",
    "training_memory": "at most 513 MB", "decoding_memory": "at most 257 MB", "million": "at most 40 s",
}
# Measure: how a run gets it. A training's time is not 1 s, so that tokens and tokens a second differ.
SETTERS = {
    "tokens": lambda run, value: run.update({"tokens": 4 * value, "seconds": 4}),
    "greedy": lambda run, value: run["searches"][0]["sentences_per_second"].update({"median": value}),
    "beam": lambda run, value: run["searches"][1]["sentences_per_second"].update({"median": value}),
    "alone greedy": lambda run, value: run["searches"][0]["ms_per_sentence_alone"].update({"median": value}),
    "alone beam": lambda run, value: run["searches"][1]["ms_per_sentence_alone"].update({"median": value}),
    "loading": lambda run, value: run["loading_ms"].update({"median": value}),
    "seconds": lambda run, value: run.update({"seconds": value}),
    "memory": lambda run, value: run.update({"peak_memory_mb": value}),
}


def translation(share=1.0, left=1.0):
    """A run of a program on one thread, of which `share` was processor time, with `left` of the machine left to it. No two values are equal."""
    searches = [{"sentences_per_second": {"median": 90.0}, "ms_per_sentence_alone": {"median": 1.0}},
                {"sentences_per_second": {"median": 60.0}, "ms_per_sentence_alone": {"median": 1.5}}]
    return {"searches": searches, "loading_ms": {"median": 4.0}, "processor": "a processor", "blas_core": "Haswell", "peak_memory_mb": 170.0,
            "products_gflops": {"median": 50.0}, "processor_share": share, "share_left": left}


def training(left=1.0):
    return {"tokens": 4000, "source_tokens": 4800, "seconds": 2.0, "peak_memory_mb": 400.0, "version": "1", "share_left": left}


def results(share=1.0, left=1.0):
    conditions = {"processors": 2, "same": 5, "of": 5, "gradus": "gradus 0 (gcc)", "python": "3"}
    return {"conditions": conditions, "runs": {f"captions 1 {kind}": [translation(share, left)] for kind in ("gradus", "float32")}}


def all_results():
    """Each program of each row was measured three times."""
    stored = results()
    for ours, theirs, *_ in summary.ROWS.values():
        for name in filter(None, (ours, theirs)):
            stored["runs"][name] = [training() if name.startswith(("train", "million")) else translation() for _ in range(3)]
    return stored


class FakeMachine:
    """A clock for two processors. Each run takes ten seconds of one of them; `others` has, run for run, the seconds that other programs take."""

    def __init__(self, others):
        self.others, self.at, self.runs = list(others), [100.0, 500.0, 40.0], 0

    def now(self):
        return tuple(self.at)

    def run(self):
        self.runs += 1
        self.at = [self.at[0] + 10, self.at[1] + 10 + (self.others.pop(0) if self.others else 0), self.at[2] + 10]
        return {"tokens": self.runs, "seconds": 1}


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
        stubs = {"tests/measure/bench/peers/run": (measure.HERE / "run").read_text(), "build/peers/python/bin/python": "#!/bin/sh\necho $* > words\n",
                 "tests/measure/bench/record.py": "#!/bin/sh\necho $1 >> keys\n[ $1 != time_shares ]\n",
                 "docs/tools/lessons.py": "#!/bin/sh\ntouch renewed\n",
                 "tests/measure/bench/peers/summary.py": "", "tests/measure/bench/peers/texts.py": ""}
        for name, text in stubs.items():
            file = self.place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)
        subprocess.run([self.place / "tests/measure/bench/peers/run", "build", "data", *words], check=True, stderr=subprocess.DEVNULL)
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

    def comparison(self, machine, stored=None):
        """A Comparison without programs, whose results are in self.place."""
        one = object.__new__(measure.Comparison)
        one.now, one.file = machine.now, self.place / "results.json"
        one.results = stored or {"runs": {}, "conditions": {"processors": 2}}
        return one

    def in_turns(self, one, machine, rounds, *names):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            one.in_turns({name: machine.run for name in names}, rounds)
        stored = json.loads(one.file.read_text())["runs"] if one.file.exists() else {}
        return {name: [(run["tokens"], round(run["share_left"], 2)) for run in runs] for name, runs in stored.items()}, said.getvalue()

    def test_a_disturbed_run_is_measured_again(self):
        machine = FakeMachine([0, 8, 0.5, 0, 0])  # the second run is disturbed, its repetition is not
        found, said = self.in_turns(self.comparison(machine), machine, 2, "ours", "theirs")
        self.assertEqual(found, {"ours": [(1, 1.0), (5, 1.0)], "theirs": [(3, 0.97), (4, 1.0)]})
        self.assertEqual(said.count("theirs, round 1 of 2: "), 2)
        self.assertEqual(said.count("other programs disturbed it: 60 % of the processor were left"), 1)

    def test_it_is_not_measured_again_for_ever(self):
        machine = FakeMachine([9, 6, 7, 0])
        found, said = self.in_turns(self.comparison(machine), machine, 1, "ours", "theirs")
        self.assertEqual(found, {"ours": [(2, 0.7)], "theirs": [(4, 1.0)]})  # the least disturbed of three
        self.assertEqual(said.count("disturbed it"), 3)

    def test_the_next_call_measures_again_what_stayed_disturbed(self):
        machine = FakeMachine([])
        stored = {"conditions": {"processors": 2}, "runs": {"ours": [{"tokens": 7, "seconds": 1, "share_left": 0.5}, {"tokens": 8, "seconds": 1, "share_left": 0.99}],
                                                            "theirs": [{"tokens": 9, "seconds": 1}]}}  # of an older script
        found, _ = self.in_turns(self.comparison(machine, stored), machine, 2, "ours", "theirs")
        self.assertEqual(found, {"ours": [(1, 1.0), (8, 0.99)], "theirs": [(2, 1.0), (3, 1.0)]})

    def test_a_program_that_takes_a_processor_is_seen(self):
        work = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ntime.sleep(60)"
        before = load.now()
        with subprocess.Popen([sys.executable, "-c", work], stdout=subprocess.PIPE) as other:
            other.stdout.readline()
            during = load.now()
            other.kill()
        self.assertLess(load.share_left(before, during, 1), load.QUIET)
        self.assertGreaterEqual(load.now()[2] - during[2], 0.5)  # it has ended, so it is one of those that were measured

    def test_the_share_counts_what_other_programs_took(self):
        stat = "cpu  100 20 30 5000 400 6 7 8 900 50\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
        self.assertAlmostEqual(load.busy_seconds(stat), 171 / os.sysconf("SC_CLK_TCK"))  # not idle, not waiting for a disk; guests are in user
        self.assertAlmostEqual(load.share_left((0, 10, 1), (20, 42, 31), 2), 0.95)
        self.assertAlmostEqual(load.share_left((0, 10, 1), (20, 42, 31), 4), 0.975)
        self.assertEqual(load.share_left((0, 10, 1), (20, 29, 31), 2), 1.0)  # the clocks of the system are coarse
        self.assertEqual(load.share_left((0, 0, 0), (1, 9, 0), 2), 0.0)

    def test_bounds_are_those_of_the_page(self):
        self.assertEqual({key: summary.bound_text(what[3], what[2]) for key, what in summary.ROWS.items() if what[3]}, BOUNDS)
        self.assertEqual(summary.summarised(all_results())["bounds"], len(BOUNDS))

    def test_a_row_compares_what_its_name_says(self):
        parts = {"train_": "tokens", "beam_": "beam", "words": "beam", "greedy_": "greedy", "alone_beam_": "alone beam",
                 "alone_greedy_": "alone greedy", "loading": "loading", "million": "seconds", "training_memory": "memory", "decoding_memory": "memory"}
        for key, (ours, theirs, measure_name, _) in summary.ROWS.items():
            with self.subTest(row=key):
                self.assertEqual(measure_name, next(name for begin, name in parts.items() if key.startswith(begin)))
                self.assertIn("gradus", ours)
                kind = next((kind for kind in ("int8", "float32") if key.endswith(kind)), None)
                if kind:
                    self.assertEqual((ours.replace("gradus int8", "int8").replace("gradus", "float32"), theirs.split()[-1]), (theirs, kind))

    def test_a_ratio_above_1_means_that_gradus_is_faster(self):
        stored = all_results()
        for name, value in (("captions 1 gradus", 2.0), ("captions 1 float32", 5.0)):
            for run in stored["runs"][name]:
                for measure_name in ("alone beam", "beam"):
                    SETTERS[measure_name](run, value)
        rows = summary.summarised(stored)["rows"]
        self.assertEqual((rows["alone_beam_float32"]["ratio"], rows["beam_one_float32"]["ratio"]), ("2.50", "0.40"))

    def test_each_bound_is_met_just_inside_and_not_just_outside(self):
        for key, (ours, theirs, measure_name, bound) in summary.ROWS.items():
            for inside in (True, False) if bound else ():
                is_ratio = bound[0] == "ratio"
                stored, margin = all_results(), 1.001 if inside == is_ratio else 0.999
                for name, base in ((ours, bound[1] * margin), (theirs, 1.0)):
                    for run, factor in zip(stored["runs"].get(name, []), (0.5, 1, 3)):  # the median counts
                        value = base * factor * (7.0 if is_ratio else 1)
                        if name == ours or is_ratio:
                            SETTERS[measure_name](run, value)
                with self.subTest(row=key, inside=inside):
                    found = summary.summarised(stored)["rows"][key]
                    self.assertEqual(found["result"], "met" if inside else "not met", found)

    def test_a_comparison_that_failed_or_is_missing_is_not_met(self):
        for key, (ours, theirs, measure_name, bound) in summary.ROWS.items():
            for name in filter(None, (ours, theirs) if bound else ()):
                for broken in ("missing", "empty", 0.0, float("nan")):
                    stored = all_results()
                    if broken == "missing":
                        del stored["runs"][name]
                    elif broken == "empty":
                        stored["runs"][name] = []
                    else:
                        SETTERS[measure_name](stored["runs"][name][1], broken)
                    with self.subTest(row=key, program=name, broken=broken):
                        found = summary.summarised(stored)
                        self.assertEqual(found["rows"][key]["result"], "failed" if isinstance(broken, float) else "not measured")
                        self.assertLess(found["met"], found["bounds"])

    def test_on_a_quiet_machine_bounds_are_judged(self):
        found = summary.summarised(results(0.99, 0.95))
        self.assertEqual(found["rows"]["loading"]["result"], "met")
        self.assertEqual(found["rows"]["million"]["result"], "not measured")
        self.assertEqual(found["conditions"]["load"], "hardly any")
        self.assertEqual(found["met"], 3)  # loading, and the two bounds on a sentence alone

    def test_the_smallest_share_of_a_row_decides_about_it(self):
        for program, where, low in (("train gradus 1", "share_left", 0.9499), ("captions 1 float32", "processor_share", 0.8)):
            stored = all_results()
            stored["runs"][program][2][where] = low
            found = summary.summarised(stored)
            rows = {key for key, (ours, theirs, _, bound) in summary.ROWS.items() if bound and program in (ours, theirs)}
            self.assertEqual({key for key, row in found["rows"].items() if row["result"] == "not judged: other load"}, rows)
            self.assertEqual({found["rows"][key]["left"] for key in rows}, {f"{int(100 * low)} %"})
            self.assertTrue(rows)

    def test_a_disturbed_row_is_named(self):
        stored = all_results()
        stored["runs"]["train gradus 1"][0]["share_left"] = 0.5
        found = summary.summarised(stored)
        self.assertEqual(found["conditions"]["load"], f"in 1 of {len(summary.ROWS)} rows")
        self.assertEqual(found["others"]["not judged: other load"], 1)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            summary.print_table(found)
        self.assertRegex(said.getvalue(), r"train_threads .* 50 %  not judged: other load\n")
        self.assertRegex(said.getvalue(), r"\d+ of 16 bounds are met; .*1 are not judged: other load\n")

    def test_results_of_an_older_script_are_not_judged(self):
        stored = all_results()
        for run in stored["runs"]["million gradus"]:
            del run["share_left"]
        self.assertEqual(summary.summarised(stored)["rows"]["million"]["result"], "not judged: other load")

    def test_two_programs_at_once_must_both_end_well(self):
        def run(status):
            code = f'print({{!r}}); raise SystemExit({status})'.format(json.dumps({"tokens": 5, "seconds": 2 + status}))
            return [sys.executable, "-c", code]

        self.assertEqual(measure.together([run(0), run(0)], {}), {"tokens": 10, "seconds": 2, "threads": 2})
        with self.assertRaises(SystemExit):
            measure.together([run(0), run(1)], {})

    def multi30k(self, folder, packed, content=lambda name: f"{name}\nzwei\n"):
        """A folder with the six files; `packed` says of each name whether it is packed and ends in .gz."""
        folder.mkdir()
        for name in texts.MULTI30K:
            text = content(name).encode()
            is_packed, end = packed(name)
            (folder / (name + end)).write_bytes(gzip.compress(text) if is_packed else text)
        return folder

    def test_texts_are_found_as_the_program_finds_them(self):
        digests = {name: hashlib.sha256(f"{name}\nzwei\n".encode()).hexdigest() for name in texts.MULTI30K}
        forms = {"packed": lambda name: (True, ".gz"), "plain": lambda name: (False, ""), "only German is plain": lambda name: (name.endswith("en"), ".gz" if name.endswith("en") else ""),
                 "other names": lambda name: (name.endswith("en"), "" if name.endswith("en") else ".gz")}
        for number, (form, packed) in enumerate(forms.items()):
            with self.subTest(form):
                place = self.place / f"place{number}"
                texts.collect(self.multi30k(self.place / str(number), packed), place, digests)
                for name in texts.MULTI30K:
                    self.assertEqual(texts.lines_of(place / f"{name}.gz"), [name, "zwei"])

    def test_the_plain_file_comes_first_as_in_training(self):
        folder = self.multi30k(self.place / "both", lambda name: (False, ""))
        (folder / "val.de.gz").write_bytes(gzip.compress(b"another"))
        self.assertEqual(texts.content(folder, "val.de")[1], b"val.de\nzwei\n")

    def test_a_folder_with_another_text_is_refused(self):
        digests = {name: hashlib.sha256(b"eins\n").hexdigest() for name in texts.MULTI30K}
        for wrong in texts.MULTI30K:
            folder = self.multi30k(self.place / wrong, lambda name: (True, ".gz"), lambda name, w=wrong: "zwei\n" if name == w else "eins\n")
            with self.assertRaisesRegex(texts.NotThere, rf"{wrong}.gz is not {wrong} of Multi30k"):
                texts.multi30k(folder, digests)
            (folder / f"{wrong}.gz").write_bytes(gzip.compress(b"eins\n")[:-9])
            with self.assertRaisesRegex(texts.NotThere, rf"{wrong}.gz cannot be read"):
                texts.multi30k(folder, digests)
            (folder / f"{wrong}.gz").unlink()
            with self.assertRaisesRegex(texts.NotThere, rf"has neither {wrong} nor {wrong}.gz"):
                texts.multi30k(folder, digests)

    def test_a_named_folder_without_multi30k_is_refused(self):
        environment = {name: value for name, value in os.environ.items() if name != "GRADUS_DATA"}
        for data, more in ((str(self.place), {}), ("", {"GRADUS_DATA": str(self.place)})):
            for command in ([HERE / "run", "build/none", data], [HERE / "texts.py", data]):
                done = subprocess.run(command, env={**environment, **more}, capture_output=True, text=True)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(f"{self.place} does not hold Multi30k", done.stderr)
        self.assertEqual(list(self.place.iterdir()), [])

    def test_each_worker_of_the_peer_gets_as_many_batches_as_the_others(self):
        for sentences, length, workers, batches in ((1000, 33, 2, 22), (1000, 33, 1, 21), (48, 70, 2, 2), (24, 250, 2, 4), (24, 250, 1, 3), (2, 3000, 2, 2)):
            size = texts.batch_size([length] * sentences, workers)
            self.assertEqual(-(-sentences // size), batches)

    def test_sentences_alone_are_spread_over_the_whole_text(self):
        self.assertEqual(texts.spread_evenly(list(range(7)), 3), [0, 2, 4])
        self.assertEqual(texts.spread_evenly(list(range(1000)), 50), list(range(0, 1000, 20)))
        self.assertEqual(texts.spread_evenly(["a", "b"], 5), ["a", "b"])

    def test_memory_is_in_megabytes_though_the_system_counts_kibibytes(self):
        with mock.patch.object(peak.resource, "getrusage", return_value=types.SimpleNamespace(ru_maxrss=1_000_003)):
            self.assertAlmostEqual(peak.memory_mb(), 1024.003072)

    def test_the_peer_is_asked_as_gradus_is(self):
        """The width of the search, the limits of the length, and the size of a batch."""
        with mock.patch.dict(sys.modules, {"sentencepiece": mock.Mock()}):
            import translate_ctranslate2
        asked = mock.Mock()
        asked.translate_batch.return_value = [types.SimpleNamespace(hypotheses=[["a"], ["b"]])] * 3
        peer = object.__new__(translate_ctranslate2.Translator)
        peer.model, peer.workers, peer.pieces = asked, 2, mock.Mock()
        peer.pieces.encode.return_value = [["x"] * 5, ["y"] * 7, ["z"] * 11]
        self.assertEqual(peer.translate(["one", "two", "three"], 13), [["a"]] * 3)
        self.assertEqual(asked.translate_batch.call_args, mock.call([["x"] * 5, ["y"] * 7, ["z"] * 11], beam_size=13, max_batch_size=2,
                                                                    max_decoding_length=200, min_decoding_length=1, length_penalty=1))

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
                {"tokens": 1000, "source_tokens": 1, "seconds": 1, "peak_memory_mb": memory, "version": "1", "share_left": 1.0}]
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
