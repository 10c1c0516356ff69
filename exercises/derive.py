#!/usr/bin/env python3
"""Derive it yourself: a chapter's plain.cpp with an empty backward pass, judged in seconds by the compiler alone.

    exercises/derive.py start 05     make exercise CHAPTER=05 DERIVE=1: lays the file out in build/exercises/05
    exercises/derive.py hint 05      make hint CHAPTER=05 DERIVE=1: the three facts again
    exercises/derive.py grade 05     make grade CHAPTER=05 DERIVE=1; exit status 1 if a gradient is wrong
"""
import argparse
import hashlib
import json
import math
import os
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from task import ROOT, WIDTH, Trouble, wrapped

HERE = ROOT / "exercises" / "derive"
SECONDS = 10  # of a student's program; a right one needs a tenth of a second
CLOSE = 1e-9  # relative to 1 or to the number, whichever is larger


class Derivation:
    """The exercise of one chapter: exercises/derive/05_layer_norm.toml."""

    def __init__(self, path):
        text = tomllib.loads(path.read_text(encoding="utf-8"))
        self.chapter, self.number = path.stem, path.stem[:2]
        self.title, self.functions, self.facts = text["title"], text["functions"], text["facts"]
        self.gradients, self.columns = text["gradients"], text["columns"]  # by name: the lesson's equation; the numbers of a row
        self.invariants, self.mistakes = text.get("invariants", []), text["mistakes"]
        self.source = ROOT / "chapters" / self.chapter / "plain.cpp"
        self.file = ROOT / "build" / "exercises" / self.number / "derive.cpp"
        self.name, self.words = "derive", f"CHAPTER={self.number} DERIVE=1"

    @property
    def verdict(self):
        """Where the last grade is kept: for the overview, and for `make grade` of all files that changed."""
        return self.file.parent / ".grade-derive.json"

    def plain(self):
        return self.source.read_text(encoding="utf-8")

    def blank(self):
        """plain.cpp without the bodies that the student writes."""
        text = self.plain()
        for name in self.functions:
            body = body_of(text, name)
            text = text.replace(body, "\n  // TODO: write this body, then delete this line.\n", 1)
            text = re.sub(rf"^(void {name}\([^{{]*\{{)  //[^\n]*$", r"\1", text, flags=re.M)  # what says how
        text = text.replace("plain.cpp", "derive.cpp").replace("-o plain", "-o derive").replace("./plain", "./derive")
        head = [f"// Exercise: {self.title}. Write each body with a TODO.", "//", "// What you need:"]
        for fact in self.facts:
            head += wrapped(fact, 100, "// - ", "//   ")
        head += ["//", f"//     make grade CHAPTER={self.number} DERIVE=1      judges it", "", ""]
        return "\n".join(head) + text

    def twin(self, mistake):
        """plain.cpp with a known mistake."""
        text = self.plain()
        for find, put in mistake["change"]:
            if text.count(find) != 1:
                raise Trouble(f"{self.chapter}: '{find}' stands {text.count(find)} times in plain.cpp")
            text = text.replace(find, put)
        return text


def body_of(text, name):
    """What stands between the braces of a function that returns nothing."""
    found = re.search(rf"^void {name}\([^{{]*\{{[^\n]*(\n.*?)^\}}", text, re.M | re.S)
    if not found:
        raise Trouble(f"there is no function {name} to leave blank")
    return found[1]


def all_derivations():
    return [Derivation(path) for path in sorted(HERE.glob("*.toml"))]


def derivation_of(chapter):
    """The exercise that CHAPTER=05 means."""
    all_of_them = all_derivations()
    numbers = ", ".join(one.number for one in all_of_them)
    if not chapter:
        raise Trouble(f"Say which chapter, for instance CHAPTER=05. There are\n{numbers}.")
    found = [one for one in all_of_them if one.number == chapter.zfill(2)]
    if not found:
        raise Trouble(f"There is nothing to derive for a chapter {chapter}. There are\n{numbers}.")
    return found[0]


