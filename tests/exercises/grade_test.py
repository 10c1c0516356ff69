#!/usr/bin/env python3
"""Tests that `make grade` judges the student's own file, and what it says of judges, of several mistakes and of what a kernel moves."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises"))

import compiled  # noqa: E402
import exercise  # noqa: E402
import meter  # noqa: E402
import report  # noqa: E402
import task as tasks  # noqa: E402


def task_of(name):
    return next(task for task in tasks.all_tasks() if task.name == name)


class Shop:
    """A workshop whose steps can fail; it notes what it was given."""
    fails_at, passed = "", True

    def __init__(self, task, build, folder):
        Shop.calls = [("made", task.name, build, folder)]

    def compile(self, file, is_quick):
        Shop.calls.append(("compile", file, is_quick))
        return (None, "compiler's words") if self.fails_at == "compile" else ("object 7", "a warning")

    def linked(self, student):
        Shop.calls.append(("link", student))
        return (None, "linker's words") if self.fails_at == "link" else ("program 11", "")

    def graded(self, program):
        Shop.calls.append(("grade", program))
        return {"passed": self.passed, "findings": [], "judges": {"parity": "accepts"}}, "printed"


class Grade(unittest.TestCase):
    def graded(self, fails_at="", passed=True):
        with mock.patch.object(compiled, "Workshop", Shop), mock.patch.multiple(Shop, fails_at=fails_at, passed=passed):
            return compiled.grade(task_of("lookup"), Path("/mine/lookup_cpu.cpp"), Path("/build"), Path("/work"))

    def test_the_file_is_compiled_linked_and_run_in_this_order(self):
        found = self.graded()
        self.assertEqual(Shop.calls, [("made", "lookup", Path("/build"), Path("/work")), ("compile", Path("/mine/lookup_cpu.cpp"), False),
                                      ("link", "object 7"), ("grade", "program 11")])
        self.assertEqual((found["compiles"], found["links"], found["passed"], found["output"]), (True, True, True, "printed"))
        self.assertEqual(found["judges"], {"parity": "accepts"})

    def test_what_does_not_compile_or_link_or_is_rejected_has_not_passed(self):
        self.assertEqual(self.graded("compile"), {"compiles": False, "compiler": "compiler's words", "passed": False})
        self.assertEqual([call[0] for call in Shop.calls], ["made", "compile"])
        self.assertEqual(self.graded("link"), {"compiles": True, "links": False, "linker": "linker's words", "passed": False})
        self.assertEqual([call[0] for call in Shop.calls], ["made", "compile", "link"])
        self.assertIs(self.graded(passed=False)["passed"], False)

    def test_make_grade_takes_the_file_that_was_laid_out_and_keeps_the_verdict(self):
        task, seen = task_of("lookup"), []
        with tempfile.TemporaryDirectory() as folder:
            task.folder, task.file = Path(folder), Path(folder) / task.source.name
            task.laid_out()

            def grade(asked, file, *rest, **more):
                seen.append((asked.name, file))
                return {"compiles": False, "compiler": "", "passed": False}
            with mock.patch.object(compiled, "grade", grade), mock.patch.object(exercise.report, "text", return_value=[]):
                self.assertEqual(exercise.grade(task, Path("/build"), None), 1)
            self.assertEqual(seen, [("lookup", task.file)])
            self.assertIn('"passed": false', task.verdict.read_text())


@unittest.skipUnless(shutil.which("g++"), "needs g++")
class Compiling(unittest.TestCase):
    """With a command of the build that names the repository's file, as ninja prints it."""

    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.folder = Path(keep.name)
        self.shop = object.__new__(compiled.Workshop)
        self.shop.task, self.shop.build, self.shop.folder = task_of("lookup"), self.folder, self.folder
        self.shop.commands = [["g++", "-DSEVEN=7", "-std=c++17", "-Wno-such", "-o", "x.dir/lookup_cpu.cpp.o", "-c", str(self.shop.task.source)]]

    def compile(self, text):
        file = self.folder / "mine.cpp"
        file.write_text(text, encoding="utf-8")
        return self.shop.compile(file, is_quick=True)

    def test_the_object_is_that_of_the_students_file_with_the_flags_of_the_build(self):
        made, words = self.compile('extern "C" int of_the_student() { return SEVEN; }\n')
        self.assertEqual(words, "")
        self.assertIn("of_the_student", subprocess.run(["nm", made], capture_output=True, text=True, check=True).stdout)

    def test_an_error_of_the_student_is_the_compilers_answer(self):
        made, words = self.compile("#error mine\n")
        self.assertIsNone(made)
        self.assertIn("mine", words)


