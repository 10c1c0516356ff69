#!/usr/bin/env python3
"""Tests tests/measure/mutation/mutants.py without a compiler: where its rules apply, what they change, and which judge's rejection is reported."""
import argparse
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import mutants as mutants_script
from mutant_judges import BUILD, ROOT, files_read, units_by_file
from mutant_results import code_hash, explained, row_of, text_of
from mutant_rules import EDGES, RULES, SYNCHRONISATION, candidates, device_functions, drawn, functions, places
from mutant_verdict import JUDGED_IN, who

SCRIPT = Path(__file__).resolve().parent / "mutants.py"
KERNELS = """
template <class Real>
__global__ void add_kernel(View<Real, 1, Gpu> y, std::size_t N) {
  // the last block's threads i >= N have no work
  const std::size_t i = blockIdx.x;
  if (i >= N) return;
  for (std::size_t k = 0; k < 4; ++k) { y[k] += 1; }
  __syncthreads();
}

std::size_t on_the_host(std::size_t n) { return n + 1; }

struct Element {
  __device__ Real operator()(std::size_t n) const { return x[n]; }
};
struct Row {
  __device__ Real operator[](std::size_t d) const { return row != nullptr ? row[d] : otherwise; }
};
"""


def mutants():
    return [mutant for _, found in candidates("x_cuda.cu", KERNELS) for mutant in found]


class Rules(unittest.TestCase):
    def test_functions_of_a_gpu_are_found_and_no_others(self):
        self.assertEqual([name for name, _, _ in device_functions(KERNELS)],
                         ["add_kernel", "Element::operator()", "Row::operator[]"])

    def test_a_mutant_changes_its_line_and_no_other(self):
        for mutant in mutants():
            before, after = KERNELS.split("\n"), mutant.applied().split("\n")
            changed = [number for number, pair in enumerate(zip(before, after), 1) if pair[0] != pair[1]]
            self.assertEqual((changed, len(before)), ([mutant.line], len(after)))
            self.assertEqual(mutant.shown(), (before[mutant.line - 1].strip(), after[mutant.line - 1].strip()))

    def test_what_the_rules_make_of_a_kernel(self):
        made = {(mutant.rule, mutant.shown()[1]) for mutant in mutants()}
        self.assertEqual(made, {
            ("wrong block", "const std::size_t i = 0;"),
            ("comparison", "if (i > N) return;"),
            ("condition", "if (true) return;"),
            ("one too few", "for (std::size_t k = 1; k < 4; ++k) { y[k] += 1; }"),
            ("off by one", "for (std::size_t k = 0; k <= 4; ++k) { y[k] += 1; }"),
            ("wrong index", "for (std::size_t k = 0; k < 4; ++k) { y[0] += 1; }"),
            ("overwritten", "for (std::size_t k = 0; k < 4; ++k) { y[k] = 1; }"),
            ("missing barrier", ";"),
            ("wrong index", "__device__ Real operator()(std::size_t n) const { return x[0]; }"),
            ("wrong index", "__device__ Real operator[](std::size_t d) const { return row != nullptr ? row[0] : otherwise; }"),
        })

    def test_every_rule_finds_its_place(self):
        code = """__device__ void f() {
  __syncwarp(); a < b; a <= b; a + 1; a - 1; for (int i = 0; i < n;) x[n]; x.row(n); threadIdx.x % 32; threadIdx.x / 32;
  blockIdx.x; i += 32; a + b; a - b; Real sum = 0; a * b; a / b; a > b; a >= b; a == b; if (a) b; a && b;
  sqrt(v + epsilon); atomicAdd(&y[0], x); m[k] * x;
}"""
        found = {mutant.rule for _, all_of_f in candidates("x_cuda.cu", code) for mutant in all_of_f}
        self.assertEqual(found, {name for name, _, _ in RULES})

    def test_the_draw_depends_on_the_seed_alone(self):
        def lines(seed):
            return [mutant.applied() for _, found in candidates("x_cuda.cu", KERNELS) for mutant in drawn(found, seed)]
        self.assertEqual(lines(1), lines(1))
        self.assertNotEqual(lines(1), lines(2))
        self.assertEqual(sorted(lines(1)), sorted(lines(2)))

    def test_barriers_and_exchanges(self):
        code = """__device__ T f(T v) {
  __syncthreads();
  return v + __shfl_xor_sync(gpu::all_lanes, c.id, half);
}"""
        (_, found), = candidates("x.hpp", code, SYNCHRONISATION)
        self.assertEqual([mutant.shown()[1] for mutant in found], [";", "return v + c.id;"])

    def test_edges_of_the_host_layer(self):
        code = "std::uint64_t meet(int value) {\n  acquire_edge(edge);\n}\nvoid other() {\n  acquire_edge(edge);\n}\n"
        (name, begin, end), = functions(code, ["meet"])
        self.assertEqual([mutant.line for mutant in places(EDGES, "block.cpp", code, name, begin, end)], [2])


