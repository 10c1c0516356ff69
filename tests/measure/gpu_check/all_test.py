#!/usr/bin/env python3
"""Tests that tests/measure/gpu_check/build names sources that exist, and that tests/measure/gpu_check/all and the four scripts in calls/ continue after a
part that fails or hangs, with stand-ins for gpu_check and for NVIDIA's programs."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ALL = Path(__file__).resolve().parent / "all"
# Of `time`, a file beside the program says how it ends: it has one row then.
STAND_IN = """#!/usr/bin/env bash
part() { echo '{"device": "a GPU", "date": "2026-01-02", "sources": {}, "'"$1"'": {'"${3-}"'}}' > "$2"; }
beside=$(dirname "$0")
case $1 in
  time)
    [[ $2 != --only ]] || { echo "the rows of $3"; exit; }
    part times "$2" '"step": {"step, exact": {"median_ms": 1}}'
    [[ ! -f $beside/time_hangs ]] || sleep 60
    [[ ! -f $beside/time_fails ]] || exit 3
    ;;
  step) part "judged step" "$2" ;;
  *fault) part kernels "$2" '"launches": "'"${CUDA_LAUNCH_BLOCKING-overlap}"'"'; echo "the launch of ${CUDA_LAUNCH_BLOCKING-nothing known}"; exit 3 ;;
  train) [[ -f $2 ]] || { echo "$2 cannot be read"; exit 2; }; part "training $5" "$7"; echo 4 5 > "$3" ;;
  *slow) sleep 60 ;;
  *) part "${4-kernels}" "$2" ;;
esac
"""

# Stand-ins for the programs of a machine with a GPU, and for one of Python that has PyTorch.
TOOLS = {
    "nvidia-smi": "#!/bin/sh\necho one GPU\n",
    "compute-sanitizer": '#!/bin/sh\nwhile [ "${1##*/}" != program ]; do shift; done; "$@"\n',
    "ncu": """#!/usr/bin/env bash
[[ $1 != --import ]] || exec cat "$2"
while [[ $# -gt 0 ]]; do
  case $1 in
    --kernel-name) kernel=$2; shift ;;
    --export) report=$2.ncu-rep; shift ;;
    */program) echo "details of $kernel in $("$@")" > "$report"; exit ;;
  esac
  shift
done
""",
    "python3": """#!/usr/bin/env bash
