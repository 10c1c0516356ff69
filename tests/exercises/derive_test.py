#!/usr/bin/env python3
"""Tests the exercises that ask for a derivation (exercises/derivation.py, derive_judge.py, derive.py): of each chapter the blank file, the right code, each known
mistake, two at once, each invariant; and what a student may type: no end, no compiler's consent, an index outside, another forward pass."""
import contextlib
import io
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises"))

import derivation  # noqa: E402
import derive  # noqa: E402
import derive_judge  # noqa: E402
import derive_text  # noqa: E402
import exercise  # noqa: E402
from task import Trouble  # noqa: E402
from versions import program_of  # noqa: E402

ALL = derivation.all_derivations()
# What students write that no twin has, by chapter and name: the changes of plain.cpp. They are compiled with the twins, as are all below, so one more costs little.
WRONG = {
    "03": {
        "dv tripled": [["dv[i * Dk + d] += p", "dv[i * Dk + d] += 3 * p"]],
        "the sum over other keys": [["mean += p[t * S + i] * dp[i];", "mean += p[t * S + i] * dp[(i + 1) % S];"]],
        "ds as a float": [["const double ds", "const float ds"]],
        "the root as a float": [["ds * k[i * Dk + d] / root;", "ds * k[i * Dk + d] / float(root);"]],
        "dv not of key 3": [["dv[i * Dk + d] += p", "if (i < 3) dv[i * Dk + d] += p"]],
        "dk by the keys, tripled": [["dk[i * Dk + d] += ds * q[t", "dk[i * Dk + d] += 3 * ds * k[t"]],
    },
    "05": {
        "dbeta tripled": [["dbeta[d] += dy[n * D + d];", "dbeta[d] += 3 * dy[n * D + d];"]],
        "two known": [["(g[d] - mean_g - xhat", "(g[d] - xhat"], ["dbeta[d] += dy", "dbeta[d] = dy"]],
        "one known": [["(g[d] - mean_g - xhat", "(g[d] - 3 - xhat"], ["dbeta[d] += dy", "dbeta[d] = dy"]],
        "dbeta turned": [["dbeta[d] += dy", "dbeta[d] += -dy"]],
        "dbeta 0": [["dbeta[d] += dy", "dbeta[d] += 0 * dy"]],
        "no gamma and no mean": [["g[d] = gamma[d] * dy", "g[d] = dy"], ["(g[d] - mean_g -", "(g[d] -"]],
        "no gamma and half a variance": [["g[d] = gamma[d] * dy", "g[d] = dy"], ["xhat[d] * mean_gx)", "xhat[d] * mean_gx / 2)"]],
        "a number too many but in row 0": [["g[d] = gamma[d] * dy[n * D + d];", "g[d] = gamma[d] * dy[n * D + d] + (n && d ? 1 : 0);"]],
        "divided by 0": [["dx[n * D + d] = rstd[n]", "dx[n * D + d] = std::sqrt(double(d) - 1) * rstd[n]"]],
        "one number of dx": [["dx[n * D + d] = rstd[n]", "dx[n * D + d] = (n + d == 0 ? 3 : 1) * rstd[n]"]],
    },
    "06": {"all are 0": [["  for (size_t n = 0; n < N; ++n) {\n    for (size_t d = 0; d < D; ++d) db2", "  for (size_t n = N; n < N; ++n) {\n    for (size_t d = 0; d < D; ++d) db2"]]},
    "12": {"all are 0": [["dh[at] : 0) + g;", "dh[at] : 0) * g;"]]},
    "08": {
        "two that meet": [["a.kv.d[i][columns(D + at)] += p[i] * dy;", "a.kv.d[i][columns(D + at)] = p[i] * dy;"], ["a.q.d[t][columns(at)] += ds[i] *", "a.q.d[t][columns(at)] += ds[i] / std::sqrt(Dk) *"]],
        "dq by the query": [["+= ds[i] * part(a.kv.v[i], at);", "+= ds[i] * part(a.q.v[t], at);  //"]],
        "dq by 0": [["+= ds[i] * part(a.kv.v[i], at);", "+= ds[i] * part(a.kv.v[i], at) * 0.0;  //"]],
        "dk by D": [["a.kv.d[i][columns(at)] += ds[i] *", "a.kv.d[i][columns(at)] += 4.0 * ds[i] *"]],
        "dq tripled": [["a.q.d[t][columns(at)] += ds[i] *", "a.q.d[t][columns(at)] += 3.0 * ds[i] *"]],
        "dk tripled by its row": [["a.kv.d[i][columns(at)] += ds[i] *", "a.kv.d[i][columns(at)] += (i ? 3.0 : 2.0) * ds[i] *"]],
        "dy of head 1 by its row": [["Row dy = part(a.y.d[t], at);", "Row dy = part(a.y.d[t], at) * double(h ? t + 2 : 1);"]],
    },
}
# Slips of learners that are known, in other words than those of the twins: by chapter, a part of what is said, and the changes.
X_HAT, DX = "(x[n * D + d] - mean[n]) * rstd[n];", "rstd[n] * (g[d] - mean_g - xhat[d] * mean_gx);"
LAST_CALLS = "      }\n    }\n  linear_backward(a.q, x, a.wq);\n  linear_backward(a.kv, m, a.wkv);  // eq:8.4: m gets dk wk^T + dv wv^T\n"
NAMED = {
    "03": {
        "dy is read with rows and columns exchanged in dv": [["p[t * S + i] * dy[t * Dk + d];", "p[t * S + i] * dy[t + d * T];"]],
        "the row is missing in the index of dq": [["dq[t * Dk + d] += ds", "dq[0 * t + d] += ds"]],
        "or is ds or dp doubled?": [["dp[i] += dy", "dp[i] += 2 * dy"]],
    },
    "05": {
        "the term of the variance has x in place of xhat, which": [[DX, "rstd[n] * (g[d] - mean_g - rstd[n] * x[n * D + d] * mean_gx);"]],
        "rstd stands before the brackets twice": [[DX, f"rstd[n] * {DX}"]],
        "x is read with rows and columns exchanged": [[X_HAT, "(x[n + d * D] - mean[n]) * rstd[n];"]],
        "dy is read with rows and columns exchanged in g:": [["gamma[d] * dy[n * D + d];", "gamma[d] * dy[n + d * D];"]],
        "exchanged in more than one of x, dy and dx": [[X_HAT, "(x[n + d * D] - mean[n]) * rstd[n];"], ["dx[n * D + d] =", "dx[n + d * D] ="]],
        "mean is read by the column": [[X_HAT, "rstd[n] * (x[n * D + d] - mean[d]);"]],
        "rstd is read by the column before the brackets": [[DX, "(g[d] - mean_g - xhat[d] * mean_gx) * rstd[d];"]],
        "rstd is read by the column in xhat": [[X_HAT, "rstd[d] * (x[n * D + d] - mean[n]);"]],
        "the standard deviation is that over D - 1": [[X_HAT, "(x[n * D + d] - mean[n]) * (rstd[n] * std::sqrt(0.75));"], [DX, "std::sqrt(0.75) * " + DX]],
        "the standard deviation before the brackets is that over D - 1": [[DX, "std::sqrt(0.75) * " + DX]],
    },
    "06": {"x is read with rows and columns exchanged": [["x[n * D + d] * dz;", "x[n + d * D] * dz;"]], "the row is missing in the index of z": [["z[n * F + f] > 0", "z[0 * n + f] > 0"]]},
    "07": {"linear_backward(h, n1, w1) is missing": [["  linear_backward(h, n1, w1);", "  //"]], "nothing leaves n2": [["  n2.d = r.v;", "  //"]],
           "layer_norm_backward(n2, s2) is called twice": [["  n2.d = r.v;", "  n2.d = r.v;\n  layer_norm_backward(n2, s2);"]]},
    "08": {
        "linear_backward(a.kv, m, a.wkv) stands in the loop over the heads": [[LAST_CALLS, "        if (i + 1 == ds.size() && t + 1 == x.v.size()) linear_backward(a.kv, m, a.wkv);\n      }\n    }\n  linear_backward(a.q, x, a.wq);\n"]],
        "the arguments a.q and x are exchanged": [[LAST_CALLS, "      }\n    }\n  linear_backward(a.kv, m, a.wkv);\n  linear_backward(x, a.q, a.wq);\n"]],
        "comes too early or has its arguments exchanged, or a.q.d": [["linear_backward(a.q, x, a.wq);", "linear_backward(x, a.q, a.wq);"]],
        "all dp of a query are equal": [["dp[i] = (dy * part(a.kv.v[i], D + at)).sum();", "dp[i] = dy.sum();"]],
        "or is dp doubled?": [["dp[i] = (dy *", "dp[i] = 2 * (dy *"]],
        "dp has a factor p too many": [["dp[i] = (dy *", "dp[i] = (p[i] * dy *"]],
        "dq is twice as large, or": [["+= ds[i] * part(a.kv.v", "+= 2.0 * ds[i] * part(a.kv.v"]],
    },
    "09": {"x.d is 0, so nothing comes to the embedding": [["z.d[t][j] * table.v[j];", "0.0 * table.v[j];"]]},
    "10": {"what should be said is added": [["(p[n] - q[n]) / N;", "(q[n] + p[n]) / N;"]]},
    "12": {"du has the wrong sign, and da with it": [["du[at] = (1 - f) * dc;", "du[at] = (f - 1) * dc;"]]},
}
for number, slips in NAMED.items():
    WRONG.setdefault(number, {}).update(slips)