def report(inner, run="Catch2TestRun", **attributes):
    """Catch2's XML of one test case; version 2 calls the run `Catch` and has a `Group` in it."""
    words = "".join(f' {name}="{value}"' for name, value in attributes.items())
    expression = f"<Expression{words}><Original>v.passed()</Original>{inner}</Expression>" if attributes else inner
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<{run} name="t"><Group><TestCase name="a"><Section name="s">\n'
            f'{expression}<OverallResults failures="1"/></Section></TestCase></Group></{run}>\n')


def judged(information):
    text = report("", success="false", type="CHECK", filename="/gradus/tests/support/expect.hpp", line="16")
    return text.replace("<Expression", f"<Info>\n outside\n</Info><Info>\n  {information}\n</Info><Expression")


class Verdicts(unittest.TestCase):
    def who(self, status, said="", text=None):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "report.xml"
            if text is not None:
                file.write_text(text, encoding="utf-8")
            return who(status, said, file)

    def test_by_how_it_ended(self):
        self.assertEqual(self.who(0), "")
        self.assertEqual(self.who(66, "WARNING: ThreadSanitizer: data race"), "race detector")
        self.assertEqual(self.who(1, "==1==ERROR: AddressSanitizer: use-after-poison"), "bounds detector")
        self.assertEqual(self.who(66, "ThreadSanitizer:DEADLYSIGNAL"), "crash")
        self.assertEqual(self.who(-24), "time")
        self.assertEqual(self.who(-11, "", "<Catch><Group>"), "crash")

    def test_a_judge_is_named_by_the_line_before_its_check(self):
        for said, judge in (("linear on Cuda&lt;float>, thread orders, all: error 3, bound 0", "thread orders"),
                            ("linear on naive Cuda&lt;double>, contract: overwrites, y: error 1, bound 0", "contract"),
                            ("attention on another GPU, parity, y: error nan, bound 0", "parity")):
            self.assertEqual(self.who(1, text=judged(said)), judge)

    def test_other_objections(self):
        own = {"success": "false", "type": "CHECK", "filename": "kernels_test.cpp", "line": "9"}
        none = {**own, "type": "REQUIRE_FALSE", "filename": "tests/support/expect.hpp"}  # no verdicts at all
        for run in ("Catch", "Catch2TestRun"):
            self.assertEqual(self.who(3, text=report("", run, **own)), "own test")
            self.assertEqual(self.who(1, text=report("", run, **none)), "own test")
            self.assertEqual(self.who(1, text=report("<Failure>no</Failure>", run)), "own test")
            self.assertEqual(self.who(1, text=report("<Exception>a lane returned</Exception>", run)), "host layer")
            self.assertEqual(self.who(1, text=report("<Exception>a lane</Exception>", run, **own)), "host layer")
            self.assertEqual(self.who(1, text=report("<FatalErrorCondition>SIGSEGV</FatalErrorCondition>", run)), "crash")

    def test_a_report_that_cannot_be_read_stops_the_script(self):
        for text, why in ((None, "No such file"), ("", "no element"), ("<Catch><Group>", "no element"),
                          (report(""), "nothing that failed"), (judged("linear: parity"), "names no judge")):
            with self.assertRaisesRegex(SystemExit, f"cannot be read: .*{why}"):
                self.who(1, text=text)

    def test_the_line_is_that_of_the_tests(self):
        text = (ROOT / "tests" / JUDGED_IN).read_text(encoding="utf-8")
        self.assertIn('" on " << v.device << ", " << v.judge << ", "', text)
        self.assertIn("CHECK(v.passed())", text)


class Headers(unittest.TestCase):
    def test_a_mutant_is_seen_by_whoever_includes_it_from_afar(self):
        read = files_read(['#include <limits>', '#include "05_layer_norm/cuda/layer_norm_cuda.hpp"'])
        self.assertIn(ROOT / "lib/gradus/kernels/reduce.hpp", read)
        self.assertNotIn(ROOT / "lib/gradus/kernels/exp_sum.hpp", read)


class Units(unittest.TestCase):
    def test_a_unit_that_ninja_does_not_know_hides_no_other(self):
        deps = "program: deps not found\na.cpp.o: #deps 2, deps mtime 7 (VALID)\n    ../../a.cpp\n    ../../all.hpp\n\n" \
               "b.cpp.o: #deps 1, deps mtime 7 (STALE)\n    ../../all.hpp\n\n"
        root = BUILD.parents[1]
        self.assertEqual(units_by_file(deps), {root / "a.cpp": ["a.cpp.o"], root / "all.hpp": ["a.cpp.o", "b.cpp.o"]})


