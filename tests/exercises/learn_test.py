#!/usr/bin/env python3
"""Tests `make learn` (exercises/learn.py) on the project's own chapters and on two small ones: the pages and their minutes, the order of the steps,
what is done, the next step; the marks and their file, also if it is damaged or cannot be written; what a reader may type."""
import contextlib
import functools
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises"))

import exercise  # noqa: E402
import learn  # noqa: E402
from task import Trouble  # noqa: E402

PROGRAM = ROOT / "exercises" / "learn.py"


class Learning(unittest.TestCase):
    """With exercises and marks in a folder of their own."""

    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.folder = Path(keep.name)
        self.all = exercise.everything()
        for one in self.all:
            one.folder = self.folder / one.number
            one.folder.mkdir(exist_ok=True)
            one.file = one.folder / one.file.name
        self.file = self.folder / "build" / "learn.json"
        self.patch(exercise, "everything", lambda: self.all)
        self.patch(learn, "FILE", self.file)
        self.patch(learn, "all_chapters", functools.cache(learn.all_chapters))  # each test reads them once

    def patch(self, *what):
        patched = mock.patch.object(*what)
        patched.start()
        self.addCleanup(patched.stop)

    def said(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as out, mock.patch.object(sys, "argv", ["learn.py", *words]):
            learn.main()
        self.assertEqual([line for line in out.getvalue().split("\n") if len(line) > 80], [])
        return out.getvalue()

    def grade(self, one, passed):
        """A student's file, and its grade after it unless that is None."""
        one.file.write_text("mine", encoding="utf-8")
        if passed is not None:
            one.verdict.write_text(json.dumps({"passed": passed, "at": 0}))
            time = one.file.stat().st_mtime_ns + 1
            os.utime(one.verdict, ns=(time, time))

    def read_all(self):
        for number, chapter in learn.all_chapters().items():
            for _ in chapter.pages:
                self.said("--done", number)


class Project(Learning):
    def test_every_page_of_a_chapter_is_there_with_its_own_minutes(self):
        for number, chapter in learn.all_chapters().items():
            folder = ROOT / "chapters" / chapter.folder
            there = [path for path in folder.rglob("*.md") if path.name != "solutions.md" and "models" not in path.parts]
            there = [ROOT / "chapters/why.md"] if number == "why" else there
            found = dict(re.findall(r"^.* read +(\S+)  \((\d+) min\)$", self.said(number), re.M))
            # what the page says at its top
            shown = lambda path: re.search(r"^About (\d+) minutes\.$", path.read_text(encoding="utf-8"), re.M)[1]
            self.assertEqual(found, {path.relative_to(ROOT).as_posix(): shown(path) for path in there})
            self.assertIn(f"{sum(map(int, found.values()))} minutes of reading left", self.said(number))

    def test_the_overview_has_every_chapter_once_and_the_sum(self):
        lines = self.said().split("\n")
        rows = [re.fullmatch(r"([> ]) (\w+) +(.+?)  +([\d/]+ .*?) +(\d+)", line) for line in lines[1:15]]
        self.assertEqual([row[2] for row in rows], ["why"] + [f"{n:02}" for n in range(13)])
        self.assertEqual([row[3] for row in rows][:3], ["Why attention?", "Foundations", "Embedding"])
        self.assertEqual([row[1] for row in rows], [">"] + 13 * [" "])
        pages = sum(len(chapter.pages) for chapter in learn.all_chapters().values())
        derive = sum(one.name == "derive" for one in self.all)
        self.assertEqual(lines[15].split(), ["all", f"0/{pages}", f"0/{derive}", f"0/{len(self.all) - derive}", str(sum(int(row[5]) for row in rows))])

    def test_a_chapter_begins_with_the_lesson_and_ends_with_its_fast_loops(self):
        steps = re.findall(r"^[> ] .{6}(\w+ .*?)(?:  \(.*)?$", self.said("5").split("\n\n")[0], re.M)
        folder = "chapters/05_layer_norm"
        self.assertEqual([" ".join(step.split()) for step in steps if "checked.md" not in step],
                         [f"read {folder}/README.md", f"run g++ {folder}/plain.cpp -o plain && ./plain", "run make chapter CHAPTER=05",
                          "derive make exercise CHAPTER=05 DERIVE=1",
                          *(f"write make exercise CHAPTER=05 NAME={name}" for name in ("layer_norm", "add_norm", "layer_norm_kernel")),
                          f"read {folder}/FAST.md"])
        of_00 = self.said("00")
        self.assertLess(of_00.index("gpu.md"), of_00.index("NAME=product_kernel"))  # the exercise needs that page
        self.assertNotIn("derive", self.said("11"))

    def test_exercises_are_found_by_their_grades(self):
        of_05 = [one for one in self.all if one.number == "05"]
        self.grade(of_05[0], True), self.grade(of_05[1], False), self.grade(of_05[2], None)
        told = self.said("05")
        self.assertRegex(told, r"\n  done  derive make grade CHAPTER=05 DERIVE=1\n")
        self.assertRegex(told, r"\n  begun write  make grade CHAPTER=05 NAME=layer_norm\n")
        self.assertRegex(told, r"\n  begun write  make grade CHAPTER=05 NAME=add_norm\n")
        self.assertRegex(told, r"\n        write  make exercise CHAPTER=05 NAME=layer_norm_kernel\n")
        self.assertNotIn("Derive it first", told)  # it is done
        self.assertRegex(self.said(), r"\n  05   Layer norm +0/\d +1/1    0/3 ")
        of_05[0].verdict.write_text("{")  # damaged
        self.assertRegex(self.said(), r"\n  05   Layer norm +0/\d +0/1    0/3 ")

    def test_the_next_step_goes_through_all_that_is_there(self):
        """Does what is said, and nothing else, until nothing is left."""
        done, steps = [], sum(len(chapter.pages) for chapter in learn.all_chapters().values()) + len(self.all)
        for _ in range(steps):
            told = self.said()
            marks, following = re.findall(r"^> (\w+)", told, re.M), told[told.index("Next: "):]
            page = re.match(r"Next: read (\S+) \((\d+) min\)\n(?:.*\n)*When you have read it:\n  make learn DONE=(\w+)\n$", following)
            task = re.match(r"Next: (.*)\n  make exercise (CHAPTER=(\d\d) \w+=\w+)\n", following)
            self.assertTrue(page or task, following)
            self.assertEqual(marks, [page[3] if page else task[3]])
            if page:
                done.append(page[1])
                self.said("--done", page[3])
            else:
                one = next(one for one in self.all if exercise.words_of(one) == task[2])
                self.assertEqual(one.title, task[1])
                done.append(task[2])
                self.grade(one, True)
        self.assertEqual(len(set(done)), steps)
        self.assertEqual(done[:4], ["chapters/why.md", "chapters/00_foundations/README.md", "CHAPTER=00 DERIVE=1", "chapters/00_foundations/ground.md"])
        told = self.said()
        self.assertIn("\n\nAll is done. ", told)
        self.assertNotIn(">", told)
        self.assertRegex(told, r"\n       all +(\d+)/\1 +(\d+)/\2 +(\d+)/\3 +0\n")

    def test_who_writes_nothing_can_read_on(self):
        self.said("--done", "why")
        told = self.said("--done", "0")
        self.assertIn("Next: The linear map: derive its backward pass\n  make exercise CHAPTER=00 DERIVE=1\n"
                      "Or read on: chapters/00_foundations/ground.md (", told)
        self.assertTrue(told.endswith(" min)\n  make learn DONE=00\n"), told)
        for _ in range(6):
            told = self.said("--done", "00")
        self.assertRegex(told, r"\nOr read on: chapters/01_embedding/README.md \(\d+ min\)\n  make learn DONE=01\n$")
        self.grade(self.all[0], False)  # begun, which is not done
        self.assertIn("Next: The linear map: derive its backward pass\n  make grade CHAPTER=00 DERIVE=1\n", self.said())
        self.all[0].file.unlink()
        self.read_all()
        self.assertTrue(self.said().endswith("\n\nNext: The linear map: derive its backward pass\n  make exercise CHAPTER=00 DERIVE=1\n"))

    def test_the_lesson_comes_with_what_is_to_be_run(self):
        self.assertIn("""Next: read chapters/05_layer_norm/README.md (""", self.said("05"))
        self.assertTrue(self.said("05").endswith("""
  g++ chapters/05_layer_norm/plain.cpp -o plain && ./plain
  make chapter CHAPTER=05
At its box "Derive it first":
  make exercise CHAPTER=05 DERIVE=1
When you have read it:
  make learn DONE=05
"""))
        self.said("--done", "05")
        self.assertNotIn("Derive it first", self.said("05"))

    def test_after_the_last_step_of_a_chapter_comes_that_of_all(self):
        self.said("--done", "why")
        told = self.said("why")
        self.assertIn("why  Why attention?: 0 minutes of reading left\n  done  read   chapters/why.md", told)
        self.assertIn("\n\nNext: read chapters/00_foundations/README.md (", told)


class Marks(Learning):
    def read(self):
        return [page.removeprefix("chapters/") for page in json.loads(self.file.read_text(encoding="utf-8"))["read"]]

    def test_a_chapter_marks_its_next_page_and_a_name_the_page(self):
        self.said()
        self.assertFalse(self.file.exists())  # looking writes nothing
        for words, page in (("10", "README"), ("10", "loss"), ("10/FAST", "FAST"),
                            ("chapters/10_training/batches.md", "batches"), ("10_training/loop", "loop")):
            self.assertTrue(self.said("--done", words).startswith(f"chapters/10_training/{page}.md is read.\n"), words)
            self.assertEqual(self.read()[-1], f"10_training/{page}.md")
        self.said("--done", "chapters/why.md"), self.said("--done", "4")
        self.assertEqual(self.read()[-2:], ["why.md", "04_masks/README.md"])
        self.assertIn("done  read   chapters/04_masks/README.md", self.said("04"))
        self.assertEqual(list(self.file.parent.iterdir()), [self.file])  # no other file is left

    def test_a_mark_is_taken_back(self):
        for words in ("05/FAST", "05", "why"):
            self.said("--done", words)
        self.assertTrue(self.said("--undo", "05").startswith("chapters/05_layer_norm/README.md is open again.\n"))
        self.assertEqual(self.read(), ["05_layer_norm/FAST.md", "why.md"])
        self.said("--undo", "05/FAST")
        self.assertEqual(self.read(), ["why.md"])
        self.assertTrue(self.said("--undo", "05").startswith("There is nothing to take back in chapter 05.\n"))
        self.assertTrue(self.said("--done", "why").startswith("There is nothing to mark in chapter why.\n"))
        self.assertTrue(self.said("--undo", "06/FAST").startswith("There is nothing to take back in chapters/06_feed_forward/FAST.md.\n"))

    def test_what_is_not_there_is_answered_with_what_is(self):
        for words in (["13"], ["--done", "99"], ["--undo", "x"], ["--done", "../05"], ["--done", "/"], ["777"]):
            with self.assertRaisesRegex(Trouble, "^There is no chapter .*; there are why, 00, 01, .*, 12$"):
                self.said(*words)
        with self.assertRaisesRegex(Trouble, "^There is no page chapters/05_layer_norm/derive.md; there are\nchapters/05_layer_norm/README.md\n"):
            self.said("--done", "05/derive")
        with self.assertRaisesRegex(Trouble, "^Give one of CHAPTER, DONE and UNDO"):
            self.said("05", "--done", "1")
        self.assertFalse(self.file.exists())

    def test_a_file_that_is_damaged_or_of_another_version_is_told_in_one_line_and_begun_anew(self):
        self.file.parent.mkdir()
        good = {"version": 1, "read": ["chapters/why.md"]}
        for text in (b"", b"{", b"\xff\xfe", b"[]", b"7", b'{"version": 1}', b'{"version": 1, "read": 5}', b'{"version": 1, "read": "chapters/why.md"}',
                     b'{"version": 1, "read": [1]}', b"[" * 100_000, json.dumps({**good, "version": 2}).encode()):
            self.file.write_bytes(text)
            told = self.said()
            self.assertTrue(told.startswith("build/learn.json is unreadable or of another version: all pages count as open.\n\n  chapter "), text[:30])
            self.assertIn("\n> why  Why attention?          0/1 ", told)
            self.assertEqual(self.file.read_bytes(), text)  # looking writes nothing
        self.said("--done", "01")
        self.assertEqual(self.read(), ["01_embedding/README.md"])
        self.assertNotIn("unreadable", self.said())
        self.file.write_text(json.dumps({**good, "read": ["chapters/05_layer_norm/old.md"]}))  # a page that is no more
        self.assertIn("0/41", re.sub(r" 0/\d\d", " 0/41", self.said()))

    def test_a_file_that_cannot_be_written_stays_whole(self):
        self.said("--done", "why")
        before = self.file.read_bytes()
        for place, call in (("write_text", "01"), ("replace", "01")):
            with mock.patch.object(Path, place, side_effect=PermissionError(13, "Permission denied")):
                with self.assertRaisesRegex(Trouble, "^build/learn.json cannot be written, so nothing is marked: Permission denied$"):
                    self.said("--done", call)
            self.assertEqual(self.file.read_bytes(), before)
        with mock.patch.object(Path, "replace", side_effect=KeyboardInterrupt):  # Ctrl-C
            with self.assertRaises(KeyboardInterrupt):
                self.said("--done", "01")
        self.assertEqual(self.file.read_bytes(), before)
        with mock.patch.object(learn, "FILE", self.file / "learn.json"):  # build is a file
            with self.assertRaisesRegex(Trouble, "^build/learn.json cannot be written"):
                self.said("--done", "01")


class Small(Learning):
    """Two small chapters: pages that come later are found."""

    def setUp(self):
        super().setUp()
        self.all = []
        self.patch(learn, "ROOT", self.folder)
        words = lambda n: "word " * n
        for name, text in {"why.md": "# Why?\n" + words(199),
                           "07_one/README.md": "# 07 · One\n[b](deep/b.md) [c](checked.md)\n" + words(396),
                           "07_one/FAST.md": "# Fast\n" + words(599),
                           "07_one/a.md": "# A\n" + words(799), "07_one/checked.md": "# C\n" + words(999), "07_one/deep/b.md": "# B\n" + words(1199),
                           "07_one/solutions.md": "# S\n", "08_two/README.md": "# 08 · Two\n" + words(1398)}.items():
            (self.folder / "chapters" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "chapters" / name).write_text(text, encoding="utf-8")

    def test_the_pages_stand_in_the_order_of_the_lessons_links(self):
        found = re.findall(r"read +chapters/(\S+)  \((\d+) min\)", self.said("7"))
        self.assertEqual([name for name, _ in found], ["07_one/README.md", "07_one/deep/b.md", "07_one/a.md", "07_one/checked.md", "07_one/FAST.md"])
        self.assertEqual([int(time) for _, time in found], [math.ceil(n / 200) for n in (400, 1200, 800, 1000, 600)])
        self.assertNotIn("run", self.said("7"))  # it has no plain.cpp
        self.assertIn("  08   Two                     0/1                            7\n", self.said())

    def test_the_sum_is_of_what_is_left(self):
        self.said("--done", "07/deep/b")
        self.assertIn("07  One: 14 minutes of reading left", self.said("07"))
        self.assertRegex(self.said(), r"\n       all +1/7 +22\n")


class Program(unittest.TestCase):
    """As a process of its own; it only looks."""

    def run_it(self, *words, folder="/", **environment):
        return subprocess.run([PROGRAM, *words], cwd=folder, env={**os.environ, **environment}, capture_output=True)

    def test_in_another_folder_without_utf_8_and_in_a_pipe_it_prints_plain_text(self):
        for environment in ({}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
                            {"TERM": "dumb", "COLUMNS": "20", "NO_COLOR": "1"}):
            for words in ([], ["05"]):
                done = self.run_it(*words, **environment)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertRegex(done.stdout, rb"^[\n -~]+$")

    def test_a_wrong_chapter_is_an_error_in_one_line(self):
        done = self.run_it("99")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (1, b"", 1))

    def test_a_pipe_that_closes_early_is_no_error(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([PROGRAM], stdout=write, stderr=subprocess.PIPE)
        os.close(write)
        self.assertEqual(done.stderr, b"")

    def test_make_passes_what_the_reader_types(self):
        for words, call in ((["DONE=05/FAST"], '--done "05/FAST"'), (["UNDO=05"], '--undo "05"'), (["CHAPTER=05"], '"05"'), ([], "")):
            told = subprocess.run(["make", "--no-print-directory", "-n", "learn", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
            self.assertEqual(told.split("\n")[-2].split(), f"exercises/learn.py {call}".split())


if __name__ == "__main__":
    unittest.main()
