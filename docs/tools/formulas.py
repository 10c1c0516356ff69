#!/usr/bin/env python3
"""Checks the formulas of all pages: GitHub must show each with the characters that it has in the page, and MathJax must be able to set it.

    docs/tools/formulas.py            every page
    docs/tools/formulas.py PAGE ...   only these
    docs/tools/formulas.py --write    also puts the formulas in a line that GitHub changes into $`...`$, which it does not

GitHub reads Markdown first and looks for formulas afterwards. So a page goes through GitHub's own parser, cmark-gfm, and the formulas that
come out are compared with those that went in.
"""
import argparse
import difflib
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import github
import markdown

MATHJAX = Path("/usr/share/javascript/mathjax")
CODE_BLOCK = re.compile(r'<pre\b[^>]*?data-sourcepos="(\d+):(\d+)-(\d+):\d+"')
CODE = re.compile(r"\$`(?P<formula>[^`]+)`\$|(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n\n).)*?[^`](?P=ticks)(?!`)", re.S)
DOLLARS = re.compile(r"\$(?P<formula>(?:(?!\n\n)[^$])+)\$")
BAD_MACRO = re.compile(r"\\(operatorname|newcommand|def|require|href)\b")  # GitHub does not set these

CHANGED = "GitHub changes a formula\n    in the page:  {}\n    on GitHub:    {}"


def blank(match):
    """As many lines and characters as the match, all of them empty."""
    return re.sub(r"[^\n]", "\0", match[0])


class Page:
    def __init__(self, name, text):
        self.name, self.lines = name, text.split("\n")
        self.problems = []
        self.changed = []  # of those formulas that GitHub changes
        self.formulas = []  # (line, column, formula, displayed), in the order of the page
        shown = github.to_html(text, "--sourcepos")
        prose = markdown.COMMENT.sub(blank, self.take_fences(shown))
        prose = DOLLARS.sub(self.take, CODE.sub(self.take, prose))
        for match in re.finditer(r"\$+", prose):
            self.complain(self.place(match)[0], f"{match[0]} belongs to no formula; displayed formulas stand in a fence named math")
        self.formulas.sort()
        self.compare(self.shown(shown))

    def complain(self, line, what):
        self.problems.append(f"{self.name}:{line}: {what}")

    @staticmethod
    def place(match):
        before = match.string[:match.start()]
        return before.count("\n") + 1, len(before) - before.rfind("\n")

    def take_fences(self, shown):
        """The page without its code blocks; those named math are formulas."""
        prose = list(self.lines)
        for first, column, last in (map(int, where) for where in CODE_BLOCK.findall(shown)):
            if re.match(r" *```math$", self.lines[first - 1]):
                formula = "".join(line[column - 1:] + "\n" for line in self.lines[first:last - 1])
                self.formulas.append((first + 1, 1, formula, True))
                if column > 1:
                    self.complain(first, "a displayed formula inside a list or a quotation, which GitHub may not show")
            prose[first - 1:last] = [""] * (last - first + 1)
        return "\n".join(prose)

    def take(self, match):
        """Blanks a formula in a line or a code span; a formula is kept, and judged by the rules that the parser does not know."""
        formula, (line, column) = match["formula"], self.place(match)
        if formula is None:
            return blank(match)
        self.formulas.append((line, column, formula, False))
        if "\n" in formula:
            self.complain(line, f"{match[0]} is broken over two lines, where GitHub does not see it")
        if re.search(r"\S[<>]|[<>]\S", formula):
            self.complain(line, f"{match[0]} needs spaces around < and >")
        return blank(match)

    @staticmethod
    def shown(html):
        found = []

        def keep(formula, displayed):
            found.append((formula, displayed))
            return ""

        github.with_formulas(re.sub(r' data-sourcepos="[^"]*"', "", html), keep)
        return found

    def compare(self, after):
        """Complains about each formula of the page that does not come out, and about each that comes out and is not in the page."""
        before = [formula[2:] for formula in self.formulas]
        lines = [formula[0] for formula in self.formulas] + [len(self.lines)]
        for change, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if change != "equal":
                self.changed += self.formulas[a:b]
                for index, (old, new) in enumerate(itertools.zip_longest(before[a:b], after[c:d], fillvalue=("no formula", False))):
                    self.complain(lines[min(a + index, max(b - 1, a))], CHANGED.format(old[0].strip(), new[0].strip()))

    def mended(self):
        """The page with backticks around the formulas in a line that GitHub changes."""
        lines = list(self.lines)
        for line, column, formula, displayed in sorted(self.changed, reverse=True):
            before, behind = lines[line - 1][:column - 1], lines[line - 1][column - 1:]
            if not displayed and behind.startswith(f"${formula}$"):
                lines[line - 1] = f"{before}$`{formula}`${behind[len(formula) + 2:]}"
        return "\n".join(lines)


def set_by_mathjax(pages):
    """Complaints of MathJax, and of GitHub about macros. One process reads all formulas."""
    if not (MATHJAX / "MathJax.js").exists():
        raise SystemExit("MathJax is missing: apt-get install libjs-mathjax")
    formulas = [(page, line, formula, displayed) for page in pages for line, _, formula, displayed in page.formulas]
    wanted = json.dumps([(formula, displayed) for _, _, formula, displayed in formulas])
    try:
        done = subprocess.run(["node", Path(__file__).with_name("mathjax.js"), MATHJAX], input=wanted, capture_output=True, text=True,
                              timeout=60)
    except FileNotFoundError:
        raise SystemExit("node is missing: apt-get install nodejs") from None
    if done.returncode != 0:
        raise SystemExit(f"mathjax.js failed: {done.stderr[-500:]}")
    for (page, line, formula, _), complaint in zip(formulas, json.loads(done.stdout), strict=True):
        if match := BAD_MACRO.search(formula):
            complaint = f"GitHub refuses {match[0]}"
        if complaint:
            page.complain(line, f"{complaint}\n    in the page:  {formula.strip()}")
    return len(formulas)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="mend the formulas in a line that GitHub changes")
    parser.add_argument("page", nargs="*", type=Path, help="only these pages")
    options = parser.parse_args()
    root = Path(__file__).resolve().parents[2]
    paths = markdown.chosen(root, options.page)
    read = lambda: [Page(path.relative_to(root), path.read_text(encoding="utf-8")) for path in paths]
    pages = read()
    if options.write:
        for path, page in zip(paths, pages):
            if page.changed:
                path.write_text(page.mended(), encoding="utf-8")
        pages = read()
    count = set_by_mathjax(pages)
    problems = [problem for page in pages for problem in page.problems]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"formulas: {count} on {len(pages)} pages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
