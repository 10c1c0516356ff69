#!/usr/bin/env python3
"""Inserts excerpts, demo output and figures into the lessons, and compares them (`make check`).

    docs/tools/lessons.py --demos build/release            check every page, name what is out of date
    docs/tools/lessons.py --demos build/release --write    bring the marked blocks up to date

Marked blocks (CONTRIBUTING.md shows them) are `code`, `demo`, `program`, `plain` and `table`; the figures in sentences and tables are
named in docs/values (figures.py). The script also checks that every chapter's README
and checked.md have the template's headings, that the README is short, begins with code and links to the glossary and the table of
symbols, that every page of a chapter says below its title how long it takes (minutes.py), that equations are numbered in the order in which a page shows them, that their tags agree with the code,
that an equation which a page mentions is there, that relative links lead to a file, and that a figure of MEASURES stands beside its name.
"""
import argparse
import bisect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import excerpts
import figures
import markdown
import minutes
import tables
import wording

HEADINGS = {"README.md": ["The formula", "In plain C++", "Shapes by hand", "The backward pass", "What is saved, and why", "The code",
                          "Pitfalls", "Exercises", "Builds on, leads to"],
            "checked.md": ["What the judges prove", "What public tutorials get wrong"]}
MOST_WORDS, MOST_BEFORE_CODE = 1800, 500  # of prose in a lesson, and of these before its first line of C++
MOST_OF_ALL = 33_990  # words of all pages of chapters 00 to 08, with tables and formulas, without code
HELPS = ["../../docs/glossary.md", "../../docs/symbols.md"]
SOURCES = (".hpp", ".cpp", ".cu")
BLOCK = re.compile(r"^<!-- (code|demo|program|plain|table): ([^\n]+?) -->\n((?:(?!<!-- ).)*)^<!-- end -->$", re.M | re.S)
MARK = re.compile(r"<!-- (?:code|demo|program|plain|table|value|says|systems|end)\b")
EXERCISE = re.compile(r"\s*// exercise: (begin|end)$")
LITERAL = re.compile(r"(^````.*?^````$)", re.M | re.S)  # marks inside a fence of four backticks are only shown
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
MEASURES = {"bleu": "BLEU", "chrf2": "chrF", "precision": "precision", "recall": "recall", "parameters": "parameters",
            "megabytes": "MB", "minutes": "minutes"}  # the last word of a figure's name, and what its paragraph has to say
NOISE = 1e-8  # rounding errors differ between machines; they only have to stay below this


class Stale(Exception):
    """A block that cannot be filled."""


def definition(source, name, which=1):
    """The text of the which-th definition of a function or type called name, from its template line to its brace."""
    lines = source.split("\n")
    found = 0
    head = re.compile(rf"(?:\b(?:struct|class) {re.escape(name)}\b(?!;)|\b{re.escape(name)}\()")
    for at, line in enumerate(lines):
        if not head.search(line) or line[:1] in (" ", "/", "#", ""):
            continue
        end = closing_line(lines, at)
        if end is None:
            continue
        found += 1
        if found == which:
            while at > 0 and lines[at - 1] and not re.match(r"[}/#]|namespace|using|.*;$", lines[at - 1]):
                at -= 1
            return "\n".join(line for line in lines[at:end + 1] if not EXERCISE.match(line))
    raise Stale(f"no definition of {name}" + (f" number {which}" if which > 1 else ""))


def closing_line(lines, at):
    """The line of the brace that closes the definition that begins at line `at`; None for a declaration."""
    depth = 0
    opened = False
    for number in range(at, len(lines)):
        code = re.sub(r"//.*|'(?:\\.|[^'\\])'|\"(?:\\.|[^\"\\])*\"", "", lines[number])
        for char in code:
            if char == "{":
                depth, opened = depth + 1, True
            elif char == "}":
                depth -= 1
            elif char == ";" and not opened:
                return None
        if opened and depth == 0:
            return number
    return None


