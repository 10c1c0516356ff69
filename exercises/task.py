"""An exercise: its texts, the file with the blanks, the student's copy in build/exercises."""
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
        self.title, self.hints = text["title"], text["hints"]
        self.source = ROOT / text["file"]
        self.specification = text["specification"]
        self.blanks = text["blank"]
        self.mistakes = text["mistakes"]
        self.bytes = text.get("bytes", {})
        self.folder = ROOT / "build" / "exercises" / self.number
        self.file = self.folder / self.source.name
        self.is_kernel, self.is_header = self.source.suffix == ".cu", self.source.suffix == ".hpp"

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
        head = [f"// Exercise: {self.title}. Write the code at each TODO.", "//", "// The specification:"]
        head += ["//   " + line for line in self.specified()]
        head += ["//", f"//     make grade CHAPTER={self.number} NAME={self.name}      judges it",
                 f"//     make hint CHAPTER={self.number} NAME={self.name}       gives a hint", ""]
        return "\n".join(line.rstrip() for line in head) + "\n" + BODY.sub(cut, text)

    def laid_out(self):
        """Writes the student's copy; False if it exists already."""
        if self.file.exists():
            return False
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self.blank(), encoding="utf-8")
        return True

    def next_hint(self):
        """The number of the next hint and its text; the last one again when all are given."""
        note = self.folder / f".hints-{self.name}"
        given = int(note.read_text()) if note.exists() else 0
        number = min(given + 1, len(self.hints))
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(str(number))
        return number, self.hints[number - 1]


def all_tasks():
    return [Task(path) for path in sorted(HERE.glob("[0-9][0-9]_*/*.toml"), key=lambda path: (path.parent.name, order(path)))]


def order(path):
    """Formulas before loops before kernels, then by name."""
    file = tomllib.loads(path.read_text(encoding="utf-8"))["file"]
    return (file.endswith(".cu"), not file.endswith("_reference.cpp"), path.stem)


def tasks_of(chapter, name):
    """The exercises that the words CHAPTER=.. and NAME=.. mean."""
    of_chapter = [task for task in all_tasks() if task.number == chapter]
    if not of_chapter:
        known = sorted({task.number for task in all_tasks()})
        raise Trouble(f"Say which chapter: CHAPTER={known[0]} ... {known[-1]}.")
    if not name:
        return of_chapter
    found = [task for task in of_chapter if task.name == name]
    if not found:
        raise Trouble(f"Chapter {chapter} has no exercise '{name}'. It has: " + ", ".join(task.name for task in of_chapter))
    return found
