#!/usr/bin/env python3
"""Measures what a known mistake costs: trains the quick preset on wrong twins, and records the figures after each training.

    twins.py DATA [TWIN ...] [--epochs N] [--seeds 1,2,3] [--closest 4] [--build FOLDER] [--work FOLDER] [--record FILE]

DATA holds Multi30k's raw train, val and test_2016_flickr (.en.gz, .de.gz). Without names all twins of tests/wrong/cost/CMakeLists.txt
train. A twin that is not built yet is built first (`make twin`). Every program has the same options, and trains and translates with its
own mistake. All train with the first seed; the right program and the twins whose BLEU is closest to its own (--closest) then train with
the other seeds. WORK keeps the finished trainings, so that a stopped measurement goes on; it belongs to one budget and one DATA.

A search has a composition of its own, so each program is asked whether it translates with the mistake that it trained with: both must
give its own greedy translation the same probability (tests/wrong/cost/decoding.hpp).

Recorded as `twins` in docs/records/measured.json: `lost` is the right program's BLEU minus the twin's, both the mean of the seeds that
both have; `says` is the translation of `sentence`. trainings.py says what the other figures are.
"""

import argparse
import gzip
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import record
import trainings

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/what-a-mistake-costs.md"
TEST = "test_2016_flickr"
# While causal-cross translates, the newest word is always the last one, which sees the whole source, as if there were no mask.
TRANSLATES_OTHERWISE = ("causal-cross",)
COMPARED = 10  # sentences, the first of the test set
LINE = 2  # of the test set: the sentence that every model translates


def names(root=ROOT):
    """The twins that train, in the order of the list."""
    text = (root / "tests/wrong/cost/CMakeLists.txt").read_text(encoding="utf-8")
    return re.findall(r'"([a-z-]+) \w+ \w+"', text)


def lines(file):
    with gzip.open(file, "rt", encoding="utf-8") as text:
        return text.read().splitlines()


def gap(program, folder, sentences):
    """How far the search's log probabilities of its greedy translations are from those that the pass of training gives them, at most.

    A translation that would be cut into other pieces than those that the search wrote is no translation to compare."""
    def output(*words):
        said = subprocess.run([program, *words, "--json", "--threads", "1", "--model", folder], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, encoding="utf-8", check=True).stdout
        return [json.loads(line) for line in said.splitlines()]

    found = output("translate", "--beam-size", "1", "--length-penalty", "0", *sentences)
    with tempfile.TemporaryDirectory() as place:
        files = {side: pathlib.Path(place, side) for side in ("source", "target")}
        for side, lines in (("source", sentences), ("target", [line["text"] for line in found])):
            files[side].write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        forced = output("score-pairs", "--source", files["source"], "--target", files["target"])
    pieces = lambda line: [token["text"] for token in line["tokens"]]
    far = [abs(a["score"] - b["log_prob"]) for a, b in zip(found, forced) if pieces(a) == pieces(b)]
    return max(far, default=float("inf"))


