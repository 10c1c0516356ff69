#!/usr/bin/env python3
"""Names the lines of quoted code that are too wide: a page shows code without a scroll bar if no line has more than 96 columns.
`wide_cells` finds cells of tables: the table of a page stays a table if no cell has more than 120.

    docs/tools/columns.py              every page
    docs/tools/columns.py PAGE ...     these pages
    docs/tools/columns.py --width 100  another width

A quoted block is what stands between `<!-- code: FILE NAME -->` and `<!-- end -->`; docs/tools/lessons.py fills it from the sources. Prints
page:line: width, the block, the code; exit 1 if there is one.
"""
import argparse
import re
import sys
import unicodedata
from pathlib import Path
from typing import NamedTuple

import markdown

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 96
CELL = 120
BLOCK = re.compile(r"^<!-- code: (?P<name>.+?) -->\n(?P<inside>.*?)^<!-- end -->", re.M | re.S)
EXAMPLE = re.compile(r"^````.*?^````", re.M | re.S)  # a page that explains blocks shows some


class Wide(NamedTuple):
    line: int  # of the page, from 1
    block: str
    width: int
    code: str


def columns(line):
    """The columns of a line: a combining mark has none, a wide character two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line if not unicodedata.combining(c))


def wide_lines(text, width=WIDTH):
    """The lines above `width` in the quoted code of a page."""
    text = markdown.without(text, EXAMPLE)
    found = []
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start("inside")) + 1
        for number, line in enumerate(block["inside"].split("\n"), first):
            if columns(line) > width:
                found.append(Wide(number, block["name"], columns(line), line.strip()))
    return found


def wide_cells(text, width=CELL):
    """(line, columns) of the cells above `width` in the tables of a page."""
    return [(number, columns(cell.strip())) for number, line in enumerate(text.split("\n"), 1) if line.startswith("|")
            for cell in line.split("|") if columns(cell.strip()) > width]


def main(arguments=None, root=ROOT):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="*", type=Path)
    parser.add_argument("--width", type=int, default=WIDTH)
    options = parser.parse_args(arguments)
    lines, blocks = 0, set()
    pages = markdown.chosen(root, options.page)
    for path in pages:
        name = path.relative_to(root).as_posix()
        for wide in wide_lines(path.read_text(encoding="utf-8"), options.width):
            print(f"{name}:{wide.line}: {wide.width} columns, {wide.block}: {wide.code}")
            lines += 1
            blocks.add((name, wide.block))
    print(f"columns: {len(pages)} pages, {lines} lines above {options.width} in {len(blocks)} quoted blocks")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
