#!/usr/bin/env python3
"""What --short-source changes: phrases of one to four words, and captions, with it and without. Prints JSON, for tests/measure/bench/record.py.

    short_sources.py PROGRAM DATA     DATA: folder with Multi30k's raw files

The phrases and their translations were made for this: none of them is from a corpus. They are translated by both bundled models, each from its
language, and count as right if the text is that of the pair, or one that stands behind it. The rule for phrases was chosen on those below and on the odd
lines of short_sources.tsv; its even lines are counted apart as "held_out", with their warnings "unsure". There a full stop at the end makes no difference. Of captions the sources are those of val and
test_2016_flickr, by the model en-de.
"""
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TOKENS = 6  # the default of --short-source
# English, German; several right ones are separated by /
PHRASES = [line.split(" = ") for line in """A cat. = Eine Katze.
Two men. = Zwei Männer.
Three women. = Drei Frauen.
A woman. = Eine Frau.
A man. = Ein Mann.
A dog. = Ein Hund.
Two dogs. = Zwei Hunde.
A boy. = Ein Junge.
A girl. = Ein Mädchen.
Two girls. = Zwei Mädchen.
Two boys. = Zwei Jungen./Zwei Jungs.
A child. = Ein Kind.
Two children. = Zwei Kinder.
Children. = Kinder.
People. = Menschen./Leute.
Some people. = Einige Leute./Einige Menschen./Ein paar Leute./Ein paar Menschen.
Men. = Männer.
Women. = Frauen.
Dogs. = Hunde.
A red car. = Ein rotes Auto.
A black dog. = Ein schwarzer Hund.
An old man. = Ein alter Mann.
A young woman. = Eine junge Frau.
A little girl. = Ein kleines Mädchen.
A white horse. = Ein weißes Pferd.
A horse. = Ein Pferd.
Two horses. = Zwei Pferde.
A bird. = Ein Vogel.
Two birds. = Zwei Vögel.
A ball. = Ein Ball.
A red ball. = Ein roter Ball.
A bicycle. = Ein Fahrrad.
A house. = Ein Haus.
A street. = Eine Straße.
The beach. = Der Strand.
A train. = Ein Zug.
A crowd. = Eine Menschenmenge./Eine Menge.
Four friends. = Vier Freunde.
A band. = Eine Band.
Music. = Musik.
Snow. = Schnee.
Water. = Wasser.
A dog runs. = Ein Hund rennt./Ein Hund läuft.
A cat sleeps. = Eine Katze schläft.
A girl smiles. = Ein Mädchen lächelt.
A man and a woman. = Ein Mann und eine Frau.
Two men talking. = Zwei Männer unterhalten sich./Zwei Männer reden./Zwei Männer sprechen.
Men and women. = Männer und Frauen.
A big house. = Ein großes Haus.
Three children playing. = Drei Kinder spielen./Drei spielende Kinder.""".split("\n")]

LIST = pathlib.Path(__file__).with_suffix(".tsv")


def held_out():
    """The even lines of the list: English, tab, German."""
    return [line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines()[1::2]]


def translated(program, model, lines, more, place):
    (place / "source").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return subprocess.run([program, "translate", "--model", model, "--input", place / "source", *more], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, encoding="utf-8", check=True).stdout.splitlines()


def has_double(text):
    words = re.findall(r"\w+", text)
    return any(one == other for one, other in zip(words, words[1:]))


def is_right(text, answers):
    return text.rstrip(".") in [answer.rstrip(".") for answer in answers.split("/")]


def of_held_out(program, more, place):
    """How many held-out phrases are translated rightly."""
    pairs = held_out()
    return sum(is_right(text, pair[1 - side]) for side, model in ((0, "en-de"), (1, "de-en"))
               for text, pair in zip(translated(program, model, [pair[side].split("/")[0] for pair in pairs], more, place), pairs))


def of_warnings(program, place):
    """Of the held-out phrases: which translations the warning "unsure" is given to."""
    counts = dict.fromkeys(("warned_bad", "warned_right", "bad_not_warned"), 0)
    for side, model in ((0, "en-de"), (1, "de-en")):
        lines = translated(program, model, [pair[side].split("/")[0] for pair in held_out()], ("--json",), place)
        for line, pair in zip(lines, held_out()):
            answer = json.loads(line)
            right = is_right(answer["text"], pair[1 - side])
            if any(warning["code"] == "unsure" for warning in answer["warnings"]):
                counts["warned_right" if right else "warned_bad"] += 1
            elif not right:
                counts["bad_not_warned"] += 1
    return {**counts, "bad": counts["warned_bad"] + counts["bad_not_warned"]}


def of_phrases(program, more, place):
    """(phrases translated rightly, phrases with a word twice running)"""
    right = doubled = 0
    for side, model in ((0, "en-de"), (1, "de-en")):
        texts = translated(program, model, [pair[side].split("/")[0] for pair in PHRASES], more, place)
        right += sum(text in pair[1 - side].split("/") for text, pair in zip(texts, PHRASES))
        doubled += sum(map(has_double, texts))
    return right, doubled


def bleu(program, texts, reference, place):
    (place / "hypotheses").write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    said = subprocess.run([program, "score", "--score-only", "--hypotheses", place / "hypotheses", "--references", reference],
                          stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    return float(said)


def lines_of(file):
    with gzip.open(file, "rt", encoding="utf-8") as text:
        return text.read().splitlines()


def measured(program, data, place):
    figures = {"tokens": TOKENS, "phrases": 2 * len(PHRASES), "captions": 0, "changed": 0,
               "held_out": {"phrases": 2 * len(held_out())}}
    figures["held_out"]["unsure"] = of_warnings(program, place)
    texts = {}
    for end, more in (("_before", ("--short-source", "0")), ("", ())):
        figures[f"right{end}"], figures[f"doubled{end}"] = of_phrases(program, more, place)
        figures["held_out"][f"right{end}"] = of_held_out(program, more, place)
        for name, part in (("val", "val"), ("test", "test_2016_flickr")):
            texts[name, end] = translated(program, "en-de", lines_of(data / f"{part}.en.gz"), more, place)
            figures[f"{name}{end}"] = {"bleu": bleu(program, texts[name, end], data / f"{part}.de.gz", place)}
    for name in ("val", "test"):
        pairs = list(zip(texts[name, "_before"], texts[name, ""]))
        figures["captions"] += len(pairs)
        figures["changed"] += sum(before != after for before, after in pairs)
    return figures


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measured(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(folder))))


if __name__ == "__main__":
    main()
