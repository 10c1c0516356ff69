#!/usr/bin/env python3
"""Tests the program on a terminal: the prompt, the progress bar, Ctrl-C, and a terminal that is closed.

    terminal_test.py PROGRAM TOY        PROGRAM is gradus, TOY the folder of the toy corpus
"""
import fcntl
import http.server
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest
from pathlib import Path

PROGRAM, TOY = sys.argv[1:3]
LIMIT_S = 300  # only how long a hanging program is waited for; with a sanitizer, a slow machine needs minutes
ESCAPE = "\x1b"
RENEWED = "\r" + ESCAPE + "[K"


# Leads the session of a program, as a shell does. When a leader ends, the system puts the terminal into its first state. So the
# leader writes down before in which state the program has left it.
LEADER = """
import os, signal, subprocess, sys, termios
signal.signal(signal.SIGINT, lambda *_: None)
child = subprocess.Popen(sys.argv[2:])
signal.signal(signal.SIGHUP, lambda *_: child.send_signal(signal.SIGHUP))
status = child.wait()
try:
    os.write(int(sys.argv[1]), b"%d" % termios.tcgetattr(0)[3])
except termios.error:
    pass  # the terminal is closed
if status < 0:
    signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
sys.exit(status)
"""


class Terminal:
    """A program whose three streams are a terminal."""

    def __init__(self, *arguments, columns=80, stdout=None, stderr=None, **environment):
        self.master, slave = pty.openpty()
        self.screen = os.ttyname(slave)
        self.left, left = os.pipe()
        self.shown = ""
        self.resize(columns)
        surroundings = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM", "COLUMNS")}
        surroundings.update({"TERM": "xterm", **environment})
        self.process = subprocess.Popen([sys.executable, "-c", LEADER, str(left), PROGRAM, *arguments], stdin=slave,
                                        stdout=stdout or slave, stderr=stderr or slave, env=surroundings, pass_fds=[left],
                                        preexec_fn=self.take_terminal)
        os.close(slave)
        os.close(left)

    @staticmethod
    def take_terminal():  # keys such as Ctrl-C become signals only of the terminal that controls a session
        os.setsid()
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)  # nohup has SIGHUP ignored, a shell's & SIGINT
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def modes_left(self):
        """The local modes of the terminal (termios) when the program had ended."""
        return int(os.read(self.left, 20))

    def wait_for(self, pattern):
        """The output up to the end of the pattern; the rest is left for the next call."""
        end = time.monotonic() + LIMIT_S
        while not (found := re.search(pattern, self.shown)):
            if time.monotonic() > end or not self.receive(end - time.monotonic()):
                raise AssertionError(f"no {pattern!r} in {self.shown!r}")
        before, self.shown = self.shown[:found.end()], self.shown[found.end():]
        return before

    def receive(self, seconds):
        """Reads the available output; returns False at the end of the stream."""
        if not select.select([self.master], [], [], max(0, seconds))[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)

    def wait_for_editor(self):
        """Returns when the program's line editor shows what is typed, and the terminal does not."""
        end = time.monotonic() + LIMIT_S
        while termios.tcgetattr(self.master)[3] & termios.ECHO:
            if time.monotonic() > end:
                raise AssertionError("the line editor does not take the terminal")
            time.sleep(0.01)

    def resize(self, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def lines_drawn(self, count):
        """The next so many lines that renewed themselves, without their colours, once one more has begun."""
        text = self.wait_for(f"(?s)({re.escape(RENEWED)}[^\r]*){{{count}}}(?={re.escape(RENEWED)})")
        return [re.sub(ESCAPE + r"\[[0-9;]*m", "", part) for part in text.split(RENEWED)[-count:]]

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
        """A program that ends with the test, even if the test fails."""
        one = Terminal(*arguments, **environment)
        self.addCleanup(one.kill)
        return one


class Pipe(unittest.TestCase):
    def test_every_line_is_answered_before_the_next_one_is_sent(self):
        with subprocess.Popen([PROGRAM, "translate"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            self.addCleanup(program.kill)
            for sentence, word in (("A dog runs.", "Hund"), ("", ""), ("Two men are cooking.", "Männer")):
                program.stdin.write(sentence + "\n")
                program.stdin.flush()
                self.assertTrue(select.select([program.stdout], [], [], LIMIT_S)[0], "no answer")
                self.assertIn(word, program.stdout.readline())
            program.stdin.close()
            self.assertEqual(program.wait(LIMIT_S), 0)


class Prompt(OnATerminal):
    def begin(self, *arguments, **environment):
        terminal = self.terminal("translate", *arguments, **environment)
        terminal.wait_for("> ")
        return terminal

    def ask(self, terminal, typed, answer):
        """Types a line; the answer is followed by the next prompt."""
        terminal.type(typed + "\n")
        shown = terminal.wait_for("(?s)" + answer + ".*> ")
        self.assertNotIn("warning", shown)
        return shown

    def finish(self, terminal, typed, status=0):
        terminal.type(typed)
        ended, shown = terminal.end()
        self.assertEqual(ended, status, shown)
        modes = terminal.modes_left()
        self.assertTrue(modes & termios.ECHO and modes & termios.ICANON, "the terminal is left as it was")
        return shown

    def test_answers_until_control_d(self):
        terminal = self.terminal("translate")
        self.assertIn("Type an English sentence; exit, quit or Ctrl-D ends.", terminal.wait_for("> "))
        self.ask(terminal, "A dog runs through the snow.", "Hund")
        self.assertTrue(self.finish(terminal, "\x04").endswith("\n"))

    def test_exit_and_quit_end(self):
        for word in ("exit", "quit", " quit"):
            self.finish(self.begin(), word + "\n")

    def test_each_translation_has_the_number_of_its_sentence(self):
        terminal = self.begin("--n-best=2")
        for number, sentence in (("1", "A dog runs."), ("2", "Two men are cooking."), ("3", "A cat sleeps.")):
            terminal.wait_for_editor()
            terminal.type(sentence + "\n \n")
            shown = terminal.wait_for("(?s)\\d\t.*\\d\t.*> .*> ")
            self.assertEqual(re.findall(r"(\d)\t", shown), [number] * 2)
        self.finish(terminal, "\x04")

    def test_an_empty_line_asks_again(self):
        terminal = self.begin()
        for empty in ("", "  ", "\ufeff"):
            terminal.wait_for_editor()  # before it, the terminal itself would show a second line end
            terminal.type(empty + "\n")
            shown = terminal.wait_for("> ")
            self.assertNotIn("warning", shown)
            self.assertEqual(shown.count("\n"), 1, "no answer, not even an empty one")
        self.ask(terminal, "\ufeffA dog runs.", "Hund")
        self.finish(terminal, "\x04")

    def test_cursor_keys_edit_the_line_and_bring_the_last_one_back(self):
        terminal = self.begin()
        left = ESCAPE + "[D"
        self.ask(terminal, "A runs." + left * 5 + "dog ", "Ein Hund rennt")
        self.ask(terminal, "Two men are cooking.", "Männer")
        up = ESCAPE + "[A"
        self.ask(terminal, up, "Männer")
        self.ask(terminal, up + up, "Ein Hund rennt")  # the same line twice is remembered once
        self.finish(terminal, "\x04")

    def test_a_sentence_may_have_umlauts_in_any_locale(self):
        for language in ("C.UTF-8", "C", "xx_YY.ISO-8859-1"):
            terminal = self.begin("--model", "de-en", LC_ALL=language)
            self.ask(terminal, "Zwei Mnner laufen." + (ESCAPE + "[D") * 12 + "ä", "men")
            self.ask(terminal, "Ein Mädchen läuft über die Straße.", "girl")
            self.finish(terminal, "\x04")

    def test_control_c_ends(self):
        terminal = self.begin()
        terminal.type("A dog")
        terminal.wait_for("dog")
        self.finish(terminal, "\x03", -signal.SIGINT)  # which a shell shows as 130

    def test_a_control_character_is_refused_and_the_conversation_goes_on(self):
        terminal = self.begin(TERM="dumb")
        terminal.type("A \x16\x1bdog.\n")  # Ctrl-V lets a terminal take the next key as it is
        self.assertIn("what you typed: the control character U+001B", terminal.wait_for("> "))
        self.ask(terminal, "A dog.", "Hund")
        self.finish(terminal, "\x04")

    def test_a_dumb_terminal_and_one_without_a_name(self):
        for environment in ({"TERM": "dumb"}, {"TERM": ""}):
            terminal = self.begin(**environment)
            shown = self.ask(terminal, "A dog runs.", "Hund")
            self.assertNotIn(ESCAPE, shown)
            self.finish(terminal, "\x04")

    def test_streams_that_are_files(self):
        for stream in ("stdout", "stderr"):
            with tempfile.NamedTemporaryFile("r") as file:
                terminal = self.begin(**{stream: file})
                terminal.type("A dog runs.\n")
                shown = terminal.wait_for("> ")
                if stream == "stdout":
                    end, text = time.monotonic() + LIMIT_S, ""
                    while "Hund" not in text and time.monotonic() < end:
                        time.sleep(0.01)
                        text = Path(file.name).read_text(encoding="utf-8")  # `file` has the position of the program
                    self.assertIn("Hund", text, "an answer reaches its file before the next question")
                self.finish(terminal, "\x04")
                file.seek(0)
                text = file.read()
                here, there = (text, shown) if stream == "stdout" else (shown, text)
                self.assertIn("Hund", here)
                self.assertNotIn("Hund", there)
                self.assertNotIn("> ", text)

    def test_a_page_of_attention_keeps_every_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.html")
            terminal = self.begin("--attention", str(page))
            self.ask(terminal, "A dog runs.", "Hund")
            self.ask(terminal, "A cat sleeps.", "Katze")
            self.finish(terminal, "\x04")
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
        self.assertIn(RENEWED, shown)
        self.assertIn(ESCAPE + "[32m", shown)
        self.interrupt(terminal)

    def test_the_line_that_renews_itself_fits_whatever_the_width(self):
        terminal = self.terminal(*training(self.run_folder, "--valid-every=1000000"))
        fields = {80: "^=+ step .*epoch .*loss .*tokens/s .* left$", 40: "^=* ?step .* left$", 12: "^=* ?(step [0-9/]+|[0-9]+%)$",
                  5: "^[0-9]+%$", 132: "^={20} step .*epoch .*loss .*rate .*tokens/s .* left$"}
        for columns, expected in fields.items():
            terminal.resize(columns)
            terminal.lines_drawn(1)  # one may have been under way
            for line in terminal.lines_drawn(3):
                self.assertLess(len(line), columns, line)
                self.assertRegex(line, expected)
        self.interrupt(terminal)

    def test_a_terminal_that_does_not_say_its_width(self):
        terminal = self.terminal(*training(self.run_folder, "--valid-every=1000000"), columns=0, COLUMNS="40")
        self.assertLess(max(map(len, terminal.lines_drawn(3))), 40)
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


class Signals(unittest.TestCase):
    def test_a_signal_that_is_ignored_stays_so_as_under_nohup(self):
        def steps():
            return log.read_text().count('"step"') if log.exists() else 0

        def wait_for_steps(count):
            end = time.monotonic() + LIMIT_S
            while steps() < count:
                self.assertIsNone(program.poll(), "the training has ended")
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log")

            def as_nohup_does():
                for number in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(number, signal.SIG_DFL)
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
            program = subprocess.Popen([PROGRAM, *training(Path(folder, "run"), f"--log-json={log}", "--quiet")], preexec_fn=as_nohup_does)
            self.addCleanup(program.wait)
            self.addCleanup(program.kill)
            wait_for_steps(1)
            program.send_signal(signal.SIGHUP)
            wait_for_steps(steps() + 20)
            program.send_signal(signal.SIGTERM)
            self.assertIn(program.wait(LIMIT_S), (130, 143, -signal.SIGTERM))


class Evaluation(OnATerminal):
    def test_a_line_that_renews_itself_while_it_translates(self):
        with tempfile.TemporaryDirectory() as folder:
            source, reference = Path(folder, "source"), Path(folder, "reference")
            source.write_text(Path(TOY, "train.en").read_text() * 4)
            reference.write_text(Path(TOY, "train.de").read_text() * 4)
            terminal = self.terminal("evaluate", "--beam-size=5", "--threads=1", f"--source={source}", f"--reference={reference}", columns=40)
            self.assertRegex(terminal.lines_drawn(1)[0], r"^beam 5: [1-9]\d* of 1600 lines, \d+ s left$")
            terminal.resize(20)
            terminal.lines_drawn(1)  # one may have been under way
            self.assertRegex(terminal.lines_drawn(1)[0], r"^beam 5: [1-9]\d* of 16(00?)?$")  # 19 cells
            shown = terminal.wait_for(r"BLEU\|[^\r]*\r")
            self.assertRegex(shown, re.escape(RENEWED) + r"BLEU\|nrefs:1")  # what renewed itself is gone
            terminal.wait_for(r"beam 1: [1-9]\d* of 16")
            terminal.kill()

    def test_a_dumb_terminal_gets_no_commands(self):
        terminal = self.terminal("evaluate", "--beam-size=1", f"--source={TOY}/test.en", f"--reference={TOY}/test.de", TERM="dumb")
        status, shown = terminal.end()
        self.assertEqual(status, 0)
        self.assertNotIn(ESCAPE, shown)
        self.assertTrue(shown.startswith("BLEU|"), shown)


class Help(OnATerminal):
    def test_it_has_the_width_of_the_terminal_that_shows_it(self):
        other = Terminal("--version", columns=40)  # its screen is where the messages go
        self.addCleanup(other.kill)
        with open(other.screen, "w") as narrow:
            terminal = self.terminal("train", "--help", columns=90, stderr=narrow)
            shown = terminal.end()[1]
        self.assertGreater(max(map(len, shown.splitlines())), 80)
        self.assertLessEqual(max(map(len, shown.splitlines())), 90)


class Download(OnATerminal):
    def test_a_line_grows_while_a_file_arrives_and_is_gone_afterwards(self):
        rest = threading.Event()

        class Slow(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", "200000")
                self.end_headers()
                self.wfile.write(bytes(100_000))
                rest.wait(LIMIT_S)
                self.wfile.write(bytes(100_000))

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server, tempfile.TemporaryDirectory() as folder:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            terminal = self.terminal("data", f"--mirror=http://127.0.0.1:{server.server_port}", f"--output={folder}/data", columns=40)
            terminal.wait_for(r"\.gz: [1-9][0-9]* of 200 KB")
            rest.set()
            status, shown = terminal.end()
            server.shutdown()
        self.assertEqual(status, 1, shown)
        self.assertNotIn("200 of 200 KB", shown)
        self.assertIn(RENEWED + "gradus: ", shown.replace(ESCAPE + "[31m", ""))


class Bench(OnATerminal):
    def interrupted_in(self, part, *options):
        terminal = self.terminal("bench", "--alone=2", *options)
        terminal.wait_for(part)
        terminal.type("\x03")
        status, shown = terminal.end()
        self.assertEqual(status, 130, shown)
        self.assertIn("stopping after this measurement", shown)
        return shown

    def test_control_c_shows_what_is_measured(self):
        self.assertRegex(self.interrupted_in("round 2 of 90", "--rounds=90"), r"(?s)stopping.*in batches")
        self.assertIn("there is no result", self.interrupted_in("warming up", "--beam-size=20"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
