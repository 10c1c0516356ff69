#!/usr/bin/env python3
"""Kernels of float compute nothing in double: on most GPUs an operation in double takes as long as 32 or 64 in float.

    tests/measure/gpu_check/float_kernels.py [WORD]     compiles the .cu files whose path contains WORD to PTX, and reads their instructions

Prints each kernel of float with an instruction of double that ALLOWED does not explain; exit 1 if there is one, 77 without nvcc.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# The kernels of float that compute in double, and why.
ALLOWED = {
    "set_kernel": "copies the step state, whose rates are double",
    "squares_kernel": "a sum of millions of squares: in float it would stop growing",
    "add_blocks_kernel": "the same sum",
    "add_losses_kernel": "a sum over all rows",
    "adam_kernel": "powers of beta and the norm, by one thread of a block",
    "sgd_kernel": "the norm, by one thread of a block",
    "row_kernel": "reads 1 / tokens from the step state: one conversion, no arithmetic",
    "naive_kernel": "the same",
    "sinusoids_kernel": "the table of positions is computed once, in double",
}
KERNEL = re.compile(r"\.entry (\w+)\((.*?)\n\}\n", re.S)


def ptx(source, folder, nvcc):
    out = Path(folder) / (source.name + ".ptx")
    command = [nvcc, "-std=c++17", "-O3", "-arch=compute_90", "--expt-relaxed-constexpr", "-Ilib", "-Ichapters", "-ptx", source, "-o", out]
    subprocess.run(command, check=True, cwd=ROOT)
    return out.read_text(encoding="utf-8")


def doubles(text):
    """(name, number of instructions of double) of each kernel in PTX that is no kernel of double."""
    found = [(match[1], len(re.findall(r"\.f64\b", match[2].split("{", 1)[1]))) for match in KERNEL.finditer(text)]
    names = subprocess.run(["c++filt"], input="\n".join(name for name, _ in found), capture_output=True, text=True, check=True)
    for name, (_, count) in zip(names.stdout.splitlines(), found):
        function = re.sub(r"\(anonymous namespace\)::|gradus::|gpu::|^void ", "", name).split("(")[0]
        if "double" not in function:
            yield function, count


def main():
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if nvcc is None:
        print("there is no nvcc")
        return 77
    sources = [path for room in ("lib", "chapters") for path in sorted((ROOT / room).rglob("*.cu"))
               if word in path.as_posix() and path.parent.name != "nccl"]  # no kernel, and needs a library
    kernels, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, text in zip(sources, pool.map(lambda source: ptx(source, folder, nvcc), sources)):
            for function, count in doubles(text):
                kernels += 1
                if count and re.sub("<.*", "", function) not in ALLOWED:
                    wrong.append(f"{source.relative_to(ROOT)}: {function} has {count} instructions of double")
    print("\n".join([*wrong, f"{kernels} kernels without a number of double in their types; {len(wrong)} compute in double all the same"]))
    return 1 if wrong or (not word and kernels < 20) else 0


if __name__ == "__main__":
    sys.exit(main())
