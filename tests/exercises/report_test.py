#!/usr/bin/env python3
"""Tests the words of `make grade`, `make hint` and `make exercise`, without a compiler: the findings are made here."""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises"))

import exercise  # noqa: E402
import meter  # noqa: E402
import report  # noqa: E402
import task as tasks  # noqa: E402

TODO = "  // TODO: write it.\n"


def task_of(name):
    return next(task for task in tasks.all_tasks() if task.name == name)


def number(tensor, kind, got="NaN", **more):
    return {"kind": kind, "case": "layer_norm", "inputs": "random numbers", "tensor": tensor, "is_output": not tensor.startswith("d"),
            "is_added": tensor in ("dgamma", "dbeta"), "index": [0, 0], "expected": 0.5, "got": got, "error": 1.0,
            "wrong": 2, "elements": 9, "shape": [3, 3], "factor": None, "ids": None, **more}


def broken(tensor, text, is_added):
    return {"kind": "contract", "case": "layer_norm", "tensor": tensor, "text": text, "is_added": is_added, "error": 1.0}


def thrown(direction, text="the array has another shape"):
    return {"kind": "throws", "case": "layer_norm", "pass": direction, "text": text}


WRITTEN = "  // exercise: begin\n  y = 1;\n  // exercise: end\n"
LEFT = "  // exercise: begin\n  // TODO: write it.\n  // exercise: end\n"


