#!/usr/bin/env python3
"""Tests that the room check can fail: in a small tree that follows every rule, each rule is broken once."""
import tempfile
import unittest
from pathlib import Path

import rooms

TREE = {
    "lib/gradus/tensor/xtensor.hpp": "#if __has_include(<a>)\n#include <xtensor/xtensor.hpp>\n#endif\n",
    "lib/gradus/tensor/array.hpp": '#include "gradus/tensor/xtensor.hpp"\nauto s = xt::sum(x, xt::keep_dims);\n',
    "lib/gradus/ops/cpu/gemm_cpu.cpp": "#include <cblas.h>\n",
    "lib/gradus/ops/gemm_reference.cpp": "#include <xtensor-blas/xblas.hpp>\n",
    "lib/gradus/random/mask_cpu.hpp": "#include <vector>\n",
    "lib/gradus/text/subword_training_sentencepiece.cpp": "#include <sentencepiece_processor.h>\n",
    "chapters/README.md": "  c01[01 two] --> c00[00 one]\n  c08[08 decoder] --> c12\n  c12[12 ssru] --> c00\n",
    "chapters/00_one/CMakeLists.txt": "add_chapter(00_one)\n",
    "chapters/00_one/linear.hpp":
        "#include <vector>\n"
        "template <class Device, class Dev = Device>\nusing LinearForward = void(Device& dev, Out<Dev, 2> y);\n"
        "template <class Real, class Dev = Reference<Real>>\nLinearForward<Reference<Real>, Dev> linear_forward;\n"
        "template <class Real, class Dev = Cpu<Real>>\nLinearForward<Cpu<Real>, Dev> linear_forward;\n",
    "chapters/00_one/linear_reference.cpp":
        '#include "00_one/linear.hpp"\n#include "gradus/tensor/array.hpp"\nvoid linear_forward(Reference<Real>&) {}\n'
        "template LinearForward<Reference<double>> linear_forward;\n",
    "chapters/00_one/cpu/linear_cpu.cpp":
        '#include "00_one/linear.hpp"\n#include "gradus/random/mask_cpu.hpp"\ntemplate <class Real>\nvoid linear_forward(Cpu<Real>&) {}\n'
        "template LinearForward<Cpu<float>> linear_forward;\n"
        "__global__ void f(int* y) {\n  gpu::wait_for_earlier_work();\n  y[0] = 1;\n}\n",
    "chapters/00_one/piece_reference.hpp": "\n",
    "chapters/00_foundations/tiny.hpp": "Reference<double>& device();\n",
    "chapters/01_two/CMakeLists.txt": "add_chapter(01_two DEPENDS 00_one)\n",
    "chapters/01_two/block.hpp":
        '#include "00_one/linear.hpp"  // a composite; this comment may say Cpu<float> and #if\n'
        "template <class Dev>\nvoid block_forward(Dev& dev) { linear_forward(dev, y); }\n",
    "chapters/01_two/demo.cpp": '#include "01_two/block.hpp"\nReference<double> dev;\n',
    "chapters/08_decoder/CMakeLists.txt": "add_chapter(08_decoder DEPENDS 12_ssru)\n",
    "chapters/08_decoder/layer.hpp": '#include "12_ssru/scan.hpp"\n',
    "chapters/11_translator/demo_text.hpp": "\n",
    "chapters/11_translator/training/run.hpp": "\n",
    "app/report/page.hpp": "\n",
    "app/commands/all.hpp": "\n",
    "chapters/12_ssru/CMakeLists.txt": "add_chapter(12_ssru DEPENDS 00_one)\n",
    "chapters/12_ssru/scan.hpp": "\n",
    "page/live/lesson.hpp": '#include "support/catch.hpp"\n#include "00_foundations/tiny.hpp"\n',
    "tests/rooms/names.txt": "# std <sort> comment\nstd <algorithm> max sort\nstd <cstdint> uint8_t\nstd <cstddef> size_t\nstd <cstdio> size_t\n"
        "std <vector> vector\n<unistd.h> ::close fork\n",
    "tests/rooms/rooms.txt": "# why\nlib/gradus/tensor/xtensor.hpp  two layouts\n",
    "tests/support/catch.hpp": "#include <catch2/catch.hpp>\n",
    "tests/chapters/00_one/CMakeLists.txt": "add_chapter_tests(00_one linear_test.cpp)\n",
    "tests/chapters/00_one/linear_test.cpp": '#include "support/catch.hpp"\n#include "00_one/linear.hpp"\n',
    "tests/chapters/01_two/CMakeLists.txt": "\n",
    "tests/chapters/08_decoder/CMakeLists.txt": "\n",
    "tests/chapters/12_ssru/CMakeLists.txt": "\n",
}
BLOCK, LINEAR, MASK = "chapters/01_two/block.hpp", "chapters/00_one/linear.hpp", "lib/gradus/random/mask_cpu.hpp"

