#!/usr/bin/env python3
"""Tests that the checks of the lessons can fail."""
import contextlib
import io
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "tools"))
import lessons
import markdown
import minutes

def headings(page):
    return "".join(f"## {heading}\n\n" for heading in lessons.HEADINGS[page])


CHECKED = "# 05 · Norm: how it is checked\n\nAbout 1 minutes.\n\n" + headings("checked.md")
SOURCE = """namespace gradus {

// A word in front.
void norm(int declared);

template <class Real>
Real norm(Real x,
          Real y) {
  // exercise: begin
  if (x) { return '}'; }  // eq:5.1 }
  // exercise: end
}

struct Pair { int a, b; };
}  // namespace gradus
"""
EXCERPT = """template <class Real>
Real norm(Real x,
          Real y) {
  if (x) { return '}'; }  // eq:5.1 }
}"""
PAGE = f"""# 05 · Norm

About 2 minutes.

The [glossary](../../docs/glossary.md), the [symbols](../../docs/symbols.md).

{headings("README.md")}
```math
y = x \\tag{{eq:5.1}}
```

<!-- code: norm.cpp norm -->
```cpp
{EXCERPT}
```
<!-- end -->

<!-- demo: first -->
```text
mean 0.5001
```
<!-- end -->

It scores 37.1 BLEU; see [the code](norm.cpp).
"""
VALUES = "It scores {model.bleu:.1f} BLEU;\n"
PROGRAM = "#!/bin/sh\nprintf '%s!\\n' \"$@\"\n"
DEMO = "#!/bin/sh\nprintf '== first ==\\nmean 0.5000\\n\\n== second ==\\nx\\n'\n"


class Tree:
    """A chapter in its own folder, with some files changed."""

    def __init__(self, **changed):
        self.files = {"README": PAGE, "source": SOURCE, "demo": DEMO, "measured": '{"model": {"bleu": 37.06}}',
                      "values": VALUES, "program": PROGRAM, "checked": CHECKED, "glossary": "# Glossary\n", "symbols": "# Symbols\n", **changed}

    def check(self, *options):
        """(exit status, complaints, the lesson afterwards)"""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            home = {"README": "chapters/05_norm/README.md", "checked": "chapters/05_norm/checked.md", "source": "chapters/05_norm/norm.cpp",
                    "demo": "out/demo_05_norm", "program": "out/gradus", "plain": "out/tests/plain_transformer", "measured": "docs/records/measured.json",
                    "mutants": "docs/records/mutants.json", "values": "docs/values/chapters/05_norm/README.txt",
                    "old": "docs/values/docs/old.txt", "glossary": "docs/glossary.md", "symbols": "docs/symbols.md"}
            for key, text in self.files.items():
                if text is None:
                    continue
                path = root / home[key]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            for key in {"demo", "program", "plain"} & set(self.files):
                (root / home[key]).chmod(0o755)
            errors = io.StringIO()
            arguments = ["lessons.py", "--root", folder, "--demos", str(root / "out"), *options]
            with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stderr(errors), \
                    contextlib.redirect_stdout(io.StringIO()):
                status = lessons.main()
            return status, errors.getvalue(), (root / home["README"]).read_text(encoding="utf-8")