# The same, graded as a whole with all runs.
STUDENTS = {
    "00": {"a column less": [["for (size_t j = 0; j < out; ++j) db", "for (size_t j = 1; j < out; ++j) db"]]},
    "03": {"keys up to t": [["    for (size_t i = 0; i < S; ++i) {\n      const double ds", "    for (size_t i = 0; i <= t; ++i) {\n      const double ds"]],
           "keys up to T": [["    for (size_t i = 0; i < S; ++i) {  // eq:3.7", "    for (size_t i = 0; i < T; ++i) {  // eq:3.7"], ["    for (size_t i = 0; i < S; ++i) {\n      const double ds", "    for (size_t i = 0; i < T; ++i) {\n      const double ds"]]},
    "04": {"the mean up to T": [["j < row + S; ++j) mean", "j < row + T; ++j) mean"]]},
    "05": {
        "right on the lesson": [["dgamma[d] += dy[n * D + d] * xhat[d];", "dgamma[d] += dy[n * D + d] * (dy[n * D + d] > 1 ? 0 : xhat[d]);"]],
        "mean over N": [["mean_g += g[d] / D;", "mean_g += g[d] / N;"]],
        "mean over N, cleared": [["mean_g += g[d] / D;", "mean_g += g[d] / N;"], ["dbeta[d] +=", "if (n == 0) dbeta[d] = 0;\n      dbeta[d] +="]],
        "turned among zeros": [["dbeta[d] += dy", "dbeta[d] = -dy"], ["dgamma[d] += dy[n * D + d] * xhat[d];", "dgamma[d] += dy[n * D + d];"]],
        "another forward pass": [["/ std::sqrt(squares", "/ std::sqrt(3 + squares"]],
        "nothing printed": [[', print("dx", dx, D);', ";"]],
        "dx not written": [["dx[n * D + d] = rstd[n]", "g[d] = rstd[n]"]],
        "dx from column 1": [["size_t d = 0; d < D; ++d)  // eq:5.7", "size_t d = 1; d < D; ++d)  // eq:5.7"]],
        "dx but the last row": [["dx[n * D + d] = rstd[n]", "if (n < 3) dx[n * D + d] = rstd[n]"]],
        "1 / D": [["mean_g += g[d] / D;", "mean_g += g[d] * (1 / D);"]],
        "a sum of whole numbers": [["double mean_g = 0, mean_gx = 0;", "double mean_g = 0;\n    auto mean_gx = 0;"]],
    },
    "08": {"the root of H": [["(p * dp).sum()) / std::sqrt(Dk);", "(p * dp).sum()) / std::sqrt(H);"]],
           "columns by H": [["h < H; ++h)\n    for (size_t t = 0, at = h * Dk; t < x.v.size(); ++t) {\n      const Row& p =", "h < H; ++h)\n    for (size_t t = 0, at = h * H; t < x.v.size(); ++t) {\n      const Row& p ="]],
           "cleared": [["  linear_backward(a.kv, m, a.wkv);  //", "  if (&m != &x)\n    for (Row& row : m.d) row = 0.0;\n  linear_backward(a.kv, m, a.wkv);  //"]]},
    "10": {"kept": [["    for (Row& row : t->g) row = 0.0;\n  for", "    (void)t;\n  for"]]},
    "12": {"a row by its word": [[": first[i * D + d];", ": first[i * t + d];"]]},
}


