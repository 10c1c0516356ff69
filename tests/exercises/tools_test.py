#!/usr/bin/env python3
"""Tests the parts of the exercises' tools that the other tests leave out: which commands they run, where they write, what they print. Each
test was written for a change that tests/measure/mutation/mutants.py --scripts made and no test noticed."""
import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises"))

import compiled  # noqa: E402
import derivation  # noqa: E402
import derive  # noqa: E402
import derive_judge  # noqa: E402
import exercise  # noqa: E402
import meter  # noqa: E402
import report  # noqa: E402
import stops  # noqa: E402
import task as tasks  # noqa: E402


def task_of(name):
    return next(task for task in tasks.all_tasks() if task.name == name)


def said(call, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        call(*arguments)
    return out.getvalue()


class InAFolder(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.folder = Path(keep.name)


class Building(InAFolder):
    def test_the_folder_is_that_with_tests_and_chapter_11_has_no_other(self):
        cache = self.folder / "build/release/CMakeCache.txt"
        with mock.patch.object(compiled, "ROOT", self.folder):
            self.assertEqual([compiled.build_folder(n) for n in ("05", "11", "12")], ["chapters", "release", "chapters"])
            cache.parent.mkdir(parents=True)
            cache.write_text("GRADUS_TESTS:BOOL=OFF\n", encoding="utf-8")
            self.assertEqual([compiled.build_folder(n) for n in ("10", "11")], ["chapters", "release"])
            cache.write_text("A\nGRADUS_TESTS:BOOL=ON\n", encoding="utf-8")
            self.assertEqual([compiled.build_folder(n) for n in ("00", "10")], ["release", "release"])

    def built(self, returncode=0, preset="chapters", stdout="out"):
        with mock.patch.object(compiled, "build_folder", return_value=preset), mock.patch.object(compiled.subprocess, "run") as run:
            run.return_value = mock.Mock(returncode=returncode, stdout=stdout, stderr="err")
            with contextlib.redirect_stdout(io.StringIO()) as out:
                folder = compiled.built("05", ["grade_x", "student_x"])
        return folder, [list(map(str, call.args[0])) for call in run.call_args_list], out.getvalue()

    def test_packages_are_asked_for_then_the_folder_is_made_and_the_targets_are_built(self):
        folder, commands, out = self.built()
        self.assertEqual(folder, ROOT / "build/chapters")
        self.assertEqual(commands, [[str(ROOT / "scripts/packages"), "chapter", "test"],
                                    ["cmake", "--preset", "chapters", "-DGRADUS_TESTS=ON", "--log-level=WARNING"],
                                    ["cmake", "--build", str(folder), "--target", "grade_x", "student_x"]])
        self.assertIn("minutes the first time", out)
        self.assertEqual(self.built(preset="release")[1][0][1:], ["program", "test"])
        with self.assertRaisesRegex(tasks.Trouble, "does not build:\na{1997}outerr$"):  # the end of what was said
            self.built(returncode=1, stdout=3000 * "a" + "out")

    def test_a_kernel_has_its_grader_its_process_and_its_meter(self):
        with mock.patch.object(compiled, "built", return_value="folder") as built:
            self.assertEqual(compiled.prepare([task_of("layer_norm"), task_of("layer_norm_kernel"), task_of("past")]), "folder")
        self.assertEqual(built.call_args.args, ("11", ["grade_layer_norm", "student_layer_norm", "grade_layer_norm_kernel",
                                                       "student_layer_norm_kernel", "grade_past", "student_past",
                                                       "meter_05_layer_norm"]))

    def shop(self, name, *sources, form=".dir/"):
        shop = object.__new__(compiled.Workshop)
        shop.task, shop.build, shop.folder = task_of(name), self.folder, self.folder
        shop.commands = [["g++", "-o", f"k{i}{form if i else '.dir/'}o.o", "-c", str(source)] for i, source in enumerate(sources)]
        return shop

    def test_the_unit_is_the_one_of_the_file_and_of_a_kernel_the_one_that_watches_memory(self):
        source = task_of("lookup").source
        shop = self.shop("lookup", "other.cpp", source, "more.cpp")
        self.assertEqual(shop.unit()[-1], str(source))
        kernel = task_of("layer_norm_kernel").source
        shop = self.shop("layer_norm_kernel", kernel, kernel, "x.cpp", form="_address.dir/")
        self.assertEqual(shop.unit()[2], "k1_address.dir/o.o")
        header = self.shop("encoder_layer", "a/encoder_layer_student.cpp", "b.cpp")
        self.assertEqual(header.unit()[-1], "a/encoder_layer_student.cpp")

    def test_the_process_has_the_students_object_and_the_library_without_the_repositorys(self):
        source = task_of("lookup").source
        shop = self.shop("lookup", source)
        shop.commands = [["g++", "-o", "chapters/CMakeFiles/chapter_01_embedding.dir/cpu/lookup_cpu.cpp.o", "-c", str(source)]]
        shop.link = ["g++", "main.o", "chapters/libchapter_01_embedding.a", "chapters/libchapter_00_foundations.a", "-o", "student_lookup"]
        with mock.patch.object(shop, "without", return_value="copy.a") as without, mock.patch.object(compiled.subprocess, "run") as run:
            run.return_value = mock.Mock(returncode=0, stderr="")
            self.assertEqual(shop.linked(Path("mine.o")), (self.folder / "student", ""))
            self.assertEqual(without.call_args.args, ("chapters/libchapter_01_embedding.a", "lookup_cpu.cpp.o"))
            self.assertEqual(run.call_args.args[0], ["g++", "main.o", "copy.a", "chapters/libchapter_00_foundations.a", "mine.o", "-o",
                                                     str(self.folder / "student"), "-fsanitize=address,undefined"])
            run.return_value = mock.Mock(returncode=1, stderr="undefined reference")
            self.assertEqual(shop.linked(Path("mine.o")), (None, "undefined reference"))

    def test_the_grader_gets_the_program_and_its_report_is_read(self):
        shop = self.shop("lookup")

        def run(command, **options):
            self.assertEqual(list(map(str, command)), [str(self.folder / "tests/exercises/grade_lookup"), "the program",
                                                       str(self.folder / "output.txt"), str(self.folder / "report.json")])
            self.assertIn(":hard_rss_limit_mb=1500:", options["env"]["ASAN_OPTIONS"])
            self.assertEqual(options["env"]["OPENBLAS_NUM_THREADS"], "1")
            (self.folder / "report.json").write_text('{"passed": true}')
            (self.folder / "output.txt").write_text("hello")
            return mock.Mock(returncode=0)
        with mock.patch.object(compiled.subprocess, "run", run):
            self.assertEqual(shop.graded("the program"), ({"passed": True}, "hello"))
        with mock.patch.object(compiled.subprocess, "run", return_value=mock.Mock(returncode=2, stderr=" no memory \n")):
            with self.assertRaisesRegex(tasks.Trouble, "The grader itself failed: no memory"):
                shop.graded("the program")


class Commands(InAFolder):
    def test_a_new_file_is_told_from_one_that_was_there(self):
        task = task_of("lookup")
        with mock.patch.object(tasks.Task, "laid_out", return_value=True):
            self.assertNotIn("was there already", said(exercise.start, [task]))
        with mock.patch.object(tasks.Task, "laid_out", return_value=False):
            told = said(exercise.start, [task])
        self.assertIn("was there already", told)
        self.assertIn("make grade CHAPTER=01\n", told)
        two = said(exercise.start, tasks.tasks_of("05", ""))
        self.assertIn("make grade CHAPTER=05 NAME=layer_norm\n", two)
        self.assertIn("NAME=layer_norm_kernel", two)

    def run_main(self, *words, passed=True):
        with mock.patch.object(exercise.compiled, "prepare", return_value=Path("build")) as prepare, \
                mock.patch.object(exercise, "must_exist"), mock.patch.object(exercise, "grade", return_value=0 if passed else 1) as grade, \
                mock.patch.object(exercise, "watch", return_value=None) as watch, mock.patch.object(sys, "argv", ["exercise.py", *words]):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exercise.main()
        return out.getvalue(), prepare, grade, watch

    def test_other_exercises_of_the_chapter_are_named_and_the_first_is_graded(self):
        told, prepare, grade, watch = self.run_main("grade", "05", "--json", "file")
        self.assertIn("the chapter also has NAME=add_norm, NAME=layer_norm_kernel", " ".join(told.split()))
        self.assertEqual([task.name for task in prepare.call_args.args[0]], ["layer_norm"])
        self.assertEqual((grade.call_args.args[0].name, grade.call_args.args[1:]), ("layer_norm", (Path("build"), "file")))
        self.assertFalse(watch.called)
        self.assertEqual(self.run_main("grade", "05", "add_norm")[0], "")
        _, _, grade, watch = self.run_main("watch", "05", "add_norm")
        self.assertEqual((watch.call_args.args[0], grade.called), (tasks.tasks_of("05", "add_norm")[0].file, False))

    def test_a_hint_is_printed_with_its_number_and_a_given_one_is_asked_for(self):
        for again, number, text, told in (
                (2, 2, "the text", "Hint 2 of 3 for f:\n\n  the text\n"),
                (0, 3, "the end", "Hint 3 of 3 for f:\n\n  the end\n\nThat was the last hint for f.\nmake hint CHAPTER=01 NAME=lookup HINT=1   shows the first one again\n"),
                (0, 4, None, "All 3 hints for f are given.\nmake hint CHAPTER=01 NAME=lookup HINT=1   shows the first one again\n")):
            with mock.patch.object(tasks.Task, "hint", return_value=({"name": "f", "todo": "to do", "hints": ["a", "b", "c"]}, number, text)) as hint:
                self.assertEqual(self.run_main("hint", "01", "lookup", "--again", str(again))[0], told)
            self.assertEqual(hint.call_args.args, (again,))

    def test_the_last_hint_is_shown_again(self):
        task = task_of("lookup")
        count = len(task.blanks[0]["hints"])
        with mock.patch.multiple(task, folder=self.folder, file=self.folder / "none"):  # not the reader's own
            texts = [task.hint()[2] for _ in range(count)]
            self.assertEqual([task.hint(number)[2] for number in range(1, count + 1)], texts)
            with self.assertRaisesRegex(tasks.Trouble, f"HINT=1 to HINT={count}"):
                task.hint(count + 1)

    def test_a_line_is_as_wide_as_it_may_be(self):
        self.assertEqual(tasks.wrapped("aaaa bb", 7), ["aaaa bb"])
        self.assertEqual(tasks.wrapped("aaaa bbb", 7), ["aaaa", "bbb"])

    def test_watch_grades_when_the_file_changes_and_not_before(self):
        file = self.folder / "x.cpp"
        file.write_text("a")
        graded, turns = [], []

        def sleep(seconds):
            turns.append(seconds)
            if len(turns) == 3:
                stat = file.stat()
                file.write_text("b")
                os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1_000_000_000))
            if len(turns) == 6:
                raise KeyboardInterrupt
        with mock.patch.object(exercise.time, "sleep", sleep), mock.patch.object(exercise.derive, "shown", lambda path: "x.cpp"):
            with self.assertRaises(KeyboardInterrupt):
                said(exercise.watch, file, lambda: graded.append(len(turns)))
        self.assertEqual(graded, [0, 3])

    def test_a_grade_is_written_as_json_and_a_kernel_that_passed_is_measured(self):
        for name, passed, measured in (("layer_norm_kernel", True, 1), ("layer_norm_kernel", False, 0), ("layer_norm", True, 0)):
            task = task_of(name)
            with mock.patch.object(exercise, "must_exist"), mock.patch.object(tasks.Task, "remember") as remember, \
                    mock.patch.object(exercise.compiled, "grade", return_value={"passed": passed}), \
                    mock.patch.object(exercise.report, "text", return_value=["a report"]), \
                    mock.patch.object(exercise.meter, "of_student", return_value=["moved"]) as moved:
                told = said(exercise.grade, task, Path("build"), str(self.folder / "out.json"))
            self.assertEqual((moved.call_count, "Next: make" in told, "a report" in told), (measured, passed, True))
            self.assertEqual(exercise.json.loads((self.folder / "out.json").read_text()), {"exercise": name, "passed": passed})
            self.assertEqual(remember.call_args.args, ({"passed": passed},))

    def test_the_next_exercise_is_begun_or_graded(self):
        with mock.patch.object(Path, "exists", return_value=True):
            self.assertIn("Next: make grade CHAPTER=05 NAME=add_norm", exercise.next_step(task_of("layer_norm")))
        with mock.patch.object(Path, "exists", return_value=False):
            self.assertIn("Next: make exercise CHAPTER=05 NAME=add_norm", exercise.next_step(task_of("layer_norm")))


