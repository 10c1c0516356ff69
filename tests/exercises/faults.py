#!/usr/bin/env python3
"""Proves what `make grade` says about code that no judge can judge: it does not compile, does not link, crashes, does not end, takes too
much memory, is half written, or forgets what backward needs.

    tests/exercises/faults.py
"""
import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises"))

import compiled  # noqa: E402
import report  # noqa: E402
from task import BODY, all_tasks  # noqa: E402

LOOP = "out[d] = scale * word[d];"
INSTANCE = "template void lookup_backward(D&, Acc<D, 2>, In<D, 2>, Ints<D, 1>, const LookupOptions&);\n"

def without_body(number):
    """The marked body of this number, as the blank file has it."""
    def cut(text):
        bodies = [match.span(2) for match in BODY.finditer(text)]
        begin, end = bodies[number]
        return text[:begin] + "  // TODO: write it.\n" + text[end:]
    return cut


# For each exercise: what is done to the file, what the report must say, what it must not say.
FAULTS = {"lookup": {
    "a name that does not exist": ([(LOOP, "out[d] = factor * word[d];")], ["'factor' was not declared", "It does not compile"]),
    "a missing semicolon": ([(LOOP, "out[d] = scale * word[d]")], ["lookup_cpu.cpp:", "expected ';'"]),
    "a function that is missing": ([(INSTANCE, "")], ["lookup_backward is missing"]),
    "a write beyond the table": ([(LOOP, "out[d + 4] = scale * word[d];")],
                                 ["It crashed in line", "of lookup_cpu.cpp: it writes beyond the end of a tensor",
                                  "(heap-buffer-overflow)", "| for (std::size_t d = 0; d < D; ++d) out[d + 4] ="]),
    "a shift by too much": ([("const Real scale", "const int bad = 1 << (40 + int(N)); (void)bad; const Real scale")],
                            ["It crashed in line", "of lookup_cpu.cpp: shift exponent"]),
    "a loop without an end": ([("++n) {\n    Real* const out", "n += 0) {\n    Real* const out")], ["It did not end"]),
    "memory without an end": ([(LOOP, LOOP + " for (volatile int i = 0; i < 1;) std::fill_n(new char[1 << 24], 1 << 24, 'x');")],
                              ["It used more than 1.5 GB"]),
    "a shape that is not checked": ([("  check_lookup<Dev>(y, ids, table);\n", "")], ["shapes: "]),
    "output of its own": ([("  const std::size_t N = y.extent[0]", '  std::puts("I am here");\n  const std::size_t N = y.extent[0]'),
                           ("#include <algorithm>", "#include <algorithm>\n#include <cstdio>")],
                          ["Your code printed", "I am here"]),
    "no backward": ([without_body(1)], ["ok values: all elements are right", "Forward is right. Go on at the TODO in line"],
                    ["No known mistake", "judges that", "dtable"]),
    "a wrong row": ([("ids[n] == options.padding) {", "ids[n] == 2) {")], ["; ids[2] is 0)"]),
}, "layer_norm": {
    "no backward": ([without_body(1)], ["ok values: all elements are right", "Forward is right. Go on at the TODO in line"],
                    ["No known mistake", "judges that", "dgamma"]),
    "rstd is not saved": ([("  store<Real>(cache.rstd, rstd);\n", "")],
                          ["ok values: all elements are right", "cache.rstd was never written"],
                          ["still", "No known mistake", "An input was changed", "dgamma"]),
    "a NaN as gradient": ([("store<Real>(dx, rstd", 'store<Real>(dx, std::nan("") * rstd'),
                           ('#include "gradus/tensor', '#include <cmath>\n#include "gradus/tensor')],
                          ["dx is NaN everywhere"], ["An input was changed", "what it held", "not written yet"]),
    "gradients overwritten": ([("add_to<Real>(dp.gamma", "store<Real>(dp.gamma")],
                              ["dgamma is overwritten or set to 0", "An Acc is added to: add_to<Real>(...)."], ["dgamma, dgamma"]),
    "a sum that is missing": ([("add_to<Real>(dp.gamma, sum_rows<Real>(dy * xhat))", "add_to<Real>(dp.gamma, dy * xhat)")],
                              ["add_to: the array has shape (5, 7), the tensor into which it goes (7)"]),
    "types that do not fit": ([("array(x_); ", "std::string(1, 'a'); "),
                               ('#include "gradus/tensor', '#include <string>\n#include "gradus/tensor')],
                              ["It does not compile", "layer_norm_reference.cpp:"]),
}, "layer_norm_kernel": {
    "mean and rstd are not saved": ([("  if (lane == 0) mean[n] = m.mean, rstd[n] = m.rstd;\n", "")],
                                    ["cache.mean and cache.rstd were never written"], ["array(x)", "still", "No known mistake"]),
    "no backward": ([without_body(1)], ["Forward is right. Go on at the TODO in line"], ["array(x)", "No known mistake"]),
    "a lane returns": ([("if (n >= x.extent[0]) return;  // a", "if (n >= x.extent[0] || lane >= D) return;  // a")],
                       ["The kernel of forward stopped (layer_norm, block (0, 0, 0), thread", "A warp function needs all 32 lanes",
                        "This is the mistake lane-returns-early"], ["WRONG="]),
}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    tasks = [task for task in all_tasks() if task.name in FAULTS]
    build = ROOT / "build/release" if given.built else compiled.prepare(tasks)
    failed = 0
    for task in tasks:
        for what, fault in FAULTS[task.name].items():
            if given.only in f"{task.name}: {what}":
                failed += not is_told(task, build, what, *fault, is_shown=bool(given.only))
    return 1 if failed else 0


def is_told(task, build, what, changes, expected, forbidden=(), is_shown=False):
    """Whether the report on the changed file says what it must."""
    text = task.source.read_text(encoding="utf-8")
    for change in changes:
        if callable(change):
            text = change(text)
            continue
        if change[0] not in text:
            sys.exit(f"faults: {what}: the file does not contain {change[0]!r}")
        text = text.replace(*change)
    folder = ROOT / "build/exercises/.faults" / task.name / str(list(FAULTS[task.name]).index(what))
    file = task.lay_out(folder, text)
    told = "\n".join(report.text(task, file, compiled.grade(task, file, build, folder)))
    words = " ".join(told.split())  # the report breaks lines
    missing = [text for text in expected if text not in words]
    surplus = [text for text in forbidden if text in words]
    is_right = not missing and not surplus and max(map(len, told.split("\n"))) <= 80
    fault = f"the report lacks {missing}, and has {surplus}\n{told}"
    print(f"{task.name}: {what}: {'as it should be' if is_right else fault}", flush=True)
    if is_shown:
        print(told)
    return is_right


if __name__ == "__main__":
    sys.exit(main())
