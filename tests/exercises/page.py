#!/usr/bin/env python3
"""Carries out docs/add-a-component.md: writes its files into a copy of the project, runs its commands, compares what they print.

    tests/exercises/page.py            in build/exercises/.page, which is made anew
    tests/exercises/page.py --write    only writes the files, into that copy

Marks of the page: <!-- file: PATH --> before a block with the whole file; <!-- edit: PATH --> before a diff, whose lines must occur once in the
file; <!-- run --> before commands; then <!-- prints: TEXT --> for each text that they must print.
"""
import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "add-a-component.md"
COPY = ROOT / "build" / "exercises" / ".page"
STEP = re.compile(r"^<!-- (file|edit|run)(?:: (\S+))? -->\n(`{3,})\w+\n(.*?)^\3\n((?:<!-- prints: [^\n]+ -->\n)*)", re.M | re.S)


def copied(copy=COPY):
    """A copy of the files that git knows, and of those that are new here."""
    shutil.rmtree(copy, ignore_errors=True)
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                           check=True).stdout.split("\n")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)


def steps():
    """(what, path, block, what it must print) for each mark of the page."""
    text = PAGE.read_text(encoding="utf-8")
    found = STEP.findall(text)
    if len(found) != len(re.findall(r"^<!-- (?:file|edit|run)\b", text, re.M)):
        sys.exit("page: a mark without its block")
    return [(what, path, block, re.findall(r"<!-- prints: ([^\n]+) -->", prints)) for what, path, _, block, prints in found]


def written(what, path, block, copy=COPY):
    """Carries out a step that writes a file."""
    if what == "edit":
        return edited(copy / path, block)
    (copy / path).parent.mkdir(parents=True, exist_ok=True)
    (copy / path).write_text(block, encoding="utf-8")


def edited(path, diff):
    lines = diff.split("\n")[:-1]
    old = "\n".join(line[1:] for line in lines if line[:1] in (" ", "-")) + "\n"
    new = "\n".join(line[1:] for line in lines if line[:1] in (" ", "+")) + "\n"
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        sys.exit(f"page: {path}: these lines occur {text.count(old)} times, not once:\n{old}")
    path.write_text(text.replace(old, new), encoding="utf-8")


def run(commands, prints, copy=COPY):
    for command in commands.strip().split("\n"):
        print(f"$ {command}", flush=True)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=copy, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    missing = [text for text in prints if text not in done.stdout]
    if done.returncode != 0 or missing:
        sys.exit(f"page: {commands}{done.stdout[-6000:]}\nstatus {done.returncode}; not printed: {missing}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    copied()
    counts = {"file": 0, "edit": 0, "run": 0}
    for what, path, block, prints in steps():
        counts[what] += 1
        if what != "run":
            written(what, path, block)
        elif not given.write:
            run(block, prints)
    print(f"The page's {counts['file']} files, {counts['edit']} changes and {counts['run']} groups of commands are as it says.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
