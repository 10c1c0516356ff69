"""Finds words of a page again, for the files that say what is checked of it: docs/values/PAGE.txt and docs/claims/PAGE.txt. A module, no program.

    text = wording.prose(path.read_text(encoding="utf-8"))
    match = wording.only(wording.pattern("scores 39.93 BLEU"), text, "scores 39.93 BLEU")
"""
import difflib
import re

import markdown

LONGEST = 160  # characters of a line that a complaint quotes


class Lost(Exception):
    """Words that do not stand on the page exactly once, or a line that is not understood."""


def prose(text):
    """The text with its code and comments blanked; each character keeps its place."""
    for kind in (markdown.FENCE, markdown.COMMENT):
        text = kind.sub(lambda match: re.sub(r"[^\n]", "\0", match[0]), text)
    return text


def pattern(words):
    """A pattern of the words, which a page may break into lines where it likes."""
    return r"\s+".join(map(re.escape, re.split(r"\s+", words)))


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def only(sought, text, words, part=None, hint="name more words"):
    """The one match of a pattern in the text, or in a part (begin, end) of it; `words` is the pattern in words."""
    begin, end = part or (0, len(text))
    matches = list(re.compile(sought).finditer(text, begin, end))
    if not matches:
        raise Lost(f'the page has no "{words}"; {nearest(words, text, begin, end)}')
    if len(matches) > 1:
        lines = " and ".join(str(line_of(text, match.start())) for match in matches[:3])
        raise Lost(f'"{words}" stands {len(matches)} times on the page, in lines {lines}; {hint}')
    return matches[0]


def nearest(words, text, begin, end):
    """The line that has most of the words, with the next one, where they may go on; for a heading the nearest heading."""
    wanted, first = set(re.findall(r"\w+", words)), line_of(text, begin)
    lines = text[begin:end].split("\n")
    common = lambda some: len(wanted & set(re.findall(r"\w+", " ".join(some))))
    alike = lambda line: difflib.SequenceMatcher(None, words, line).ratio()
    best = max(range(len(lines)), key=lambda at: ((lines[at][:1] == "#") == (words[:1] == "#"), common(lines[at:at + 2]), common(lines[at:at + 1]),
                                                  alike(lines[at])))
    return f"nearest is line {first + best}: {lines[best].strip()[:LONGEST]}"


def beside(root, kind, page):
    """The file that says what is checked of a page; `kind` is values or claims."""
    return (root / "docs" / kind / page.relative_to(root)).with_suffix(".txt")


def lines_beside(root, kind, page):
    """[(name of the file and number of the line, line)], without empty lines."""
    file = beside(root, kind, page)
    lines = file.read_text(encoding="utf-8").split("\n") if file.is_file() else []
    return [(f"{file.relative_to(root).as_posix()}:{number}", line) for number, line in enumerate(lines, 1) if line.strip()]


def without_page(root, kind):
    """Complaints about files whose page is not there."""
    top = root / "docs" / kind
    pages = [(file, file.relative_to(top).with_suffix(".md").as_posix()) for file in sorted(top.rglob("*")) if file.is_file()]
    return [f"{file.relative_to(root).as_posix()}: no page {page}; rename this file as the page was renamed, or remove it"
            for file, page in pages if file.suffix != ".txt" or not (root / page).is_file()]
