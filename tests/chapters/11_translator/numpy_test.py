#!/usr/bin/env python3
"""chapters/11_translator/models/numpy_translate.py and gradus give the same greedy translations: twenty sentences in each direction.

    numpy_test.py build/release/gradus

Looks for a Python that has numpy and sentencepiece (Debian: python3-numpy, python3-sentencepiece). Where there is none the
test is skipped, and says so; `make check-ranks` allows that to no test.
"""
import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
SCRIPT = str(ROOT / "chapters" / "11_translator" / "models" / "numpy_translate.py")
PROGRAM = sys.argv.pop(1)
SKIPPED = 77  # for ctest

ENGLISH = """A dog runs through the snow.
Two women are talking at a table.
A man in a blue shirt is standing on a ladder cleaning a window.
Children are playing football in the park.
An old man plays the guitar in front of a small shop.
A little girl climbs a tree.
A boy jumps into a lake.
Three people ride their bicycles along a busy street at night.
A woman with a red umbrella walks down the street.
The young bride holds her flowers.
A black cat sleeps on the roof of a car.
Several men in orange vests are repairing the railway tracks.
A surfer rides a large wave.
People sit in a restaurant.
A child in a yellow raincoat splashes in a puddle while his mother watches from under a tree.
Two brown dogs fight over a ball on the beach.
A chef prepares food in a kitchen.
Four soldiers stand beside a helicopter.
A man reads a newspaper on a bench.
Snow.""".splitlines()
GERMAN = """Ein Hund rennt durch den Schnee.
Zwei Frauen unterhalten sich an einem Tisch.
Ein Mann in einem blauen Hemd steht auf einer Leiter und putzt ein Fenster.
Kinder spielen Fußball im Park.
Ein alter Mann spielt vor einem kleinen Laden Gitarre.
Ein kleines Mädchen klettert auf einen Baum.
Ein Junge springt in einen See.
Drei Personen fahren nachts mit ihren Fahrrädern auf einer belebten Straße.
Eine Frau mit einem roten Regenschirm geht die Straße entlang.
Die junge Braut hält ihre Blumen.
Eine schwarze Katze schläft auf dem Dach eines Autos.
Mehrere Männer in orangefarbenen Westen reparieren die Gleise.
Ein Surfer reitet auf einer großen Welle.
Menschen sitzen in einem Restaurant.
Ein Kind in einer gelben Regenjacke planscht in einer Pfütze, während seine Mutter zusieht.
Zwei braune Hunde streiten sich am Strand um einen Ball.
Ein Koch bereitet in einer Küche Essen zu.
Vier Soldaten stehen neben einem Hubschrauber.
Ein Mann liest auf einer Bank eine Zeitung.
Schnee.""".splitlines()


def python_with_both():
    for python in dict.fromkeys((sys.executable, "/usr/bin/python3")):
        done = subprocess.run([python, "-c", "import numpy, sentencepiece"], capture_output=True)
        if done.returncode == 0:
            return python
    return None


def lines_of(command):
    # One thread for numpy's products: they are small, and other tests run beside this one.
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8",
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    return done.stdout.splitlines() if done.returncode == 0 else [done.stderr]


class Numpy(unittest.TestCase):
    def compare(self, folder, sentences):
        model = str(ROOT / "chapters" / "11_translator" / "models" / folder)
        ours = lines_of([PROGRAM, "translate", "--model", model, "--beam-size", "1", *sentences])
        self.assertEqual(len(ours), 20)
        self.assertEqual(lines_of([PYTHON, SCRIPT, model, *sentences]), ours)

    def test_english_into_german(self):
        self.compare("en-de", ENGLISH)

    def test_german_into_english(self):
        self.compare("de-en", GERMAN)


PYTHON = python_with_both()
if PYTHON is None:
    print("numpy_test: skipped: no Python here has numpy and sentencepiece (python3-numpy python3-sentencepiece)")
    sys.exit(SKIPPED)
unittest.main()
