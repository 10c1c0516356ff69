#!/usr/bin/env python3
"""Trains the preset from-zero on the forty sentences of chapters/11_translator/toy, and keeps its curve and its attention.

    forty_sentences.py PROGRAM WORK [EPOCHS]    WORK: keeps the trained models, which are not trained again
                                                EPOCHS: by default 75, as many updates as its text makes with six pairs

Prints JSON, for tests/measure/bench/record.py (`make from-zero`): the curve of the training; BLEU and the share of the forty sentences that are
translated without a mistake, beam 5; the weights of the first layer's heads for the last pair, as the text draws them. The model has
seen all of these sentences: this is what it has learnt by heart.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "docs/tools/pictures"), str(ROOT / "docs/tools")]
import trainings  # noqa: E402
from data import KINDS, attention_of  # noqa: E402

QUOTES = ROOT / "chapters/11_translator/toy"
EPOCHS, POINTS, LAYER = "75", 60, 1


def output(program, *words, **more):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, encoding="utf-8", check=True, **more).stdout


def cleaned(line):
    """Small letters without punctuation, as the model writes."""
    return " ".join("".join(" " if unicodedata.category(letter)[0] == "P" else letter for letter in line.lower()).split())


def heads(program, folder, sentence):
    """For each kind of attention: the words of the rows and of the columns, and the weights of each head of the first layer."""
    with tempfile.TemporaryDirectory() as place:
        page = pathlib.Path(place, "attention.html")
        output(program, "translate", "--threads", "1", "--model", folder, sentence, "--attention", page)
        found = {kind: attention_of(page.read_text(encoding="utf-8"), kind) for kind in KINDS}
    return {kind: {"rows": rows, "columns": columns, "heads": [[[round(weight, 2) for weight in row] for row in maps[layer, head]]
                   for layer, head in sorted(maps) if layer == LAYER]} for kind, (rows, columns, maps) in found.items()}


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, epochs = sys.argv[1], (sys.argv[3:] or [EPOCHS])[0]
    folder = pathlib.Path(sys.argv[2]) / f"{epochs}-epochs"
    folder.parent.mkdir(parents=True, exist_ok=True)
    english, french = QUOTES / "quotes.en", QUOTES / "quotes.fr"
    if not (folder / "report.html").exists():
        trainings.train(program, folder, ("--preset", "from-zero", "--epochs", epochs, "--valid-every", "500", "--train-source", english,
                                          "--train-target", french, "--valid-source", english, "--valid-target", french))
    curve = trainings.curves(f"{folder}.log", POINTS)
    sources, references = (file.read_text(encoding="utf-8").splitlines() for file in (english, french))
    translations = output(program, "translate", "--threads", "1", "--model", folder, input="\n".join(sources) + "\n").splitlines()
    right = sum(cleaned(a) == cleaned(b) for a, b in zip(translations, references))
    said = output(program, "evaluate", "--threads", "1", "--model", folder, "--source", english, "--reference", french)
    print(json.dumps({"sentences": len(sources), "epochs": int(epochs), "cores": os.cpu_count(), "threads": 1, "right": right,
                      "seconds_a_step": round(60 * curve["minutes"] / curve["steps"], 2), **curve,
                      "first_loss": curve["curve"][0][1], "last_loss": curve["curve"][-1][1],
                      "bleu": float(re.search(r"^BLEU\S* = (\d+\.\d+)", said, re.MULTILINE).group(1)),
                      "parameters": json.loads(output(program, "info", "--json", folder))["parameters"],
                      "last": sources[-1], "says": translations[-1], "attention": heads(program, folder, sources[-1])}))


if __name__ == "__main__":
    main()