# ---------------------------------------------------------------- compile and run

def compiled(source, program):
    """None, or the compiler's first error."""
    compiler = os.environ.get("CXX", "c++")
    try:
        done = subprocess.run([compiler, "-std=c++17", "-D_GLIBCXX_ASSERTIONS", str(source), "-o", str(program)], cwd=ROOT,
                              capture_output=True, text=True)
    except FileNotFoundError:
        raise Trouble(f"There is no compiler '{compiler}'. On Debian and Ubuntu: sudo apt-get install g++") from None
    if done.returncode == 0:
        return None
    errors = [line for line in done.stderr.split("\n") if "error:" in line or "undefined reference" in line]
    return (errors or done.stderr.strip().split("\n"))[0].replace(f"{ROOT}/", "")


def judge(derivation, folder):
    """The program with the right code and each twin; its numbers, by name. It is compiled once for a state of its files."""
    codes = {"right": derivation.plain(), **{f"m{i}": derivation.twin(m) for i, m in enumerate(derivation.mistakes)}}
    includes = sorted({line for code in codes.values() for line in re.findall(r"^#include .*$", code, re.M)})
    text = "\n".join([*includes, *(f"namespace {name} {{\n{namespaced(code)}\n}}" for name, code in codes.items()),
                      "int main() {", '  char name[] = "plain", all[] = "all", *words[] = {name, all};',
                      *(f'  std::printf("@ {name}\\n"), {name}::run(2, words);' for name in codes), "}", ""])
    program = folder / ("judge-" + hashlib.sha256(text.encode()).hexdigest()[:16])
    if not program.exists():
        source = folder / "judge.cpp"
        source.write_text(text, encoding="utf-8")
        error = compiled(source, program.with_suffix(".new"))
        if error:
            raise Trouble(f"The judge does not compile: {error}")
        program.with_suffix(".new").rename(program)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^@ (\w+)\n", printed, flags=re.M)[1:]
    return {name: numbers_of(part) for name, part in zip(parts[::2], parts[1::2])}


def namespaced(code):
    """A program as a part of another one: without its includes, and main called run."""
    code = re.sub(r"^#include .*$", "", code, flags=re.M)
    return re.sub(r"^int main\(", "int run(", code, flags=re.M)


def numbers_of(printed):
    """The lines "name number number ..." of ./plain all."""
    return {words[0]: [float(word) for word in words[1:]] for words in map(str.split, printed.strip().split("\n")) if words}


# ---------------------------------------------------------------- compare

def close(a, b):
    return abs(a - b) <= CLOSE * max(1, abs(b)) or (math.isnan(a) and math.isnan(b))


def same(mine, theirs, names):
    return all(len(mine[name]) == len(theirs[name]) and all(map(close, mine[name], theirs[name])) for name in names)


def given_names(derivation, right):
    """The tensors that a backward pass cannot change: those printed before the first gradient."""
    names = list(right)
    return names[:min(names.index(name) for name in derivation.gradients)]


def place(derivation, name, at):
    """dx[2][1], or dbeta[1] for a tensor of one row."""
    columns = derivation.columns.get(name)
    return f"{name}[{at // columns}][{at % columns}]" if columns else f"{name}[{at}]"


