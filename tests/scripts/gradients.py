#!/usr/bin/env python3
"""Runs the gradient judges of the given test binaries and prints their table.

    tests/scripts/gradients.py build/release/tests/chapters/*/test_*

Test binaries of kernels (test_kernels_*) add rows for Cuda<double>, on the host layer, with the largest error over all sizes.
Writes build/gradients.json (one row for each component, tensor and device) and build/zero-gradients.json (gradients that are
zero by theorem: they have no relative error, only a largest element).
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HEADER = ("component", "tensor", "device", "finite difference", "bound", "h", "dual number", "bound")


def judge(binary):
    """(rows, rows that are zero by theorem, passed) of one test binary."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "rows.json"
        done = subprocess.run([binary, "[gradients]"], env={**os.environ, "GRADUS_GRADIENTS": str(report)},
                              capture_output=True, text=True)
        rows = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {"gradients": [], "zero": []}
    passed = done.returncode == 0 or "No test" in done.stdout + done.stderr  # Catch2 3 fails if no test is selected
    if not passed:
        print(f"{binary} failed:\n{done.stdout}{done.stderr}", file=sys.stderr)
    return rows["gradients"], rows["zero"], passed


def figure(value):
    return "-" if value is None else f"{value:.1e}"


def print_table(rows):
    numbers = ("finite_difference", "finite_difference_bound", "h", "dual", "dual_bound")
    cells = [HEADER] + [(row["component"], row["tensor"], row["device"], *(figure(row[name]) for name in numbers))
                        for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADER))]
    for line in cells:
        print("  ".join(text.ljust(width) if column < 3 else text.rjust(width)
                        for column, (text, width) in enumerate(zip(line, widths))).rstrip())


def largest(rows, key):
    return figure(max((row[key] for row in rows if row[key] is not None), default=None))


def main():
    rows, zero, passed = [], [], True
    for binary in sys.argv[1:]:
        found, found_zero, fine = judge(binary)
        rows, zero, passed = rows + found, zero + found_zero, passed and fine
    folder = Path("build")
    folder.mkdir(exist_ok=True)
    for name, content in (("gradients.json", rows), ("zero-gradients.json", zero)):
        (folder / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

    print_table(rows)
    if zero:
        print("\nzero by theorem, largest element found:")
        for row in zero:
            print(f"  {row['component']} {row['tensor']} on {row['device']}: {figure(row['largest'])}, "
                  f"bound {figure(row['bound'])}")
    print(f"\n{len(rows)} gradients; largest error {largest(rows, 'finite_difference')} by finite differences, "
          f"{largest(rows, 'dual')} by dual numbers. Written to build/gradients.json.")
    return 0 if passed and rows else 1


if __name__ == "__main__":
    sys.exit(main())
