#!/usr/bin/env python3
"""What a program of kernels says on a machine without NVIDIA's driver. Its runtime is compiled by nvcc, and runs here.

    missing_test.py     exit 77 without nvcc, and where there is a driver
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
MAIN = """#include <iostream>
#include "gradus/gpu/runtime.hpp"
int main() { std::cout << gradus::gpu::what_is_missing() << "\\n" << gradus::gpu::what_is_missing() << "\\n"; }
"""


class Missing(unittest.TestCase):
    def test_a_missing_driver_is_no_old_driver(self):
        with tempfile.TemporaryDirectory() as name:
            main, program = Path(name) / "main.cpp", Path(name) / "program"
            main.write_text(MAIN)
            subprocess.run([NVCC, "-std=c++17", "-arch=sm_90", "-Ilib", "-o", program, main, "lib/gradus/gpu/nvcc/runtime.cu"], cwd=ROOT, check=True)
            for variables in ({}, {"CUDA_VISIBLE_DEVICES": "3"}):
                said = subprocess.run([program], capture_output=True, text=True, env={**os.environ, **variables}, check=True).stdout
                self.assertEqual(said.splitlines(), 2 * ["no NVIDIA GPU: this machine has no NVIDIA driver"])


if __name__ == "__main__":
    if NVCC is None or Path("/proc/driver/nvidia/version").exists():
        print("there is no nvcc, or there is a driver")
        sys.exit(77)
    unittest.main()
