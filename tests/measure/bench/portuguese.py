#!/usr/bin/env python3
"""Fine-tunes a student of Firefox, English to Portuguese, on the text of Debian's packages, and scores it before and after.

    portuguese.py PROGRAM WORK [--mirror URL]     WORK keeps the texts and the models, which are not made again

Prints JSON, for tests/measure/bench/record.py (`make portuguese`). `gradus models fetch en-pt` gets the student, if it is not there.
New text: the descriptions of packages that volunteers translated into Brazilian Portuguese, divided by french.py. PAIRS of each part are
used, so that all takes minutes and not hours.
Old text, to be mixed in: the student's training text is not published, so it is made sentences with the student's own translations.
General text: everyday.tsv, a hundred sentences and translations written for this test; none is in the old text.
All searches are greedy, and one thread computes.
"""

import argparse
import bz2
import json
import pathlib
import re
import subprocess
import sys

import french
import trainings

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "import"))
from made_sentences import made_sentences  # noqa: E402

STUDENT = "en-pt"
LANGUAGES = ("en", "pt_BR")
FILES = {"en": french.FILES["en"], "pt_BR": ("Translation-pt_BR.bz2", bz2.decompress)}
PAIRS = {"train": 3000, "val": 100, "test": 300}  # the first ones: chance has ordered the families of packages
OLD_SENTENCES, OLD_SEED = 1000, 5
MIXED = ("--mix-source", "{old}.en", "--mix-target", "{old}.pt_BR")
RUNS = {"alone": (), "mixed": MIXED, "frozen": (*MIXED, "--freeze-embeddings", "--freeze-encoder")}
GREEDY = ("--threads", "1", "--beam-size", "1", "--short-source", "0")
EVERYDAY = pathlib.Path(__file__).with_name("everyday.tsv")
SHOWN = 3


def output(program, *words, **more):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, encoding="utf-8", check=True, **more).stdout


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


def shorten(folder):
    for part, count in PAIRS.items():
        for language in LANGUAGES:
            path = folder / f"{part}.{language}"
            write(path, lines_of(path)[:count])


def made_old_text(program, folder):
    """Writes old.en and old.pt_BR."""
    sides = [folder / f"old.{language}" for language in LANGUAGES]
    if not sides[1].exists():
        write(sides[0], made_sentences(OLD_SENTENCES, OLD_SEED))
        write(sides[1], output(program, "translate", "--model", STUDENT, *GREEDY, "--input", sides[0]).splitlines())


def everyday(folder):
    """Writes general.en and general.pt_BR."""
    pairs = [line.split("\t") for line in lines_of(EVERYDAY)]
    for side, language in zip(zip(*pairs), LANGUAGES):
        write(folder / f"general.{language}", side)


def scores(program, model, folder, part):
    said = output(program, "evaluate", "--model", model, *GREEDY, "--source", folder / f"{part}.en", "--reference", folder / f"{part}.pt_BR")
    return {name.lower(): float(re.search(rf"^{name}\S* = (\d+\.\d+)", said, re.MULTILINE)[1]) for name in ("BLEU", "chrF2")}


def both_scores(program, model, folder):
    """Of a model; kept beside the texts."""
    kept = folder / f"scores-{pathlib.Path(model).name}.json"
    if not kept.exists():
        kept.write_text(json.dumps({"packages": scores(program, model, folder, "test"), "everyday": scores(program, model, folder, "general")}))
    return json.loads(kept.read_text())


def trained(program, folder, name):
    """The scores of one training, its steps and its minutes."""
    model = folder / name
    if not (model / "report.html").exists():
        words = [word.format(old=folder / "old") for word in RUNS[name]]
        trainings.train(program, model, ("--init-from", STUDENT, "--preset", "fine-tune", "--source-lang", LANGUAGES[0], "--target-lang", LANGUAGES[1],
                                         "--data", folder, *words))
    curve = trainings.curves(f"{model}.log")
    return {**both_scores(program, model, folder), "steps": curve["steps"], "minutes": curve["minutes"]}


def examples(program, folder):
    """The first sentences of the test set, before and after."""
    rows = [lines_of(folder / f"test.{language}")[:SHOWN] for language in LANGUAGES]
    for model in (STUDENT, folder / "mixed"):
        rows.append(output(program, "translate", "--model", model, *GREEDY, *rows[0]).splitlines())
    return {str(number): dict(zip(("source", "reference", "before", "after"), row)) for number, row in enumerate(zip(*rows), 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--mirror", default=french.MIRROR)
    options = parser.parse_args()
    program, folder = options.program.resolve(), options.work
    folder.mkdir(parents=True, exist_ok=True)
    output(program, "models", "fetch", STUDENT)
    told = french.written(folder, options.mirror, FILES)
    shorten(folder)
    everyday(folder)
    made_old_text(program, folder)
    print(json.dumps({**told, "used": PAIRS, "old": OLD_SENTENCES, "parameters": json.loads(output(program, "info", "--json", STUDENT))["parameters"],
                      "before": both_scores(program, STUDENT, folder), **{name: trained(program, folder, name) for name in RUNS},
                      "examples": examples(program, folder)}))


if __name__ == "__main__":
    main()
