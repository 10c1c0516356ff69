#!/usr/bin/env python3
"""Compiles every source, and every header by itself, with the compilers of compilers.txt. Nothing is linked, and no object file is written.

    compilers.py SYSTEM BUILD [--passed FILE] [--spread] [--with WORD ...] [--only REGEX] [--jobs N]

SYSTEM is the first word of the lines to run; BUILD a folder that CMake configured with the tests, for the options of each source. --passed: a
file that notes what has passed, so that only what has changed since is compiled again. --spread: each file with two lines of the list, one for
each library, so that each line gets a part of the files; this takes a fifth of the time. --with: the lines that have these words, such as
g++-14. --only: the files whose names match. tests/compilers/check makes the systems and calls this in each.
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
import zlib

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests" / "rooms"))
sys.dont_write_bytecode = True

import rooms  # noqa: E402

LIST = "tests/compilers/compilers.txt"
DROPPED = re.compile(r"-(O.|g\d?|march=.*|mcpu=.*|f(no-)?sanitize.*|fno-omit-frame-pointer|-param=.*)$")  # of no effect here, or of this machine
PROCESSOR = ["-march=x86-64-v3"] if platform.machine() == "x86_64" else []  # so that files for vectors hold code
STANDIN = "tests/cuda_standin"
FIRST = re.compile(r'\s*(#\s*pragma\s+once\s*)?#\s*include\s*"([^"]+)"')


def listed(text):
    """The lines of compilers, each as (system, compiler, library), and what they need not compile: (file, words of a compiler, number of the line)."""
    compilers, spared = [], []
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split("#")[0].split()
        if words[:1] == ["not"]:
            spared.append((words[1], set(words[2:]), number))
        elif words:
            compilers.append(tuple(words))
    return compilers, spared


def is_its_turn(name, words, compilers):
    """Whether a file is compiled with this line if each file is compiled with one line of each library."""
    same = [line for line in compilers if line[2] == words[2]]
    return same[zlib.crc32(name.encode()) % len(same)] == words


def options(words):
    """Of a command that makes an object file, what decides how the source is read."""
    kept, rest = [], iter(words[next(i for i, word in enumerate(words) if word.startswith("-")):])
    for word in rest:
        if word in ("-o", "-c"):
            next(rest)
        elif not DROPPED.match(word):
            kept.append(word)
    return kept


def commands(build, top, standin=False):
    """Of each source that CMake compiles, its options; and for all other files every folder and every definition that a source has. What
    the stand-in for CUDA's libraries compiles counts only for its own files: without it a header of nvcc's does not compile here."""
    found, shared = {}, {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        name = os.path.relpath(os.path.join(entry["directory"], entry["file"]), top)
        if STANDIN in entry["command"] and not standin:
            continue
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
        _, compiler, library = words
        self.words, self.title, self.house = set(words), " ".join(words), house
        self.program = [compiler, *([f"-stdlib={library}"] if compiler.startswith("clang") else [])]
        self.options = {standin: commands(build, house.root, standin) for standin in (False, True)}
        self.version = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n", maxsplit=1)[0]

    def files(self):
        """The sources, and the headers that no other of these files shows to compile by themselves; the tests last, because they take longest."""
        chosen = [name for name in self.house.files if name.endswith((".cpp", ".cu"))]
        for header in [name for name in self.house.files if name.endswith((".hpp", ".cuh"))]:
            if header not in alone(self.house, chosen):
                chosen.append(header)
        return sorted(chosen, key=lambda name: (name.startswith("tests/"), name))

    def command(self, name):
        sources, shared = self.options[name.startswith(STANDIN)]
        words = [*self.program, "-fsyntax-only", *PROCESSOR, *sources.get(name, shared)]
        if name.endswith((".cpp", ".cu")):
            return [*words, *([] if "-x" in words else ["-x", "c++"]), str(self.house.root / name)]
        return [*words, "-x", "c++", "-include", str(self.house.root / name), "/dev/null"]

    def key(self, name):
        """What decides the result: the compiler, the command, and the text of all our files that it reads."""
        reads = [name, *sorted(self.house.reached(self.house.files[name]))]
        parts = [self.version, *self.command(name), *(one + (self.house.root / one).read_text(encoding="utf-8") for one in reads)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def error(self, name):
        """The first error, or None."""
        done = subprocess.run(self.command(name), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode == 0:
            return None
        lines = done.stderr.splitlines() or [f"status {done.returncode}"]
        return next((line for line in lines if re.search(r"\berror: ", line)), lines[-1]).replace(f"{self.house.root}/", "", 1)


class Passed:
    """The keys of what has passed, in a file that grows with each."""

    def __init__(self, file):
        self.file, self.keys, self.used = file, set(file.read_text().split()) if file and file.exists() else set(), set()

    def has(self, key):
        self.used |= {key} & self.keys
        return key in self.keys

    def add(self, key):
        self.used.add(key)
        if self.file:
            with self.file.open("a") as out:
                out.write(f"{key}\n")

    def forget_the_rest(self):
        if self.file:
            self.file.write_text("".join(f"{key}\n" for key in sorted(self.used)))


def run(row, names, spared, passed, jobs):
    """Prints a line for each failure and one for the row; returns the number of failures."""
    begin, failures = time.time(), 0
    todo = [(name, key) for name, key in ((name, row.key(name)) for name in names) if not passed.has(key)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (name, key), error in zip(todo, pool.map(lambda one: row.error(one[0]), todo)):
            line = next((number for file, words, number in spared if file == name and words <= row.words), None)
            if line is not None:  # tried each time
                error = f"compiles, so line {line} of {LIST} is not needed any more" if error is None else None
            elif error is None:
                passed.add(key)
            if error:
                failures += 1
                print(f"{name}, {row.title}: {error}", flush=True)
    print(f"{row.title}: {len(names)} files, {len(todo)} of them compiled now, {failures} failures, {time.time() - begin:.0f} s ({row.version})",
          flush=True)
    return failures


def main():
    a = argparse.ArgumentParser()
    a.add_argument("system")
    a.add_argument("build", type=pathlib.Path)
    a.add_argument("--passed", type=pathlib.Path)
    a.add_argument("--spread", action="store_true")
    a.add_argument("--with", dest="words", nargs="+", default=[])
    a.add_argument("--only", default="")
    a.add_argument("--jobs", type=int, default=os.cpu_count())
    a.add_argument("--top", type=pathlib.Path, default=TOP)
    o = a.parse_args()
    house = rooms.House(o.top.resolve())
    compilers, spared = listed((house.root / LIST).read_text(encoding="utf-8"))
    here = [words for words in compilers if words[0] == o.system]
    chosen = [words for words in here if set(o.words) <= set(words)]
    passed, failures = Passed(o.passed), 0
    for words in chosen:
        row = Row(words, house, o.build)
        names = [name for name in row.files() if re.search(o.only, name) and (not o.spread or is_its_turn(name, words, compilers))]
        failures += run(row, names, spared, passed, o.jobs)
    if not o.only and not o.spread and chosen == here:
        passed.forget_the_rest()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
