#!/usr/bin/env python3
"""Tests tests/scripts/cuda.py with a stand-in for nvcc: what it reports, what it compiles again, and what it leaves out."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "cuda.py"
# Notes each compilation in `log`, and says what stands in the file's lines behind "// nvcc: ".
NVCC = """#!/usr/bin/env bash
case $1 in
  --list-gpu-arch) printf 'compute_%s\\n' ${KNOWN-75 80 86 87 89 90 100 120}; exit ;;
  --version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit ;;
esac
while [[ $1 != -c ]]; do [[ $1 != -gencode* ]] || architectures+=" ${1##*sm_}"; shift; done
echo "$(basename "$2")$architectures" >> "$LOG"
sed -n 's|^// nvcc: ||p' "$2" >&2
! grep -q '^// fails' "$2"
"""
SAID = """// nvcc: ptxas info    : Compiling entry function '_ZN6gradus11adam_kernelIfEEvPf' for 'sm_{}'
// nvcc: ptxas info    : Function properties for _ZN6gradus11adam_kernelIfEEvPf
// nvcc:     24 bytes stack frame, {} bytes spill stores, {} bytes spill loads
"""


class Cuda(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        (self.root / "nvcc").write_text(NVCC)
        (self.root / "nvcc").chmod(0o755)
        self.place("lib/a/one.cu", '#include "a/shared.hpp"\n')
        self.place("lib/a/shared.hpp", '#include "a/deep.hpp"\n')
        self.place("lib/a/deep.hpp", "")
        self.place("chapters/two.cu", "// a longer file\n" * 9)
        self.place("tests/measure/gpu_check/probe.cu", "")
        self.place("tests/other/not_ours.cu", "// fails\n")

    def place(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_script(self, *words, **environment):
        """(exit status, lines, what was compiled)."""
        log = self.root / "log"
        log.write_text("")
        given = {**os.environ, "NVCC": str(self.root / "nvcc"), "LOG": str(log), **environment}
        done = subprocess.run([sys.executable, SCRIPT, "--root", self.root, "--jobs", "1", *words], capture_output=True, text=True, env=given)
        return done.returncode, (done.stderr + done.stdout).splitlines(), [line.split() for line in log.read_text().splitlines()]

    def test_each_file_is_compiled_once_for_all_architectures_the_largest_first(self):
        status, lines, compiled = self.run_script()
        self.assertEqual((status, lines), (0, ["cuda: 3 of 3 files compile with CUDA 13.0 for 75, 80, 86, 87, 89, 90, 100, 120, without a "
                                               "warning or a spilled register"]))
        self.assertEqual([words[0] for words in compiled], ["two.cu", "one.cu", "probe.cu"])
        self.assertEqual(compiled[0][1:], "75 80 86 87 89 90 100 120".split())

    def test_what_has_not_changed_is_not_compiled_again(self):
        self.run_script()
        status, lines, compiled = self.run_script()
        self.assertEqual((status, lines[-1].split(" files")[0], compiled), (0, "cuda: 3 of 3", []))
        self.place("lib/a/deep.hpp", "int changed;\n")
        self.assertEqual([words[0] for words in self.run_script()[2]], ["one.cu"])
        self.assertEqual([words[0] for words in self.run_script(KNOWN="75 90")[2]], ["two.cu", "one.cu", "probe.cu"])
        self.assertEqual(self.run_script("gpu_check")[2], [["probe.cu", *"75 80 86 87 89 90 100 120".split()]])

    def test_a_spill_is_named_by_file_kernel_and_architecture_and_is_an_error_each_time(self):
        self.place("chapters/two.cu", SAID.format(80, 0, 0) + SAID.format(86, 32, 52) + SAID.format(89, 0, 4))
        for _ in range(2):
            status, lines, _ = self.run_script()
            self.assertEqual((status, lines[:2]),
                             (1, ["chapters/two.cu: gradus::adam_kernel<float> spills registers for 86: it stores 32 bytes and loads 52",
                                  "chapters/two.cu: gradus::adam_kernel<float> spills registers for 89: it stores 0 bytes and loads 4"]))
            self.assertTrue(lines[-1].startswith("cuda: 2 of 3 files"), lines)

    def test_a_warning_and_a_failure_are_errors(self):
        self.place("chapters/two.cu", "// nvcc: two.cu(3): warning #177-D: variable is never used\n" * 2)
        self.place("lib/a/one.cu", "// nvcc: killed\n// fails\n")
        status, lines, _ = self.run_script()
        self.assertEqual((status, lines[:2]), (1, ["chapters/two.cu: two.cu(3): warning #177-D: variable is never used",
                                                   "lib/a/one.cu: nvcc ended with status 1: killed"]))

    def test_what_cannot_be_compiled_here_is_said(self):
        status, lines, compiled = self.run_script(NVCC="", PATH="/usr/bin:/bin", CUDA_HOME="/nowhere")
        self.assertEqual((status, lines, compiled), (0, ["cuda: left out, because there is no nvcc"], []))
        status, lines, _ = self.run_script(KNOWN="70 75 80 86 87 89 90")
        self.assertEqual((status, lines[-1].split("; ")[1]), (0, "this CUDA has no 100, 120"))
        self.place("chapters/two.cu", "// nvcc: two.cu:3:10: fatal error: nccl.h: No such file or directory\n// fails\n")
        status, lines, _ = self.run_script()
        self.assertEqual((status, lines[0]), (0, "cuda: left out chapters/two.cu, because there is no nccl.h"))
        self.assertTrue(lines[-1].startswith("cuda: 2 of 2 files"), lines)


if __name__ == "__main__":
    unittest.main()
