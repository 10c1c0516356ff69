#!/usr/bin/env python3
"""Mistakes in the files that only nvcc compiles, and what the stand-in for CUDA's libraries says to each: it must be able to fail.

    plants.py write NAME FILE        writes the source of a mistake, a copy with one change
    plants.py check FOLDER           runs FOLDER/standin_step_NAME for each, and the right one; exit 1 if one says something else
"""
import argparse
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GEMM, RUNTIME = "lib/gradus/ops/cuda/gemm_cuda.cu", "lib/gradus/gpu/nvcc/runtime.cu"
# name: file, what stands there once, what stands there instead, what the program says (None: it may say anything but "right")
PLANTS = {
    "illegal_in_capture": (
        GEMM,
        "check(call(dev.products,", "gpu::check(cudaStreamSynchronize(gpu::stream()), \"a product\");\n  check(call(dev.products,",
        r"a product: operation not permitted when stream is capturing \(cudaStreamSynchronize\)"),
    "leading_dimensions": (
        GEMM,
        "static_cast<Real>(scale), b.matrix.data, stride(b.matrix.stride), a.matrix.data,\n             stride(a.matrix.stride),",
        "static_cast<Real>(scale), b.matrix.data, stride(a.matrix.stride), a.matrix.data,\n             stride(b.matrix.stride),",
        r"cuBLAS: CUBLAS_STATUS_INVALID_VALUE \(cublas\w+: [AB], .*: the leading dimension is less than the rows of a column\)"),
    "shared_workspace": (
        GEMM,
        "workspace = gpu::allocate(bytes);", "static std::byte* const common = gpu::allocate(bytes);\n    workspace = common;",
        r"cuBLAS: CUBLAS_STATUS_EXECUTION_FAILED \(.*nothing orders two streams .*: the workspace of cublas\w+, and the workspace of"),
    "handle_in_capture": (
        GEMM,
        "static const Handle first;\n  return first;", "static const Handle* first = nullptr;\n  return *(first = new Handle);",
        r"cuBLAS: CUBLAS_STATUS_EXECUTION_FAILED \(operation not permitted when stream is capturing \(cublasCreate\)\)"),
    "branch_not_joined": (
        RUNTIME,
        "  cudaStreamWaitEvent(first_stream(), second_stream().ended);\n", "",
        r"nothing orders two streams|a recording: capturing stream has unjoined work"),
    "download_does_not_wait": (
        RUNTIME,
        "check(cudaStreamSynchronize(stream()), \"a copy from the GPU\");", "",
        None),  # the copy arrives in memory that serves other things by then: what happens is undefined
}


def written(name):
    """The source with the mistake."""
    source, right, wrong, _ = PLANTS[name]
    text = (ROOT / source).read_text(encoding="utf-8")
    if text.count(right) != 1:
        sys.exit(f"plants.py: {name} changes a line that {source} has {text.count(right)} times: {right!r}")
    return text.replace(right, wrong)


class Plants(unittest.TestCase):
    folder = Path()

    def says(self, program):
        with tempfile.TemporaryDirectory() as elsewhere:
            done = subprocess.run([self.folder / program], capture_output=True, text=True, timeout=300, cwd=elsewhere)
        return done.returncode, done.stdout + done.stderr

    def test_the_right_files_are_right(self):
        self.assertEqual(self.says("standin_step"), (0, "right\n"))

    def test_each_mistake_is_rejected(self):
        for name, (_, _, _, expected) in PLANTS.items():
            with self.subTest(name):
                status, text = self.says(f"standin_step_{name}")
                self.assertNotEqual(status, 0, text)
                self.assertTrue(expected is None or re.search(expected, text), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("action", choices=("write", "check"))
    parser.add_argument("words", nargs="+")
    options = parser.parse_args()
    if options.action == "write":
        name, path = options.words
        Path(path).write_text(written(name), encoding="utf-8")
        return
    Plants.folder = Path(options.words[0]).resolve()
    unittest.main(argv=[sys.argv[0]])


if __name__ == "__main__":
    main()
