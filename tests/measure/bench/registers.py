#!/usr/bin/env python3
"""The registers of attention's kernels, as nvcc reports them. Needs nvcc and no GPU. Prints JSON, for tests/measure/bench/record.py.

    registers.py [NVCC]     NVCC: nvcc

The kernels are those for float and heads of 32 columns on an H100 (sm_90), without a workspace: `blocks` computes all sentences by
blocks, `warps` the short ones by warps.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
REGISTERS, THREADS, STEP = 65536, 256, 8  # of a multiprocessor; of a block; a thread gets a multiple of this
KERNEL = re.compile(r"(forward|backward)_kernel<(0|32)u, false, float>.*?Used (\d+) registers", re.DOTALL)


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    nvcc = sys.argv[1] if len(sys.argv) == 2 else "nvcc"
    said = subprocess.run([nvcc, "-std=c++17", "-O3", "-arch=sm_90", "--expt-relaxed-constexpr", "-Ilib", "-Ichapters", "-cubin",
                           "-Xptxas", "-v", "-o", "/dev/null", "chapters/03_attention/cuda/attention_cuda.cu"],
                          cwd=ROOT, stderr=subprocess.PIPE, text=True, check=True).stderr
    names = subprocess.run(["c++filt"], input=said, stdout=subprocess.PIPE, text=True, check=True).stdout
    version = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    figures = {"nvcc": re.search(r"release ([\d.]+)", version)[1]}
    for direction, width, registers in KERNEL.findall(names):
        name = f"{direction}_{'blocks' if width == '0' else 'warps'}"
        figures[name] = int(registers)
        figures[f"{name}_side_by_side"] = REGISTERS // (THREADS * -(-int(registers) // STEP * STEP))
    if len(figures) != 9:
        sys.exit(f"registers: nvcc named {(len(figures) - 1) // 2} of the 4 kernels")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
