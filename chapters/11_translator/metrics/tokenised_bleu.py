#!/usr/bin/env python3
"""BLEU as papers on Multi30k print it: lower case, Moses punctuation and tokens on both sides.

    python3 -m venv scorer && scorer/bin/pip install sacrebleu sacremoses
    scorer/bin/python tokenised_bleu.py HYPOTHESES REFERENCE [--language de] [--write-reference FILE]

HYPOTHESES and REFERENCE hold one sentence on each line in ordinary spelling, cased and not tokenised; names that end
in .gz are unpacked. This script makes the tokenised reference from the raw one. For test_2016_flickr, German and English, it
equals the published file line by line (data/task1/tok/test_2016_flickr.lc.norm.tok.*), so the score is the papers' score.
In the German validation set one line of 1,014 differs, by the place of a full stop before a closing quotation mark.
This number differs from the program's cased BLEU (README.md gives the reason): do not compare the two.
"""
import argparse
import gzip
import sys
from importlib.metadata import version

import sacrebleu
from sacremoses import MosesPunctNormalizer, MosesTokenizer


def read_lines(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as file:  # only \n ends a line
        return [line.rstrip("\n") for line in file]


def lower_normalised_tokens(sentences, language):
    """Lower case first: the tokenizer keeps the full stop of known abbreviations, some of them cased ("Bart.")."""
    normalise = MosesPunctNormalizer(language).normalize
    tokenise = MosesTokenizer(language).tokenize
    return [tokenise(normalise(sentence.strip().lower()), return_str=True) for sentence in sentences]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hypotheses")
    parser.add_argument("reference")
    parser.add_argument("--language", default="de", help="of both files (de)")
    parser.add_argument("--write-reference", metavar="FILE", help="keep the tokenised reference, to compare it")
    arguments = parser.parse_args()

    hypotheses, reference = read_lines(arguments.hypotheses), read_lines(arguments.reference)
    if len(hypotheses) != len(reference) or not reference:
        sys.exit(f"{arguments.hypotheses} has {len(hypotheses)} lines, {arguments.reference} {len(reference)}: "
                 "line i of one must be the translation of line i of the other")
    reference = lower_normalised_tokens(reference, arguments.language)
    if arguments.write_reference:
        with open(arguments.write_reference, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in reference)
    bleu = sacrebleu.corpus_bleu(lower_normalised_tokens(hypotheses, arguments.language), [reference],
                                 tokenize="none", force=True)
    bleu.name = "BLEU|nrefs:1|case:lc|eff:no|tok:moses-" + arguments.language + "|smooth:exp|version:" + \
        "|".join(f"{package}-{version(package)}" for package in ("sacrebleu", "sacremoses"))
    print(bleu)


if __name__ == "__main__":
    main()