class Costs:
    """The programs, the finished trainings, and the record that grows with each."""

    def __init__(self, options):
        self.options = options
        source = self.source = lines(options.data / f"{TEST}.en.gz")
        self.found = {"epochs": options.epochs, "pairs": len(lines(options.data / "train.en.gz")), "test": TEST, "beam_size": 5,
                      "threads": 1, "test_sentences": len(source), "sentence": source[min(LINE, len(source)) - 1]}
        self.check_work()

    def check_work(self):
        """Trainings of another budget or of other data must not be taken for finished ones."""
        budget, file = json.dumps(self.found, sort_keys=True), self.options.work / "budget.json"
        self.options.work.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(budget, encoding="utf-8")
        elif file.read_text(encoding="utf-8") != budget:
            sys.exit(f"twins.py: {self.options.work} holds trainings of another budget: {file.read_text(encoding='utf-8')}")

    def program(self, name):
        if name == "right":
            return self.options.build / "gradus"
        program = self.options.build / "twins" / f"gradus-{name}"
        if not program.exists():
            subprocess.run(["make", "-C", ROOT, "twin", f"TWIN={name}"], stdout=sys.stderr, check=True)
        return program

    def seeds(self, name):
        """The first seed, and those whose training is finished."""
        return [seed for at, seed in enumerate(self.options.seeds) if at == 0 or self.finished(name, seed)]

    def finished(self, name, seed):
        return (self.options.work / f"{name}-{seed}" / "says.txt").exists()

    def says(self, program, folder):
        file = folder / "says.txt"
        if not file.exists():
            said = subprocess.run([program, "translate", "--threads", "1", "--model", folder, self.found["sentence"]],
                                  stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
            file.write_text(said.strip(), encoding="utf-8")
        return file.read_text(encoding="utf-8")

    def check_search(self, name, program, folder):
        if name in TRANSLATES_OTHERWISE:
            return
        far = gap(program, folder, self.source[:COMPARED])
        if far > 1e-3:
            sys.exit(f"twins.py: {name} does not translate with the mistake that it trained with: its log probabilities differ by {far:.4f}")

    def train(self, name, seeds):
        """Trains what is not trained yet, and records it."""
        program, runs = self.program(name), []
        for seed in seeds:
            folder = self.options.work / f"{name}-{seed}"
            options = ("--preset", "quick", "--seed", str(seed), "--epochs", str(self.options.epochs))
            run = trainings.run(program, self.options.data, folder, options)
            self.check_search(name, program, folder)
            runs.append({**run, "seed": seed, "says": self.says(program, folder)})
            print(name, seed, run["bleu"], file=sys.stderr, flush=True)
        self.found[name] = {"runs": runs}
        self.add_lost()
        record.store("twins", self.found, self.options.record)
        if self.options.record == record.MEASURED:
            for command in (["lessons.py", "--write", PAGE], ["pictures/draw.py", "--build", self.options.build, "losses-of-twins"]):
                subprocess.run([ROOT / "docs/tools" / command[0], *command[1:]], stdout=subprocess.DEVNULL, check=True)

    def add_lost(self):
        """Again for all of them: the right program may have more seeds now."""
        for name in set(names()) & set(self.found):
            self.found[name]["lost"] = lost(self.found["right"]["runs"], self.found[name]["runs"])


def lost(right, twin):
    return round(statistics.mean(a["bleu"] - b["bleu"] for a, b in zip(right, twin)), 2)


def closest(found, count):
    return sorted(set(names()) & set(found), key=lambda name: (abs(found[name]["lost"]), name))[:count]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("twin", nargs="*", help="only these")
    parser.add_argument("--epochs", type=int, default=8, help="of each training [8, those of quick]")
    parser.add_argument("--seeds", type=lambda text: [int(word) for word in text.split(",")], default=[1, 2, 3])
    parser.add_argument("--closest", type=int, default=4, help="how many twins train with all seeds [4]")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/twin-costs")
    parser.add_argument("--record", type=pathlib.Path, default=record.MEASURED, help="instead of docs/records/measured.json")
    options = parser.parse_intermixed_args()
    unknown = [name for name in options.twin if name not in names()]
    if unknown:
        parser.error(f"no twin that trains: {', '.join(unknown)}; there are {', '.join(names())}")
    return options


def main():
    options = arguments()
    costs = Costs(options)
    finished = [name for name in names() if costs.finished(name, options.seeds[0])]
    costs.train("right", costs.seeds("right"))
    for name in finished + [name for name in options.twin or names() if name not in finished]:
        costs.train(name, costs.seeds(name))
    if len(options.seeds) > 1:
        costs.train("right", options.seeds)
        for name in closest(costs.found, options.closest):
            costs.train(name, options.seeds)


if __name__ == "__main__":
    main()
