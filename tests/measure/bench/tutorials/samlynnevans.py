"""samlynnevans: its positions by its formula and by the paper's, its loss as a perplexity, and what a begin mark costs in a translation.

It prints no translation.
"""

import math
import re

from umar_jamil import sinusoids

WIDTH, STILL = 512, 0.01
BEGIN = "<sos>"


def doubled(position, width):
    """The text's formula: its index i is the column, which grows by 2, and is doubled again."""
    row = []
    for column in range(0, width, 2):
        row += [math.sin(position / 10000 ** (2 * column / width)), math.cos(position / 10000 ** (2 * (column + 1) / width))]
    return row


def still_columns(formula, positions):
    """How many sine columns move by less than STILL over all positions."""
    rows = [formula(position, WIDTH) for position in range(positions)]
    return sum(max(column) - min(column) < STILL for column in list(zip(*rows))[::2])


def farthest_from_rotation(formula, frequency, positions):
    """How far a pair of columns at position + 1 is at most from the pair at `position`, rotated by the sine's frequency."""
    worst = 0.0
    for position in range(positions - 1):
        here, there = formula(position, WIDTH), formula(position + 1, WIDTH)
        for pair in range(WIDTH // 2):
            s, c = here[2 * pair:2 * pair + 2]
            turn = frequency(pair)
            expected = s * math.cos(turn) + c * math.sin(turn), c * math.cos(turn) - s * math.sin(turn)
            worst = max(worst, math.dist(expected, there[2 * pair:2 * pair + 2]))
    return worst


def measured(text, gradus, data):
    loss = float(re.search(r"a loss of around ([\d.]+)", text).group(1))
    positions = int(re.search(r"max_seq_len = (\d+)", text).group(1))
    sources, references = data
    translations = gradus.translations(sources)
    return {"printed": loss, "perplexity": math.exp(loss), "positions": positions, "sine_columns": WIDTH // 2,
            "still_columns": still_columns(doubled, positions), "still_columns_of_paper": still_columns(sinusoids, positions),
            "rotation_error": farthest_from_rotation(doubled, lambda pair: 10000 ** (-4 * pair / WIDTH), positions),
            "bundled_bleu": gradus.bleu(translations, references),
            "with_mark_bleu": gradus.bleu([f"{BEGIN} {line}" for line in translations], references)}
