#!/usr/bin/env python3
"""Measures the speed of translation. Prints JSON, for tests/measure/bench/record.py.

    search.py BUILD    BUILD: the build folder (build/release) with bench_search

The figures are sentences a second of processor time on one thread, the best of three runs.
"""

import json
import pathlib
import re
import subprocess
import sys


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]) / "tests/chapters/11_translator/bench_search"
    said = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {"threads": 1}
    for text, beam, batch, tokens, rate in re.findall(r"(\w+), beam (\d+), batches of +(\d+), +(\d+) tokens: +([\d.]+) sentences/s", said):
        name = f"beam_{beam}_batch_{batch}" if text == "short" else f"long_beam_{beam}_tokens_{tokens}"
        found[name] = float(rate)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
