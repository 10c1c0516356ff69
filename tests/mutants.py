#!/usr/bin/env python3
"""How good are the judges of the kernels? Breaks every kernel in 20 ways and counts what they see.

    tests/mutants.py                     all kernels, 20 mutants each, seed 1; writes docs/mutants.json
    tests/mutants.py attention           those whose file's name holds this word
    tests/mutants.py --count 5 --seed 2  other draws; nothing is written unless --write says so
    tests/mutants.py --list              the mutants that would be tried

A mutant is one change of one place of a kernel, by the rules below. It is built in a copy of the tree (build/mutants)
and run against the judges of its chapter on the host layer; with --thread-sanitizer those that survive are run once
more under the race detector. Takes ten seconds a mutant. Survivors are to be killed by a better judge, or explained in
tests/mutants.txt as changing nothing; a mutant explained there counts as equivalent.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "mutants"
EXPLAINED = ROOT / "tests" / "mutants.txt"
LIMIT_S = 120

# name, what is looked for, what takes its place
RULES = [
    ("missing barrier", r"__sync(threads|warp)\(\);", ";"),
    ("off by one", r" < ", " <= "),
    ("off by one", r" <= ", " < "),
    ("off by one", r"(?<=[\w)]) \+ 1\b", ""),
    ("off by one", r"(?<=[\w)]) - 1\b", ""),
    ("one too few", r"(?<== )0(?=; \w+ <)", "1"),
    ("wrong index", r"\[(n|d|j|k|c|t|s|lane|warp)\]", "[0]"),
    ("wrong row", r"\.row\((\w+)\)", ".row(0)"),
    ("wrong thread", r"threadIdx\.x % 32", "threadIdx.x / 32"),
    ("wrong thread", r"threadIdx\.x / 32", "threadIdx.x % 32"),
    ("wrong block", r"blockIdx\.x", "0"),
    ("wrong stride", r" \+= (32|blockDim\.x|step)\b", r" += 2 * \1"),
    ("sign", r"(?<=[\w)\]]) \+ (?=[\w(])", " - "),
    ("sign", r"(?<=[\w)\]]) - (?=[\w(])", " + "),
    ("overwritten", r" \+= ", " = "),
    ("not cleared", r"Real (\w+) = 0;", r"Real \1 = 1;"),
    ("other operation", r"(?<=[\w)\]]) \* (?=[\w(])", " + "),
    ("other operation", r"(?<=[\w)\]]) / (?=[\w(])", " * "),
    ("comparison", r" > ", " < "),
    ("comparison", r" >= ", " > "),
    ("comparison", r" == ", " != "),
    ("condition", r"if \((?!constexpr)[^;{}]*?\) (?=\w)", "if (true) "),
    ("condition", r" && ", " || "),
    ("no epsilon", r" \+ [^;+]*epsilon\)?\)", ")"),
    ("dropped atomic", r"atomicAdd\(&?([^,]+), ([^;]+)\);", r"\1 += \2;"),
    ("dropped mask", r"\bm\[k\] \* ", ""),
]


class Mutant:
    def __init__(self, path, kernel, line, rule, begin, end, text):
        self.path, self.kernel, self.line, self.rule = path, kernel, line, rule
        self.begin, self.end, self.text = begin, end, text

    def applied(self, source):
        return source[:self.begin] + self.text + source[self.end:]

    def shown(self, source):
        start = source.rfind("\n", 0, self.begin) + 1
        stop = source.find("\n", self.end)
        return (source[start:stop].strip(),
                (source[start:self.begin] + self.text + source[self.end:stop]).strip())


def without_comments(text):
    """The same length, comments blanked, so that places agree."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)


def device_functions(code):
    """(name, begin, end) of each function body that runs on a GPU."""
    for head in re.finditer(r"__(?:global|device)__[^;{]*?\b(\w+|operator\(\))\s*\([^;{]*\)(?: const)?\s*\{", code):
        depth, at = 1, head.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            at += 1
        yield head[1], head.end(), at


def candidates(path):
    code = without_comments(path.read_text(encoding="utf-8"))
    for kernel, begin, end in device_functions(code):
        found = []
        for rule, pattern, replacement in RULES:
            for match in re.finditer(pattern, code[begin:end]):
                text = match.expand(replacement)
                if text != match[0]:
                    line = code.count("\n", 0, begin + match.start()) + 1
                    found.append(Mutant(path, kernel, line, rule, begin + match.start(), begin + match.end(), text))
        yield kernel, found


