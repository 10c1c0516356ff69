#!/usr/bin/env python3
"""Your path through the chapters: what to read, run, derive and write, what is done, and what is next.

    exercises/learn.py                 make learn: all chapters, and the next step
    exercises/learn.py 05              make learn CHAPTER=05: each step of this chapter
    exercises/learn.py --done 05       make learn DONE=05: the next page of this chapter is read; 05/FAST names one page
    exercises/learn.py --undo 05       make learn UNDO=05: the page of this chapter that was marked last is open again

You mark the pages; build/learn.json keeps them, until `make clean`. Exercises need no mark: one is done if `make grade` accepts the file as it is now.
The minutes are for reading alone (docs/tools/minutes.py). What is to be run has no mark: it belongs to the lesson.
"""
import argparse
import json
import signal
import sys
from collections import namedtuple

import exercise
from task import ROOT, Trouble

sys.path += [str(ROOT / "docs/tools"), str(ROOT / "docs/tools/website")]
import minutes  # noqa: E402
import order  # noqa: E402

FILE = ROOT / "build" / "learn.json"
VERSION = 1
# kind: read, run, derive or write; words: a page or a command; also: lines on what to do while reading
Step = namedtuple("Step", "chapter kind words state minutes title also", defaults=("", 0, "", ()))


class Chapter:
    """A folder of chapters/. Its pages {path: minutes} are in the order of the site. The first page, why.md, is the chapter "why"."""

    def __init__(self, folder, names, times, exercises):
        self.folder, self.number = folder, "why" if folder == "chapters" else folder[:2]
        first = next(iter(names))
        lesson = order.Entry(first, order.title(ROOT / first)) if self.number == "why" else order.chapter(ROOT, f"chapters/{folder}", names)
        self.title = lesson.title.rpartition(" · ")[2]
        self.pages = {page.source: times[names[page.source]] for page in order.flat([lesson])}
        self.exercises = [one for one in exercises if one.number == self.number]

    def steps(self, read):
        """What there is to do, in order. FAST.md is last, because it shows what some of the exercises ask for."""
        plain = f"chapters/{self.folder}/plain.cpp"
        runs = [f"g++ {plain} -o plain && ./plain", f"make chapter CHAPTER={self.number}"] if (ROOT / plain).exists() else []
        derive, write = [], []
        for one in self.exercises:
            kind, to = ("derive", derive) if one.name == "derive" else ("write", write)
            to.append(Step(self.number, kind, exercise.call(one), exercise.state(one), title=one.title))
        pages = [Step(self.number, "read", path, "done" if path in read else "", time) for path, time in self.pages.items()]
        fast = [page for page in pages if page.words.endswith("/FAST.md")]
        also = ["  " + words for words in runs]
        also += ['At its box "Derive it first":', *("  " + step.words for step in derive)] if following(derive) else []
        return [pages[0]._replace(also=also), *(Step(self.number, "run", words) for words in runs), *derive,
                *(page for page in pages[1:] if page not in fast), *write, *fast]


def all_chapters():
    """{number: Chapter} in the order of reading."""
    exercises, times, names = exercise.everything(), minutes.table(ROOT), {}
    for folder, name, path in minutes.lessons(ROOT):
        names.setdefault(folder, {})[path.relative_to(ROOT).as_posix()] = name
    chapters = [Chapter(folder, names[folder], times[folder], exercises) for folder in names]
    return {chapter.number: chapter for chapter in chapters}


def remembered():
    """The pages that are read, in the order of their marks."""
    try:
        found = json.loads(FILE.read_text(encoding="utf-8"))
        if found["version"] == VERSION and isinstance(found["read"], list) and all(isinstance(page, str) for page in found["read"]):
            return found["read"]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        pass
    print("build/learn.json is unreadable or of another version: all pages count as open.\n")
    return []


def remember(read):
    """Writes a new file and puts it in the place of the old one, which is whole until then."""
    try:
        FILE.parent.mkdir(exist_ok=True)
        new = FILE.with_name(".learn.json.new")
        new.write_text(json.dumps({"version": VERSION, "read": read}) + "\n", encoding="utf-8")
        new.replace(FILE)
    except OSError as error:
        raise Trouble(f"build/learn.json cannot be written, so nothing is marked: {error.strerror}") from None


