#!/usr/bin/env python3
"""Proves the exercises: for each, the blank file fails with a helpful line, the repository's body passes, it is the student's file that runs,
every known mistake is named, and two mistakes at once are not taken for one.

    tests/exercises/prove.py                      all exercises
    tests/exercises/prove.py layer_norm lookup    these
    tests/exercises/prove.py --jobs 4

tests/exercises/NN_chapter/NAME.toml has each mistake as changes of the repository's file: [the code, the wrong code]. Under
`unnamed` are mistakes that no twin makes: they must be rejected, and no name given. Under `solution` stand bodies for the blanks, if the
repository's own cannot stand there (the exercise has another header); `mistake_of_solution` changes those.
"""
import argparse
import concurrent.futures
import itertools
import os
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises"))

import compiled  # noqa: E402
import report  # noqa: E402
from task import BODY, all_tasks  # noqa: E402

WORK = ROOT / "build" / "exercises" / ".proof"
SPOKEN = "this is the student's own file"


def changed(text, changes, what):
    for old, new in changes:
        if old not in text:
            sys.exit(f"prove: {what}: the file does not contain {old!r}")
        text = text.replace(old, new)
    return text


def twin(key):
    """The mistake's name: "warp-sum-left-out (mean)" is a second way to make the first."""
    return key.split(" (")[0]


def filled(blank, bodies):
    """The blank file with these bodies at its TODOs."""
    bodies = iter(bodies)
    return BODY.sub(lambda match: f"{match[1]}// exercise: begin\n{next(bodies)}{match[1]}// exercise: end\n", blank)


def speaking(text):
    """The file with a line that it prints when its program starts."""
    return text + f'\n#include <cstdio>\nstatic const int spoken = std::puts("{SPOKEN}") + std::fflush(stdout);\n'


def variants(task):
    """(what, text of the file, names that the report must give, names that it may give)"""
    body = task.source.read_text(encoding="utf-8")
    proof = tomllib.loads((ROOT / "tests/exercises" / task.chapter / f"{task.name}.toml").read_text(encoding="utf-8"))
    mistakes = proof["mistake"]
    of_solution = proof.get("mistake_of_solution", {})
    proven = {twin(key) for key in (*mistakes, *of_solution)}
    if proven != set(task.mistakes):
        sys.exit(f"prove: {task.name}: the texts and the proofs name different mistakes: {proven ^ set(task.mistakes)}")
    yield "blank", task.blank(), None
    yield "the repository's body", body, None
    yield "a body that speaks", speaking(body), None
    for name, changes in mistakes.items():
        yield name, changed(body, changes, f"{task.name}, {name}"), twin(name)
    if "solution" in proof:
        solution = filled(task.blank(), proof["solution"])
        yield "the solution of the blank", solution, None
        for name, changes in of_solution.items():
            yield name, changed(solution, changes, f"{task.name}, {name}"), twin(name)
    for what, changes in proof.get("unnamed", {}).items():
        yield f"unnamed: {what}", changed(body, changes, f"{task.name}, {what}"), ()
    for first, second in proof["two"]:
        text = changed(changed(body, mistakes[first], first), mistakes[second], f"{task.name}, {first} and {second}")
        yield f"{first} + {second}", text, (first, second)


def verdict(task, file, what, names, found):
    """What is wrong with a report; "" if nothing is."""
    if not found["compiles"] or not found["links"]:
        return "does not build: " + (found.get("linker") or found["compiler"])[:1500]
    named = [mistake["name"] for mistake in found.get("mistakes", [])]
    told = "\n".join(report.text(task, file, found))
    if max(map(len, told.split("\n"))) > 80:
        return "a line of the report is longer than 80 characters:\n" + told
    if what == "blank":
        is_helped = "TODO in line" in told or "TODO is left in line" in told
        return "" if not found["passed"] and is_helped and not named else "the report on the blank file does not help:\n" + told
    if what == "a body that speaks" and SPOKEN not in found["output"]:
        return "is not what was run: the student's process did not print its line\n" + told
    if what in ("the repository's body", "a body that speaks", "the solution of the blank"):
        return "" if found["passed"] else "is not accepted:\n" + told
    if found["passed"]:
        return "is accepted"
    if isinstance(names, str):
        return "" if named == [names] else f"is named {named}\n{told}"
    # Of two mistakes, that of the forward pass may be named as such. Neither may be named as the whole.
    if found.get("mistakes") and not names:
        return f"is named {named}, though it is no known mistake"
    is_true = all(mistake["only_forward"] and mistake["name"] in names for mistake in found.get("mistakes", []))
    return "" if is_true else f"is named {found['mistakes']}"


def judged(task, build, is_quick, number, what, text, names):
    folder = WORK / task.name / str(number)
    file = task.lay_out(folder, text)
    found = compiled.grade(task, file, build, folder, is_quick)
    for heavy in ("student", "student.o"):
        (folder / heavy).unlink(missing_ok=True)
    wrong = verdict(task, file, what, names, found)
    forward = any(m["only_forward"] for m in found.get("mistakes", []))
    return what, wrong, " (forward)" if forward and not wrong else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--built", action="store_true", help="the graders in build/release are up to date")
    parser.add_argument("--quick", action="store_true", help="without sanitizers: half of the time")
    parser.add_argument("--only", default="", help="the variants whose name contains this")
    given = parser.parse_args()
    planted = {task.name: list(variants(task)) for task in all_tasks()}  # of all, so that a text that is gone is noticed at once
    tasks = [task for task in all_tasks() if not given.names or task.name in given.names]
    missing = set(given.names) - {task.name for task in tasks}
    if missing or not tasks:
        sys.exit(f"prove: no such exercise: {', '.join(sorted(missing))}")
    build = ROOT / "build" / "release" if given.built else compiled.prepare(tasks)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for task in tasks:
            one = [v for v in planted[task.name] if given.only in v[0]]
            count = 0
            for what, wrong, note in pool.map(lambda v: judged(task, build, given.quick, *v), ((i, *v) for i, v in zip(itertools.count(), one))):
                if wrong:
                    failed += 1
                    print(f"{task.name}: {what}: {wrong}", flush=True)
                else:
                    count += 1
                    print(f"{task.name}: {what}: as it should be{note}", flush=True)
            print(f"{task.number} {task.name}: {count} of {len(one)} variants as they should be", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
