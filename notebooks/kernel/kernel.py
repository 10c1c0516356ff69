#!/usr/bin/env python3
"""The Jupyter kernel `xcpp17` of this project: C++ cells, run by Cling. It has xeus-cling's name, so that notebooks open in either."""
import json
import os
import re
from pathlib import Path

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

from cells import hidden, is_complete, pieces
from cling import ARITHMETIC, DONE, INTERRUPTED, MEMORY, Cling
from output import Output

MESSAGE = re.compile("\2([^\n]*)\n(.*?)\3", re.S)
DIAGNOSTIC = re.compile(r"^(?:In file included from )?(?:cell \d+|input_line_\d+):\d+|^\S+:\d+:\d+: (?:error|warning):"
                        r"|^compilation failed|^cling JIT session error|^IncrementalExecutor|^\[runStaticInit", re.M)
WORD = re.compile(r"[A-Za-z_]\w{2,}")
ADVICE = "The data of the notebook may be damaged: restart the kernel."
FAULTS = {INTERRUPTED: ("Interrupted", "the cell was interrupted"),
          MEMORY: ("Memory fault", f"the cell read or wrote memory that does not belong to it. {ADVICE}"),
          ARITHMETIC: ("Arithmetic fault", f"a whole number was divided by zero. {ADVICE}")}


class CppKernel(Kernel):
    implementation, implementation_version = "gradus", "1"
    language_info = {"name": "c++", "version": "17", "mimetype": "text/x-c++src", "file_extension": ".cpp",
                     "codemirror_mode": "text/x-c++src"}
    banner = "C++ by Cling. A cell without a semicolon at its end shows its value."

    def __init__(self, **options):
        super().__init__(**options)
        self.waiting, self.errors, self.diagnostics, self.silent = "", "", None, False
        self.words = set()
        self.output = Output(self.receive)
        self.cling = Cling(os.environ["GRADUS_CLING"])
        self.output.settle()

    # Output, on the reader's thread.

    def receive(self, stream, text):
        if self.silent:
            return
        if stream == "stderr":
            self.receive_errors(text)
            return
        self.waiting += text
        while message := MESSAGE.search(self.waiting):
            self.print("stdout", self.waiting[:message.start()])
            self.show(*message.groups())
            self.waiting = self.waiting[message.end():]
        if "\2" not in self.waiting:
            self.print("stdout", self.waiting)
            self.waiting = ""

    def receive_errors(self, text):
        """The compiler's messages are kept until the piece ends; what a program prints goes on, line by line."""
        whole, newline, self.errors = (self.errors + text).rpartition("\n")
        whole += newline
        start = DIAGNOSTIC.search(whole) if self.diagnostics == "" else None
        if start:
            self.print("stderr", whole[:start.start()])
            whole = whole[start.start():]
        if start or self.diagnostics:
            self.diagnostics += whole
        else:
            self.print("stderr", whole)

    def print(self, stream, text):
        if text:
            self.send_response(self.iopub_socket, "stream", {"name": stream, "text": text})

    def show(self, kind, text):
        kind, *rest = kind.split()
        if kind == "clear":
            self.send_response(self.iopub_socket, "clear_output", {"wait": text == "wait"})
            return
        data = {"text/plain": text} if rest[-1:] == ["text"] else json.loads(text)
        content = {"data": data, "metadata": {}}
        if kind == "result":
            self.send_response(self.iopub_socket, "execute_result", {**content, "execution_count": self.execution_count})
        else:
            name = "update_display_data" if kind == "update" else "display_data"
            ids = [word for word in rest if word != "text"]
            self.send_response(self.iopub_socket, name, {**content, "transient": {"display_id": ids[0]} if ids else {}})

    # Cells.

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False, **_):
        self.silent = silent
        self.words.update(WORD.findall(code))
        for piece in pieces(code):
            problem = self.run(piece, code)
            if problem:
                name, text = problem
                error = {"ename": name, "evalue": text, "traceback": [f"{name}: {text}"]}
                if not silent:
                    self.send_response(self.iopub_socket, "error", error)
                return {"status": "error", "execution_count": self.execution_count, **error}
        return {"status": "ok", "execution_count": self.execution_count, "payload": [], "user_expressions": {}}

    def run(self, piece, code):
        """The problem as (name, text), or None."""
        self.diagnostics = ""
        text = piece.text + ("\n, xcpp::detail::Result{};" if piece.kind == "expression" else "")
        result = self.cling.run(f'#line {piece.line} "cell {self.execution_count}"\n{text}')
        self.output.settle()
        said, rest = self.diagnostics, self.errors
        self.diagnostics, self.errors = None, ""
        self.print("stderr", rest)
        if result == DONE:
            self.print("stderr", said)
            return None
        return FAULTS.get(result) or self.rejected(said, piece, code)

    def rejected(self, said, piece, code):
        cell = f"cell [{self.execution_count}]"
        thrown = re.search(r"^compilation failed(?:: | with )(.*)", said, re.M | re.S)
        if thrown:
            return "Exception", f"{cell}, line {piece.line}: {thrown[1].strip()}"
        return "Does not compile", "\n".join(self.located(said, piece, code, cell)) or f"{cell}, line {piece.line}: Cling gave no reason"

    def located(self, said, piece, code, cell):
        """The errors, with lines of the cell instead of Cling's own, and without notes on candidates."""
        kept, errors = True, 0
        for line in said.splitlines():
            match = re.match(r"(.*?):(\d+):\d+: ((?:fatal )?error|note|warning): (.*)", line)
            if match:
                file, number, kind, text = match.groups()
                kept = kind.endswith("error")
                errors += kept
                if errors > 3:
                    return
                if file.startswith("input_line"):  # Cling compiled a part of the piece by itself
                    number = self.line_of(text, piece, code)
                place = f"line {number}" if file.startswith(("cell ", "input_line")) else f"{file}, line {number}"
                line = f"{cell}, {place}: {text}"
                if kept and file.startswith("input_line"):  # the excerpt is not the cell's text
                    yield line
                    kept = False
            if kept and not line.startswith("In file included from"):
                yield line

    def line_of(self, message, piece, code):
        """The first line with the name that the message quotes, else the piece's first."""
        quoted = re.search(r"'(\w+)'", message)
        lines = list(enumerate(hidden(code).split("\n"), 1))[piece.line - 1:]
        return next((number for number, line in lines if quoted and re.search(rf"\b{quoted[1]}\b", line)), piece.line)

    def do_complete(self, code, cursor_pos):
        """Names that the cells so far and the headers in this folder contain."""
        start = re.search(r"\w*$", code[:cursor_pos])
        known = self.words | {word for header in Path(".").glob("*.hpp") for word in WORD.findall(header.read_text(encoding="utf-8"))}
        matches = sorted(word for word in known if start[0] and word.startswith(start[0]))
        return {"status": "ok", "matches": matches, "cursor_start": start.start(), "cursor_end": cursor_pos, "metadata": {}}

    def do_is_complete(self, code):
        return {"status": "complete"} if is_complete(code) else {"status": "incomplete", "indent": "  "}


if __name__ == "__main__":
    IPKernelApp.capture_fd_output = False
    IPKernelApp.launch_instance(kernel_class=CppKernel)
    os._exit(0)  # without unloading the libraries: that order is not ours
