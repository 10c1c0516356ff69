#!/usr/bin/env python3
"""Compiles every source, and every header by itself, with the compilers of compilers.txt. Nothing is linked, and no object file is written.

    compilers.py SYSTEM BUILD [--passed FILE] [--with WORD ...] [--only REGEX]

SYSTEM is the first word of the lines to run; BUILD a folder that CMake configured with the tests, for the options of each source. --passed: a
file with what has passed; only what has changed since is compiled again. --with: the lines that have these words, such as g++-14. --only:
the files whose names match. tests/compilers/check makes the systems and calls this in each.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests" / "rooms"))
sys.dont_write_bytecode = True

import rooms  # noqa: E402

LIST = TOP / "tests" / "compilers" / "compilers.txt"
DROPPED = re.compile(r"-(O.|g\d?|march=.*|mcpu=.*|f(no-)?sanitize.*|fno-omit-frame-pointer)$")  # of no effect here, or of this machine
PROCESSOR = ["-march=x86-64-v3"] if platform.machine() == "x86_64" else []  # so that files for vectors hold code
FIRST = re.compile(r'\s*(#\s*pragma\s+once\s*)?#\s*include\s*"([^"]+)"')


def listed(text, system):
    """The compilers of a system, each as (compiler, library), and what they need not compile: (file, words of a compiler, number of the line)."""
    compilers, spared = [], []
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split("#")[0].split()
        if words[:1] == ["not"]:
            spared.append((words[1], set(words[2:]), number))
        elif words[:1] == [system]:
            compilers.append(tuple(words[1:]))
    return compilers, spared


def options(words):
    """Of a command that makes an object file, what decides how the source is read."""
    kept, rest = [], iter(words[next(i for i, word in enumerate(words) if word.startswith("-")):])
    for word in rest:
        if word in ("-o", "-c"):
            next(rest)
        elif not DROPPED.match(word):
            kept.append(word)
    return kept


def commands(build):
    """Of each source that CMake compiles, its options; and for all other files every folder and every definition that a source has."""
    found, shared = {}, {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        name = os.path.relpath(os.path.join(entry["directory"], entry["file"]), TOP)
        found.setdefault(name, options(shlex.split(entry["command"])))
        words = iter(found[name])
        for word in words:
            value = [word, next(words)] if word in ("-isystem", "-x", "-include") else [word]
            if word != "-x":
                shared.setdefault(" ".join(value).split("=")[0] if word.startswith("-D") else " ".join(value), value)
    return found, [word for value in shared.values() for word in value]


def alone(house, names):
    """The headers that need a compilation of their own: the others are the first that a file of `names`, or such a header, includes."""
    seen, todo = set(), list(names)
    while todo:
        file = house.files[todo.pop()]
        first = FIRST.match(file.code)
        target = house.resolve(file, first[2]) if first else None
        if target and target.name not in seen:
            seen.add(target.name)
            todo.append(target.name)
    return seen


class Row:
    """One compiler with one library, and all files."""

    def __init__(self, words, house, build):
        self.title, self.house = " ".join(words), house
        self.program = [words[0], *([f"-stdlib={words[1]}"] if words[0].startswith("clang") else [])]
        self.sources, self.shared = commands(build)
        self.version = subprocess.run([words[0], "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n", maxsplit=1)[0]

    def files(self):
        """Sources first, then the headers that no source shows to compile by themselves; the tests last, because they take longest."""
        names = self.house.files
        sources = [name for name in names if name.endswith((".cpp", ".cu"))]
        headers = [name for name in names if name.endswith((".hpp", ".cuh"))]
        while True:
            seen = alone(self.house, sources)
            header = next((name for name in headers if name not in seen and name not in sources), None)
            if header is None:
                return sorted(sources, key=lambda name: (name.startswith("tests/"), name))
            sources.append(header)

    def command(self, name):
        words = [*self.program, "-fsyntax-only", *PROCESSOR, *self.sources.get(name, self.shared)]
        if name.endswith((".cpp", ".cu")):
            return [*words, *([] if "-x" in words else ["-x", "c++"]), str(TOP / name)]
        return [*words, "-x", "c++", "-include", str(TOP / name), "/dev/null"]

    def key(self, name):
        """What decides the result: the compiler, the command, and the text of all our files that it reads."""
        reads = [name, *sorted(self.house.reached(self.house.files[name]))]
        parts = [self.version, *self.command(name), *(one + (TOP / one).read_text(encoding="utf-8") for one in reads)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def error(self, name):
        """The first error, or None."""
        done = subprocess.run(self.command(name), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode == 0:
            return None
        lines = done.stderr.splitlines() or [f"status {done.returncode}"]
        return next((line for line in lines if re.search(r"\berror: ", line)), lines[-1]).removeprefix(f"{TOP}/")


def run(row, names, spared, passed, jobs):
    """Prints each failure; the number of them, and the keys of what passed."""
    begin, failures = time.time(), 0
    keys = {name: row.key(name) for name in names}
    todo = [name for name in names if keys[name] not in passed]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, error in zip(todo, pool.map(row.error, todo)):
            line = next((number for file, words, number in spared if file == name and words <= set(row.title.split())), None)
            if error is None and line is not None:
                error = f"compiles, so line {line} of {LIST.relative_to(TOP)} is not needed any more"
            elif line is not None:
                error = None
                del keys[name]  # tried each time
            if error:
                failures += 1
                print(f"{name}, {row.title}: {error}", flush=True)
                del keys[name]
    print(f"{row.title}: {len(names)} files, {len(todo)} compiled anew, {failures} failures, {time.time() - begin:.0f} s ({row.version})", flush=True)
    return failures, set(keys.values())


def main():
    a = argparse.ArgumentParser()
    a.add_argument("system")
    a.add_argument("build", type=pathlib.Path)
    a.add_argument("--passed", type=pathlib.Path)
    a.add_argument("--with", dest="words", nargs="+", default=[])
    a.add_argument("--only", default="")
    a.add_argument("--jobs", type=int, default=os.cpu_count())
    o = a.parse_args()
    house = rooms.House(TOP)
    compilers, spared = listed(LIST.read_text(encoding="utf-8"), o.system)
    chosen = [words for words in compilers if set(o.words) <= set(words)]
    passed = set(o.passed.read_text().split()) if o.passed and o.passed.exists() else set()
    failures, kept = 0, set()
    for words in chosen:
        row = Row(words, house, o.build)
        names = [name for name in row.files() if re.search(o.only, name)]
        failed, keys = run(row, names, spared, passed, o.jobs)
        failures, kept = failures + failed, kept | keys
        if o.passed:
            is_part = o.only or len(chosen) < len(compilers)
            o.passed.write_text("".join(f"{key}\n" for key in sorted(kept | passed if is_part or words != chosen[-1] else kept)))
    sys.exit(1 if failures or not chosen else 0)


if __name__ == "__main__":
    main()
