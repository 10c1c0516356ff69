"""An exercise: its texts, the file with the blanks, the student's copy in build/exercises."""
import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "exercises"
BODY = re.compile(r"^( *)// exercise: begin\n(.*?)^ *// exercise: end\n", re.M | re.S)
WIDTH = 80


class Trouble(Exception):
    """What the student must know, in one line or a few."""


def wrapped(text, width, first="", later=None):
    """`text` in lines of at most `width` characters; an indented line of it stays as it is."""
    later = first if later is None else later
    lines, line = [], first
    for paragraph in text.strip("\n").split("\n"):
        room = paragraph[:len(paragraph) - len(paragraph.lstrip())]
        if room or not paragraph.strip():
            if line.strip():
                lines.append(line.rstrip())
            lines += wrapped(paragraph.strip(), width, later + room, later + room + "    ") if len(later + paragraph) > width \
                else [(later + paragraph).rstrip()]
            line = later
            continue
        for word in paragraph.split():
            if len(line) + len(word) > width and line.strip():
                lines.append(line.rstrip())
                line = later
            line += word + " "
    return [line.rstrip() for line in lines + [line] if line.strip() or line != later]


class Task:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.chapter = path.parent.name
        self.number = self.chapter[:2]
        text = tomllib.loads(path.read_text(encoding="utf-8"))
        self.title = text["title"]
        self.source = ROOT / text["file"]
        self.specification = text["specification"]
        self.blanks = text["blank"]
        self.header = text.get("header")
        self.mistakes = text["mistakes"]
        self.bytes = text.get("bytes", {})
        self.folder = ROOT / "build" / "exercises" / self.number
        self.file = self.folder / self.source.name
        self.is_kernel, self.is_header = self.source.suffix == ".cu", self.source.suffix == ".hpp"

    @property
    def asked(self):
        """What the student writes, in words."""
        return f"the code at {'the' if len(self.blanks) == 1 else 'each'} TODO"

    def shown(self, path=None):
        """A path as the student types it, from the top folder."""
        return (path or self.file).relative_to(ROOT).as_posix()

    def specified(self):
        """The lines of the specification: the comment between \\defgroup and @{ of the header; without a group, the one with `computes`."""
        header, *group = self.specification.split()
        text = (ROOT / header).read_text(encoding="utf-8")
        found = re.search(rf"/// \\defgroup {group[0]} [^\n]*\n(.*?)/// @{{", text, re.S) if group else \
            re.search(r"((?:^/// computes.*\n)(?:^///.*\n)*)", text, re.M)
        if not found:
            raise Trouble(f"{header} has no such specification")
        return [line.removeprefix("/// ").removeprefix("///") for line in found[1].splitlines()]

    def blank(self):
        """The file without the marked bodies."""
        text, blanks = self.source.read_text(encoding="utf-8"), iter(self.blanks)
        if len(BODY.findall(text)) != len(self.blanks):
            raise Trouble(f"{self.source}: {len(BODY.findall(text))} marked bodies, {len(self.blanks)} texts in {self.path}")

        def cut(match):
            room, lines = match[1], []
            blank = next(blanks)
            tags = ", ".join(re.findall(r"// .*?(eq:[\d.]+)", match[2]))
            todo = blank["todo"].strip() + (f" See {tags}." if tags else "")
            for word, text in (("TODO", todo), ("APPROACH", blank["approach"])):
                lines += wrapped(text, 104, f"{room}// {word}: ", f"{room}//   ")
            return "\n".join([f"{room}// exercise: begin", *lines, f"{room}// exercise: end", ""])
        head = [f"// Exercise: {self.title}. Write {self.asked}.", "//", "// The specification:"]
        head += ["//   " + line for line in self.specified()]
        head += ["//", "// Names:"]
        for says in self.names(text):
            head += wrapped(says, 112, "//   ", "//     ")
        head += ["//", '// Read the lesson only up to its heading "The code": below it stands the solution.',
                 f"//     make grade CHAPTER={self.number} NAME={self.name}      judges it",
                 f"//     make hint CHAPTER={self.number} NAME={self.name}       gives a hint", ""]
        text = BODY.sub(cut, text)
        if self.header:
            text = text.replace(f'#include "{self.header["file"].removeprefix("chapters/")}"', f'#include "{self.header["name"]}"')
        return "\n".join(line.rstrip() for line in head) + "\n" + text

    def names(self, text):
        """The names of C++ that the marked bodies and their hints use, each with its meaning."""
        code = "\n".join([body for _, body in BODY.findall(text)] + [blank["approach"] + "".join(blank["hints"]) for blank in self.blanks])
        known = tomllib.loads((HERE / "names.toml").read_text(encoding="utf-8"))["name"]
        return [name["says"] for name in known if re.search(name["if"], code) and re.search(name.get("and", ""), text, re.M)]

    def given(self):
        """The header that lies beside the student's file, if there is one: the chapter's, without what the exercise asks for."""
        if not self.header:
            return {}
        parts = (ROOT / self.header["file"]).read_text(encoding="utf-8").split("\n\n")
        kept = [part for part in parts[1:] if not re.search(rf"\b({'|'.join(self.header['without'])})\b", part)]
        head = f"#pragma once\n// For the exercise {self.name}: what {Path(self.header['file']).name} has besides the code that you write."
        return {self.header["name"]: "\n\n".join([head, *kept])}

    def lay_out(self, folder, text):
        """The student's file with this text, and what it includes, in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in {self.source.name: text, **self.given()}.items():
            (folder / name).write_text(content, encoding="utf-8")
        return folder / self.source.name

    def laid_out(self):
        """Writes the student's copy; False if it exists already."""
        if self.file.exists():
            return False
        self.lay_out(self.folder, self.blank())
        return True

    def unfinished(self):
        """The first function of the student's file that has a TODO, by its number; None if none has."""
        if not self.file.exists():
            return 0
        bodies = [body for _, body in BODY.findall(self.file.read_text(encoding="utf-8"))]
        if len(bodies) == len(self.blanks):
            return next((i for i, body in enumerate(bodies) if "// TODO:" in body), None)
        return 0 if "// TODO:" in self.file.read_text(encoding="utf-8") else None

    @property
    def verdict(self):
        """Where the last grade is kept, for the hints."""
        return self.folder / f".grade-{self.name}.json"

    def remember(self, found):
        """Keeps of a report what hints need: whether it passed, else which function is wrong: the first if an output is, else the last."""
        is_forward = any(f.get("is_output") or f.get("pass") == "forward" for f in found.get("findings", [{"is_output": True}]))
        self.verdict.parent.mkdir(parents=True, exist_ok=True)
        self.verdict.write_text(json.dumps({"passed": found["passed"], "at": 0 if is_forward else len(self.blanks) - 1}))

    def found_wrong(self, again):
        """The number of the function that the last grade found wrong."""
        last = json.loads(self.verdict.read_text()) if self.verdict.exists() else {"passed": False, "at": 0}
        if last["passed"] and not again:
            raise Trouble(f"The last grade of {self.file.name} accepted it: no hint is needed. With HINT=1 it is shown again.")
        return last["at"]

    def hint(self, again=None):
        """The function that is next, the number of its next hint (or of hint `again`), and the text; the text is None after the last."""
        note = self.folder / f".hints-{self.name}.json"
        counts = json.loads(note.read_text()) if note.exists() else {}
        at = self.unfinished()
        if at is None:  # all are written: the one that the last grade found wrong
            at = self.found_wrong(again)
        blank = self.blanks[at]
        count = counts.get(blank["name"], 0)
        number, last = again or count + 1, len(blank["hints"])
        if again and again > last:
            raise Trouble(f"{blank['name']} has {last} hints: HINT=1 to HINT={last}")
        if again and not 1 <= again <= count:
            given = f"{count or 'no'} hint{'s are' if count > 1 else ' is'}"
            raise Trouble(f"Of {blank['name']} {given} given so far: make hint gives the next one.")
        if number > last:
            return blank, count, None
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(json.dumps({**counts, blank["name"]: max(count, number)}))
        return blank, number, blank["hints"][number - 1]


def all_tasks():
    return [Task(path) for path in sorted(HERE.glob("[0-9][0-9]_*/*.toml"), key=lambda path: (path.parent.name, order(path)))]


def order(path):
    """Formulas before loops before kernels, then by name."""
    file = tomllib.loads(path.read_text(encoding="utf-8"))["file"]
    return (file.endswith(".cu"), not file.endswith("_reference.cpp"), path.stem)


def tasks_of(chapter, name):
    """The exercises that the words CHAPTER=.. and NAME=.. mean."""
    if not chapter:
        raise Trouble("Say which chapter, for instance CHAPTER=05")
    tasks = all_tasks()
    of_chapter = [task for task in tasks if task.number == chapter.zfill(2)]
    if not of_chapter:
        raise Trouble(f"There is no chapter {chapter}; there are {tasks[0].number} to {tasks[-1].number}")
    if not name:
        return of_chapter
    found = [task for task in of_chapter if task.name == name]
    if not found:
        raise Trouble(f"Chapter {chapter} has no exercise '{name}'. It has: " + ", ".join(task.name for task in of_chapter))
    return found