class Meter(InAFolder):
    def test_the_kernels_of_the_chapter_are_compiled_again_and_linked(self):
        own = self.folder / "layer_norm_cuda.cu"
        chapter = "/top/chapters/05_layer_norm"
        ninja = "\n".join([f"g++ -Ilib -O2 -o k/{name}.o -c {folder}/{name}" for folder, name in (
            (chapter + "/cuda", "layer_norm_cuda.cu"), (chapter + "/cuda", "add_norm_cuda.cu"), ("/top/chapters/04_masks/cuda", "other_cuda.cu"), (chapter, "main.cpp"))]
            + [": && g++ k/layer_norm_cuda.cu.o k/add_norm_cuda.cu.o k/other_cuda.cu.o -o meter_05 && :"])
        ran = []

        def run(command, **options):
            ran.append(list(map(str, command)))
            return mock.Mock(returncode=0, stdout=ninja)
        with mock.patch.object(meter.subprocess, "run", run):
            made = meter.program(Path("/build"), "05_layer_norm", self.folder / "work", own)
        self.assertEqual(made, self.folder / "work/meter")
        self.assertEqual(ran[0], ["ninja", "-t", "commands", "meter_05_layer_norm"])
        self.assertEqual([(command[0], "-Ilib" in command, command[-3], command[-1]) for command in ran[1:-1]],
                         [("clang++", True, str(own), str(self.folder / "work/layer_norm_cuda.o")),
                          ("clang++", True, f"{chapter}/cuda/add_norm_cuda.cu", str(self.folder / "work/add_norm_cuda.o"))])
        self.assertEqual(ran[-1], ["g++", "k/other_cuda.cu.o", str(self.folder / "work/layer_norm_cuda.o"),
                                   str(self.folder / "work/add_norm_cuda.o"), "-o", str(made)])

    def test_a_kernel_that_clang_refuses_is_told(self):
        answers = iter([mock.Mock(stdout="g++ -o k.o -c /x/05_layer_norm/a.cu\n: && g++ k.o -o m && :"), mock.Mock(returncode=1, stderr="1\n2\n3\n4\n5")])
        with mock.patch.object(meter.subprocess, "run", lambda *a, **o: next(answers)):
            with self.assertRaisesRegex(tasks.Trouble, "does not compile the kernel:\n1\n2\n3\n4$"):
                meter.program(Path("/build"), "05_layer_norm", self.folder)

    def test_places_are_read_from_the_line_before_the_return_address(self):
        with mock.patch.object(meter.subprocess, "run", return_value=mock.Mock(stdout="/a/x.cu:13\n??:0\n/b/y.hpp:29 (discriminator 2)\nnothing\n")) as run:
            self.assertEqual(meter.places("made", [17, 18, 35, 36]), [(Path("/a/x.cu"), 13), (Path("??"), 0), (Path("/b/y.hpp"), 29), (Path("?"), 0)])
        self.assertEqual(run.call_args.args[0], ["addr2line", "-e", "made", "0x10", "0x11", "0x22", "0x23"])

    def test_the_chapter_is_named_by_its_number_and_every_case_has_a_table(self):
        for number in ("", "99"):
            with self.assertRaisesRegex(tasks.Trouble, "^Say which chapter: CHAPTER=00, 03, 04, 05$"):
                meter.main(number)
        row = {"requests": 1, "sectors": 4, "turns": 0, "moved": 2048, "wanted": 1024}
        rows = {(case, Path("a.cu"), 7, "load", "global"): row for case in ("first", "second")}
        with mock.patch.object(meter.compiled, "built", return_value=Path("b")), mock.patch.object(meter, "program"), \
                mock.patch.object(meter, "measured", return_value=rows):
            told = said(meter.main, "5")
        self.assertEqual(told.count("together"), 2)
        self.assertLess(told.index("\nfirst\n"), told.index("\nsecond\n"))
        self.assertIn("2 KiB   50%", told)

    def test_without_clang_or_with_a_kernel_that_stops_the_student_is_told_why(self):
        task = mock.Mock(chapter="05", source=Path("a.cu"), file=Path("b.cu"))
        task.name = "x"
        with mock.patch.object(meter.shutil, "which", return_value=None):
            self.assertEqual(meter.of_student(task, Path("b")), ["", "The coalescing meter needs clang++: apt-get install clang"])
        with mock.patch.object(meter.shutil, "which", return_value="clang++"), mock.patch.object(meter, "program", side_effect=tasks.Trouble("why")):
            self.assertEqual(meter.of_student(task, Path("b")), ["", "why"])


