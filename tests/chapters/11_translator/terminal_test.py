#!/usr/bin/env python3
"""The program on a terminal: the prompt, the progress bar, Ctrl-C, and a terminal that is closed.

    terminal_test.py PROGRAM TOY        PROGRAM is gradus, TOY the folder of the toy corpus
"""
import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

PROGRAM, TOY = sys.argv[1:3]
LIMIT_S = 60
ESCAPE = "\x1b"


class Terminal:
    """A program whose three streams are a terminal."""

    def __init__(self, *arguments, **environment):
        self.master, slave = pty.openpty()
        self.shown = ""
        surroundings = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        surroundings.update({"TERM": "xterm", **environment})
        self.process = subprocess.Popen([PROGRAM, *arguments], stdin=slave, stdout=slave, stderr=slave, env=surroundings,
                                        preexec_fn=self.take_terminal)
        os.close(slave)

    @staticmethod
    def take_terminal():  # keys such as Ctrl-C become signals only of the terminal that controls a session
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def wait_for(self, pattern):
        """All that was shown up to where the pattern ends; what follows is left for the next call."""
        end = time.monotonic() + LIMIT_S
        while not (found := re.search(pattern, self.shown)):
            if time.monotonic() > end or not self.receive(end - time.monotonic()):
                raise AssertionError(f"no {pattern!r} in {self.shown!r}")
        before, self.shown = self.shown[:found.end()], self.shown[found.end():]
        return before

    def receive(self, seconds):
        """Reads what is there; False once nothing can come any more."""
        if not select.select([self.master], [], [], max(0, seconds))[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        """(exit status, the rest that was shown)."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end and self.receive(0.2):
            pass
        return self.process.wait(LIMIT_S), self.shown

    def close(self):
        os.close(self.master)

    def kill(self):
        self.process.kill()
        self.process.wait()


def training(output, *more):
    pairs = [f"--{part}-{side}={TOY}/{part}.{language}" for part in ("train", "valid")
             for side, language in (("source", "en"), ("target", "de"))]
    sizes = "--vocab-size 200 --d-model 16 --heads 2 --layers 1 --ffn 32 --batch-tokens 600 --epochs 2000".split()
    return ["train", *pairs, *sizes, f"--output={output}", *more]


class OnATerminal(unittest.TestCase):
    def terminal(self, *arguments, **environment):
        """A program that is gone when the test is over, however it ended."""
        one = Terminal(*arguments, **environment)
        self.addCleanup(one.kill)
        return one


class Prompt(OnATerminal):
    def test_answers_until_an_empty_line(self):
        terminal = self.terminal("translate")
        self.assertIn("Type an English sentence", terminal.wait_for("> "))
        terminal.type("A dog runs through the snow.\n")
        self.assertIn("Hund", terminal.wait_for("> "))
        terminal.type("\n")
        self.assertEqual(terminal.end()[0], 0)

    def test_a_byte_order_mark_alone_is_an_empty_line(self):
        terminal = self.terminal("translate")
        terminal.wait_for("> ")
        terminal.type("\ufeffA dog runs through the snow.\n")
        self.assertIn("Hund", terminal.wait_for("> "))
        terminal.type("\ufeff\n")
        self.assertEqual(terminal.end()[0], 0)

    def test_a_page_of_attention_keeps_every_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.html")
            terminal = self.terminal("translate", "--attention", str(page))
            terminal.wait_for("> ")
            for sentence in ("A dog runs.", "A cat sleeps."):
                terminal.type(sentence + "\n")
                terminal.wait_for(r"[.]\r?\n> ")
            terminal.type("\x04")  # Ctrl-D
            status, shown = terminal.end()
            self.assertEqual(status, 0)
            self.assertTrue(shown.endswith("\n"), repr(shown))
            text = page.read_text()
            self.assertIn("A dog runs.", text)
            self.assertIn("A cat sleeps.", text)

    def test_the_german_one_says_that_it_reads_german(self):
        terminal = self.terminal("translate", "--model", "de-en")
        self.assertIn("Type a German sentence", terminal.wait_for("> "))
        terminal.type("Ein Hund rennt durch den Schnee.\n")
        self.assertIn("dog", terminal.wait_for("> "))
        terminal.type("\x04")  # Ctrl-D
        self.assertEqual(terminal.end()[0], 0)

    def test_a_model_of_ones_own_is_not_said_to_know_captions(self):
        with tempfile.TemporaryDirectory() as folder:
            own = Path(folder, "own")
            done = subprocess.run([PROGRAM, *training(own, "--max-steps=1")], stderr=subprocess.PIPE, text=True, check=False)
            self.assertTrue((own / "model.json").exists(), done.stderr)
            terminal = self.terminal("translate", "--model", str(own))
            self.assertNotRegex(terminal.wait_for("> "), "English|caption")
            terminal.type("\x04")  # Ctrl-D
            self.assertEqual(terminal.end()[0], 0)


class Training(OnATerminal):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.run_folder = Path(folder.name, "run")

    def begin(self, **environment):
        terminal = self.terminal(*training(self.run_folder), **environment)
        return terminal, terminal.wait_for(r"step [1-9]\d*/.*left")

    def interrupt(self, terminal):
        terminal.type("\x03")
        status, rest = terminal.end()
        self.assertEqual(status, 130, rest)
        self.assertIn("interrupted and saved", rest)

    def test_a_bar_that_moves_and_control_c(self):
        terminal, shown = self.begin()
        self.assertIn("\r" + ESCAPE + "[K", shown)
        self.assertIn(ESCAPE + "[32m", shown)
        self.interrupt(terminal)

    def test_no_colour(self):
        terminal, shown = self.begin(NO_COLOR="1")
        self.assertRegex(shown, r"\[=* *\] step")
        self.assertNotIn(ESCAPE + "[3", shown)
        self.interrupt(terminal)

    def test_a_dumb_terminal_gets_lines(self):
        terminal = self.terminal(*training(self.run_folder), TERM="dumb")
        shown = terminal.wait_for(r"translation .*\n")  # of the first validation
        self.assertNotIn(ESCAPE, shown)
        self.interrupt(terminal)

    def test_a_closed_terminal_saves(self):
        terminal, _ = self.begin()
        terminal.close()  # SIGHUP
        self.assertIn(terminal.process.wait(LIMIT_S), (130, -signal.SIGHUP))
        done = subprocess.run([PROGRAM, *training(self.run_folder, "--max-steps=1")], stderr=subprocess.PIPE, text=True, check=False)
        self.assertIn("going on after step", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
