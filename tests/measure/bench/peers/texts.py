#!/usr/bin/env python3
"""The texts of the comparison, made from Multi30k: its test captions, longer sources of the same words, and a large training set.

    texts.py [FOLDER]     says what FOLDER lacks of Multi30k, in one line, status 2; without a folder the one in $GRADUS_DATA, if it is set
"""
import gzip
import hashlib
import os
import pathlib
import random
import sys
import zlib

BATCH = 48  # sentences, as SearchOptions of chapter 11
TOKENS = 2048  # if all sentences of a batch were as long as the longest of all
# SHA-256 of the unpacked files of Multi30k's task 1 in original spelling. Those of the packed ones: `gradus data`.
MULTI30K = {
    "train.en": "460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6",
    "train.de": "2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72",
    "val.en": "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227",
    "val.de": "660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660",
    "test_2016_flickr.en": "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182",
    "test_2016_flickr.de": "4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16",
}


class NotThere(Exception):
    """A folder does not hold Multi30k. The message is one line."""


def content(folder, name):
    """Of FOLDER/NAME, or of the same with .gz, as `gradus train --data` finds texts. It is unpacked if it is packed, whatever its name."""
    path = next((path for path in (folder / name, folder / f"{name}.gz") if path.exists()), None)
    if path is None:
        raise NotThere(f"{folder} does not hold Multi30k: it has neither {name} nor {name}.gz")
    try:
        found = path.read_bytes()
        return path, gzip.decompress(found) if found.startswith(b"\x1f\x8b") else found
    except (OSError, EOFError, zlib.error) as error:
        raise NotThere(f"{path} cannot be read: {error}") from error


def multi30k(folder, digests=None):
    """Name: content of its files."""
    found = {}
    for name, digest in (digests or MULTI30K).items():
        path, found[name] = content(pathlib.Path(folder), name)
        if hashlib.sha256(found[name]).hexdigest() != digest:
            raise NotThere(f"{path} is not {name} of Multi30k, task 1, in original spelling: its text has another checksum")
    return found


def collect(data, place, digests=None):
    """The files of Multi30k in `place`, all of them packed."""
    place.mkdir(parents=True, exist_ok=True)
    for name, text in multi30k(data, digests).items():
        (place / f"{name}.gz").write_bytes(gzip.compress(text, mtime=0))


def lines_of(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def joined(captions, words, count):
    """`count` sources of that many words each: captions one after the other, cut."""
    sources, rest = [], []
    for caption in captions:
        rest += caption.split()
        if len(rest) >= words:
            sources.append(" ".join(rest[:words]))
            rest = []
        if len(sources) == count:
            break
    return sources


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def make(data, place, quick):
    """captions, words50 and words200 in `place`."""
    captions = lines_of(data / "test_2016_flickr.en.gz")
    write(place / "captions.en", captions[:200] if quick else captions)
    write(place / "words50.en", joined(captions, 50, 12 if quick else 48))
    write(place / "words200.en", joined(captions, 200, 6 if quick else 24))


def make_million(data, place, pairs=1_000_000):
    """A million different pairs: the training pairs with their words in random orders."""
    sides = [[line.split() for line in lines_of(data / f"train.{language}.gz")] for language in ("en", "de")]
    generator = random.Random(1)
    parts = [place / f"million.{language}.part" for language in ("en", "de")]
    with parts[0].open("w", encoding="utf-8") as source, parts[1].open("w", encoding="utf-8") as target:
        for i in range(pairs):
            for file, side in zip((source, target), sides):
                words = list(side[i % len(side)])
                generator.shuffle(words)
                file.write(" ".join(words) + "\n")
    for part in parts:
        part.rename(part.with_suffix(""))  # only now are the texts whole


def spread_evenly(sentences, count):
    """`count` of the sentences, as `gradus bench --alone` chooses them."""
    count = min(count, len(sentences))
    return [sentences[i * len(sentences) // count] for i in range(count)]


def batch_size(lengths, workers):
    """The sentences of a batch, so that each worker gets as many batches as the others."""
    most = max(1, min(BATCH, TOKENS // max(lengths)))
    batches = -(-len(lengths) // (most * workers)) * workers
    return -(-len(lengths) // batches)


def main():
    folder = next((one for one in (*sys.argv[1:2], os.environ.get("GRADUS_DATA", "")) if one), None)
    try:
        if folder is not None:
            multi30k(folder)
    except NotThere as error:
        print(f"{error}. Without DATA, Multi30k is fetched.", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
