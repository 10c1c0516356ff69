#!/usr/bin/env python3
"""How good are the judges of the kernels? Breaks every kernel in 20 ways and counts what they see.

    tests/mutants.py                       all kernels, 20 mutants each, seed 1
    tests/mutants.py 05_layer_norm/add     those of files whose path holds this
    tests/mutants.py --barriers            deletes every barrier and every exchange between lanes in turn
    tests/mutants.py --count 5 --seed 2    other draws
    tests/mutants.py --list                the mutants that would be tried
    tests/mutants.py --write               what was found out goes into docs/mutants.json

A mutant is one change of one place of a kernel (mutant_rules.py). The files that see it are compiled and linked with
what build/release holds already, and the judges of its chapter run on the host layer until the first one rejects it: a
second of computing each. What passes them is shown to AddressSanitizer and to ThreadSanitizer. Results are kept in
build/mutants, so a run that was stopped goes on; survivors are tried again when their judges have changed. What
docs/mutants.json says of a kernel stays there until its text changes or it is tried again. A survivor is to be killed
by a better judge, or explained in tests/mutants.txt as changing nothing: then it counts as equivalent. A kernel without
one of its barriers is shown to the race detector whether or not the other judges see it.
Needs `make kernels`, also with SANITIZE=thread and SANITIZE=address.
"""
import argparse
import hashlib
import json
import sys
import tempfile
from collections import Counter
from itertools import chain
from pathlib import Path

from mutant_judges import ROOT, WORK, Judge
from mutant_rules import EDGES, EDGES_IN, SYNCHRONISATION, candidates, drawn, functions, places

EXPLAINED, PUBLISHED = ROOT / "tests" / "mutants.txt", ROOT / "docs" / "mutants.json"
FORMS = ("", "_address", "_thread")  # of the judges: see cmake/kernels.cmake
VERDICTS = ("killed", "equivalent", "survived")

# Kernels outside chapters, and who judges them.
SHARED = {
    "lib/gradus/gpu/reduce.hpp": ["test_host_layer", "test_kernels_09_transformer"],
    "lib/gradus/gpu/exp_sum.hpp": ["test_kernels_09_transformer"],
    "lib/gradus/gpu/column_sums.hpp": ["test_kernels_00_foundations", "test_kernels_05_layer_norm"],
    "lib/gradus/gpu/rows_by_id.hpp": ["test_kernels_01_embedding"],
    "lib/gradus/ops/elementwise_cuda.cu": ["test_host_layer", "test_kernels_05_layer_norm"],
    "lib/gradus/random/dropout_cuda.hpp": ["test_host_layer", "test_kernels_00_foundations"],
}
HOST = "lib/gradus/gpu/host/block.cpp"  # no kernel, but the edges that kernels get from it


def kernel_files(word):
    paths = sorted(ROOT.glob("chapters/*/*_cuda.cu")) + sorted(ROOT.glob("chapters/*/*_cuda.hpp"))
    names = sorted(path.relative_to(ROOT).as_posix() for path in paths) + list(SHARED)
    return [name for name in names if word in name]


def judges_of(name):
    return ["test_host_layer"] if name == HOST else SHARED.get(name) or [f"test_kernels_{Path(name).parent.name}"]


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def explained():
    """Reasons by (file, line before, line after)."""
    rows = [line.split("\t") for line in text_of(EXPLAINED).splitlines() if line and not line.startswith("#")]
    return {tuple(row[:3]): row[3] for row in rows}


