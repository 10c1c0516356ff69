#!/usr/bin/env python3
"""Where gradus spends its time: the shares of its parts, by the sampling profiler perf. The last step of `make bench-peers`.

    time_shares.py BUILD [PLACE]     JSON; PLACE: the texts and ids that measure.py made [build/peers/full]

Each work runs on one thread. perf notes the running function 999 times a second; a function belongs to the first part in PARTS
that has a word of its name. Status 3: there is no perf, or the system does not allow it.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import measure

# Part: words in the names of its functions. A product inside another part, such as the scores of attention, belongs to that part.
PARTS = {
    "attention": ("attend<", "score", "weighted_columns", "softmax", "product_columns", "small_product", "turn_keys", "attention_"),
    "words": ("choose_words", "take_words", "log_probs"),
    "loss": ("::run<", "output_loss"),
    "dropout": ("dropout",),
    "norms": ("row_moments", "add_norm", "layer_norm", "accumulate_row"),
    "products": ("tile<", "all_parts", "int8", "scale_of", "gemm", "multiply", "transpose"),
    "gradients": ("adam", "gradus::add<"),
    "text": ("sentencepiece", "basic_string", "utf8"),
    "memory": ("memmove", "memset", "memcpy", "malloc", "_int_free", "cfree", "operator new", "clear_page", "page_fault", "anonymous_page"),
    "system": ("[k]",),
}


def commands(build, place):
    """Work: its program, on one thread, for some seconds. Loading and the first step are a small part of each."""
    def translate(text, width, *more):
        lines = (place / f"{text}.en").read_text(encoding="utf-8")
        repeated = place / f"{text}.repeated.en"
        repeated.write_text(lines * (10 if text == "words200" else 3), encoding="utf-8")
        return [build / "gradus", "translate", "--model", "en-de", "--threads", "1", "--beam-size", width, "--input", repeated, *more]

    return {"training": [measure.steps_program(build), place / "ids.txt", "1", "12"], "beam": translate("captions", "5"),
            "greedy": translate("captions", "1"), "greedy_int8": translate("captions", "1", "--int8"), "words200": translate("words200", "5")}


def part_of(function):
    """The part of a function, named as in perf's report: "[.] name", or "[k] name" in the kernel of the system."""
    return next((part for part, words in PARTS.items() if any(word in function for word in words)), "other")


def shares(report):
    """Percent of each part, from the lines "12.34% | [.] name" of perf's report."""
    found = dict.fromkeys([*PARTS, "other"], 0.0)
    for percent, function in re.findall(r"^\s*([\d.]+)%\s*\|\s*(.*)$", report, re.M):
        found[part_of(function)] += float(percent)
    return {part: round(percent, 1) for part, percent in found.items()}


def profiled(command):
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "perf.data"
        recorded = subprocess.run(["perf", "record", "--quiet", "--freq", "999", "--output", data, "--", *map(str, command)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if recorded.returncode != 0:
            print(f"{recorded.stderr}no profile: perf could not record; /proc/sys/kernel/perf_event_paranoid may forbid it", file=sys.stderr)
            sys.exit(3)
        report = subprocess.run(["perf", "report", "--input", data, "--stdio", "--no-children", "--fields", "overhead,sym", "--field-separator", "|"],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        return shares(report.stdout)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    build, place = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else measure.TOP / "build/peers/full")
    if not (place / "ids.txt").exists():
        sys.exit(f"{place} has no texts; measure.py makes them: make bench-peers")
    if not shutil.which("perf"):
        print("no profile: perf is not installed (Debian: linux-perf)", file=sys.stderr)
        sys.exit(3)
    found = {work: profiled(command) for work, command in commands(build, place).items()}
    print(json.dumps({"kind": measure.processor_kind(), "works": found}, indent=1))


if __name__ == "__main__":
    main()
