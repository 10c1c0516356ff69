#!/usr/bin/env python3
"""Tests compilers.py with a small tree and this machine's g++: it finds each kind of missing header, and names file, compiler and error."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import compilers

CHECK = pathlib.Path(__file__).resolve().parent / "compilers.py"
SMALL = "#pragma once\n#include <cstdint>\ninline std::uint8_t small() { return 1; }\n"
TREE = {
    "tests/compilers/compilers.txt": "here g++ libstdc++\nthere g++-99 libstdc++\nnot lib/gone.cpp  # needs a header that nobody has\n",
    "lib/small.hpp": SMALL,
    "lib/small.cpp": '#include "small.hpp"\n\nint twice() { return 2 * small(); }\n',
    "lib/gone.cpp": "#include <nobody_has_this.h>\n",
    "chapters/alone.hpp": '#pragma once\n#include <vector>\n\n#include "small.hpp"\ninline std::vector<int> all() { return {small()}; }\n',
    "chapters/kernel.cu": '#include "alone.hpp"\nint f() { return all()[0]; }\n',
    "tests/defined.cpp": "static_assert(NAME == 3);\n",
}


class CompilersTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.top = pathlib.Path(place.name) / "tree"
        for name, text in TREE.items():
            self.write(name, text)
        self.passed = self.top.parent / "passed"
        folders = f"-I{self.top}/lib -I{self.top}/chapters"
        self.entries = [self.entry("lib/small.cpp", f"{folders} -std=c++17 -Wall -Werror -O2 -march=native"),
                        self.entry("tests/defined.cpp", f"{folders} -std=c++17 -DNAME=3")]

    def entry(self, name, options):
        return {"file": str(self.top / name), "directory": str(self.top), "command": f"/usr/bin/ccache /usr/bin/c++ {options} -o x.o -c {self.top / name}"}

    def write(self, name, text):
        (self.top / name).parent.mkdir(parents=True, exist_ok=True)
        (self.top / name).write_text(text)

    def check(self, *words, system="here"):
        """(exit status, number of files that were compiled, the lines before the last)"""
        (self.top / "compile_commands.json").write_text(json.dumps(self.entries))
        done = subprocess.run([sys.executable, CHECK, system, self.top, "--top", self.top, "--passed", self.passed, *words], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        *lines, last = done.stdout.splitlines()
        self.assertRegex(last, r"^here g\+\+ libstdc\+\+: \d files, \d of them compiled now, \d failures, \d+ s \(g\+\+.*\)$")
        return done.returncode, int(last.split()[5]), lines

    def test_what_compiles_passes_and_is_not_compiled_again(self):
        self.assertEqual(self.check(), (0, 4, []))  # alone.hpp and small.hpp are the first that kernel.cu and small.cpp include
        self.assertEqual(self.check(), (0, 1, []))  # what is expected to fail
        self.write("lib/small.hpp", SMALL + "\n")
        self.assertEqual(self.check(), (0, 3, []))  # and what includes it, at any depth
        self.entries[1]["command"] += " -DOTHER"
        self.assertEqual(self.check("--only", "defined"), (0, 1, []))

    def test_a_missing_header_is_reported_each_time(self):
        self.write("lib/small.hpp", SMALL.replace("#include <cstdint>\n", ""))
        for _ in range(2):
            status, _, lines = self.check("--only", "small")
            self.assertEqual((status, len(lines)), (1, 1), lines)
            self.assertRegex(lines[0], r"^lib/small.cpp, here g\+\+ libstdc\+\+: .*lib/small.hpp:2:\d+: error: .*uint8_t")

    def test_a_header_that_no_file_includes_first_is_compiled_by_itself(self):
        self.write("chapters/later.hpp", "#pragma once\ninline std::vector<int> later() { return {}; }\n")
        self.write("chapters/kernel.cu", TREE["chapters/kernel.cu"].replace("\n", '\n#include "later.hpp"\n', 1))
        status, _, lines = self.check()
        self.assertEqual((status, len(lines)), (1, 1), lines)
        self.assertRegex(lines[0], r"^chapters/later.hpp, here g\+\+ libstdc\+\+: .*later.hpp:2:\d+: error: .*std")

    def test_a_header_behind_other_code_counts_as_not_seen(self):
        self.write("chapters/kernel.cu", "#include <vector>\n" + TREE["chapters/kernel.cu"])
        self.write("chapters/alone.hpp", TREE["chapters/alone.hpp"].replace("#include <vector>\n\n", ""))
        status, _, lines = self.check()
        self.assertEqual((status, len(lines)), (1, 1), lines)
        self.assertRegex(lines[0], r"^chapters/alone.hpp, ")

    def test_the_options_of_a_source_are_its_own(self):
        self.entries[1]["command"] = self.entries[1]["command"].replace("NAME=3", "NAME=4")
        self.assertRegex("".join(self.check()[2]), r"^tests/defined.cpp, .*error: static assertion failed")
        self.entries[1]["command"] = self.entries[1]["command"].replace("NAME=4", "NAME=3")
        self.write("lib/small.cpp", TREE["lib/small.cpp"].replace("{", "{ int unused;"))
        self.assertRegex("".join(self.check()[2]), r"^lib/small.cpp, .*error: unused variable")  # a warning, with -Werror

    def test_a_reason_that_is_no_longer_true_is_an_error(self):
        self.write("lib/gone.cpp", "\n")
        self.assertEqual(self.check()[2], ["lib/gone.cpp, here g++ libstdc++: compiles, so line 3 of tests/compilers/compilers.txt is not needed any more"])

    def test_what_the_stand_in_for_cuda_brings_is_for_its_own_files_only(self):
        folder = "tests/cuda_standin"
        self.write(f"{folder}/include/nobody_has_this.h", "#pragma once\n")
        self.write(f"{folder}/part.cpp", "#include <nobody_has_this.h>\n")
        self.entries += [self.entry(name, f"-I{self.top}/lib -I{self.top}/{folder}/include -std=c++17") for name in (f"{folder}/part.cpp", "lib/gone.cpp")]
        self.assertEqual(self.check()[2], [])

    def test_each_left_out_file_exists_and_has_a_reason(self):
        text = (compilers.TOP / compilers.LIST).read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("not "):
                self.assertRegex(line, r"^not \S+( \S+)*  +# \w+")
                self.assertTrue((compilers.TOP / line.split()[1]).exists(), line)

    def test_the_list_is_read(self):
        rows = compilers.listed("# why\na g++-1 libstdc++\n\na clang++-3 libc++ # new\nnot x.cpp clang++-3  # why\n")
        self.assertEqual(rows, ([("a", "g++-1", "libstdc++"), ("a", "clang++-3", "libc++")], [("x.cpp", {"clang++-3"}, 5)]))
        self.assertEqual(compilers.options(["ccache", "c++", "-O2", "-Ix", "-isystem", "y", "-fsanitize=thread", "-g1", "-o", "z.o", "-c", "z.cpp"]),
                         ["-Ix", "-isystem", "y"])

    def test_spread_gives_each_file_to_one_line_of_each_library_and_each_line_some_files(self):
        lines, _ = compilers.listed((compilers.TOP / compilers.LIST).read_text(encoding="utf-8"))
        counts = dict.fromkeys(lines, 0)
        for number in range(100):
            turns = [line for line in lines if compilers.is_its_turn(f"lib/file{number}.cpp", line, lines)]
            self.assertEqual(sorted(line[2] for line in turns), ["libc++", "libstdc++"])
            for line in turns:
                counts[line] += 1
        self.assertGreater(min(counts.values()), 5)

    def test_spread_leaves_files_to_other_lines(self):
        self.write("tests/compilers/compilers.txt", TREE["tests/compilers/compilers.txt"] + "not lib/small.cpp g++-99  # of the other line\n")
        compiled = self.check("--spread")[1]
        self.assertTrue(0 < compiled < 4, compiled)


if __name__ == "__main__":
    if not shutil.which("g++"):
        sys.exit(77)
    unittest.main()
