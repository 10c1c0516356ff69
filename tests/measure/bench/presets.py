#!/usr/bin/env python3
"""Trains the five tutorials' presets on Multi30k at the size of quick, beside quick itself. Prints JSON, for tests/measure/bench/record.py.

    presets.py PROGRAM DATA WORK [EPOCHS]    DATA: Multi30k's raw train, val, test_2016_flickr (.en.gz, .de.gz)
                                             WORK: keeps the finished runs, so that a stopped measurement goes on
                                             EPOCHS: passes over the 29,000 pairs, by default 4

Each preset trains twice: `own` has the tutorial's learning rate and schedule, `shared` has one rate, one schedule and one size of
batches for all. Every other option is the preset's, except from-zero's batches of one pair, which would take more than an hour: it has
the shared size in both. hyunwoongko trains a third time, `undecayed`: as `shared`, without weight decay. trainings.py says what the
figures are.
"""

import json
import os
import pathlib
import subprocess
import sys

import trainings

PRESETS = ("quick", "say-hello2y", "from-zero", "hyunwoongko", "umar-jamil", "samlynnevans")
SIZE = ("--d-model", "128", "--ffn", "256", "--encoder-layers", "2", "--decoder-layers", "2", "--heads", "4")
BATCHES = ("--batch-tokens", "2048", "--batches", "chance")
SHARED = ("--learning-rate", "0.002", "--schedule", "linear", "--warmup", "400", *BATCHES)


def parameters(program, folder):
    info = subprocess.run([program, "info", "--json", folder], stdout=subprocess.PIPE, text=True, check=True).stdout
    return json.loads(info)["parameters"]


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    program, data, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    epochs = sys.argv[4] if len(sys.argv) == 5 else "4"
    work.mkdir(parents=True, exist_ok=True)
    found = {"epochs": int(epochs), "threads": 1, "cores": os.cpu_count(), "test": "test_2016_flickr", "beam_size": 5}
    for preset in PRESETS:
        options = ("--preset", preset, "--epochs", epochs, *(() if preset == "quick" else SIZE))
        found[preset] = {rate: trainings.run(program, data, work / f"{preset}-{rate}", (*options, *more)) for rate, more in
                         (("shared", SHARED), ("own", BATCHES if preset == "from-zero" else ()))}
        if preset == "hyunwoongko":
            undecayed = (*options, *SHARED, "--weight-decay", "0")
            found[preset]["undecayed"] = trainings.run(program, data, work / f"{preset}-undecayed", undecayed)
        found[preset]["parameters"] = parameters(program, work / f"{preset}-own")
        print(preset, {rate: found[preset][rate]["bleu"] for rate in ("shared", "own")}, file=sys.stderr, flush=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
