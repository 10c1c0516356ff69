#!/usr/bin/env python3
"""Tests that a training that is killed, or whose disk fails, continues from a whole checkpoint and ends with the same bits.

    kill_test.py PROGRAM DISK TOY [--kills 10] [--calls 10]

PROGRAM is gradus, DISK the library made of failing_disk.cpp, TOY the folder of the toy corpus. --kills: moments drawn at
random; --calls: the system calls of a training at which the disk strikes, 0 for each of them.
"""
import argparse
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PASSING = ("checkpoint-before.safetensors",)  # the one file that may differ: what was newest before the last save
MACHINE = re.compile(rb'<section class="machine">.*?</section>\n', re.DOTALL)
TEMPORARY = re.compile(r"\.tmp-[0-9a-f]{16}$")
KILLED = -9
choices = argparse.Namespace()


def training(epochs):
    """Run it beside the folder `run`: a history contains its command, so equal runs need equal commands."""
    toy = [f"--{part}-{side}={choices.toy}/{part}.{language}" for part in ("train", "valid")
           for side, language in (("source", "en"), ("target", "de"))]
    sizes = "--vocab-size 200 --d-model 16 --heads 2 --layers 1 --ffn 32 --batch-tokens 600 --warmup 10".split()
    return [choices.program, "train", *toy, *sizes, f"--epochs={epochs}", "--threads=1", "--output=run"]