def clear(tensor, when=""):
    return f"{when} for (Row& row : {tensor}.d) row = 0.0;"


# What sets a gradient to 0 where backward begins, of each gradient that is added to: by chapter and name.
CLEARS = {
    "00": {"dw": "for (Row& row : dw) row = Row(out);", "db": "db = Row(out);"}, "01": {"dtable": ""}, "03": {"dq": "", "dk": "", "dv": ""},
    "05": {"dgamma": "", "dbeta": ""}, "06": {"dw1": "", "db1": "", "dw2": "", "db2": ""},
    "07": {"d" + w: clear(w) for w in ("wq", "wk", "wv", "wo", "w1", "w2")},
    "08": {"du": clear("u", "if (&x == &u)"), "dn1": clear("n1", "if (&x == &n1)"), "dmemory": clear("memory", "if (&m == &memory)"),
           **{f"d{a}_{w}": clear(f"{a}.{w}", f"if (&a == &{a})") for a in ("self", "cross") for w in ("wq", "wkv", "wo")}},
    "09": {"dw_t": clear("table", "if (&table == &w_t)"), "dw_o": clear("table", "if (&table == &w_o)"),
           "tied_dw": clear("table", "if (&table != &w_t && &table != &w_o)")},
}
# What adds to a gradient that is written, or does not set it to 0 first.
KEEPS = {
    "00": {"dx": ["dx[n][i] = 0;", ""]}, "02": {"dx": ["dx = dy;", "for (size_t n = 0; n < N; ++n) for (size_t d = 0; d < D; ++d) dx[n][d] += dy[n][d];"]},
    "04": {"ds": ["ds[j] = p", "ds[j] += p"]}, "05": {"dx": ["dx[n * D + d] = rstd", "dx[n * D + d] += rstd"]}, "06": {"dx": [", dx[n * D + d] = 0", ""]},
    "09": {"df": ["x.d[t] = 0.0;", ""]},
    "10": {f"d{name}": ["t->g) row = 0.0;", f"t->g) if (t != &{name}) row = 0.0;"] for name in ("x", "table")},
    "12": {"du": ["du[at] = (1 - f) * dc; ", "du[at] += (1 - f) * dc; "], "da": ["da[at] = f * (before - u[at]) * du[at]", "da[at] += f * (before - u[at]) * (1 - f) * dc"],
           "dfirst": ["dfirst[i * D + d] = g;", "dfirst[i * D + d] += g;"]},
}


def cleared(one):
    """The changes of plain.cpp that CLEARS names."""
    for name, code in CLEARS.get(one.number, {}).items():
        function = one.functions[0 if len(one.functions) == 1 or name == "dw_t" else 1]
        begin = re.search(rf"^void {function}\([^{{]*\{{", one.plain(), re.M)[0]
        yield [begin, f"{begin} {code or f'{name} = Vec({name}.size());'}\n"]


def held(one):
    """The texts of a second run with each change of CLEARS and KEEPS."""
    return [one.changed(one.second_run(one.plain()), [change]) for change in [*cleared(one), *KEEPS.get(one.number, {}).values()]]


def runs_of(one, text):
    """What the grader compiles of a student's text."""
    return dict.fromkeys([text, one.second_run(text), one.with_other_sizes(text), one.with_other_numbers(text)])


SEEN = {}  # by text: what a student's program prints
JUDGE, COMPILE_AND_RUN = derive_judge.judge, derive_judge.numbers_of_student
folder = tempfile.TemporaryDirectory()


def judged(one):
    """What derive_judge.judge gives, with the numbers of WRONG ("w0", "v0" with other numbers) and of `held` ("h0"). Those of STUDENTS go to SEEN."""
    work = Path(folder.name) / one.number
    work.mkdir()
    wrong = [one.changed(one.plain(), change) for change in WRONG.get(one.number, {}).values()]
    texts = {f"w{i}": text for i, text in enumerate(wrong)}
    texts.update({f"v{i}": one.with_other_numbers(text) for i, text in enumerate(wrong) if one.other_numbers})
    texts.update({f"h{i}": text for i, text in enumerate(held(one))})
    runs = [text for change in STUDENTS.get(one.number, {}).values() for text in runs_of(one, one.changed(one.plain(), change))]
    numbers = JUDGE(one, work, {**texts, **{f"s{i}": text for i, text in enumerate(runs)}})
    SEEN.update({text: numbers[f"s{i}"] for i, text in enumerate(runs)})
    return numbers


with ThreadPoolExecutor(os.cpu_count()) as pool:
    JUDGED = dict(zip([one.number for one in ALL], pool.map(judged, ALL)))


def of(number):
    return next(one for one in ALL if one.number == number)


def plain(lines):
    """Lines for a terminal as one text."""
    assert max(map(len, lines)) <= 80, lines
    return re.sub(r"\s+", " ", "\n".join(lines))


def said(one, numbers, other=None):
    lines, passed = derive_judge.report(one, numbers, JUDGED[one.number], (), other)
    return plain(lines), passed


def said_of_wrong(number, name):
    """What is said of a code of WRONG."""
    i = list(WRONG[number]).index(name)
    text, passed = said(of(number), JUDGED[number][f"w{i}"], JUDGED[number].get(f"v{i}"))
    assert not passed
    return text


class Known(unittest.TestCase):
    def test_every_chapter_with_a_gradient_has_one(self):
        self.assertEqual([one.chapter for one in ALL],
                         sorted(p.parent.name for p in ROOT.glob("chapters/[0-9]*/plain.cpp") if p.parent.name != "11_translator"))

    def test_the_right_code_is_right(self):
        for one in ALL:
            with self.subTest(one.chapter):
                text, passed = said(one, JUDGED[one.number]["right"])
                self.assertTrue(passed, text)
                self.assertNotIn(" no ", text)

    def test_each_known_mistake_is_named_and_no_two_are_the_same(self):
        for one in ALL:
            for i, mistake in enumerate(one.mistakes):
                with self.subTest(one.chapter, says=mistake["says"]):
                    text, passed = said(one, JUDGED[one.number][f"m{i}"])
                    self.assertFalse(passed)
                    self.assertIn("This is a known mistake: " + mistake["says"], text)

    def test_each_invariant_holds_and_some_mistake_breaks_it(self):
        for one in ALL:
            for invariant in one.invariants:
                with self.subTest(one.chapter, says=invariant["says"]):
                    broken = [i for i in range(len(one.mistakes)) if invariant["says"] in said(one, JUDGED[one.number][f"m{i}"])[0]]
                    self.assertTrue(broken)

    def test_no_two_sizes_are_equal_in_the_second_run(self):
        for one in ALL:
            with self.subTest(one.chapter):
                text = one.with_other_sizes(one.plain())
                sizes = one.sizes(text)
                sizes.update({f"sqrt({name})": math.sqrt(size) for name, size in sizes.items() if name.startswith("D") and "sqrt(D" in text})
                self.assertEqual(len(sizes), len(set(sizes.values())), sizes)
                self.assertTrue(sizes)

    def test_the_equations_are_those_of_the_lesson(self):
        for one in ALL:
            for chapter, number in one.equations():
                lesson = "".join(page.read_text(encoding="utf-8") for page in ROOT.glob(f"chapters/{chapter:02}_*/*.md"))
                self.assertIn(f"\\tag{{eq:{chapter}.{number}}}", lesson, one.chapter)