class Derivations(InAFolder):
    """What is said and kept of a grade; derive_test.py compiles."""

    def graded(self, number, passed, equations=None):
        one = derivation.derivation_of(number)
        one.file = self.folder / "derive.cpp"
        one.file.write_text("written", encoding="utf-8")
        one.equations = (lambda: equations) if equations is not None else one.equations
        with mock.patch.object(derive_judge, "judged", return_value=(["a line"], passed)), contextlib.redirect_stdout(io.StringIO()) as out:
            status = derive.grade(one)
        return status, out.getvalue(), exercise.has_passed(one)

    def test_what_failed_is_not_done_and_leads_nowhere(self):
        self.assertEqual(self.graded("05", False), (1, "Layer norm: derive its backward pass\n\na line\n", False))

    def test_what_passed_is_done_and_names_its_equations_and_the_next(self):
        status, told, done = self.graded("05", True, [(5, 2), (5, 9), (5, 10), (5, 11)])
        self.assertEqual((status, done), (0, True))
        self.assertTrue(told.endswith("in the lesson:\neq:5.2 and eq:5.9 to eq:5.11.\nThe same on arrays: make exercise CHAPTER=05\n"
                                      "The next derivation: make exercise CHAPTER=06 DERIVE=1\n"), told)
        self.assertIn("in the lesson.\n", self.graded("05", True, [])[1])
        self.assertNotIn("The next derivation", self.graded("12", True)[1])

    def test_numbers_are_compared_to_a_billionth(self):
        pairs = [(1 + 2e-9, 1), (1 + 0.5e-9, 1), (2000 + 1e-6, 2000), (2000 + 3e-6, 2000), (0.5e-9, 0), (2e-9, 0), (float("nan"), float("nan")), (float("nan"), 1)]
        self.assertEqual([derive_judge.close(a, b) for a, b in pairs], [False, True, True, False, True, False, True, False])

    def test_a_tensor_that_is_not_printed_any_more_has_been_changed(self):
        one = mock.Mock(gradients={"dx": "5.1"})
        right = {"x": [1.0], "y": [2.0, 3.0], "dx": [4.0]}
        for mine, changed in (({**right, "dx": [9.0]}, []), ({"x": [1.0], "dx": [4.0]}, ["y"]), ({**right, "y": [2.0, 3.5]}, ["y"])):
            self.assertEqual(derive_judge.changed_before(one, mine, right), changed)

    def test_each_line_of_the_head_is_a_comment(self):
        one = derivation.derivation_of("05")
        one.facts = [" ".join(["word"] * 40)]
        head = one.blank().split("#include")[0]
        self.assertEqual([line for line in head.strip().split("\n") if line and not line.startswith("//")], [])
        self.assertIn("// - word word", head)


