"""Derive it yourself: a chapter's plain.cpp with an empty backward pass, judged in seconds by the compiler alone."""
import json

import derive_judge
from derivation import all_derivations
from task import ROOT, WIDTH, Trouble, wrapped


def shown(path):
    return path.relative_to(ROOT).as_posix()


def start(derivation):
    """Lays the file out, unless it is there."""
    is_new = not derivation.file.exists()
    if is_new:
        derivation.file.parent.mkdir(parents=True, exist_ok=True)
        derivation.file.write_text(derivation.blank(), encoding="utf-8")
    print(f"{derivation.title}\n  {shown(derivation.file)}" + ("" if is_new else "\n  (it was there already, and stays as it is)"))
    print(f"\nWrite {derivation.asked}, and delete the TODO. Then:\n  make grade {derivation.words}")
    print("\n".join(wrapped('Do not open plain.cpp, and read the lesson only up to its box "Derive it first".', WIDTH)))


def hint(derivation):
    print("A derivation has no hints but its facts, which stand in the file too:")
    for fact in derivation.facts:
        print("\n".join(wrapped(fact, WIDTH, "- ", "  ")))


def must_be_written(derivation):
    if not derivation.file.exists():
        raise Trouble(f"There is no {shown(derivation.file)} yet: make exercise {derivation.words}")
    for number, line in enumerate(derivation.file.read_text(encoding="utf-8").split("\n"), 1):
        if "// TODO:" in line:
            raise Trouble(f"{shown(derivation.file)}:{number}: this body is not written yet.\nDelete its TODO when it is.")


def equations_of(derivation):
    """"eq:8.4, and eq:3.7 to eq:3.11 of chapter 03": those of the derivation's own chapter first."""
    own, by_chapter = int(derivation.number), {}
    for chapter, number in derivation.equations():
        by_chapter.setdefault(chapter, []).append(number)
    return ", and ".join(derive_judge.ranges(by_chapter[chapter], lambda number: f"eq:{chapter}.{number}") + (f" of chapter {chapter:02}" if chapter != own else "")
                         for chapter in sorted(by_chapter, key=lambda one: (one != own, one)))


def grade(derivation):
    """Prints the report; the exit status."""
    must_be_written(derivation)
    lines, passed = derive_judge.judged(derivation, ROOT / "build" / "exercises" / ".work" / f"derive-{derivation.number}")
    derivation.verdict.write_text(json.dumps({"passed": passed}), encoding="utf-8")
    print("\n".join([derivation.title, "", *lines]), flush=True)
    if passed:
        equations = equations_of(derivation)
        print("\n" + "\n".join(wrapped("All gradients are right. Compare your steps with the derivation in the lesson" + (f": {equations}." if equations else "."), WIDTH)))
        print(f"The same on arrays: make exercise CHAPTER={derivation.number}")
        later = [one for one in all_derivations() if one.number > derivation.number]
        if later:
            print(f"The next derivation: make exercise {later[0].words}", flush=True)
    return 0 if passed else 1
