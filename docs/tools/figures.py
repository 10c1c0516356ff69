"""The measured numbers in the sentences of a page. A module, no program.

docs/values/PAGE.txt holds, for each number of PAGE.md that a script has measured, some words of its sentence with the number's name:

    The bundled model has {bundled.parameters:,} parameters
    ## On another processor
    | beam 5 | {peers.rows.beam.gradus} | {.peer} | {.ratio} |

A name is a path in docs/records/measured.json, or `mutants.` and one in mutants.json, or a page's `minutes.`. Behind a colon stands
Python's format. A name that begins with a dot continues the name before it, without its last part. A line stands on the page exactly
once. A line without a name, such as a heading, is a place: the lines below it are sought between it and the page's next place or
heading. An indented line continues the one above it.
"""
import json
import re
from typing import NamedTuple

import minutes
import wording

FIELD = re.compile(r"\{((?:[\w-]+)?(?:\.[\w-]+)+)(?::([^{}]+))?\}")
NUMBER = r"(?<!\d)(?<!\d[.,])([-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?%?)(?!\d|[.,]\d)"
WORDS = r"([^|\n\0]*?)"
HINT = "name more words, or put the heading above this line"
HEADING = re.compile(r"^#{1,6} .*$", re.M)


class Value(NamedTuple):
    start: int  # in the page
    end: int
    name: str
    new: str    # what should stand there


def read(root):
    """The measured numbers, the results of tests/measure/mutation/mutants.py as the part `mutants`, the times of reading as `minutes`."""
    def record(name):
        file = root / "docs" / "records" / name
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {**record("measured.json"), "mutants": record("mutants.json"), "minutes": minutes.table(root)}


def figure(figures, name):
    value = figures
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if value is None or isinstance(value, dict):
        raise wording.Lost(f"{name} is not in docs/records/measured.json or docs/records/mutants.json, nor a page's minutes")
    return value


def in_line(line, text, part, figures):
    """The values that a line of docs/values names, where they stand on the page."""
    pieces = FIELD.split(line.strip())  # words, name, format, words, ...
    if len(pieces) == 1 or re.search("[{}]", "".join(pieces[::3])):
        raise wording.Lost("expected words of the page with {NAME} or {NAME:FORMAT} in them, and no other braces")
    sought, name, wanted = wording.pattern(pieces[0]), "", []
    for key, form, words in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
        name = name.rpartition(".")[0] + key if key.startswith(".") else key
        value = figure(figures, name)
        if isinstance(value, str) and not (pieces[0].strip() and pieces[-1].strip()):
            raise wording.Lost(f"{name} is no number, so words of the page have to stand before it and behind it")
        try:
            wanted.append((name, format(value, form or "")))
        except ValueError as problem:
            raise wording.Lost(f"{name}: {problem}") from None
        sought += (WORDS if isinstance(value, str) else NUMBER) + wording.pattern(words)
    shown = iter(wanted)
    match = wording.only(sought, text, FIELD.sub(lambda _: next(shown)[1], line.strip()), part, HINT)
    if "\n\n" in match[0]:
        raise wording.Lost(f"the words begin in line {wording.line_of(text, match.start())} of the page and go on in another paragraph")
    return [Value(*match.span(at), name, new) for at, (name, new) in enumerate(wanted, 1)]


def joined(lines):
    """The lines (place, line), each with the indented lines below it."""
    found = []
    for place, line in lines:
        if line[0] == " " and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
        else:
            found.append((place, line.strip()))
    return found


def parts(text, lines, problems):
    """{place of a line without a name: (begin, end) of the part of the page below its words, or None}"""
    spans = {}
    for place, line in lines:
        if not re.search("[{}]", line):
            sought = wording.pattern(line)
            try:
                spans[place] = wording.only(f"(?m)^{sought}$" if line[0] == "#" else sought, text, line).span()
            except wording.Lost as problem:
                spans[place] = None
                problems.append(f"{place}: {problem}")
    ends = sorted([match.start() for match in HEADING.finditer(text)] + [span[0] for span in spans.values() if span] + [len(text)])
    return {place: span and (span[1], next(end for end in ends if end >= span[1])) for place, span in spans.items()}


def values(text, lines, figures):
    """([Value], [complaint]) of a page, by the lines (place, line) of its file in docs/values."""
    text, lines = wording.prose(text), joined(lines)
    found, problems, part = [], [], (0, len(text))
    below = parts(text, lines, problems)
    for place, line in lines:
        part = below.get(place, part)
        if place in below or part is None:  # what stands below words that are lost is not sought
            continue
        try:
            new = in_line(line, text, part, figures)
            twice = [value for value in new for old in found if value.start < old.end and old.start < value.end]
            if twice:
                raise wording.Lost(f"line {wording.line_of(text, twice[0].start)} of the page: a line above names this number, too")
            found += new
        except wording.Lost as problem:
            problems.append(f"{place}: {problem}")
    return sorted(found), problems


def renewed(text, found):
    """The page with each value as it should be."""
    for value in sorted(found, reverse=True):
        text = text[:value.start] + value.new + text[value.end:]
    return text
