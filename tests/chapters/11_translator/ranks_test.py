#!/usr/bin/env python3
"""Several ranks by MPI: the same bits for every number of ranks, and faults that end all ranks with one clear line.

    ranks_test.py GRADUS TOY                the tests; exit 77 where MPI is missing
    ranks_test.py GRADUS TOY --kills 200    kills of a random rank at random moments
"""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mpi

KEPT = ["weights.safetensors", "checkpoint.safetensors", "history.json", "results.json", "model.json"]


class Tests:
    def __init__(self, program, toy, folder):
        self.program, self.toy, self.folder = program, toy, folder
        self.failures = 0

    def command(self, output, *more):
        text = [f"--{part}-{side}={self.toy}/{part}.{language}" for part in ("train", "valid")
                for side, language in (("source", "en"), ("target", "de"))]
        return [self.program, "train", *text, "--output", self.folder / output, "--vocab-size=120", "--d-model=32", "--heads=2",
                "--ffn=64", "--layers=1", "--epochs=2", "--batch-tokens=600", "--valid-every=4", "--dropout=0.1", "--threads=1", *more]

    def check(self, holds, what, output=""):
        if not holds:
            self.failures += 1
            print(f"FAILED: {what}\n{output}")
        return holds

    def files(self, run):
        return {name: (self.folder / run / name).read_bytes() for name in KEPT}

    def check_bits(self, run, what):
        present = all((self.folder / run / name).exists() for name in KEPT)
        if self.check(present, f"{what}: the run has no model"):
            wrong = [name for name in KEPT if self.files(run)[name] != self.whole[name]]
            self.check(not wrong, f"{what}: other bits in {', '.join(wrong)}")

    def check_refused(self, what, status, output, *parts, expected=2):
        """One line of gradus, which holds these parts, and an exit status."""
        lines = [line for line in output.split("\n") if line.startswith("gradus: ")]
        right = status == expected and len(lines) == 1 and all(part in lines[0] for part in parts)
        self.check(right, what, f"exit {status}\n{output}")

    def train_alone(self):
        subprocess.run(self.command("whole"), check=True, capture_output=True)
        self.whole = self.files("whole")

    def same_bits(self):
        for ranks, threads in ((1, 2), (2, 1), (3, 2), (4, 1), (8, 2)):
            name = f"{ranks} ranks, {threads} threads"
            status, output = mpi.run(ranks, self.command(name, "--threads", threads))
            self.check(status == 0 and output.count("finished") == 1, name, f"exit {status}\n{output}")
            said = f"{ranks} ranks with {threads} thread{'s' if threads > 1 else ''} each"
            self.check(output.count(said) == (ranks > 1), f"says '{said}'", output)
            self.check(output.count("peak memory of rank 0 ") == (ranks > 1), f"{name}: whose memory", output)
            self.check_bits(name, name)

    def machines_in_a_file(self):
        """This machine, in a list of machines, as a user gives several."""
        machines = self.folder / "machines"
        machines.write_text("localhost:4\n" if mpi.is_mpich() else "localhost slots=4\n", encoding="utf-8")
        status, output = mpi.run(4, self.command("listed"), options=["--hostfile", machines])
        self.check(status == 0 and "4 ranks with 1 thread each" in output, "--hostfile", f"exit {status}\n{output}")
        self.check_bits("listed", "--hostfile")

    def ids_in_a_file(self):
        """The ranks make the file, or find it, or one of them has another place for it, as on another machine: the same bits."""
        here, there = (f"--ids={self.folder / name}" for name in ("ids", "other.ids"))
        for name, ranks, line in (("made", 3, "the ids are kept in"), ("found", 2, "taking vocabulary and ids from")):
            status, output = mpi.run(ranks, self.command(name, here))
            self.check(status == 0 and output.count(line) == 1, f"ids {name} by {ranks} ranks", f"exit {status}\n{output}")
            self.check_bits(name, f"ids {name}")
        status, output = mpi.run(1, self.command("elsewhere", here), (1, self.command("elsewhere", there)))
        self.check(status == 0, "rank 1 has no file of ids", f"exit {status}\n{output}")
        self.check_bits("elsewhere", "rank 1 has no file of ids")
        self.check(not (self.folder / "other.ids").exists(), "only rank 0 writes ids")

    def other_ranks_go_on(self):
        for ranks, steps in ((3, 2), (1, 4), (8, 0)):
            status, output = mpi.run(ranks, self.command("resumed", "--max-steps", steps))
            self.check(status == 0, f"goes on with {ranks} ranks", f"exit {status}\n{output}")
        self.check_bits("resumed", "resumed with 3, 1, 8 ranks")

    def stops(self):
        """A signal to one rank stops all of them at the same step."""
        status, output = self.signalled("stopped", signal.SIGTERM)
        self.check(status == 130 and "interrupted and saved" in output, "SIGTERM to rank 1", f"exit {status}\n{output}")
        status, output = mpi.run(2, self.command("stopped"))
        self.check_bits("stopped", "after SIGTERM")

    def saves(self):
        """SIGUSR1 to one rank: rank 0 saves once, and all go on to the same bits."""
        status, output = self.signalled("saved", signal.SIGUSR1)
        self.check(status == 0 and output.count("saving the run after step") == 1 and "finished" in output,
                   "SIGUSR1 to rank 1", f"exit {status}\n{output}")
        self.check_bits("saved", "after SIGUSR1")

    def a_parameter_is_blamed(self):
        """Each rank has a part of the gradient; together they name the same parameter as one process."""
        blamed = []
        for ranks in (1, 2, 3):
            options = ("--optimizer=sgd", "--clip=0", "--warmup=0", "--learning-rate=1e6", "--init=normal", "--init-sigma=3")
            status, output = mpi.run(ranks, self.command(f"blamed-{ranks}", *options))
            named = re.search(r"is not finite, first in ([\w.]+);", output)
            self.check(status == 1 and named, f"a gradient that is not finite, {ranks} ranks", f"exit {status}\n{output}")
            blamed.append(named and named[1])
        self.check(len(set(blamed)) == 1, "all blame the same parameter", str(blamed))

    def dies(self):
        began = time.time()
        status, output = self.signalled("killed", signal.SIGKILL)
        self.check(status != 0 and time.time() - began < 20, "SIGKILL of rank 1 ends all", f"exit {status}\n{output}")
        mpi.run(3, self.command("killed"))
        self.check_bits("killed", "after SIGKILL")

    def signalled(self, run, number, who=1):
        """Sends a signal to one rank after the first checkpoint."""
        process = mpi.start(2, self.command(run))
        mpi.wait_for(lambda: (self.folder / run / "checkpoint-before.safetensors").exists() or process.poll() is not None)
        ranks = mpi.ranks_of(process)
        if len(ranks) > who:
            os.kill(ranks[who], number)
        output, _ = process.communicate(timeout=60)
        return process.returncode, output

    def disk_fails(self):
        """Rank 0 cannot write its checkpoint: a folder has that name."""
        mpi.run(2, self.command("full", "--max-steps=2"))
        (self.folder / "full" / "checkpoint-next.safetensors").mkdir()
        status, output = mpi.run(2, self.command("full"))
        self.check(status == 1 and output.count("gradus: ") == 1, "the disk fails", f"exit {status}\n{output}")
        (self.folder / "full" / "checkpoint-next.safetensors").rmdir()
        mpi.run(2, self.command("full"))
        self.check_bits("full", "after the disk failed")

    def ranks_differ(self):
        mine = self.command("differ")
        for what, other, parts in (
                ("another option", [*mine, "--seed=3"], ("rank 1", "--seed")),
                ("--dump-config on one rank", [*mine, "--dump-config"], ("rank 1", "--dump-config")),
                ("products on one rank", [*mine, "--products=exact"], ("rank 1", "--products (exact, not none)")),
                ("another limit", [*mine, "--max-minutes=2.5"], ("rank 1", "--max-minutes (2.5, not 0)")),
                ("another number of steps", [*mine, "--max-steps=3"], ("rank 1", "--max-steps (3, not 0)")),
                ("saved more often", [*mine, "--save-every=3"], ("rank 1", "--save-every (3, not 500)")),
                ("--overwrite on one rank", [*mine, "--overwrite"], ("rank 1", "--overwrite (given, not absent)")),
                ("--warmup on one rank", [*mine, "--warmup=7"], ("rank 1", "--warmup (7, not none)")),
                ("--normalise on one rank", [*mine, "--normalise=never"], ("rank 1", "--normalise (never, not none)")),
                ("another text", [word.replace("train.en", "valid.en").replace("train.de", "valid.de") if isinstance(word, str)
                                  else word for word in mine], ("rank 1", "training data")),
                ("another build", [self.other_build(), *mine[1:]], ("rank 1", "another build"))):
            self.check_refused(what, *mpi.run(1, mine, (1, other)), *parts)
        self.check(not (self.folder / "differ").exists(), "a refused training leaves no folder")
        self.check_refused("9 ranks", *mpi.run(9, mine), "9 ranks", "start at most 8")

    def commands_differ(self):
        """Ranks that do not run the same command end within seconds; they would wait for each other."""
        mine = self.command("differ")
        text = ["--source", self.toy / "test.en", "--reference", self.toy / "test.de"]
        for other, parts in (
                (["evaluate", *text], ("rank 1 runs `gradus evaluate`", "rank 0 `gradus train`")),
                (["info"], ("rank 1 runs `gradus info`", "rank 0 `gradus train`")),
                (["train", "--help"], ("rank 1 runs `gradus --help`", "rank 0 `gradus train`")),
                ([*mine[1:], "--sed=3"], ("rank 1: there is no option --sed",)),
                (["trian"], ("rank 1: there is no command 'trian'",))):
            self.check_refused(f"rank 1: {other[0]}", *mpi.run(1, mine, (1, [self.program, *other]), seconds=20), *parts)
        self.check_refused("rank 0: info", *mpi.run(1, [self.program, "info"], (1, mine), seconds=20), "rank 1 runs `gradus train`")
        self.check_refused("info on all", *mpi.run(2, [self.program, "info"]), "gradus info", "without mpirun")
        self.check_refused("a wrong option on all", *mpi.run(2, [*mine, "--sed=3"]), "gradus: there is no option --sed")
        self.check_refused("a wrong command on all", *mpi.run(3, [self.program, "trian"]), "gradus: there is no command")
        status, output = mpi.run(2, [self.program, "--version"])
        self.check(status == 0 and output.count("BLAS kernels") == 1, "--version on all", output)
        self.check(not (self.folder / "differ").exists(), "ranks of different commands leave no folder")

    def errors_end_all(self):
        """An error of one rank ends all of them, and the line names that rank; an error of all has one line."""
        mine = self.command("faulty")
        missing = [*mine, f"--train-source={self.folder}/missing.en"]
        self.check_refused("rank 1 has no text", *mpi.run(1, mine, (1, missing), seconds=20), "rank 1: ", "missing.en", expected=1)
        self.check_refused("no rank has the text", *mpi.run(3, missing), "gradus: ", "missing.en", expected=1)
        no_gpu = subprocess.run([*mine, "--device=cuda", "--max-steps=1"], check=False, capture_output=True, text=True)
        if no_gpu.returncode == 2:
            self.check_refused("no GPU", *mpi.run(2, [*mine, "--device=cuda"]), no_gpu.stderr.strip())
        self.check(no_gpu.returncode == 0 or not (self.folder / "faulty").exists(), "an error before the training leaves no folder")

    def other_models(self):
        """Ranks that translate must have the same model, whole."""
        shutil.copytree(self.folder / "whole", self.folder / "damaged")
        weights = self.folder / "damaged" / "weights.safetensors"
        weights.write_bytes(weights.read_bytes()[:-1] + b"?")
        mpi.run(1, self.command("short", "--max-steps=1"))
        command = [self.program, "translate", "--input", self.toy / "test.en", "--model"]
        for other, parts in (("short", ("rank 1 has another model than rank 0",)), ("damaged", ("rank 1: ", "weights.safetensors"))):
            output = mpi.run(1, [*command, self.folder / "whole"], (1, [*command, self.folder / other]), seconds=20)
            self.check_refused(f"the model {other}", *output, *parts, expected=1)

    def other_searches(self):
        """Ranks that translate need the same weights and the same options of the search."""
        text = ["--model", self.folder / "whole", "--threads=1"]
        translate = [self.program, "translate", "--input", self.toy / "test.en", *text]
        evaluate = [self.program, "evaluate", "--source", self.toy / "test.en", "--reference", self.toy / "test.de", *text]
        for command in (translate, evaluate):
            for option, differs in (("--int8", "--int8 (given, not absent)"), ("--beam-size=2", "--beam-size (2, not 5)"),
                                    ("--max-length=3", "--max-length (3, not 200)"),
                                    ("--length-penalty=0.5", "--length-penalty (0.5, not 1)"),
                                    ("--short-source=9", "--short-source (9, not 6)")):
                output = mpi.run(1, command, (1, [*command, option]), seconds=20)
                self.check_refused(f"{command[1]} {option} on rank 1", *output, "rank 1 has another " + differs)

    def other_build(self):
        """The same program with one byte more, which is another file."""
        folder = self.folder / "other"
        folder.mkdir(exist_ok=True)
        for name in (self.program.name, "gradus_mpi.so"):
            shutil.copy(self.program.parent / name, folder)
        with open(folder / self.program.name, "ab") as file:
            file.write(b"\n")
        return folder / self.program.name

    def no_mpi(self):
        """A program without MPI says so, once, and trains nothing."""
        folder = self.folder / "without"
        folder.mkdir()
        shutil.copy(self.program, folder)
        command = self.command("never")
        command[0] = folder / self.program.name
        self.check_refused("without MPI", *mpi.run(3, command), "3 processes", "built without MPI")
        self.check(not (self.folder / "never").exists(), "without MPI there is no run")
        for mine, other in ((self.command("never"), command), (command, self.command("never"))):
            self.check_refused("one rank without MPI", *mpi.run(1, mine, (1, other)), "2 processes", "built without MPI")
        status, output = mpi.run(1, self.command("never"), (1, command))
        self.check("gradus: rank 1: 2 processes" in output, "rank 1 without MPI says its number", output)

    def other_launcher(self):
        """A launcher of another MPI: each process is alone, although two were started."""
        done = subprocess.run(self.command("never"), check=False, capture_output=True, text=True,
                              env={**mpi.environment(), "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"})
        self.check_refused("another launcher", done.returncode, done.stderr, "2 processes", "MPI connects 1")
        self.check(done.stderr.count("\n") == 1, "another launcher: nothing but that line", done.stderr)

    def other_processor(self):
        """OpenBLAS takes its kernels from a variable; here rank 1 has others."""
        status, output = mpi.run(1, self.command("mixed", "--max-steps=1"),
                                 (1, ["env", "OPENBLAS_CORETYPE=Nehalem", *self.command("mixed", "--max-steps=1")]))
        warned = output.count("another kind of processor") == 1
        self.check(status == 0 and (warned or os.uname().machine != "x86_64"), "another processor", output)

    def translates(self):
        """The same output as one process with the threads of rank 0, byte by byte."""
        def quiet(words):
            return ["sh", "-c", "exec \"$@\" 2>/dev/null", "sh", *words]

        text = self.toy / "test.en"
        for command in (["translate", "--input", text, "--json"],
                        ["translate", "--input", text, "--json", "--int8"],
                        ["translate", "--input", text, "--n-best=2", "--max-length=7", "--length-penalty=3", "--short-source=0"],
                        ["evaluate", "--source", text, "--reference", self.toy / "test.de", "--show=2"]):
            words = [self.program, *command, "--model", self.folder / "whole", "--threads=1"]
            alone = subprocess.run(words, check=True, capture_output=True, text=True).stdout
            status, output = mpi.run(3, quiet(words))
            self.check(status == 0 and output == alone, f"gradus {command[0]} on 3 ranks", output[:2000])
            status, output = mpi.run(1, quiet(words), (1, quiet([*words[:-1], "--threads=3"])))
            self.check(status == 0 and output == alone, f"gradus {command[0]}, rank 1 with other threads", output[:2000])

    def all_end(self, process, ranks, what):
        """All ranks end within 30 seconds. Returns whether mpirun ends too: that of Open MPI 4.1.4 may wait for ever, for a lock of its
        own, if a rank is killed while it starts."""
        try:
            process.communicate(timeout=30)
            return True
        except subprocess.TimeoutExpired:
            left = [rank for rank in {*ranks, *mpi.ranks_of(process)} if mpi.is_alive(rank)]
            self.check(not left, f"{what}: 30 s later the ranks {left} are still running")
            for rank in left:
                os.kill(rank, signal.SIGKILL)
            process.kill()
            return False

    def kills(self, count, seed):
        """Each kill hits a random rank of 2 or 3 at a random moment; then the run goes on to its end."""
        dice = random.Random(seed)
        launchers = 0
        for kill in range(count):
            run = f"kill {seed} {kill}"
            process = mpi.start(dice.choice((2, 3)), self.command(run))
            time.sleep(dice.uniform(0.1, 2.0))
            ranks = mpi.ranks_of(process)
            if ranks:
                os.kill(dice.choice(ranks), signal.SIGKILL)
            launchers += self.all_end(process, ranks, run)
            status, output = mpi.run(dice.choice((1, 2, 3)), self.command(run))
            self.check(status == 0, run, output)
            self.check_bits(run, run)
            left = [file.name for file in (self.folder / run).iterdir() if file.name.endswith((".tmp", ".part"))]
            self.check(not left, f"{run}: half-written files {left}")
            shutil.rmtree(self.folder / run)
        print(f"{count} kills: all ranks ended, and mpirun did in {launchers}" if not self.failures else f"{count} kills")

    def all(self):
        """Three tests at a time, because they wait most of the time: for mpirun, and for each other's ranks."""
        def timed(test):
            began = time.time()
            test()
            print(f"{test.__name__}: {time.time() - began:.1f} s", flush=True)

        with ThreadPoolExecutor(3) as pool:
            ended = [pool.submit(timed, test) for test in (
                self.same_bits, self.ranks_differ, self.other_searches, self.commands_differ, self.translates, self.ids_in_a_file,
                self.machines_in_a_file, self.other_ranks_go_on, self.stops, self.saves, self.dies, self.a_parameter_is_blamed,
                self.disk_fails, self.errors_end_all, self.other_models, self.no_mpi, self.other_launcher, self.other_processor)]
        for one in ended:
            one.result()
        self.kills(2, seed=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("toy", type=Path)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--mpirun", default=mpi.MPIRUN, help="the launcher of the MPI that the program was built with")
    options = parser.parse_args()
    mpi.MPIRUN = options.mpirun
    if not mpi.is_there(options.program):
        print("SKIPPED: several ranks were not tested, because MPI is missing (Debian: libopenmpi-dev openmpi-bin)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        tests = Tests(options.program.resolve(), options.toy.resolve(), Path(folder))
        tests.train_alone()
        if options.kills:
            tests.kills(options.kills, seed=2)
        else:
            tests.all()
        print(f"ranks: {tests.failures} failures")
        return 1 if tests.failures else 0


if __name__ == "__main__":
    sys.exit(main())
