#!/usr/bin/env python3
"""Says which records are still true, in docs/proofs.md and in the README (`make check-lessons`).

    docs/tools/records.py              names the lines whose sign is out of date
    docs/tools/records.py --write      writes the signs

A record is true for the commit that it names, as long as no file that it depends on has changed since. A line of
docs/proofs.md names its commands in its last column. If all of them run in `make test` or `make check`, its sign is ✔.
If not, each other command has a record here: the sign is ✔ while all of them are true, else "○ since DATE, COMMIT" with
the oldest one. A line without a command keeps its sign. Needs git and the project's history.
"""
import argparse
import datetime
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, Optional

ROOT = Path(__file__).resolve().parents[2]
PAGE, README = "docs/proofs.md", "README.md"

# Commands that CI runs with every change: they need no record.
ALWAYS = {"make demo", "make test", "make check", ".ci/run", "make check-ranks", "make gradients", "make kernels",
          "make kernels SANITIZE=thread"}

NO_TEXT = [":!*.md", ":!*.svg", ":!docs"]  # what is only read changes no result
BUILD = ["CMakeLists.txt", "CMakePresets.json", "cmake", "lib", "chapters", "app"]
COMMANDS = [*BUILD, "Makefile", "scripts"]
KERNELS = ["lib/gradus/gpu", "lib/gradus/kernels", "lib/gradus/ops", "lib/gradus/random", "chapters/*_cuda.*", "chapters/*_cuda.hpp"]


class Record(NamedTuple):
    """Where the result of a command stands, and the files (git's pathspecs) that it depends on."""
    command: str  # the beginning of a command in the last column; of a page, its link
    place: str    # a text file with date and commit, a row of the table of bare systems, or a part of a JSON file
    files: list


def bare(system, command, files):
    return Record(f"tests/measure/bare/system --only {command} {system}", f"bare-systems.txt:{TITLES[system]} {command}", files)


TITLES = {"bookworm": "Debian 12", "trixie": "Debian 13", "noble": "Ubuntu 24.04"}
RECORDS = [
    *(bare(system, "demo", COMMANDS) for system in TITLES),
    *(bare(system, "parts", [*COMMANDS, "tests/measure/bare"]) for system in TITLES),
    *(bare(system, "test", [*COMMANDS, "tests"]) for system in TITLES),
    *(bare(system, "notebook", [*COMMANDS, "notebooks", "tests/notebooks"]) for system in TITLES),
    Record("make check-all", "check-all.txt", ["."]),
    Record("make kernels SANITIZE=address", "check-all.txt", ["."]),
    Record("ctest", "check-all.txt", ["."]),  # the label `long`
    Record("tests/exercises/", "check-all.txt", ["."]),
    Record("tests/install/", "check-all.txt", ["."]),
    Record("make check-cuda", "check-all.txt", ["."]),
    Record("tests/measure/gpu_check/", "gpu.txt", ["."]),
    Record("make check-arm64", "arm64.txt", [*BUILD, "tests"]),
    Record("make check-compilers", "compilers.txt", [*BUILD, "tests"]),
    Record("make check-machines", "machines.txt", [*BUILD, "tests/measure/machines"]),
    Record("tests/measure/mutation/mutants.py --barriers", "mutants.json:", [*KERNELS, "tests/chapters/*kernels*"]),
    Record("tests/measure/mutation/mutants.py --host", "mutants.json:host", [*BUILD, "tests/lib", "tests/chapters"]),
    Record("tests/measure/mutation/mutants.py", "mutants.json:", [*KERNELS, "tests/chapters/*kernels*"]),
    Record("make twin-costs", "measured.json:twins", [*BUILD, "tests/wrong"]),
    Record("make bench-peers", "measured.json:peers", [*BUILD, "tests/measure/bench/peers"]),
    Record("tests/measure/bench/int8.py", "measured.json:int8", BUILD),
    Record("tests/measure/bench/record.py", "measured.json:training", BUILD),
]


def stamp(root=ROOT):
    """The day and the commit, as parts of a JSON file have them; `+` says that the files were changed since the commit."""
    git = lambda *words: subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False).stdout.strip()
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/records")
    return {"date": datetime.date.today().isoformat(), "commit": git("rev-parse", "--short", "HEAD") + "+" * bool(changed)}


class Seen(NamedTuple):
    date: str
    commit: str
    passed: bool


def text_record(lines):
    fields = dict(line.split(None, 1) for line in lines[:3])
    return Seen(fields["date"].split()[0], fields["commit"].strip(), fields["result"].strip() == "passed")


def row_record(lines, row):
    """Of a table whose rows begin with the system and the command."""
    for line in lines:
        words = line.split()
        if " ".join(words).startswith(row + " ") and len(words) > len(row.split()) + 2:
            return Seen(words[-2], words[-1], words[len(row.split())] == "passed")
    return None


def json_record(text, part):
    found = json.loads(text)
    for name in filter(None, part.split(".")):
        found = found.get(name, {})
    return Seen(found["date"], found["commit"], True) if "commit" in found else None