# (file, text put before its own, part of the complaint)
PLANTED = [
    ("tests/measure/bench/warnings.py", "", "hides Python's module warnings"),
    (LINEAR, '#include "01_two/block.hpp"\n', "smaller numbers"),
    ("chapters/12_ssru/scan.hpp", '#include "08_decoder/layer.hpp"\n', "smaller numbers"),
    ("chapters/12_ssru/CMakeLists.txt", "add_chapter(12_ssru DEPENDS 08_decoder)\n", "which comes later"),
    (BLOCK, '#include "00_one/piece_reference.hpp"\n', "a piece of the device"),
    ("chapters/00_one/cpu/linear_cpu.cpp", '#include "00_one/piece_reference.hpp"\n', "a piece of the device"),
    ("chapters/00_one/linear_reference.cpp", '#include "gradus/random/mask_cpu.hpp"\n', "a piece of the device"),
    (BLOCK, '#include "gradus/tensor/array.hpp"\n', "sees xtensor"),
    (LINEAR, '#include "gradus/tensor/array.hpp"\n', "sees xtensor"),
    (BLOCK, '#include "00_foundations/tiny.hpp"\n', "which is for demos"),
    (BLOCK, "#include <cuda_runtime.h>\n", "only lib/gradus/gpu/ and tests/cuda_standin/ may"),
    (BLOCK, "#include <cublas_v2.h>\n", "only lib/gradus/ops/cuda/gemm_cuda.cu and tests/cuda_standin/ may"),
    (BLOCK, "void f(Cpu<float>& dev);\n", "names the device Cpu"),
    (BLOCK, "Real v = x.row(0)[1];\n", "reads device memory"),
    (BLOCK, "#ifdef FAST\n#endif\n", "conditional in a chapter"),
    ("chapters/01_two/demo.cpp", "#if 1\n#endif\n", "conditional in a chapter"),
    ("chapters/00_one/cpu/linear_cpu.cpp", "__global__ void f(int* y) {\n  y[0] = 1;\n  gpu::wait_for_earlier_work();\n}\n", "first statement"),
    ("chapters/00_one/cpu/linear_cpu.cpp", "__global__ void f(int* y) {\n  if (y) {\n    gpu::wait_for_earlier_work();\n  }\n}\n",
     "first statement"),
    ("lib/gradus/tensor/array.hpp", "#if 1\n#endif\n", "tests/rooms/rooms.txt does not list"),
    ("tests/rooms/rooms.txt", "lib/gradus/tensor/array.hpp  some reason\n", "has no conditional any more"),
    ("tests/rooms/rooms.txt", "lib/gradus/gone.hpp  some reason\n", "is no file"),
    ("tests/rooms/rooms.txt", "lib/gradus/tensor/array.hpp\n", "without a reason"),
    ("chapters/00_one/linear_reference.cpp", "#include <xtensor/xmath.hpp>\n", "only lib/gradus/tensor/xtensor.hpp"),
    ("chapters/00_one/linear_reference.cpp", "#include <xtensor-blas/xlinalg.hpp>\n", "gemm_reference.cpp may"),
    ("chapters/00_one/plain.cpp", '#include "00_one/linear.hpp"\n', "a plain program stands alone"),
    ("chapters/00_one/plain.cpp", "#include <nlohmann/json.hpp>\n", "a plain program stands alone"),
    ("chapters/plain/all.cpp", '#include "00_one/linear.hpp"\n', "a plain program stands alone"),
    ("chapters/00_one/cpu/linear_cpu.cpp", "#include <cblas.h>\n", "gemm_cpu.cpp and lib/gradus/ops/plain_blas/ and"),
    ("chapters/00_one/cpu/linear_cpu.cpp", "#include <sentencepiece_processor.h>\n",
     "only lib/gradus/text/subword_training_sentencepiece.cpp and tests/lib/text/pieces/ may"),
    ("lib/gradus/tensor/array.hpp", "#include <zlib.h>\n", "only lib/gradus/text/ and tests/ may"),
    ("chapters/00_one/cpu/linear_cpu.cpp", "#include <utf8proc.h>\n", "lib/gradus/io/ may"),
    ("chapters/00_one/cpu/linear_cpu.cpp", "#include <nettle/sha2.h>\n", "lib/gradus/util/ may"),
    ("lib/gradus/tensor/array.hpp", "#include <curl/curl.h>\n", "only lib/gradus/net/ may"),
    ("lib/gradus/tensor/array.hpp", "#include <mpi.h>\n", "only lib/gradus/ranks/mpi/ may"),
    ("lib/gradus/ranks/array.cu", "#include <nccl.h>\n", "only lib/gradus/ranks/nccl/ and tests/cuda_standin/ may"),
    ("chapters/00_one/demo.cpp", "#include <CLI/CLI.hpp>\n", "only app/ and tests/chapters/11_translator/ may"),
    (LINEAR, "#include <nlohmann/json.hpp>\n", "outside libraries through lib"),
    ("chapters/00_one/demo.cpp", "#include <unistd.h>\n", "outside libraries through lib"),
    ("lib/gradus/tensor/array.hpp", "#include <catch2/catch.hpp>\n", "only tests/ may"),
    ("chapters/00_one/linear_reference.cpp", "auto m = xt::amax(x, {1});\n", "no reducer of xtensor"),
    ("chapters/00_one/linear_reference.cpp", "auto k = keep_dims;\n", "no reducer of xtensor"),
    ("lib/gradus/tensor/array.hpp", '#include "00_one/linear.hpp"\n', "the ground knows no chapter"),
    ("lib/gradus/tensor/array.hpp", '#include "support/catch.hpp"\n', "nothing but tests and the page includes tests"),
    ("lib/gradus/tensor/array.hpp", '#include "gradus/random/mask_cpu.hpp"\n', "stands above it"),
    ("lib/gradus/attic/array.hpp", "\n", "no room whose place is known"),
    ("chapters/11_translator/loose.hpp", "\n", "no room whose place is known"),
    ("chapters/11_translator/data/line.hpp", '#include "11_translator/training/run.hpp"\n', "stands above it"),
    ("chapters/11_translator/data/line.hpp", '#include "app/report/page.hpp"\n', "the book does not know the program"),
    ("app/report/page.hpp", '#include "app/commands/all.hpp"\n', "stands above it"),
    ("app/attic/page.hpp", "\n", "no room whose place is known"),
    ("chapters/11_translator/training/run.hpp", '#include "11_translator/demo_text.hpp"\n', "stands above it"),
    ("chapters/00_one/fast_cuda.hpp", "\n", "stands in no folder cuda/"),
    ("chapters/10_training/loose.hpp", "\n", "no room whose place is known"),
    ("tests/support/catch.hpp", '#include "live/lesson.hpp"\n', "nothing includes the page"),
    ("chapters/01_two/demo.cpp", '#include "support/catch.hpp"\n', "nothing but tests and the page includes tests"),
    ("chapters/01_two/demo.cpp", '#include "00_one/cpu/linear_cpu.cpp"\n', "includes the source file"),
    ("chapters/01_two/demo.cpp", '#include "00_one/gone.hpp"\n', "no file of the project"),
    ("tests/chapters/00_one/linear_test.cpp", '#include "gradus/tensor/array.hpp"\n', "sees xtensor"),
    ("tests/chapters/00_one/linear_test.cpp", "auto m = Catch::Matchers::Approx(a);\n", "another in Catch2 2 and 3"),
    (BLOCK, "// a line\n" * 300, "one idea"),
    ("chapters/plain/all.cpp", "// a line\n" * 801, "in at most 800"),
    (LINEAR, "template <class R>\nvoid extra_forward(Cpu<R>& dev);\n", "but not for Reference"),
    (LINEAR, "template <class R>\nvoid linear_backward(Cpu<R>&);\nvoid linear_backward(Reference<R>&);\n", "not defined"),
    (LINEAR, "void linear_forward(Cpu<Real>& dev, In<Dev, 2> x);\n", "repeats its parameters"),
    ("chapters/00_one/CMakeLists.txt", "add_chapter(00_one DEPENDS 01_two)\n", "comes later"),
    ("chapters/01_two/CMakeLists.txt", "add_chapter(01_two)\n", "does not depend on 00_one"),
    ("chapters/01_two/CMakeLists.txt", "add_chapter(01_two)\n", "the graph shows"),
    ("chapters/02_three/CMakeLists.txt", "add_chapter(02_three)\n", "has no judges"),
    ("tests/chapters/00_one/other_test.cpp", "\n", "names other_test.cpp: it is not compiled"),
    ("chapters/02_three/CMakeLists.txt", "add_library(x)\n", "has no add_chapter"),
]

