"""from-zero: what its loss can be at best, counted from its six pairs, and what its printed mask hides. It prints no translation."""

import ast
import collections
import math
import re
import string

PADDING = "<pad>"


def pairs(text):
    """The six pairs of its last list, cleaned and cut as the text describes it."""
    source = text[text.rindex("translations = [") + len("translations = "):]
    marks = str.maketrans("", "", string.punctuation)
    return [[side.lower().translate(marks).split(" ") for side in pair] for pair in ast.literal_eval(source[:source.index("\n]") + 2])]


def asked(pair):
    """What the rows of a pair ask for: the shorter side is padded, two marks follow."""
    source, target = pair
    return target + [PADDING] * max(0, len(source) - len(target)) + [PADDING, "<eos>"]


def least_over_positions(rows):
    """The least loss if each word's shares sum to 1 over the rows: a word that is asked k times gets 1/k in each."""
    return sum(k * math.log(k) for k in collections.Counter(rows).values())


def least_without_source(firsts):
    """The least loss of rows that cannot see the source, so that all have the same shares, if these sum to 1 over the words."""
    return -sum(k * math.log(k / len(firsts)) for k in collections.Counter(firsts).values())


def tables(text):
    """The printed masks: for each its column names and its rows of numbers."""
    found = []
    for names, rows in re.findall(r"^((?:\S+ ){4}\S+)\n((?:\S+(?: [01]\.0){5}\n){5})", text, re.MULTILINE):
        found.append((names.split(), [[float(cell) for cell in row.split()[1:]] for row in rows.splitlines()]))
    return found


def masks(text):
    """What the decoder's mask shows and hides if its columns are source words, as in the text's cross-attention."""
    (source, _), (_, mask), *_ = tables(text)
    seen = {at: sum(row[at] for row in mask) for at in range(len(source))}
    return {"rows_that_see_nothing": sum(not any(row) for row in mask),
            "words_never_seen": sum(seen[at] == 0 for at, word in enumerate(source) if not word.startswith("<")),
            "padding_seen": int(sum(seen[at] for at, word in enumerate(source) if word == PADDING))}


def softmax_with_limits(scores):
    parts = [math.exp(min(score, 25)) for score in scores]
    return [part / (sum(parts) + 1e-5) for part in parts]


def measured(text, _, __):
    rows = [asked(pair) for pair in pairs(text)]
    loss, epochs, minutes, seconds = re.search(r"Loss:([\d.]+): 100%.*?(\d+)/\d+ \[(\d+):(\d+)<", text).groups()
    least, updates = sum(map(least_over_positions, rows)), int(epochs) * len(rows)
    return {"pairs": len(rows), "rows": sum(map(len, rows)), "padding": sum(row.count(PADDING) for row in rows), "printed": float(loss),
            "least": least, "above_least": float(loss) - least, "least_first_words": least_without_source([row[0] for row in rows]),
            "updates": updates, "updates_a_second": updates / (60 * int(minutes) + int(seconds)),
            "shares_of_low_scores": round(sum(softmax_with_limits((-20, -21, -22))), 4), **masks(text)}
