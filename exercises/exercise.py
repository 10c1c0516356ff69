#!/usr/bin/env python3
"""The exercises of the chapters.

    exercises/exercise.py start                     make exercise: the overview, what is done, begun and next
    exercises/exercise.py start 05 [layer_norm]     make exercise: lays the exercises of a chapter out in build/exercises
    exercises/exercise.py hint 05 [layer_norm] [--again 1]     make hint: the next of three hints for the function with the first TODO
    exercises/exercise.py grade                     make grade: grades every file that changed since its last grade
    exercises/exercise.py grade 05 [layer_norm] [--json FILE]     make grade; exit status 1 if it is not solved
    exercises/exercise.py watch 05 [layer_norm]     make watch: grades after each change of the file

With --derive (DERIVE=1) it is the derivation of the chapter: see derive.py.
"""
import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import compiled
import derivation
import derive
import meter
import report
from task import ROOT, WIDTH, Trouble, all_tasks, tasks_of, wrapped


def start(tasks):
    for task in tasks:
        is_new = task.laid_out()
        print("\n".join(wrapped(f"{task.name}: {task.title}", WIDTH, "", "  ")))
        print(f"  {task.shown()}" + ("" if is_new else "\n  (it was there already, and stays as it is)"))
    name = f" NAME={tasks[0].name}" if len(tasks) > 1 else ""
    words = f"CHAPTER={tasks[0].number}{name}"
    print(f"\nWrite {tasks[0].asked} of the file, and delete the TODO. Then:\n  make grade {words}\n"
          f"  make hint {words}      if you are stuck")
    if len(tasks) > 1:
        print("\n".join(wrapped("For the others: " + ", ".join(f"NAME={task.name}" for task in tasks[1:]), WIDTH)))


def everything():
    """All exercises in the order of reading: of each chapter first the derivation."""
    return sorted([*derivation.all_derivations(), *all_tasks()], key=lambda one: one.number)  # sorted keeps the order of equals


def state(one):
    """done, begun, or nothing."""
    if not one.file.exists():
        return ""
    return "done" if not has_changed(one) and has_passed(one) else "begun"


def has_passed(one):
    """Whether the last grade accepted the student's file; if its note is damaged, it must be graded again."""
    try:
        return json.loads(one.verdict.read_text())["passed"]
    except (ValueError, TypeError, KeyError):
        return False


def has_changed(one):
    """Whether the student's file is newer than its last grade."""
    return one.file.exists() and (not one.verdict.exists() or one.file.stat().st_mtime_ns > one.verdict.stat().st_mtime_ns)


def words_of(one):
    return getattr(one, "words", f"CHAPTER={one.number} NAME={one.name}")


def call(one):
    """The command that lays the exercise out, or grades it if it is there."""
    return f"make {'grade' if state(one) else 'exercise'} {words_of(one)}"


def overview():
    """Prints each exercise with its state, and what comes next."""
    rows = [(one, state(one)) for one in everything()]
    for one, told in rows:
        title = one.title.removesuffix(": forward and backward")
        first = f"{one.number}  {'DERIVE=1' if one.name == 'derive' else one.name:<22}{told:<6}"
        print("\n".join(wrapped(title, WIDTH, first, " " * len(first))))
    done = sum(told == "done" for _, told in rows)
    print("\nDERIVE=1 is a backward pass to derive, in plain C++ and judged in seconds.\nThe others are parts of the project, with its judges.")
    print(f"\n{done} of {len(rows)} done.", end=" ")
    following = next((row for row in rows if row[1] == "begun"), None) or next((row for row in rows if not row[1]), None)
    print(f"Next: {call(following[0])}" if following else "That was the last one.")


def grade_changed():
    """Grades all files that changed; 1 if one of them is not solved."""
    changed = [one for one in everything() if has_changed(one)]
    failed = False
    if not changed:
        begun = [one for one in everything() if state(one) == "begun"]
        print("No file has changed since its last grade." + ("" if begun else " make exercise shows all exercises."))
        for one in begun:
            print(f"Not right yet: make grade {words_of(one)}")
        failed = bool(begun)
    for one in changed:
        print(f"{words_of(one)}: {one.title}\n", flush=True)
        try:
            failed |= bool(derive.grade(one) if one.name == "derive" else grade(one, compiled.prepare([one]), ""))
        except Trouble as trouble:  # of one file: the others are graded too
            print(trouble, flush=True)
            failed = True
        print(flush=True)
    return 1 if failed else 0


