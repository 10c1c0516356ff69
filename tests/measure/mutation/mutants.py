#!/usr/bin/env python3
"""Measures the judges: breaks kernels, the code for the processor, or scripts, in many ways and counts the changes that the judges reject.

    tests/measure/mutation/mutants.py                       all kernels, 20 mutants each, seed 1
    tests/measure/mutation/mutants.py 05_layer_norm/cuda/addonly files whose path contains this
    tests/measure/mutation/mutants.py --barriers            deletes every barrier and every exchange between lanes in turn
    tests/measure/mutation/mutants.py --host                lib/ and chapters/ without the kernels, 3 mutants a file
    tests/measure/mutation/mutants.py --host io/utf8 -j 2   only files whose path contains this, two files at a time
    tests/measure/mutation/mutants.py --scripts             Python tools and the page's JavaScript, 5 mutants a file
    tests/measure/mutation/mutants.py --planted             the mistakes of planted.txt, one by one, as --host judges them
    tests/measure/mutation/mutants.py --count 5 --seed 2    other draws
    tests/measure/mutation/mutants.py --list                the mutants that would be tried
    tests/measure/mutation/mutants.py --write               writes the results to docs/records/mutants.json (--host, --scripts: to its part of that name)

A mutant is one change of one place (mutant_rules.py, mutant_host_rules.py, mutant_script_rules.py). The files that read it are compiled and linked
with the objects of build/release, and its judges run until the first one rejects it. Results are stored in build/mutants,
so a stopped run continues; survivors are tried again when their judges have changed. The entry of a file in docs/records/mutants.json
stays until its code changes or it is tried again. For each survivor, write a better judge, or explain in
tests/measure/mutation/mutants.txt that it changes nothing: then it counts as equivalent.

Kernels are judged on the host layer, by the judges of their chapter. Mutants that pass them also run under AddressSanitizer and
ThreadSanitizer. A kernel without one of its barriers always runs under the race detector too.
Needs `make kernels`, also with SANITIZE=thread and SANITIZE=address. With --host the tests that mirror a file judge it
(mutant_mirrors.py), the closest one first; needs `make test` or the test binaries of the files that are asked for. With --scripts nothing is compiled: the tests of mutant_scripts.py
run in a copy of the project; those of JavaScript need node.
"""
import argparse
import json
import sys
import tempfile
from itertools import chain
from pathlib import Path

import mutant_host
import mutant_planted
import mutant_scripts
from mutant_judges import ROOT, WORK, Judge
from mutant_results import PUBLISHED, VERDICTS, Results, checksum, explained, fingerprint, row_of, stamp, tally, text_of
from mutant_rules import EDGES, EDGES_IN, SYNCHRONISATION, candidates, drawn, functions, places

FORMS = ("", "_address", "_thread")  # of the judges: see cmake/kernels.cmake

# Kernels outside chapters or read by a second one, and their judges.
SHARED = {
    "chapters/01_embedding/cuda/lookup_cuda.hpp": ["test_kernels_01_embedding", "test_kernels_02_positional_encoding"],
    "chapters/03_attention/cuda/attention_cuda.hpp": ["test_kernels_03_attention", "test_kernels_12_ssru"],
    "lib/gradus/kernels/reduce.hpp": ["test_host_layer", "test_kernels_09_transformer"],
    "lib/gradus/kernels/exp_sum.hpp": ["test_kernels_09_transformer"],
    "lib/gradus/kernels/column_sums.hpp": ["test_host_layer", "test_kernels_00_foundations", "test_kernels_05_layer_norm"],
    "lib/gradus/kernels/quad.hpp": ["test_host_layer", "test_kernels_05_layer_norm"],
    "lib/gradus/kernels/rows_by_id.hpp": ["test_kernels_01_embedding"],
    "lib/gradus/ops/cuda/elementwise_cuda.cu": ["test_host_layer", "test_kernels_05_layer_norm"],
    "lib/gradus/random/dropout_cuda.hpp": ["test_host_layer", "test_kernels_00_foundations"],
}
HOST = "lib/gradus/gpu/host/block.cpp"  # not a kernel, but it gives kernels their edges


def kernel_files(word):
    paths = sorted(ROOT.glob("chapters/**/*_cuda.cu")) + sorted(ROOT.glob("chapters/**/*_cuda.hpp"))
    names = dict.fromkeys([*sorted(path.relative_to(ROOT).as_posix() for path in paths), *SHARED])
    return [name for name in names if word in name]


