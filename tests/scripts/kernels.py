#!/usr/bin/env python3
"""Runs the given test binaries of kernels and prints the largest error of each kernel for each judge.

    tests/scripts/kernels.py build/kernels.json build/release/tests/chapters/*/test_kernels_*

The first argument is the file for the rows: kernel, judge, error, passed. If several binaries judge one kernel, the
larger error counts. Exit 1 if a judge rejected a kernel, or a binary failed.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

DEVICES = ("", ", float")
JUDGES = ("parity", "contract", "thread orders", "wide grids", "dual numbers", "finite differences")


def parts(binary):
    """(binary, names of tests) for as many processes as there are processors: one binary takes longer than all others."""
    names = subprocess.run([binary, "~[.]", "--list-test-names-only"], capture_output=True, text=True).stdout.splitlines()
    count = min(os.cpu_count(), max(len(names), 1))
    return [(binary, names[first::count]) for first in range(count)]


def judge(part):
    """(rows, passed) of these tests of a binary."""
    binary, names = part
    with tempfile.TemporaryDirectory() as folder:
        report, tests = Path(folder) / "rows.json", Path(folder) / "tests.txt"
        tests.write_text("".join(name.replace(",", "\\,") + "\n" for name in names), encoding="utf-8")
        # One thread for products: the race detector does not see how OpenBLAS's threads wait for each other.
        settings = {**os.environ, "GRADUS_KERNELS": str(report), "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run([binary, "--input-file", tests], env=settings, capture_output=True, text=True)
        rows = json.loads(report.read_text(encoding="utf-8")) if report.exists() else []
    ran = re.search(r"assertions? in (\d+) test case", done.stdout)
    # Catch2 passes over a name that it does not know, so the tests that ran are counted.
    passed = done.returncode == 0 and ran is not None and int(ran[1]) == len(names)
    if not passed:
        print(f"{binary} failed:\n{done.stdout}{done.stderr}", file=sys.stderr)
    return rows, passed


def joined(rows):
    """One row for each kernel and judge, in the order of the kernels' first rows."""
    found = {}
    for row in rows:
        before = found.setdefault((row["kernel"], row["judge"]), {**row, "error": 0.0})
        before["error"] = larger(before["error"], row["error"])
        before["passed"] = before["passed"] and row["passed"]
    return list(found.values())


def larger(a, b):
    """The larger of two errors; null, JSON's form of NaN, is the largest."""
    return None if a is None or b is None else max(a, b)


def figure(row):
    if row is None:
        return "-"
    if row["error"] is None or math.isnan(row["error"]):
        return "NaN!"
    return ("0" if row["error"] == 0 else f"{row['error']:.1e}") + ("" if row["passed"] else "!")


def judges_of(rows):
    """The columns of the table: the known judges first, then all others."""
    there = list(dict.fromkeys(row["judge"] for row in rows))
    known = [judge + device for judge in JUDGES for device in DEVICES]
    return [name for name in known if name in there] + [name for name in there if name not in known]


def print_table(rows):
    judges = judges_of(rows)
    at = {(row["kernel"], row["judge"]): row for row in rows}
    cells = [["kernel", *judges]]
    for kernel in dict.fromkeys(row["kernel"] for row in rows):
        cells.append([kernel, *(figure(at.get((kernel, name))) for name in judges)])
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    for line in cells:
        print("  ".join(text.rjust(width) if column else text.ljust(width)
                        for column, (text, width) in enumerate(zip(line, widths))))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows, passed = [], True
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        work = [part for binary in sys.argv[2:] for part in parts(binary)]
        heard = list(pool.map(judge, reversed(work)))  # the last chapters take longest, so they start first
    for found, fine in reversed(heard):
        rows, passed = rows + found, passed and fine
    rows = joined(rows)
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")

    if rows:
        print_table(rows)
    rejected = [row for row in rows if not row["passed"]]
    kernels = len({row["kernel"] for row in rows})
    print(f"\n{kernels} kernels; {len(rejected)} rejected by a judge (marked !). Written to {file}.")
    return 0 if passed and rows and not rejected else 1


if __name__ == "__main__":
    sys.exit(main())