def hint(task, again):
    must_exist(task)
    blank, number, text = task.hint(again)
    count = len(blank["hints"])
    call = f"make hint CHAPTER={task.number} NAME={task.name} HINT=1"
    if text is None:
        print(f"All {count} hints for {blank['name']} are given.")
    else:
        print(f"Hint {number} of {count} for {blank['name']}:\n")
        print("\n".join(wrapped(text, WIDTH, "  ")))
        if number == count:
            print(f"\nThat was the last hint for {blank['name']}.")
    if text is None or number == count:
        print(f"{call}   shows the first one again")


def must_exist(task):
    if not task.file.exists():
        raise Trouble(f"There is no {task.shown()} yet: make exercise CHAPTER={task.number}")


def next_step(task):
    """What to do after an exercise that is solved."""
    tasks = all_tasks()
    at = next(i for i, one in enumerate(tasks) if one.name == task.name) + 1
    if at == len(tasks):
        return "That was the last exercise."
    words = f"CHAPTER={tasks[at].number} NAME={tasks[at].name}"
    return f"Next: make {'grade' if tasks[at].file.exists() else 'exercise'} {words}   ({tasks[at].title})"


def grade(task, build, json_file):
    """Prints the report; the exit status."""
    must_exist(task)
    found = compiled.grade(task, task.file, build, ROOT / "build" / "exercises" / ".work" / task.name,
                           tell=lambda words: print(words, flush=True))
    task.remember(found)
    if json_file:
        Path(json_file).write_text(json.dumps({"exercise": task.name, **found}, indent=1) + "\n", encoding="utf-8")
    print("\n".join(report.text(task, task.file, found)), flush=True)
    if task.is_kernel and found["passed"]:
        print("\n".join(meter.of_student(task, build)), flush=True)
    if found["passed"]:
        print("\n" + "\n".join(wrapped(next_step(task), WIDTH)), flush=True)
    return 0 if found["passed"] else 1


def watch(file, grade_it):
    """Calls grade_it() now, and after each change of the file."""
    seen = None
    while True:
        now = file.stat().st_mtime_ns if file.exists() else None
        if now != seen:
            seen = now
            print("=" * WIDTH, flush=True)
            try:
                grade_it()
            except Trouble as trouble:  # the file may be unfinished at this save
                print(trouble)
            print(f"\nWaiting for a change of {derive.shown(file)}; Ctrl-C ends it.", flush=True)
        time.sleep(0.3)


def of_derivation(given):
    """What --derive asks for."""
    for word, value in (("NAME", given.name), ("JSON", given.json), ("HINT", given.again)):
        if value:
            raise Trouble(f"DERIVE=1 and {word}={value} do not go together.")
    one = derivation.derivation_of(given.chapter)
    if given.what == "watch":
        return watch(one.file, lambda: derive.grade(one))
    return {"start": derive.start, "hint": derive.hint, "grade": derive.grade}[given.what](one)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("start", "hint", "grade", "watch"))
    parser.add_argument("chapter", nargs="?", default="")
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--json", default="")
    parser.add_argument("--derive", action="store_true", help="the derivation of the chapter")
    parser.add_argument("--again", type=int, default=0, help="the number of a hint that was given")
    given = parser.parse_args()
    if given.derive:
        return of_derivation(given)
    if given.what in ("start", "grade") and not (given.chapter or given.name or given.json):
        return overview() if given.what == "start" else grade_changed()
    tasks = tasks_of(given.chapter, given.name)
    if given.what == "start":
        return start(tasks)
    if given.what == "hint":
        return hint(tasks[0], given.again)
    if len(tasks) > 1:
        others = ", ".join("NAME=" + task.name for task in tasks[1:])
        print("\n".join(wrapped(f"({tasks[0].name}; the chapter also has {others})", WIDTH)))
    must_exist(tasks[0])
    build = compiled.prepare(tasks[:1])
    if given.what == "watch":
        return watch(tasks[0].file, lambda: grade(tasks[0], build, None))
    return grade(tasks[0], build, given.json)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        sys.exit(str(trouble))
    except subprocess.CalledProcessError as failed:
        sys.exit(f"This command failed: {' '.join(map(str, failed.cmd))}")
    except KeyboardInterrupt:
        sys.exit(130)
