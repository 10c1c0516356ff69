"""Chapter 00: a batch as a padded block, and as rows plus offsets."""
from registry import picture
from svg import Picture

CHAPTER = "00_foundations"


@picture(f"chapters/{CHAPTER}/pictures/rows-and-offsets.svg")
def rows_and_offsets(data):
    section = data.section(CHAPTER, "a batch as rows plus offsets")
    lines = {line.split()[0]: line.split()[1:] for line in section.split("\n")}
    begin, length = ([int(word) for word in lines[name]] for name in ("begin", "length"))
    words, wide, left, high = lines["word"], 51, 14, 34
    colours = ("forward", "third")
    p = Picture(640, 340, "A padded block, and rows plus offsets", "The same two sentences in memory, once with padding, once without.")
    places = len(length) * max(length)
    p.text(left, 28, "Padded block", bold=True)
    p.text(left + 120, 28, f"{len(length)} sentences × {max(length)} = {places} places, {places - sum(length)} of them padding", "soft", 15)
    for at, (start, size) in enumerate(zip(begin, length)):
        y = 44 + at * (high + 4)
        p.text(left, y + 22, f"sentence {at}", "soft", 15)
        for column in range(max(length)):
            x = left + 2 * wide + column * wide
            if column < size:
                word_box(p, x, y, words[start + column], colours[at])
            else:
                p.rect(x, y, wide - 2, high, "none", "rule", radius=3, dashed=True)
                p.text(x + wide / 2 - 1, y + 22, "<pad>", "soft", 15, anchor="middle")
    top = 198
    p.text(left, top - 34, "Rows plus offsets", bold=True)
    p.text(left + 150, top - 34, f"{sum(length)} rows, no padding", "soft", 15)
    for row, word in enumerate(words):
        x = left + row * wide
        p.text(x + wide / 2 - 1, top - 8, str(row), "soft", 15, anchor="middle")
        owner = next((at for at in range(len(begin)) if begin[at] <= row < begin[at] + length[at]), None)
        if owner is None:
            p.rect(x, top, wide - 2, high, "none", "rule", radius=3, dashed=True)
        else:
            word_box(p, x, top, word, colours[owner])
    for at, (start, size) in enumerate(zip(begin, length)):
        x, end, y = left + start * wide, left + (start + size) * wide - 2, top + high + 10
        p.line([(x, y - 4), (x, y), (end, y), (end, y - 4)], colours[at])
        p.text(x, y + 22, f"begin[{at}] = {start}", colours[at], 15, True)
        p.text(x, y + 44, f"length[{at}] = {size}", colours[at], 15, True)
    p.text(left + sum(length) * wide, top + high + 32, "spare rows", "soft", 15)
    p.text(left, p.height - 16, "Spare rows: only where a step has a fixed size, on a GPU.", "soft", 15)
    return p


def word_box(p, x, y, word, kind):
    p.rect(x, y, 49, 34, "tile", radius=3)
    p.rect(x, y, 49, 34, kind, radius=3, opacity=0.25)
    p.text(x + 24.5, y + 22, word, size=15, anchor="middle")