class Reports(InAFolder):
    def test_shapes_are_praised_only_if_the_contract_was_judged(self):
        found = mock.Mock(all=[], throws=[])
        self.assertEqual(report.shapes(found, {"judges": {"contract": "accepts"}}), ["ok    shapes: each tensor that does not fit is an error"])
        self.assertEqual(report.shapes(found, {"judges": {"parity": "accepts"}}), [])
        found.all = [{"kind": "shape", "tensor": "dx"}]
        self.assertIn("dx is one element short", " ".join(report.shapes(found, {"judges": {"contract": "rejects"}})))

    def test_what_was_printed_has_no_empty_lines_around_it(self):
        self.assertEqual(report.printed("\n\n a\nb \n\n"), ["", "Your code printed:", "  a", "  b"])
        self.assertEqual(report.printed("\n".join("123456789"))[1:3], ["Your code printed 9 lines; the first 8:", "  1"])
        self.assertEqual(report.printed("\n".join("12345678"))[1], "Your code printed:")

    def test_a_line_is_shown_if_the_file_has_it(self):
        file = self.folder / "a.cpp"
        file.write_text("one\n  two\nthree", encoding="utf-8")
        self.assertEqual(stops.line_of(file, 2), ["        2 | two"])
        self.assertEqual(stops.line_of(file, 3), ["        3 | three"])
        for number in (0, 4, -1):
            self.assertEqual(stops.line_of(file, number), [])

    def test_an_error_in_the_students_own_line_has_no_second_place(self):
        file = self.folder / "a.cpp"
        file.write_text("one;\ntwo;\nthree;\n", encoding="utf-8")
        told = " ".join(stops.compiler_error(file, f"{file}:2:7: error: 'two' was not declared\n{file}:3:1: error: later"))
        self.assertIn("a.cpp:2: 'two' was not declared", told)
        self.assertIn("2 | two;", told)
        self.assertNotIn("noticed it", told)
        other = " ".join(stops.compiler_error(file, f"In file included from {file}:1:\n/x/../lib/h.hpp:41:5: error: no such member"))
        self.assertIn("a.cpp:1: no such member", other)
        self.assertIn("noticed it in lib/h.hpp:41", other)
        used = " ".join(stops.compiler_error(file, f"In file included from {file}:1:\n/x/../lib/h.hpp: In instantiation of 'f':\n"
                                                   f"{file}:3:1:   required from here\n/x/../lib/h.hpp:41:5: error: no such member"))
        self.assertIn("a.cpp:3: no such member", used)
        self.assertIn("3 | three;", used)

    def test_a_crash_says_which_access_and_at_which_end(self):
        words = "it reads or writes beyond the end of a tensor"
        for access, place, told in (("READ", "after", "it reads beyond the end of a tensor"), ("WRITE", "to the right of", "it writes beyond the end of a tensor"),
                                    ("READ", "before", "it reads before the beginning of a tensor"),
                                    ("WRITE", "to the left of", "it writes before the beginning of a tensor")):
            self.assertEqual(stops.precise(words, f"{access} of size 8\n0x1 is located 8 bytes {place} 16-byte region"), told)
        self.assertEqual(stops.precise(words, ""), words)

    def test_too_much_memory_is_told_with_its_limit(self):
        self.assertIn("more than 1.5 GB", " ".join(stops.ended(Path("a.cpp"), {"ended": "memory", "output": ""})))

    def test_each_broken_promise_has_its_sentence(self):
        formula, kernel = (mock.Mock(source=Path(name)) for name in ("x_reference.cpp", "x_cuda.cu"))
        told = lambda task, text, **more: " ".join(" ".join(report.contract(task, mock.Mock(nameless=set, all=[
            {"kind": "contract", "text": text, "tensor": name, **more} for name in more.pop("names", ["dx"])]))).split())
        for text, sentence in {"inputs unchanged": "no An input was changed: an In is only read.", "spare rows": "no dx depends on rows that belong to no sentence.",
                               "gaps between rows are left alone": "no Elements after the end of a row were written: use row(n), since rows may be further apart.",
                               "strided views": "no dx is wrong if the rows of a matrix are further apart than their length: use row(n).",
                               "run twice": "no dx is computed from what it held before. An Out is overwritten, whatever it held.",
                               "something new": "no dx: something new"}.items():
            self.assertEqual(told(kernel, text), sentence)
        self.assertTrue(told(formula, "strided views").endswith("use row(n) or array(x)."))
        self.assertTrue(told(formula, "run twice", is_added=True).endswith("An Acc is added to: add_to<Real>(...)."))
        self.assertTrue(told(kernel, "added to what was there", is_added=True).endswith("An Acc is added to: use +=."))
        self.assertEqual(told(kernel, "spare rows", names=["dx", "dw"]), "no dx and dw depend on rows that belong to no sentence.")
        self.assertIn("dx is wrong where the gradients of input and output lie in one memory", told(kernel, "in place"))

    def test_a_file_whose_bodies_are_gone_has_its_first_function_unfinished(self):
        task = task_of("lookup")
        task.file = self.folder / "a.cpp"
        self.assertEqual(task.unfinished(), 0)
        task.file.write_text("// TODO: write it.\n", encoding="utf-8")
        self.assertEqual(task.unfinished(), 0)
        task.file.write_text("written\n", encoding="utf-8")
        self.assertIsNone(task.unfinished())
        body = "  // exercise: begin\n  {}\n  // exercise: end\n"
        task.file.write_text(body.format("x;") + body.format("// TODO: write it."), encoding="utf-8")
        self.assertEqual(task.unfinished(), 1)


if __name__ == "__main__":
    unittest.main()
