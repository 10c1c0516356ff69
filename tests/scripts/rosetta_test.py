#!/usr/bin/env python3
"""Runs the NumPy lines of docs/rosetta.md, and compares them with its lines of PyTorch if that is installed.

All Python blocks share their names, as on the page. A comment behind a line that holds a tuple, such as `# (N, D)`, is the shape of what
the line assigns. `# PyTorch: CODE` computes the same names with tensors from the names before it. The test looks for a Python that has
numpy. Where there is none it is skipped; `make check-ranks` allows that to no test.
"""
import ast
import os
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rosetta.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
SHAPE = re.compile(r"^\s*(\w+) = .*?  # (\([^()]*,[^()]*\))", re.M)
TORCH = re.compile(r"^# PyTorch: (.*)$", re.M)
HERE = re.compile(r"((?:`\w+`(?:, )?)+) in \[[^\]]+\]\(([^)]+)\)")
CELL = re.compile(r"^\| \[[^|]*\| `([^|]*)` \|", re.M)

SKIPPED = 77

try:
    import numpy as np
except ImportError:
    other = "/usr/bin/python3"
    if sys.executable != other and os.access(other, os.X_OK):
        os.execv(other, [other, *sys.argv])
    print("rosetta_test: skipped: no Python here has numpy (python3-numpy)")
    sys.exit(SKIPPED)
try:
    import torch
except ImportError:
    torch = None


def parts(block):
    """The block in pieces, each with the lines of PyTorch above it."""
    pieces, lines = [], []
    for line in block.split("\n"):
        if TORCH.match(line) and lines and not TORCH.match(lines[-1]):
            pieces.append("\n".join(lines))
            lines = []
        lines.append(line)
    return pieces + ["\n".join(lines)]


def wrong_shapes(code, names):
    """Names that have not the shape of the comment behind the line."""
    return [f"{name}: {names[name].shape}, the page says {shape}" for name, shape in SHAPE.findall(code)
            if names[name].shape != eval(shape, {}, names)]


def tensors(names):
    """The names of a NumPy program, arrays as tensors."""
    turned = {name: torch.tensor(value) if isinstance(value, np.ndarray) else value for name, value in names.items()}
    return {**turned, "torch": torch, "nn": torch.nn, "F": torch.nn.functional}


def assigned(code):
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def run(code, names):
    """Runs a piece; returns what PyTorch or a shape contradicts."""
    of_torch = "\n".join(TORCH.findall(code))
    before = tensors(names) if torch and of_torch else None
    exec(code, names)
    problems = wrong_shapes(code, names)
    if before:
        try:
            exec(of_torch, before)
        except AttributeError as error:
            print(f"not in PyTorch {torch.__version__}: {error}", file=sys.stderr)
            return problems
        problems += [f"{name}: PyTorch has {before[name]}, NumPy {names[name]}" for name in assigned(of_torch) & names.keys()
                     if not np.allclose(np.asarray(before[name]), names[name], rtol=2e-6, atol=1e-12)]
    return problems


class Rosetta(unittest.TestCase):
    def setUp(self):
        self.page = PAGE.read_text(encoding="utf-8")

    def problems(self, page):
        names, found = {}, []
        for block in BLOCK.findall(page):
            for piece in parts(block):
                found += run(piece, names)
        return found

    def test_every_line_runs_and_has_the_shape_that_the_page_says(self):
        self.assertGreater(len(BLOCK.findall(self.page)), 20)
        self.assertEqual(self.problems(self.page), [])

    def test_a_wrong_line_is_found(self):
        wrong = self.page.replace("y = x @ w + b  # (N, V)", "y = x @ w + b  # (N, D)")
        self.assertIn("y: (6, 7), the page says (N, D)", self.problems(wrong))
        with self.assertRaises(ValueError):
            self.problems(self.page.replace("y = x @ w + b", "y = x @ weight + b"))
        if torch:
            wrong = self.page.replace("x.var(axis=-1, keepdims=True)", "x.var(axis=-1, keepdims=True, ddof=1)")
            self.assertNotEqual(self.problems(wrong), [])

    def test_the_table_shows_lines_of_the_blocks(self):
        blocks = "\n".join(BLOCK.findall(self.page))
        cells = CELL.findall(self.page)
        self.assertGreater(len(cells), 20)
        self.assertEqual([cell for cell in cells if cell not in blocks], [])

    def test_what_stands_here_stands_in_that_file(self):
        found = HERE.findall(self.page)
        self.assertGreater(len(found), 20)
        for names, link in found:
            text = (PAGE.parent / link).read_text(encoding="utf-8")
            self.assertEqual([name for name in re.findall(r"\w+", names) if not re.search(rf"\b{name}\b", text)], [], link)


if __name__ == "__main__":
    unittest.main()
