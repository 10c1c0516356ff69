#!/usr/bin/env python3
"""Tests that gpu_check needs no other code of the project: its sources define all functions that they call, except the GPU's runtime.

    tests/measure/gpu_check/alone.py build/release      exit 1 if a function is missing, with the source that calls it

Reads the objects of a build on the host layer, because many machines have no nvcc. tests/measure/gpu_check/build lists the sources.
"""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Their counterparts are in the host layer; `build` writes the hashes of the kernels itself.
OF_NVCC = {"lib/gradus/gpu/nvcc/runtime.cu", "lib/gradus/ops/cuda/gemm_cuda.cu"}
WRITTEN_BY_BUILD = "gradus::test::kernel_sources"


def objects(build):
    """The object of each source, by its path in the tree."""
    found = {}
    for path in sorted(build.rglob("*.o")):
        target, is_of_target, inside = path.relative_to(build).as_posix().partition(".dir/")
        if not is_of_target or target.startswith("tests/cuda_standin/"):
            continue  # of a question that CMake asked, or with another runtime
        folder = target.split("CMakeFiles")[0]
        if not target.endswith(("_thread", "_address")):
            found.setdefault(os.path.normpath(folder + inside.replace("__", "..")[:-2]), path)
    return found


def symbols(path):
    """(defined, called) names of an object."""
    lines = subprocess.run(["nm", "-C", path], capture_output=True, text=True, check=True).stdout.splitlines()
    pairs = [line[17:].split(" ", 1) for line in lines]
    return {name for kind, name in pairs if kind != "U"}, {name for kind, name in pairs if kind == "U"}


def main():
    built = objects(Path(sys.argv[1]).resolve())
    sources = subprocess.run([ROOT / "tests/measure/gpu_check/build", "--list"], capture_output=True, text=True, check=True).stdout.split()
    defined, called = {WRITTEN_BY_BUILD}, {}
    for source in set(sources) - OF_NVCC:
        own, others = symbols(built[source])
        defined |= own
        called.update({name: source for name in others if "gradus::" in name})
    for source, path in built.items():
        if source.startswith("lib/gradus/gpu/host/") or source == "lib/gradus/ops/cuda/gemm_host.cpp":
            defined |= symbols(path)[0]
    missing = {name: source for name, source in called.items() if name not in defined}
    for name, source in sorted(missing.items()):
        print(f"{source}: {name} is defined by no source that tests/measure/gpu_check/build lists", file=sys.stderr)
    return 1 if missing or not called else 0


if __name__ == "__main__":
    sys.exit(main())
