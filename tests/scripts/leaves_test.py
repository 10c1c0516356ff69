#!/usr/bin/env python3
"""Tests the list of leaves in a chapter's CMakeLists.txt: a leaf that is missing there is an error when the build is configured."""
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Leaves(unittest.TestCase):
    def configured(self, *files, build=None):
        """(exit status, what cmake said) for a chapter with these files, and the leaves `one` and `deep/two` in its list."""
        with tempfile.TemporaryDirectory() as folder:
            chapter = Path(folder)
            (chapter / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.25)
project(chapter NONE)
include({ROOT}/cmake/chapter.cmake)
check_leaves("one;deep/two")
add_custom_target(all_of_it ALL)
""")
            later = files[-1:] if build else ()
            for name in files[:len(files) - len(later)]:
                (chapter / name).parent.mkdir(exist_ok=True)
                (chapter / name).touch()
            done = self.run_cmake("-S", folder, "-B", f"{folder}/build", "-G", "Ninja")
            if build and done[0] == 0:
                (chapter / later[0]).touch()
                return self.run_cmake("--build", f"{folder}/build")
            return done

    @staticmethod
    def run_cmake(*arguments):
        done = subprocess.run(["cmake", *arguments], capture_output=True, text=True, check=False)
        return done.returncode, " ".join((done.stdout + done.stderr).split())  # cmake breaks lines

    def test_the_leaves_of_the_list_are_taken(self):
        names = ("one_reference.cpp", "one_cpu.cpp", "one_cuda.cu", "deep/two_cpu.cpp", "more.cpp")
        self.assertEqual(self.configured(*names)[0], 0)

    def test_another_leaf_is_named_with_the_line_that_it_needs(self):
        for name, leaf in (("three_reference.cpp", "three"), ("three_cpu.cpp", "three"), ("three_cuda.cu", "three"),
                           ("deep/one_cpu.cpp", "deep/one"), ("one_more_cpu.cpp", "one_more")):
            status, said = self.configured("one_cpu.cpp", name)
            self.assertNotEqual(status, 0, name)
            self.assertIn(f"/{name}: no library compiles it; add {leaf} behind LEAVES in", said)

    def test_a_leaf_that_comes_later_is_noticed_by_the_build(self):
        status, said = self.configured("one_cpu.cpp", "three_cpu.cpp", build=True)
        self.assertNotEqual(status, 0)
        self.assertIn("add three behind LEAVES", said)


if __name__ == "__main__":
    unittest.main()