class WhatIsPublished(unittest.TestCase):
    NAME = "chapters/05_layer_norm/cuda/layer_norm_cuda.cu"

    def before(self, seed=1, **changes):
        barrier = {"file": self.NAME, "line": 3, "before": "__syncthreads();", "after": ";"}
        known = {"seed": 1, "a_kernel": 20, "left": [], "texts": {self.NAME: mutants_script.checksum(self.NAME)},
                 "by_file": {self.NAME: {"tried": 7}}, "not_killed": [{"file": self.NAME}, {"file": "another"}],
                 "barriers": {"each": [barrier, {**barrier, "line": 4}]}, **changes}
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(mutants_script, "PUBLISHED", Path(folder) / "mutants.json"):
            mutants_script.PUBLISHED.write_text(json.dumps(known), encoding="utf-8")
            return mutants_script.Before(argparse.Namespace(seed=seed, count=20))

    def test_it_stays_while_the_kernel_is_the_same(self):
        self.assertEqual(self.before().file(self.NAME), ({"tried": 7}, [{"file": self.NAME}]))
        self.assertIsNone(self.before(seed=2).file(self.NAME))
        self.assertIsNone(self.before(texts={self.NAME: "another text"}).file(self.NAME))
        self.assertIsNone(self.before(left=[self.NAME]).file(self.NAME))

    def test_so_does_what_it_says_of_a_barrier(self):
        text = "\n\n__syncthreads();\n__syncthreads();\n"
        third, fourth = places(SYNCHRONISATION, self.NAME, text, "kernel", 0, len(text))
        self.assertEqual([row["line"] for row in self.before().barrier(third)], [3])
        self.assertEqual([row["line"] for row in self.before().barrier(fourth)], [4])
        self.assertEqual(self.before(texts={}).barrier(third), [])


class Script(unittest.TestCase):
    def list(self, *options):
        return subprocess.run([sys.executable, SCRIPT, "--list", *options], capture_output=True, text=True,
                              check=True).stdout.splitlines()

    def test_no_kernel_has_more_mutants_than_asked_for(self):
        kernels = [line.split(":")[0] + line.split(":")[1].split(" ")[1] for line in self.list("--count", "2", "05_layer_norm")]
        self.assertGreater(len(kernels), 8)
        self.assertTrue(all(kernels.count(kernel) <= 2 for kernel in kernels))

    def test_every_barrier_in_the_sources_is_deleted_once(self):
        root = ROOT
        files = [*(root / "chapters").rglob("*_cuda.*"), *(root / "lib" / "gradus" / "kernels").glob("*.hpp")]
        calls = sum(line.split("//")[0].count("__sync") for file in files for line in file.read_text().splitlines()
                    if "///" not in line)
        self.assertEqual(sum(line.endswith(": barrier") for line in self.list("--barriers")), calls)

    def test_a_reason_counts_in_its_function_only(self):
        mutant = mutants()[0]
        line = mutant.shown()
        for place, verdict in ((mutant.name, "equivalent"), (f"{mutant.name}:{mutant.kernel}", "equivalent"), (f"{mutant.name}:other", "survived")):
            with mock.patch("builtins.print"):
                self.assertEqual(row_of(mutant, {(place, *line): "why"}, by="")["verdict"], verdict, place)

    def test_a_header_that_another_chapter_reads_is_judged_there_too(self):
        sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "chapters").rglob("*_cuda.[ch]*")}
        names = mutants_script.kernel_files("")
        self.assertEqual(len(set(names)), len(list(names)))
        for name in (name for name in names if name.startswith("chapters/") and name.endswith(".hpp")):
            own = name.removeprefix("chapters/")
            for path in (path for path, text in sources.items() if f'#include "{own}"' in text):
                self.assertIn(f"test_kernels_{path.relative_to(ROOT).parts[1]}", mutants_script.judges_of(name), f"{name}, read by {path}")

    def test_what_is_explained_stands_in_its_file(self):
        for place, before, _ in explained():
            self.assertIn(" ".join(before.split()), " ".join(text_of(place.split(":")[0]).split()), place)


class Checksum(unittest.TestCase):
    CODE = '#include "a.hpp"\nint f() { return g("// no comment"); }  // why\n'

    def test_comments_includes_and_layout_do_not_count(self):
        same = '/// What f does.\n#include "b/a.hpp"\n#include <vector>\nint f() {\n  return g("// no comment");\n}\n'
        self.assertEqual(code_hash(self.CODE), code_hash(same))

    def test_code_and_texts_count(self):
        for other in (self.CODE.replace("f()", "h()"), self.CODE.replace("// no", "no"), "#define f h\n" + self.CODE):
            self.assertNotEqual(code_hash(self.CODE), code_hash(other))


if __name__ == "__main__":
    unittest.main()
