#!/usr/bin/env python3
"""Runs notebooks by their kernel and compares what they show with what is stored; then edits cells and runs them again.

    build/notebook/bin/python notebooks/check.py                       every notebook
    build/notebook/bin/python notebooks/check.py tour 05_layer_norm    these two
    build/notebook/bin/python notebooks/check.py --write               stores the outputs

Besides, each notebook must compile as one C++17 program: functions and types outside main, everything else in it. So a
function that uses a variable of a cell is an error: it would keep the old variable after the cell has run again.
"""
import argparse
import copy
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "kernel"), str(HERE.parent / "docs" / "tools")]
import nbformat  # noqa: E402
from cells import pieces  # noqa: E402
from lessons import same  # noqa: E402  (numbers may differ in their last place)
from nbclient import NotebookClient  # noqa: E402
from nbclient.exceptions import CellExecutionError  # noqa: E402

INCLUDES = [HERE, HERE / "kernel" / "include", HERE.parent / "lib", HERE.parent / "chapters", HERE.parent / "tests" / "wrong"]


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


# Outputs.

def svg_parts(text):
    """The elements, and their texts."""
    elements = list(ElementTree.fromstring(text).iter())
    return [element.tag for element in elements], " ".join((element.text or "") for element in elements if "style" not in element.tag)


def same_form(kind, old, new):
    if kind != "image/svg+xml":
        return same(old, new)
    (old_tags, old_text), (new_tags, new_text) = svg_parts(old), svg_parts(new)
    return old_tags == new_tags and same(old_text, new_text)


def forms(cell):
    """What a cell shows, as (MIME type, text) in their order."""
    for output in cell.outputs:
        if output.output_type == "stream":
            yield output.name, output.text
        elif output.output_type == "error":
            yield "error", f"{output.ename}: {output.evalue}"
        else:
            yield from sorted(output.data.items())


def differences(expected, found):
    """Of a cell with "noise" in its metadata, whose numbers are rounding errors, the kinds of outputs alone are compared."""
    old, new = list(forms(expected)), list(forms(found))
    if [kind for kind, _ in old] != [kind for kind, _ in new]:
        yield f"shows {[kind for kind, _ in new]}, and stored is {[kind for kind, _ in old]}"
        return
    for (kind, one), (_, other) in zip(old, new):
        if not expected.metadata.get("noise") and not same_form(kind, one, other):
            yield f"{kind}\n  now:    {other}\n  stored: {one}"


# Runs.

class Session:
    """One kernel; cells are run in any order, and texts may be changed."""

    def __init__(self, notebook):
        self.notebook = notebook
        self.client = NotebookClient(notebook, timeout=300, kernel_name="xcpp17", resources={"metadata": {"path": str(HERE)}})

    def run(self, first=0):
        for index, cell in enumerate(self.notebook.cells):
            if cell.cell_type == "code" and index >= first:
                cell.outputs = []
                try:
                    self.client.execute_cell(cell, index)
                except CellExecutionError:
                    if "raises-exception" not in cell.metadata.get("tags", []):
                        raise
                cell.outputs = joined(cell.outputs)


def joined(outputs):
    """Pieces of one stream that follow each other as one output."""
    result = []
    for output in outputs:
        last = result[-1] if result else None
        if last and output.output_type == "stream" and last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            result.append(output)
    return result


def edits(notebook):
    """The cells with an edit in their metadata: {"edit": ["old text", "new text"]}."""
    return [(index, cell.metadata["edit"]) for index, cell in enumerate(notebook.cells) if "edit" in cell.metadata]


def compare(expected, found, when):
    for number, (old, new) in enumerate(zip(code_cells(expected), code_cells(found)), 1):
        for what in differences(old, new):
            yield f"code cell {number} {when}: {what}"


def shown(notebook):
    return [list(forms(cell)) for cell in code_cells(notebook)]


def run_and_edit(notebook, stored):
    """Runs the copy `notebook`. An edit must change what is shown; taken back, everything must be as before."""
    session = Session(notebook)
    with session.client.setup_kernel():
        session.run()
        first = copy.deepcopy(notebook)
        yield first
        for index, (old, new) in edits(stored):
            cell = notebook.cells[index]
            if old not in cell.source:
                yield f"the edit of cell {index} does not find {old!r}"
                continue
            cell.source = cell.source.replace(old, new)
            session.run(index)
            if shown(notebook) == shown(first):
                yield f"{old!r} changed into {new!r} has no effect on what is shown"
            cell.source = stored.cells[index].source
            session.run(index)
            yield from compare(first, notebook, f"after {old!r} was changed and changed back")
    if not edits(stored):
        yield "no cell has an edit to try"


# The text of the cells.

def program(notebook):
    """The notebook as a C++17 program."""
    outside, inside = [], []
    for number, cell in enumerate(code_cells(notebook), 1):
        for piece in pieces(cell.source):
            line = f'#line {piece.line} "code cell {number}"\n'
            if piece.kind == "definition":
                outside.append(line + piece.text)
            else:
                inside.append(line + piece.text + (", xcpp::detail::Result{};" if piece.kind == "expression" else ""))
    return "\n".join([*outside, "int main() {", *inside, "}", ""])


def complaints(notebook):
    for number, cell in enumerate(code_cells(notebook), 1):
        found = [piece for piece in pieces(cell.source) if not piece.text.startswith("#")]
        functions = [piece for piece in found if piece.kind == "definition" and not re.match(r"(struct|class|enum)\b", piece.text)]
        if functions and len(found) > 1:
            yield f"code cell {number}: a function stands alone in its cell, else xeus-cling rejects it"
    if notebook.metadata.kernelspec.name != "xcpp17":
        yield "its kernel is not xcpp17"
    command = ["g++", "-std=c++17", "-fsyntax-only", "-w", "-x", "c++", "-", *(f"-I{folder}" for folder in INCLUDES)]
    compiled = subprocess.run(command, input=program(notebook), text=True, capture_output=True, cwd=HERE)
    if compiled.returncode != 0:
        yield next((line for line in compiled.stderr.splitlines() if "error:" in line), compiled.stderr)


def without_run(notebook):
    """The notebook as it is stored: no times, small metadata."""
    for cell in code_cells(notebook):
        cell.metadata = {key: cell.metadata[key] for key in ("edit", "noise", "tags") if key in cell.metadata}
    return notebook


def check(path, write):
    stored = nbformat.read(path, as_version=4)
    problems = list(complaints(stored))
    first = None
    try:
        for what in run_and_edit(copy.deepcopy(stored), stored):
            if isinstance(what, str):
                problems.append(what)
                continue
            first = what
            changed = list(compare(stored, first, "differs"))
            problems += [] if write else changed
            if write and changed:
                nbformat.write(without_run(first), path)
    except CellExecutionError as error:
        problems.append(str(error))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="store the outputs instead of comparing them")
    parser.add_argument("name", nargs="*", default=sorted(path.stem for path in HERE.glob("*.ipynb")))
    options = parser.parse_args()
    failed = False
    for name in options.name:
        problems = check(HERE / f"{name}.ipynb", options.write)
        failed = failed or bool(problems)
        for problem in problems:
            print(f"{name}: {problem}", file=sys.stderr)
        if not problems:
            print(f"{name}: shows what is stored, also after edits", flush=True)
    return 1 if failed or not options.name else 0


if __name__ == "__main__":
    sys.exit(main())
