#!/usr/bin/env python3
"""Checks what the pages say about the five tutorials against the tutorials' texts.

    docs/tools/claims.py [--texts FOLDER] [PAGE ...]

What a page says about a tutorial has its sources in docs/claims/PAGE.txt: words of the page that stand there exactly once, and below
them, indented, the sources. One names the tutorial, the line or the lines of its text, and some words that stand there; or words that
stand nowhere in it:

    mask looks ahead in two of them
        from-zero 397 "looking ahead in the decoder blocked"
        umar-jamil 60-62 "div_term"
        from-zero never "dropout"
    These pages are for those
        nothing

`nothing` says that the page says nothing about a text. Sources serve the paragraph, list item or table row that has the words; words
of the head of a table serve all its rows. In docs/claims/docs/tutorials/NAME.txt a source may leave out NAME. These need sources:

  - on the page of a tutorial, docs/tutorials/NAME.md, each paragraph, list item and table row;
  - on any other page, those below "What public tutorials get wrong";
  - anywhere, those that have the word "tutorial" or a tutorial's name outside of links and code.

What says that two, three, four or five tutorials do something has sources in so many. The texts are not part of the project: without
their folder (--texts, the variable GRADUS_TUTORIALS, or ../shared/seeds) only the form of the sources is checked.
"""
import argparse
import os
import re
import sys
from pathlib import Path

import markdown
import wording

TEXTS = {"say-hello2y": "000", "from-zero": "001", "hyunwoongko": "002", "umar-jamil": "003", "samlynnevans": "004"}
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
SECTION = "What public tutorials get wrong"

ITEM = re.compile(r'(?:(?P<name>[a-z0-9-]*[a-z][a-z0-9-]*) )??(?:(?P<first>\d+)(?:-(?P<last>\d+))?|(?P<never>never)) "(?P<words>[^"]+)"')
ADDRESS = re.compile(r"<https?:[^>]*>")
MENTION = re.compile(r"\btutorials?\b|" + "|".join(rf"\b{name}\b" for name in TEXTS), re.I)
RULE = re.compile(r"\|[\s|:-]+\|$")  # below the head of a table
COUNT = re.compile(r"\b(two|three|four|five) (?:of the (?:five|other) )?(?:\w+ )?tutorials\b|\b(two|three|four|five) of the five\b", re.I)


class Block:
    """A paragraph, a list item or a row of a table, which has a head; `sources` are lines of docs/claims."""

    def __init__(self, line, section, text="", head=""):
        self.line, self.section, self.text, self.head, self.sources = line, section, text, head, []


def blocks(text):
    """The blocks of a page, without headings, code, heads of tables, and lines that hold only a comment."""
    found, section, block, head = [], "", None, ""
    lines = markdown.without(text, markdown.FENCE).split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#") or re.fullmatch(r"\s*<!--.*-->", line):
            block = None
            section = line[3:].strip() if line.startswith("## ") else section
        elif line.startswith("|"):
            block = None
            if number < len(lines) and RULE.match(lines[number]):
                head = line
            elif not RULE.match(line):
                found.append(Block(number, section, line, head))
        else:
            bullet = re.match(r"\s*(?:[-*]|\d+\.) ", line)
            if not bullet and not block and line.startswith("    "):
                continue
            if bullet or not block:
                block = Block(number, section)
                found.append(block)
            block.text += line + "\n"
    return found


def entries(lines):
    """[(place, words of the page, sources)] of docs/claims/PAGE.txt"""
    found = []
    for place, line in lines:
        if line[0] != " ":
            found.append((place, line.strip(), []))
        elif found:
            found[-1][2].append(line.strip())
    return found


def place_sources(found, text, lines):
    """Gives the blocks of a page their sources; returns complaints about words that are not there."""
    text, problems = wording.prose(text), []
    for place, words, sources in entries(lines):
        try:
            wording.only(wording.pattern(words), text, words)
            served = [block for block in found if words in flat([block.text])] or [block for block in found if words in flat([block.head])]
            if not served or not sources:
                raise wording.Lost(f'"{words}" stands in no paragraph, item or row' if sources else f'no source below "{words}"')
            for block in served:
                block.sources += sources
        except wording.Lost as problem:
            problems.append(f"{place}: {problem}")
    return problems


