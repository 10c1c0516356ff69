#!/usr/bin/env python3
"""Measures gradus beside CTranslate2 and PyTorch, on this machine: `make bench-peers`.

    measure.py BUILD DATA [--rounds 3] [--quick] [--again] [--only PART ...]

BUILD is build/release, DATA a folder with Multi30k. In each round the programs take turns. A measurement that other programs disturbed is made
again (load.py). The results are in build/peers/results.json; an undisturbed run that is there is not repeated, so an interrupted comparison
continues. With another program or processor it begins anew, and so with --again. --quick takes few sentences and steps and one round, to see
that everything works; it has a file of its own. PART is translate, long, train or million. summary.py reads the results.
"""
import argparse
import hashlib
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

import load
import same_translations
import texts

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[3]
PYTHON = TOP / "build" / "peers" / "python" / "bin" / "python"
# For a tuned PyTorch: the allocator of glibc keeps freed memory, so that no step waits for the system; a thread that waits for another one
# sleeps, so that it takes no processor from it.
TUNED = {"OMP_WAIT_POLICY": "PASSIVE", "MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "4294967296", "MALLOC_TOP_PAD_": "536870912"}


class Comparison:
    def __init__(self, options, now=load.now):
        self.now = now
        self.build, self.data, self.quick, self.rounds = options.build.resolve(), options.data, options.quick, options.rounds
        self.place = TOP / "build" / "peers" / ("quick" if options.quick else "full")
        self.place.mkdir(parents=True, exist_ok=True)
        self.file = self.place / "results.json"
        program = hashlib.sha256((self.build / "gradus").read_bytes()).hexdigest()
        self.results = {"runs": {}} if options.again else earlier(self.file, program, processor_kind())
        self.results.update({"program_sha256": program, "conditions": self.conditions()})
        self.steps = 3 if options.quick else 8

    def gradus(self, *arguments):
        return [str(self.build / "gradus"), *map(str, arguments)]

    def conditions(self):
        version = subprocess.run(self.gradus("--version"), stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        return {"gradus": version, "kind": processor_kind(), "system": platform.platform(), "processors": os.cpu_count(), "python": platform.python_version(),
                "rounds": self.rounds, "load": os.getloadavg()[0]}

    def prepare(self):
        texts.collect(self.data, self.place / "multi30k")
        texts.make(self.place / "multi30k", self.place, self.quick)
        captions = (self.place / "captions.en").read_text(encoding="utf-8")
        same, of = same_translations.equal(self.gradus()[0], "en-de", captions, self.place / "ct2")
        self.results["conditions"].update({"same": same, "of": of})
        print(f"{same} of {of} greedy translations of gradus and CTranslate2 are equal", flush=True)
        if not (self.place / "ids.txt").exists():
            subprocess.run([steps_program(self.build), "--ids", self.place / "multi30k", self.place / "ids.txt"], check=True)
        subprocess.run([steps_program(self.build), self.place / "ids.txt", "1", "1", "--batches", self.place / "batches.txt"], check=True)

    def kept(self, name, number):
        """The run of this round, or None."""
        runs = self.results["runs"].get(name, [])
        return runs[number] if number < len(runs) else None

    def keep(self, name, number, result):
        """Stores it, unless a less disturbed one is there."""
        earlier_one = self.kept(name, number)
        if earlier_one is None:
            self.results["runs"].setdefault(name, []).append(result)
        elif load.of_run(result) > load.of_run(earlier_one):
            self.results["runs"][name][number] = result
        self.file.write_text(json.dumps(self.results, indent=1) + "\n")

    def measured(self, run):
        before = self.now()
        result = run()
        return {**result, "share_left": load.share_left(before, self.now(), self.results["conditions"]["processors"])}

    def is_quiet(self, name, number):
        there = self.kept(name, number)
        return there is not None and load.of_run(there) >= load.QUIET

    def in_turns(self, work, rounds):
        """`work`: name -> function that measures once and returns a result."""
        for number in range(rounds):
            for name, run in list(work.items())[::-1 if number % 2 else 1]:  # each program is first in one round and last in the next
                for _ in range(load.ATTEMPTS):
                    if self.is_quiet(name, number):
                        break
                    start = time.time()
                    result = self.measured(run)
                    self.keep(name, number, result)
                    left = load.of_run(result)
                    disturbed = "" if left >= load.QUIET else f"; other programs disturbed it: {100 * left:.0f} % of the processor were left"
                    print(f"{name}, round {number + 1} of {rounds}: {time.time() - start:.0f} s{disturbed}", flush=True)

    def translations(self, text, threads, alone):
        source, model = self.place / f"{text}.en", self.place / "ct2"
        common = [str(source), "--threads", str(threads), "--alone", str(alone), "--rounds", "1"]
        work = {f"{text} {threads} gradus": lambda: output_of(self.gradus("bench", "--json", "--input", *common)),
                f"{text} {threads} gradus int8": lambda: output_of(self.gradus("bench", "--json", "--int8", "--input", *common))}
        for kind in ("float32", "int8"):
            command = [PYTHON, HERE / "translate_ctranslate2.py", model, *common, "--type", kind]
            work[f"{text} {threads} {kind}"] = lambda command=command: output_of(command)
        return work

    def trainings(self):
        ids, batches, steps = self.place / "ids.txt", self.place / "batches.txt", str(self.steps)

        def pytorch(kind, threads, *more):
            return [PYTHON, HERE / "train_pytorch.py", ids, batches, kind, str(threads), steps, *more]

        halves = [pytorch("tuned", 1, "--half", half) for half in "01"]
        return {"train gradus 2": lambda: output_of([steps_program(self.build), ids, "2", steps]),
                "train tutorial": lambda: output_of(pytorch("tutorial", 2)),
                "train gradus 1": lambda: output_of([steps_program(self.build), ids, "1", steps]),
                "train tuned": lambda: output_of(pytorch("tuned", 2), TUNED),
                "train two": lambda: together(halves, {**TUNED, "OMP_NUM_THREADS": "1"})}

    def first_step(self):
        """Seconds from the start of a training with a million pairs to the end of its first step."""
        if not (self.place / "million.de").exists():
            texts.make_million(self.place / "multi30k", self.place, 20_000 if self.quick else 1_000_000)
        log = self.place / "million.log"
        log.unlink(missing_ok=True)
        (self.place / "million" / "training.ids").unlink(missing_ok=True)  # of an earlier measurement
        valid = self.place / "multi30k" / "val"
        command = self.gradus("train", "--train-source", self.place / "million.en", "--train-target", self.place / "million.de",
                              "--valid-source", f"{valid}.en.gz", "--valid-target", f"{valid}.de.gz", "--output", self.place / "million",
                              "--overwrite", "--vocab-size", "10000", "--max-steps", "1", "--log-json", log, "--quiet")
        start = time.time()
        with subprocess.Popen(command) as program:
            while program.poll() is None and '"step"' not in (log.read_text() if log.exists() else ""):
                time.sleep(0.05)
            seconds = time.time() - start
            program.terminate()
        if '"step"' not in log.read_text():
            sys.exit("the training with a million pairs ended before its first step")
        return {"seconds": seconds}

    def run(self, parts):
        self.prepare()
        if "translate" in parts:
            alone = 10 if self.quick else 50
            self.in_turns({**self.translations("captions", 2, 1), **self.translations("captions", 1, alone)}, self.rounds)
        if "long" in parts:
            self.in_turns({**self.translations("words50", 2, 1), **self.translations("words200", 2, 1)}, self.rounds)
        if "train" in parts:
            self.in_turns(self.trainings(), self.rounds)
        if "million" in parts:
            self.in_turns({"million gradus": self.first_step}, 1)


def steps_program(build):
    return next(path for path in build.rglob("bench_steps") if path.is_file())


def processor_kind(file=pathlib.Path("/proc/cpuinfo")):
    """The name of the processor, and its family and model: different kinds can have one name."""
    if not file.exists():
        return platform.processor() or platform.machine()
    fields = dict(line.split(":", 1) for line in file.read_text(encoding="utf-8").split("\n\n")[0].splitlines() if ":" in line)
    found = {key.strip(): value.strip() for key, value in fields.items()}
    parts = [found.get("model name", platform.machine())]
    parts += [f"{name} {found[key]}" for key, name in (("cpu family", "family"), ("model", "model")) if key in found]
    return ", ".join(parts)


def earlier(file, program, kind):
    """The stored results, if they are of this program on this kind of processor. Those of an older measure.py do not say of which they are."""
    stored = json.loads(file.read_text()) if file.exists() else {"runs": {}}
    is_same = {"gradus has changed": stored.get("program_sha256", program) == program,
               "the processor is another one": stored.get("conditions", {}).get("kind", kind) == kind}
    for what, same in is_same.items():
        if not same:
            print(f"{what} since the stored results, so the comparison begins anew", flush=True)
            return {"runs": {}}
    return stored


def output_of(command, more=None):
    environment = {**os.environ, **(more or {})}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    return json.loads(done.stdout)


def together(commands, more):
    """Runs the programs at the same time: their tokens and the longest time."""
    environment = {**os.environ, **more}
    running = [subprocess.Popen(c, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment) for c in commands]
    printed = [program.communicate()[0] for program in running]
    if any(program.returncode != 0 for program in running):
        sys.exit(f"{' '.join(map(str, commands[0]))} failed, or the program beside it")
    results = [json.loads(text) for text in printed]
    tokens, seconds = sum(r["tokens"] for r in results), max(r["seconds"] for r in results)
    return {**results[0], "threads": len(results), "tokens": tokens, "seconds": seconds}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("build", type=pathlib.Path)
    a.add_argument("data", type=pathlib.Path)
    a.add_argument("--rounds", type=int)
    a.add_argument("--quick", action="store_true")
    a.add_argument("--again", action="store_true")
    a.add_argument("--only", nargs="+", default=["translate", "long", "train", "million"])
    o = a.parse_args()
    o.rounds = o.rounds or (1 if o.quick else 3)
    try:
        Comparison(o).run(o.only)
    except texts.NotThere as error:
        sys.exit(f"{error}; get it by build/release/gradus data --output FOLDER")
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; the same command continues from here")


if __name__ == "__main__":
    main()