# (text put before mask_cpu.hpp of the tree, part of the complaint or None)
USES = [
    ("std::uint8_t x;\n", "mask_cpu.hpp:1: std::uint8_t without <cstdint>: another"),
    ("\n\nuint8_t x;\n", "mask_cpu.hpp:3: std::uint8_t without <cstdint>"),
    ("#include <string>\nstd::size_t n;\n", "std::size_t without <cstddef> or <cstdio>"),
    ("int m = ::std::max(1, 2);\n", "std::max without <algorithm>"),
    ("int m = fork();\n", "fork without <unistd.h>"),
    ("int m = ::fork();\n", "fork without <unistd.h>"),
    ("int m = ::close(1);\n", "::close without <unistd.h>"),
    ("std::optional<int> m;\n", "std::optional stands in no line of tests/rooms/names.txt"),
    ("#include <cstdint>\nstd::uint8_t x;\nuint8_t y;\n", None),
    ("#include <cstdio>\nstd::size_t n;\n", None),
    ("std::vector<int> x;\n", None),
    ("#include <unistd.h>\nint m = fork() + ::close(1);\n", None),
    ('// std::sort\n/* std::sort */ auto s = "std::sort";\nauto r = R"(a "std::sort")";\n', None),
    ("int m = close(1) + file.fork() + file->fork() + Pair<int>::close(1) + mine::fork() + max(1, 2);\n", None),
]


