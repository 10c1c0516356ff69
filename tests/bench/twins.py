#!/usr/bin/env python3
"""Measures what a known mistake costs: trains the quick preset on wrong twins. Prints JSON, for tests/bench/record.py.

    twins.py FOLDER DATA [SEEDS]    FOLDER: with `gradus` and twins/gradus-TWIN (make, make twin TWIN=...)
                                    DATA: Multi30k's raw train, val, test_2016_flickr (.en.gz, .de.gz)
                                    SEEDS: how many for each program, by default 1

Every program has the same options, and trains and translates with its own mistake. `bleu` is cased, on test_2016_flickr; `loss` is
the mean of the last 100 training steps; `halfway` that of the hundred steps in the middle.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile


def run(program, data, seed):
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "log")
        texts = {f"--{part}-{side}": data / f"{name}.{end}.gz" for part, name in (("train", "train"), ("valid", "val"))
                 for side, end in (("source", "en"), ("target", "de"))}
        subprocess.run([program, "train", "--quiet", "--preset", "quick", "--seed", str(seed), "--output", folder + "/run",
                        "--log-json", log, *(word for pair in texts.items() for word in pair)],
                       stdout=subprocess.DEVNULL, check=True)
        losses = [event["loss"] for event in map(json.loads, log.read_text().splitlines()) if "gradient_norm" in event]
        scores = subprocess.run([program, "evaluate", "--model", folder + "/run", "--source", data / "test_2016_flickr.en.gz",
                                 "--reference", data / "test_2016_flickr.de.gz"], stdout=subprocess.PIPE, text=True, check=True)
    middle = len(losses) // 2
    return {"bleu": float(re.search(r"^BLEU\S* = (\d+\.\d+)", scores.stdout, re.MULTILINE).group(1)),
            "loss": round(statistics.mean(losses[-100:]), 3), "halfway": round(statistics.mean(losses[middle - 50:middle + 50]), 3)}


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    folder, data = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    seeds = range(1, 1 + int(sys.argv[3]) if len(sys.argv) == 4 else 2)
    programs = {"right": folder / "gradus"}
    programs.update({path.name[len("gradus-"):]: path for path in sorted(folder.glob("twins/gradus-*"))})
    found = {"threads": os.cpu_count()}
    for name, program in programs.items():
        found[name] = [run(program, data, seed) for seed in seeds]
        print(name, found[name], file=sys.stderr, flush=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
