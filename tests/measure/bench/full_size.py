#!/usr/bin/env python3
"""Runs three steps of each of the five tutorials' presets at its full size. Prints JSON, for tests/measure/bench/record.py.

    full_size.py PROGRAM DATA [WORK]     DATA: Multi30k's raw train and val (.en.gz, .de.gz)
                                         WORK: keeps the models; by default they are deleted

Recorded for each preset: the parameters with Multi30k's vocabulary, the seconds of the third step (the first allocates), the tokens of
source and target in it, and the peak memory of the process, which also learns the vocabulary. Every option is the preset's, but the
validation, which reads 16 pairs.
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from presets import PRESETS, parameters

STEPS, VALID = 3, 16


def few(file, place):
    """The first lines of a text."""
    with gzip.open(file, "rt", encoding="utf-8") as text:
        place.write_text("".join(line for _, line in zip(range(VALID), text)), encoding="utf-8")
    return place


def measured(program, data, work, preset):
    folder, log = work / preset, work / f"{preset}.log"
    valid = [few(data / f"val.{end}.gz", work / f"valid.{end}") for end in ("en", "de")]
    subprocess.run([program, "train", "--quiet", "--preset", preset, "--max-steps", str(STEPS), "--output", folder, "--log-json", log,
                    "--train-source", data / "train.en.gz", "--train-target", data / "train.de.gz",
                    "--valid-source", valid[0], "--valid-target", valid[1]], stdout=subprocess.DEVNULL, check=True)
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    steps = [event for event in events if event["event"] == "step"]
    end = next(event for event in events if event["event"] == "end")
    assert len(steps) == STEPS, f"{preset} made {len(steps)} steps"
    return {"parameters": parameters(program, folder), "seconds": round(steps[-1]["seconds"] - steps[-2]["seconds"], 1),
            "tokens": steps[-1]["source_tokens"] + steps[-1]["target_tokens"], "gigabytes": round(end["peak_memory_bytes"] / 1e9, 2)}


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(sys.argv[3] if len(sys.argv) == 4 else place)
        work.mkdir(parents=True, exist_ok=True)
        found = {preset: measured(sys.argv[1], pathlib.Path(sys.argv[2]), work, preset) for preset in PRESETS if preset != "quick"}
    print(json.dumps({**found, "cores": os.cpu_count()}))


if __name__ == "__main__":
    main()
