"""Compiles a mutant, links it with the objects of build/release, and runs the judges that tests/measure/mutation/mutants.py selects."""
import hashlib
import os
import re
import resource
import shlex
import subprocess
import sys
from pathlib import Path

from mutant_verdict import who

ROOT = Path(__file__).resolve().parents[3]
BUILD, WORK = ROOT / "build" / "release", ROOT / "build" / "mutants"
# One thread for products: the race detector does not see how OpenBLAS's threads wait for each other.
QUICK = dict(os.environ, GRADUS_FIRST_REJECTION="1", OPENBLAS_NUM_THREADS="1", TSAN_OPTIONS="halt_on_error=1")
INCLUDE = re.compile(r"^#include .*$", re.M)


def run(command, **options):
    return subprocess.run(command, cwd=BUILD, capture_output=True, text=True, errors="replace", **options)


def files_read(includes, known=None):
    """The files of the project that #include lines name, directly or not."""
    known = set() if known is None else known
    for path in re.findall(r'"(.+?)"', "\n".join(includes)):
        file = next((ROOT / room / path for room in ("lib", "chapters", "app", "tests") if (ROOT / room / path).exists()), None)
        if file is not None and file not in known:
            known.add(file)
            files_read(INCLUDE.findall(file.read_text(encoding="utf-8")), known)
    return known


def header_before(source, name, compiler, flags):
    """Compiles the headers that no mutant changes once, for all mutants: they would take half of the time."""
    seen = [line for line in INCLUDE.findall(source.read_text(encoding="utf-8")) if ROOT / name not in files_read([line])]
    texts = [file.read_text(encoding="utf-8") for file in sorted(files_read(seen))]
    digest = hashlib.sha1("\n".join([*flags, *seen, *texts]).encode()).hexdigest()[:12]
    header = WORK / "headers" / digest / "before.hpp"
    if not Path(f"{header}.gch").exists():
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text("#pragma once\n" + "\n".join(seen) + "\n", encoding="utf-8")
        new = header.parent / f"{os.getpid()}"
        run([compiler, *flags, "-x", "c++-header", "-c", header, "-o", new], check=True)
        new.replace(f"{header}.gch")
    return header


def units_by_file(deps):
    """The units that read each file, from the output of `ninja -t deps`: "unit: #deps 2, ..." and a line for each file. A line
without files, "unit: deps not found", may stand before it."""
    units, unit = {}, ""
    for line in deps.splitlines():
        if not line.startswith(" "):
            unit = line.split(": ")[0]
        elif line.strip():
            units.setdefault((BUILD / line.strip()).resolve(), []).append(unit)
    return units


class Binary:
    """A `target` of build/release, which can be linked with changed objects."""

    def __init__(self, target, how="make kernels"):
        self.name = target
        lines = run(["ninja", "-t", "commands", target]).stdout.splitlines()
        if not lines:
            sys.exit(f"mutants: build/release does not know {target} ({how.split(' SANITIZE')[0]})")
        if "GRADUS_GROUPS:BOOL=ON" in (BUILD / "CMakeCache.txt").read_text(encoding="utf-8"):
            sys.exit("mutants: build/release compiles tests in groups (cmake --preset release -DGRADUS_GROUPS=OFF; then build again)")
        commands = [shlex.split(line) for line in lines if " -c " in line]
        self.units = {words[words.index("-o") + 1]: words[words[0].endswith("ccache"):] for words in commands}
        self.link = shlex.split(lines[-1].split("&&")[1])
        self.binary = BUILD / self.link[self.link.index("-o") + 1]
        if not self.binary.exists():
            sys.exit(f"mutants: {target} is not built ({how})")
        self.units_of = units_by_file(run(["ninja", "-t", "deps", *self.units]).stdout)


class Judge(Binary):
    """A test binary of kernels. `folder` is for one process."""

    def __init__(self, target, form, folder):
        super().__init__(target + form, f"make kernels{form.replace('_', ' SANITIZE=')}")
        self.folder, self.is_watched = folder, form != ""
        self.limit = 300 if form else int(2 * self.cpu_seconds()) + 2

    def cpu_seconds(self):
        """The seconds that the judges take without a change; they must pass then. Stored, because it can be long. The forms
with a sanitizer take minutes; `make check` tests that they pass."""
        def used():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime
        note = WORK / "seconds" / f"{self.name} {self.binary.stat().st_mtime_ns}"
        if not note.exists():
            before = used()
            if run([self.binary], env=QUICK).returncode != 0:
                sys.exit(f"mutants: {self.name} rejects what is unchanged")
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(str(used() - before), encoding="utf-8")
        return float(note.read_text(encoding="utf-8"))

    def compiled(self, unit, name):
        """The object with the file `name` from folder/changed; None if it does not compile."""
        compiler, *words = self.units[unit]
        source = Path(words[-1]).resolve()
        wanted = ("-I", "-D", "-f", "-m", "-std", "-g")
        flags = [word for word in words if word.startswith(wanted) and word != "-MD"] + ["-O1", "-w"]
        before = [f"-I{self.folder / 'changed' / room}" for room in ("lib", "chapters")]
        before += ["-include", header_before(source, name, compiler, flags)]
        out = self.folder / "objects" / self.name / Path(unit).name
        out.parent.mkdir(parents=True, exist_ok=True)
        text = self.folder / "changed" / name if source == ROOT / name else source
        done = run([compiler, *before, *flags, "-x", "c++", "-c", text, "-o", out])
        return str(out) if done.returncode == 0 else None

    def verdict(self, name):
        """The judge that rejects it with the file `name` from folder/changed; "" if none does."""
        objects = {unit: self.compiled(unit, name) for unit in self.units_of.get(ROOT / name, [])}
        if None in objects.values():
            return "compiler"
        link, binary = [word for word in self.link if word not in objects], str(self.folder / self.name)
        link[link.index("-o") + 1] = binary
        run([link[0], "-fuse-ld=lld", *objects.values(), *link[1:]], check=True)  # before the archives, so that these objects are used
        # The kernel alone is enough for a sanitizer; whole models and trainings would take minutes more.
        cases = ["~[whole]~[.]"] if self.is_watched else []
        report = self.folder / "report.xml"
        report.unlink(missing_ok=True)
        done = run([binary, "--abort", "--reporter", "xml", "--out", report, *cases], env=QUICK,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit)))
        return who(done.returncode, done.stdout + done.stderr, report)
