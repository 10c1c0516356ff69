#!/usr/bin/env python3
"""Checks that every source of lib/ and chapters/ compiles for ARM64, with a cross compiler; links and runs nothing.

    tests/scripts/arm64.py build/release

Takes the commands of that build folder and replaces the compiler: aarch64-linux-gnu-g++, of Debian's package
g++-aarch64-linux-gnu. It reads the headers of this machine's libraries, which are the same for both.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

COMPILER = "aarch64-linux-gnu-g++"
ROOT = Path(__file__).resolve().parents[2]
# The other file of each kind: sources that this build leaves out because they are for another processor, and the reverse.
INSTEAD = {"processor_x86.cpp": "processor_other.cpp"}


def sources(build):
    """{source: its command}, each source once."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(ROOT / "lib") or path.is_relative_to(ROOT / "chapters"):
            found.setdefault(path, (entry["directory"], shlex.split(entry["command"])))
    return found


def command_for(path, words):
    """The same command for the other compiler, with a check of the syntax only: no launcher, no output, no flags of this processor."""
    kept, skip = [], 0
    for word in words[next(i for i, word in enumerate(words) if word.startswith("-")):]:
        if skip:
            skip -= 1
        elif word in ("-o", "-MF", "-MT", "-c"):
            skip = 1
        elif word != "-MD" and not word.startswith("-march="):
            kept.append(word)
    path = path.with_name(INSTEAD.get(path.name, path.name))
    here = ["-idirafter", "/usr/include/x86_64-linux-gnu"]  # libraries' headers; the C library's own come first
    return [COMPILER, *kept, *here, "-Werror", "-fsyntax-only", str(path)]


def read(item):
    path, (folder, words) = item
    done = subprocess.run(command_for(path, words), cwd=folder, capture_output=True, text=True)
    return path.relative_to(ROOT), done.returncode, done.stderr


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    files = sources(Path(sys.argv[1]))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count())) as pool:
        for path, status, said in pool.map(read, sorted(files.items())):
            failed += status != 0
            if status != 0:
                print(f"{path} does not compile for ARM64:\n{said}", file=sys.stderr)
    print(f"arm64: {len(files)} sources read, {failed} of them refused")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