class Results:
    """Who found which mutant, kept on disk."""

    def __init__(self):
        self.path, self.known = WORK / "results.jsonl", {}
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []:
            self.known.update(json.loads(line))

    @staticmethod
    def key(mutant, form):
        return f"{mutant.name} {hashlib.sha1(mutant.applied().encode()).hexdigest()[:16]}{form}"

    @staticmethod
    def judges(name):
        """Their fingerprint."""
        folders = ["support"] + ["lib/gpu" if target == "test_host_layer" else
                                 "chapters/" + target[len("test_kernels_"):] for target in judges_of(name)]
        files = [file for folder in [ROOT / "tests" / folder for folder in folders] + [ROOT / "lib/gradus/gpu/host"]
                 for file in sorted(folder.glob("*.?pp"))]
        return hashlib.sha1(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]

    def get(self, mutant, form=""):
        """None if it is not known who finds it, or if those who did not have changed."""
        found = self.known.get(self.key(mutant, form))
        return found["by"] if found and (found["by"] or found["judges"] == self.judges(mutant.name)) else None

    def put(self, mutant, form, by):
        found = {self.key(mutant, form): {"by": by, "judges": self.judges(mutant.name)}}
        self.known.update(found)
        with self.path.open("a", encoding="utf-8") as file:  # a line at once: several runs may write
            file.write(json.dumps(found) + "\n")


class Bench:
    """Puts a mutant in the way of the sources and asks its judges."""

    def __init__(self, folder):
        self.folder, self.results, self.judges, self.reasons = folder, Results(), {}, explained()

    def judge(self, target, form):
        if (target, form) not in self.judges:
            self.judges[target, form] = Judge(target, form, self.folder)
        return self.judges[target, form]

    def asked(self, mutant, form):
        """Who finds it in this form of the judges; "" if nobody does."""
        known = self.results.get(mutant, form)
        if known is not None:
            return known
        place = self.folder / "changed" / mutant.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(mutant.applied(), encoding="utf-8")
        try:
            asked = (self.judge(target, form).verdict(mutant.name) for target in judges_of(mutant.name))
            by = next(filter(None, asked), "")
        finally:
            place.unlink()
        if by == "compiler" and form:
            sys.exit(f"mutants: {mutant.name}:{mutant.line} ({mutant.rule}) compiles, but not as {form[1:]}")
        self.results.put(mutant, form, by)
        return by

    def found_by(self, mutant):
        """The same for one form after the other; whoever is known to find it is not asked again."""
        known = (self.results.get(mutant, form) for form in FORMS)
        asked = (self.asked(mutant, form) for form in FORMS)
        return next(filter(None, chain(known, asked)), "")

    def is_known(self, mutant):
        known = [self.results.get(mutant, form) for form in FORMS]
        return any(known) or None not in known

    def row(self, mutant, **by):
        before, after = mutant.shown()
        reason = self.reasons.get((mutant.name, before, after), "")
        found = any(by.values())
        row = {"file": mutant.name, "line": mutant.line, "kernel": mutant.kernel, "rule": mutant.rule, "before": before,
               "after": after, **by, "verdict": "killed" if found else "equivalent" if reason else "survived"}
        if found and reason:
            print(f"tests/mutants.txt explains what is found: {mutant.name}:{mutant.line}", flush=True)
        if row["verdict"] == "survived":
            print(f"survived: {mutant.name}:{mutant.line} ({mutant.rule})\n  - {before}\n  + {after}", flush=True)
        return row if found else {**row, "reason": reason}


def judge_kernel(bench, found, options):
    """The rows of the first mutants that compile, and whether these are all that are to be tried. --write tries none."""
    rows = []
    for mutant in found:
        if len(rows) == options.count:
            break
        if options.write and not bench.is_known(mutant):
            return rows, False
        by = bench.found_by(mutant)
        if by != "compiler":
            rows.append(bench.row(mutant, by=by))
    return rows, True


def judge_file(bench, name, options):
    rows, is_covered = [], True
    for _, found in candidates(name, text_of(name)):
        more, is_done = judge_kernel(bench, drawn(found, options.seed), options)
        rows, is_covered = rows + more, is_covered and is_done
    counts = tally(rows)
    print(f"{name}: " + ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS), flush=True)
    return rows, is_covered


def tally(rows):
    counts = Counter(row["verdict"] for row in rows)
    return {"tried": len(rows), **{verdict: counts[verdict] for verdict in VERDICTS}}


