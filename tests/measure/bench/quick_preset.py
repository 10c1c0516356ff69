#!/usr/bin/env python3
"""Measures the scores and the duration of `gradus train --preset quick`. Prints JSON, for tests/measure/bench/record.py.

    quick_preset.py PROGRAM DATA        DATA: folder with Multi30k's raw train, val, test_2016_flickr (.en.gz, .de.gz)
"""

import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        began = time.time()
        subprocess.run([program, "train", "--preset", "quick", "--output", folder,
                        "--train-source", data / "train.en.gz", "--train-target", data / "train.de.gz",
                        "--valid-source", data / "val.en.gz", "--valid-target", data / "val.de.gz"], check=True)
        minutes = (time.time() - began) / 60
        hypotheses, references = pathlib.Path(folder, "hypotheses"), pathlib.Path(folder, "references")
        subprocess.run([program, "translate", "--model", folder, "--input", data / "test_2016_flickr.en.gz",
                        "--output", hypotheses], check=True)
        references.write_bytes(gzip.decompress((data / "test_2016_flickr.de.gz").read_bytes()))
        scores = subprocess.run([program, "score", "--hypotheses", hypotheses, "--references", references],
                                stdout=subprocess.PIPE, text=True, check=True).stdout
    bleu, chrf, _ = (float(x) for x in re.findall(r"^\S+ = (\d+\.\d+)", scores, re.MULTILINE))  # the third is chrF2++
    print(json.dumps({"minutes": round(minutes, 1), "threads": os.cpu_count(), "bleu": bleu, "chrf2": chrf,
                      "test": "test_2016_flickr", "beam_size": 5}))


if __name__ == "__main__":
    main()