class Demos:
    """Runs each demo once and cuts its output at the lines `== section ==`; runs commands of gradus."""

    def __init__(self, folder, root):
        if not Path(folder).is_dir():
            raise SystemExit(f"no folder {folder} with the program and the demos (build them: make test)")
        self.folder, self.root, self.sections = folder, root, {}

    def section(self, chapter, name):
        if chapter not in self.sections:
            self.sections[chapter] = self.run(chapter)
        if name not in self.sections[chapter]:
            raise Stale(f"demo_{chapter} prints no section '{name}'")
        return self.sections[chapter][name]

    def run(self, chapter):
        programs = [path for path in Path(self.folder).rglob(f"demo_{chapter}") if path.is_file()]
        if not programs:
            raise Stale(f"no demo_{chapter} below {self.folder} (build it: make chapter CHAPTER={chapter[:2]})")
        done = subprocess.run([programs[0].resolve()], cwd=self.root, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise Stale(f"demo_{chapter} failed: {done.stderr.strip()}")
        parts = re.split(r"^== (.+?)(?: ==)?$\n?", done.stdout, flags=re.M)
        return {name.strip(): trimmed(text) for name, text in zip(parts[1::2], parts[2::2])}

    def program(self, arguments):
        """A command of gradus with long arguments on lines of their own, and what it prints."""
        program = Path(self.folder) / "gradus"
        if not program.is_file():
            raise Stale(f"no {program} (build it: make)")
        command = re.sub(r'" "', '" \\\n    "', f"$ build/release/gradus {arguments}")
        return command + "\n" + self.output(program, arguments)

    def plain(self, arguments):
        """A command of chapters/plain/transformer.cpp, and what it prints."""
        programs = [path for path in Path(self.folder).rglob("plain_transformer") if path.is_file()]
        if not programs:
            raise Stale(f"no plain_transformer below {self.folder} (build it: make test)")
        return f"$ ./transformer {arguments}\n" + self.output(programs[0], arguments)

    @staticmethod
    def output(program, arguments):
        done = subprocess.run([program.resolve(), *shlex.split(arguments)], capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise Stale(f"{program.name} {arguments} failed: {done.stderr.strip()}")
        return trimmed(done.stdout)


def trimmed(text):
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n")).rstrip()


def same(old, new):
    """Whether two texts are equal; a number may differ by one in its last place, because other machines round differently."""
    if " ".join(NUMBER.sub("#", old).split()) != " ".join(NUMBER.sub("#", new).split()):
        return False
    return all(close(a, b) for a, b in zip(NUMBER.findall(old), NUMBER.findall(new)))


def close(a, b):
    if a == b or max(abs(float(a)), abs(float(b))) < NOISE:
        return True
    digits = re.match(r"[-+]?\d+(?:\.(\d+))?(?:e([-+]?\d+))?", a)
    if digits[1] is None:
        return False  # whole numbers are counts
    return abs(float(a) - float(b)) <= 1.01 * 10.0 ** (int(digits[2] or 0) - len(digits[1]))


class Page:
    def __init__(self, path, root, demos, measured):
        self.path, self.root, self.demos, self.measured = path, root, demos, measured
        self.name = path.relative_to(root).as_posix()
        self.text = path.read_text(encoding="utf-8")
        self.problems, self.stale, self.values = [], [], []

    def complain(self, what):
        self.problems.append(f"{self.name}: {what}")

    def chapter(self):
        parts = self.path.relative_to(self.root).parts
        return parts[1] if parts[0] == "chapters" and len(parts) > 2 else None

    def renewed(self):
        """The page with its minutes, blocks and figures up to date; what was not is listed in `stale`."""
        text = self.text
        if any(path == self.path for _, _, path in minutes.lessons(self.root)):
            text = minutes.with_own_line(text)
            if text != self.text:
                self.stale.append("the line below the title that says how long the page takes")
        parts = LITERAL.split(text)
        for index in range(0, len(parts), 2):
            rest = MARK.search(BLOCK.sub("", parts[index]))
            if rest:
                self.complain(f"a mark without its partner, or one that does not exist: {rest.string[rest.start():][:60].splitlines()[0]}")
            parts[index] = BLOCK.sub(self.block, parts[index])
        return self.with_figures("".join(parts))

    def with_figures(self, text):
        self.values, problems = figures.values(text, wording.lines_beside(self.root, "values", self.path), self.measured)
        self.problems += problems
        for value in self.values:
            old = text[value.start:value.end]
            if old != value.new:
                self.stale.append(f"line {wording.line_of(text, value.start)}: {value.name} is {value.new}, not {old}")
        return figures.renewed(text, self.values)

    def block(self, match):
        kind, what, old = match.groups()
        try:
            if kind == "code":
                new = self.excerpt(self.code(what), old)
            elif kind == "table":
                new = self.table(what)
            elif self.demos is None:
                return match[0]
            else:
                run = {"program": self.demos.program, "plain": self.demos.plain, "demo": self.demo}[kind]
                new = f"```text\n{run(what)}\n```\n"
        except Stale as problem:
            self.complain(f"{kind}: {what}: {problem}")
            return match[0]
        unchanged = old == new or (kind in ("demo", "program", "plain") and same(old, new))
        if unchanged:
            return match[0]
        self.stale.append(f"{kind}: {what}")
        return f"<!-- {kind}: {what} -->\n{new}<!-- end -->"

    def excerpt(self, code, old):
        """The block of code on the page. Where its lines must be broken, the old block is right if it differs in white space alone."""
        new = f"```cpp\n{code}\n```\n"
        if not excerpts.is_wide(code):
            return new
        if excerpts.same_code(old, new) and not excerpts.is_wide(old):
            return old
        narrow = f"```cpp\n{excerpts.narrow(code)}\n```\n"
        if excerpts.is_wide(narrow):
            raise Stale(f"a line has more than {excerpts.WIDTH} columns, and clang-format cannot break it")
        return narrow

    def code(self, what):
        words = what.split()
        if len(words) not in (2, 3):
            raise Stale("expected: file function [number]")
        shared = words[0].split("/")[0] in ("lib", "chapters", "app", "tests")
        file = (self.root if shared else self.path.parent) / words[0]
        if not file.is_file():
            raise Stale(f"no file {words[0]}")
        return definition(file.read_text(encoding="utf-8"), words[1], int(words[2]) if len(words) == 3 else 1)

    def table(self, what):
        """What the function of that name in tables.py makes of the measurements."""
        if what not in tables.TABLES:
            raise Stale(f"tables.py has no table {what}")
        return tables.TABLES[what](self.root, self.measured) + "\n"

    def demo(self, what):
        chapter, name = self.chapter(), what
        other = re.match(r"(\d\d_\w+): (.+)", what)
        if other:
            chapter, name = other.groups()
        if not chapter:
            raise Stale("outside a chapter say which: <!-- demo: 05_layer_norm: section -->")
        return self.demos.section(chapter, name)

    def check_measures(self, text):
        """A figure's paragraph, or its table with the text above it, names what was measured."""
        borders = [0, *(gap.end() for gap in re.finditer(r"\n\n(?!\|)", text)), len(text) + 1]
        for value in self.values:
            word = MEASURES.get(re.split(r"[._]", value.name)[-1])
            end = bisect.bisect(borders, value.start)
            if word and word.lower() not in markdown.COMMENT.sub("", text[borders[end - 1]:borders[end]]).lower():
                self.complain(f"line {wording.line_of(text, value.start)}: {value.name}: its paragraph does not say '{word}'")

    def check_headings(self):
        found, expected = re.findall(r"^## (.+?)\s*$", self.text, re.M), HEADINGS[self.path.name]
        missing = [heading for heading in expected if heading not in found]
        if missing:
            self.complain("heading missing: " + ", ".join(f"'## {heading}'" for heading in missing))
        elif [heading for heading in found if heading in expected] != expected:
            self.complain("headings out of order; CONTRIBUTING.md has the template")

    def check_length(self):
        words, before = minutes.prose(self.text), minutes.before_code(self.text)
        if words > MOST_WORDS:
            self.complain(f"{words} words of prose; a lesson has at most {MOST_WORDS}")
        if before is None:
            self.complain("no line of C++")
        elif before > MOST_BEFORE_CODE:
            self.complain(f"{before} words before the first line of C++; at most {MOST_BEFORE_CODE}")

    def check_glossary(self):
        """Each link stands once, between the title and the first heading, so that readers find it in the same place in every lesson."""
        top = re.split(r"^## ", self.text, maxsplit=1, flags=re.M)[0]
        for link in HELPS:
            if top.count(f"]({link})") != 1 or self.text.count(f"]({link})") != 1:
                self.complain(f"needs one link to {link}, below the title")

    def check_width(self):
        for fence in markdown.FENCE.finditer(self.text):
            if fence["language"] == "cpp" and excerpts.is_wide(fence["inside"]):
                self.complain(f"line {wording.line_of(self.text, fence.start())}: its code has more than {excerpts.WIDTH} columns")

    def check_links(self):
        for link in markdown.TARGET.findall(markdown.without(self.text, markdown.FENCE, markdown.CODE)):
            target = link.split("#")[0]
            if target and not re.match(r"[a-z]+:", target) and not (self.path.parent / target).exists():
                self.complain(f"link to {target}, which is not there")


def check_equations(root):
    """Checks that every tag of a lesson has a line of code that names it, and vice versa, and that tags follow the page's order."""
    problems, tags, chapters = [], {}, sorted((root / "chapters").glob("[0-9][0-9]_*"))
    for chapter in chapters:
        numbers = []
        for page in sorted(chapter.rglob("*.md")):
            found = markdown.TAG.findall(page.read_text(encoding="utf-8"))
            for tag in found:
                if tag.split(".")[0] != str(int(chapter.name[:2])):
                    problems.append(f"{page.relative_to(root)}: eq:{tag} carries another chapter's number")
                if tag in tags:
                    problems.append(f"{page.relative_to(root)}: eq:{tag} is tagged twice")
                tags[tag] = page, chapter
            problems += [f"{page.relative_to(root)}: {line}" for line in out_of_order(found)]
            numbers += [place(tag) for tag in found]
        gaps = sorted(set(range(1, len(numbers) + 1)) - set(numbers))
        if gaps:
            problems.append(f"{chapter.relative_to(root)}: no equation has the number {gaps[0]}, but there are {len(numbers)}")
    named = {}
    for folder in ("chapters", "lib", "app"):
        for file in sorted(path for path in (root / folder).rglob("*") if path.suffix in SOURCES):
            for tag in markdown.EQUATION.findall(file.read_text(encoding="utf-8")):
                named.setdefault(tag, []).append(file)
    for tag, files in sorted(named.items()):
        if tag not in tags:
            problems.append(f"{files[0].relative_to(root)}: eq:{tag} has no \\tag{{eq:{tag}}} in a lesson")
    for tag, (page, chapter) in sorted(tags.items()):
        home = [chapter] + ([root / "lib"] if chapter.name.startswith("00_") else [])
        if not any(folder in file.parents for folder in home for file in named.get(tag, [])):
            problems.append(f"{page.relative_to(root)}: eq:{tag} is named by no source file of the chapter")
    return problems + missing_equations(root, tags)


def missing_equations(root, tags):
    """Mentions, on any page, of an equation that no lesson has."""
    problems = []
    for page in markdown.pages(root):
        prose = markdown.without(page.read_text(encoding="utf-8"), markdown.FENCE, markdown.CODE)
        problems += [f"{page.relative_to(root)}: mentions eq:{tag}, but no lesson has that equation"
                     for tag in dict.fromkeys(markdown.EQUATION.findall(prose)) if tag not in tags]
    return problems


def place(tag):
    """5.3 is equation 3 of its chapter."""
    return int(tag.split(".")[1])


def out_of_order(tags):
    """Each tag of a page that is not the number after the one before it."""
    return [f"eq:{tag} follows eq:{before}; equations are numbered in the order in which the page shows them"
            for before, tag in zip(tags, tags[1:]) if place(tag) != place(before) + 1]


def too_long_together(root):
    """The chapters before the whole model, if their pages have more words than a reader is asked to read."""
    pages = [path for path in (root / "chapters").glob("0[0-8]_*/*.md")]
    words = sum(len(markdown.without(page.read_text(encoding="utf-8"), markdown.COMMENT, markdown.FENCE).split()) for page in pages)
    return [f"chapters 00 to 08: {words} words; together at most {MOST_OF_ALL}"] if words > MOST_OF_ALL else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="renew the blocks instead of checking them")
    parser.add_argument("--demos", help="folder below which the built demos lie; without it demo blocks are left alone")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2], help="another top folder of the project")
    parser.add_argument("page", nargs="*", type=Path, help="only these pages")
    options = parser.parse_args()

    root = options.root.resolve()
    demos = Demos(options.demos, root) if options.demos else None
    pages = markdown.chosen(root, options.page)
    problems, count, renewed = renew(pages, root, demos, options.write)
    if renewed:  # a page that has grown takes longer to read, which pages say
        problems, count, _ = renew(pages, root, demos, options.write)
    chapters = [path.resolve().parent.relative_to(root).as_posix() for path in options.page]
    if not options.page:
        problems += [f"{path.parent.relative_to(root)}: no checked.md" for path in sorted((root / "chapters").glob("[0-9][0-9]_*/README.md"))
                     if not (path.parent / "checked.md").exists()]
        problems += wording.without_page(root, "values") + too_long_together(root)
    problems += [line for line in check_equations(root) if not chapters or line.startswith(tuple(chapters))]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"lessons: {len(pages)} pages, {count} figures, {len(problems)} problems" + ("" if demos else " (demo blocks not compared: no --demos)"))
    return 1 if problems else 0


def renew(pages, root, demos, is_written):
    """(problems of the pages, figures checked, whether a page was written again)"""
    measured, problems, count, renewed = figures.read(root), [], 0, False
    for path in pages:
        page = Page(path, root, demos, measured)
        text = page.renewed()
        if text != page.text and is_written:
            path.write_text(text, encoding="utf-8")
            print(f"renewed {page.name}")
            renewed = True
        elif text != page.text:
            page.complain("out of date (make lessons): " + "; ".join(page.stale))
        if path.parent.parent == root / "chapters" and path.name in HEADINGS and path.parent.name[0].isdigit():
            page.check_headings()
            if path.name == "README.md":
                page.check_length()
                page.check_glossary()
        page.check_links()
        page.check_width()
        page.check_measures(text)
        problems += page.problems
        count += len(page.values)
    return problems, count, renewed


if __name__ == "__main__":
    sys.exit(main())