def seen(record, root) -> Optional[Seen]:
    name, _, part = record.place.partition(":")
    file = root / "docs/records" / name
    if not file.exists():
        return None
    text = file.read_text(encoding="utf-8")
    if name.endswith(".json"):
        return json_record(text, part)
    return row_record(text.splitlines(), part) if part else text_record(text.splitlines())


def unchanged(found, files, root):
    """Whether no file changed since the record's commit, also not in the working tree."""
    if " " in found.commit or found.commit.endswith("+"):  # with uncommitted changes: nobody can repeat it
        return False
    run = subprocess.run(["git", "diff", "--quiet", found.commit, "--", *files, *NO_TEXT], cwd=root, check=False,
                         stderr=subprocess.DEVNULL)
    return run.returncode == 0


def sign_of(records, root):
    """✔, or ○ with the oldest record that is no longer true; ○ alone where there was none."""
    old = []
    for record in records:
        found = seen(record, root)
        if found is None or not found.passed:
            return "○"
        if not unchanged(found, record.files, root):
            old.append(found)
    return f"○ since {min(old).date}, {min(old).commit.split()[0].rstrip('+')}" if old else "✔"


def begins(command, with_words):
    """Whether a command begins with these words; a word that ends with a slash is a folder."""
    return command == with_words or command.startswith(with_words if with_words.endswith("/") else with_words + " ")


def records_of(commands):
    """The records that stand for the commands; a command that nothing shows is an error."""
    needed = []
    for command in commands:
        if command in ALWAYS:
            continue
        record = next((record for record in RECORDS if begins(command, record.command)), None)
        if record is None:
            sys.exit(f"{PAGE}: `{command}` runs neither in `make test` nor in `make check`, and docs/tools/records.py knows no record of it")
        needed.append(record)
    return needed


ROW = re.compile(r"^\| (✔|○[^|]*?) \| (.*) \| ([^|]*)\|$")


def signed(line, root):
    """The line with the sign that it should have."""
    row = ROW.match(line)
    commands = re.findall(r"`([^`]+)`", row[3]) if row else []
    if not commands:
        return line
    return f"| {sign_of(records_of(commands), root)} | {row[2]} | {row[3]}|"


SYSTEMS = re.compile(r"(The translator runs on ).*?(, and later versions\.)")


def systems(root):
    """For the README: Debian 12 runs in CI; of the others, when they were tried if that is not today's program."""
    words = ["Debian 12"]
    for name in ("trixie", "noble"):
        sign = sign_of([record for record in RECORDS if record.command.endswith(("demo " + name, "test " + name))], root)
        if sign == "✔":
            words.append(TITLES[name])
        elif sign != "○":
            words.append(f"{TITLES[name]} (tried on {sign[len('○ since '):].replace(', ', ', at ')})")
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


SYSTEM_ROW = re.compile(r"^(\| ([^|]+) \| [^|]+ \| ([^|]+) \|) [^|]* \|$")


def system_row(line, root):
    """A row of the README's table of systems: its last column is the sign of its commands there."""
    row = SYSTEM_ROW.match(line)
    suite = next((suite for suite, title in TITLES.items() if row and row[2] == title), None)
    if suite is None:
        return line
    by_hand = {f"make {name}": f"tests/measure/bare/system --only {name} {suite}" for name in ("demo", "test", "notebook")}
    commands = [by_hand.get(command, command) if suite != "bookworm" else command for command in re.findall(r"`([^`]+)`", row[3])]
    return f"{row[1]} {sign_of(records_of(commands), root)} |"


def renewed(name, text, root):
    if name == README:
        if len(SYSTEMS.findall(text)) != 1:
            sys.exit(f"{README}: expected one sentence 'The translator runs on SYSTEMS, and later versions.'")
        text = SYSTEMS.sub(lambda mark: mark[1] + systems(root) + mark[2], text)
        return "\n".join(system_row(line, root) for line in text.split("\n"))
    return "\n".join(signed(line, root) for line in text.split("\n"))


def history(root):
    run = subprocess.run(["git", "rev-parse", "--is-shallow-repository"], cwd=root, capture_output=True, text=True, check=False)
    return run.stdout.strip() == "false"


def main(root=ROOT):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if not history(root):
        print("records.py: without git's history nothing tells which records are old; their signs are not checked", file=sys.stderr)
        return
    wrong = []
    for name in (PAGE, README):
        text = (root / name).read_text(encoding="utf-8")
        new = renewed(name, text, root)
        if options.write and new != text:
            (root / name).write_text(new, encoding="utf-8")
        wrong += [f"{name}:{at}: should begin: {after[:60]}" for at, (before, after)
                  in enumerate(zip(text.split("\n"), new.split("\n")), 1) if before != after and not options.write]
    if wrong:
        sys.exit("\n".join([*wrong, "docs/tools/records.py --write writes them"]))


if __name__ == "__main__":
    main()
