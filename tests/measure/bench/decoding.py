#!/usr/bin/env python3
"""Measures the leaves of a search beside what they replace. Prints JSON, for tests/measure/bench/record.py.

    decoding.py BUILD    BUILD: the build folder (build/release) with bench_decoding; needs Google Benchmark

The figures are GFLOP/s of processor time on one thread, and thousands of queries a second for attention; the best of seven runs.
"""

import json
import pathlib
import sys

import google_benchmark


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    program = build / "tests/chapters/09_transformer/bench_decoding"
    rates = google_benchmark.best_rates(program, 7, "--benchmark_min_time=0.05")
    print(json.dumps({"threads": 1, "width": 128, "words": 10000, **rates, "core": google_benchmark.core(build)}))


if __name__ == "__main__":
    main()
