#!/usr/bin/env python3
"""Tests each plain.cpp by itself, as a beginner gets it: it compiles without a warning, runs, is short, and prints its lesson's numbers.

That it computes what the library computes, to the last digits, is tested in tests/chapters/NN_.../plain_test.cpp.
"""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(ROOT.glob("chapters/[0-9][0-9]_*/plain.cpp"))
WHOLE = sorted(ROOT.glob("chapters/plain/*.cpp"))  # what they print is tested in tests/chapters/plain
BESIDE = {ROOT / "chapters/11_translator/data/plain.cpp": "merge-loop.md"}  # the page beside it shows its whole output
COMPILERS = list({os.path.realpath(shutil.which(name)): name for name in ("clang++", os.environ.get("CXX", "g++")) if shutil.which(name)}.values())
WARNINGS = "-std=c++17 -O0 -D_GLIBCXX_ASSERTIONS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Werror".split()
# Lines that a file may have: 80 in the first chapters, more where the lesson's numbers and parameters are more.
LONGEST = {"00": 80, "01": 80, "02": 80, "03": 80, "04": 80, "05": 80, "06": 80}
LONGEST_LATER, LONGEST_WHOLE, LONGEST_BESIDE = 150, 800, 120
WIDEST, WIDEST_OUTPUT = 96, 80
FIRST_WORDS = 500  # of a lesson, in which it shows its plain.cpp
# What `./plain` prints and the lesson shows too, row by row.
IN_LESSON = {"00": "x w b y dy dx dw db", "01": "table dy dtable", "02": "positions x y", "03": "p p_masked",
             "05": "x gamma beta mean rstd y dy dx dgamma dbeta", "06": "x z h y dy dx db1 db2",
             "07": "x", "08": "memory n1 self_p0 cross_p0 cross_p1", "09": "x", "10": "dx table_m table_after_step_1",
             "12": "x u a c h dh du da dfirst dx dbf"}
NUMBER = r"-?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|inf|nan)"


def label(file):
    return file.relative_to(ROOT).as_posix()


def chapter(file):
    return file.parent.name[:2]


def limit(file):
    if file in BESIDE:
        return LONGEST_BESIDE
    return LONGEST_WHOLE if file in WHOLE else LONGEST.get(chapter(file), LONGEST_LATER)


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def rows_of(folder):
    """The rows of numbers in the text blocks of a chapter's pages, without their words."""
    rows, pages = set(), "".join(page.read_text(encoding="utf-8") for page in folder.glob("*.md"))
    for block in re.findall(r"^```text\n(.*?)^```", pages, re.M | re.S):
        for line in block.split("\n"):
            numbers = re.fullmatch(rf" +(?:[^\s\d-]\S* +)?((?:{NUMBER} *)+)", line)
            if numbers:
                words = tuple(float(word) for word in numbers[1].split())
                rows |= {words, words[1:]}  # the first may be a label, such as a position
    return rows


def tables_of(output):
    """What `./plain` prints: {name: rows}."""
    tables, name = {}, None
    for line in output.split("\n"):
        heading = re.fullmatch(r"(\w+)(?: \(.*\))?", line)
        name = heading[1] if heading else name
        if name and re.fullmatch(rf"(?: *{NUMBER})+", line):
            tables.setdefault(name, []).append(tuple(float(word) for word in line.split()))
    return tables


