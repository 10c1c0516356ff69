#!/usr/bin/env python3
"""Tests scripts/chapter in a small artificial tree: what it builds for each chapter, and its message for a wrong name."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "chapter"
CHAPTERS = ("07_one", "08_two", "09_three", "11_program", "12_last")
TWINS = "/// twin: no-epsilon 08_two own golden\n/// twin: of-a-leaf 08_two/leaf own golden\n/// twin: other 07_one own golden\n"


class Chapter(unittest.TestCase):
    def run_script(self, *arguments, judges=""):
        """(exit status, what was printed, what was run); `judges` is what a test binary does."""
        with tempfile.TemporaryDirectory() as folder:
            root, log = Path(folder), Path(folder) / "log"
            record = f'#!/bin/bash\necho "${{0##*/}} $*" >> {log}\n'
            programs = ["bin/cmake", "scripts/packages", "tests/scripts/gradients.py"]
            for name in CHAPTERS:
                preset = "release" if name == "11_program" else "chapters"
                programs.append(f"build/{preset}/tests/chapters/{name}/test_{name}")
                (root / "chapters" / name).mkdir(parents=True)
                (root / "tests" / "chapters" / name).mkdir(parents=True)
            for name in programs:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(record + (judges + "\n" if "/test_" in name else ""))
                (root / name).chmod(0o755)
            (root / "tests" / "chapters" / "08_two" / "kernels_test.cpp").touch()
            (root / "tests" / "wrong").mkdir(parents=True)
            (root / "tests" / "wrong" / "mistakes.hpp").write_text(TWINS)
            env = {**os.environ, "PATH": f"{root}/bin:{os.environ['PATH']}"}
            done = subprocess.run([SCRIPT, *arguments], cwd=root, env=env, capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr, log.read_text() if log.exists() else ""

    def test_only_chapter_11_needs_the_packages_of_the_program(self):
        for name in (name for name in CHAPTERS if name != "11_program"):  # 08 and 09 too, which are no octal numbers
            status, said, log = self.run_script(name[:2])
            self.assertEqual((status, said), (0, ""))
            self.assertIn("packages chapter test\n", log)
            self.assertIn(f"test_{name} \n", log)
        self.assertIn("packages program test\n", self.run_script("11")[2])

    def test_a_name_that_is_not_there_is_answered_with_those_that_are(self):
        for number in ("", "8", "13", "../08"):
            status, said, log = self.run_script(number)
            self.assertEqual((status, log), (2, ""))
            self.assertIn("chapters/08_two/", said)
        status, said, log = self.run_script("08", "wrong", "no-such")
        self.assertEqual((status, log), (2, ""))
        self.assertIn("It has: no-epsilon of-a-leaf\n", said)

    def test_a_wrong_twin_is_shown_by_its_chapter(self):
        self.assertRegex(self.run_script("08", "wrong", "no-epsilon")[2], r"test_08_two \[wrong\] --out \S+\n")
        self.assertEqual(self.run_script("08", "wrong", "of-a-leaf")[0], 0)
        self.assertEqual(self.run_script("07", "wrong", "no-epsilon")[0], 2)

    def test_gradients_are_those_of_the_formulas_and_of_the_kernels(self):
        log = self.run_script("09", "gradients")[2]
        self.assertIn("cmake --build build/chapters --target test_09_three\n", log)
        self.assertIn("gradients.py build/chapters/tests/chapters/09_three/test_09_three\n", log)
        log = self.run_script("08", "gradients")[2]
        self.assertIn("cmake --build build/chapters --target test_08_two test_kernels_08_two\n", log)
        both = " ".join(f"build/chapters/tests/chapters/08_two/{name}" for name in ("test_08_two", "test_kernels_08_two"))
        self.assertIn(f"gradients.py {both}\n", log)

    def test_what_the_framework_says_of_a_wrong_twin_is_not_shown_unless_it_failed(self):
        said = self.run_script("08", "wrong", "no-epsilon", judges='echo "rejected by golden"; echo "All tests passed" > $3')
        self.assertEqual(said[:2], (0, "rejected by golden\n"))
        said = self.run_script("08", "wrong", "no-epsilon", judges='echo "1 assertion failed" > $3; exit 1')
        self.assertEqual(said[:2], (1, "1 assertion failed\n"))


if __name__ == "__main__":
    unittest.main()
