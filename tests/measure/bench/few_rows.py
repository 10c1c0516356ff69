#!/usr/bin/env python3
"""Measures products by BLAS and by gemm: of a few rows with the table of words, and the three of a linear map in a training.
Prints JSON, for tests/measure/bench/record.py.

    few_rows.py BUILD    BUILD: the build folder (build/release) with bench_ground; needs Google Benchmark

The figures are GFLOP/s of processor time on one thread, the best of five runs.
"""

import json
import pathlib
import sys

import google_benchmark


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    rates = google_benchmark.best_rates(build / "tests/lib/bench_ground", 5, "--benchmark_filter=_by_(blas|gemm)")
    rates = {name.removeprefix("table_by_"): rate for name, rate in rates.items()}
    print(json.dumps({"threads": 1, "width": 128, "words": 10000, **rates, "core": google_benchmark.core(build)}))


if __name__ == "__main__":
    main()
