"""The judges of a file of lib/ or chapters/: each file of tests alone, linked with the objects of build/release and the
changed objects; or a script that runs the program. tests/measure/mutation/mutants.py calls them."""
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from mutant_judges import BUILD, ROOT, WORK, Binary, run
from mutant_mirrors import SCRIPTS, TESTS_11, scripts_of, targets_of

NO_JUDGES = ("twins_test", "toy_milestone_test")  # these test the judges; the last one takes long
MEMORY, DISK = 6 << 30, 4 << 30  # bytes: the most that a judged process may use, the least that it must leave free
MODULES = ("gradus_mpi",)
DATA = ("chapters/11_translator/toy", "chapters/11_translator/models", "tests/golden")


def data_as_it_is():
    """Size and time of the files that a wrong program could overwrite."""
    files = (file for folder in DATA for file in sorted((ROOT / folder).rglob("*")))
    return [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]


class Playground:
    """The place where judges run: their own folder, limits of time, memory and disk, and no child process that outlives them."""

    def __init__(self, folder):
        self.folder = folder / "run"

    def status(self, command, cpu_seconds, wall_seconds, **environment):
        """The status of the command: 0 for success, "time" if it took too much time or disk."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

        def limits():
            os.setsid()
            for what, most in ((resource.RLIMIT_CPU, cpu_seconds), (resource.RLIMIT_DATA, MEMORY),
                               (resource.RLIMIT_CORE, 0)):
                resource.setrlimit(what, (most, most))
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   stdin=subprocess.DEVNULL, preexec_fn=limits,
                                   env=dict(os.environ, TMPDIR=str(self.folder), **environment))
        end, status = time.monotonic() + wall_seconds, None
        while status is None:
            try:
                status = process.wait(timeout=max(0.01, min(1, end - time.monotonic())))
            except subprocess.TimeoutExpired:
                if time.monotonic() > end or shutil.disk_usage(self.folder).free < DISK:
                    status = "time"
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        return "time" if status in (-signal.SIGXCPU, -signal.SIGKILL) else status


class Change:
    """One mutant in folder/changed, and the objects that read it, each compiled once."""

    def __init__(self, folder, mutant):
        self.folder, self.name, self.objects = folder, mutant.name, {}
        self.programs = {}  # whether the program could be built from it
        self.text = folder / "changed" / mutant.name
        self.text.parent.mkdir(parents=True, exist_ok=True)
        self.text.write_text(mutant.applied(), encoding="utf-8")

    def compiled(self, unit, command):
        """The object of build/release, compiled again with the same flags; None if it does not compile."""
        if unit not in self.objects:
            compiler, *words = command
            source = Path(words[-1]).resolve()
            left = {"-MD", "-c", words[-1]} | {words[i + 1] for i, word in enumerate(words) if word in ("-MT", "-MF", "-o")}
            flags = [word for word in words if word not in left | {"-MT", "-MF", "-o"} and not word.startswith("-W")]
            flags += ["-w", "-D_GLIBCXX_ASSERTIONS"]  # bounds are checked as make check-asan checks them
            before = [f"-I{self.folder / 'changed' / room}" for room in ("lib", "chapters", "")]
            out = self.folder / "objects" / f"{len(self.objects)}.o"
            out.parent.mkdir(parents=True, exist_ok=True)
            text = self.text if source == ROOT / self.name else source
            done = run([compiler, *before, *flags, "-x", "c++", "-c", text, "-o", out])
            self.objects[unit] = str(out) if done.returncode == 0 else None
        return self.objects[unit]

    def forget(self):
        self.text.unlink()
        shutil.rmtree(self.folder / "objects", ignore_errors=True)


class Linked:
    """A binary with its linked units: of the units of tests only the selected ones."""

    def __init__(self, binary, folder, test=None):
        tests = [word for word in binary.link if word.endswith("_test.cpp.o") and word != test]
        self.binary, self.folder = binary, folder
        self.link = [word for word in binary.link if word not in tests]
        self.units = None

    def linked(self, out, objects=(), *more):
        link = [word for word in self.link if word not in objects]
        link[link.index("-o") + 1] = str(out)
        return run([link[0], "-fuse-ld=lld", *more, *objects.values(), *link[1:]] if objects else [*link, "-fuse-ld=lld", *more])

    def reading(self, name):
        """Its units that read the file `name`."""
        if self.units is None:
            said = self.linked(self.folder / "traced", {}, "-Wl,--trace").stdout.splitlines()
            seen = {line.strip() for line in said}
            members = {(line.split("(")[0].split("/lib")[-1][:-2] + ".dir", line.split("(")[1][:-1])
                       for line in seen if line.endswith(")")}
            self.units = [unit for unit in self.binary.units
                          if unit in seen or any(f"/{made}/" in unit and unit.endswith("/" + object_name)
                                                 for made, object_name in members)]
        return [unit for unit in self.binary.units_of.get(ROOT / name, []) if unit in self.units]

    def made(self, change, out):
        """False if it does not compile; None if no unit of it reads the file."""
        units = self.reading(change.name)
        objects = {}
        for unit in units:
            objects[unit] = change.compiled(unit, self.binary.units[unit])
            if objects[unit] is None:
                return False
        if not units:
            return None
        done = self.linked(out, objects)
        return done.returncode == 0


class Program(Linked):
    """The program, and beside it the modules that it loads."""

    def __init__(self, binary, folder, modules):
        super().__init__(binary, folder)
        self.modules = [Linked(module, folder) for module in modules]

    def made(self, change, out):
        parts = {out: self, **{out.with_name(module.binary.binary.name): module for module in self.modules}}
        made = []
        for place, part in parts.items():
            place.unlink(missing_ok=True)
            made.append(Linked.made(part, change, place))
            if made[-1] is None:
                os.link(part.binary.binary.resolve(), place)
        return None if set(made) == {None} else False not in made


class Test:
    """One file of tests, or one script, which rejects a change or accepts it."""

    def __init__(self, name, playground, command, tests, program):
        self.name, self.playground, self.tests, self.program = name, playground, tests, program
        self.command = command  # of the unchanged code

    def cpu_seconds(self):
        """The seconds that it takes without a change, stored because it can be long; None if it fails then."""
        newest = max(BUILD.joinpath(word).stat().st_mtime_ns for word in [self.command[0], BUILD / "gradus"])
        note = WORK / "seconds" / f"{self.name.replace('/', ' ')} {newest}"
        if not note.exists():
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            if self.playground.status(self.command, 600, 1800) != 0:
                print(f"mutants: {self.name} rejects what is unchanged, and is not asked", flush=True)
                return None
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            note.parent.mkdir(parents=True, exist_ok=True)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            note.write_text(f"{max(used, (time.monotonic() - began) / 4):.2f}", encoding="utf-8")
        return float(note.read_text(encoding="utf-8"))

    def verdict(self, change, seconds):
        """Its name if it rejects the change, "" if it accepts it, "compiler" if the change does not compile."""
        made, program = change.folder / "judge", change.folder / "gradus"
        is_made = self.tests.made(change, made) if self.tests else None
        if self.program and is_made is not False and program not in change.programs:
            change.programs[program] = self.program.made(change, program)
        is_program = change.programs.get(program) if self.program else None
        if False in (is_made, is_program):
            return "compiler"
        if is_made is None and is_program is None:
            return ""
        command = [str(made), "--abort"] if is_made else list(self.command)
        environment = {"GRADUS_PROGRAM": str(program)} if is_program else {}
        if is_program and not self.tests:
            command = [str(program) if word == str(BUILD / "gradus") else word for word in command]
        for _ in range(2):  # twice, because a slow machine must not count as a rejection
            status = self.playground.status(command, int(4 * seconds) + 5, int(30 * seconds) + 60, **environment)
            if status == 0:
                return ""
            if not is_program and status != "time":
                break
        return self.name


def stem(name):
    """The part that the names of a file and its tests have in common."""
    base = Path(name).stem
    for end in ("_test", "_cpu", "_reference", "_command", "_host"):
        base = base.removesuffix(end)
    return base


class HostJudges:
    """All tests of a file, the closest and cheapest first."""

    def __init__(self, folder):
        self.folder, self.binaries, self.tests, self.playground = folder, {}, {}, Playground(folder)
        self.seconds = {}  # by test
        self.data = data_as_it_is()

    def binary(self, target):
        if target not in self.binaries:
            build = f"cmake --build build/release --target {target}"
            binary = self.binaries[target] = Binary(target, build)
            newer = [file for file in binary.units_of if ROOT in file.parents and file.exists()
                     and file.stat().st_mtime > binary.binary.stat().st_mtime]
            if newer:
                sys.exit(f"mutants: {newer[0]} is newer than {target} ({build})")
        return self.binaries[target]

    def program(self):
        if "gradus" not in self.tests:
            modules = [self.binary(name) for name in MODULES if (BUILD / f"{name}.so").exists()]
            self.tests["gradus"] = [Program(self.binary("gradus"), self.folder, modules)]
        return self.tests["gradus"][0]

    def of_target(self, target):
        if target not in self.tests:
            binary = self.binary(target)
            running = binary.units_of.get(ROOT / TESTS_11 / "program.hpp", [])
            units = [word for word in binary.link if word.endswith("_test.cpp.o")]
            self.tests[target] = [
                Test(f"{target}/{name}", self.playground, [str(binary.binary), "-#", f"[#{name}]"],
                     Linked(binary, self.folder, unit), self.program() if unit in running else None)
                for unit in units if (name := Path(unit).name[:-len(".cpp.o")]) not in NO_JUDGES]
        return self.tests[target]

    def script(self, name):
        if name not in self.tests:
            words = [word.format(program=BUILD / "gradus") for word in SCRIPTS[name]]
            command = [sys.executable, str(ROOT / TESTS_11 / f"{name}.py"), *(str(ROOT / word) for word in words)]
            self.tests[name] = [Test(name, self.playground, command, None, self.program())]
        return self.tests[name]

    def able(self, tests):
        """The tests that pass without a change, sorted by the seconds that they take."""
        for test in tests:
            if test not in self.seconds:
                self.seconds[test] = test.cpu_seconds()
        return sorted((test for test in tests if self.seconds[test] is not None), key=self.seconds.get)

    def are_whole(self, name):
        """Whether all tests of a file ran, so that a mutant that passed them is a survivor."""
        targets = targets_of(name) + scripts_of(name)
        return all(self.seconds[test] is not None for target in targets for test in self.tests[target])

    def of(self, name):
        """Tests with the file's name, then those of the closest binary, the cheap ones first."""
        tests = [test for target in targets_of(name) for test in self.able(self.of_target(target))]
        tests.sort(key=lambda test: stem(test.name) != stem(name))
        return tests + [test for script in scripts_of(name) for test in self.able(self.script(script))]

    def verdict(self, mutant):
        """The test that rejects it; "" if none does; "compiler" if it does not compile."""
        change = Change(self.folder, mutant)
        try:
            for test in self.of(mutant.name):
                by = test.verdict(change, self.seconds[test])
                if by:
                    return by
        finally:
            change.forget()
            if data_as_it_is() != self.data:
                sys.exit(f"mutants: {mutant.name}:{mutant.line} ({mutant.rule}) wrote over data; git restores it")
        return ""
