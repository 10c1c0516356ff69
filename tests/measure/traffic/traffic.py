#!/usr/bin/env python3
"""The launches and the memory traffic of one training step at 4,096 tokens, counted on the host layer, against bounds.

    tests/measure/traffic/traffic.py build/release/tests/measure/traffic/step_traffic [FILE]

runs the program, prints a row for each kernel, and exits 1 if a sum is on the wrong side of its bound. With FILE, reads what an earlier run wrote.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_LAUNCHES, MOST_MEGABYTES, LEAST_WANTED, LEAST_EARLY = 262, 3155, 0.86, 86
SECTOR_BYTES = 32


def counted(program):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "traffic.json"
        subprocess.run([program, file], check=True)
        return json.loads(file.read_text(encoding="utf-8"))


def names(program, rows):
    """The name of each row: of a kernel its file, its function and its template arguments."""
    kernels = [row for row in rows if not row["what"]]
    said = subprocess.run(["addr2line", "-f", "-C", "-e", program, *(hex(row["at"]) for row in kernels)], capture_output=True,
                          text=True, check=True).stdout.splitlines()
    found = {row["at"]: name(function, place) for row, function, place in zip(kernels, said[::2], said[1::2])}
    return [row["what"] or found[row["at"]] for row in rows]


def name(function, place):
    file = Path(re.sub(r":\d+.*", "", place)).name
    short = re.sub(r"\(anonymous namespace\)::|gradus::|void |\(.*", "", function.replace("(anonymous namespace)::", ""))
    return f"{file} {short}"


def cells_of(name, row):
    """What the launches moved, and of a request the sectors and the part of them that a lane wanted."""
    requests = row["requests"]
    per_request = [f"{row['sectors'] / requests:.1f}", f"{row['wanted'] / row['sectors'] / SECTOR_BYTES:.0%}"] if requests else ["", ""]
    return [name[:60], str(row["launches"]), f"{row['read'] / 1e6:.1f}", f"{row['written'] / 1e6:.1f}", *per_request]


def print_table(program, rows):
    cells = [["", "launches", "read, MB", "written, MB", "sectors/request", "wanted"]]
    for called, row in sorted(zip(names(program, rows), rows), key=lambda pair: -pair[1]["read"] - pair[1]["written"]):
        cells.append(cells_of(called, row))
    cells.append(cells_of("together", {key: sum(row[key] for row in rows) for key in rows[0] if key not in ("at", "what")}))
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    for line in cells:
        print("  ".join(text.rjust(width) if column else text.ljust(width) for column, (text, width) in enumerate(zip(line, widths))))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = sys.argv[1]
    rows = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")) if len(sys.argv) == 3 else counted(program)
    print_table(program, rows)
    launches = sum(row["launches"] for row in rows)
    megabytes = sum(row["read"] + row["written"] for row in rows) / 1e6
    wanted = sum(row["wanted"] for row in rows) / sum(row["sectors"] for row in rows) / SECTOR_BYTES
    early = sum(row["early"] for row in rows)
    print(f"\na training step of 4,096 tokens: {launches} launches (at most {MOST_LAUNCHES}), of which {early} may start early "
          f"(at least {LEAST_EARLY}), "
          f"{megabytes:.0f} MB read and written (at most {MOST_MEGABYTES}); "
          f"of the bytes in the sectors of a request a lane wanted {wanted:.0%} (at least {LEAST_WANTED:.0%})")
    return 0 if launches <= MOST_LAUNCHES and megabytes <= MOST_MEGABYTES and wanted >= LEAST_WANTED and early >= LEAST_EARLY else 1


if __name__ == "__main__":
    sys.exit(main())
