#!/usr/bin/env python3
"""Writes a model's card (README.md) and its scores (scores.json) from its own files; models/train calls it.

    model_card.py MODEL --cased FILE --int8 FILE --tokenised FILE [--from en --into de] [--beam-size 5] [--length-penalty 1.0] [--trained TEXT]
                  [--figures docs/records/measured.json]
                  [--seeds RUN RUN ...]       runs of several seeds, scored, for the table of the card
    model_card.py --best RUN RUN ...          prints only the run with the highest validation BLEU

--cased and --int8 are the outputs of `gradus score` for translations with the model's weights and with 8-bit ones, --tokenised that of tokenised_bleu.py. An empty --trained keeps the last card's text.
--figures names the file with the lessons' numbers; its part `bundled`, or `bundled_de_en`, is renewed.
"""
import argparse
import hashlib
import json
import math
import re
import struct
import sys
from pathlib import Path

LANGUAGES = {"en": "English", "de": "German"}

CARD = """# {title}

This model translates {source} photo captions into {target}. It is an encoder-decoder Transformer with {parameters:,} parameters, and the program
of this project trained it on Multi30k. `models/train` writes this page together with [scores.json](scores.json).

| | |
|---|---|
| layers | {encoder_layers} + {decoder_layers}, {norm}-norm, D = {d_model}, {heads} heads, F = {ffn} |
| vocabulary | {source_vocab:,} subwords for both languages, learnt from the training sentences alone; one table for source, target and output |
| files | `weights.safetensors` (F16), `subwords.model` (SentencePiece), `model.json`: {megabytes:.1f} MB together |
| SHA-256 of the weights | `{sha256}` |

## Scores

test_2016_flickr, 1,000 sentences, never seen in training, beam {beam_size}, length penalty
{length_penalty}, the model as it is stored here:

| | score |
|---|---:|
| BLEU, cased, as a reader sees the text | **{bleu:.2f}** |
| chrF2 | **{chrf2:.2f}** |
| BLEU, lower-cased and tokenised, as papers on this data print it | **{tokenised_bleu:.2f}** |
| BLEU, cased, with [weights of 8 bits](../../int8.md) (`--int8`) | {int8_bleu:.2f} |

```
{bleu_signature}
{chrf2_signature}
{tokenised_signature}
```

The first and the third are different scales; [BLEU and chrF2](../../metrics/README.md) says why. Only the third may be compared with a paper's
number. `models/train --score-only` measures all of them again.

## How it was trained

On the 29,000 raw training pairs, cased and not tokenised: {steps:,} steps of at most {batch_tokens:,} tokens, seed {seed}. The
weights are {kept}. Trained on:
{trained}.

This is the whole recipe (`model.json` holds it too). On the same kind of machine the same command gives the same bits, whatever
the number of threads:

```
{command}
```

The 1,014 validation pairs show how it goes on{choice}; the test pairs take no part in training, nor in the choice of the
recipe. Beam and length penalty are the program's defaults and were not tuned{penalty}.

{seeds_text}

## What it is not good for

- **Anything but descriptions of photos.** It has read 29,000 of them and nothing else: short sentences in the present tense about people,
  dogs and streets. For a question, a contract or the news it writes words that look {target} and mean nothing. `gradus translate` warns of
  [many bad translations](../../app/README.md#what-it-warns-of), but not of all.
- **Names and unknown words.** It builds them from pieces, often wrongly, or writes another word. A letter that occurs
  in no caption cannot be written at all.
- **Long texts.** It reads one sentence at a time, without the sentences before. Beyond fifteen words quality falls, beyond twenty it falls fast.
- **Fairness.** {fairness}
- **Any use in which a wrong translation does harm.** It leaves out words and adds some, and its score does not say where.

## Terms of the data

Multi30k may be used for non-commercial research and education. These weights were learnt from it: use them for nothing else. The project's
licence covers its code and its text, not these data. Please cite

> Desmond Elliott, Stella Frank, Khalil Sima'an, Lucia Specia: Multi30K: Multilingual English-German Image Descriptions. Proceedings of the
> 5th Workshop on Vision and Language, 2016.
"""


PENALTY = {  # what else was tried, by the language that is read
    "en": """; [a larger penalty](../../search/README.md#the-rules), which val prefers,
was tried once on the test pairs, with models of fewer subwords, and gave lower scores there""",
    "de": "",
}