def told_gradient(derivation, name, mine, right):
    """The lines about one gradient, and whether it is right."""
    wrong = [i for i, (a, b) in enumerate(zip(mine, right)) if not close(a, b)]
    if not wrong:
        return [f"  ok  {name}"], True
    at, count = wrong[0], f"{len(wrong)} of {len(right)} numbers"
    told = [f"  no  {place(derivation, name, at)} is wrong, and {count} in all.",
            f"      expected {right[at] + 0.0:<12.6g} yours {mine[at] + 0.0:<12.6g} difference {mine[at] - right[at]:.3g}"]
    if not math.isfinite(mine[at]):
        told.append("      Is there a division by 0, or a number that was never set?")
    ratios = [a / b for a, b in zip(mine, right) if b != 0]
    if all(b != 0 or a == 0 for a, b in zip(mine, right)) and ratios and ratios[0] not in (0, 1) \
            and all(abs(r - ratios[0]) < 1e-9 * abs(ratios[0]) for r in ratios):
        told.append(f"      Every number is {ratios[0]:.6g} times what is expected.")
    if all(a == 0 for a in mine):
        told.append("      All of yours are 0: is it written? Is it added to, if every word adds to it?")
    return told, False


def rows_of(derivation, numbers):
    """Each tensor as a list of rows, by its name."""
    sizes = {name: derivation.columns.get(name, max(1, len(v))) for name, v in numbers.items()}
    return {name: [v[i:i + sizes[name]] for i in range(0, len(v), sizes[name])] for name, v in numbers.items()}


def row_sums(rows):
    return [sum(row) for row in rows]


def column_sums(rows):
    return [sum(column) for column in zip(*rows)]


def dot(a, b):
    """The sum of the products of two tensors' elements."""
    return sum(x * y for u, v in zip(a, b) for x, y in zip(u, v))


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def broken(derivation, mine):
    """The invariants that the student's gradients break, each with the first number that should be 0."""
    tensors = rows_of(derivation, mine)
    tools = {"row_sums": row_sums, "column_sums": column_sums, "dot": dot, "minus": minus, "zip": zip}
    told = []
    for invariant in derivation.invariants:
        zeros = eval(invariant["zero"], {"__builtins__": {}, **tools, **tensors})  # a file of the project
        off = [(i, z) for i, z in enumerate(zeros) if not abs(z) <= invariant.get("within", 1e-9)]
        if off:
            at, value = off[0]
            what = "row" if "row" in invariant["zero"] else "column"
            told += wrapped(f"{invariant['says']} Yours differ by {value:.3g}" + (f" in {what} {at}." if len(zeros) > 1 else "."), WIDTH, "  no  ", "      ")
    return told


def known_mistake(derivation, mine, judged):
    """The mistake whose twin has exactly these gradients."""
    names = list(derivation.gradients)
    for i, mistake in enumerate(derivation.mistakes):
        if same(mine, judged[f"m{i}"], names) and math.isclose(mine["difference"][0], judged[f"m{i}"]["difference"][0], rel_tol=1e-4, abs_tol=1e-7):
            return mistake["says"]
    return None


def unchanged(derivation, mine, right):
    """The tensors of the forward pass that the student's file prints otherwise."""
    return [name for name in given_names(derivation, right) if name not in mine or not same(mine, right, [name])]


# ---------------------------------------------------------------- report

def report(derivation, mine, judged):
    """The report's lines, and whether all is right."""
    right = judged["right"]
    names = list(derivation.gradients)
    missing = [name for name in names if len(mine.get(name, [])) != len(right[name])]
    changed = unchanged(derivation, mine, right)
    if missing or changed or "difference" not in mine:
        what = (changed or missing or ["difference"])[0]
        return wrapped(f"{what} is not as plain.cpp prints it: only the bodies with a TODO are yours to write. Undo the other change. Or move "
                       "the file away, lay out a new one, and copy your body into it.", WIDTH, "  no  ", "      "), False
    lines, passed = [], True
    for name in names:
        told, is_right = told_gradient(derivation, name, mine[name], right[name])
        if not is_right and derivation.gradients[name]:
            told.append(f"      The lesson derives it as eq:{derivation.gradients[name]}.")
        lines, passed = lines + told, passed and is_right
    lines += broken(derivation, mine)
    error = mine["difference"][0]
    steps_agree = error < 1e-7
    if passed and not steps_agree:
        lines += wrapped(f"The numbers of the lesson are right, but other numbers are not: small steps of each number differ by {error:.2g}.", WIDTH, "  no  ", "      ")
    elif passed:
        lines.append(f"  ok  small steps of each number give the same gradients (difference {error:.0e})")
    passed = passed and steps_agree
    if not passed:
        mistake = known_mistake(derivation, mine, judged)
        lines += ["", *wrapped(f"This is a known mistake: {mistake}" if mistake else "No known mistake gives these numbers. "
                               "Take one number, and write down every way by which it reaches the loss.", WIDTH)]
    return lines, passed