def chosen(given, chapters):
    """The chapter, and the page or "", that a reader means by 05, 5, 05/FAST, why, or the path of a page."""
    first, _, name = given.strip().removeprefix("chapters/").removesuffix(".md").partition("/")
    chapter = chapters.get(first.partition("_")[0].zfill(2)) if first else None
    if not chapter:
        raise Trouble(f"There is no chapter {given}; there are {', '.join(chapters)}")
    page = f"chapters/{chapter.folder}/{name}.md" if name else ""
    if page and page not in chapter.pages:
        raise Trouble(f"There is no page {page}; there are\n" + "\n".join(chapter.pages))
    return chapter, page


def marked(given, undo, chapters, read):
    """Marks a page as read, or takes the mark back; all pages that are read then."""
    chapter, named = chosen(given, chapters)
    fits = [page for page in (reversed(read) if undo else chapter.pages) if page in chapter.pages and (page in read) == undo and named in ("", page)]
    if not fits:
        print(f"There is nothing to {'take back' if undo else 'mark'} in {named or 'chapter ' + chapter.number}.\n")
        return read
    after = [page for page in read if page != fits[0]] if undo else [*read, fits[0]]
    remember(after)
    print(f"{fits[0]} is {'open again' if undo else 'read'}.\n")
    return after


def following(steps, kinds=("read", "derive", "write")):
    """The first step of these kinds that is not done."""
    return next((step for step in steps if step.kind in kinds and step.state != "done"), None)


def left(steps):
    return sum(step.minutes for step in steps if step.state != "done")


def tally(steps, kind):
    """How many are done, such as 1/2; nothing if there are none."""
    states = [step.state for step in steps if step.kind == kind]
    return f"{states.count('done')}/{len(states)}" if states else ""


def show_all(chapters, steps):
    """A line for each chapter; the one with the next step has a mark."""
    step = following(steps)
    rows = [(chapter.number, chapter.title, [one for one in steps if one.chapter == chapter.number]) for chapter in chapters.values()]
    print(f"  {'chapter':<26}{'read':>6}{'derive':>8}{'write':>7}  minutes left")
    for number, title, of in [*rows, ("", "all", steps)]:
        mark = ">" if step and number == step.chapter else " "
        print(f"{mark} {number:<4} {title:<21}{tally(of, 'read'):>6}{tally(of, 'derive'):>8}{tally(of, 'write'):>7}{left(of):>14}")
    print(f"\nEach step of a chapter: make learn CHAPTER={step.chapter if step else '05'}\n")


def show_one(chapter, steps):
    """A line for each step of a chapter; the next one has a mark."""
    print(f"{chapter.number}  {chapter.title}: {left(steps)} minutes of reading left")
    for step in steps:
        time = f"  ({step.minutes} min)" if step.minutes else ""
        print(f"{'>' if step is following(steps) else ' '} {step.state:<6}{step.kind:<7}{step.words}{time}")
    print()


def show_next(steps):
    """What to do now, and the command to type for it."""
    step, page = following(steps), following(steps, ["read"])
    if not step:
        return print("All is done. The whole model once more, in one file: chapters/plain/README.md")
    if step is page:
        print("\n".join([f"Next: read {page.words} ({page.minutes} min)", *page.also, "When you have read it:"]))
    else:
        print(f"Next: {step.title}\n  {step.words}" + (f"\nOr read on: {page.words} ({page.minutes} min)" if page else ""))
    if page:
        print(f"  make learn DONE={page.chapter}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapter", nargs="?", default="")
    parser.add_argument("--done", default="", metavar="05", help="a chapter, or a page such as 05/FAST")
    parser.add_argument("--undo", default="", metavar="05", help="the same")
    given = parser.parse_args()
    if sum(map(bool, (given.chapter, given.done, given.undo))) > 1:
        raise Trouble("Give one of CHAPTER, DONE and UNDO, for instance: make learn DONE=05")
    chapters, read = all_chapters(), remembered()
    if given.done or given.undo:
        read = marked(given.done or given.undo, bool(given.undo), chapters, read)
    steps = [step for chapter in chapters.values() for step in chapter.steps(read)]
    if given.chapter:
        chapter, _ = chosen(given.chapter, chapters)
        of_chapter = [step for step in steps if step.chapter == chapter.number]
        show_one(chapter, of_chapter)
        steps = of_chapter if following(of_chapter) else steps
    elif not given.done and not given.undo:
        show_all(chapters, steps)
    show_next(steps)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # such as head, which reads no further
    sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8
    try:
        main()
    except (Trouble, OSError) as trouble:
        sys.exit(str(trouble))
    except KeyboardInterrupt:
        sys.exit(130)
