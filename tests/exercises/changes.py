#!/usr/bin/env python3
"""Carries out changes by the recipes of docs/where-to-change.md, in a copy of the project, and counts the files that each touches.

    tests/exercises/changes.py              all, in build/exercises/.changes
    tests/exercises/changes.py NAME ...     these
    tests/exercises/changes.py --apply      without building and testing

A change is changes/NAME.patch; that of the leaf is docs/add-a-component.md (page.py runs its commands). A row of the recipe must name each file of the
change, and the change must touch a file of each row, unless the row says "if". Then the commands below the table must succeed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import page

RECIPES = page.ROOT / "docs" / "where-to-change.md"
PATCHES = Path(__file__).resolve().parent / "changes"
COPY = page.ROOT / "build" / "exercises" / ".changes"
PLACEHOLDER = re.compile(r"NN_(?=CHAPTER)|CHAPTER|LEAF|KERNEL|NAME")
SOURCE = (".hpp", ".cpp", ".cu", ".py", ".txt")


class Change(NamedTuple):
    recipe: str  # its heading
    most_code: int  # files of the program and the library: no tests, no pages. These numbers may only fall.
    most_files: int
    after: tuple = ()  # changes that come first and are not counted


LEAF = "rms_norm"
CHANGES = {
    LEAF: Change("A new leaf", 4, 7),
    "norm_form": Change("Another norm of the model", 3, 9, (LEAF,)),
    "schedule": Change("A new schedule", 1, 3),
    "train": Change("A new option of `gradus train`", 3, 6),
    "translate": Change("A new option of `gradus translate`", 3, 6),
    "kernel": Change("Another kernel of a leaf", 1, 1),
}


def section(text, heading):
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return found[1] if found else sys.exit(f"changes: {RECIPES.name} has no recipe '{heading}'")


def rows(recipe):
    """(the row, a pattern for the files that it names) for each row of the first table."""
    table = re.search(r"^\|.*?(?=\n\n)", recipe, re.M | re.S)[0]
    found = []
    for row in re.findall(r"^\| \w+ \|.*", table, re.M):
        names = [name for name in re.findall(r"`([^`]+)`", row.split("|")[2]) if not name.endswith("/")]
        patterns = [PLACEHOLDER.sub(lambda word: r"\d\d_" if word[0] == "NN_" else r"\w+", re.escape(name)) for name in names]
        found.append((row, re.compile(rf"(?:.*/)?(?:{'|'.join(patterns)})")))
    return found


def complaints(recipe, files):
    """In what a recipe and the files of a change differ."""
    table = rows(recipe)
    unnamed = [f"no row names {file}" for file in files if not any(pattern.fullmatch(file) for _, pattern in table)]
    untouched = [f"no file for the row {row}" for row, pattern in table
                 if not re.search(r"\bif\b", row) and not any(pattern.fullmatch(file) for file in files)]
    return unnamed + untouched


def files_of(name):
    """The files of a change."""
    if name == LEAF:
        return sorted({path for what, path, *_ in page.steps() if what != "run"})
    said = subprocess.run(["git", "apply", "--numstat", PATCHES / f"{name}.patch"], cwd=page.ROOT, capture_output=True, text=True,
                          check=True).stdout  # from a folder below it git sees only the files there
    return sorted(line.split("\t")[2] for line in said.splitlines())


def patched(name, folder, *options):
    """What git says against a patch in a folder; without options it is applied."""
    alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)}  # else git looks for the files in the repository around
    done = subprocess.run(["git", "apply", *options, PATCHES / f"{name}.patch"], cwd=folder, env=alone, capture_output=True, text=True)
    return done.stderr if done.returncode != 0 else ""


def made(name):
    """Makes a change in the copy."""
    if name == LEAF:
        for what, path, block, _ in page.steps():
            if what != "run":
                page.written(what, path, block, COPY)
    elif said := patched(name, COPY):
        sys.exit(f"changes: {name}: {said}")


def undone(files):
    """Without the old times of the files: what was built with the change must be built again."""
    for file in files:
        if (page.ROOT / file).exists():
            shutil.copy(page.ROOT / file, COPY / file)
        else:
            (COPY / file).unlink()


def compared(name, recipe):
    """Counts the files of a change and compares them with its recipe; what is wrong."""
    change, files = CHANGES[name], files_of(name)
    code = [file for file in files if file.endswith(SOURCE) and not file.startswith("tests/")]
    print(f"{name}: {len(code)} code files, {len(files)} files", flush=True)
    wrong = complaints(recipe, files)
    if len(code) > change.most_code or len(files) > change.most_files:
        wrong.append(f"more than {change.most_code} code files, or than {change.most_files} files")
    return [f"{name}: {what}" for what in wrong]


def judged(name, build):
    """Makes a change, compares it with its recipe, tests it, undoes it; what is wrong."""
    change = CHANGES[name]
    recipe = section(RECIPES.read_text(encoding="utf-8"), change.recipe)
    wrong = compared(name, recipe)
    for each in (*change.after, name):
        made(each)
    if build and not wrong and name != LEAF:
        commands = re.search(r"^```\n(.*?)^```", recipe, re.M | re.S)[1]
        page.run("cmake --preset release -DGRADUS_TESTS=ON\n" + commands, [], COPY)
    undone({file for each in (*change.after, name) for file in files_of(each)})
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", help=", ".join(CHANGES))
    parser.add_argument("--apply", action="store_true")
    given = parser.parse_args()
    unknown = set(given.name) - set(CHANGES)
    if unknown:
        parser.error(f"no such change: {', '.join(sorted(unknown))}")
    page.copied(COPY)
    wrong = [what for name in given.name or CHANGES for what in judged(name, not given.apply)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
