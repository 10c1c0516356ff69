#!/usr/bin/env python3
"""Two ranks with one thread each, against one rank with two threads, in alternation. Prints JSON for record.py.

    tests/measure/bench/record.py ranks tests/measure/bench/ranks.py build/release/bench_ranks
"""
import json
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "chapters" / "11_translator"))
import mpi  # noqa: E402

ROUNDS, SECONDS = 9, 4


def measured(ranks, threads, bench):
    words = [bench, threads, SECONDS]
    if ranks == 1:
        return json.loads(subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout)
    status, output = mpi.run(ranks, words)
    if status:
        sys.exit(output)
    return json.loads(output)


def main():
    bench = Path(sys.argv[1]).resolve()
    pairs = [(measured(2, 1, bench), measured(1, 2, bench)) for _ in range(ROUNDS)]
    two, one = ([run["tokens_per_second"] for run in side] for side in zip(*pairs))
    first = pairs[0][0]
    print(json.dumps({"rounds": ROUNDS, "parameters": first["parameters"],
                      "two_ranks": round(statistics.median(two)), "two_threads": round(statistics.median(one)),
                      "ratio": round(statistics.median(a / b for a, b in zip(two, one)), 3),
                      "least": round(min(a / b for a, b in zip(two, one)), 3), "most": round(max(a / b for a, b in zip(two, one)), 3),
                      "sent_bytes": first["bytes_sent"], "formula_bytes": round(first["bytes_by_formula"])}))


if __name__ == "__main__":
    main()
