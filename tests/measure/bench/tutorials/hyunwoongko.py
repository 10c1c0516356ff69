"""hyunwoongko: its number of parameters, and what the scorer of its repository gives to translations by the bundled model.

The text prints no output. The README of its repository has a number of parameters and a "BLEU"; both are written in the page, because
the README is not part of the text.
"""

import re
import statistics

import scorers
import sizes

VOCABULARIES = (5893, 7855)  # words of the README's number of parameters
PAIRS = 29000  # of Multi30k


def setting(text, name):
    return float(re.search(rf"^{name} = (\S+)$", text, re.MULTILINE).group(1))


def measured(text, gradus, data):
    width, inner, depth, batch, epochs, warmup = (int(setting(text, name)) for name in
                                                  ("d_model", "ffn_hidden", "n_layers", "batch_size", "epoch", "warmup"))
    layers = sizes.layers(width, inner, depth, 2 * width)
    updates = -(-PAIRS // batch)
    sources, references = data
    translations = gradus.translations(sources)
    letters = [scorers.letters(*(" ".join(scorers.tokens(line)) for line in pair)) for pair in zip(translations, references)]
    return {"layers_parameters": layers, "parameters": layers + VOCABULARIES[0] * width + VOCABULARIES[1] * (2 * width + 1),
            "updates_an_epoch": updates, "updates": updates * epochs, "updates_of_warmup": updates * warmup,
            "bundled_letters": statistics.mean(letters), "bundled_bleu": gradus.bleu(translations, references)}
