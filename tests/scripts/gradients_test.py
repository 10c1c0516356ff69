#!/usr/bin/env python3
"""Tests tests/scripts/gradients.py with artificial test binaries: what it prints, what it writes, when it fails."""
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "gradients.py"
LINEAR = {"component": "linear", "tensor": "w", "device": "Cuda<double>", "finite_difference": 2e-11,
          "finite_difference_bound": 1e-7, "h": 1e-4, "dual": 3e-16, "dual_bound": 1e-12}
MODEL = {**LINEAR, "component": "model", "device": "Cpu<double>", "finite_difference": None, "finite_difference_bound": None,
         "h": None, "dual_bound": 1e-10}
ZERO = {"component": "attention", "tensor": "bias", "device": "Cpu<double>", "largest": 4e-17, "bound": 1e-12}


class Gradients(unittest.TestCase):
    def run_script(self, *binaries):
        """(exit status, lines, rows written); a binary is (rows, zero rows, its exit status)."""
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number, (rows, zero, status) in enumerate(binaries):
                path = Path(folder) / f"test_{number}"
                report = json.dumps({"gradients": rows, "zero": zero})
                path.write_text(f"#!/bin/bash\n[[ $1 == '[gradients]' ]] || exit 9\n"
                                f"cat > \"$GRADUS_GRADIENTS\" <<'END'\n{report}\nEND\nexit {status}\n")
                path.chmod(0o755)
                paths.append(path)
            done = subprocess.run([SCRIPT, *paths], cwd=folder, capture_output=True, text=True)
            written = Path(folder) / "build" / "gradients.json"
            return done.returncode, done.stdout.split("\n"), json.loads(written.read_text()) if written.exists() else None

    def test_each_value_stands_beside_its_bound(self):
        status, lines, written = self.run_script(([LINEAR], [ZERO], 0), ([MODEL], [], 0))
        self.assertEqual(status, 0)
        self.assertEqual(lines[0].split(), "component tensor device finite difference bound h dual number bound".split())
        self.assertEqual(lines[1].split(), "linear w Cuda<double> 2.0e-11 1.0e-07 1.0e-04 3.0e-16 1.0e-12".split())
        self.assertEqual(lines[2].split(), "model w Cpu<double> - - - 3.0e-16 1.0e-10".split())
        self.assertIn("  attention bias on Cpu<double>: 4.0e-17, bound 1.0e-12", lines)
        self.assertEqual(written, [LINEAR, MODEL])

    def test_a_binary_that_fails_fails_the_whole(self):
        self.assertEqual(self.run_script(([LINEAR], [], 0), ([MODEL], [], 1))[0], 1)

    def test_no_row_at_all_is_a_failure(self):
        self.assertEqual(self.run_script(([], [], 0))[0], 1)


if __name__ == "__main__":
    unittest.main()
