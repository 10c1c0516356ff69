"""Code of the sources as a page shows it: no line has more than WIDTH columns, so GitHub shows it without a scroll bar. The sources may be wider
(.clang-format); only an excerpt with a wide line is broken again, by clang-format.
"""
import subprocess
import unicodedata
from pathlib import Path

STYLE = Path(__file__).resolve().parents[2] / ".clang-format"
WIDTH = 96


def columns(line):
    """The columns of a line: a combining mark has none, a wide character two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line if not unicodedata.combining(c))


def is_wide(code, width=WIDTH):
    return any(columns(line) > width for line in code.split("\n"))


def narrow(code):
    """The code with its lines broken at WIDTH columns. Needs clang-format (`make format` installs it)."""
    settings = [line.split("#")[0].strip() for line in STYLE.read_text(encoding="utf-8").splitlines()]
    style = dict(line.split(": ", 1) for line in settings if ": " in line) | {"ColumnLimit": WIDTH, "BreakStringLiterals": "false"}
    command = ["clang-format", "--assume-filename=excerpt.cpp", "--style={" + ", ".join(f"{key}: {value}" for key, value in style.items()) + "}"]
    return subprocess.run(command, input=code, capture_output=True, text=True, check=True).stdout.rstrip("\n")


def same_code(a, b):
    """Whether two texts differ in white space alone. Versions of clang-format break lines in other places."""
    return "".join(a.split()) == "".join(b.split())