def kernel_files(word):
    paths = sorted(ROOT.glob("chapters/*/*_cuda.cu")) + sorted(ROOT.glob("chapters/*/*_cuda.hpp"))
    return [path for path in paths if word in path.name]


def explained():
    """Equivalent mutants by (file, original line, changed line): the reason stands behind the second tab."""
    if not EXPLAINED.exists():
        return {}
    rows = [line.split("\t") for line in EXPLAINED.read_text(encoding="utf-8").splitlines()
            if line and not line.startswith("#")]
    return {tuple(row[:3]): row[3] for row in rows}


class Bench:
    """A copy of the tree in which one file at a time is changed."""

    def __init__(self, sanitizer):
        self.source, self.build = COPY / "source", COPY / ("thread" if sanitizer else "release")
        self.source.mkdir(parents=True, exist_ok=True)
        for room in ("cmake", "lib", "chapters", "tests", "docs"):
            shutil.rmtree(self.source / room, ignore_errors=True)
            shutil.copytree(ROOT / room, self.source / room)  # keeps the times, so only what changed is built
        for name in ("CMakeLists.txt", "CMakePresets.json", "Makefile"):
            shutil.copy2(ROOT / name, self.source)
        options = ["-DGRADUS_TESTS=ON", "-DGRADUS_PROGRAM=ON"] + (["-DGRADUS_SANITIZE=thread"] if sanitizer else [])
        subprocess.run(["cmake", "--preset", "release", "-B", self.build, *options], cwd=self.source, check=True,
                       stdout=subprocess.DEVNULL)

    def judges_of(self, path):
        return f"test_kernels_{path.parent.name}"

    def make(self, target):
        return subprocess.run(["cmake", "--build", self.build, "--target", target], capture_output=True).returncode == 0

    def verdict(self, mutant):
        """killed, survived, or does not compile."""
        target, place = self.judges_of(mutant.path), self.source / mutant.path.relative_to(ROOT)
        original = mutant.path.read_text(encoding="utf-8")
        place.write_text(mutant.applied(original), encoding="utf-8")
        try:
            if not self.make(target):
                return "does not compile"
            binary = self.build / "tests" / "chapters" / mutant.path.parent.name / target
            done = subprocess.run([binary, "--abort"], capture_output=True, timeout=LIMIT_S)
            return "survived" if done.returncode == 0 else "killed"
        except subprocess.TimeoutExpired:
            return "killed"
        finally:
            place.write_text(original, encoding="utf-8")


def judge_kernel(bench, kernel, drawn, count, known, rows):
    tried = 0
    for mutant in drawn:
        if tried == count:
            break
        source = mutant.path.read_text(encoding="utf-8")
        before, after = mutant.shown(source)
        name = mutant.path.relative_to(ROOT).as_posix()
        verdict = bench.verdict(mutant)
        if verdict == "does not compile":
            continue
        tried += 1
        if verdict == "survived" and (name, before, after) in known:
            verdict = "equivalent"
        rows.append({"file": name, "kernel": kernel, "line": mutant.line, "rule": mutant.rule, "before": before,
                     "after": after, "verdict": verdict})
        if verdict != "killed":
            print(f"{verdict}: {name}:{mutant.line} ({mutant.rule})\n  - {before}\n  + {after}", flush=True)
    return tried


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--thread-sanitizer", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    os.environ.pop("GRADUS_KERNELS", None)
    bench, rows, known = None if options.list else Bench(options.thread_sanitizer), [], explained()
    for path in kernel_files(options.word):
        if bench and not bench.make(bench.judges_of(path)):
            sys.exit(f"mutants: {bench.judges_of(path)} does not build as it is")
        for kernel, found in candidates(path):
            random.Random(f"{options.seed} {path.name} {kernel}").shuffle(found)
            if options.list:
                for mutant in found[:options.count]:
                    print(f"{path.relative_to(ROOT)}:{mutant.line} {kernel}: {mutant.rule}")
                continue
            judge_kernel(bench, kernel, found, options.count, known, rows)
    if options.list:
        return 0

    tally = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in ("killed", "equivalent", "survived")}
    print(", ".join(f"{count} {verdict}" for verdict, count in tally.items()) + f" of {len(rows)} mutants")
    if options.write:
        (ROOT / "docs" / "mutants.json").write_text(json.dumps({"seed": options.seed, **tally, "mutants": rows}, indent=1)
                                                    + "\n", encoding="utf-8")
    return 0 if rows and not tally["survived"] else 1


if __name__ == "__main__":
    sys.exit(main())