[[ $1 != -c ]] || exit 0
[[ $1 == *pytorch.py ]] || exec "$REAL_PYTHON" "$@"
echo '{"device": "a GPU", "date": "2026-01-02", "pytorch": {}}' > "$2"
"""}
CALLS = (("1_check", ["build", "judges", "step", "memcheck"], {"kernels", "judged step", "memcheck"}),
         ("2_times", ["build", "times", "train"], {"times", "training tf32"}),
         ("3_profile", ["build", "profile_loss", "profile_attention", "profile_blocks"], set()),
         ("4_peers", ["pytorch"], {"pytorch"}))
CALLED = sorted((ALL.parent / "calls").iterdir())


class Build(unittest.TestCase):
    def test_every_source_that_it_compiles_is_there(self):
        done = subprocess.run([ALL.with_name("build"), "--list"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        listed = done.stdout.splitlines()
        self.assertIn("chapters/11_translator/search/cuda/past_cuda.cu", listed)
        self.assertIn("lib/gradus/gpu/nvcc/runtime.cu", listed)


class Cublas(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name).resolve()
        self.nvcc = self.folder / "cuda" / "bin" / "nvcc"

    def place(self, *paths):
        for path in ("cuda/bin/nvcc", *paths):
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text("")

    def found(self, nvcc=None):
        done = subprocess.run([sys.executable, "-S", ALL.with_name("cublas.py"), nvcc or self.nvcc], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(self.folder / "python"), "PYTHONNOUSERSITE": "1"})
        return done.returncode, done.stdout.split(), done.stderr

    def expect(self, header, library, name, nvcc=None):
        library = self.folder / library
        self.assertEqual(self.found(nvcc), (0, [f"-I{self.folder / header}", f"-L{library}", f"-l:{name}", f"-l:{name.replace('cublas', 'cublasLt')}", "-Xlinker",
                                                "--disable-new-dtags", "-Xlinker", f"-rpath={library}"], ""))

    def test_the_toolkits_library_comes_first(self):
        self.place("cuda/lib64/libcublas.so", "cuda/lib64/libcublasLt.so", "cuda/lib64/libcublas.so.13", "cuda/include/cublas_v2.h",
                   "python/nvidia/cublas/lib/libcublas.so.12", "python/nvidia/cublas/include/cublas_v2.h")
        self.expect("cuda/include", "cuda/lib64", "libcublas.so")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "nvcc").symlink_to(self.nvcc)
        self.expect("cuda/include", "cuda/lib64", "libcublas.so", self.folder / "bin" / "nvcc")

    def test_a_library_of_a_target_and_without_its_plain_name(self):
        self.place("cuda/targets/x86_64-linux/lib/libcublas.so.9", "cuda/targets/x86_64-linux/lib/libcublas.so.13",
                   "cuda/targets/x86_64-linux/lib/libcublasLt.so.13", "cuda/targets/x86_64-linux/include/cublas_v2.h")
        self.expect("cuda/targets/x86_64-linux/include", "cuda/targets/x86_64-linux/lib", "libcublas.so.13")

    def test_pips_packages(self):
        for package in ("cublas", "cu13"):
            with self.subTest(package):
                self.place(f"python/nvidia/{package}/lib/libcublas.so.12", f"python/nvidia/{package}/lib/libcublasLt.so.12",
                           f"python/nvidia/{package}/include/cublas_v2.h")
                self.expect(f"python/nvidia/{package}/include", f"python/nvidia/{package}/lib", "libcublas.so.12")
                shutil.rmtree(self.folder / "python")

    def test_what_is_missing_is_said_in_one_line(self):
        header = "cuda/include/cublas_v2.h"
        for paths in ((), ("cuda/lib64/libcublas.so", "cuda/lib64/libcublasLt.so"), (header,), ("cuda/lib64/libcublas.so", header)):
            self.place(*paths)
            status, words, error = self.found()
            self.assertEqual((status, words, error.count("\n")), (1, [], 1))
            self.assertIn("there is no cuBLAS", error)
            shutil.rmtree(self.folder / "cuda")


class All(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.program = self.folder / "program"
        self.program.write_text(STAND_IN)
        self.program.chmod(0o755)
        (self.folder / "ids").write_text("")

    def run_all(self, *parts, script=ALL, **environment):
        done = subprocess.run([script, self.folder / "out", *parts], capture_output=True, text=True,
                              env={**os.environ, "GPU_CHECK": str(self.program), **environment})
        report = dict(line.split(",")[0].split(": ") for line in done.stdout.split("\n\n")[-1].splitlines())
        sections = json.loads((self.folder / "out" / "result.json").read_text()).keys() - {"device", "date", "sources"}
        return done.returncode, report, sections

    def test_all_parts_become_one_result(self):
        status, report, sections = self.run_all("judges", "times", "train", "train_exact", "train_bf16", IDS=str(self.folder / "ids"))
        self.assertEqual((status, set(report.values())), (0, {"done"}))
        self.assertEqual(sections, {"kernels", "times", "training tf32", "training exact", "training bf16"})
        self.assertEqual((self.folder / "out" / "translations.bf16.ids").read_text(), "4 5\n")
        _, _, sections = self.run_all("times")
        self.assertEqual(len(sections), 5)

    def test_a_part_that_fails_stops_no_other(self):
        status, report, sections = self.run_all("train", "nonsense", "times")
        self.assertEqual((status, sections), (1, {"times"}))
        failed = "failed with status 2"
        self.assertEqual(report, {"train": failed, "nonsense": failed, "times": "done", "join": "done"})

    def run_call(self, name, **environment):
        """A call, on a machine that has stand-ins for NVIDIA's programs and for PyTorch."""
        for tool, text in TOOLS.items():
            (self.folder / tool).write_text(text)
            (self.folder / tool).chmod(0o755)
        return self.run_all(script=ALL.parent / "calls" / name, IDS=str(self.folder / "ids"), PATH=f"{self.folder}:{os.environ['PATH']}",
                            REAL_PYTHON=sys.executable, **environment)

    def test_four_calls_leave_what_all_parts_leave(self):
        left = set()
        for call, parts, sections in CALLS:
            left |= sections
            status, report, found = self.run_call(call)
            self.assertEqual((status, list(report), found), (0, ["machine", *parts, "join"], left), call)
            self.assertEqual(set(report.values()) - {"not needed"}, {"done"}, call)
            log = (self.folder / "out" / f"log.{call}.txt").read_text()
            self.assertIn("one GPU", log)
        self.assertEqual({path.name for path in CALLED}, {call for call, _, _ in CALLS})
        for part, row, kernel in (("profile_loss", "output_loss rows", "row_kernel"), ("profile_blocks", "attention backward, blocks", "backward_kernel"),
                                  ("profile_attention", "attention backward, ", "backward_kernel")):
            self.assertEqual((self.folder / "out" / f"{part}.txt").read_text(), f"details of regex:^{kernel}$ in the rows of {row}\n")

    def test_a_call_says_what_it_is_for(self):
        for path in CALLED:
            for words in ([], ["a", "b"]):
                done = subprocess.run([path, *words], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith(f"Call {path.name[0]} of 4"), done.stderr)
                self.assertIn(f"tests/measure/gpu_check/calls/{path.name} FOLDER", done.stderr)

    def test_the_results_of_a_part_that_fails_stay_and_the_call_goes_on(self):
        (self.folder / "time_fails").write_text("")
        status, report, sections = self.run_call("2_times")
        self.assertEqual((status, sections), (1, {"times", "training tf32"}))
        self.assertEqual((report["times"], report["train"]), ("failed with status 3", "done"))
        result = json.loads((self.folder / "out" / "result.json").read_text())
        self.assertEqual(result["times"]["step"]["step, exact"]["median_ms"], 1)

    def test_the_results_of_a_call_that_is_killed_stay_and_the_next_call_joins_them(self):
        self.run_call("1_check")
        (self.folder / "time_hangs").write_text("")
        call = subprocess.Popen([ALL.parent / "calls" / "2_times", self.folder / "out"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**os.environ, "GPU_CHECK": str(self.program), "IDS": str(self.folder / "ids")}, start_new_session=True)
        row = self.folder / "out" / "parts" / "times.json"
        for _ in range(600):
            if row.exists() and row.read_text().endswith("}\n"):
                break
            time.sleep(0.1)
        os.killpg(call.pid, 9)
        call.communicate()
        self.assertEqual(json.loads(row.read_text())["times"]["step"], {"step, exact": {"median_ms": 1}})
        result = json.loads((self.folder / "out" / "result.json").read_text())
        self.assertEqual(result.keys() & {"kernels", "judged step"}, {"kernels", "judged step"})
        status, _, sections = self.run_call("4_peers")
        self.assertEqual((status, sections), (0, {"kernels", "judged step", "memcheck", "times", "pytorch"}))

    def test_a_call_on_a_machine_without_the_tools_says_so(self):
        absent = self.folder / "absent"  # this machine may have PyTorch
        absent.mkdir()
        (absent / "torch.py").write_text("raise ModuleNotFoundError\n")
        for call, parts, _ in CALLS:
            status, report, _ = self.run_all(script=ALL.parent / "calls" / call, IDS=str(self.folder / "ids"), PATH="/usr/bin:/bin",
                                             PYTHONPATH=str(absent))
            self.assertEqual((status, list(report)), (0, ["machine", *parts, "join"]))
            for part in report.keys() & {"machine", "profile_loss"}:
                self.assertIn(report[part], ("not installed", "done"))

    def test_the_program_is_built_once_for_each_architecture(self):
        cuda = self.folder / "cuda"
        for name in ("bin/nvcc", "lib64/libcublas.so", "lib64/libcublasLt.so", "include/cublas_v2.h"):
            (cuda / name).parent.mkdir(parents=True, exist_ok=True)
            (cuda / name).write_text("")
        (cuda / "bin" / "nvcc").write_text(f"""#!/usr/bin/env bash
while [[ $# -gt 1 && $1 != -o ]]; do shift; done
case ${{2-}} in *.o) : > "$2" ;; */gpu_check) cp {self.program} "$2" ;; esac
""")
        (cuda / "bin" / "nvcc").chmod(0o755)
        given = {"GPU_CHECK": "", "BUILD": str(self.folder / "built"), "PATH": f"{cuda}/bin:{os.environ['PATH']}", "CASES": "some"}
        for architecture, said in (("90", "done"), ("90", "not needed"), ("80", "done")):
            status, report, sections = self.run_all("build", "judges", ARCH=architecture, **given)
            self.assertEqual((status, report, sections), (0, {"build": said, "judges": "done", "join": "done"}, {"kernels"}))

    def test_a_call_that_is_cut_off_has_left_its_first_parts(self):
        done = subprocess.Popen([ALL, self.folder / "out", "times", "judges"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**os.environ, "GPU_CHECK": str(self.program), "CASES": "slow"}, start_new_session=True)
        result = self.folder / "out" / "result.json"
        for _ in range(300):
            if result.exists() and "times" in result.read_text():
                break
            time.sleep(0.1)
        os.killpg(done.pid, 9)
        done.communicate()
        self.assertIn("times", json.loads(result.read_text()))

    def test_the_judges_run_again_after_a_kernels_fault_to_name_it(self):
        status, report, _ = self.run_all("times", "judges", CASES="fault")
        self.assertEqual((status, report["judges"]), (1, "failed with status 3"))
        for name, launches in (("parts/judges", "overlap"), ("again.judges", "1")):  # the second run does not replace the first's result
            kept = json.loads((self.folder / "out" / f"{name}.json").read_text())
            self.assertEqual(kept["kernels"], {"launches": launches})
        log = (self.folder / "out" / "log.txt").read_text()
        self.assertEqual([line for line in log.splitlines() if line.startswith("the launch of")],
                         ["the launch of nothing known", "the launch of 1"])

    def test_a_checker_has_its_say_where_it_is_installed(self):
        checker = self.folder / "compute-sanitizer"
        for status, said, sections in ((0, "done", {"times", "memcheck"}), (9, "failed with status 9", {"times"})):
            checker.write_text('#!/bin/sh\nwhile [ "$1" != ' + str(self.program) + f' ]; do shift; done; "$@"; exit {status}\n')
            checker.chmod(0o755)
            found = self.run_all("times", "memcheck", PATH=f"{self.folder}:{os.environ['PATH']}")
            self.assertEqual((found[0], found[1]["memcheck"], found[2]), (int(status != 0), said, sections))
        if shutil.which("compute-sanitizer") is None and not Path("/usr/local/cuda/bin/compute-sanitizer").exists():
            status, report, _ = self.run_all("times", "memcheck")
            self.assertEqual((report["memcheck"], status), ("not installed", 0))

    def test_a_part_that_does_not_end_stops_no_other(self):
        ids = str(self.folder / "ids")
        status, report, sections = self.run_all("times", "judges", "train", CASES="slow", IDS=ids, LIMIT="8")
        self.assertEqual((status, sections), (1, {"times"}))
        self.assertEqual(list(report.values()), ["done", "no time left", "no time left", "done"])


if __name__ == "__main__":
    unittest.main()
