"""Mutants of the Python tools and of the page's JavaScript: tests/measure/mutation/mutants.py --scripts. Draws some for each file, and runs the tests
that judge it in a copy of the project. A file of which no quick test is listed here is not tried."""
import hashlib
import os
import shutil
import subprocess
import time
from pathlib import Path

from mutant_host import HostBench, covered, judge
from mutant_host_rules import drawn
from mutant_judges import ROOT
from mutant_results import Results, text_of
from mutant_script_rules import candidates

COUNT = 5  # for each file, unless --count asks for another number
# Beginning of a path, and the tests that judge it, the closest first; the first line that fits.
JUDGES = [
    ("exercises/meter", "tests/exercises/tools_test.py tests/exercises/grade_test.py tests/exercises/report_test.py"),
    ("exercises/compiled", "tests/exercises/tools_test.py tests/exercises/grade_test.py tests/exercises/report_test.py"),
    ("exercises/learn", "tests/exercises/learn_test.py"),
    ("exercises/deriv", "tests/exercises/tools_test.py tests/exercises/derive_test.py"),
    ("exercises/", "tests/exercises/tools_test.py tests/exercises/report_test.py tests/exercises/grade_test.py tests/exercises/texts_test.py"),
    ("tests/rooms/rooms", "tests/rooms/rooms_test.py"),
    ("tests/measure/bench/portuguese", "tests/measure/bench/portuguese_test.py"),
    ("tests/measure/bench/french", "tests/measure/bench/french_test.py"),
    ("tests/measure/bench/peers/", "tests/measure/bench/peers_test.py"),
    ("tests/measure/bench/tutorials/", "tests/measure/bench/tutorials_test.py"),
    ("tests/measure/bench/twins", "tests/measure/bench/twins_test.py"),
    ("tests/measure/bench/", "tests/measure/bench/runs_test.py"),
    ("tests/measure/traffic/", "tests/measure/bench/runs_test.py"),
    ("tests/measure/gpu_check/gpu_result", "tests/measure/gpu_check/gpu_result_test.py"),
    ("tests/scripts/gradients", "tests/scripts/gradients_test.py"),
    ("tests/scripts/kernels", "tests/scripts/kernels_test.py"),
    ("tests/measure/mutation/mutant_host", "tests/measure/mutation/mutant_host_test.py"),
    ("tests/measure/mutation/mutant_script", "tests/measure/mutation/mutant_script_test.py"),
    ("tests/measure/mutation/", "tests/measure/mutation/mutants_test.py"),
    ("docs/tools/claims", "tests/scripts/claims_test.py"),
    ("docs/tools/excerpts", "tests/scripts/excerpts_test.py"),
    ("docs/tools/figures", "tests/scripts/figures_test.py"),
    ("docs/tools/wording", "tests/scripts/figures_test.py tests/scripts/claims_test.py"),
    ("docs/tools/tables", "tests/scripts/tables_test.py"),
    ("docs/tools/lessons", "tests/scripts/lessons_test.py"),
    ("docs/tools/minutes", "tests/scripts/lessons_test.py"),
    ("docs/tools/markdown", "tests/scripts/lessons_test.py"),
    ("app/serve/page/", "tests/chapters/11_translator/page_test.mjs"),
    ("page/scripts/", "tests/page/live_test.mjs"),
    ("page/build", "tests/page/build_test.py"),
]
# Programs that need a peer, a network or another environment; their parts that do not are in the other files.
NOT_HERE = ("peers/train_pytorch.py", "peers/torch_model.py", "peers/measure.py", "peers/same_translations.py", "peers/empty_libraries.py")


def judges_of(name):
    return next((judges.split() for start, judges in JUDGES if name.startswith(start)), [])


def script_files(word):
    roots = sorted({start.rsplit("/", 1)[0] for start, _ in JUDGES})
    paths = sorted({path for root in roots for end in ("py", "mjs") for path in (ROOT / root).rglob(f"*.{end}")})
    names = (path.relative_to(ROOT).as_posix() for path in paths)
    return [name for name in names if word in name and judges_of(name) and not name.endswith(("_test.py", *NOT_HERE))]


def checksum(name):
    return hashlib.sha1(text_of(name).encode()).hexdigest()[:16]


def judges_now(name):
    """The fingerprint of the tests of a file."""
    return hashlib.sha1(b"".join((ROOT / judge).read_bytes() for judge in judges_of(name))).hexdigest()[:12]


class ScriptResults(Results):
    @staticmethod
    def key(mutant, form):
        return f"{mutant.name} {hashlib.sha1(mutant.applied().encode()).hexdigest()[:16]}{form}"


class Workshop:
    """A copy of the project, in which one file at a time is changed."""

    def __init__(self, folder):
        self.root, self.seconds = folder / "gradus", {}
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True,
                                check=True).stdout.decode().split("\0")
        for name in filter(None, listed):
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)

    def status(self, judge, most):
        """The exit status of a judge; None if it takes more than so many seconds."""
        words = ["node" if judge.endswith(".mjs") else "python3", judge]
        process = subprocess.Popen(words, cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True, env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1", TMPDIR=str(self.root.parent)))
        try:
            return process.wait(timeout=most)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()

    def usual_seconds(self, judge):
        """Of the unchanged project; None if the judge rejects it."""
        if judge not in self.seconds:
            began = time.monotonic()
            accepts = self.status(judge, 900) == 0
            self.seconds[judge] = time.monotonic() - began if accepts else None
            if not accepts:
                print(f"mutants: {judge} rejects what is unchanged, and is not asked", flush=True)
        return self.seconds[judge]

    def verdict(self, mutant):
        """The judge that rejects it; "" if none does."""
        judges = [(judge, self.usual_seconds(judge)) for judge in judges_of(mutant.name)]
        file = self.root / mutant.name
        before = file.read_text(encoding="utf-8")
        file.write_text(mutant.applied(), encoding="utf-8")
        try:
            for judge, seconds in judges:
                if seconds is not None and self.status(judge, 10 * seconds + 20) != 0:
                    return Path(judge).stem
            return ""
        finally:
            file.write_text(before, encoding="utf-8")

    def are_whole(self, name):
        return all(self.usual_seconds(judge) is not None for judge in judges_of(name))


def order(name, seed):
    return drawn(list(candidates(name, text_of(name))), seed)


class ScriptBench(HostBench):
    """One worker, with its own workshop."""
    make_judges, order = Workshop, staticmethod(order)


def main(options):
    options.count = options.count or COUNT
    names = [name for name in script_files(options.word) if order(name, options.seed)]
    return judge(names, options, "scripts", ScriptBench, ScriptResults(judges_now), lambda found, options, known: covered(found, options, known, checksum))