class Lessons(unittest.TestCase):
    def assert_complains(self, complaint, **changed):
        status, errors, _ = Tree(**changed).check()
        self.assertIn(complaint, errors)
        self.assertEqual(status, 1)

    def test_a_true_lesson_passes_and_one_in_the_last_place_is_rounding(self):
        self.assertEqual(Tree().check()[:2], (0, ""))

    def test_what_is_no_longer_true_is_named(self):
        self.assert_complains("README.md: out of date (make lessons): code: norm.cpp norm", source=SOURCE.replace("if (x)", "if (y)"))
        self.assert_complains("demo: first", demo=DEMO.replace("0.5000", "0.5003"))
        self.assert_complains("demo: first", demo=DEMO.replace("mean", "sum"))
        self.assert_complains("model.bleu is 12.0, not 37.1", measured='{"model": {"bleu": 12}}')

    def test_blocks_that_cannot_be_filled_are_named(self):
        self.assert_complains("no definition of norm", source=SOURCE.replace("norm", "other"))
        self.assert_complains("no file gone.cpp", README=PAGE.replace("code: norm.cpp", "code: gone.cpp"))
        self.assert_complains("no section 'third'", README=PAGE.replace("demo: first", "demo: third"))
        self.assert_complains("demo_05_norm failed", demo="#!/bin/sh\nexit 3\n")
        self.assert_complains("not in docs/records/measured.json", measured="{}")
        self.assert_complains("without its partner", README=PAGE.replace("<!-- end -->", "", 1))
        self.assert_complains("or one that does not exist: <!-- value: model.bleu", README=PAGE + "It is <!-- value: model.bleu -->37<!-- end -->.\n")
        self.assert_complains("or one that does not exist: <!-- says: nothing", README=PAGE + "No tutorial. <!-- says: nothing -->\n")

    def test_a_command_of_the_program_is_shown_with_its_output(self):
        page = PAGE + '<!-- program: say "A b." "C." -->\n```text\n```\n<!-- end -->\n'
        _, _, written = Tree(README=page).check("--write")
        self.assertIn('$ build/release/gradus say "A b." \\\n    "C."\nsay!\nA b.!\nC.!\n```', written)
        self.assertEqual(Tree(README=written).check()[:2], (0, ""))
        self.assert_complains("program: say", README=written, program=PROGRAM.replace("%s!", "%s?"))
        self.assert_complains("failed", README=written, program="#!/bin/sh\nexit 3\n")

    def test_a_command_of_the_plain_transformer_is_shown_with_its_output(self):
        page = PAGE + "<!-- plain: check post -->\n```text\n```\n<!-- end -->\n"
        _, _, written = Tree(README=page, plain=PROGRAM).check("--write")
        self.assertIn("$ ./transformer check post\ncheck!\npost!\n```", written)
        self.assertEqual(Tree(README=written, plain=PROGRAM).check()[:2], (0, ""))
        self.assert_complains("plain: check post", README=written, plain=PROGRAM.replace("%s!", "%s?"))
        self.assert_complains("plain_transformer check post failed", README=written, plain="#!/bin/sh\nexit 3\n")
        self.assert_complains("no plain_transformer", README=written)

    def test_a_table_is_made_of_the_measurements(self):
        page = PAGE + "<!-- table: twin-sentences -->\n<!-- end -->\n"
        _, _, written = Tree(README=page).check("--write")
        self.assertIn("<!-- table: twin-sentences -->\nNothing has been measured yet.\n<!-- end -->", written)
        self.assertEqual(Tree(README=written).check()[:2], (0, ""))
        self.assert_complains("out of date", README=written.replace("yet", "today"))
        self.assert_complains("tables.py has no table other", README=page.replace("twin-sentences", "other"))

    def test_the_score_of_the_mutants_is_a_figure_too(self):
        values = "scores {mutants.killed} BLEU"
        page = PAGE.replace("37.1", "9")
        self.assertEqual(Tree(README=page, values=values, mutants='{"killed": 9}').check()[:2], (0, ""))
        self.assert_complains("mutants.killed is 8, not 9", README=page, values=values, mutants='{"killed": 8}')
        self.assert_complains("mutants.killed is not in", README=page, values=values)

    def test_a_file_of_figures_without_a_page_is_named(self):
        self.assert_complains("docs/values/docs/old.txt: no page docs/old.md", old="")

    def test_headings_equations_and_links_are_held(self):
        self.assert_complains("'## Pitfalls'", README=PAGE.replace("## Pitfalls", "## Traps"))
        swapped = PAGE.replace("## Pitfalls", "## X").replace("## The formula", "## Pitfalls").replace("## X", "## The formula")
        self.assert_complains("README.md: headings out of order", README=swapped)
        self.assert_complains("checked.md: heading missing: '## What the judges prove'", checked=CHECKED.replace("judges", "tests"))
        self.assert_complains("chapters/05_norm: no checked.md", checked=None)
        self.assert_complains("eq:5.1 has no", README=PAGE.replace("\\tag{eq:5.1}", ""))
        self.assert_complains("named by no source file", README=PAGE + "$z \\tag{eq:5.2}$\n")
        self.assert_complains("another chapter's number", README=PAGE + "$z \\tag{eq:4.2}$\n")
        self.assert_complains("eq:5.1 is tagged twice", README=PAGE + "$z \\tag{eq:5.1}$\n")
        self.assert_complains("which is not there", README=PAGE + "[gone](gone.md)\n")

    def test_a_lesson_is_short_and_begins_with_code(self):
        self.assertEqual((lessons.MOST_WORDS, lessons.MOST_BEFORE_CODE), (1800, 500))  # as CONTRIBUTING.md says
        words = lessons.MOST_WORDS - minutes.prose(PAGE)
        self.assertNotIn("words of prose", Tree(README=PAGE + "word " * words).check()[1])
        self.assert_complains(f"{lessons.MOST_WORDS + 1} words of prose", README=PAGE + "word " * (words + 1))
        words = lessons.MOST_BEFORE_CODE - minutes.before_code(PAGE)
        self.assertNotIn("first line of C++", Tree(README=PAGE.replace("\n## ", "\n" + "word " * words + "\n## ", 1)).check()[1])
        self.assert_complains("501 words before the first line of C++", README=PAGE.replace("\n## ", "\n" + "word " * (words + 1) + "\n## ", 1))
        self.assert_complains("no line of C++", README=PAGE.replace("```cpp", "```c"))

    def test_the_pages_of_the_first_chapters_are_short_together(self):
        self.assertEqual(lessons.MOST_OF_ALL, 33990)
        with mock.patch.object(lessons, "MOST_OF_ALL", len((re.sub(r"<!--.*?-->|```.*?```", "", PAGE + CHECKED, flags=re.S)).split())):
            self.assertNotIn("together", Tree().check()[1])
            self.assert_complains("chapters 00 to 08:", checked=CHECKED + "one\n")
            self.assertNotIn("together", Tree(checked=CHECKED + "<!-- two -->\n").check()[1])

    def test_a_mention_of_an_equation_that_is_nowhere_is_named(self):
        self.assertEqual(Tree(README=PAGE + "See (eq:5.1), and `eq:5.2` in code.\n").check()[:2], (0, ""))
        self.assert_complains("README.md: mentions eq:5.2, but no lesson", README=PAGE + "See (eq:5.2).\n")
        self.assert_complains("glossary.md: mentions eq:6.1, but no lesson", glossary="# Glossary\n\nSee eq:6.1.\n")

    def test_a_figure_stands_beside_the_name_of_its_measure(self):
        other, line = PAGE.replace("37.1", "60.0"), PAGE[:PAGE.index("It scores")].count("\n") + 1
        changed = {"measured": '{"model": {"chrf2": 60}}', "values": "scores {model.chrf2:.1f}"}
        self.assert_complains(f"line {line}: model.chrf2: its paragraph does not say 'chrF'", README=other, **changed)
        self.assertEqual(Tree(README=other.replace("BLEU", "chrF2"), **changed).check()[:2], (0, ""))
        table, values = PAGE + "\nText.\n\n| | BLEU |\n|---|---|\n| a | 37.06 |\n", VALUES + "| a | {model.bleu} |"
        self.assertEqual(Tree(README=table, values=values).check()[:2], (0, ""))
        self.assert_complains("does not say 'BLEU'", README=table.replace("| BLEU |", "| |"), values=values)

    def test_equations_are_numbered_in_the_order_of_the_page(self):
        def page(*tags):
            return PAGE.replace("\\tag{eq:5.1}", " ".join(f"\\tag{{eq:{tag}}}" for tag in tags))
        source = SOURCE + "// eq:5.2, eq:5.3\n"
        self.assertEqual(Tree(README=page("5.1", "5.2", "5.3"), source=source).check()[:2], (0, ""))
        self.assert_complains("eq:5.3 follows eq:5.1", README=page("5.1", "5.3", "5.2"), source=source)
        self.assert_complains("no equation has the number 2, but there are 2", README=page("5.1", "5.3"), source=source)

    def test_every_lesson_links_glossary_and_symbols_once_below_its_title(self):
        for page in ("glossary", "symbols"):
            link = f"[{page}](../../docs/{page}.md)"
            complaint = f"README.md: needs one link to ../../docs/{page}.md, below the title"
            self.assert_complains(complaint, README=PAGE.replace(link, ""))
            self.assert_complains(complaint, README=PAGE.replace(link, "") + link)
            self.assert_complains(complaint, README=PAGE + link)
            self.assert_complains(complaint, README=PAGE.replace(link, link + link))

    def test_code_typed_on_a_page_is_narrow_too(self):
        self.assert_complains("its code has more than 96 columns", README=PAGE + f"\n```cpp\n{'y' * 97}\n```\n")
        self.assertNotIn("columns", Tree(README=PAGE + f"\n```cpp\n{'y' * 96}\n```\n\n```text\n{'y' * 97}\n```\n").check()[1])

    def test_every_page_of_a_chapter_says_how_long_it_takes(self):
        without = re.sub(r"About .*\n\n", "", PAGE)
        self.assert_complains("says how long the page takes", README=without)
        self.assertEqual(Tree(README=without).check("--write")[2], PAGE)
        self.assert_complains("says how long the page takes", README=PAGE.replace("About 2", "About 1"))
        self.assert_complains("says how long the page takes", README=PAGE + "word " * 200)

    def test_write_renews_what_is_stale_and_nothing_else(self):
        stale = PAGE.replace("if (x)", "if (z)").replace("37.1", "1.0")
        status, _, after = Tree(README=stale).check("--write")
        self.assertEqual((status, after), (0, PAGE))

    def test_a_wide_line_is_broken_on_the_page_in_any_place(self):
        wide = f"  if (x) {{ return first_of_many_names + {'y' * 40} + 1; }}  // eq:5.1 }}"
        source = SOURCE.replace("  if (x) { return '}'; }  // eq:5.1 }", wide)
        broken = wide.replace(" return", "\n    return")
        page = PAGE.replace("  if (x) { return '}'; }  // eq:5.1 }", broken)
        self.assertEqual(Tree(source=source, README=page).check()[:2], (0, ""))
        self.assertEqual(Tree(source=source, README=page.replace("+ 1", "+\n 1")).check()[:2], (0, ""))
        for other in (page.replace("+ 1", "+ 2"), page.replace("\n    return", " return")):
            with mock.patch.object(lessons.excerpts, "narrow", return_value=EXCERPT) as narrow:
                self.assertIn("out of date (make lessons): code: norm.cpp norm", Tree(source=source, README=other).check()[1])
            self.assertIn(wide, narrow.call_args[0][0])
        with mock.patch.object(lessons.excerpts, "narrow", return_value=wide):
            self.assertIn("more than 96 columns, and clang-format cannot break it", Tree(source=source).check()[1])

    def test_definitions_end_at_their_own_brace(self):
        self.assertEqual(lessons.definition(SOURCE, "norm"), EXCERPT)
        self.assertEqual(lessons.definition(SOURCE, "Pair"), "struct Pair { int a, b; };")

    def test_the_second_definition_of_a_name_is_not_the_first(self):
        code = "int f(int a) {\n  return a;\n}\n\nint f(float b) {\n  return b;\n}\n"
        self.assertEqual([lessons.definition(code, "f", which) for which in (1, 2)], ["int f(int a) {\n  return a;\n}", "int f(float b) {\n  return b;\n}"])
        with self.assertRaisesRegex(lessons.Stale, "no definition of f number 3"):
            lessons.definition(code, "f", 3)

    def test_two_rounding_errors_below_a_hundred_millionth_are_equal(self):
        self.assertEqual([lessons.close(a, b) for a, b in (("9e-9", "-3e-17"), ("1.1e-8", "3e-17"), ("9e-9", "1.1e-8"))], [True, False, False])

    def test_numbers_may_differ_in_the_last_place_only(self):
        self.assertTrue(lessons.same("a  -0.10 b", "a -0.11 b"))
        self.assertTrue(lessons.same("error 3.1e-11", "error 8.9e-12"))
        self.assertFalse(lessons.same("a 0.10", "a 0.12"))
        self.assertFalse(lessons.same("error 3.1e-11", "error 3.1e-02"))
        self.assertFalse(lessons.same("3 words", "4 words"))


