#!/usr/bin/env python3
"""Compiles every file of kernels with nvcc, for each kind of NVIDIA GPU; it needs no GPU, and links nothing.

    tests/scripts/cuda.py [--jobs N] [--root FOLDER] [WORD]

Compiles the files whose path contains WORD; without one, all of them. The last line is the result. A warning is an error, and so is a
kernel that spills registers into memory; each is named with its file, kernel and architecture. A file that passed is left alone until it,
a header that it includes, the compiler or this script changes: build/check-cuda remembers that. Without nvcc one line says that the check
was left out. NVCC names another nvcc than the one in PATH, and the words after it are options for it.
"""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ARCHITECTURES = (75, 80, 86, 87, 89, 90, 100, 120)
ROOMS = ("lib", "chapters", "tests/measure/gpu_check")
INCLUDED = re.compile(r'^#include "(.+)"', re.M)
OPTIONS = ["-std=c++17", "-O3", "-Ilib", "-Ichapters", "-Itests", "--expt-relaxed-constexpr", "-Xcompiler=-Wall,-Wextra", "-Xptxas=-v"]
ENTRY = re.compile(r"Compiling entry function '(\w+)' for 'sm_(\d+)'")
FUNCTION = re.compile(r"Function properties for (\w+)")
SPILL = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")


def closure(root, source):
    """The file and all headers of the project that it includes, directly or not."""
    found, left = {}, [source]
    while left:
        path = left.pop()
        if path in found or not path.exists():
            continue
        found[path] = path.read_bytes()
        left += [root / room / name for name in INCLUDED.findall(found[path].decode()) for room in ("lib", "chapters", "tests")]
    return found


def plain(symbol):
    """gradus::forward_kernel<0u, true, float>, of a mangled name."""
    name = subprocess.run(["c++filt", symbol], capture_output=True, text=True).stdout.strip() or symbol
    return re.sub(r"\(anonymous namespace\)::|^void ", "", name).split("(")[0]


def findings(said):
    """One line for each thing that nvcc complained about."""
    found, kernel, architecture = [], "", ""
    for line in said.splitlines():
        if entry := ENTRY.search(line):
            kernel, architecture = entry.groups()
        elif function := FUNCTION.search(line):
            kernel = function[1]
        elif (spill := SPILL.search(line)) and spill.groups() != ("0", "0"):
            found.append(f"{plain(kernel)} spills registers for {architecture}: it stores {spill[1]} bytes and loads {spill[2]}")
        elif re.search(r"\b(warning|error|fatal)\b", line, re.I):
            found.append(line.strip())
    return list(dict.fromkeys(found))  # nvcc repeats what is not about an architecture


class Compiler:
    def __init__(self, nvcc, root):
        said = lambda word: subprocess.run([*nvcc, word], capture_output=True, text=True, check=True).stdout
        known = re.findall(r"compute_(\d+)\b", said("--list-gpu-arch"))
        self.version = re.search(r"release ([\d.]+)", said("--version"))[1]
        self.architectures = [a for a in ARCHITECTURES if str(a) in known]
        self.command = [*nvcc, *OPTIONS, *(f"-gencode=arch=compute_{a},code=sm_{a}" for a in self.architectures)]
        self.root, self.done = root, root / "build" / "check-cuda"
        self.done.mkdir(parents=True, exist_ok=True)

    def key(self, source):
        text = hashlib.sha256(repr((self.version, self.command, Path(__file__).read_bytes())).encode())
        for path, content in sorted(closure(self.root, source).items()):
            text.update(f"{path.relative_to(self.root)} {len(content)} ".encode() + content)
        return text.hexdigest()

    def compile(self, source):
        """What is wrong with the file: lines, none if it passes; None if it was left out."""
        name, key = source.relative_to(self.root).as_posix(), self.key(source)
        stamp = self.done / name.replace("/", "-")
        if stamp.exists() and stamp.read_text() == key:
            return []
        made = subprocess.run([*self.command, "-c", source, "-o", os.devnull], cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
        if "fatal error: nccl.h:" in made.stdout:
            print(f"cuda: left out {name}, because there is no nccl.h", flush=True)
            return None
        found = findings(made.stdout)
        if made.returncode != 0 and not found:
            found = [f"nvcc ended with status {made.returncode}: " + " ".join(made.stdout.split())[-300:]]
        if not found:
            stamp.write_text(key)
        return [f"{name}: {line}" for line in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("word", nargs="?", default="")
    given = parser.parse_args()
    places = f"{os.environ['PATH']}:{os.environ.get('CUDA_HOME', '/usr/local/cuda')}/bin"
    nvcc = os.environ.get("NVCC", "").split() or [shutil.which("nvcc", path=places)]
    if nvcc == [None]:
        print("cuda: left out, because there is no nvcc")
        return 0
    compiler = Compiler(nvcc, given.root)
    # The largest first: it takes longest.
    sources = sorted((path for room in ROOMS for path in (given.root / room).rglob("*.cu") if given.word in path.as_posix()),
                     key=lambda path: -path.stat().st_size)
    wrong = left_out = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for lines in pool.map(compiler.compile, sources):
            wrong += bool(lines)
            left_out += lines is None
            for line in lines or []:
                print(line, file=sys.stderr, flush=True)
    missing = [str(a) for a in ARCHITECTURES if a not in compiler.architectures]
    print(f"cuda: {len(sources) - wrong - left_out} of {len(sources) - left_out} files compile with CUDA {compiler.version} for "
          f"{', '.join(map(str, compiler.architectures))}, without a warning or a spilled register"
          + (f"; this CUDA has no {', '.join(missing)}" if missing else ""))
    return 1 if wrong or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
