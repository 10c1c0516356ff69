#!/usr/bin/env python3
"""Tests tests/support/sizes.py in a small tree: which tests it makes of a case, and from what."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
sys.dont_write_bytecode = True

import sizes  # noqa: E402

SIZED = "struct TwoNormsCase {\n  static std::vector<TwoNormsCase> sizes() { return {{5, 7}}; }\n};\n"
TREE = {"tests/chapters/05_one/two_norms_case.hpp": SIZED, "tests/chapters/05_one/old_case.hpp": "struct OldCase {};\n",
        "tests/chapters/06_two/other_case.hpp": SIZED.replace("TwoNorms", "Other"), "tests/wrong/empty.hpp": "#pragma once\n"}
MADE = {"two_norms_sizes_test.cpp", "two_norms_twins_test.cpp", "kernels_two_norms_test.cpp"}


class Sizes(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = Path(place.name)
        for name, text in TREE.items():
            self.write(name, text)

    def write(self, name, text=""):
        sizes.put(self.root / name, text)

    def made(self):
        [one] = sizes.sized(self.root, "05_one")
        return sizes.tests(self.root, *one)

    def test_a_case_with_sizes_is_found_and_one_without_is_not(self):
        self.assertEqual(sizes.sized(self.root, "05_one"), [("05_one", "two_norms", "chapters/05_one/two_norms_case.hpp")])
        self.assertEqual(len(sizes.sized(self.root)), 2)

    def test_twins_kernels_and_golden_values_have_their_tests_only_if_they_exist(self):
        self.assertEqual(set(self.made()), {"two_norms_sizes_test.cpp"})
        self.assertNotIn("golden", self.made()["two_norms_sizes_test.cpp"])
        self.write("tests/wrong/two_norms.hpp", "/// twin: no-root 05_one/two_norms own golden\n/// twin: no-root 06_two own golden\n")
        self.write("chapters/05_one/cuda/two_norms_cuda.cu")
        self.write("tests/golden/two_norms.safetensors")
        made = self.made()
        self.assertEqual(set(made), MADE)
        self.assertIn('golden(gradus::test::component(gradus::test::TwoNormsCase::sizes().at(0)), "two_norms")', made["two_norms_sizes_test.cpp"])
        twins = made["two_norms_twins_test.cpp"]
        self.assertEqual(twins.count('{"no-root", &wrong::NoRoot<Cpu<double>>::calls'), 1)
        self.assertIn('"no-root", first, "two_norms")', twins)
        self.assertIn('expect_rejected("05_one"', twins)

    def test_the_kernels_of_all_chapters_are_those_that_have_some(self):
        self.assertNotIn("each_size<", sizes.kernels(self.root))
        self.write("chapters/06_two/cuda/other_cuda.cu")
        made = sizes.kernels(self.root)
        self.assertIn('#include "chapters/06_two/other_case.hpp"', made)
        self.assertEqual(made.count("each_size<"), made.count("each_size<OtherCase>(f);"))

    def test_a_file_that_stays_the_same_keeps_its_time(self):
        path = self.root / "x"
        sizes.put(path, "a")
        before = path.stat().st_mtime_ns
        sizes.put(path, "a")
        self.assertEqual(path.stat().st_mtime_ns, before)
        sizes.put(path, "b")
        self.assertEqual(path.read_text(), "b")


if __name__ == "__main__":
    unittest.main()
