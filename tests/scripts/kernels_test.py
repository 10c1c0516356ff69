#!/usr/bin/env python3
"""Tests tests/scripts/kernels.py with artificial binaries: how it joins rows, what it prints, and when it fails."""
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "kernels.py"


def row(kernel, judge, error, passed=True):
    return {"kernel": kernel, "judge": judge, "error": error, "passed": passed}


def binary(folder, name, rows, status=0, tests=("one",), ran=None):
    """An artificial test binary with these tests, which writes the rows and says how many tests ran; `ran` overrides that."""
    file = Path(folder) / name
    write = "" if rows is None else f"cat > $GRADUS_KERNELS <<'END'\n{json.dumps(rows)}\nEND\n"
    count = "$(wc -l < \"$2\")" if ran is None else ran
    file.write_text(f"""#!/bin/sh
if [ "$2" = --list-test-names-only ]; then cat <<'END'; exit {len(tests)}; fi
{chr(10).join(tests)}
END
cat "$2" >> {folder}/ran
{write}echo said by {name}
echo "All tests passed (3 assertions in {count} test cases)"
exit {status}
""")
    file.chmod(0o755)
    return file


class Kernels(unittest.TestCase):
    def run_script(self, *binaries):
        """(exit status, what was printed, rows) for binaries given as (rows, exit status)."""
        with tempfile.TemporaryDirectory() as folder:
            names = [binary(folder, f"test_{number}", rows, status) for number, (rows, status) in enumerate(binaries)]
            report = Path(folder) / "new" / "kernels.json"
            done = subprocess.run([SCRIPT, report, *names], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr, json.loads(report.read_text())

    def test_the_larger_error_of_a_kernel_before_a_judge_counts(self):
        status, said, rows = self.run_script(([row("linear", "parity", 1e-15), row("linear", "contract", 0)], 0),
                                             ([row("linear", "parity", 3e-15), row("dropout", "parity", 0)], 0))
        self.assertEqual(status, 0)
        self.assertEqual(rows, [row("linear", "parity", 3e-15), row("linear", "contract", 0), row("dropout", "parity", 0)])
        lines = [line.split() for line in said.split("\n")]
        self.assertIn(["kernel", "parity", "contract"], lines)
        self.assertIn(["linear", "3.0e-15", "0"], lines)
        self.assertIn(["dropout", "0", "-"], lines)

    def test_one_judge_that_rejects_is_a_failure(self):
        status, said, rows = self.run_script(([row("linear", "parity", 1e-3, False)], 0),
                                             ([row("linear", "parity", 1e-2)], 0))
        self.assertEqual((status, rows), (1, [row("linear", "parity", 1e-2, False)]))
        self.assertIn("1.0e-02!", said)

    def test_nan_is_the_largest_error(self):
        status, said, rows = self.run_script(([row("linear", "parity", None, False)], 1), ([row("linear", "parity", 1)], 0))
        self.assertEqual((status, rows), (1, [row("linear", "parity", None, False)]))
        self.assertIn("NaN!", said)

    def test_a_binary_that_fails_is_a_failure_and_is_heard(self):
        status, said, _ = self.run_script(([row("linear", "parity", 0)], 0), (None, 66))
        self.assertEqual(status, 1)
        self.assertIn("said by test_1", said)
        self.assertNotIn("said by test_0", said)

    def test_no_rows_at_all_is_a_failure(self):
        self.assertEqual(self.run_script((None, 0))[0], 1)

    def test_the_processes_of_a_binary_share_its_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            many = binary(folder, "test_many", [row("linear", "parity", 0)], tests=("a", "b, c", "d"))
            done = subprocess.run([SCRIPT, Path(folder) / "kernels.json", many], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted((Path(folder) / "ran").read_text().splitlines()), ["a", "b\\, c", "d"])

    def test_a_test_that_did_not_run_is_a_failure(self):
        for ran in (0, 2):
            with tempfile.TemporaryDirectory() as folder:
                other = binary(folder, "test_other", [row("linear", "parity", 0)], ran=ran)
                self.assertEqual(subprocess.run([SCRIPT, Path(folder) / "kernels.json", other], capture_output=True).returncode, 1)


if __name__ == "__main__":
    unittest.main()
