"""Chapter 09: the logits of each position as bars."""
import math

from registry import picture
from svg import Picture, signed

CHAPTER = "09_transformer"


@picture(f"chapters/{CHAPTER}/pictures/logits-as-bars.svg")
def logits_as_bars(data):
    section = data.section(CHAPTER, "from memory to logits")
    reads = section.split("decoder input:")[1].split("\n")[0].split()
    table = data.table(CHAPTER, "from memory to logits", "logits, transposed")
    likeliest = [line.split(":")[1].split()[:2] for line in data.section(CHAPTER, "the three likeliest words").split("\n")]
    left, wide, top, high = 84, 138, 76, 22
    largest = max(abs(value) for row in table.values for value in row)
    p = Picture(640, top + high * len(table.names) + 62, "The logits of four positions",
                "For each position a bar for each word of the vocabulary. The longest bar to the right is the word that is said.")
    p.text(left - 10, 50, "word", "soft", 15, anchor="end")
    for at, read in enumerate(reads):
        zero = left + at * wide + wide / 2 - 3
        p.text(zero, 24, "after", "soft", 15, anchor="middle")
        p.text(zero, 46, read, bold=True, anchor="middle")
        p.line([(zero, top - 6), (zero, top + high * len(table.names))], "rule", 1)
        best = max(range(len(table.names)), key=lambda row: table.values[row][at])
        for row, values in enumerate(table.values):
            length = values[at] / largest * (wide / 2 - 8)
            kind = "forward" if values[at] >= 0 else "backward"
            y = top + row * high
            p.rect(min(zero, zero + length), y + 3, abs(length), high - 6, kind, radius=2, opacity=1 if row == best else 0.38)
            if row == best:
                p.text(zero - 5, y + 16, signed(values[at], 1), "forward", 15, True, anchor="end")
        word, log_probability = likeliest[at]
        p.text(zero, top + high * len(table.names) + 24, word, "forward", 16, True, anchor="middle")
        p.text(zero, top + high * len(table.names) + 46, f"{100 * math.exp(float(log_probability)):.0f} %", "soft", 15, anchor="middle")
    for row, name in enumerate(table.names):
        p.text(left - 10, top + row * high + 16, name, size=15, anchor="end")
    p.text(left - 10, top + high * len(table.names) + 24, "says", "soft", 15, anchor="end")
    p.text(left - 10, top + high * len(table.names) + 46, "softmax", "soft", 15, anchor="end")
    return p