FAIRNESS = {  # by the language that is read
    "en": """English often does not say a person's gender, and German often must. Then the model takes what was frequent in the captions:
  its doctors are men, its nurses women.""",
    "de": """German often does not say what an English pronoun must say ("ihr", "sein"). Then the model
  takes what was frequent in the captions.""",
}


def last_score(text, name):
    """The signature and the score of the line that begins with `name`."""
    found = re.search(rf"^({name}\|\S+) = ([\d.]+)", text, re.M)
    if not found:
        raise SystemExit(f"model_card.py: there is no line of {name} in\n{text}")
    return found[1], float(found[2])


def parameter_count(weights):
    """The number of parameters, from the header of a safetensors file: eight bytes with its length, then JSON."""
    header = json.loads(weights[8:8 + struct.unpack("<Q", weights[:8])[0]])
    return sum(math.prod(tensor["shape"]) for name, tensor in header.items() if name != "__metadata__")


def train_command(recipe, ways):
    """The command line with the whole recipe, so that it does not depend on defaults; `ways` is the direction."""
    model = recipe["model"]
    options = {
        "vocab-size": model["source_vocab"], "d-model": model["d_model"], "heads": model["heads"],
        "layers": model["encoder_layers"], "ffn": model["ffn"], "norm": model["norm"], "dropout": model["residual_rate"],
        "attention-dropout": model["attention_rate"], "epochs": recipe["epochs"], "batch-tokens": recipe["batch tokens"],
        "learning-rate": recipe["learning rate"], "warmup": recipe["warmup"], "schedule": recipe["schedule"],
        "label-smoothing": recipe["label smoothing"], "clip": recipe["clip"], "patience": recipe["patience"],
        "average-last": recipe["average last"], "seed": recipe["seed"],
        "normalise": recipe.get("normalisation", "at-use")}
    words = ["gradus train", "--data multi30k", *ways, "--output model", *(f"--{name} {value}" for name, value in options.items())]
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) > 116:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += " " + word
    return "\n".join(lines)


def seed_scores(run):
    """The results of models/train for one seed."""
    read = lambda name: (run / name).read_text(encoding="utf-8")
    recipe = json.loads(read("model.json"))["notes"]["recipe"]
    return {"seed": recipe["seed"], "val_bleu": last_score(read("val.cased"), "BLEU")[1],
            "bleu": last_score(read("test_2016_flickr.cased"), "BLEU")[1],
            "chrf2": last_score(read("test_2016_flickr.cased"), "chrF2")[1],
            "tokenised_bleu": last_score(read("test_2016_flickr.tokenised"), "BLEU")[1]}


def best_seed(seeds):
    return max(seeds, key=lambda s: s["val_bleu"])["seed"]


def seeds_text(seeds, stored):
    """A table of the seeds with mean and range; it marks the stored one."""
    if len(seeds) < 2:
        on_val = "".join(f" It has {s['val_bleu']:.2f} BLEU on val, cased." for s in seeds)
        return "One seed was trained: by how much others differ has not been measured." + on_val
    names = ("val_bleu", "bleu", "chrf2", "tokenised_bleu")
    lines = ["| seed | BLEU on val | BLEU | chrF2 | BLEU, tokenised |", "|---|---:|---:|---:|---:|"]
    lines += [f"| {s['seed']} | " + " | ".join(f"{s[name]:.2f}" for name in names) + " |" for s in seeds]
    columns = [[s[name] for s in seeds] for name in names]
    lines.append("| mean | " + " | ".join(f"{sum(c) / len(c):.2f}" for c in columns) + " |")
    lines.append("| range | " + " | ".join(f"{min(c):.2f} to {max(c):.2f}" for c in columns) + " |")
    best = best_seed(seeds)
    kept = f"stored here is seed {stored}" + (", the best on val" if stored == best else f"; on val seed {best} is better")
    return f"Each seed as it would be stored; {kept}:\n\n" + "\n".join(lines)


def choice(seeds, stored):
    """The choices that were made on the validation pairs."""
    if len(seeds) < 2:
        return ""
    return " and choose between seeds" if stored == best_seed(seeds) else ", and did not choose this seed"


