#!/usr/bin/env python3
"""Measures what a known mistake costs: trains the quick preset on wrong twins. Prints JSON, for tests/bench/record.py.

    twins.py FOLDER DATA WORK    FOLDER: with `gradus` and twins/gradus-TWIN (make, make twin TWIN=...)
                                 DATA: Multi30k's raw train, val, test_2016_flickr (.en.gz, .de.gz)
                                 WORK: keeps the finished runs, so that a stopped measurement goes on

Every program has the same options, and trains and translates with its own mistake. The four twins whose BLEU is closest to that of the
right program train with three seeds, and so does the right program. `lost` is the right program's BLEU minus the twin's, both the mean
of the seeds that both have. trainings.py says what the other figures are.
"""

import json
import os
import pathlib
import statistics
import sys

import trainings

CLOSEST, SEEDS = 4, (1, 2, 3)


def measured(program, data, work, name, seeds):
    found = [trainings.run(program, data, work / f"{name}-{seed}", ("--preset", "quick", "--seed", str(seed))) for seed in seeds]
    print(name, [run["bleu"] for run in found], file=sys.stderr, flush=True)
    return found


def lost(right, twin):
    pairs = list(zip(right, twin))
    return round(statistics.mean(a["bleu"] - b["bleu"] for a, b in pairs), 2)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    folder, data, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    programs = {path.name[len("gradus-"):]: path for path in sorted(folder.glob("twins/gradus-*"))}
    right = measured(folder / "gradus", data, work, "right", SEEDS[:1])
    twins = {name: measured(program, data, work, name, SEEDS[:1]) for name, program in programs.items()}
    right = measured(folder / "gradus", data, work, "right", SEEDS)
    for name in sorted(twins, key=lambda name: abs(lost(right, twins[name])))[:CLOSEST]:
        twins[name] = measured(programs[name], data, work, name, SEEDS)
    print(json.dumps({"cores": os.cpu_count(), "threads": 1, "test": "test_2016_flickr", "beam_size": 5, "right": {"runs": right},
                      **{name: {"runs": runs, "seeds": len(runs), "lost": lost(right, runs)} for name, runs in twins.items()}}))


if __name__ == "__main__":
    main()