def told_of(**found):
    with tempfile.TemporaryDirectory() as folder:
        task = task_of("layer_norm")
        task.folder = Path(folder)
        file = Path(folder) / task.source.name
        file.write_text("int a;\n", encoding="utf-8")
        with mock.patch.object(tasks.Task, "shown", lambda self, path=None: "a file"):
            return report.text(task, file, {"compiles": True, "links": True, "findings": [], "judges": {}, "output": "", "passed": False,
                                            "has_gradients": True, "mistakes": [], **found})


class Words(unittest.TestCase):
    def test_each_judge_stands_on_its_side(self):
        told = told_of(judges={"parity": "accepts", "contract": "rejects", "dual numbers": "accepts", "golden values": "rejects"})
        self.assertIn("      judges that accept: parity, dual numbers", told)
        self.assertIn("      judges that reject: contract, golden values", told)
        self.assertFalse([line for line in told_of(judges={"parity": "accepts"}) if "reject" in line])
        self.assertFalse([line for line in told_of(judges={"parity": "rejects"}) if "accept:" in line])

    def test_mistakes_with_the_same_numbers_are_all_named(self):
        both = [{"name": "no-epsilon", "only_forward": False}, {"name": "tiny-epsilon", "only_forward": True}]
        self.assertIn("These known mistakes give exactly these numbers: no-epsilon, tiny-epsilon", told_of(mistakes=both))
        self.assertFalse([line for line in told_of(mistakes=both) if "This is the mistake" in line])
        one = " ".join(told_of(mistakes=both[:1]))
        self.assertIn("This is the mistake no-epsilon: " + task_of("layer_norm").mistakes["no-epsilon"][:30], one)
        self.assertNotIn("tiny-epsilon", one)

    def test_a_solution_is_praised_only_if_it_passed(self):
        praise = "All judges accept it."
        self.assertTrue(any(praise in line for line in told_of(passed=True)))
        self.assertFalse(any(praise in line for line in told_of()))


def row(requests, sectors, turns, moved, wanted):
    return {"requests": requests, "sectors": sectors, "turns": turns, "moved": moved, "wanted": wanted}


class Meter(unittest.TestCase):
    """No two numbers are equal, and no ratio is that of others."""
    rows = {("x_cuda.cu", Path("x_cuda.cu"), 13, "load", "global"): row(3, 21, 0, 7168, 5376),
            ("x_cuda.cu", Path("x_cuda.cu"), 17, "store", "global"): row(5, 55, 0, 11264, 1126),
            ("x_cuda.cu", Path("x.hpp"), 19, "load", "shared"): row(7, 0, 31, 0, 3),
            ("other case", Path("x_cuda.cu"), 23, "load", "global"): row(2, 58, 0, 29696, 29)}

    def test_a_row_has_its_requests_sectors_kibibytes_and_share(self):
        told = meter.table(self.rows, "x_cuda.cu")
        self.assertEqual(told, [
            "line                                   requests sectors/req    moved  used",
            "x_cuda.cu:17                  store           5        11.0   11 KiB   10%",
            "x_cuda.cu:13                  load            3         7.0    7 KiB   75%",
            "x.hpp:19                      load            7         4.4 turns (shared)",
            "together                                                      18 KiB   35%"])
        self.assertEqual(meter.kilo(300 * 1024), "300 KiB")
        self.assertEqual(meter.cases(self.rows), ["x_cuda.cu", "other case"])

    def test_the_most_is_that_of_global_memory_in_the_students_own_kernel(self):
        task = mock.Mock(chapter="05_layer_norm", source=Path("x_cuda.cu"), file=Path("mine.cu"), bytes={"promise": "The lesson promises 4."})
        task.name = "layer_norm_kernel"
        with mock.patch.object(meter.shutil, "which", return_value="clang++"), mock.patch.object(meter, "program") as program, \
                mock.patch.object(meter, "measured", return_value=self.rows):
            told = meter.of_student(task, Path("/build"))
        self.assertIn("At most 11.0 sectors of 32 bytes a request. The lesson promises 4.", " ".join(told))
        self.assertIn("together                                                      18 KiB   35%", told)
        self.assertEqual(program.call_args[0], (Path("/build"), "05_layer_norm", ROOT / "build/exercises/.work/meter_layer_norm_kernel",
                                                Path("mine.cu")))

    def test_the_counts_of_one_line_are_added(self):
        entries = [{"at": at, "of": "x.cu", "what": "load", "memory": "global", **row(at, 2 * at, 3 * at, 5 * at, 7 * at)} for at in (1, 10)]
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "meter.json").write_text(compiled.json.dumps(entries))
            with mock.patch.object(meter.subprocess, "run", return_value=mock.Mock(returncode=0)), \
                    mock.patch.object(meter, "places", return_value=[(Path("x.cu"), 29)] * 2):
                rows = meter.measured("meter", Path(folder))
        self.assertEqual(rows, {("x.cu", Path("x.cu"), 29, "load", "global"): row(11, 22, 33, 55, 77)})


if __name__ == "__main__":
    unittest.main()