def kept(weights, recipe):
    """Which of the run's weights the model has, from its metadata: `mean of the last 4 validations: loss ...`."""
    mean = re.match(r"mean of the last (\d+) validations", weights)
    if not mean:
        return "those " + weights.split(":")[0]
    return f"the mean of those after each of the last {mean[1]} " + ("validations" if recipe["validate every"] else "epochs")


def direction(arguments):
    """The parts of the card that depend on the direction."""
    source, target = LANGUAGES[arguments.source], LANGUAGES[arguments.target]
    title = "The bundled model" if arguments.source == "en" else f"The bundled model from {source} into {target}"
    return {"title": title, "source": source, "target": target, "fairness": FAIRNESS[arguments.source],
            "penalty": PENALTY[arguments.source]}


def main():
    if sys.argv[1:2] == ["--best"]:
        print(max(map(Path, sys.argv[2:]), key=lambda run: seed_scores(run)["val_bleu"]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--from", dest="source", choices=LANGUAGES, default="en")
    parser.add_argument("--into", dest="target", choices=LANGUAGES, default="de")
    parser.add_argument("--cased", type=Path, required=True)
    parser.add_argument("--int8", type=Path, required=True)
    parser.add_argument("--tokenised", type=Path, required=True)
    parser.add_argument("--beam-size", type=int, default=5)
    parser.add_argument("--length-penalty", type=float, default=1.0)
    parser.add_argument("--trained", default="")
    parser.add_argument("--figures", type=Path)
    parser.add_argument("--seeds", type=Path, nargs="+", default=[])
    arguments = parser.parse_args()

    files = [arguments.model / name for name in ("model.json", "subwords.model", "weights.safetensors")]
    description = json.loads(files[0].read_text(encoding="utf-8"))
    weights = files[2].read_bytes()
    old = arguments.model / "scores.json"
    sha256 = hashlib.sha256(weights).hexdigest()
    if description.get("weights", {"sha256": sha256})["sha256"] != sha256:
        raise SystemExit(f"model_card.py: {files[2]} are not the weights that belong to model.json; copy both again")
    known = json.loads(old.read_text(encoding="utf-8")) if old.exists() else {}
    known = known if known.get("sha256") == sha256 else {}  # what is said of other weights is not true of these
    cased, tokenised = arguments.cased.read_text(encoding="utf-8"), arguments.tokenised.read_text(encoding="utf-8")
    scores = {"test": "test_2016_flickr", "beam_size": arguments.beam_size, "length_penalty": arguments.length_penalty}
    for name, text, pattern in (("bleu", cased, "BLEU"), ("chrf2", cased, "chrF2"), ("tokenised_bleu", tokenised, "BLEU")):
        signature, scores[name] = last_score(text, pattern)
        scores[name.removesuffix("_bleu") + "_signature"] = signature
    scores["int8_bleu"] = last_score(arguments.int8.read_text(encoding="utf-8"), "BLEU")[1]
    recipe = description["notes"]["recipe"]
    scores.update(parameters=parameter_count(weights), steps=description["notes"]["steps"], seed=recipe["seed"],
                  megabytes=round(sum(file.stat().st_size for file in files) / 1e6, 1),
                  trained=arguments.trained or known.get("trained") or "a machine that was not recorded", sha256=sha256,
                  seeds=[seed_scores(run) for run in arguments.seeds] or known.get("seeds", []))
    if len(scores["seeds"]) > 1:
        for name in ("val_bleu", "tokenised_bleu"):
            scores[f"{name}_mean"] = round(sum(s[name] for s in scores["seeds"]) / len(scores["seeds"]), 2)

    text = json.dumps(scores, indent=1) + "\n"
    old.write_text(text, encoding="utf-8")
    (arguments.model / "README.md").write_text(
        CARD.format(**description["model"], **scores, **direction(arguments), batch_tokens=recipe["batch tokens"],
                    command=train_command(recipe, [f"--source-lang {arguments.source}", f"--target-lang {arguments.target}"]),
                    kept=kept(description["notes"]["weights"], recipe), choice=choice(scores["seeds"], scores["seed"]), seeds_text=seeds_text(scores["seeds"], scores["seed"])),
        encoding="utf-8")
    if arguments.figures:
        known = json.loads(arguments.figures.read_text(encoding="utf-8")) if arguments.figures.exists() else {}
        known["bundled" if arguments.source == "en" else "bundled_de_en"] = scores
        arguments.figures.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