def run(folder, epochs, fault=None, log=None, more=()):
    """(exit status, the standard error stream) of a training, on a disk that fails if a fault is given."""
    environment = dict(os.environ)
    if fault is not None:
        environment.update(LD_PRELOAD=choices.disk, GRADUS_DISK_FOLDER=str(folder), GRADUS_DISK_FAULT=fault,
                           GRADUS_DISK_LOG=str(log or os.devnull))
    done = subprocess.run([*training(epochs), *more], cwd=folder.parent, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stderr


def files(folder):
    """The bytes of each file that must be equal in equal runs: without the times and the machine."""
    found = {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.name not in PASSING}
    if "timing.json" in found:
        found["timing.json"] = b"there"
    if "report.html" in found:
        parts = MACHINE.split(found["report.html"])
        assert len(parts) == 2, "a report has one section on time and machine"
        found["report.html"] = b"".join(parts)
    return found


class Reference:
    """An undisturbed training: its files, its calls, and its duration."""

    def __init__(self, folder, epochs):
        self.folder, self.epochs = folder, epochs
        log = folder.parent / "calls"
        began = time.monotonic()
        status, errors = run(self.folder, epochs, fault="none", log=log)
        self.seconds = time.monotonic() - began
        assert status == 0, errors
        self.files = files(self.folder)
        self.calls = log.read_text().splitlines()


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="gradus-kill-")
        cls.path = Path(os.path.realpath(cls.place.name))
        cls.short = Reference(cls.folder(), 2)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @classmethod
    def folder(cls):
        return Path(tempfile.mkdtemp(dir=cls.path)) / "run"

    def expect_same_end(self, folder, reference):
        """Continues without a fault, and compares every file with those of the undisturbed run."""
        status, errors = run(folder, reference.epochs)
        self.assertEqual(status, 0, errors)
        found = files(folder)
        self.assertEqual(sorted(found), sorted(reference.files))
        for name, content in reference.files.items():
            self.assertTrue(found[name] == content, f"{name} differs from that of the undisturbed run")

    def expect_one_line(self, errors, about):
        complaints = [line for line in errors.splitlines() if line.startswith("gradus: ")]
        self.assertEqual(len(complaints), 1, errors)
        self.assertIn(about, complaints[0])
        self.assertTrue(errors.endswith(complaints[0] + "\n"), errors)

    def chosen_calls(self, *kinds):
        """(number, call) of the calls at which the disk fails: all, or a fixed random choice of those kinds."""
        calls = list(enumerate(self.short.calls, 1))
        if choices.calls == 0:
            return calls
        likely = [(number, call) for number, call in calls if call.startswith(kinds)]
        return sorted(random.Random(20).sample(likely, min(choices.calls, len(likely))))

    def test_killed_at_random_moments(self):
        reference = Reference(self.folder(), 40)
        draw = random.Random(20)
        kills, ends = 0, 0
        while kills < choices.kills:
            folder = self.folder()
            for _ in range(5):  # kills of one run at most
                process = subprocess.Popen(training(reference.epochs), cwd=folder.parent, stderr=subprocess.DEVNULL)
                time.sleep(draw.uniform(0, reference.seconds))
                process.kill()
                kills += process.wait() == KILLED
                if process.returncode != KILLED or kills == choices.kills:
                    break
            self.expect_same_end(folder, reference)
            ends += 1
        print(f"{kills} kills at random moments, {ends} runs", file=sys.stderr)

    def test_killed_at_the_calls_of_a_save(self):
        for number, call in self.chosen_calls("write", "rename"):
            with self.subTest(call=f"{number}: {call}"):
                folder = self.folder()
                status, errors = run(folder, self.short.epochs, f"kill {number}")
                self.assertEqual(status, KILLED, errors)
                self.expect_same_end(folder, self.short)

    def test_killed_while_the_ids_are_written(self):
        """Encoding begins anew then: the next start makes the whole file, and the run has the bits of one without it."""
        more = ["--ids=run/training.ids"]

        def begin(fault, log=None):
            folder = self.folder()
            folder.mkdir()
            return folder, run(folder, self.short.epochs, fault, log, more)

        log = self.folder().parent / "calls"
        whole, (status, errors) = begin("none", log)
        self.assertEqual(status, 0, errors)
        self.assertEqual(files(whole).pop("training.ids")[:8], b"gradusID")
        expected = {**self.short.files, "training.ids": files(whole)["training.ids"]}
        self.assertEqual(files(whole), expected)
        calls = [number for number, call in enumerate(log.read_text().splitlines(), 1) if "training.ids" in call]
        self.assertGreater(len(calls), 10)
        for fault, status in (("kill", KILLED), ("full", 1)):
            for number in calls if choices.calls == 0 else calls[1::4] + calls[-1:]:
                with self.subTest(call=f"{fault} {number}"):
                    folder, (ended, errors) = begin(f"{fault} {number}")
                    if fault == "full" and ended != 0:
                        self.expect_one_line(errors, "No space left on device")
                    self.assertEqual(ended, status, errors)
                    left = folder / "training.ids"
                    self.assertTrue(not left.exists() or left.read_bytes() == expected["training.ids"], "half a file")
                    status_again, errors = run(folder, self.short.epochs, more=more)
                    self.assertEqual(status_again, 0, errors)
                    self.assertEqual(files(folder), expected)

    def test_full_disk(self):
        for number, call in self.chosen_calls("write"):
            with self.subTest(call=f"{number}: {call}"):
                folder = self.folder()
                status, errors = run(folder, self.short.epochs, f"full {number}")
                if not any(later.startswith("write") for later in self.short.calls[number - 1:]):
                    self.assertEqual(status, 0, errors)  # nothing was written any more
                    continue
                self.assertEqual(status, 1, errors)
                self.expect_one_line(errors, "No space left on device")
                self.assertEqual([name for name in files(folder) if TEMPORARY.search(name)], [])
                self.expect_same_end(folder, self.short)

    def test_unwritable_folder(self):
        for number, call in self.chosen_calls("open", "rename", "mkdir"):
            with self.subTest(call=f"{number}: {call}"):
                folder = self.folder()
                status, errors = run(folder, self.short.epochs, f"locked {number}")
                refused = [later for later in self.short.calls[number - 1:] if later.startswith(("rename", "mkdir"))]
                if refused:
                    self.assertEqual(status, 1, errors)
                    self.expect_one_line(errors, "Permission denied")
                self.expect_same_end(folder, self.short)

    def test_full_disk_of_the_system(self):
        """A small file system in memory, if the system allows to mount one; else the library above is used."""
        room = sum(len(content) for content in self.short.files.values())
        for share in (0.3, 0.6, 0.9):
            folder = self.folder()
            disk, result = folder.parent / "disk", folder.parent / "result"
            disk.mkdir(), result.mkdir()
            command = shlex.join(training(self.short.epochs))
            script = (f"mount -t tmpfs -o size={int(share * room)} gradus {disk} && cd {disk} || exit 77\n"
                      f"{command} 2> {result}/errors; echo $? > {result}/status; ls run > {result}/left\n"
                      f"mount -o remount,size={9 * room} {disk}; {command} && cp -r run {folder}\n")
            for rights in ("--mount", "--map-root-user --mount"):
                status = subprocess.run(["unshare", *rights.split(), "sh", "-c", script], check=False,
                                        stderr=subprocess.DEVNULL).returncode
                if (result / "status").exists():
                    break
            else:
                self.skipTest("no small file system can be mounted here; test_full_disk stands for it")
            with self.subTest(share=share):
                self.assertEqual((result / "status").read_text().strip(), "1")
                self.expect_one_line((result / "errors").read_text(), "No space left on device")
                self.assertEqual([name for name in (result / "left").read_text().split() if TEMPORARY.search(name)], [])
                self.assertEqual(status, 0)
                self.expect_same_end(folder, self.short)

    def test_two_at_once(self):
        """A second training in one folder is refused, and does not disturb the first."""
        reference = Reference(self.folder(), 40)
        folder = self.folder()
        first = subprocess.Popen(training(reference.epochs), cwd=folder.parent, stderr=subprocess.DEVNULL)
        while not (folder / "checkpoint.safetensors").exists():
            time.sleep(0.001)
        status, errors = run(folder, reference.epochs)
        self.assertEqual(status, 1, errors)
        self.expect_one_line(errors, "another process")
        self.assertEqual(first.wait(), 0)
        self.expect_same_end(folder, reference)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "disk", "toy"):
        parser.add_argument(name)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--calls", type=int, default=10)
    rest = parser.parse_known_args(namespace=choices)[1]
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
