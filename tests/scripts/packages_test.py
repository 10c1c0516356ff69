#!/usr/bin/env python3
"""Tests scripts/packages with an artificial apt: when it prints nothing, when it asks, when it stops."""
import os
import pty
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "packages"
TOOLS = "bash env awk touch".split()
APT = """#!/bin/bash
[[ $1 == update ]] && { echo "update" >> "$LOG"; touch "$LISTS"; exit; }
[[ " $* " == *" --print-uris "* ]] && { [[ -e $LISTS ]] || exit 100; echo "'http://x' a.deb 3400000 SHA"; exit; }
echo "$*" >> "$LOG"
"""


class Packages(unittest.TestCase):
    def run_script(self, sets=("test",), installed=(), commands=(), user=0, lists=True, answer=None, ci=False):
        """(exit status, what was printed, what apt was asked to do); an answer means that there is a terminal."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            scripts = {"apt-get": APT, "sudo": '#!/bin/bash\necho "sudo" >> "$LOG"; exec "$@"\n',
                       "id": f"#!/bin/bash\necho {user}\n", **{name: "#!/bin/bash\n" for name in commands},
                       "dpkg-query": '#!/bin/bash\n[[ " $INSTALLED " == *" ${!#} "* ]] && echo -n installed\n'}
            for name in TOOLS:
                (path / name).symlink_to(Path("/usr/bin") / name)
            for name, text in scripts.items():
                (path / name).write_text(text)
                (path / name).chmod(0o755)
            log, known = path / "log", path / "lists"
            if lists:
                known.touch()
            env = {"PATH": folder, "LOG": str(log), "LISTS": str(known), "INSTALLED": " ".join(installed)}
            if ci:
                env["CI"] = "true"
            keyboard, terminal = pty.openpty()
            if answer is not None:
                os.write(keyboard, f"{answer}\n".encode())
            done = subprocess.run([SCRIPT, *sets], env=env, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL if answer is None else terminal)
            os.close(keyboard)
            os.close(terminal)
            return done.returncode, done.stdout + done.stderr, log.read_text() if log.exists() else ""

    def test_nothing_is_said_or_asked_where_everything_is_there(self):
        self.assertEqual(self.run_script(installed=["catch2", "python3"]), (0, "", ""))
        self.assertEqual(self.run_script(installed=["catch2"], commands=["python3"]), (0, "", ""))

    def test_root_without_a_terminal_gets_what_is_missing_and_no_more(self):
        status, said, done = self.run_script(installed=["python3"])
        self.assertEqual(status, 0)
        self.assertEqual(done, "install --yes --no-install-recommends catch2\n")
        self.assertIn("3 MB", said)
        self.assertIn("apt-get install --yes --no-install-recommends catch2", said)

    def test_a_person_is_asked(self):
        self.assertEqual(self.run_script(answer="y")[0], 0)
        status, said, done = self.run_script(answer="n")
        self.assertEqual((status, done), (1, ""))
        self.assertIn("Nothing was installed", said)

    def test_neither_root_nor_terminal_stops_with_the_line(self):
        status, said, done = self.run_script(user=1000)
        self.assertEqual((status, done), (1, ""))
        self.assertIn("sudo apt-get install", said)

    def test_another_user_goes_through_sudo(self):
        self.assertIn("sudo\ninstall", self.run_script(user=1000, answer="y")[2])
        self.assertIn("sudo\ninstall", self.run_script(user=1000, ci=True)[2])

    def test_apt_without_lists_fetches_them_first(self):
        status, _, done = self.run_script(lists=False)
        self.assertEqual((status, done.split("\n")[0]), (0, "update"))
        self.assertEqual(self.run_script(lists=False, answer="n")[2], "")

    def test_a_package_of_two_sets_is_named_once(self):
        self.assertEqual(self.run_script(sets=("test", "docs"))[2].split().count("python3"), 1)

    def test_names_are_printed_and_nothing_is_checked(self):
        self.assertEqual(self.run_script(sets=("--names", "test")), (0, "catch2\npython3\n", ""))


if __name__ == "__main__":
    unittest.main()
