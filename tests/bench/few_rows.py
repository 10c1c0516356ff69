#!/usr/bin/env python3
"""Measures products of a few rows with the table of words, by BLAS and by gemm. Prints JSON, for tests/bench/record.py.

    few_rows.py BUILD    BUILD: the build folder (build/release) with bench_ground; needs Google Benchmark

The figures are GFLOP/s of processor time on one thread, the best of five runs.
"""

import json
import pathlib
import re
import subprocess
import sys


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    found = {"threads": 1, "width": 128, "words": 10000}
    said = subprocess.run([build / "tests/lib/bench_ground", "--benchmark_filter=table", "--benchmark_repetitions=5",
                           "--benchmark_format=json"], stdout=subprocess.PIPE, text=True, check=True).stdout
    for run in json.loads(said)["benchmarks"]:
        name = re.fullmatch(r"table_by_(\w+)/(\d+)", run["run_name"])
        if name and run["run_type"] == "iteration":
            key = f"{name[1]}_{name[2]}"
            found[key] = round(max(found.get(key, 0), run["GFLOP/s"]), 1)
    version = subprocess.run([build / "gradus", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found["core"] = re.search(r"BLAS kernels: (\w+)", version).group(1)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
