#!/usr/bin/env python3
"""Measures the leaves of a search beside what they replace. Prints JSON, for tests/bench/record.py.

    decoding.py BUILD    BUILD: the build folder (build/release) with bench_decoding; needs Google Benchmark

The figures are GFLOP/s of processor time on one thread, and thousands of queries a second for attention; the best of seven runs.
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
    said = subprocess.run([build / "tests/chapters/09_transformer/bench_decoding", "--benchmark_repetitions=7", "--benchmark_min_time=0.05",
                           "--benchmark_format=json"], stdout=subprocess.PIPE, text=True, check=True).stdout
    for run in json.loads(said)["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        key = run["run_name"].replace("/", "_")
        rate = run["GFLOP/s"] if "GFLOP/s" in run else run["items_per_second"] / 1000
        found[key] = round(max(found.get(key, 0), rate), 1)
    version = subprocess.run([build / "gradus", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found["core"] = re.search(r"BLAS kernels: (\w+)", version).group(1)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
