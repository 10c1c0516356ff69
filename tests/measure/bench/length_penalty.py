#!/usr/bin/env python3
"""Which length penalty is best for trained models on the validation pairs? Prints JSON, for tests/measure/bench/record.py.

    length_penalty.py PROGRAM DATA MODEL [MODEL ...]     DATA: folder with Multi30k's raw files

For each penalty: cased BLEU and the ratio of lengths, translation to reference, beam 5, means over the models. Two of the
penalties are also put to test_2016_flickr, for the lesson's warning; nothing may be chosen by that.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

PENALTIES = (0.6, 1.0, 1.4, 1.6, 1.8, 2.0, 2.4)
WARNING = (1.0, 1.8)


def scores(program, data, part, model, penalty, hypotheses):
    """(BLEU, ratio of lengths) of a model on a part of the data."""
    subprocess.run([program, "translate", "--model", model, "--length-penalty", str(penalty), "--input", data / f"{part}.en.gz",
                    "--output", hypotheses], check=True, stderr=subprocess.DEVNULL)
    said = subprocess.run([program, "score", "--hypotheses", hypotheses, "--references", data / f"{part}.de.gz"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    return tuple(float(re.search(pattern, said, re.M)[1]) for pattern in (r"^BLEU\S* = ([\d.]+)", r"ratio = ([\d.]+)"))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, data, models = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    figures = {"beam_size": 5, "models": len(models)}
    with tempfile.TemporaryDirectory() as folder:
        def mean(part, penalty):
            found = [scores(program, data, part, model, penalty, pathlib.Path(folder, "hypotheses")) for model in models]
            bleu, ratio = (sum(column) / len(found) for column in zip(*found))
            return {"bleu": round(bleu, 2), "length_ratio": round(ratio, 3)}

        for penalty in PENALTIES:
            figures[f"at_{round(10 * penalty):02}"] = mean("val", penalty)
        for penalty in WARNING:
            figures[f"test_at_{round(10 * penalty):02}"] = mean("test_2016_flickr", penalty)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