def judges_of(name):
    return ["test_host_layer"] if name == HOST else SHARED.get(name) or [f"test_kernels_{Path(name).parts[1]}"]


def judges_now(name):
    """The fingerprint of the judges of a file."""
    folders = ["tests/lib/gpu" if target == "test_host_layer" else "tests/chapters/" + target[len("test_kernels_"):]
               for target in judges_of(name)]
    return fingerprint(["tests/support", *folders, "lib/gradus/gpu/host"])


class Bench:
    """Replaces a source by its mutant and runs its judges."""

    def __init__(self, folder):
        self.folder, self.results, self.judges, self.reasons = folder, Results(judges_now), {}, explained()

    def judge(self, target, form):
        if (target, form) not in self.judges:
            self.judges[target, form] = Judge(target, form, self.folder)
        return self.judges[target, form]

    def asked(self, mutant, form):
        """The judge of this form that rejects it; "" if none does."""
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
        """The same for one form after the other; known results are not computed again."""
        known = (self.results.get(mutant, form) for form in FORMS)
        asked = (self.asked(mutant, form) for form in FORMS)
        return next(filter(None, chain(known, asked)), "")

    def is_known(self, mutant):
        known = [self.results.get(mutant, form) for form in FORMS]
        return any(known) or None not in known


def judge_kernel(bench, found, options):
    """The rows of the first mutants that compile, and whether these are all that must be tried. --write tries none."""
    rows = []
    for mutant in found:
        if len(rows) == options.count:
            break
        if options.write and not bench.is_known(mutant):
            return rows, False
        by = bench.found_by(mutant)
        if by != "compiler":
            rows.append(row_of(mutant, bench.reasons, by=by))
    return rows, True


def judge_file(bench, name, options):
    rows, is_covered = [], True
    for _, found in candidates(name, text_of(name)):
        more, is_done = judge_kernel(bench, drawn(found, options.seed), options)
        rows, is_covered = rows + more, is_covered and is_done
    counts = tally(rows)
    print(f"{name}: " + ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS), flush=True)
    return rows, is_covered


def barriers(word):
    """Deletes each operation that makes threads wait for each other, one at a time: in kernels, in their shared code, in the host layer."""
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
        rows.append(row_of(mutant, bench.reasons, **{form: bench.asked(mutant, end) for form, end in forms.items()}))
    return rows


class Before:
    """The published results of the same draw whose kernels have not changed."""

    def __init__(self, options):
        self.all = known = json.loads(PUBLISHED.read_text(encoding="utf-8")) if PUBLISHED.exists() else {}
        is_same = (known.get("seed"), known.get("a_kernel")) == (options.seed, options.count)
        self.known = known if is_same else {}
        self.same = {name for name, text in self.known.get("texts", {}).items() if text == checksum(name)}

    def file(self, name):
        """Its counts and the mutants that were not killed; nothing if not all were tried."""
        if name not in self.same or name in self.known["left"]:
            return None
        return self.known["by_file"][name], [row for row in self.known["not_killed"] if row["file"] == name]

    def barrier(self, mutant):
        if mutant.name not in self.same:
            return []
        place = (mutant.name, mutant.line, *mutant.shown())
        each = self.known["barriers"]["each"]
        return [row for row in each if (row["file"], row["line"], row["before"], row["after"]) == place]


def published(bench, options):
    """The score. Killed mutants are only counted: seed and rules define them."""
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
    parser.add_argument("--host", action="store_true")
    parser.add_argument("--scripts", action="store_true")
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", "-j", type=int, default=1)
    options = parser.parse_args()
    if options.host:
        return mutant_host.main(options)
    if options.planted:
        return mutant_planted.main(options)
    if options.scripts:
        return mutant_scripts.main(options)
    options.count = options.count or 20

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
            others = {part: Before(options).all[part] for part in ("host", "scripts", "planted") if part in Before(options).all}
            found = {**published(bench, options), **stamp(), **others}
            PUBLISHED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            return 0
        rows = judge_barriers(bench, options) if options.barriers else [
            row for name in kernel_files(options.word) for row in judge_file(bench, name, options)[0]]
    counts = tally(rows)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 0 if rows and not counts["survived"] else 1


if __name__ == "__main__":
    sys.exit(main())