def broken(changes):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in {**TREE, **changes}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return rooms.House(root).check()


class RoomCheck(unittest.TestCase):
    def test_a_tree_that_keeps_the_rules_passes(self):
        self.assertEqual(broken({}), [])

    def test_each_planted_violation_is_reported(self):
        for name, planted, complaint in PLANTED:
            with self.subTest(file=name, planted=planted[:60]):
                found = broken({name: planted + TREE.get(name, "")})
                self.assertTrue(any(complaint in line for line in found), found)

    def test_a_name_without_its_header_is_reported(self):
        for planted, complaint in USES:
            with self.subTest(planted=planted):
                found = broken({MASK: planted + TREE[MASK]})
                self.assertEqual(len(found), 0 if complaint is None else 1, found)
                self.assertIn(complaint or "", "".join(found))

    def test_a_header_that_the_own_header_no_longer_brings_is_reported(self):
        uses = {"chapters/00_one/cpu/linear_cpu.cpp": TREE["chapters/00_one/cpu/linear_cpu.cpp"] + "std::vector<int> y;\n",
                MASK: "\n"}
        self.assertEqual(broken(uses), [])
        found = broken({**uses, LINEAR: TREE[LINEAR].replace("#include <vector>\n", "")})
        self.assertEqual(found, ["chapters/00_one/cpu/linear_cpu.cpp:10: std::vector without <vector>: another header happened to bring it"])

    def test_a_leaf_that_lost_its_loop_is_reported(self):
        found = broken({"chapters/00_one/cpu/linear_cpu.cpp": "\n"})
        self.assertTrue(any("linear_forward for Cpu is declared, but not defined" in line for line in found), found)

    def test_a_case_that_is_missing_among_those_of_the_kernels_is_reported(self):
        case = "tests/chapters/00_one/linear_case.hpp"
        kernel = {case: "\n", "chapters/00_one/cuda/linear_cuda.cu": "\n"}
        self.assertEqual(broken({**kernel, "tests/chapters/00_one/kernel_cases.hpp": '#include "chapters/00_one/linear_case.hpp"\n'}), [])
        self.assertEqual(broken(kernel), [f"{case}:1: does not judge chapters/00_one/cuda/linear_cuda.cu: tests/chapters/00_one/kernel_cases.hpp does not include it, and it has no sizes()"])
        self.assertEqual(broken({**kernel, case: kernel[case] + "struct LinearCase { static auto sizes() { return 0; } };\n"}), [])

    def test_tests_that_are_all_taken_need_no_list(self):
        taken = {"tests/chapters/00_one/CMakeLists.txt": "add_chapter_tests(00_one)\n", "tests/chapters/00_one/other_test.cpp": "\n"}
        self.assertEqual(broken(taken), [])

    def test_a_declaration_that_differs_from_the_others_is_reported(self):
        loop, header = TREE["chapters/00_one/cpu/linear_cpu.cpp"], TREE[LINEAR]
        for file, text, complaint in [
                ("chapters/00_one/cpu/linear_cpu.cpp", loop.replace("template LinearForward<Cpu<float>> linear_forward;\n", ""),
                 "linear_forward for Cpu is defined, but chapters/00_one/cpu/linear_cpu.cpp instantiates it for no scalar"),
                (LINEAR, header.replace("LinearForward<Cpu<Real>", "OtherForward<Cpu<Real>"), "takes different arguments on different devices"),
                (LINEAR, header.replace("LinearForward<Cpu<Real>, Dev> linear_forward;", "void linear_forward(Cpu<Real>& dev, Out<Dev, 2> y);"),
                 "linear_forward repeats its parameters for each device"),
                (LINEAR, header.replace("template <class Real, class Dev = Cpu<Real>>\nLinearForward<Cpu<Real>, Dev> linear_forward;\n", ""),
                 "linear_forward is declared for Reference, but not for Cpu")]:
            with self.subTest(complaint=complaint):
                found = broken({file: text})
                self.assertEqual(len(found), 1, found)
                self.assertIn(complaint, found[0])


if __name__ == "__main__":
    unittest.main()
