#!/usr/bin/env python3
"""Tests gpu_check's timing and training, on the host layer at tiny sizes: every row must be there, also if another row fails or the
run is killed.

    parts_test.py PROGRAM CASES
"""
import itertools
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, CASES = sys.argv.pop(1), sys.argv.pop(1)
WAYS = ("exact", "tf32", "bf16")
PRODUCTS = ("24 x 8 x 24", "24 x 8 x 16", "24 x 16 x 8", "8 x 24 x 16", "40 x 8 x 24", "40 x 8 x 16", "40 x 16 x 8", "8 x 40 x 16",
            "4 x 8 x 40", "8 x 8 x 8")
LADDER = ("naive", "coalesced", "shared tile", "register tile", "cuBLAS")
FORMS = ("forward, naive", "forward", "backward, naive", "backward")
ROWS = {
    "ceilings": {"empty kernel, launched", "empty kernel, in a recording", "copy of 1024 bytes"}
    | {f"product {shape}, {way}" for shape in PRODUCTS for way in WAYS},
    "kernels": {f"product by {step}, 8 x 8 x 8" for step in LADDER}
    | {f"layer_norm {form}, {rows} rows" for form in FORMS for rows in (6, 10)}
    | {f"attention {form}, {tokens} tokens" for form in (*FORMS, "forward, blocks", "backward, blocks") for tokens in (24, 40)}
    | {"output_loss rows, naive, 4 x 40", "output_loss rows, 4 x 40"},
    "step": {f"step, {tokens} tokens, {way}" for tokens in (24, 40) for way in WAYS},
    "translation": {f"translation, beam {width}, 2 sentences together" for width in (1, 5)},
    "early starts": {f"step, {tokens} tokens, tf32, early starts refused" for tokens in (24, 40)},
}
IDS = "gradus ids 1\nvocabulary 8 8\n[train]\n" + 48 * "4\t5 6 7\n" + "[test]\n4 5\t6\n6\t6\n7 4 5\t6\n"