class Report(unittest.TestCase):
    def setUp(self):
        (ROOT / "build" / "exercises").mkdir(parents=True, exist_ok=True)
        keep = tempfile.TemporaryDirectory(dir=ROOT / "build" / "exercises")
        self.addCleanup(keep.cleanup)
        self.folder = Path(keep.name)

    def told(self, findings, code="", name="layer_norm", **more):
        task = task_of(name)
        file = self.folder / task.source.name
        file.write_text("int a;\n" + code, encoding="utf-8")
        found = {"compiles": True, "links": True, "findings": findings, "judges": {"contract": "rejects"}, "output": "", "passed": False,
                 "has_gradients": True, "mistakes": [], **more}
        lines = report.text(task, file, found)
        self.assertLessEqual(max(map(len, lines)), 80)
        # The folder's name is random, and may hold a word such as dx.
        return " ".join(" ".join(lines).split()).replace(self.folder.name, "folder")

    def test_a_right_forward_with_an_empty_backward(self):
        told = self.told([number("dx", "unwritten"), number("dgamma", "zero", 0), number("dgamma", "wrong", 0, inputs="golden"),
                          broken("dgamma", "run twice", True)], TODO)
        self.assertIn("ok values: all elements are right", told)
        self.assertIn("Forward is right. Go on at the TODO in line 2 of layer_norm_reference.cpp.", told)
        for words in ("No known mistake", "judges that", "is overwritten", "not written"):
            self.assertNotIn(words, told)

    def test_values_depend_on_the_outputs_only(self):
        told = self.told([number("dgamma", "zero", 0)])
        self.assertIn("ok values: all elements are right", told)
        self.assertIn("Nothing is added to dgamma, it is still 0: dgamma[0][0] should be 0.5.", told)

    def test_a_wrong_forward_with_an_empty_backward(self):
        told = self.told([number("y", "wrong", 3), number("dgamma", "zero", 0), number("dx", "wrong", 3),
                          broken("dgamma", "run twice", True)], TODO)
        self.assertIn("y[0][0] is wrong", told)
        self.assertIn("A TODO is left in line 2", told)
        for words in ("dgamma", "dx", "judges that"):
            self.assertNotIn(words, told)

    def test_a_blank_is_one_line(self):
        told = self.told([number("y", "unwritten"), number("dx", "unwritten")], TODO)
        self.assertIn("no y is not written yet. Begin at the TODO in line 2", told)
        self.assertNotIn("expected", told)

    def test_nothing_more_is_said_of_a_tensor_without_numbers(self):
        told = self.told([number("dx", "unwritten"), broken("dx", "run twice", False), broken("dgamma", "run twice", True)])
        self.assertIn("dx is NaN everywhere", told)
        self.assertNotIn("computed from what it held", told)
        self.assertIn("dgamma is overwritten or set to 0, so what was there is lost. An Acc is added to", told)

    def test_out_and_acc_have_their_own_sentences_and_each_name_stands_once(self):
        both = ("run twice", "added to what was there")
        told = self.told([broken(tensor, text, True) for tensor in ("dgamma", "dbeta") for text in both]
                         + [broken("dx", text, False) for text in both])
        self.assertIn("dgamma and dbeta are overwritten or set to 0, so what was there is lost. An Acc is added to: add_to<Real>(...).", told)
        self.assertIn("dx is computed from what it held before. An Out is overwritten", told)
        self.assertEqual(told.count("dgamma"), 1)

    def test_kernels_hear_of_no_arrays(self):
        findings = [broken("y", "strided views", False), broken("dgamma", "run twice", True)]
        self.assertIn("or array(x)", self.told(findings))
        kernel = self.told(findings, name="layer_norm_kernel")
        self.assertNotIn("array(x)", kernel)
        self.assertIn("use +=", kernel)

    def test_what_was_never_saved(self):
        told = self.told([{"kind": "saved", "case": "layer_norm", "tensor": "cache.rstd"}, number("dx", "unwritten"),
                          number("dgamma", "unwritten")])
        self.assertIn("cache.rstd was never written: forward saves it for backward.", told)
        self.assertNotIn("dx", told)
        self.assertNotIn("No known mistake", told)

    def test_saved_values_that_differ_are_told_where_backward_is_wrong_or_missing(self):
        saved = {"kind": "saved otherwise", "case": "layer_norm", "tensor": "cache.rstd", "index": [1], "expected": 0.5, "got": 4.0}
        told = self.told([saved, number("dx", "wrong", 3)])
        self.assertIn("Forward saves cache.rstd[1] = 4; the repository saves 0.5. That is right only if your backward expects it.", told)
        told = self.told([saved, number("dx", "unwritten")], TODO)
        self.assertIn("Forward saves cache.rstd[1] = 4", told)
        self.assertNotIn("Forward is right", told)
        self.assertNotIn("cache.rstd", self.told([saved, number("y", "wrong", 3)]))

    def test_one_factor_and_the_size_are_told(self):
        told = self.told([number("y", "wrong", 0.25, factor=0.5)])
        self.assertIn("Every element is 0.5 times what is expected. (layer_norm, random numbers, y (3, 3))", told)
        self.assertNotIn("Every element", self.told([number("y", "wrong", 0.25)]))

    def test_an_element_that_was_never_written(self):
        told = self.told([number("y", "wrong", "NaN"), number("dx", "wrong", "NaN", wrong=9)])
        self.assertEqual(told.count("(not written?)"), 1)

    def test_no_todo_of_backward_is_the_reason_of_a_wrong_forward(self):
        for kind in ("unwritten", "wrong"):
            told = self.told([number("y", kind)], WRITTEN + LEFT)
            self.assertNotIn("Begin at the TODO", told)
            self.assertNotIn("not written yet", told)
        told = self.told([thrown("forward")], WRITTEN + LEFT)
        self.assertIn("Forward throws an error for shapes that fit", told)
        self.assertNotIn("TODO", told)
        self.assertIn("Begin at the TODO in line 6", self.told([thrown("backward")], WRITTEN + LEFT))
        self.assertIn("Begin at the TODO in line 3", self.told([thrown("forward")], LEFT + LEFT))

    def test_two_mistakes_in_forward_are_no_known_mistake_though_a_todo_is_left(self):
        told = self.told([number("y", "wrong", 3), number("dx", "unwritten")], WRITTEN + LEFT)
        self.assertIn("No known mistake gives these numbers.", told)

    def test_one_memory_for_both_gradients(self):
        told = self.told([broken("dgamma", "in place", True)])
        self.assertIn("dgamma is wrong where the gradients of input and output lie in one memory", told)

    def test_a_nan_is_not_called_zero(self):
        told = self.told([number("dgamma", "unwritten")])
        self.assertIn("dgamma is NaN everywhere, because a NaN is added to it", told)
        self.assertNotIn("still", told)

    def test_the_ids_of_a_lookup(self):
        told = self.told([number("y", "wrong", 3, index=[2, 0], ids={"name": "ids", "id": 0}),
                          number("dtable", "wrong", 3, index=[3, 0], ids={"name": "ids", "rows": [1, 4]})], name="lookup")
        self.assertIn("ids[2] is 0)", told)
        self.assertIn("the id 3 is in ids[1] and ids[4])", told)

    def test_a_mistake_of_kernels_has_no_twin_to_show(self):
        of = {"mistakes": [{"name": "warp-sum-left-out", "only_forward": False}]}
        told = self.told([number("y", "wrong", 3)], name="layer_norm_kernel", **of)
        self.assertIn("This is the mistake warp-sum-left-out:", told)
        self.assertNotIn("WRONG=", told)
        of = {"mistakes": [{"name": "no-epsilon", "only_forward": False}]}
        self.assertIn("make chapter CHAPTER=05 WRONG=no-epsilon", self.told([number("y", "wrong", 3)], **of))

    def test_a_kernel_that_stops_is_explained(self):
        text = "a warp function waits for a lane that has returned: block (0, 0, 0), thread (3, 0, 0), last barrier x.hpp:3, 5 of 128"
        told = self.told([thrown("forward", text)], name="layer_norm_kernel")
        self.assertIn("The kernel of forward stopped (layer_norm, block (0, 0, 0), thread (3, 0, 0))", told)
        self.assertIn("A warp function needs all 32 lanes.", told)
        self.assertNotIn("last barrier", told)

    def test_a_crash_in_words(self):
        output = f"ERROR: AddressSanitizer: use-after-poison on address\n    #1 0x3 in f {self.folder}/layer_norm_reference.cpp:1"
        told = self.told([], ended="crash", output=output)
        self.assertIn("It crashed in line 1 of layer_norm_reference.cpp: it uses memory that it may not use", told)
        self.assertIn("1 | int a;", told)
        for said, words in (("READ of size 8\n0x1 is located 4 bytes before", "it reads before the beginning of a tensor"),
                            ("WRITE of size 8\n0x1 is located 0 bytes after", "it writes beyond the end of a tensor")):
            told = self.told([], ended="crash", output="ERROR: AddressSanitizer: heap-buffer-overflow on address\n" + said)
            self.assertIn(f"It crashed: {words}", told)
        self.assertIn("It ended without an answer, as by exit()", self.told([], ended="crash", output=""))

    def test_an_endless_loop_has_a_line(self):
        told = self.told([], ended="time", output=f"    #3 0x3 in f {self.folder}/layer_norm_reference.cpp:1")
        self.assertIn("more than 30 seconds of processor time in line 1 of layer_norm_reference.cpp", told)

    def test_an_error_in_a_header_is_shown_at_the_line_of_the_student(self):
        file = self.folder / "layer_norm_reference.cpp"
        words = (f"{file}:1:7:   required from 'void f()'\n{file}:9:1:   required from here\n"
                 f"{ROOT}/lib/gradus/tensor/array.hpp:70:3: error: no match for 'operator+' in gradus::x "
                 + "+ gradus::y " * 60 + "[with Real = double]\n")
        told = self.told([], compiles=False, compiler=words)
        self.assertIn("layer_norm_reference.cpp:1: no match for 'operator+' in x + y", told)
        self.assertIn("1 | int a;", told)
        self.assertIn("noticed it in lib/gradus/tensor/array.hpp:70", told)
        self.assertLess(len(told), 500)

    def test_long_names_of_types_are_shortened(self):
        words = (f"{self.folder}/layer_norm_reference.cpp:1:7: error: no match for "
                 "'sqrt(xt::detail::f<xt::plus, const xt::g<xt::u<double>, 2> >)' of 'Array<double>' "
                 "{aka 'const class xt::xtensor_container<double>'} here\n")
        told = self.told([], compiles=False, compiler=words)
        self.assertIn("no match for 'sqrt(an array)' of 'Array<double>' here", told)

    def test_what_is_cut_from_the_output_is_said(self):
        told = self.told([number("y", "wrong", 3)], output="\n".join(["x" * 90] + [str(n) for n in range(20)]))
        self.assertIn("Your code printed 21 lines; the first 8:", told)
        self.assertIn("x ...", told)


