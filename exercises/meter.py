#!/usr/bin/env python3
"""The coalescing meter: what each load and store of a kernel moves, counted on the host layer.

    exercises/meter.py 05                   make meter CHAPTER=05: the kernels of the chapter
    make grade CHAPTER=05 NAME=layer_norm_kernel      prints it for your kernel

clang compiles the kernels with a call at each access. The 32 lanes of a warp at one instruction make a request; a request to global memory
moves sectors of 32 bytes, one to shared memory takes a turn for each word that the same bank must deliver.
"""
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import compiled
from task import ROOT, WIDTH, Trouble, wrapped

WATCH = ["-O1", "-g1", "-fsanitize-coverage=func,trace-loads,trace-stores", "-x", "c++"]


def program(build, chapter, folder, own=None):
    """The meter of a chapter, with the kernels of all its files, or with the student's file in the place of one."""
    folder.mkdir(parents=True, exist_ok=True)
    target = f"meter_{chapter}"
    lines = subprocess.run(["ninja", "-t", "commands", target], cwd=build, capture_output=True, text=True, check=True).stdout.splitlines()
    units = [shlex.split(line) for line in lines if " -c " in line]
    link = shlex.split(lines[-1].split("&&")[1])
    objects = []
    for words in units:
        source = Path(words[-1])
        if source.suffix != ".cu" or chapter not in source.parts:
            continue
        flags = [word for i, word in enumerate(words) if word.startswith(("-I", "-isystem", "-D", "-std", "-m", "/usr/include"))]
        out = folder / (source.stem + ".o")
        text = own if own is not None and own.name == source.name else source
        done = subprocess.run(["clang++", *flags, *WATCH, "-w", "-c", text, "-o", out], cwd=build, capture_output=True, text=True)
        if done.returncode != 0:
            raise Trouble("clang does not compile the kernel:\n" + "\n".join(done.stderr.split("\n")[:4]))
        objects.append(str(out))
        unit = words[words.index("-o") + 1]
        link = [word for word in link if word != unit]
    made = folder / "meter"
    at = link.index("-o")
    link[at + 1] = str(made)
    subprocess.run([*link[:at], *objects, *link[at:]], cwd=build, check=True)
    return made


def places(made, addresses):
    """(file, line) of each instruction; of an inlined function, its own line."""
    said = subprocess.run(["addr2line", "-e", made, *(hex(at - 1) for at in addresses)], capture_output=True, text=True, check=True).stdout
    found = [re.match(r"(.*):(\d+)", line) for line in said.splitlines()]
    return [(Path(match[1]), int(match[2])) if match else (Path("?"), 0) for match in found]


def measured(made, folder):
    """One row for each line, kind of access and case."""
    out = folder / "meter.json"
    done = subprocess.run([made, out], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        last = done.stderr.strip().split("\n")[-1][:300] or f"it crashed (signal {-done.returncode})"
        raise Trouble("The meter counts on larger tensors than the judges use, and there the kernel stopped: " + last)
    entries = json.loads(out.read_text(encoding="utf-8"))
    rows = {}
    for entry, (file, line) in zip(entries, places(made, [entry["at"] for entry in entries])):
        if line == 0:
            continue  # an access that the compiler itself put in
        row = rows.setdefault((entry["of"], file, line, entry["what"], entry["memory"]), dict.fromkeys(
            ("requests", "sectors", "turns", "moved", "wanted"), 0))
        for key in row:
            row[key] += entry[key]
    return rows


def table(rows, case):
    """The lines of one case, the most wasteful first, and the sum."""
    told = [f"{'line':<30}{'':8}{'requests':>9}{'sectors/req':>12}{'moved':>9}{'used':>6}"]
    mine = {key: row for key, row in rows.items() if key[0] == case}
    total = {"moved": 0, "wanted": 0}
    for (_, file, line, what, memory), row in sorted(mine.items(), key=lambda item: -item[1]["moved"]):
        place = f"{file.name}:{line}"[-30:]
        if memory == "shared":
            told.append(f"{place:<30}{what:<8}{row['requests']:>9}{row['turns'] / row['requests']:>12.1f} turns (shared)")
            continue
        total["moved"] += row["moved"]
        total["wanted"] += row["wanted"]
        told.append(f"{place:<30}{what:<8}{row['requests']:>9}{row['sectors'] / row['requests']:>12.1f}"
                    f"{kilo(row['moved']):>9}{row['wanted'] / row['moved']:>6.0%}")
    if total["moved"]:
        told.append(f"{'together':<59}{kilo(total['moved']):>9}{total['wanted'] / total['moved']:>6.0%}")
    return told


def kilo(n):
    return f"{n / 1024:.0f} KiB"


def cases(rows):
    return list(dict.fromkeys(key[0] for key in rows))


def of_student(task, build):
    """What the student's kernel moves, beside what the lesson promises."""
    folder = ROOT / "build" / "exercises" / ".work" / f"meter_{task.name}"
    if shutil.which("clang++") is None:
        return ["", "The coalescing meter needs clang++: apt-get install clang"]
    try:
        rows = measured(program(build, task.chapter, folder, task.file), folder)
    except Trouble as trouble:
        return ["", *wrapped(str(trouble), WIDTH)]
    mine = {key: row for key, row in rows.items() if key[0] == task.source.name}
    most = max((row["sectors"] / row["requests"] for key, row in mine.items() if key[4] == "global"), default=0)
    told = ["", "What it moves, counted for 32 lanes at a time (numbers of 4 bytes):"] + table(rows, task.source.name)
    told += wrapped("The lines that move most stand first. If one lane alone stores a number of 4 bytes, a sector of 32 moves, and 12% "
                    "of it is used.", WIDTH)
    told += wrapped(f"At most {most:.1f} sectors of 32 bytes a request. " + task.bytes["promise"], WIDTH)
    return told


def chapters():
    return sorted(path.stem for path in (ROOT / "tests/exercises/meter").glob("[0-9][0-9]_*.cpp"))


def main(number):
    chapter = next((name for name in chapters() if name.startswith(number.zfill(2))), None)
    if not number or chapter is None:
        raise Trouble("Say which chapter: CHAPTER=" + ", ".join(name[:2] for name in chapters()))
    build = compiled.built(chapter[:2], [f"meter_{chapter}"])
    folder = ROOT / "build" / "exercises" / ".work" / f"meter_{chapter}"
    rows = measured(program(build, chapter, folder), folder)
    print("What 32 lanes load and store, in sectors of 32 bytes; numbers have 4 bytes.")
    for case in cases(rows):
        print(f"\n{case}")
        print("\n".join(table(rows, case)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
    except Trouble as trouble:
        sys.exit(str(trouble))
