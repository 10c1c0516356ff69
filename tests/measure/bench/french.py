#!/usr/bin/env python3
"""Trains a small English-French model on a text that every Debian mirror has: the descriptions of its packages. Scores it.

    french.py PROGRAM WORK [--epochs N] [--mirror URL]     WORK keeps the texts and the model, which are not made again

Prints JSON, for tests/measure/bench/record.py (`make french`). The volunteers of Debian's description translation project wrote the French.
A title, or a sentence of a description, is a pair where both languages have as many paragraphs, and a paragraph as many sentences.
Packages whose names begin alike (python3-numpy, python3-numpy-doc) stand all in one of the three parts, because their texts are alike.
Neither the texts nor the model are part of gradus: each description has the licence of its package.
"""

import argparse
import bz2
import hashlib
import json
import lzma
import pathlib
import random
import re
import subprocess
import urllib.request

import trainings

FILES = {"en": ("Translation-en.xz", lzma.decompress), "fr": ("Translation-fr.bz2", bz2.decompress)}
MIRROR = "http://deb.debian.org/debian/dists/bookworm/main/i18n"
SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-ZÀÁÂÃÇÉÈÊÍÎÓÔÕÚÛ«])")
WORDS, RATIO = 50, 2.0  # a pair has at most so many words a side; the longer side at most so many times those of the shorter
SIZES = {"test": 1000, "val": 1000}  # at least: a family is not cut
SHOWN = 3
RECIPE = ("--preset", "quick", "--seed", "1")


def fetched(folder, name, mirror):
    file = folder / name
    if not file.exists():
        try:
            with urllib.request.urlopen(f"{mirror}/{name}", timeout=60) as answer:
                data = answer.read()
        except OSError as error:
            raise SystemExit(f"french.py: {mirror}/{name}: {error}") from None
        file.write_bytes(data)
    return file.read_bytes()


def paragraphs(body):
    """Of a description; lines with two spaces before them are lists and code, which are left out."""
    if re.search(r"^  ", body, re.MULTILINE):
        return []
    return [" ".join(part.split()) for part in re.split(r"^ \.$", body, flags=re.MULTILINE)]


def descriptions(text, language):
    """{(package, sum of the English text): [title, paragraph, ...]}"""
    entry = re.compile(rf"^Package: (\S+)\nDescription-md5: (\w+)\nDescription-{language}: (.*)\n((?: .*\n)*)", re.MULTILINE)
    return {(name, checksum): [title.strip(), *paragraphs(body)] for name, checksum, title, body in entry.findall(text)}


def family(package):
    """What the names of packages from one source usually share."""
    return re.sub(r"^(lib|python3?|ruby|golang|node|fonts|php|r|haskell|texlive|gcc|linux)-?", "", package)[:5]


def fits(pair):
    sizes = sorted(len(text.split()) for text in pair)
    return pair[0] != pair[1] and 3 <= sizes[0] and sizes[1] <= min(WORDS, RATIO * sizes[0])


def pairs(english, other):
    """[(family, (English, its translation))], each English sentence once."""
    found = {}
    for key, target in other.items():
        source = english.get(key, [])
        for here, there in zip(source, target) if len(source) == len(target) else ():
            cut = [SENTENCE_END.split(text) for text in (here, there)]
            for pair in zip(*cut) if len(cut[0]) == len(cut[1]) else ():
                if fits(pair):
                    found.setdefault(pair[0], (family(key[0]), pair))
    return list(found.values())


def parts(found):
    """Families in the order of chance fill the test set first, then validation, then training."""
    families = {}
    for name, pair in found:
        families.setdefault(name, []).append(pair)
    order = sorted(families)
    random.Random(1).shuffle(order)
    cut = {part: [] for part in (*SIZES, "train")}
    for name in order:
        cut[next((part for part, size in SIZES.items() if len(cut[part]) < size), "train")] += families[name]
    return cut


def written(folder, mirror, files=None):
    """Writes the six texts, and tells what they are. `files`: English, then the other language."""
    files = files or FILES
    data = {language: fetched(folder, name, mirror) for language, (name, _) in files.items()}
    texts = [descriptions(unpacked(data[language]).decode("utf-8"), language) for language, (_, unpacked) in files.items()]
    cut = parts(pairs(*texts))
    for part, lines in cut.items():
        for side, language in enumerate(files):
            (folder / f"{part}.{language}").write_text("".join(pair[side] + "\n" for pair in lines), encoding="utf-8")
    return {"sha256": {files[language][0]: hashlib.sha256(data[language]).hexdigest() for language in files},
            "pairs": {part: len(lines) for part, lines in cut.items()}}


def output(program, *words):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--epochs", default="8")
    parser.add_argument("--mirror", default=MIRROR)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    told = written(options.work, options.mirror)
    texts = {f"--{part}-{side}": options.work / f"{name}.{language}" for part, name in (("train", "train"), ("valid", "val"))
             for side, language in (("source", "en"), ("target", "fr"))}
    model = options.work / f"{options.epochs}-epochs"
    if not (model / "report.html").exists():
        trainings.train(options.program, model, (*RECIPE, "--epochs", options.epochs, *(word for pair in texts.items() for word in pair)))
    test = [options.work / f"test.{language}" for language in FILES]
    said = output(options.program, "evaluate", "--threads", "1", "--model", model, "--source", test[0], "--reference", test[1])
    shown = [path.read_text(encoding="utf-8").splitlines()[:SHOWN] for path in test]
    shown.append(output(options.program, "translate", "--threads", "1", "--model", model, *shown[0]).splitlines())
    print(json.dumps({**told, **trainings.curves(f"{model}.log"), "epochs": int(options.epochs), "threads": 1,
                      **{name.lower(): float(re.search(rf"^{name}\S* = (\d+\.\d+)", said, re.MULTILINE)[1]) for name in ("BLEU", "chrF2")},
                      "parameters": json.loads(output(options.program, "info", "--json", model))["parameters"],
                      "examples": {str(number): dict(zip(("source", "reference", "says"), row)) for number, row in enumerate(zip(*shown), 1)}}))


if __name__ == "__main__":
    main()