class Parts(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.ids = self.folder / "ids"
        self.ids.write_text(IDS)

    def run_program(self, *words, status=0):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def result(self, path):
        result = json.loads(path.read_text())
        self.assertEqual(result["device"], "host layer")
        self.assertIn("chapters/05_layer_norm/cuda/layer_norm_naive_cuda.cu", result["sources"])
        return result

    def test_every_row_has_a_time(self):
        path = self.folder / "times.json"
        self.run_program("time", path, "--tiny")
        times = self.result(path)["times"]
        self.assertIn("mean nothing", times["note"])
        for group, names in ROWS.items():
            self.assertEqual(set(times[group]), names)
            for name, row in times[group].items():
                self.assertGreater(row["least_ms"], 0, name)
                self.assertGreaterEqual(row["median_ms"], row["least_ms"], name)
                self.assertGreater(row["rate"], 0, name)
                self.assertTrue(row["unit"].endswith("/s"), name)

    def test_a_row_that_fails_is_named_and_loses_no_other(self):
        path = self.folder / "times.json"
        for failing, names in (("early starts", ROWS["early starts"]), ("tf32", {row for rows in ROWS.values() for row in rows if "tf32" in row})):
            said = self.run_program("time", path, "--tiny", "--fail", failing, status=3).stdout
            times = self.result(path)["times"]
            self.assertEqual(times["failed"], {name: "asked to fail" for name in names})
            for group, rows in ROWS.items():
                self.assertEqual(set(times[group]), rows - names)
            for name in names:
                self.assertIn(f"\n{name}: failed: asked to fail\n", said)

    def test_rows_of_one_name_alone(self):
        said = self.run_program("time", "--tiny", "--only", "attention backward, b").stdout.splitlines()
        self.assertEqual([line.split(":")[0] for line in said], ["host layer", *(f"attention backward, blocks, {n} tokens" for n in (24, 40))])

    def test_a_killed_run_leaves_its_rows(self):
        path = self.folder / "times.json"
        run = subprocess.Popen([PROGRAM, "time", path, "--tiny", "--repetitions", "30"], stdout=subprocess.PIPE, text=True)
        said = [run.stdout.readline() for _ in range(3)]  # the device and two rows; the first of them is in the file, the second may be
        run.kill()
        run.communicate()
        self.assertEqual(run.returncode, -9)
        rows = list(self.result(path)["times"]["ceilings"])
        self.assertLess(len(rows), len(ROWS["ceilings"]))
        self.assertEqual(rows[0], "empty kernel, launched")
        self.assertIn(rows[0], said[1])

    def test_a_failing_early_start_leaves_the_judged_steps(self):
        path = self.folder / "step.json"
        said = self.run_program("step", path, "--tiny", "--replays", 1, "--fail", "tf32, early starts", status=3).stdout
        rows = self.result(path)["judged step"]
        self.assertEqual(list(rows), [*(f"step, {way}" for way in WAYS), "step, tf32, early starts"])
        self.assertEqual([rows[f"step, {way}"].get("same_bits_early") for way in WAYS], [True, None, True])
        self.assertEqual([row["passed"] for row in rows.values()], [True, True, True, False])
        self.assertIn("step, tf32, early starts: failed: asked to fail\n", said)
        self.run_program("step", path, "--tiny", "--replays", 1, "--fail", "step, tf32", status=3)
        rows = self.result(path)["judged step"]
        self.assertEqual(list(rows), ["step, exact", "step, bf16", "step, tf32"])
        self.assertEqual(rows["step, tf32"], {"failed": "asked to fail", "passed": False})

    def test_a_case_that_fails_leaves_the_others(self):
        path = self.folder / "kernels.json"
        said = self.run_program(CASES, path, "--fail", "recorded search", status=3).stdout
        rows = self.result(path)["kernels"]
        self.assertEqual({name: row["failed"] for name, row in rows.items() if not row["passed"]}, {"recorded search": "asked to fail"})
        self.assertGreater(len(rows), 20)
        self.assertIn("recorded search: failed: asked to fail\n", said)

    def test_a_training_that_fails_leaves_its_epochs(self):
        for failing, epochs in (("epoch 3", 2), ("translation", 3)):
            path = self.folder / f"{failing}.json"
            done = self.run_program("train", self.ids, self.folder / "out", "--tiny", "--epochs", 3, "--batch-tokens", 12, "--result", path,
                                    "--fail", failing, status=2)
            self.assertIn("asked to fail", done.stderr)
            section = self.result(path)["training, tf32, 12 tokens"]
            self.assertEqual((len(section["seconds_of_epochs"]), section["sentences"]), (epochs, 0))

    def test_a_step_is_judged_with_each_kind_of_products(self):
        path = self.folder / "step.json"
        self.run_program("step", path, "--tiny", "--replays", 2)
        rows = self.result(path)["judged step"]
        self.assertEqual(list(rows), [f"step, {way}" for way in WAYS])
        for row, bound in zip(rows.values(), (5e-5, 3e-3, 3e-2)):
            self.assertEqual([row[key] for key in ("bound", "replays", "same_bits", "starts_early", "same_bits_early", "passed")],
                             [bound, 2, True, False, True, True])
        errors = [row["gradient"] for row in rows.values()]  # each way is coarser than the one before
        self.assertTrue(0 < 10 * errors[0] < errors[1] < errors[2] / 4, errors)

    def train(self, name, *options):
        output, path = self.folder / name, self.folder / (name + ".json")
        self.run_program("train", self.ids, output, "--tiny", "--batch-tokens", 12, "--learning-rate", 0.05,
                         "--result", path, *options)
        translations = output.read_text().splitlines()
        self.assertEqual(len(translations), 3)
        return translations, self.result(path)

    def test_a_training_is_timed_and_the_mean_of_its_last_weights_translates(self):
        last, result = self.train("last", "--epochs", 3, "--average-last", 1)
        self.assertEqual(last, 3 * ["5 6 7"])
        section = result["training, tf32, 12 tokens"]
        self.assertEqual((len(section["seconds_of_epochs"]), section["sentences"], section["beam_size"]), (3, 3, 5))
        self.assertGreater(min(section["seconds_of_epochs"]), 0)
        self.assertAlmostEqual(section["seconds_of_training"], sum(section["seconds_of_epochs"]), 3)
        for count in (1, 2, 3):
            _, result = self.train("mean", "--epochs", 3, "--average-last", count)
            section = result["training, tf32, 12 tokens"]
            sums = section["sums_of_weights"]
            self.assertEqual(len(sums), 3)
            self.assertGreater(min(abs(a - b) for a, b in itertools.combinations(sums, 2)), 1e-2)
            self.assertAlmostEqual(section["sum_of_translating_weights"], sum(sums[-count:]) / count, 3)
        _, result = self.train("exact", "--epochs", 1, "--products", "exact")
        self.assertIn("training, exact, 12 tokens", result)
        _, result = self.train("other", "--epochs", 1, "--products", "bf16", "--beam-size", 1, "--length-penalty", 1.5)
        section = result["training, bf16, 12 tokens"]
        self.assertEqual((section["beam_size"], section["length_penalty"]), (1, 1.5))

    def test_what_is_no_command_is_refused(self):
        for words in ((), ("time", "a", "b"), ("time", "--ids"), ("step", "a", "b"), ("step", "--replays", "0"),
                      ("train", self.ids), ("train", self.ids, "out", "--epochs", "0"),
                      ("train", self.ids, "out", "5"), ("train", self.ids, "out", "--products", "half"), ("--tiny",)):
            self.assertIn("gpu_check: ", self.run_program(*words, status=2).stderr)


if __name__ == "__main__":
    unittest.main()
