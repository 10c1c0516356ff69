#!/usr/bin/env python3
"""How long a page of the chapters takes to read: docs/tools/minutes.py prints words, lines, formulas and minutes of each.

The time is that of a careful reader whose second language is English:

    200 words a minute          prose and tables; an inline formula counts as two words
    5 seconds                   a line of code
    2 seconds                   a line of printed numbers
    45 seconds                  a line of a displayed formula
    20 seconds                  a picture or a diagram

Nothing is counted for exercises and for running a program. `prose` counts what is to be read sentence by sentence: no tables, no
descriptions of pictures, an inline formula as one word; folded text counts. Minutes are rounded up to a multiple of five, below fifteen to whole minutes.
`lessons.py` writes them below the titles of the pages.
"""
import argparse
import math
import re
from pathlib import Path

import markdown

WORDS_A_MINUTE = 200
SECONDS = {"code": 5, "numbers": 2, "formulas": 45, "pictures": 20}
KINDS = {"math": "formulas", "text": "numbers"}  # the rest is code
OWN_LINE = re.compile(r"\A(# .*\n\n)About (\d+) minutes\.\n\n?")
INLINE = r"\$`[^`]+`\$|\$[^$\n]+\$"
NO_LESSON = ("solutions.md", "models/")


def counted(text):
    """What there is to read in a page: {"words": ..., "code": ..., "numbers": ..., "formulas": ..., "pictures": ...}"""
    found = dict.fromkeys(["words", *SECONDS], 0)

    def fence(match):
        lines = sum(bool(line.strip()) for line in match["inside"].split("\n"))
        if match["language"] == "mermaid":
            found["pictures"] += 1
        elif match["language"] == "math":
            found["formulas"] += match["inside"].count("\\\\") + 1
        else:
            found[KINDS.get(match["language"], "code")] += lines
        return ""

    rest = markdown.FENCE.sub(fence, OWN_LINE.sub(r"\1", text))
    found["code"] += len(re.findall(r"^    \S.*", rest, re.M))
    rest = re.sub(r"^    \S.*|<[^!>\n][^>\n]*>", " ", markdown.COMMENT.sub(" ", rest), flags=re.M)
    found["pictures"] += len(markdown.IMAGE.findall(rest))
    rest = markdown.LINK.sub(r"\g<words>", rest)
    found["words"] = len(re.findall(r"\w[^\s|]*", re.sub(INLINE, " formula formula ", rest)))
    return found


def prose(text):
    """The words of a page's sentences and headings."""
    text = markdown.IMAGE.sub("", re.sub(r"^\|.*", "", text, flags=re.M))
    return counted(re.sub(INLINE, " formula ", markdown.FENCE.sub("", markdown.COMMENT.sub(" ", text))))["words"]


def before_code(text):
    """The words of prose before a page's first line of C++, or None if it has none."""
    top, code, _ = text.partition("```cpp")
    return prose(top) if code else None


def minutes(text):
    found = counted(text)
    exact = found["words"] / WORDS_A_MINUTE + sum(seconds * found[kind] for kind, seconds in SECONDS.items()) / 60
    return max(1, math.ceil(exact)) if exact < 15 else 5 * math.ceil(exact / 5)


def lessons(root):
    """The pages of the chapters that have to be read: [(chapter, name within it, path)]"""
    found = [("chapters", "why", path) for path in (root / "chapters").glob("why.md")]
    for chapter in sorted((root / "chapters").glob("[0-9][0-9]_*")):
        for path in sorted(chapter.rglob("*.md")):
            name = path.relative_to(chapter).as_posix()
            if not any(part in name for part in NO_LESSON):
                found.append((chapter.name, name.removesuffix(".md"), path))
    return found


def with_own_line(text):
    """The page with the line below its title that says how long it takes."""
    title, _, rest = OWN_LINE.sub(r"\1", text).partition("\n")
    rest = rest.lstrip("\n")
    return f"{title}\n\nAbout {minutes(text)} minutes.\n" + (f"\n{rest}" if rest else "")


def table(root):
    """{chapter: {page: minutes, "all": its sum}, "lessons": hours without the pages on speed, "hours": hours of all}"""
    result, fast = {}, 0
    for chapter, name, path in lessons(root):
        time = minutes(path.read_text(encoding="utf-8"))
        result.setdefault(chapter, {})[name] = time
        fast += time if name in ("FAST", "gpu") else 0
    for pages in result.values():
        pages["all"] = sum(pages.values())
    total = sum(pages["all"] for pages in result.values())
    return {**result, "lessons": round((total - fast) / 60), "hours": round(total / 60)}


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    root = Path(__file__).resolve().parents[2]
    print(f"{'minutes':>7}" + "".join(f"{kind:>9}" for kind in ["words", *SECONDS, "prose"]))
    for chapter, name, path in lessons(root):
        text = path.read_text(encoding="utf-8")
        print(f"{minutes(text):7}" + "".join(f"{number:9}" for number in [*counted(text).values(), prose(text)]) + f"  {chapter}/{name}")
    total = table(root)
    print(f"{total['lessons']} hours without the pages on speed (FAST, gpu), {total['hours']} hours in all")


if __name__ == "__main__":
    main()
