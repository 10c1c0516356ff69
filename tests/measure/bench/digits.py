#!/usr/bin/env python3
"""Trains the five tutorials' presets at a toy size to write digits in reverse order. Prints JSON, for tests/measure/bench/record.py.

    digits.py PROGRAM WORK    WORK: keeps the finished runs, so that a stopped measurement goes on

Each preset trains twice: `own` has the tutorial's learning rate and schedule for 30 epochs, `learns` a rate, a schedule and a number of
epochs with which it learns the task. `exact` is the share of 300 unseen sequences that are reversed without a mistake, by greedy search.
"""

import json
import pathlib
import random
import subprocess
import sys

import trainings

SIZE = ("--d-model", "64", "--ffn", "128", "--encoder-layers", "2", "--decoder-layers", "2", "--heads", "4", "--tokenizer", "word",
        "--batch-sentences", "64", "--vocab", "separate")
LEARNS = ("--schedule", "linear", "--warmup", "200")
PRESETS = {"say-hello2y": (60, 0.002), "from-zero": (30, 0.002), "hyunwoongko": (60, 0.002), "umar-jamil": (60, 0.004),
           "samlynnevans": (30, 0.002)}  # the epochs and the rate with which each learns the task
PARTS = {"train": 4000, "valid": 100, "test": 300}


def write_texts(work):
    """Different sequences of 3 to 8 digits, each also in reverse order."""
    draw = random.Random(1)
    lines = set()
    while len(lines) < sum(PARTS.values()):
        lines.add(" ".join(str(draw.randrange(10)) for _ in range(draw.randint(3, 8))))
    lines = draw.sample(sorted(lines), len(lines))
    for part, count in PARTS.items():
        chosen, lines = lines[:count], lines[count:]
        (work / f"{part}.source").write_text("".join(line + "\n" for line in chosen))
        (work / f"{part}.target").write_text("".join(line[::-1] + "\n" for line in chosen))


def exact(program, work, folder):
    said = subprocess.run([program, "translate", "--threads", "1", "--model", folder, "--beam-size", "1", "--input", work / "test.source"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout.splitlines()
    wanted = (work / "test.target").read_text().splitlines()
    return round(sum(a == b for a, b in zip(said, wanted, strict=True)) / len(wanted), 3)


def run(program, work, name, options):
    folder = work / name
    if not (folder / "weights.safetensors").exists():
        texts = [str(word) for part in ("train", "valid") for side in ("source", "target")
                 for word in (f"--{part}-{side}", work / f"{part}.{side}")]
        trainings.train(program, folder, (*options, *SIZE, *texts))
    found = trainings.curves(f"{folder}.log")
    return {"exact": exact(program, work, folder), "steps": found["steps"], "curve": found["curve"]}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, work = sys.argv[1], pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    write_texts(work)
    found = {}
    for preset, (epochs, rate) in PRESETS.items():
        learns = ("--preset", preset, "--epochs", str(epochs), "--learning-rate", str(rate), *LEARNS)
        found[preset] = {"own": run(program, work, f"{preset}-own", ("--preset", preset, "--epochs", "30")),
                         "learns": {"epochs": epochs, "rate": rate, **run(program, work, f"{preset}-learns", learns)}}
        print(preset, {kind: found[preset][kind]["exact"] for kind in ("own", "learns")}, file=sys.stderr, flush=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
