#!/usr/bin/env python3
"""Runs the notebooks from top to bottom in clang-repl and compares what they print with what they show.

    notebooks/verify.py                       every notebook, with the library in build/release
    notebooks/verify.py --write               renew the outputs that the notebooks show

A notebook is written for the kernel xcpp17, which knows Cling's pragmas. clang-repl knows none, so the pragmas become its own options.
Cells keep to what both understand: C++17, one function definition a cell and nothing beside it, no trailing expression.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "docs" / "tools"))
from lessons import same  # noqa: E402  (numbers may differ in their last place)

NAMES = ["clang-repl-19", "clang-repl-20", "clang-repl-21"]  # tried with 19
OPTIONS = ["-std=c++17", "-w"]
PRAGMA = re.compile(r'#pragma cling (add_include_path|add_library_path|load)\("([^"]+)"\)')
MARK = "@@cell"
FUNCTION = re.compile(r"^(?!if\b|for\b|while\b|switch\b|try\b|else\b|do\b)[\w:<>,&*\s]+\([^;{}]*\)\s*(?:const\s*)?\{", re.M)


def text(lines):
    return "".join(lines)


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def shown(cell):
    return text(line for output in cell["outputs"] for line in output.get("text", []))


def top_level(source):
    """The cell without comments and preprocessor lines, every block in braces shrunk to {}."""
    code = re.sub(r"//[^\n]*|^\s*#[^\n]*", "", source, flags=re.M)
    before = None
    while before != code:
        before, code = code, re.sub(r"\{(?:[^{}]|\{\})+\}", "{}", code)
    return code.strip()


def complaints(source):
    """What Cling would not take, though clang-repl does."""
    code = top_level(source)
    functions = FUNCTION.findall(code)
    if len(functions) > 1:
        yield f"{len(functions)} function definitions; one a cell"
    if functions and not re.fullmatch(r"(?:template\s*<[^;{}]*>\s*)?[^;{}=]*\{\}", code):
        yield "a function definition stands alone in its cell"
    if not functions and code and not re.search(r"[;}]$", code):
        yield "a trailing expression; print it instead"


class Session:
    """What clang-repl is given: a line for each cell, and options for what the pragmas say."""

    def __init__(self, notebook, folder):
        self.paths, self.libraries, self.includes, self.script = [], [], [], []
        for number, cell in enumerate(code_cells(notebook)):
            source = PRAGMA.sub(self.take, text(cell["source"]))
            (folder / f"cell{number}.inc").write_text(source + "\n", encoding="utf-8")
            self.script.append(f'#include "{folder}/cell{number}.inc"')
            self.script.append(f'std::printf("\\n{MARK} {number}\\n");')

    def take(self, match):
        what, value = match.groups()
        {"add_include_path": self.includes, "add_library_path": self.paths, "load": self.libraries}[what].append(value)
        return ""

    def run(self, repl, library_folder):
        command = [repl] + [f"--Xcc={option}" for option in OPTIONS + [f"-I{path}" for path in self.includes]]
        head = ["#include <cstdio>", "#include <iostream>", "#include <unistd.h>",
                "std::setvbuf(stdout, nullptr, _IONBF, 0);"]
        for library in self.libraries:
            head.insert(0, f"%lib {self.find(library, library_folder)}")
        tail = ["std::cout.flush();", "std::fflush(nullptr);", "_exit(0);"]  # unloading BLAS at the end crashes
        return subprocess.run(command, input="\n".join(head + self.script + tail) + "\n", cwd=HERE, text=True,
                              capture_output=True, timeout=300, env={**os.environ, "TERM": "dumb"})

    def find(self, library, library_folder):
        folders = [library_folder] if library_folder else [HERE / path for path in self.paths]
        for folder in folders:
            file = Path(folder).resolve() / f"{library}.so"
            if file.is_file():
                return file
        raise SystemExit(f"there is no {library}.so in {', '.join(map(str, folders))}; `make notebooks` builds it")


def outputs(stdout, count):
    """What each cell printed, or fewer than `count` texts where one did not get through."""
    clean = re.sub(r"^(?:clang-repl(?:\.\.\.)?>\s*)+", "", stdout, flags=re.M)
    parts = re.split(rf"\n{MARK} (\d+)\n", clean)
    done = [part.removeprefix("\n") for part, number in zip(parts[::2], parts[1::2]) if number.isdigit()]
    return done[:count]


def verify(path, repl, library_folder, write):
    """The problems of one notebook."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = code_cells(notebook)
    problems = [f"cell {number}: {what}" for number, cell in enumerate(cells) for what in complaints(text(cell["source"]))]
    if notebook["metadata"]["kernelspec"]["name"] != "xcpp17":
        problems.append("its kernel is not xcpp17")

    with tempfile.TemporaryDirectory() as folder:
        done = Session(notebook, Path(folder)).run(repl, library_folder)
    errors = [line for line in done.stderr.splitlines() if "error:" in line or "terminate" in line]
    found = outputs(done.stdout, len(cells))
    if errors or len(found) < len(cells) or done.returncode != 0:
        what = errors[0] if errors else done.stderr.strip() or "it did not come back"
        place = re.match(r".*/cell(\d+)\.inc:\d+:\d+: (.*)", what)
        return problems + [f"cell {place[1]}: {place[2]}" if place else f"cell {len(found)}: {what}"]

    changed = False
    for number, (cell, printed) in enumerate(zip(cells, found)):
        if same(shown(cell), printed):
            continue
        changed = True
        if write:
            lines = printed.splitlines(True)
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": lines}] if printed else []
        else:
            problems.append(f"cell {number} prints\n{printed}and shows\n{shown(cell)}")
    if changed and write:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="renew the outputs instead of comparing them")
    parser.add_argument("--library-folder", help="where libgradus.so is, if not where the notebooks say")
    parser.add_argument("notebook", nargs="*", type=Path, default=sorted(HERE.glob("*.ipynb")))
    options = parser.parse_args()

    repl = next(filter(None, map(shutil.which, NAMES)), None)
    if repl is None:
        print("notebooks: not verified, there is no clang-repl (Debian: clang-tools-19)", file=sys.stderr)
        return 1
    failed = False
    for path in options.notebook:
        problems = verify(path, repl, options.library_folder, options.write)
        failed = failed or bool(problems)
        for problem in problems:
            print(f"{path.name}, {problem}", file=sys.stderr)
        if not problems:
            print(f"{path.name}: runs, and prints what it shows")
    return 1 if failed or not options.notebook else 0


if __name__ == "__main__":
    sys.exit(main())