class Markdown(unittest.TestCase):
    def test_what_is_left_out_keeps_its_lines(self):
        text = "a `b`\n````\n```\nc\n```\n````\nd\n"
        self.assertEqual(markdown.without(text, markdown.FENCE, markdown.CODE), "a \n\n\n\n\n\nd\n")

    def test_pages_of_a_command_line_have_to_be_there_and_below_the_top_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            (root / "docs").mkdir()
            inside, outside = root / "docs/a.md", root / "b.md"
            for page in (inside, outside):
                page.touch()
            self.assertEqual(markdown.chosen(root, []), [outside, inside])
            self.assertEqual(markdown.chosen(root, [inside]), [inside])
            for complaint, page in (("gone.md: no such page", root / "gone.md"), ("b.md: not below", outside)):
                with self.assertRaisesRegex(SystemExit, complaint):
                    markdown.chosen(root / "docs", [page])


class Minutes(unittest.TestCase):
    def test_each_kind_is_counted(self):
        page = ("# Two words\n\n[A link](x.md) and $x$, $`y = z`$, `code`. <!-- demo: not read -->\n\n![picture words](a.svg)\n\n"
                "    make demo\n\n```math\na \\\\\nb\n```\n```cpp\nint a;\n\nint b;\n```\n"
                "<!-- demo: x -->\n```text\n1\n```\n<!-- end -->\n| a | 1 |\n|---|---|\n")
        self.assertEqual(minutes.counted(page), {"words": 14, "code": 3, "numbers": 1, "formulas": 2, "pictures": 1})
        self.assertEqual((minutes.prose(page), minutes.before_code(page), minutes.before_code("# Words")), (8, 8, None))

    def test_time_is_the_sum_of_all_kinds_rounded_up(self):
        self.assertEqual(minutes.minutes("word " * 200), 1)
        self.assertEqual(minutes.minutes("word " * 201), 2)
        self.assertEqual(minutes.minutes("word " * 200 + "\n```cpp\n" + "a;\n" * 13 + "```\n"), 3)
        self.assertEqual(minutes.minutes("word " * 3001), 20)
        self.assertEqual(minutes.minutes("word " * 200 + "\n```text\n" + "1\n" * 30 + "```\n"), 2)

    def test_solutions_and_models_are_no_lessons_and_pages_on_speed_are_counted_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "chapters/05_x/models").mkdir(parents=True)
            for name in ("README.md", "FAST.md", "gpu.md", "solutions.md", "models/card.md"):
                (root / "chapters/05_x" / name).write_text("word " * 12000)
            self.assertEqual(minutes.table(root), {"05_x": {"FAST": 60, "README": 60, "gpu": 60, "all": 180}, "lessons": 1, "hours": 3})


if __name__ == "__main__":
    unittest.main()
