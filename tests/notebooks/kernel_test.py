#!/usr/bin/env python3
"""Tests the notebooks' kernel: values, output, errors with their lines, exceptions, the interrupt. Run by make check-notebooks.

    build/notebook/bin/python tests/notebooks/kernel_test.py
"""
import sys
import threading
import time
import unittest
from pathlib import Path

from jupyter_client.manager import start_new_kernel

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "notebooks" / "kernel"))
from cells import pieces  # noqa: E402


class Cells(unittest.TestCase):
    def test_pieces(self):
        cell = ('#include <vector>\n\n#include "a.hpp"\nint x = 3;  // }\nif (x) {\n  f("};");\n} else {\n  g();\n}\n'
                "int h(int a) {\n  return a;\n}\nx + 1  // its value")
        found = [(piece.kind, piece.line) for piece in pieces(cell)]
        self.assertEqual(found, [("definition", 1), ("statement", 4), ("statement", 5), ("definition", 10), ("expression", 13)])

    def test_what_goes_on(self):
        for cell in ("do { f(); } while (g());", "std::vector<int> v{1, 2};", "auto f = [](int a) { return a; };",
                     "try { f(); } catch (...) { g(); }"):
            self.assertEqual([piece.kind for piece in pieces(cell)], ["statement"], cell)


class KernelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.manager, cls.client = start_new_kernel(kernel_name="xcpp17", cwd=str(ROOT / "notebooks"))

    @classmethod
    def tearDownClass(cls):
        cls.client.stop_channels()
        cls.manager.shutdown_kernel(now=True)

    def run_cell(self, code):
        """What the cell shows: {"stdout": text, "text/plain": text, "error": text}, and when each came."""
        self.shown, self.times = {}, {}

        def take(message):
            content = message["content"]
            forms = {content["name"]: content["text"]} if message["msg_type"] == "stream" else content.get("data", {})
            if message["msg_type"] == "error":
                forms = {"error": f'{content["ename"]}: {content["evalue"]}'}
            for kind, text in forms.items():
                self.shown[kind] = self.shown.get(kind, "") + text
                self.times.setdefault(kind, time.monotonic())
        self.client.execute_interactive(code, output_hook=take, timeout=60)
        self.end = time.monotonic()
        return self.shown

    def test_values(self):
        self.assertEqual(self.run_cell("1 + 1")["text/plain"], "2")
        self.assertEqual(self.run_cell("int silent = 3;"), {})
        self.assertEqual(self.run_cell("std::vector<int> list{1, 2};\nlist")["text/plain"], "{ 1, 2 }")

    def test_rich_value(self):
        self.run_cell('#include "gradus.hpp"')
        shown = self.run_cell("Matrix{{1, 2}, {3, 4}};\nMatrix m{{1, 2}, {3, 4}};\nm")
        self.assertIn("<td>4.000</td>", shown["text/html"])

    def test_not_a_number_is_different(self):
        self.run_cell('#include "gradus.hpp"\nMatrix one{{1, 2}, {3, 4}};\nMatrix other{{1, NAN}, {3, 4}};')
        self.assertIn("DIFFERENT, at [0, 1]", self.run_cell('compare("a", one, other);')["stdout"])
        sum_of = "[](const Matrix& x) { double sum = 0; for (double v : x.values) sum += v; return sum; }"
        shown = self.run_cell(f'check_gradient("nan", {sum_of}, one, Matrix{{{{1, NAN}}, {{1, 1}}}});')
        self.assertIn("DIFFERS  at [0, 1]", shown["text/plain"])
        shown = self.run_cell(f'check_gradient("right", {sum_of}, one, Matrix{{{{1, 1}}, {{1, 1}}}});')
        self.assertIn("agrees", shown["text/plain"])

    def test_changed_and_run_again(self):
        self.run_cell("int number = 1;")
        self.run_cell("int twice(int a) {\n  return 2 * a;\n}")
        self.run_cell("double number = 2.5;")
        self.run_cell("double twice(double a) {\n  return 2 * a;\n}")
        self.assertEqual(self.run_cell("twice(number)")["text/plain"], "5")

    def test_constant_made_from_a_variable_of_the_same_cell(self):
        self.run_cell("std::vector<int> three{1, 2, 3};\nconst std::size_t size = three.size();\n"
                      "const std::size_t other = size + three.size();")
        self.assertEqual(self.run_cell("other")["text/plain"], "6")

    def test_output_while_it_runs(self):
        self.run_cell('#include <unistd.h>\nstd::cout << "first" << std::endl;\nusleep(700000);')
        self.assertGreater(self.end - self.times["stdout"], 0.5)

    def test_compile_errors_have_cell_and_line(self):
        error = self.run_cell("int fine = 1;\nint wrong = not_there + 1;")["error"]
        self.assertRegex(error, r"cell \[\d+\], line 2: use of undeclared identifier 'not_there'")
        error = self.run_cell("int f(int a) {\n\n  return a + missing;\n}")["error"]
        self.assertRegex(error, r"cell \[\d+\], line 3: use of undeclared identifier 'missing'")
        self.assertEqual(self.run_cell("1 + 2")["text/plain"], "3")

    def test_exceptions(self):
        error = self.run_cell('int before = 1;\nthrow std::runtime_error("no such file");')["error"]
        self.assertRegex(error, r"^Exception: cell \[\d+\], line 2: no such file$")
        self.assertEqual(self.run_cell("before")["text/plain"], "1")

    def test_memory_fault(self):
        self.assertIn("restart the kernel", self.run_cell("int* nowhere = nullptr;\n*nowhere = 1;")["error"])
        self.assertEqual(self.run_cell("2 + 2")["text/plain"], "4")

    def test_interrupt(self):
        for loop in ("for (volatile long i = 0;; i = i + 1) {}", "for (;;) std::string text(1000, 'a');"):
            threading.Timer(0.7, self.manager.interrupt_kernel).start()
            self.assertIn("Interrupted", self.run_cell(loop)["error"])
            self.assertEqual(self.run_cell("3 + 3")["text/plain"], "6")

    def test_completion(self):
        self.run_cell("int remarkable_name = 1;")
        reply = self.client.complete("remark", 6, reply=True, timeout=20)["content"]
        self.assertEqual(reply["matches"], ["remarkable_name"])


if __name__ == "__main__":
    unittest.main()