def shown(path):
    return path.relative_to(ROOT).as_posix()


def todo_lines(derivation):
    lines = derivation.file.read_text(encoding="utf-8").split("\n")
    return [i for i, line in enumerate(lines, 1) if "// TODO:" in line]


def wrong(text):
    return Trouble("\n".join(wrapped(text, WIDTH, "  no  ", "      ")))


def run_student(program):
    """The numbers of the student's program; Trouble if it does not end well."""
    try:
        done = subprocess.run([program, "all"], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise wrong(f"Your program does not end within {SECONDS} seconds: which loop has no end?") from None
    if "Assertion" in done.stderr:
        raise wrong("An index is outside of its vector: compare each index with the sizes in the comments.")
    if done.returncode < 0:
        raise wrong(f"Your program stops with signal {-done.returncode}: is an index outside of its array?")
    return numbers_of(done.stdout)


def grade(derivation):
    """Prints the report; the exit status."""
    if not derivation.file.exists():
        raise Trouble(f"There is no {shown(derivation.file)} yet: make exercise CHAPTER={derivation.number} DERIVE=1")
    if todo_lines(derivation):
        raise Trouble(f"{shown(derivation.file)}:{todo_lines(derivation)[0]}: this body is not written yet.\nDelete its TODO when it is.")
    folder = ROOT / "build" / "exercises" / ".work" / f"derive-{derivation.number}"
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        judged = pool.submit(judge, derivation, folder)
        error = compiled(derivation.file, folder / "student")
        judged = judged.result()
    if error:
        raise Trouble(f"  no  It does not compile:\n      {error}")
    lines, passed = report(derivation, run_student(folder / "student"), judged)
    derivation.verdict.write_text(json.dumps({"passed": passed}), encoding="utf-8")
    print(f"{derivation.title}\n")
    print("\n".join(lines))
    if passed:
        print(f"\nAll gradients are right. The same on arrays: make exercise CHAPTER={derivation.number}")
        later = [one for one in all_derivations() if one.number > derivation.number]
        if later:
            print(f"The next derivation: make exercise CHAPTER={later[0].number} DERIVE=1")
    return 0 if passed else 1


def start(derivation):
    is_new = not derivation.file.exists()
    if is_new:
        derivation.file.parent.mkdir(parents=True, exist_ok=True)
        derivation.file.write_text(derivation.blank(), encoding="utf-8")
    print(f"{derivation.title}\n  {shown(derivation.file)}" + ("" if is_new else "\n  (it was there already, and stays as it is)"))
    print(f"\nWrite each body with a TODO, and delete the TODO. Then:\n  make grade CHAPTER={derivation.number} DERIVE=1")
    print("\n".join(wrapped('Do not open plain.cpp, and read the lesson only up to its box "Derive it first".', WIDTH)))
    return 0


def hint(derivation):
    print("A derivation has no hints but its facts, which stand in the file too:")
    for fact in derivation.facts:
        print("\n".join(wrapped(fact, WIDTH, "- ", "  ")))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("start", "hint", "grade"))
    parser.add_argument("chapter", nargs="?", default="")
    given = parser.parse_args()
    return {"start": start, "hint": hint, "grade": grade}[given.what](derivation_of(given.chapter))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        sys.exit(str(trouble))
    except KeyboardInterrupt:
        sys.exit(130)