class Plain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Compiles every file with every compiler, on all cores."""
        cls.folder = tempfile.TemporaryDirectory()
        cls.programs = {(file, compiler): Path(cls.folder.name) / f"{at}-{Path(compiler).name}"
                        for at, file in enumerate([*FILES, *WHOLE, *BESIDE]) for compiler in COMPILERS}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            commands = [[compiler, *WARNINGS, file, "-o", program] for (file, compiler), program in cls.programs.items()]
            cls.compiled = dict(zip(cls.programs, pool.map(run, commands)))
            # As the lessons say, without an option: clang 14 then takes C++14.
            cls.plainly = dict(zip(cls.programs, pool.map(run, [[compiler, "-fsyntax-only", file] for file, compiler in cls.programs])))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def for_each_program(self, test):
        for (file, compiler), program in ((key, program) for key, program in self.programs.items() if key[0] in FILES):
            with self.subTest(file=label(file), compiler=compiler):
                self.assertTrue(program.exists(), "was not compiled")
                test(file, program)

    def test_there_is_one_in_each_chapter(self):
        self.assertEqual([f"{number:02}" for number in range(13)], [chapter(file) for file in FILES])
        self.assertTrue(COMPILERS)

    def test_files_are_short(self):
        for file in [*FILES, *WHOLE, *BESIDE]:
            lines = file.read_text(encoding="utf-8").split("\n")[:-1]
            with self.subTest(file=label(file)):
                self.assertLessEqual(len(lines), limit(file), "lines")
                self.assertLessEqual(max(map(len, lines)), WIDEST, "columns")

    def test_compilers_have_nothing_to_say(self):
        for (file, compiler), done in [*self.compiled.items(), *self.plainly.items()]:
            with self.subTest(file=label(file), compiler=compiler):
                self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_without_arguments_numbers_for_people(self):
        def test(_, program):
            done = run([program])
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertRegex(done.stdout, r"\d\.\d\d")
            self.assertLessEqual(max(map(len, done.stdout.split("\n"))), WIDEST_OUTPUT)

        self.for_each_program(test)

    def test_all_prints_every_digit(self):
        def test(_, program):
            done = run([program, "all"])
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            if re.search(r"\d\.(?!00\b)\d\d\b", run([program]).stdout):  # chapter 00 has whole numbers alone
                self.assertRegex(re.sub(r"^difference .*", "", done.stdout, flags=re.M), r"\d\.\d{12}")
            for line in done.stdout.splitlines():
                self.assertRegex(line, rf"^[A-Za-z]\w*( {NUMBER})+$")

        self.for_each_program(test)

    def test_other_arguments_are_refused(self):
        def test(_, program):
            for arguments in (["al"], ["all", "all"], [""]):
                done = run([program, *arguments])
                self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
                self.assertRegex(done.stderr, r"^usage: .*\n$")

        self.for_each_program(test)

    def test_the_lesson_shows_the_same_numbers(self):
        def test(file, program):
            names = IN_LESSON.get(chapter(file), "").split()
            shown, tables = rows_of(file.parent) if names else set(), tables_of(run([program]).stdout)
            for name in names:
                self.assertTrue(tables.get(name), f"prints no {name}")
                for row in tables[name]:
                    self.assertIn(row, shown, f"a row of {name} that the lesson does not show")

        self.for_each_program(test)

    def test_the_lesson_begins_with_it(self):
        """The forward pass, and the two lines that compile and run it, which are tried as they stand there."""
        for file in FILES:
            with self.subTest(file=label(file)), tempfile.TemporaryDirectory() as folder:
                page = (file.parent / "README.md").read_text(encoding="utf-8")
                begin = page.find("<!-- code: plain.cpp ")
                self.assertTrue(0 <= begin, "no excerpt of plain.cpp")
                self.assertLessEqual(len(page[:begin].split()), FIRST_WORDS, "words before it")
                commands = re.search(r"^```sh\n(g\+\+ \S*plain\.cpp -o plain\n\./plain)\n```", page[begin:], re.M)
                self.assertTrue(commands, "no commands")
                self.assertIn(label(file), commands[1])
                os.symlink(ROOT / "chapters", Path(folder) / "chapters")
                done = run(["bash", "-e", "-c", commands[1]], cwd=folder)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_page_beside_it_shows_all_that_it_prints(self):
        for (file, compiler), program in self.programs.items():
            if file in BESIDE:
                with self.subTest(file=label(file), compiler=compiler):
                    done = run([program])
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertIn(f"```text\n{done.stdout}```\n", (file.parent / BESIDE[file]).read_text(encoding="utf-8"))

    def test_its_check_notices_a_wrong_sign(self):
        file = FILES[0]
        text = file.read_text(encoding="utf-8")
        self.assertEqual(text.count("dw[i][j] += "), 1)
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(folder) / "plain.cpp"
            broken.write_text(text.replace("dw[i][j] += ", "dw[i][j] -= "))
            self.assertEqual(run([COMPILERS[0], *WARNINGS, broken, "-o", Path(folder) / "plain"]).returncode, 0)
            self.assertEqual(run([Path(folder) / "plain"]).returncode, 1)


if __name__ == "__main__":
    unittest.main()
