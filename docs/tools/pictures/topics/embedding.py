"""Chapter 01: words become ids, ids choose rows of a table."""
from registry import picture
from svg import Picture, signed

CHAPTER = "01_embedding"
SECTION = "the sentence as vectors"
ROW, CELL, TABLE_X, ROWS_X = 23, 46, 210, 450


@picture(f"chapters/{CHAPTER}/pictures/ids-to-vectors.svg")
def ids_to_vectors(data):
    ids = data.table(CHAPTER, "the sentence as ids")
    table = data.table(CHAPTER, SECTION, "source_embedding")
    rows = data.table(CHAPTER, SECTION, "rows of the table")
    p = Picture(640, 356, "From words to vectors",
                "Each word of a sentence has an id. The id chooses a row of the embedding table. The chosen rows form the output.")
    top, first = 62, 138  # of the table; of the sentence
    headings(p, len(table.names), len(rows.names), len(rows.values[0]))
    for at, name in enumerate(table.names):
        chosen = name in ids.names
        y = top + at * ROW
        p.text(TABLE_X - 32, y + 16, name, "ink" if chosen else "soft", 15, chosen, anchor="end")
        p.text(TABLE_X - 8, y + 16, str(at), "ink" if chosen else "soft", 15, chosen, anchor="end")
        numbers(p, TABLE_X, y, table.values[at], chosen)
    for at, name in enumerate(ids.names):
        y, row = first + at * 32, int(ids.values[at][0])
        middle = top + row * ROW + ROW / 2 - 1
        p.text(12, y + 16, name, bold=True, size=15)
        p.text(84, y + 16, str(row), "forward", 15, True, anchor="end")
        p.curve(90, y + 11, TABLE_X - 92, middle, "forward", head=0)
        p.curve(TABLE_X + 4 * CELL, middle, ROWS_X - 4, y + 11, "forward")
        numbers(p, ROWS_X, y, rows.values[at], True)
    return p


def headings(p, vocabulary, words, width):
    p.text(12, 24, "word", "soft")
    p.text(84, 24, "id", "soft", anchor="end")
    p.text(TABLE_X, 24, "embedding table", "soft")
    p.text(TABLE_X, 46, f"(Vocab, D) = {vocabulary} × {width}", "soft", 15)
    p.text(ROWS_X, 104, "one vector for each word", "soft")
    p.text(ROWS_X, 126, f"(N, D) = {words} × {width}", "soft", 15)


def numbers(p, x, y, values, chosen):
    for at, value in enumerate(values):
        left = x + at * CELL
        p.rect(left, y, CELL - 2, ROW - 2, "tile", radius=2)
        if chosen:
            p.rect(left, y, CELL - 2, ROW - 2, "forward" if value >= 0 else "backward", radius=2, opacity=0.12 + 0.3 * min(1, abs(value)))
        p.text(left + CELL / 2 - 1, y + 16, signed(value), "ink" if chosen else "soft", 15, anchor="middle")
