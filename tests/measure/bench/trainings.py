"""A training on Multi30k, its curve and its scores, for presets.py and twins.py. A finished run is not trained again.

`bleu` and `chrf2` are those of `gradus evaluate` on test_2016_flickr with beam 5; `curve` holds [step, loss], each loss the mean of a
twentieth of the run; `validations` holds [step, loss, BLEU]. One thread: the weights are the same for every number of threads.
"""

import json
import re
import statistics
import subprocess

POINTS = 20


def multi30k(data):
    """The options that name its texts."""
    texts = {f"--{part}-{side}": data / f"{name}.{end}.gz" for part, name in (("train", "train"), ("valid", "val"))
             for side, end in (("source", "en"), ("target", "de"))}
    return [str(word) for pair in texts.items() for word in pair]


def train(program, folder, options):
    subprocess.run([program, "train", "--quiet", "--threads", "1", "--output", folder, "--log-json", f"{folder}.log", *options],
                   stdout=subprocess.DEVNULL, check=True)


def scores(program, data, folder):
    said = subprocess.run([program, "evaluate", "--threads", "1", "--model", folder, "--source", data / "test_2016_flickr.en.gz",
                           "--reference", data / "test_2016_flickr.de.gz"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name.lower(): float(re.search(rf"^{name}\S* = (\d+\.\d+)", said, re.MULTILINE).group(1)) for name in ("BLEU", "chrF2")}


def curves(log, points=POINTS):
    events = [json.loads(line) for line in open(log, encoding="utf-8")]
    steps = [event for event in events if event["event"] == "step"]
    cuts = [len(steps) * i // points for i in range(points + 1)]
    parts = [steps[a:b] for a, b in zip(cuts, cuts[1:]) if a < b]
    return {"steps": len(steps),
            "curve": [[part[-1]["step"], round(statistics.mean(event["loss"] for event in part), 3)] for part in parts],
            "validations": [[event["step"], round(event["loss"], 3), round(event["bleu"], 2)] for event in events
                            if event["event"] == "validation"],
            "minutes": round(sum(event["seconds"] for event in events if event["event"] == "end") / 60, 1)}


def run(program, data, folder, options):
    """The figures of one training in `folder`, which stays."""
    scored = folder / "scores.json"
    if not scored.exists():
        train(program, folder, (*options, *multi30k(data)))
        scored.write_text(json.dumps(scores(program, data, folder)))
    return {**json.loads(scored.read_text()), **curves(f"{folder}.log")}