class Texts:
    """The texts of the tutorials, as lists of lines."""

    def __init__(self, folder):
        self.lines = {}
        for name, prefix in TEXTS.items():
            files = sorted(folder.glob(prefix + "*.txt"))
            if len(files) != 1:
                sys.exit(f"claims: {folder}: {len(files)} files {prefix}*.txt, the text of {name}; expected one")
            self.lines[name] = files[0].read_text(encoding="utf-8").split("\n")

    def problem(self, name, item):
        words, lines = flat([item["words"]]), self.lines[name]
        if item["never"]:
            return f'{name} has "{words}"' if words.lower() in flat(lines).lower() else None
        first, last = int(item["first"]), int(item["last"] or item["first"])
        if words in flat(lines[first - 1:last]):
            return None
        at = [str(number) for number, line in enumerate(lines, 1) if words in flat([line])]
        where = f"{first}-{last}" if last > first else first
        return f'{name} {where} has no "{words}"; ' + (f"line {', '.join(at)} has" if at else "no line has")


def flat(lines):
    return " ".join(" ".join(lines).split())


def spoken(text):
    """The text without links, code and comments."""
    return markdown.without(text, markdown.COMMENT, markdown.CODE, markdown.LINK, ADDRESS)


def needs_source(block, tutorial):
    return bool(tutorial) or block.section == SECTION or MENTION.search(spoken(block.text)) is not None


def problems_of(block, tutorial, texts):
    """What is wrong with a block of a page; `tutorial` is the one that the page is about, or None."""
    if not block.sources:
        return ["speaks of a tutorial without a source: " + flat([block.text])[:70]] if needs_source(block, tutorial) else []
    if set(block.sources) == {"nothing"}:
        return []
    found, named = [], set()
    for source in block.sources:
        item = ITEM.fullmatch(source)
        found += item_problems(item, tutorial, texts, named) if item else [f"a source that is not understood: {source}"]
    said = max([NUMBERS[(count[0] or count[1]).lower()] for count in COUNT.findall(spoken(block.text))], default=0)
    if not tutorial and said > len(named):
        found.append(f"says {said} tutorials, has sources in {len(named)}")
    return found


def item_problems(item, tutorial, texts, named):
    name = item["name"] or tutorial
    if name not in TEXTS:
        return [f"no tutorial of that name: {item[0]}"]
    named.add(name)
    problem = texts and texts.problem(name, item)
    return [problem] if problem else []


def main():
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=root, help="another top folder of the project")
    parser.add_argument("--texts", type=Path, default=os.environ.get("GRADUS_TUTORIALS"), help="the folder of the five texts")
    parser.add_argument("page", nargs="*", type=Path, help="only these pages")
    options = parser.parse_args()

    root = options.root.resolve()
    folder = options.texts or root.parent / "shared" / "seeds"
    if options.texts and not folder.is_dir():
        raise SystemExit(f"no folder {folder} with the texts of the tutorials")
    texts = Texts(folder) if folder.is_dir() else None
    problems, count = [], 0
    for path in markdown.chosen(root, options.page):
        name = path.relative_to(root)
        tutorial = path.stem if path.parent == root / "docs" / "tutorials" and path.stem in TEXTS else None
        text = path.read_text(encoding="utf-8")
        found = blocks(text)
        problems += place_sources(found, text, wording.lines_beside(root, "claims", path))
        for block in found:
            count += len(block.sources)
            problems += [f"{name}:{block.line}: {problem}" for problem in problems_of(block, tutorial, texts)]
    if not options.page:
        problems += wording.without_page(root, "claims")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"claims: {count} sources, {len(problems)} problems" + ("" if texts else f" (not compared with the texts: no folder {folder})"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
