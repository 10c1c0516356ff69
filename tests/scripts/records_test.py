#!/usr/bin/env python3
"""Tests docs/tools/records.py in a small repository: which records are still true, and what the pages then say."""
import contextlib
import io
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "tools"))
import records
from markdown import COMMENT
from records import Record

PAGE = """# What is shown

| | what | shown by |
|---|---|---|
| ✔ | always | `make test`, `make check` |
| ✔ | by an old command | `make slow` |
| ○ | by two | `make test`, `make slow`, `make row` |
| ○ | by none | |
| ✔ | never recorded | `make never` |
"""
ROWS = "system         command       result     time          date         commit\n" \
       "Debian 13      row      {result}     2 min 1 s     2026-03-05   {commit}\n"
RECORDS = [Record("make slow", "slow.txt", ["slow"]), Record("make row", "rows.txt:Debian 13 row", ["row"]),
           Record("make never", "never.txt", ["slow"]), Record("make part", "all.json:part.inner", ["slow"])]


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("slow/code", "1")
        self.write("row/code", "1")
        self.write("docs/proofs.md", PAGE)
        self.write("README.md", "The translator runs on ?, and later versions.\n")
        self.git("init", "--quiet")
        self.first = self.commit()
        self.record("slow.txt", self.first)
        self.write("docs/records/rows.txt", ROWS.format(result="passed", commit=self.first))
        self.commit()
        patch = mock.patch.object(records, "RECORDS", RECORDS)
        patch.start()
        self.addCleanup(patch.stop)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def record(self, name, commit, result="passed"):
        self.write(f"docs/records/{name}", f"date    2026-03-04 10:11 UTC\ncommit  {commit}\nresult  {result}\n")

    def git(self, *words):
        run = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.root, check=True,
                             capture_output=True, text=True)
        return run.stdout.strip()

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a change")
        return self.git("rev-parse", "--short", "HEAD")

    def run_script(self, *words):
        """(what it said, the signs of the page)"""
        said = io.StringIO()
        with mock.patch.object(sys, "argv", ["records.py", *words]), contextlib.redirect_stderr(said):
            try:
                records.main(self.root)
            except SystemExit as end:
                said.write(str(end))
        lines = (self.root / "docs/proofs.md").read_text(encoding="utf-8").splitlines()[4:]
        return said.getvalue(), [line.split("|")[1].strip() for line in lines]

    def signs(self):
        return self.run_script("--write")[1]

    def test_a_record_is_true_while_its_files_stay(self):
        self.assertEqual(self.signs(), ["✔", "✔", "✔", "○", "○"])
        self.write("unrelated", "2")
        self.write("slow/page.md", "only text")
        self.commit()
        self.assertEqual(self.signs(), ["✔", "✔", "✔", "○", "○"])

    def test_a_changed_file_makes_it_old_and_the_oldest_record_is_named(self):
        self.write("slow/code", "2")  # not committed: what counts is what is there
        old = f"○ since 2026-03-04, {self.first}"
        self.assertEqual(self.signs(), ["✔", old, old, "○", "○"])
        self.write("slow/code", "1")
        self.write("row/code", "2")
        self.commit()
        self.assertEqual(self.signs(), ["✔", "✔", f"○ since 2026-03-05, {self.first}", "○", "○"])

    def test_of_two_old_records_the_oldest_is_named_and_what_is_only_read_makes_none_old(self):
        self.write("slow/code", "2")
        self.write("row/code", "2")
        self.assertEqual(self.signs()[2], f"○ since 2026-03-04, {self.first}")
        self.write("slow/code", "1")
        for name in ("slow/picture.svg", "docs/slow.txt"):
            self.write(name, "x")
        with mock.patch.object(records, "RECORDS", [RECORDS[0]._replace(files=["."]), *RECORDS[1:]]):
            self.write("row/code", "1")
            self.commit()
            self.assertEqual(self.signs()[1], "✔")

    def test_a_failed_record_shows_nothing(self):
        self.record("slow.txt", self.first, "failed")
        self.assertEqual(self.signs(), ["✔", "○", "○", "○", "○"])
        self.record("slow.txt", self.first)
        self.write("docs/records/rows.txt", ROWS.format(result="failed", commit=self.first))
        self.assertEqual(self.signs(), ["✔", "✔", "○", "○", "○"])

    def test_a_record_with_uncommitted_changes_or_of_an_unknown_commit_is_old(self):
        for commit in (self.first + " with uncommitted changes", "0123456"):
            self.record("slow.txt", commit)
            self.assertEqual(self.signs()[1], f"○ since 2026-03-04, {commit.split()[0]}")

    def test_a_part_of_a_json_file(self):
        self.write("docs/proofs.md", PAGE.replace("make slow", "make part"))
        self.write("docs/records/all.json", f'{{"part": {{"inner": {{"date": "2026-04-01", "commit": "{self.first}"}}}}}}')
        self.assertEqual(self.signs()[1], "✔")
        self.write("docs/records/all.json", f'{{"part": {{"inner": {{"date": "2026-04-01", "commit": "{self.first}+"}}}}}}')
        self.assertEqual(self.signs()[1], f"○ since 2026-04-01, {self.first}")
        self.write("docs/records/all.json", '{"part": {"inner": {"date": "2026-04-01"}}}')  # of no known commit
        self.assertEqual(self.signs()[1], "○")

    def test_without_write_it_names_the_lines(self):
        said, signs = self.run_script()
        self.assertIn("docs/proofs.md:7: should begin: | ✔ | by two", said)
        self.assertEqual(signs[2], "○")
        self.signs()
        self.assertEqual(self.run_script()[0], "")

    def test_a_command_without_a_record_is_an_error(self):
        self.write("docs/proofs.md", PAGE.replace("make never", "make unknown"))
        self.assertIn("`make unknown` runs neither in `make test` nor in `make check`", self.run_script()[0])

    def test_a_command_is_known_as_a_whole(self):
        self.write("docs/proofs.md", PAGE.replace("make never", "make slower"))
        self.assertIn("`make slower` runs neither", self.run_script()[0])

    def test_the_readme_names_the_systems(self):
        tried = [Record("tests/measure/bare/system --only demo trixie", "slow.txt", ["slow"]),
                 Record("tests/measure/bare/system --only test trixie", "rows.txt:Debian 13 row", ["row"]),
                 Record("tests/measure/bare/system --only demo noble", "never.txt", ["slow"])]
        with mock.patch.object(records, "RECORDS", tried):
            self.assertIn("on Debian 12 or Debian 13, and", self.readme())
            self.write("row/code", "2")
            self.assertIn(f"on Debian 12 or Debian 13 (tried on 2026-03-05, at {self.first}), and", self.readme())

    def test_a_row_of_the_readme_has_the_sign_of_its_system(self):
        tried = [Record("tests/measure/bare/system --only demo trixie", "slow.txt", ["slow"]),
                 Record("tests/measure/bare/system --only test trixie", "rows.txt:Debian 13 row", ["row"]),
                 Record("tests/measure/bare/system --only demo noble", "never.txt", ["slow"]),
                 Record("make slow", "slow.txt", ["slow"])]
        rows = ["| Debian 12 | g++ | `make demo`: CI | ✔ |", "| Debian 13 | g++ | `make demo` | ✔ |", f"| Debian 13 | g++ | `make test` | ○ since 2026-03-05, {self.first} |",
                "| Debian 13 | clang | `make slow` | ✔ |", "| Ubuntu 24.04 | g++ | `make demo` | ○ |", "| macOS | | nothing | not tried |"]
        self.write("row/code", "2")
        text = "The translator runs on ?, and later versions.\n" + "\n".join(re.sub("[✔○][^|]*", "? ", row) for row in rows)
        with mock.patch.object(records, "RECORDS", tried):
            self.assertEqual(records.renewed("README.md", text, self.root).split("\n")[1:], rows)

    def readme(self):
        return records.renewed("README.md", (self.root / "README.md").read_text(encoding="utf-8"), self.root)

    def test_a_readme_without_the_sentence_is_an_error(self):
        self.write("README.md", "The translator runs on Debian 12.\n")
        self.assertIn("README.md: expected one sentence", self.run_script()[0])

    def test_stamp_names_a_changed_tree(self):
        self.assertEqual(records.stamp(self.root)["commit"], self.git("rev-parse", "--short", "HEAD"))
        self.write("slow/code", "3")
        self.assertTrue(records.stamp(self.root)["commit"].endswith("+"))

    def test_without_history_it_says_so(self):
        with mock.patch.object(records, "history", lambda root: False):
            self.assertIn("without git's history", self.run_script()[0])


if __name__ == "__main__":
    unittest.main()
