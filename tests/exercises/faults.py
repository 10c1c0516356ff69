#!/usr/bin/env python3
"""Proves what `make grade` says about code that does not compile, does not link, crashes, does not end, or takes too much memory.

    tests/exercises/faults.py
"""
import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises"))

import compiled  # noqa: E402
import report  # noqa: E402
from task import tasks_of  # noqa: E402

LOOP = "out[d] = scale * word[d];"
INSTANCE = "template void lookup_backward(D&, Acc<D, 2>, In<D, 2>, Ints<D, 1>, const LookupOptions&);\n"
# What is done to the file, and what the report must say.
FAULTS = {
    "a name that does not exist": ([(LOOP, "out[d] = factor * word[d];")], ["'factor' was not declared", "It does not compile"]),
    "a missing semicolon": ([(LOOP, "out[d] = scale * word[d]")], ["lookup_cpu.cpp:", "expected ';'"]),
    "a function that is missing": ([(INSTANCE, "")], ["lookup_backward is missing"]),
    "a write beyond the table": ([(LOOP, "out[d + 4] = scale * word[d];")], ["It crashed: heap-buffer-overflow, in line", "of lookup_cpu.cpp"]),
    "a shift by too much": ([("const Real scale", "const int bad = 1 << (40 + int(N)); (void)bad; const Real scale")],
                            ["It crashed: shift exponent", "of lookup_cpu.cpp"]),
    "a loop without an end": ([("++n) {\n    Real* const out", "n += 0) {\n    Real* const out")], ["It did not end"]),
    "memory without an end": ([(LOOP, LOOP + " for (volatile int i = 0; i < 1;) std::fill_n(new char[1 << 24], 1 << 24, 'x');")],
                              ["It used more than 1.5 GB"]),
    "a shape that is not checked": ([("  check_lookup<Dev>(y, ids, table);\n", "")], ["shapes: "]),
    "output of its own": ([("  const std::size_t N = y.extent[0]", '  std::puts("I am here");\n  const std::size_t N = y.extent[0]'),
                           ("#include <algorithm>", "#include <algorithm>\n#include <cstdio>")], ["Your code printed:", "I am here"]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    task = tasks_of("01", "lookup")[0]
    build = ROOT / "build/release" if given.built else compiled.prepare([task])
    failed = 0
    for what, (changes, expected) in FAULTS.items():
        if given.only not in what:
            continue
        text = task.source.read_text(encoding="utf-8")
        for old, new in changes:
            if old not in text:
                sys.exit(f"faults: {what}: the file does not contain {old!r}")
            text = text.replace(old, new)
        folder = ROOT / "build/exercises/.faults" / what.replace(" ", "-")
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / task.source.name
        file.write_text(text, encoding="utf-8")
        told = "\n".join(report.text(task, file, compiled.grade(task, file, build, folder)))
        words = " ".join(told.split())  # the report breaks lines
        missing = [text for text in expected if text not in words]
        failed += bool(missing)
        print(f"{what}: " + (f"the report lacks {missing}\n{told}" if missing else "as it should be"), flush=True)
        if given.only:
            print(told)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
