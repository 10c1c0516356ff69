#!/usr/bin/env python3
"""Checks Doxygen's pages: without a documented namespace Doxygen silently drops every free function.

    docs/tools/check_pages.py build/docs/html
"""
import re
import sys
from pathlib import Path

import doxygen_filter

FUNCTION = re.compile(r"\b(\w+_(?:forward|backward))\([^()]*&")


def check(root, html):
    """(functions found, formulas found, missing items)"""
    missing = []
    names = sorted({name for header in (root / "chapters").rglob("*.hpp")
                    for name in FUNCTION.findall(re.sub(r"//.*", "", header.read_text(encoding="utf-8")))})
    listing = "".join(page.read_text(encoding="utf-8") for kind in ("namespace", "group__")
                      for page in html.glob(f"{kind}*.html"))
    missing += [f"function {name} has no entry" for name in names if not re.search(rf">{name}(\(\))?</", listing)]

    formulas = 0
    for page in sorted((root / "chapters").rglob("*.md")):
        wanted = len(doxygen_filter.DISPLAY.findall(page.read_text(encoding="utf-8")))
        shown = html / (doxygen_filter.label(page.relative_to(root)) + ".html")
        found = shown.read_text(encoding="utf-8").count("formulaDsp") if shown.exists() else 0
        if found < wanted:
            missing.append(f"{page.relative_to(root)}: {wanted} displayed formulas, {found} rendered")
        formulas += found
    return len(names), formulas, missing


def main():
    functions, formulas, missing = check(Path(__file__).resolve().parents[2], Path(sys.argv[1]))
    for line in missing:
        print(line, file=sys.stderr)
    print(f"documentation: {functions} leaves and composites, {formulas} displayed formulas, {len(missing)} missing")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
