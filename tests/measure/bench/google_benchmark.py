"""Runs a program of Google Benchmark and reads its figures, for the scripts that print JSON for record.py."""

import json
import re
import subprocess


def best_rates(program, repetitions, *options):
    """The best rate of each measurement, by its name: GFLOP/s, or thousands of items a second."""
    said = subprocess.run([program, f"--benchmark_repetitions={repetitions}", "--benchmark_format=json", *options],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    best = {}
    for run in json.loads(said)["benchmarks"]:
        if run["run_type"] != "iteration":
            continue  # a mean or a median of the repetitions
        rate = run["GFLOP/s"] if "GFLOP/s" in run else run["items_per_second"] / 1000
        name = run["run_name"].replace("/", "_")
        best[name] = round(max(best.get(name, 0), rate), 1)
    return best


def core(build):
    """The processor for which OpenBLAS has chosen its kernels."""
    version = subprocess.run([build / "gradus", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r"BLAS kernels: (\w+)", version).group(1)
