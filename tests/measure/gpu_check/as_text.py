#!/usr/bin/env python3
"""Converts the translations of `gpu_check train`, which are ids, to text. Needs the package sentencepiece.

    tests/measure/gpu_check/as_text.py translations.tf32.ids [--model FOLDER] > translations
    gradus score --hypotheses translations --references multi30k/test_2016_flickr.de.gz

FOLDER is the model in whose ids the corpus was written (gradus data --ids): the bundled one if none is named.
"""
import argparse
from pathlib import Path

from sentencepiece import SentencePieceProcessor

BUNDLED = Path(__file__).resolve().parents[3] / "chapters" / "11_translator" / "models" / "en-de"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("translations", type=Path)
    parser.add_argument("--model", type=Path, default=BUNDLED)
    options = parser.parse_args()
    words = SentencePieceProcessor(model_file=str(options.model / "subwords.model"))
    for line in options.translations.read_text(encoding="utf-8").splitlines():
        print(words.decode([int(word) for word in line.split()]))


if __name__ == "__main__":
    main()