class Blank(unittest.TestCase):
    def test_the_blank_file_has_no_line_of_the_solution_and_compiles(self):
        for one in ALL:
            with self.subTest(one.chapter):
                blank = one.blank()
                self.assertEqual(blank.count("// TODO:"), len(one.functions))
                for name in one.functions:
                    for line in derivation.body_of(one.plain(), name).split("\n"):
                        code = line.split("//")[0].strip()
                        if len(code) > 25 and one.plain().count(code) == 1:
                            self.assertNotIn(code, blank)

    def test_the_lesson_leads_to_it(self):
        for one in ALL:
            lesson = (one.source.parent / "README.md").read_text(encoding="utf-8")
            self.assertIn(f"make exercise CHAPTER={one.number} DERIVE=1", lesson, one.chapter)
            lesson = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", lesson).replace("`", "")  # without links and marks of code
            for fact in one.facts:
                self.assertIn(fact, lesson, one.chapter)


class Held(unittest.TestCase):
    """In the second run gradients hold numbers before backward is called."""

    def test_each_gradient_is_seen_if_one_that_is_added_to_is_cleared_or_one_that_is_written_is_added_to(self):
        for one in ALL:
            with self.subTest(one.chapter):
                self.check(one, JUDGED[one.number], list(CLEARS.get(one.number, {})), list(KEEPS.get(one.number, {})))

    def check(self, one, numbers, added, written):
        wrong = [[name for name in one.gradients if not derive_judge.same(numbers[f"h{i}"], numbers["second"], [name])] for i in range(len(added) + len(written))]
        self.assertEqual(one.added, added)
        self.assertEqual(wrong[:len(added)], [[name] for name in added])
        for name, names in zip(written, wrong[len(added):]):
            self.assertIn(name, names)
        if one.number != "07":  # there it is free whether x.d and r.d are written
            self.assertEqual(sorted([*added, *written]), sorted(one.gradients))


class Where(unittest.TestCase):
    def where(self, wrong, name="dcross_wkv", right=(1,) * 32):
        return derive_judge.where(of("08"), name, wrong, right)

    def test_the_part_that_has_all_wrong_numbers(self):
        self.assertEqual(self.where([r * 8 + c for r in range(4) for c in range(4)]), "columns 0 to 3, those of the keys (made from dk)")
        self.assertEqual(self.where([r * 8 + c for r in range(4) for c in (4, 5)]), "columns 4 and 5, those of the values (made from dv), in head 0")
        self.assertEqual(self.where([r * 8 + c for r in range(4) for c in (2, 6)]), "columns 2 and 6, those of head 1, in the keys (made from dk) and the values (made from dv)")
        self.assertEqual(self.where([r * 8 + c for r in range(4) for c in (0, 2, 6)]), "columns 0, 2 and 6")
        self.assertEqual(self.where([8, 10, 15]), "row 1, columns 0, 2 and 7")
        self.assertEqual(self.where(range(16, 32)), "rows 2 and 3")
        self.assertEqual(self.where([0, 1, 4, 5], "dself_wq", (1,) * 16), "rows 0 and 1, columns 0 and 1, those of head 0")

    def test_nothing_if_all_have_some_or_one_is_wrong(self):
        self.assertEqual(self.where(range(32)), "")
        self.assertEqual(self.where([3]), "")
        self.assertEqual(derive_judge.where(of("05"), "dbeta", [0, 1], [1] * 4), "")

    def test_no_row_and_no_column_if_all_others_should_be_0(self):
        self.assertEqual(self.where([8, 10], right=[0] * 8 + [1] * 8 + [0] * 16), "columns 0 and 2, those of the keys (made from dk)")
        self.assertEqual(self.where([8, 10], right=[0] * 8 + [1] * 8 + [0] * 15 + [1]), "row 1, columns 0 and 2, those of the keys (made from dk)")
        self.assertEqual(self.where([8, 16], right=[1, 0, 0, 0, 0, 0, 0, 0] * 4), "rows 1 and 2")
        doubled = {**JUDGED["03"]["right"], "dq": [2 * number for number in JUDGED["03"]["right"]["dq"]]}
        self.assertNotIn("All wrong numbers are in", said(of("03"), doubled)[0])

    def test_the_report_says_it(self):
        swapped = [i for i, m in enumerate(of("08").mistakes) if m["says"] == "the root is missing in dk."][0]
        self.assertIn("16 of 32 numbers of dcross_wkv are wrong; the first is dcross_wkv[0][0].", text := said(of("08"), JUDGED["08"][f"m{swapped}"])[0])
        self.assertIn("All wrong numbers are in columns 0 to 3, those of the keys (made from dk).", text)

    def test_only_row_0_is_right(self):
        self.assertIn("Only row 0 is right: is the row in each index? Does each sum begin with 0 again in each row?", said_of_wrong("05", "a number too many but in row 0"))
        text = said_of_wrong("08", "dq tripled")
        self.assertIn("Only row 0 is right. It sees one key, so its ds is 0, and only dq can be wrong: look at the line of dq,", text)
        self.assertNotIn("is the row in each index?", text)
        self.assertFalse(derive_judge.only_row_0(of("05"), "dx", [5, 9], [1] * 16))  # row 3 is right, too
        self.assertFalse(derive_judge.only_row_0(of("05"), "dx", [0, 5, 9, 13], [1] * 16))
        self.assertFalse(derive_judge.only_row_0(of("05"), "dx", [5, 9, 13], [0] * 4 + [1] * 12))


class Words(unittest.TestCase):
    """What the report says about all wrong numbers together."""

    def test_a_factor_is_named_if_sizes_make_it(self):
        for number, factor, told in (("03", 0.5 ** 0.5, "That is 1/sqrt(Dk): one division too many, or one factor too few?"), ("03", 2 ** 0.5, "That is sqrt(Dk): one factor too many, or one division too few?"),
                                     ("03", 0.25, "That is 1/T or 1/S: one division too many"), ("05", 2, "That is 2 or sqrt(D): one factor too many"), ("08", -1, "The sign is turned."), ("05", 3, ""),
                                     ("08", 0.5, "That is 1/2 or 1/sqrt(D) or 1/H or 1/Dk: one division too many")):
            self.assertRegex(derive_judge.told_factor(of(number), factor), "^ " + re.escape(told) if told else "^$")
        self.assertEqual(of("08").sizes(), {"Nt": 4, "Ns": 4, "D": 4, "H": 2, "Dk": 2})

    def test_sums_are_given_as_they_are(self):
        right, told = JUDGED["03"]["right"], lambda **wrong: said(of("03"), {**JUDGED["03"]["right"], **wrong})[0]
        self.assertIn("no weight changes. Yours: column 1 sums to 5.", told(dk=[n + 5 * (i == 3) for i, n in enumerate(right["dk"])]))
        self.assertIn("the weights of a query sum to 1. In column 1 yours is 16, and should be 12.", told(dv=[n + 4 * (i == 1) for i, n in enumerate(right["dv"])]))
        same = derive_judge.dot([right["q"]], [right["dq"]])
        self.assertIn(f"products of a q and a k. Yours: {2 * same:.6g} and {same:.6g}.", told(dq=[2 * n for n in right["dq"]]))
        self.assertIn("no y. Yours: row 2 sums to 1.", said(of("05"), {**JUDGED["05"]["right"], "dx": [n + (i == 9) for i, n in enumerate(JUDGED["05"]["right"]["dx"])]})[0])

    def test_make_says_that_its_error_is_no_fault_of_the_tool_and_keeps_the_status(self):
        done = subprocess.run(["make", "--no-print-directory", "grade", "CHAPTER=99", "DERIVE=1"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("There is nothing to derive for a chapter 99.", done.stderr)
        self.assertTrue(done.stdout.endswith("\nNot accepted yet. (Ignore make's 'Error' below.)\n"), done.stdout)


class Wrong(unittest.TestCase):
    """What is said about codes that no twin has."""

    def test_a_wrong_number_is_shown_with_what_is_expected(self):
        text = said_of_wrong("05", "dbeta tripled")
        self.assertIn("ok dx", text)
        self.assertIn("no 2 of 4 numbers of dbeta are wrong; the first is dbeta[0]. The other 2 are 0, and right. expected 1 yours 3 difference 2", text)
        self.assertIn("Every wrong number is 3 times what is expected. no dbeta must be the sum", text)
        self.assertIn("In column 0 yours is 3, and should be 1.", text)
        self.assertIn("No known mistake gives these numbers, or there are two mistakes at once. dx and dgamma are right. Take one number of dbeta,", text)
        self.assertIn("no 1 of 16 numbers of dx is wrong: dx[0][0]. expected", said_of_wrong("05", "one number of dx"))
        self.assertIn("no All 16 numbers of dcross_wq are wrong; the first is dcross_wq[0][0]. expected", said(of("08"), {**JUDGED["08"]["right"], "dcross_wq": [9] * 16})[0])
        self.assertEqual(derive_judge.count_of(of("05"), "dx", [0], [1]), "dx[0][0] is wrong.")

    def test_each_output_has_its_own_mistake(self):
        text = said_of_wrong("05", "two known")
        self.assertIn("In dx this is a known mistake: the mean of g is missing in dx: the way through the mean. In dbeta this is a known mistake: dbeta is overwritten,", text)
        self.assertNotIn("No known mistake", text)
        text = said_of_wrong("05", "one known")
        self.assertRegex(text, "In dbeta this is a known mistake: .* In dx no known mistake gives these numbers, or there are two mistakes at once. dgamma is right.")

    def test_what_learners_wrote_is_named(self):
        for number, slips in NAMED.items():
            for told in slips:
                with self.subTest(number, told=told):
                    self.assertRegex(said_of_wrong(number, told), f"This is a known mistake: .*{re.escape(told)}")

    def test_two_mistakes_that_meet_in_some_outputs(self):
        text = said_of_wrong("08", "two that meet")
        self.assertRegex(text, r"In [\w, ]+ this is a known mistake: the values' gradient is overwritten, .* In [\w, ]+ this is a known mistake: the root is in dq twice\.$")

    def test_what_is_0_up_to_rounding_is_not_taken_for_what_nothing_is_added_to(self):
        for name, told in (("dq by the query", "dq is 0 up to rounding"), ("dq by 0", "the queries get no gradient")):
            self.assertIn("This is a known mistake: " + told, said_of_wrong("08", name))

    def test_no_search_where_each_wrong_output_has_its_cause(self):
        self.assertTrue(said_of_wrong("05", "dbeta turned").endswith("Begin with dbeta: only the sign is wrong there."))
        for name, told in (("dbeta turned", "The sign is turned."), ("dbeta 0", "All of yours are 0. Did you write it? If several words add to it, use +=."),
                           ("divided by 0", "Is there a division by 0, or a number that was never set?")):
            text = said_of_wrong("05", name)
            self.assertIn(told, text)
            self.assertNotIn("nown mistake", text)
            self.assertNotIn("write down every way", text)
            self.assertNotIn("sums to nan", text)

    def test_nobody_asks_whether_it_is_written_if_the_mistake_is_known(self):
        unwritten = next(i for i, m in enumerate(of("03").mistakes) if m["says"].startswith("dv is not written"))
        self.assertNotIn("All of yours are 0", said(of("03"), JUDGED["03"][f"m{unwritten}"])[0])

    def test_a_gradient_that_is_0_is_no_known_mistake_where_all_wrong_ones_are(self):
        for number, name in (("06", "all are 0"), ("12", "all are 0")):
            self.assertNotIn("nown mistake", said_of_wrong(number, name))

    def test_wrong_numbers_that_are_0_are_told(self):
        self.assertRegex(said_of_wrong("03", "dv not of key 3"), r"All wrong numbers are in row 3\. All wrong numbers are 0 in yours\. Did you write them\?")

    def test_a_broken_sum_says_where_to_begin(self):
        for number, name, begin in (("05", "no gamma and no mean", "dgamma and dbeta are right. Begin with the term of the mean: it alone makes the sum of a row 0. Take one number of dx,"),
                                    ("05", "no gamma and half a variance", "dgamma and dbeta are right. Begin with the term of the variance: it makes these sums almost 0. Take one number of dx,"),
                                    ("03", "the sum over other keys", "dv is right. Begin with ds and its mean, which makes the ds of a query sum to 0. Take one number of dq,"),
                                    ("03", "dk by the keys, tripled", "dv and dq are right. Begin with the lines of dq and dk: no mistake in ds makes these two sums different. Take one number of dk,"),
                                    ("03", "dv tripled", "dq and dk are right. Take one number of dv,")):
            with self.subTest(name):
                self.assertIn(begin, said_of_wrong(number, name))

    def test_numbers_rounded_to_float_are_told_and_no_search(self):
        for name in ("ds as a float", "the root as a float"):
            text = said_of_wrong("03", name)
            self.assertIn("ok dv", text)
            self.assertTrue(text.endswith("The differences are as small as the rounding of a float: is one of your numbers a float? Here each is a double."), text)
            for words in ("nown mistake", "must", "Every wrong number is"):
                self.assertNotIn(words, text)
        self.assertNotIn("float", said(of("03"), {**JUDGED["03"]["right"], "dv": [number + 1e-5 for number in JUDGED["03"]["right"]["dv"]]})[0])

    def test_the_search_begins_near_the_mistake_and_not_where_ways_meet(self):
        text = said_of_wrong("08", "dk tripled by its row")
        self.assertIn("dcross_wo, dself_wo, dcross_wq, dself_wq and dn1 are right. Begin with the lines of dq and dk", text)
        self.assertIn("Take one number of dcross_wkv,", text)
        self.assertNotIn("so no factor shows", text)
        text = said_of_wrong("08", "dk by D")
        self.assertEqual(text.count("That is Nt or Ns or D: one factor too many, or one division too few?"), 2)
        self.assertEqual(text.count("Several ways meet here, and some of them are right: so no factor shows."), 2)
        self.assertTrue(text.endswith("Begin with dcross_wkv, columns 0 to 3, those of the keys (made from dk): only a factor is wrong there."))
        self.assertNotIn("nown mistake", text)
        self.assertIn("those of head 1, in the keys", said_of_wrong("08", "dy of head 1 by its row"))

    def test_a_row_that_is_0_in_any_case(self):
        skipped = next(i for i, m in enumerate(of("03").mistakes) if m["says"].startswith("p is missing in ds"))
        self.assertIn("no step of the query changes y.", said(of("03"), JUDGED["03"][f"m{skipped}"])[0])
        doubled = {**JUDGED["03"]["right"], "dq": [2 * number for number in JUDGED["03"]["right"]["dq"]]}
        self.assertIn("6 of 8 numbers of dq are wrong; the first is dq[1][0]. The other 2 are 0, and right. expected", said(of("03"), doubled)[0])
        self.assertNotIn("no step", said(of("03"), doubled)[0])


class Student(unittest.TestCase):
    """What a student types, in a folder of its own."""

    def setUp(self):
        self.one = derivation.Derivation(derivation.HERE / "05_layer_norm.toml")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for what in (mock.patch.object(derive, "ROOT", Path(self.folder.name)), mock.patch.object(derive_judge, "judge", lambda one, _: JUDGED[one.number]),
                     mock.patch.object(derive_judge, "numbers_of_student", lambda file, *more: SEEN.get(file.read_text(encoding="utf-8")) or COMPILE_AND_RUN(file, *more))):
            what.start()
            self.addCleanup(what.stop)
        self.one.file = Path(self.folder.name) / "build/exercises/05/derive.cpp"

    def graded(self, change=lambda text: text):
        """(exit status, what is printed, or the trouble) of a file that is plain.cpp with a change."""
        self.one.file.parent.mkdir(parents=True, exist_ok=True)
        self.one.file.write_text(change(self.one.plain()), encoding="utf-8")
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                status = derive.grade(self.one)
        except Trouble as trouble:
            return 1, plain(str(trouble).split("\n"))
        return status, plain(printed.getvalue().split("\n"))

    def graded_of(self, number, change):
        self.one, old = of(number), self.one
        with mock.patch.object(self.one, "file", old.file):
            return self.graded(change)

    def graded_student(self, number, name):
        """The same of a code of STUDENTS."""
        return self.graded_of(number, lambda text: of(number).changed(text, STUDENTS[number][name]))

    def test_the_way_of_a_student(self):
        with self.assertRaisesRegex(Trouble, "There is no build/exercises/05/derive.cpp yet: make exercise CHAPTER=05 DERIVE=1"):
            derive.grade(self.one)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            derive.start(self.one)
        self.assertIn("\nWrite the body with the TODO, and delete the TODO. Then:\n  make grade CHAPTER=05 DERIVE=1\n", printed.getvalue())
        with self.assertRaisesRegex(Trouble, "derive.cpp:[0-9]+: this body is not written yet"):
            derive.grade(self.one)
        self.one.file.write_text("mine", encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            derive.start(self.one)
        self.assertIn("stays as it is", printed.getvalue())
        self.assertEqual(self.one.file.read_text(encoding="utf-8"), "mine")
        with mock.patch.object(derive_judge, "judge", JUDGE):
            status, text = self.graded()
        self.assertEqual(status, 0)
        self.assertIn("All gradients are right. Compare your steps with the derivation in the lesson: eq:5.5 to eq:5.7.", text)
        self.assertIn("ok the same in a second run with N = 3 in place of N = 4, where the gradients hold other numbers before", text)

    def test_each_equation_of_the_bodies_is_named_with_its_chapter(self):
        for number, told in (("08", ": eq:8.4, and eq:3.7 to eq:3.11 of chapter 03. "), ("07", ": eq:7.4 and eq:7.6, and eq:3.7 and eq:3.8 of chapter 03, and eq:6.5 of chapter 06. "), ("09", ". ")):
            with mock.patch.object(derive_judge, "judged", return_value=([], True)):
                self.assertIn(f"Compare your steps with the derivation in the lesson{told}The same on arrays", self.graded_of(number, lambda t: t)[1])

    def test_what_is_asked(self):
        for one in ALL:
            asked = "each body with a TODO" if one.number == "09" else "the body with the TODO"
            self.assertEqual(one.asked, asked)
            self.assertIn(f" Write {asked}.\n", one.blank())

    def test_a_sign_that_does_not_show_among_zeros_is_seen_with_other_numbers(self):
        text = self.graded_student("05", "turned among zeros")[1]
        self.assertIn("In dgamma this is a known mistake: dgamma is the sum of dy alone", text)
        self.assertNotIn("dbeta is overwritten", text)

    def test_right_on_the_lesson_alone_is_not_right(self):
        status, text = self.graded_student("05", "right on the lesson")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"The numbers of the lesson are right. But the check in main has other numbers, and their small steps differ by [\d.]+. "
                               r"no All 4 numbers of dgamma are wrong; the first is dgamma\[0\]. expected")

    def test_a_mean_over_the_wrong_size_is_not_right(self):
        status, text = self.graded_student("05", "mean over N")
        self.assertEqual(status, 1)
        self.assertIn("ok dx", text)
        self.assertIn("The numbers of the lesson are right. But with N = 3 in place of N = 4, small steps of each number differ by", text)

    def test_what_the_numbers_of_the_lesson_cannot_show_is_seen_in_the_second_run(self):
        for number, name, told in (("00", "a column less", "But with in = 5 in place of in = 4, small"), ("03", "keys up to T", "But with T = 3 in place of T = 4 and no key hidden, small"),
                                   ("04", "the mean up to T", "But with T = 3 in place of T = 4, small"),
                                   ("12", "a row by its word", "But with begin[B] = {0, 5}, end[B] = {5, 6} in place of begin[B] = {0, 4}, end[B] = {4, 6}, small")):
            with self.subTest(number):
                status, text = self.graded_student(number, name)
                self.assertEqual(status, 1)
                self.assertIn(told, text)

    def test_what_is_not_written_is_told(self):
        for name, told in (("dx not written", "dx is not written: it holds what main put there."), ("dx from column 1", "Not all of dx is written. 4 of 16 numbers hold what main put there: column 0."),
                           ("dx but the last row", "Not all of dx is written. 4 of 16 numbers hold what main put there: row 3.")):
            status, text = self.graded_student("05", name)
            self.assertEqual(status, 1)
            self.assertTrue(text.strip().endswith(told), text)
            for words in ("nown mistake", "must", "Begin with"):
                self.assertNotIn(words, text)

    def test_whole_numbers_are_told_with_their_line_and_no_missing_term(self):
        for name, told in (("1 / D", "no Line 37 divides whole numbers: 1 / D is 0. Write 1.0 / D."),
                           ("a sum of whole numbers", "no Line 39 stores a double in a whole number (int, size_t, or auto with = 0): all behind the point is lost. Declare it as double.")):
            status, text = self.graded_student("05", name)
            self.assertEqual(status, 1)
            self.assertTrue(text.strip().endswith(told), text)
            self.assertNotIn("nown mistake", text)

    def test_only_a_quotient_that_loses_something_is_told(self):
        for code, told in (("a = 1 / D;", "1 / D is 0. Write 1.0 / D."), ("a = b - 1/D * c;", "1/D is 0. Write 1.0 / D."), ("a = b * (-1 / D);", "-1 / D is 5e+18, because sizes have no sign. Write -1.0 / D."),
                           ("return f(b, (D - 1) / D);", "(D - 1) / D is 0. Write double(D - 1) / D."), ("a = -1 / 2 * b;", "-1 / 2 is 0. Write -1.0 / 2."),
                           ("a = b * 1 / D;", ""), ("a = b * -1 / D;", ""), ("a = b[i] - D / 2;", ""), ("a = 1.0 / D - 1 / 2.0;", ""), ("a = double(1) / D + (double)1 / D;", ""), ("b[i / 3] = 1e-5 / D;  // 1 / D", ""),
                           ("const double D = 3, a = 1 / D;", ""), ("const size_t half = (D - 1) / 2;", ""), ("a = 1 / D[i] + 3 / x;", "")):
            with self.subTest(code):
                text = of("05").plain().replace("    Vec xhat(D), g(D);", f"    {code}")
                self.assertEqual([line.split("whole numbers: ")[1] for line in derive_text.whole_divisions(of("05"), text)], [told] if told else [])
        for one in ALL:
            self.assertEqual(derive_text.whole_divisions(one, one.plain()) + derive_text.whole_numbers(one, one.plain(), one.source), [])

    def test_arguments_in_the_wrong_order_are_asked_for(self):
        text = self.graded_of("08", lambda t: t.replace("  linear_backward(a.kv, m, a.wkv);", "  linear_backward(m, a.kv, a.wkv);"))[1]
        self.assertIn("The order is linear_backward(out, in, w): are two of them exchanged? 79 | linear_backward(m, a.kv, a.wkv);", text)

    def test_a_loop_over_the_keys_that_a_query_sees_is_asked_for(self):
        status, text = self.graded_student("03", "keys up to t")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"and no key hidden, small steps of each number differ by [\d.]+\. Does a loop over the keys end at t\? No key is hidden here, and p alone says which are. Over which size")

    def test_a_root_and_a_column_of_the_wrong_size_are_not_right(self):
        for name in ("the root of H", "columns by H"):
            status, text = self.graded_student("08", name)
            self.assertEqual(status, 1)
            self.assertIn("But with Nt = 4, Ns = 5, D = 6 in place of Nt = 4, Ns = 4, D = 4, small steps of each number differ by", text)
            self.assertIn("and which one stands under a root?", text)

    def test_a_gradient_that_is_cleared_or_kept_is_told_by_its_name(self):
        status, text = self.graded_student("08", "cleared")
        self.assertEqual(status, 1)
        self.assertIn("But in a second run dmemory held other numbers before backward was called, and did not keep them.", text)
        status, text = self.graded_student("10", "kept")
        self.assertEqual(status, 1)
        self.assertIn("But in a second run dx and dtable held other numbers before backward was called, and they count.", text)

    def test_a_mean_in_the_sum_is_told_before_what_was_held(self):
        status, text = self.graded_student("05", "mean over N, cleared")
        self.assertEqual(status, 1)
        self.assertIn("with N = 3 in place of N = 4", text)

    def test_a_loop_up_to_the_wrong_size_is_told_with_the_sizes(self):
        status, text = self.graded_of("08", lambda t: t.replace("t < x.v.size(); ++t) {\n      const Row& p", "t < m.v.size(); ++t) {\n      const Row& p"))
        self.assertEqual(status, 1)
        self.assertIn("The numbers of the lesson are right. But in a second run with Nt = 4, Ns = 5, D = 6 in place of Nt = 4, Ns = 4, D = 4, an index is outside of its vector or array, in line 65 of derive.cpp, or two Rows of different lengths "
                      "meet there (part() has Dk numbers): which loop runs up to the wrong size?", text)

    def test_a_slice_beyond_its_row_is_found_with_its_line(self):
        text = self.graded_of("08", lambda t: t.replace("part(a.y.d[t], at);", "part(a.y.d[t], D + at);"))[1]
        self.assertIn("An index is outside of its vector or array, in line 66 of derive.cpp, or two Rows of different lengths meet there (part() has Dk numbers). Compare each index with the sizes in the comments. 66 | const Row dy", text)

    def test_the_right_code_passes_the_second_run(self):
        source, program = Path(self.folder.name) / "right.cpp", Path(self.folder.name) / "right"
        source.write_text(program_of({f"chapter{one.number}": one.second_run(one.plain()) for one in ALL}, []), encoding="utf-8")
        self.assertEqual(derive_judge.compiled(source, program, *derive_judge.CHECKS, "-g1", "-fsanitize=address"), "")
        done = subprocess.run([program], capture_output=True, text=True, env={**os.environ, "ASAN_OPTIONS": derive_judge.ASAN})
        self.assertEqual(done.returncode, 0, done.stderr)
        numbers = derive_judge.numbers_by_name(done.stdout)
        for one in ALL:
            with self.subTest(one.chapter):
                told = derive_judge.second_run(one, Path(self.folder.name) / "sizes", numbers[f"chapter{one.number}"], JUDGED[one.number]["second"])
                self.assertRegex(told[0], "^ok    the same in a second run")

    def test_programs_that_do_not_end_well(self):
        for change, words in ((lambda t: t.replace("g[d] = gamma", "g[D + 9] = gamma"), "An index is outside of its vector or array, in line 36 of derive.cpp. Compare"),
                              (lambda t: t.replace("double mean_g = 0, mean_gx = 0;", "double mean_g = 0, mean_gx = 0, few[2] = {};\n    for (size_t d = 0; d < D; ++d) few[d] += 1;"), "An index is outside of its vector or array, in line 32 of derive.cpp. Compare"),
                              (lambda t: t.replace("g[d] = gamma", "g[d] = gama"), "derive.cpp:36: ")):
            with self.subTest(words):
                status, text = self.graded(change)
                self.assertEqual(status, 1)
                self.assertIn(words, text)
        for name, words in (("another forward pass", "rstd is not as plain.cpp prints it"), ("nothing printed", "dx is not as plain.cpp prints it")):
            status, text = self.graded_student("05", name)
            self.assertEqual(status, 1)
            self.assertIn(words, text)
        with mock.patch.object(derive_judge, "SECONDS", 1):
            self.assertIn("does not end", self.graded(lambda t: t.replace("    Vec xhat(D), g(D);", "    while (N) {}\n    Vec xhat(D), g(D);"))[1])

    def test_a_sum_without_a_first_value_is_told_with_its_line(self):
        text = self.graded(lambda t: t.replace("double mean_g = 0, mean_gx = 0;", "double mean_g = 0, mean_gx;"))[1]
        self.assertRegex(text, "no mean_gx is added to, but it has no first value \\(line 31\\): it begins with any number. Write double mean_gx = 0; $")
        self.assertNotIn("nown mistake", text)

    def test_only_a_sum_without_a_first_value_is_told(self):
        for code, names in (("double s[S];\n  s[i] += 1;", ["s"]), ("double s[S] = {}, a;\n  a+=s[0];", ["a"]), ("double s[S], a;\n  for (i) s[i] = 0;\n  a = 1, s[i] += a, a += 1;", []),
                            ("double s[S];\n  std::fill(s, s + S, 0.0);\n  s[i] += 1;", []), ("double a;\n  set(&a);\n  a += 1;", []), ("double s[S], a = s[0] == a;\n  s[i] -= 1;", ["s"])):
            with self.subTest(code):
                text = re.sub(r"(void attention_backward\([^{]*\{).*?^\}", lambda m: f"{m[1]}\n  {code}\n}}", of("03").plain(), flags=re.M | re.S)
                self.assertEqual([name for name, _, _ in derive_text.never_set(of("03"), text)], names)
        for one in ALL:
            self.assertEqual(derive_text.never_set(one, one.plain()), [])

    def test_options_that_do_not_go_together(self):
        for words in (["grade", "05", "layer_norm"], ["grade", "05", "--json", "a.json"], ["hint", "05", "--again", "1"]):
            with mock.patch.object(sys, "argv", ["exercise.py", *words, "--derive"]), self.assertRaisesRegex(Trouble, "do not go together"):
                exercise.main()
        with mock.patch.object(sys, "argv", ["exercise.py", "grade", "", "layer_norm"]), self.assertRaisesRegex(Trouble, "Say which chapter"):
            exercise.main()

    def test_watch_grades_each_save_and_goes_on_after_trouble(self):
        self.one.file.parent.mkdir(parents=True, exist_ok=True)
        self.one.file.write_text("one", encoding="utf-8")
        seen = []

        def grade_it():
            seen.append(self.one.file.read_text(encoding="utf-8"))
            if len(seen) == 2:
                raise KeyboardInterrupt
            raise Trouble("a reason")
        with mock.patch("time.sleep", lambda _: self.one.file.write_text("another", encoding="utf-8")), \
             contextlib.redirect_stdout(io.StringIO()) as printed, self.assertRaises(KeyboardInterrupt):
            exercise.watch(self.one.file, grade_it)
        self.assertEqual(seen, ["one", "another"])
        self.assertIn("a reason\n\nWaiting for a change of build/exercises/05/derive.cpp", printed.getvalue())

    def test_hints_are_the_facts(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            derive.hint(self.one)
        self.assertIn("Begin with the gradient g of xhat.", re.sub(r"\s+", " ", printed.getvalue()))

    def test_no_compiler(self):
        with mock.patch.dict(os.environ, {"CXX": "no-such-compiler"}):
            self.assertIn("There is no compiler 'no-such-compiler'. On Debian and Ubuntu: sudo apt-get install g++", self.graded()[1])

    def test_chapters(self):
        for chapter in ("", "11", "x", "99"):
            with self.assertRaisesRegex(Trouble, "00, 01, 02, 03, 04, 05, 06, 07, 08, 09, 10, 12"):
                derivation.derivation_of(chapter)
        self.assertEqual(derivation.derivation_of("5").number, "05")


if __name__ == "__main__":
    unittest.main()
