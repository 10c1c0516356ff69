#!/usr/bin/env python3
"""Runs a bench that prints JSON and stores the figures, with the day and the commit, in docs/records/measured.json, where lessons read them.

    tests/measure/bench/record.py KEY PROGRAM [ARGUMENT ...]
    tests/measure/bench/record.py training build/release/tests/chapters/10_training/bench_training
    tests/measure/bench/record.py quick tests/measure/bench/quick_preset.py build/release/gradus DATA
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "docs" / "tools"))
import records

MEASURED = ROOT / "docs" / "records" / "measured.json"


def store(key, figures, file=MEASURED):
    """Writes the figures, with the day and the commit, as one part of the file; the other parts stay."""
    measured = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    measured[key] = {**figures, **records.stamp()}
    text = json.dumps(measured, indent=1, sort_keys=True, ensure_ascii=False)
    numbers_in_a_row = re.sub(r'\[\n([^][{}"]*)\]', lambda match: f"[{' '.join(match[1].split())}]", text)
    file.write_text(numbers_in_a_row + "\n", encoding="utf-8")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, text=True, check=False)
    try:
        figures = json.loads(run.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{sys.argv[2]} printed no JSON (exit status {run.returncode}); nothing was recorded")
    store(sys.argv[1], figures)
    print(json.dumps(figures, indent=1))
    sys.exit(run.returncode)


if __name__ == "__main__":
    main()