class Hints(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.task = task_of("lookup")
        self.task.folder = Path(keep.name)
        self.task.file = self.task.folder / self.task.source.name
        self.task.laid_out()

    def said(self, again=0):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exercise.hint(self.task, again)
        return out.getvalue()

    def write(self, function):
        """Takes the TODO of one function away."""
        parts = self.task.file.read_text().split("// exercise: begin")
        parts[function] = parts[function].replace("// TODO:", "// done:")
        self.task.file.write_text("// exercise: begin".join(parts))

    def test_they_follow_the_function_that_still_has_a_todo(self):
        self.assertIn("Hint 1 of 3 for lookup_forward:", self.said())
        self.write(1)
        self.assertIn("Hint 1 of 3 for lookup_backward:", self.said())
        self.assertIn("Hint 2 of 3 for lookup_backward:", self.said())

    def test_the_last_one_is_said_to_be_the_last(self):
        first, second, third = self.said(), self.said(), self.said()
        self.assertNotIn("last hint", first + second)
        self.assertIn("That was the last hint for lookup_forward.", third)
        self.assertIn("All 3 hints for lookup_forward are given.", self.said())

    def test_they_follow_the_last_grade_if_no_todo_is_left(self):
        self.write(1), self.write(2)
        self.task.remember({"passed": False, "findings": [number("dtable", "wrong", 1)]})
        self.assertIn("Hint 1 of 3 for lookup_backward:", self.said())
        self.task.remember({"passed": False, "findings": [number("y", "wrong", 1)]})
        self.assertIn("Hint 1 of 3 for lookup_forward:", self.said())
        self.task.remember({"passed": True, "findings": []})
        with self.assertRaisesRegex(tasks.Trouble, "accepted it: no hint is needed"):
            self.said()
        self.assertIn("Hint 1 of 3", self.said(again=1))

    def test_a_given_one_is_shown_again(self):
        first = self.said()
        self.said()
        self.assertEqual(self.said(again=1), first)
        self.assertIn("Hint 3 of 3", self.said())
        with self.assertRaisesRegex(tasks.Trouble, "lookup_forward has 3 hints: HINT=1 to HINT=3"):
            self.said(again=4)
        with self.assertRaisesRegex(tasks.Trouble, "no hint is given so far"):
            self.write(1)
            self.said(again=2)


class Blanks(unittest.TestCase):
    def test_each_function_has_three_hints(self):
        for task in tasks.all_tasks():
            for blank in task.blanks:
                self.assertEqual(len(blank["hints"]), 3, f"{task.name}: {blank['name']}")
                self.assertIn(blank["name"] + "(", task.source.read_text(), task.name)

    def test_names_are_explained_where_they_are_used(self):
        for name, words in (("lookup", "options.padding: the id of no word"), ("layer_norm", "xt::sqrt(a)"),
                            ("layer_norm", "x_ (with an underscore)"), ("layer_norm_kernel", "gpu::warp_sum(v)"),
                            ("layer_norm", "p.epsilon: the epsilon of the formula"),
                            ("attention", "row_sum<Real>(a)"), ("lookup", "static_cast<Real>(D)")):
            self.assertIn(words, task_of(name).blank(), name)
        self.assertNotIn("xt::", task_of("lookup").blank().split("#include")[0])

    def test_the_header_of_the_layer_norm_kernel_has_no_reduction(self):
        task = task_of("layer_norm_kernel")
        header = task.given()["layer_norm_kernel.hpp"]
        self.assertIn("add_parameter_gradients", header)
        for word in ("warp_sum", "WarpMoments", "warp_means"):
            self.assertNotIn(word, header)
        self.assertNotIn("layer_norm_cuda.hpp", task.blank())


class Commands(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.folder = keep.name

    def test_a_chapter_has_one_digit_or_two(self):
        self.assertEqual([task.name for task in tasks.tasks_of("5", "")], [task.name for task in tasks.tasks_of("05", "")])
        with mock.patch.object(meter.compiled, "built", side_effect=tasks.Trouble("built")) as built:
            with self.assertRaisesRegex(tasks.Trouble, "^built$"):
                meter.main("5")
        self.assertEqual(built.call_args[0], ("05", ["meter_05_layer_norm"]))

    def test_a_chapter_that_is_not_named_or_not_there(self):
        for chapter, words in (("", "^Say which chapter, for instance CHAPTER=05$"), ("13", "^There is no chapter 13; there are 00 to 12$"),
                               ("five", "^There is no chapter five; there are 00 to 12$")):
            with self.assertRaisesRegex(tasks.Trouble, words):
                tasks.tasks_of(chapter, "")

    def test_an_exercise_that_is_not_solved_is_an_error_for_scripts(self):
        report_of = {"compiles": True, "links": True, "output": "", "ended": "well", "judges": {}, "findings": [], "mistakes": []}
        for passed, status in ((True, 0), (False, 1)):
            with mock.patch.object(exercise.compiled, "grade", return_value={**report_of, "passed": passed}), \
                    mock.patch.object(exercise.compiled, "prepare", return_value=Path(self.folder)), \
                    mock.patch.object(exercise, "must_exist"), mock.patch.object(tasks.Task, "remember"), \
                    mock.patch.object(exercise.report, "text", return_value=["report"]), \
                    mock.patch.object(sys, "argv", ["exercise.py", "grade", "05", "layer_norm"]), \
                    contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(exercise.main(), status)
            self.assertIn("report", out.getvalue())

    def test_a_file_that_is_not_there_is_noticed_before_anything_is_built(self):
        with mock.patch.object(exercise.compiled, "prepare", side_effect=AssertionError("built")), \
                mock.patch.object(sys, "argv", ["exercise.py", "grade", "05", "layer_norm"]), \
                mock.patch.object(exercise, "must_exist", side_effect=tasks.Trouble("There is no file")):
            with self.assertRaisesRegex(tasks.Trouble, "There is no file"):
                exercise.main()

    def test_what_start_prints_fits_a_terminal(self):
        with contextlib.redirect_stdout(io.StringIO()) as out, mock.patch.object(tasks.Task, "laid_out", return_value=False):
            for number in {task.number for task in tasks.all_tasks()}:
                exercise.start(tasks.tasks_of(number, ""))
        self.assertLessEqual(max(map(len, out.getvalue().split("\n"))), 80)

    def test_the_next_exercise_is_named(self):
        self.assertIn("CHAPTER=05 NAME=add_norm", exercise.next_step(task_of("layer_norm")))
        self.assertIn("last exercise", exercise.next_step(tasks.all_tasks()[-1]))

    def test_the_meter_shows_no_access_that_has_no_line(self):
        access = {"of": "x.cu", "what": "load", "memory": "global", "requests": 1, "sectors": 4, "turns": 0, "moved": 128, "wanted": 128}
        (Path(self.folder) / "meter.json").write_text(json.dumps([{**access, "at": 1}, {**access, "at": 2}]))
        with mock.patch.object(meter.subprocess, "run", return_value=mock.Mock(returncode=0)), \
                mock.patch.object(meter, "places", return_value=[(Path("?"), 0), (Path("x.cu"), 7)]):
            rows = meter.measured("meter", Path(self.folder))
        self.assertEqual([key[1:3] for key in rows], [(Path("x.cu"), 7)])

    def test_a_meter_that_stops_says_why_it_differs_from_the_judges(self):
        with mock.patch.object(meter.subprocess, "run", return_value=mock.Mock(returncode=-11, stderr="")):
            with self.assertRaisesRegex(tasks.Trouble, r"larger tensors than the judges use.*crashed \(signal 11\)"):
                meter.measured("meter", Path(self.folder))

    def test_lines_of_the_meter_and_of_help_fit_a_terminal(self):
        row = {"requests": 12345678, "sectors": 32 * 12345678, "turns": 12345678, "moved": 1 << 30, "wanted": 1 << 29}
        rows = {("x.cu", Path("a_long_name_of_a_kernel_file_cuda.cu"), 123, "load", memory): row for memory in ("global", "shared")}
        self.assertLessEqual(max(map(len, meter.table(rows, "x.cu"))), 80)
        told = subprocess.run(["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        self.assertIn("make exercise", told)
        self.assertLessEqual(max(map(len, told.split("\n"))), 80)


class Overview(unittest.TestCase):
    """`make exercise` and `make grade` without a chapter, with files in a folder of their own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.all = exercise.everything()
        for one in self.all:
            one.folder = Path(self.folder.name) / one.number
            one.folder.mkdir(exist_ok=True)
            one.file = one.folder / one.file.name
        patched = mock.patch.object(exercise, "everything", lambda: self.all)
        patched.start()
        self.addCleanup(patched.stop)

    @staticmethod
    def printed(what):
        with contextlib.redirect_stdout(io.StringIO()) as heard:
            status = what()
        return status, heard.getvalue()

    def write(self, one, passed=None):
        """A student's file, and its grade after it."""
        one.file.write_text("mine", encoding="utf-8")
        if passed is not None:
            one.verdict.write_text(json.dumps({"passed": passed, "at": 0}))
            time = one.file.stat().st_mtime_ns + 1
            os.utime(one.verdict, ns=(time, time))

    def test_all_exercises_with_their_state_fit_a_terminal(self):
        self.write(self.all[0], True), self.write(self.all[1], False), self.write(self.all[2])
        _, text = self.printed(exercise.overview)
        self.assertLessEqual(max(map(len, text.split("\n"))), 80)
        lines = text.split("\n")
        self.assertRegex(lines[0], "^00  DERIVE=1 +done  The linear map: derive")
        self.assertRegex(lines[1], "^00  linear +begun The linear map, the formula$")
        self.assertRegex(lines[2], "^00  product_kernel +begun ")
        self.assertIn(f"1 of {len(self.all)} done. Next: make grade CHAPTER=00 NAME=linear\n", text)
        for one in self.all:
            self.write(one, True)
        self.assertIn("That was the last one.", self.printed(exercise.overview)[1])

    def test_a_file_that_changed_after_its_grade_is_not_done(self):
        self.write(self.all[0], True)
        self.assertFalse(exercise.has_changed(self.all[0]))
        time = self.all[0].verdict.stat().st_mtime_ns + 1
        os.utime(self.all[0].file, ns=(time, time))
        self.assertEqual(exercise.state(self.all[0]), "begun")

    def test_a_damaged_grade_does_not_count(self):
        for text in ("", "[]", "{}", "7"):
            self.write(self.all[0], True)
            time = self.all[0].verdict.stat().st_mtime_ns
            self.all[0].verdict.write_text(text)
            os.utime(self.all[0].verdict, ns=(time, time))
            self.assertEqual(exercise.state(self.all[0]), "begun")

    def test_grade_alone_grades_what_changed_and_goes_on_after_trouble(self):
        self.assertEqual(self.printed(exercise.grade_changed), (0, "No file has changed since its last grade. make exercise shows all exercises.\n"))
        self.write(self.all[1], False)
        self.assertEqual(self.printed(exercise.grade_changed), (1, "No file has changed since its last grade.\nNot right yet: make grade CHAPTER=00 NAME=linear\n"))
        self.write(self.all[0]), self.write(self.all[1], True), self.write(self.all[3], False), self.write(self.all[4])
        graded = []
        with mock.patch("compiled.prepare", lambda tasks: "build"), \
             mock.patch.object(exercise, "grade", lambda task, *_: graded.append(task.name) or 0), \
             mock.patch("derive.grade", side_effect=tasks.Trouble("a reason")):
            status, text = self.printed(exercise.grade_changed)
        self.assertEqual(graded, [self.all[4].name])
        self.assertEqual(status, 1)
        self.assertIn("a reason", text)


if __name__ == "__main__":
    unittest.main()
