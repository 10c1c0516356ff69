"""Compiles a student's file and links it with the objects of the chapter, without the chapter's own object of that file."""
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from task import ROOT, Trouble

CHECKS = ["-O1", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]
KEPT = ("-I", "-isystem", "-D", "-std", "-m", "-f", "/usr/include")


def build_folder(chapter):
    """build/release if it has the tests; else the folder of `make chapter`."""
    release = ROOT / "build" / "release" / "CMakeCache.txt"
    if chapter == "11" or (release.exists() and "GRADUS_TESTS:BOOL=ON" in release.read_text(encoding="utf-8")):
        return "release"
    return "chapters"


def built(number, targets):
    """The build folder, with these targets built. The first time it takes minutes, later nothing."""
    preset = build_folder(number)
    subprocess.run([ROOT / "scripts/packages", "chapter" if preset == "chapters" else "program", "test"], check=True, cwd=ROOT)
    build = ROOT / "build" / preset
    subprocess.run(["cmake", "--preset", preset, "-DGRADUS_TESTS=ON", "--log-level=WARNING"], check=True, cwd=ROOT,
                   stdout=subprocess.DEVNULL)
    if not all((build / "tests/exercises" / target).exists() for target in targets):
        print("Building the chapter and its judges: minutes the first time, seconds later.", flush=True)
    done = subprocess.run(["cmake", "--build", build, "--target", *targets], cwd=ROOT, text=True, capture_output=True)
    if done.returncode != 0:
        raise Trouble("The chapter itself does not build:\n" + done.stdout[-2000:] + done.stderr[-2000:])
    return build


def prepare(tasks):
    """The graders, what the students' processes link, and the meters of kernels."""
    targets = [f"{what}_{task.name}" for task in tasks for what in ("grade", "student")]
    targets += sorted({f"meter_{task.chapter}" for task in tasks if task.is_kernel})
    return built(max(task.number for task in tasks), targets)


class Workshop:
    """Where one student's file becomes a program."""

    def __init__(self, task, build, folder):
        self.task, self.build, self.folder = task, build, folder
        folder.mkdir(parents=True, exist_ok=True)
        lines = subprocess.run(["ninja", "-t", "commands", f"student_{task.name}"], cwd=build, capture_output=True, text=True,
                               check=True).stdout.splitlines()
        self.commands = [shlex.split(line) for line in lines if " -c " in line]
        self.link = shlex.split(lines[-1].split("&&")[1])

    def unit(self):
        """The command that compiles the chapter's object of the file; of a header, the one object that reads it."""
        wanted = f"{self.task.name}_student.cpp" if self.task.is_header else str(self.task.source)
        found = [words for words in self.commands if words[-1].endswith(wanted)]
        if self.task.is_kernel:  # the form that watches memory
            found = [words for words in found if "_address.dir" in words[words.index("-o") + 1]] or found
        return found[-1]

    def compile(self, file, is_quick=False):
        """The object, or the compiler's words. `is_quick`: without sanitizers, for proofs in a hurry."""
        words = self.unit()
        words = words[words[0].endswith("ccache"):]
        flags = [word for i, word in enumerate(words) if word.startswith(KEPT) and not word.startswith("-fsanitize")
                 or words[i - 1] == "-isystem"]
        undefined = "" if self.task.source.name.endswith("_reference.cpp") else ",undefined"  # minutes with xtensor
        checks = [*CHECKS, f"-fsanitize=address{undefined}", "-Wall", "-Wextra", "-fmax-errors=1", "-fdiagnostics-color=never"]
        if is_quick:
            checks = ["-O0", "-Wall", "-Wextra", "-fmax-errors=1", "-fdiagnostics-color=never"]
        out, text, before = self.folder / "student.o", file, []
        if self.task.is_header:  # the header of this name is the student's; it calls leaves and computes nothing itself
            checks[0] = "-O0"
            text = Path(words[-1])
            overlay = self.folder / "before" / self.task.source.relative_to(ROOT / "chapters")
            overlay.parent.mkdir(parents=True, exist_ok=True)
            overlay.write_text(f'#include "{file}"\n', encoding="utf-8")
            before = [f"-I{self.folder / 'before'}"]
        done = subprocess.run([words[0], *before, *flags, *checks, "-x", "c++", "-c", text, "-o", out], cwd=self.build,
                              env=dict(os.environ, LC_ALL="C"), capture_output=True, text=True, errors="replace")
        return (out, done.stderr) if done.returncode == 0 else (None, done.stderr)

    def without(self, archive, member):
        """A copy of a library without one object."""
        copy = self.folder / Path(archive).name
        shutil.copyfile(self.build / archive, copy)
        subprocess.run(["ar", "d", copy, member], check=True)
        return str(copy)

    def linked(self, student):
        """The student's process, or the linker's words."""
        words, link = self.unit(), []
        own = words[words.index("-o") + 1]
        for word in self.link:
            if word == own:
                continue  # the object that reads the student's header
            if word.endswith(".a") and not self.task.is_header and f"/lib{self.library(own)}.a" in f"/{word}":
                word = self.without(word, Path(own).name)
            link.append(word)
        at = link.index("-o")
        program = self.folder / "student"
        link[at + 1] = str(program)
        done = subprocess.run([*link[:at], str(student), *link[at:], "-fsanitize=address,undefined"], cwd=self.build,
                              env=dict(os.environ, LC_ALL="C"), capture_output=True, text=True, errors="replace")
        return (program, "") if done.returncode == 0 else (None, done.stderr)

    @staticmethod
    def library(unit):
        """chapter_05_layer_norm of .../CMakeFiles/chapter_05_layer_norm.dir/x.cpp.o"""
        return re.search(r"CMakeFiles/(\w+)\.dir/", unit)[1]

    def graded(self, program):
        """The grader's report on the student's process, and what the process printed."""
        log, report = self.folder / "output.txt", self.folder / "report.json"
        log.write_text("")
        environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:hard_rss_limit_mb=1500:allocator_may_return_null=0",
                           UBSAN_OPTIONS="print_stacktrace=0", OPENBLAS_NUM_THREADS="1")
        grader = self.build / "tests/exercises" / f"grade_{self.task.name}"
        done = subprocess.run([grader, program, log, report], capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise Trouble(f"The grader itself failed: {done.stderr.strip()[-500:]}")
        return json.loads(report.read_text(encoding="utf-8")), log.read_text(encoding="utf-8", errors="replace")


def grade(task, file, build, folder, is_quick=False, tell=lambda words: None):
    """All that is known about a student's file, as one report. `tell` gets a line before each step that takes seconds."""
    tell("compiling ...")
    shop = Workshop(task, build, folder)
    student, words = shop.compile(file, is_quick)
    if student is None:
        return {"compiles": False, "compiler": words, "passed": False}
    program, words = shop.linked(student)
    if program is None:
        return {"compiles": True, "links": False, "linker": words, "passed": False}
    tell("running the judges ...")
    report, output = shop.graded(program)
    return {"compiles": True, "links": True, **report, "output": output}
