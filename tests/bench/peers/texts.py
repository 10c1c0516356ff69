"""The texts of the comparison, made from Multi30k: its test captions, longer sources of the same words, and a large training set."""
import gzip
import random

BATCH = 48  # sentences, as SearchOptions of chapter 11
TOKENS = 2048  # if all sentences of a batch were as long as the longest of all


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


def batch_size(lengths, workers):
    """The sentences of a batch, so that each worker gets as many batches as the others."""
    most = max(1, min(BATCH, TOKENS // max(lengths)))
    batches = -(-len(lengths) // (most * workers)) * workers
    return -(-len(lengths) // batches)
