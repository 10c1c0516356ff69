#!/usr/bin/env python3
"""Doxygen's INPUT_FILTER: prints a page or header with its maths and links in Doxygen's form, line for line.

Pages keep the form that GitHub shows: `$x$` or $`x`$ in a line, displayed formulas in ```math fences, links to other pages by path.
Code spans, other fences and prices ($5) stay as they are. In headers the four parts of a specification become commands
(docs/tools/Doxyfile gives them titles).
"""
import os
import re
import sys

FENCED = re.compile(r"(^ *(`{3,}|~{3,}).*?^ *\2 *$)", re.M | re.S)
CODE = re.compile(r"\$`(?P<formula>.+?)`\$|(?P<ticks>`+)(?:.*?[^`])?(?P=ticks)(?!`)", re.S)  # GitHub keeps the backslashes of $`x`$
DISPLAY = re.compile(r"^ *```math\n(.+?)^ *```$", re.M | re.S)
INLINE = re.compile(r"(?<![\\$\w])\$(?=[^\s$])((?:\\.|[^$\\])*?[^\s$\\])\$(?![\w$])", re.S)
LINKED_PICTURE = re.compile(r"\[(!\[[^\]\n]*\]\([^)\s]+\))\]\([^)\s]+\)")
LINK = re.compile(r"(?<!!)\[([^\]\n]*)\]\(([^)\s]+)\)")
MARK = re.compile(r"<!-- (?:code|demo|end|value)\b.*?-->")
PART = re.compile(r"^(///) (computes|requires|ensures|saves)\b:?")
FORMULA = re.compile(r"^(///)( {6,})(?=.* = )")  # a further formula of a part keeps its own line


def label(path):
    path = os.path.relpath(path)
    return "mainpage" if path == "README.md" else "page_" + re.sub(r"\W", "_", path)


def link(match, page):
    """A link to another page becomes a reference; one to a source file keeps its text only."""
    text, target = match.groups()
    if re.match(r"[a-z]+:", target):
        return match[0]
    path = os.path.join(os.path.dirname(page), target.split("#")[0])
    if not path.endswith(".md"):
        return text
    return f"[{text}](@ref {label(path).replace('mainpage', 'index')})"


def beside_code(turn, text):
    """turn(text), applied to the text without its code spans and the formulas in backticks."""
    spans = []

    def keep(match):
        spans.append(rf"\f${match['formula']}\f$" if match["formula"] else match[0])
        return f"\0{len(spans) - 1}\0"

    text = turn(CODE.sub(keep, text))
    return re.sub("\0(\\d+)\0", lambda match: spans[int(match[1])], text)


def prose(text, page):
    """A stretch of Markdown without fences."""
    text = INLINE.sub(lambda match: rf"\f${match[1]}\f$", text)
    text = LINKED_PICTURE.sub(r"\1", text)
    text = LINK.sub(lambda match: link(match, page), text)
    return MARK.sub("", text)


def markdown(text, page):
    parts = FENCED.split(text)  # prose, fence, its ticks, prose, ...
    parts[::3] = [beside_code(lambda stretch: prose(stretch, page), part) for part in parts[::3]]
    parts[1::3] = [DISPLAY.sub(lambda match: f"\\f[\n{match[1]}\\f]", part) for part in parts[1::3]]
    parts[1::3] = [re.sub(r"^```(cpp|text|mermaid)$", r"```{.\1}", part, flags=re.M) for part in parts[1::3]]
    del parts[2::3]
    return re.sub(r"^# .*", rf"\g<0> {{#{label(page)}}}", "".join(parts), count=1, flags=re.M)


def comment(line):
    """A line of a doc comment: parts become commands; <pad> is a word, not HTML."""
    return FORMULA.sub(r"\1\2<br>", PART.sub(r"\1 \\\2 ", re.sub(r"<(\w+)>", r"\<\1\>", line)))


def header(text):
    return re.sub(r"///.*", lambda match: beside_code(comment, match[0]), text)


def main():
    page = sys.argv[1]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(markdown(text, page) if page.endswith(".md") else header(text))


if __name__ == "__main__":
    main()
