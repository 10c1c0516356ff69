#!/usr/bin/env python3
"""Draws the pictures of the lessons, or compares them (`make check`).

    docs/tools/pictures/draw.py                  draw all pictures
    docs/tools/pictures/draw.py layer-norm-rows  draw the pictures whose path contains this
    docs/tools/pictures/draw.py --check          compare instead, and check sizes, overlaps, alternative texts

A picture is an SVG in the folder `pictures` beside its lesson. Its numbers come from the programs below --build. A module in
docs/tools/pictures/topics draws it.
"""
import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "docs" / "tools" / "pictures"), str(ROOT / "docs" / "tools")]
import lessons
import lint
import markdown
import registry
from compare import alike
from data import Data


def check(root, path, svg):
    """What is wrong with one picture; `svg` is how it would be drawn now."""
    file = root / path
    if not file.is_file():
        return [f"{path}: not drawn yet (make lessons)"]
    old = file.read_text(encoding="utf-8")
    stale = [] if alike(old, svg) else [f"{path}: out of date (make lessons)"]
    return stale + [f"{path}: {problem}" for problem in lint.problems_of(old)]


def write(root, path, svg, always):
    """A picture that only rounding changed stays as it is, unless it was asked for by name."""
    file = root / path
    old = file.read_text(encoding="utf-8") if file.is_file() else ""
    if old == svg or (not always and alike(old, svg)):
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(svg, encoding="utf-8")
    print(f"drew {path}")


def strangers(root, known):
    """Pictures that no function draws."""
    files = [file.relative_to(root).as_posix() for top in ("chapters", "docs") for file in (root / top).rglob("pictures/*.svg")]
    return [f"{file}: no function draws it" for file in sorted(files) if file not in known]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare the pictures instead of drawing them")
    parser.add_argument("--build", default=ROOT / "build/release", help="folder of the program and the demos [build/release]")
    parser.add_argument("--root", type=Path, default=ROOT, help="another top folder of the project")
    parser.add_argument("name", nargs="*", help="only pictures whose path contains this")
    options = parser.parse_args()

    root, data = options.root.resolve(), Data(options.build, options.root.resolve())
    drawers = registry.load()
    chosen = {path: draw for path, draw in sorted(drawers.items()) if not options.name or any(name in path for name in options.name)}
    problems = [] if chosen else [f"no picture's path contains {' or '.join(options.name)}"]
    alts = lint.shown(root, markdown.pages(root))
    for path, draw in chosen.items():
        try:
            svg = draw(data).svg()
        except lessons.Stale as problem:
            problems.append(f"{path}: {problem}")
            continue
        if options.check:
            problems += check(root, path, svg) + lint.page_problems(path, alts)
        else:
            write(root, path, svg, bool(options.name))
            problems += [f"{path}: {problem}" for problem in lint.problems_of(svg)]
    if options.check and not options.name:
        problems += strangers(root, drawers)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"pictures: {len(chosen)}, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
