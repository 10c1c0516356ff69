#!/usr/bin/env python3
"""Checks that an exported model translates in CTranslate2 as in gradus: greedy translations must have the same pieces.

    same_translations.py GRADUS

Small models, trained for some seconds on the toy corpus, have each choice of a model once. measure.py does the same with the bundled model.
The package ctranslate2 comes from this Python or from build/peers/python, which `make bench-peers` makes; without it the exit status is 77.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[4]
PYTHON = TOP / "build" / "peers" / "python" / "bin" / "python"
try:
    import ctranslate2
except ImportError:
    if PYTHON.exists() and pathlib.Path(sys.prefix) != PYTHON.parents[1]:
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    sys.exit(77)

TOY = TOP / "chapters" / "11_translator" / "toy"
SMALL = ["--vocab-size", "200", "--d-model", "16", "--heads", "2", "--layers", "2", "--ffn", "32", "--epochs", "12",
         "--batch-tokens", "600", "--warmup", "20", "--quiet"]
VARIANTS = {
    "pre-norm": [],
    "post-norm": ["--norm", "post"],
    "one head": ["--heads", "1"],
    "GELU": ["--activation", "gelu"],
    "swish": ["--activation", "swish"],
    "biases": ["--attention-bias", "--output-bias", "--init-biases"],
    "a bias after W_O": ["--attention-output-bias", "--init-biases", "--norm", "post"],
    "two vocabularies": ["--vocab", "separate"],
    "three tables": ["--untied"],
    "no positions": ["--positions", "none", "--no-scale-embedding"],
    "layers 1 and 3": ["--encoder-layers", "1", "--decoder-layers", "3"],
    "words": ["--tokenizer", "word", "--lowercase", "--vocab", "separate"],
}


def translations(gradus, model, text):
    """Of each line: the source's pieces, the translation's pieces, and whether it ended by itself."""
    done = subprocess.run([gradus, "translate", "--model", model, "--beam-size", "1", "--json"], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True)
    for line in done.stdout.splitlines():
        found = json.loads(line)
        pieces = [token["text"] for token in found["tokens"]]
        yield found["source_tokens"][:-1], [p for p in pieces if p != "<eos>"], pieces[-1:] == ["<eos>"]


def equal(gradus, model, text, folder):
    """How many translations are equal, and how many there are."""
    subprocess.run([gradus, "export", "--overwrite", "--ctranslate2", folder, "--model", model], stderr=subprocess.DEVNULL, check=True)
    ours = list(translations(gradus, model, text))
    begin = json.loads((pathlib.Path(folder) / "config.json").read_text(encoding="utf-8"))["bos_token"]
    translator = ctranslate2.Translator(str(folder), device="cpu", compute_type="float32")
    theirs = translator.translate_batch([source for source, _, _ in ours], beam_size=1, max_decoding_length=200, min_decoding_length=1,
                                        suppress_sequences=[["<pad>"], [begin]], max_batch_size=48)
    same = 0
    for (_, target, ended), other in zip(ours, theirs):
        pieces = other.hypotheses[0]
        same += (pieces if ended else pieces[:len(target)]) == target  # gradus also limits a translation by its source's length
    return same, len(ours)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    gradus, all_equal = sys.argv[1], True
    text = "".join((TOY / name).read_text(encoding="utf-8") for name in ("valid.en", "test.en"))
    with tempfile.TemporaryDirectory() as place:
        for number, (name, options) in enumerate(VARIANTS.items()):
            run = pathlib.Path(place, str(number))
            subprocess.run([gradus, "train", "--train-source", TOY / "train.en", "--train-target", TOY / "train.de", "--valid-source",
                            TOY / "valid.en", "--valid-target", TOY / "valid.de", "--output", run, *SMALL, *options], check=True)
            same, count = equal(gradus, run, text, run / "ct2")
            print(f"{name}: {same} of {count} greedy translations are equal", flush=True)
            all_equal = all_equal and same == count
    sys.exit(0 if all_equal else 1)


if __name__ == "__main__":
    main()
