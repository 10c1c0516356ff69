#!/usr/bin/env python3
"""Tests how a chapter's build finds the pieces of its leaves: by their names, without a list."""
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Leaves(unittest.TestCase):
    def configured(self, *files, later=None):
        """(exit status, what cmake said) for a chapter with these files and the lesson `slow`; `later` comes after the first run."""
        with tempfile.TemporaryDirectory() as folder:
            chapter = Path(folder)
            (chapter / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.25)
project(chapter NONE)
include({ROOT}/cmake/chapter.cmake)
find_pieces(loops _cpu.cpp "slow")
find_pieces(kernels _cuda.cu "slow")
message(STATUS "found ${{loops}} and ${{kernels}}.")
add_custom_target(all_of_it ALL)
""")
            for name in files:
                (chapter / name).parent.mkdir(parents=True, exist_ok=True)
                (chapter / name).touch()
            done = self.run_cmake("-S", folder, "-B", f"{folder}/build", "-G", "Ninja")
            if later and done[0] == 0:
                (chapter / later).parent.mkdir(exist_ok=True)
                (chapter / later).touch()
                return self.run_cmake("--build", f"{folder}/build")
            return done

    @staticmethod
    def run_cmake(*arguments):
        done = subprocess.run(["cmake", *arguments], capture_output=True, text=True, check=False)
        return done.returncode, " ".join((done.stdout + done.stderr).split())  # cmake breaks lines

    def test_pieces_are_found_by_their_names_and_those_of_lessons_are_left_out(self):
        status, said = self.configured("one.hpp", "one_reference.cpp", "cpu/one_cpu.cpp", "cuda/one_cuda.cu", "deep/two.hpp", "deep/cpu/two_cpu.cpp",
                                       "cuda/slow_cuda.cu", "cuda/slow_cuda.hpp", "more.cpp")
        self.assertEqual(status, 0, said)
        self.assertIn("found cpu/one_cpu.cpp;deep/cpu/two_cpu.cpp and cuda/one_cuda.cu.", said)

    def test_a_piece_of_no_leaf_is_an_error(self):
        for name, header in (("cpu/oen_cpu.cpp", "oen.hpp"), ("deep/cuda/one_cuda.cu", "deep/one.hpp"), ("cuda/slow_lane_cuda.cu", "slow_lane.hpp")):
            status, said = self.configured("one.hpp", "cpu/one_cpu.cpp", name)
            self.assertNotEqual(status, 0, name)
            self.assertIn(f"/{name}: a leaf's declarations are in {header}, which does not exist", said)

    def test_a_piece_that_comes_later_is_found_by_the_build(self):
        status, said = self.configured("one.hpp", "cpu/one_cpu.cpp", later="cuda/one_cuda.cu")
        self.assertEqual(status, 0, said)
        self.assertIn("found cpu/one_cpu.cpp and cuda/one_cuda.cu.", said)


if __name__ == "__main__":
    unittest.main()
