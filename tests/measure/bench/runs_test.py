#!/usr/bin/env python3
"""Tests the figures that the scripts here make of what programs print. Programs are not run: their output is made so that no two numbers are equal."""
import contextlib
import gzip
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "traffic")]

import comparison  # noqa: E402
import google_benchmark  # noqa: E402
import growth  # noqa: E402
import int8  # noqa: E402
import length_penalty  # noqa: E402
import made_texts  # noqa: E402
import quick_preset  # noqa: E402
import ranks  # noqa: E402
import record  # noqa: E402
import registers  # noqa: E402
import search  # noqa: E402
import short_sources  # noqa: E402
import traffic  # noqa: E402
import trainings  # noqa: E402
import warning_rates  # noqa: E402


class Runs(unittest.TestCase):
    """`answer(words)` takes the place of subprocess.run: what a command prints. `commands` are those that ran."""

    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.folder, self.commands, self.answer = Path(keep.name), [], lambda words: ""

        def run(words, **options):
            words = [str(word) for word in words]
            self.commands.append(words)
            text = self.answer(words)
            return mock.Mock(returncode=0, stdout=text, stderr=text)
        self.change(subprocess, "run", run)

    def change(self, module, name, value):
        patch = mock.patch.object(module, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def said(self, module, *words):
        with mock.patch.object(sys, "argv", [module.__name__, *map(str, words)]), contextlib.redirect_stdout(io.StringIO()) as out:
            status = module.main()
        self.status = status
        return out.getvalue()

    def figures(self, module, *words):
        return json.loads(self.said(module, *words))

    @staticmethod
    def option(words, name):
        return words[words.index(name) + 1]


class Scores(Runs):
    def test_the_beams_are_compared_with_the_widest_as_baseline(self):
        table = ("{0}|refs:1|x\n  baseline beam5  {1}.10 {1}.20 ± 0.30\n  /x/beam4  {1}.40 {1}.50 ± 0.60  no difference\n"
                 "  /x/beam1  {1}.70 {1}.80 ± 0.90  0.0123\n\n")
        self.answer = lambda words: "\n" + "".join(table.format(name, at) for name, at in (("BLEU", 11), ("chrF2", 22), ("chrF2++", 33))) if "score" in words else ""
        found = self.figures(comparison, "gradus", "data")
        self.assertEqual(found["bleu"], {"beam_5": 11.1, "beam_5_mean": 11.2, "beam_5_half_width": 0.3, "beam_4": 11.4, "beam_4_mean": 11.5, "beam_4_half_width": 0.6,
                                         "beam_4_p": "no difference", "beam_1": 11.7, "beam_1_mean": 11.8, "beam_1_half_width": 0.9, "beam_1_p": 0.0123})
        self.assertEqual((found["chrf2"]["beam_1"], found["chrf2_words"]["beam_4"], found["signature"]), (22.7, 33.4, "BLEU|refs:1|x"))
        self.assertEqual([self.option(words, "--beam-size") for words in self.commands[:-1]], ["5", "4", "1"])
        files = [self.option(words, "--output") for words in self.commands[:-1]]
        self.assertEqual(self.commands[-1][2:7], ["--baseline", files[0], "--hypotheses", files[1], files[2]])

    def test_a_penalty_has_the_means_over_the_models(self):
        def answer(words):
            if "translate" in words:
                self.of = (self.option(words, "--model"), self.option(words, "--length-penalty"), Path(self.option(words, "--input")).name)
                return ""
            model, penalty, part = self.of
            return f"BLEU|x = {float(penalty) + (1 if model == 'a' else 2) + 10 * (part[:3] == 'val')} (ratio = {0.1 * float(penalty) + (0 if model == 'a' else 0.5)})\n"
        self.answer = answer
        found = self.figures(length_penalty, "gradus", self.folder, "a", "b")
        self.assertEqual({name: found[name] for name in ("models", "at_06", "at_18", "test_at_10")},
                         {"models": 2, "at_06": {"bleu": 12.1, "length_ratio": 0.31}, "at_18": {"bleu": 13.3, "length_ratio": 0.43},
                          "test_at_10": {"bleu": 2.5, "length_ratio": 0.35}})
        self.assertEqual(len(found), 2 + len(length_penalty.PENALTIES) + len(length_penalty.WARNING))

    def test_both_forms_are_scored_and_the_sentences_that_differ_counted(self):
        def answer(words):
            form = "--int8" in words
            Path(self.option(words, "--output")).write_text("a\nb\nc\n" if form else "a\nx\ny\n")
            return "BLEU|x = 41.5\nchrF2|x = 60.0\n" if form else "BLEU|x = 42.25\n"
        self.answer = answer
        self.assertEqual(int8.scores("gradus", Path("data"), "de-en", self.folder), {"bleu_float": 42.25, "bleu_int8": 41.5, "sentences": 3, "changed": 2})
        self.assertEqual([self.option(self.commands[0], name) for name in ("--source", "--reference", "--model")],
                         ["data/test_2016_flickr.de.gz", "data/test_2016_flickr.en.gz", "de-en"])

    def test_the_speed_of_8_bits_is_beside_that_of_float_in_the_same_round(self):
        rounds = iter([(10, 30), (20, 40), (40, 90)])  # float, 8 bits; the middle ratio is not that of the middles

        def answer(words):
            if "--int8" not in words:
                self.pair = next(rounds)
            x = self.pair["--int8" in words]
            median = lambda value: {"median": value}
            return json.dumps({"processor": "P", "blas_core": "B", "products_gflops": median(x), "loading_ms": median(6 * x), "searches": [
                {"sentences_per_second": median(2 * x), "ms_per_sentence_alone": median(0)}, {"sentences_per_second": median(3 * x), "ms_per_sentence_alone": median(5 * x)}]})
        self.answer = answer
        self.assertEqual(int8.speed("gradus", 3), {
            "rounds": 3, "processor": "P", "blas_core": "B", "gflops": 35, "greedy_float": 40, "greedy_int8": 80, "greedy_ratio": 2.25, "beam_float": 60, "beam_int8": 120,
            "beam_ratio": 2.25, "alone_float": 100, "alone_int8": 200, "alone_ratio": 0.44, "load_float": 120, "load_int8": 240, "load_ratio": 0.44})

    def test_the_quick_preset_has_its_scores_and_minutes(self):
        with gzip.open(self.folder / "test_2016_flickr.de.gz", "wt") as file:
            file.write("x\n")
        self.answer = lambda words: "BLEU|a = 35.25\nchrF2|b = 60.5\nchrF2++|c = 58.0\n" if "score" in words else ""
        self.change(quick_preset.time, "time", mock.Mock(side_effect=[100, 1030]))
        found = self.figures(quick_preset, "gradus", self.folder)
        self.assertEqual((found["minutes"], found["bleu"], found["chrf2"]), (15.5, 35.25, 60.5))


class Speeds(Runs):
    def test_the_best_repetition_counts(self):
        runs = [{"run_type": "iteration", "run_name": "a/32", "GFLOP/s": 7.04}, {"run_type": "iteration", "run_name": "a/32", "GFLOP/s": 9.16},
                {"run_type": "iteration", "run_name": "a/32", "GFLOP/s": 8}, {"run_type": "aggregate", "run_name": "a/32", "GFLOP/s": 99},
                {"run_type": "iteration", "run_name": "b", "items_per_second": 12340}]
        self.answer = lambda words: json.dumps({"benchmarks": runs})
        self.assertEqual(google_benchmark.best_rates("bench", 3, "--x"), {"a_32": 9.2, "b": 12.3})
        self.assertEqual(self.commands, [["bench", "--benchmark_repetitions=3", "--benchmark_format=json", "--x"]])
        self.answer = lambda words: "gradus 1\nBLAS kernels: Haswell, of OpenBLAS\n"
        self.assertEqual(google_benchmark.core(Path("b")), "Haswell")

    def test_a_search_is_named_by_its_text_beam_and_batch(self):
        self.answer = lambda words: ("short, beam 5, batches of  48,   700 tokens:  123.4 sentences/s\n"
                                     "long, beam 1, batches of   2,  1536 tokens:  5.67 sentences/s\n")
        self.assertEqual(self.figures(search, "b"), {"threads": 1, "beam_5_batch_48": 123.4, "long_beam_1_tokens_1536": 5.67})

    def test_two_ranks_are_compared_with_two_threads_round_by_round(self):
        rates = iter([(10, 20), (30, 40), (50, 80)])
        self.change(ranks, "ROUNDS", 3)

        def measured(count, threads, bench):
            if count == 2:
                self.assertEqual(threads, 1)
                self.pair = next(rates)
            return {"tokens_per_second": self.pair[count == 1], "parameters": 3 + count, "bytes_sent": 100 + count, "bytes_by_formula": 200.4 + count}
        self.change(ranks, "measured", measured)
        self.assertEqual(self.figures(ranks, "bench"), {"rounds": 3, "parameters": 5, "two_ranks": 30, "two_threads": 40, "ratio": 0.625, "least": 0.5, "most": 0.75,
                                                       "sent_bytes": 102, "formula_bytes": 202})

    def test_blocks_that_run_side_by_side_follow_from_the_registers_in_steps_of_eight(self):
        kernels = [("forward", 0, 41), ("forward", 32, 64), ("backward", 0, 127), ("backward", 32, 255)]
        lines = "".join(f"info : Function {name}_kernel<{width}u, false, float>(x)\n info : Used {used} registers\n" for name, width, used in kernels)
        self.answer = lambda words: "Cuda compilation tools, release 12.4, V12.4.1" if "--version" in words else lines
        self.assertEqual(self.figures(registers), {
            "nvcc": "12.4", "forward_blocks": 41, "forward_blocks_side_by_side": 5, "forward_warps": 64, "forward_warps_side_by_side": 4,
            "backward_blocks": 127, "backward_blocks_side_by_side": 2, "backward_warps": 255, "backward_warps_side_by_side": 1})

    def test_the_growth_is_the_difference_by_a_pair(self):
        made = lambda pairs: {"ids_bytes": 7e6 + pairs, "text_bytes": 9e6 + pairs, **{start: {
            "seconds": at + pairs / 1e5, "own_bytes": at * 1e8 + at * 11 * pairs, "file_bytes": at * 1e7 + at * 3 * pairs} for start, at in (("first", 1), ("later", 2))}}
        self.change(growth, "measured", lambda program, data, pairs: made(pairs))
        found = self.figures(growth, "gradus", "data", "100000", "500000")
        self.assertEqual((found["first_bytes_a_pair"], found["later_bytes_a_pair"], found["later_file_bytes_a_pair"]), (11, 22, 6))
        self.assertEqual(found["many"], {"pairs": 500000, "ids_mb": 8, "text_mb": 10, "first_seconds": 6, "first_mb": 106, "first_file_mb": 12,
                                         "later_seconds": 7, "later_mb": 211, "later_file_mb": 23})
        self.assertEqual((found["few"]["pairs"], found["few"]["first_seconds"]), (100000, 2))

    def test_the_traffic_of_a_step_is_summed_and_judged(self):
        row = lambda what, **more: {"what": what, "at": 0, "launches": 3, "read": 2e6, "written": 4e6, "requests": 10, "sectors": 25, "wanted": 760, "early": 5, **more}
        rows = [row("small"), row("large", read=9e6, launches=11, early=90, requests=0, sectors=20, wanted=640)]
        file = self.folder / "traffic.json"
        file.write_text(json.dumps(rows))
        told = self.said(traffic, "program", file)
        self.assertEqual([line.split() for line in told.split("\n")[1:4]], [["large", "11", "9.0", "4.0"], ["small", "3", "2.0", "4.0", "2.5", "95%"],
                                                                             ["together", "14", "11.0", "8.0", "4.5", "97%"]])
        self.assertIn("14 launches (at most 262), of which 95 may start early (at least 86), 19 MB read and written (at most 3155)", told)
        self.assertIn("a lane wanted 97% (at least 86%)", told)
        self.assertEqual(self.status, 0)
        for change in ({"launches": 263}, {"read": 3.2e9}, {"wanted": 1}, {"early": 2}):
            file.write_text(json.dumps([rows[0], {**rows[1], **change}]))
            self.said(traffic, "program", file)
            self.assertEqual(self.status, 1, change)
        self.assertEqual(traffic.name("void gradus::(anonymous namespace)::f<2u>(float*)", "/a/b/x_cuda.cu:41 (discriminator 2)"), "x_cuda.cu f<2u>")


class Trainings(Runs):
    def test_a_curve_has_the_means_of_equal_parts_and_every_validation(self):
        events = [{"event": "step", "step": 3 * i, "loss": i * i} for i in range(1, 8)] + [
            {"event": "validation", "step": 9, "loss": 2.34567, "bleu": 12.345}, {"event": "end", "seconds": 90}, {"event": "end", "seconds": 264}]
        log = self.folder / "log"
        log.write_text("".join(json.dumps(event) + "\n" for event in events))
        self.assertEqual(trainings.curves(log, 3), {"steps": 7, "curve": [[6, 2.5], [12, 12.5], [21, 36.667]], "validations": [[9, 2.346, 12.35]], "minutes": 5.9})

    def test_a_run_is_trained_and_scored_once(self):
        folder, log = self.folder / "run", self.folder / "run.log"
        folder.mkdir()
        log.write_text('{"event": "step", "step": 1, "loss": 3}\n')
        self.answer = lambda words: "BLEU|x = 31.5\nchrF2|x = 52.25\nchrF2++|x = 50.0\n" if "evaluate" in words else ""
        first = trainings.run("gradus", Path("data"), folder, ("--seed", "3"))
        self.assertEqual((first["bleu"], first["chrf2"], first["steps"]), (31.5, 52.25, 1))
        self.assertEqual(self.commands[0][-10:], ["--seed", "3", "--train-source", "data/train.en.gz", "--train-target", "data/train.de.gz",
                                                 "--valid-source", "data/val.en.gz", "--valid-target", "data/val.de.gz"])
        self.assertEqual(trainings.run("gradus", Path("data"), folder, ()), first)
        self.assertEqual(len(self.commands), 2)

    def test_a_record_is_one_part_of_the_file_with_day_and_commit(self):
        self.change(record.records, "stamp", lambda: {"date": "today", "commit": "abc"})
        file = self.folder / "measured.json"
        record.store("b", {"curve": [[1, 2.5], [3, 4]], "name": "é"}, file)
        record.store("a", {"x": 7}, file)
        self.assertEqual(json.loads(file.read_text()), {"a": {"x": 7, "date": "today", "commit": "abc"},
                                                        "b": {"curve": [[1, 2.5], [3, 4]], "name": "é", "date": "today", "commit": "abc"}})
        self.assertIn('[1, 2.5]', file.read_text())
        self.assertLess(file.read_text().index('"a"'), file.read_text().index('"b"'))


class Warnings(Runs):
    ROWS = [("k", is_bad, f"s{i}", f"t{i}") for i, is_bad in enumerate((True, True, True, False, False, True, False))]
    CODES = [{"unsure"}, {"numbers", "unsure"}, {"repetition"}, {"unsure"}, set(), set(), set()]

    def test_precision_is_of_the_warned_and_recall_of_the_bad(self):
        found = warning_rates.figures(self.ROWS, self.CODES)
        self.assertEqual([found[name] for name in ("sentences", "bad", "good")], [7, 4, 3])
        self.assertEqual(found["unsure"], {"warned": 3, "right": 2, "precision": 0.67, "recall": 0.5})
        self.assertEqual(found["all"], {"warned": 4, "right": 3, "precision": 0.75, "recall": 0.75})
        self.assertEqual(found["never-seen"], {"warned": 0, "right": 0, "precision": None, "recall": 0.0})

    def test_a_label_is_stale_if_the_translation_differs(self):
        rows = warning_rates.read_list("k\tgood\ta\tA\nk\tbad\tb\tB\n")
        self.assertEqual(rows, [("k", False, "a", "A"), ("k", True, "b", "B")])
        found = warning_rates.stale(rows, [{"text": "A"}, {"text": "C"}])
        self.assertEqual(len(found), 1)
        self.assertIn("line 2: the label is stale. Judged was 'B', the model now says 'C'", found[0])
        with self.assertRaisesRegex(SystemExit, "line 2: expected kind"):
            warning_rates.read_list("k\tgood\ta\tA\nk\tfine\tb\tB\n")

    def test_captions_are_grouped_by_their_warnings(self):
        for side in ("en", "de"):
            with gzip.open(self.folder / f"test_2016_flickr.{side}.gz", "wt") as file:
                file.write("".join(f"{side}{i}\n" for i in range(4)))
        codes = {"en0": ["unsure"], "en1": ["numbers"], "en2": [], "en3": ["several-sentences"], "en0 en1": [], "en2 en3": ["several-sentences", "unsure"]}
        self.change(warning_rates, "translated", lambda program, lines, model: [{"text": f"{model} {line}", "warnings": [{"code": code} for code in codes[line]]} for line in lines])
        self.change(warning_rates, "bleu", lambda program, folder, pairs: " ".join(f"{a}/{b}" for a, b in pairs))
        found = warning_rates.captions("gradus", self.folder, "en", "de")
        self.assertEqual(found["before"], {"warned": 1, "percent": 25.0, "bleu_warned": "en-de en0/de0", "bleu_others": "en-de en1/de1 en-de en2/de2 en-de en3/de3"})
        self.assertEqual(found["now"], {"warned": 3, "percent": 75.0, "bleu_warned": "en-de en0/de0 en-de en1/de1 en-de en3/de3", "bleu_others": "en-de en2/de2"})
        self.assertEqual((found["sentences"], found["joined"]), (4, {"lines": 2, "warned": 1, "single_warned": 1}))

    def test_made_texts_are_learnt_and_translated_in_other_parts(self):
        parts = {"train": 5, "valid": 2, "test": 3}
        self.change(warning_rates, "PARTS", parts)
        test = warning_rates.texts_of(self.folder, "digits")
        lines = {name: (self.folder / name).read_text().splitlines() for part in parts for name in (f"{part}.source", f"{part}.target")}
        self.assertEqual({name: len(some) for name, some in lines.items()}, {f"{part}.{side}": n for part, n in parts.items() for side in ("source", "target")})
        self.assertEqual(list(zip(lines["test.source"], lines["test.target"])), test)
        self.assertEqual(len({line for name in lines if name.endswith("source") for line in lines[name]}), 10)
        self.assertTrue(all(source == target[::-1] for source, target in test))
        for kind in made_texts.KINDS:
            pairs = made_texts.pairs(kind, 40)
            self.assertEqual((len(dict(pairs)), pairs), (40, made_texts.pairs(kind, 40)))
        self.assertEqual(dict(made_texts.pairs("from-thai", 9)), {target: source for source, target in made_texts.pairs("thai", 9)})
        with self.assertRaisesRegex(SystemExit, "japanese has only 2880 different pairs, not 2881"):
            made_texts.pairs("japanese", 2881)


class ShortSources(Runs):
    def test_a_phrase_is_right_if_it_is_one_of_the_answers(self):
        self.assertTrue(short_sources.is_right("Zwei Jungs.", "Zwei Jungen/Zwei Jungs"))
        self.assertFalse(short_sources.is_right("Zwei", "Zwei Jungen/Zwei Jungs"))
        self.assertEqual([short_sources.has_double(text) for text in ("a man man.", "a man a man", "no no")], [True, False, True])

    def test_both_directions_count_and_the_even_lines_are_held_out(self):
        self.change(short_sources, "LIST", self.folder / "list.tsv")
        short_sources.LIST.write_text("odd\todd\nTwo/Both\tZwei\nodd\todd\nthree\tDrei/drei\nodd\todd\nfour\tVier\n", encoding="utf-8")
        self.change(short_sources, "PHRASES", [["A cat.", "Eine Katze."], ["A dog.", "Ein Hund./Hund."]])
        answers = {"Two": ("Zwei.", True), "three": ("vier", True), "Zwei": ("zwo", False), "Drei": ("three", False),
                   "four": ("Vier", False), "Vier": ("four", False),
                   "A cat.": ("Eine Katze.", False), "A dog.": ("Hund Hund.", False), "Eine Katze.": ("A cat.", False), "Ein Hund.": ("A dog", False)}

        def answer(words):
            texts = [answers[line] for line in Path(self.option(words, "--input")).read_text(encoding="utf-8").splitlines()]
            return "".join((json.dumps({"text": text, "warnings": [{"code": "unsure"}] * warned}) if "--json" in words else text) + "\n" for text, warned in texts)
        self.answer = answer
        self.assertEqual(short_sources.of_held_out("gradus", ("--x",), self.folder), 4)
        self.assertEqual(short_sources.of_warnings("gradus", self.folder), {"warned_bad": 1, "warned_right": 1, "bad_not_warned": 1, "bad": 2})
        self.assertEqual(short_sources.of_phrases("gradus", (), self.folder), (2, 1))
        self.assertEqual([self.option(words, "--model") for words in self.commands], 3 * ["en-de", "de-en"])


if __name__ == "__main__":
    unittest.main()
