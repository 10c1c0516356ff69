#!/usr/bin/env python3
"""Does the beam of the bundled model matter? Computes the paired bootstrap of the lesson on BLEU. Prints JSON, for tests/measure/bench/record.py.

    comparison.py PROGRAM DATA     DATA: folder with Multi30k's raw files

Translates test_2016_flickr with beams of 5 (the baseline), 4 and 1, and lets `score --baseline` compare them, cased.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

BEAMS = (5, 4, 1)
ROW = re.compile(r"^  (?:baseline )?\S*beam(\d) +([\d.]+) +([\d.]+) ± +([\d.]+)(?:  (no difference|[\d.]+))?", re.M)


def figures_of(table):
    """{"beam_4_p": 0.0123, ...} of one metric."""
    figures = {}
    for beam, score, mean, half_width, p in ROW.findall(table):
        figures.update({f"beam_{beam}": float(score), f"beam_{beam}_mean": float(mean), f"beam_{beam}_half_width": float(half_width)})
        if p:
            figures[f"beam_{beam}_p"] = p if p == "no difference" else float(p)
    return figures


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        files = {beam: pathlib.Path(folder, f"beam{beam}") for beam in BEAMS}
        for beam, file in files.items():
            subprocess.run([program, "translate", "--beam-size", str(beam), "--input", data / "test_2016_flickr.en.gz", "--output", file],
                           check=True, stderr=subprocess.DEVNULL)
        said = subprocess.run([program, "score", "--baseline", files[5], "--hypotheses", files[4], files[1],
                               "--references", data / "test_2016_flickr.de.gz"], stdout=subprocess.PIPE, text=True, check=True).stdout
    tables = re.split(r"\n(BLEU|chrF2|chrF2\+\+)\|", said)[1:]
    figures = {name: figures_of(table) for name, table in zip(tables[::2], tables[1::2])}
    signature = re.search(r"^BLEU\|\S+", said, re.M)[0]
    print(json.dumps({"bleu": figures["BLEU"], "chrf2": figures["chrF2"], "chrf2_words": figures["chrF2++"], "signature": signature,
                      "model": "bundled, en-de", "test": "test_2016_flickr"}))


if __name__ == "__main__":
    main()
