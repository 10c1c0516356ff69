#!/usr/bin/env python3
"""Tests scripts/python_environment with an artificial Python: when it prints nothing, when it asks, when it stops, what it installs."""
import os
import pty
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "python_environment"
TOOLS = "bash env basename cat chmod cmp cp dirname fold grep mkdir paste sed".split()
PYTHON = """#!/bin/bash
[[ $1 == -c ]] && exit
mkdir -p "$3/bin"
echo 'echo "${@: -1}" >> "$LOG"' > "$3/bin/python"
chmod +x "$3/bin/python"
"""


class PythonEnvironment(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.commands, self.made, self.log = self.root / "commands", self.root / "made", self.root / "log"
        self.commands.mkdir()
        for name in TOOLS:
            (self.commands / name).symlink_to(Path("/usr/bin") / name)
        self.command("python3", PYTHON)
        self.lists = [self.root / "one.txt", self.root / "two.txt"]
        self.lists[0].write_text("# The first list. 3 MB.\na==1\nb==2\n")
        self.lists[1].write_text("c==3\n")

    def command(self, name, text):
        (self.commands / name).write_text(text)
        (self.commands / name).chmod(0o755)

    def run_script(self, user=0, answer=None, ci=False):
        """(exit status, what was printed, the lists that were installed); an answer means that there is a terminal."""
        self.command("id", f"#!/bin/bash\necho {user}\n")
        self.log.write_text("")
        env = {"PATH": str(self.commands), "LOG": str(self.log), **({"CI": "true"} if ci else {})}
        keyboard, terminal = pty.openpty()
        if answer is not None:
            os.write(keyboard, f"{answer}\n".encode())
        done = subprocess.run([SCRIPT, self.made, *self.lists], env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL if answer is None else terminal)
        os.close(keyboard)
        os.close(terminal)
        return done.returncode, done.stdout + done.stderr, [Path(line).name for line in self.log.read_text().split()]

    def test_what_is_missing_is_named_and_installed_once(self):
        said = f"Missing Python packages, from PyPI into {self.made}:\n  a==1 b==2 c==3\n  The first list. 3 MB.\n"
        self.assertEqual(self.run_script(), (0, said, ["one.txt", "two.txt"]))
        self.assertEqual(self.run_script(), (0, "", []))
        self.lists[1].write_text("c==4\n")
        self.assertEqual(self.run_script()[2], ["two.txt"])

    def test_a_person_is_asked(self):
        status, said, done = self.run_script(answer="n")
        self.assertEqual((status, done), (1, []))
        self.assertIn("Nothing was installed", said)
        self.assertEqual(self.run_script(user=1000, answer="y")[2], ["one.txt", "two.txt"])

    def test_neither_root_nor_terminal_stops_but_for_ci(self):
        status, said, done = self.run_script(user=1000)
        self.assertEqual((status, done), (1, []))
        self.assertIn("no terminal to ask", said)
        self.assertEqual(self.run_script(user=1000, answer="n", ci=True)[2], ["one.txt", "two.txt"])


if __name__ == "__main__":
    unittest.main()