def barriers(word):
    """What makes threads wait for each other, deleted in turn: in kernels, in what they share, in the host layer."""
    for name in kernel_files(word):
        yield from (mutant for _, found in candidates(name, text_of(name), SYNCHRONISATION) for mutant in found)
    if word in HOST:
        text = text_of(HOST)
        for function, begin, end in functions(text, EDGES_IN):
            yield from places(EDGES, HOST, text, function, begin, end)


def judge_barriers(bench, options, before=None):
    """By all judges, then by the race detector, which alone can see the host layer's edges."""
    rows = []
    for mutant in barriers(options.word):
        forms = {"race_detector": "_thread"} if mutant.name == HOST else {"judges": "", "race_detector": "_thread"}
        if options.write and any(bench.results.get(mutant, form) is None for form in forms.values()):
            rows += before.barrier(mutant)
            continue
        rows.append(bench.row(mutant, **{form: bench.asked(mutant, end) for form, end in forms.items()}))
    return rows


class Before:
    """What is published already, as far as it is of the same draw and the kernels are what they were."""

    def __init__(self, options):
        known = json.loads(PUBLISHED.read_text(encoding="utf-8")) if PUBLISHED.exists() else {}
        is_same = (known.get("seed"), known.get("a_kernel")) == (options.seed, options.count)
        self.known = known if is_same else {}
        self.same = {name for name, text in self.known.get("texts", {}).items() if text == checksum(name)}

    def file(self, name):
        """Its counts and those that were not killed; nothing, if not all were tried."""
        if name not in self.same or name in self.known["left"]:
            return None
        return self.known["by_file"][name], [row for row in self.known["not_killed"] if row["file"] == name]

    def barrier(self, mutant):
        if mutant.name not in self.same:
            return []
        place = (mutant.name, mutant.line, *mutant.shown())
        each = self.known["barriers"]["each"]
        return [row for row in each if (row["file"], row["line"], row["before"], row["after"]) == place]


def checksum(name):
    return hashlib.sha1(text_of(name).encode()).hexdigest()[:16]


def published(bench, options):
    """The score. Killed mutants are only counted: seed and rules say which they are."""
    files, left, not_killed, before = {}, [], [], Before(options)
    for name in kernel_files(""):
        if not any(found for _, found in candidates(name, text_of(name))):
            continue
        rows, is_covered = judge_file(bench, name, options)
        files[name], spared = tally(rows), [row for row in rows if row["verdict"] != "killed"]
        if not is_covered:
            known = before.file(name)
            files[name], spared = known or (files[name], spared)
            left += [] if known else [name]
        not_killed += spared
    found = judge_barriers(bench, options, before)
    in_kernels = [row for row in found if row["file"] != HOST]
    barriers_found = {**tally(found), "in_kernels": len(in_kernels), "host_edges": len(found) - len(in_kernels),
                      "by_judges": sum(row["judges"] != "" for row in in_kernels),
                      "by_race_detector": sum(row["race_detector"] == "race detector" for row in in_kernels),
                      "each": found}
    total = {what: sum(counts[what] for counts in files.values()) for what in ("tried", *VERDICTS)}
    return {"seed": options.seed, "a_kernel": options.count, **total, "files": len(files),
            "files_covered": len(files) - len(left), "left": left, "by_file": files, "not_killed": not_killed,
            "barriers": barriers_found, "texts": {name: checksum(name) for name in [*files, HOST]}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--barriers", action="store_true")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    if options.list:
        of_kernels = (mutant for name in kernel_files(options.word) for _, found in candidates(name, text_of(name))
                      for mutant in drawn(found, options.seed)[:options.count])
        for mutant in barriers(options.word) if options.barriers else of_kernels:
            print(f"{mutant.name}:{mutant.line} {mutant.kernel}: {mutant.rule}")
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        bench = Bench(Path(folder))
        if options.write:
            found = published(bench, options)  # first: it reads what is to be replaced
            PUBLISHED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            return 0
        rows = judge_barriers(bench, options) if options.barriers else [
            row for name in kernel_files(options.word) for row in judge_file(bench, name, options)[0]]
    counts = tally(rows)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 0 if rows and not counts["survived"] else 1


if __name__ == "__main__":
    sys.exit(main())
