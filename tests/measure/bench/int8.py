#!/usr/bin/env python3
"""What weights of 8 bits cost and bring: scores of the bundled models, and speed. Prints JSON, for tests/measure/bench/record.py.

    int8.py PROGRAM DATA [--rounds 7]      DATA: folder with Multi30k's raw files

The scores are cased BLEU on test_2016_flickr, beam 5. The speed is that of `gradus bench` for the model en-de, one thread, with float and with 8 bits in turn;
the middle of the rounds.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

FORMS = {"float": [], "int8": ["--int8"]}
MODELS = ("en-de", "de-en")


def evaluated(program, model, options, texts, output):
    """BLEU of the model's translations, and these."""
    said = subprocess.run([program, "evaluate", "--model", model, *options, "--source", texts[0], "--reference", texts[1],
                           "--output", output], stdout=subprocess.PIPE, text=True, check=True).stdout
    return float(re.search(r"^BLEU\S* = ([\d.]+)", said, re.M)[1]), output.read_text(encoding="utf-8").splitlines()


def scores(program, data, model, folder):
    """BLEU of both forms, and how many sentences differ."""
    texts = [data / f"test_2016_flickr.{language}.gz" for language in model.split("-")]
    found = {form: evaluated(program, model, options, texts, folder / form) for form, options in FORMS.items()}
    translations = [lines for _, lines in found.values()]
    return {**{f"bleu_{form}": bleu for form, (bleu, _) in found.items()}, "sentences": len(translations[0]),
            "changed": sum(a != b for a, b in zip(*translations))}


def one_round(program, options):
    """The figures of one short run of `gradus bench`, by name."""
    said = subprocess.run([program, "bench", "--json", "--rounds", "1", "--threads", "1", *options],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    bench = json.loads(said)
    greedy, beam = bench["searches"]
    return bench, {"greedy": greedy["sentences_per_second"]["median"], "beam": beam["sentences_per_second"]["median"],
                   "alone": beam["ms_per_sentence_alone"]["median"], "load": bench["loading_ms"]["median"]}


def speed(program, rounds):
    found = {form: [] for form in FORMS}
    products = []
    for _ in range(rounds):
        for form, options in FORMS.items():
            bench, figures = one_round(program, options)
            found[form].append(figures)
            products.append(bench["products_gflops"]["median"])
    figures = {"rounds": rounds, "processor": bench["processor"], "blas_core": bench["blas_core"],
               "gflops": round(statistics.median(products), 1)}
    for name in found["float"][0]:
        middle = {form: statistics.median(f[name] for f in found[form]) for form in FORMS}
        figures.update({f"{name}_{form}": round(value, 2) for form, value in middle.items()})
        faster = [f[name] / i[name] for f, i in zip(found["float"], found["int8"])]  # of times; of rates the inverse
        ratio = statistics.median(faster)
        figures[f"{name}_ratio"] = round(ratio if name in ("alone", "load") else 1 / ratio, 2)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = {model.replace("-", "_"): scores(given.program, given.data, model, pathlib.Path(folder)) for model in MODELS}
    figures["speed"] = speed(given.program, given.rounds)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
