#!/usr/bin/env python3
"""How a training grows with its text: seconds to the end of the first step, and memory, without and with a file of ids. Prints JSON.

    tests/measure/bench/record.py growth tests/measure/bench/growth.py build/release/gradus DATA [PAIRS PAIRS]

DATA is a folder with Multi30k. The texts are its training pairs with their words in random orders, PAIRS of them: 250,000 and 1,000,000 unless
given. Of memory two kinds are counted: what only this process has (RssAnon), and pages of the file of ids (RssFile), which the system may take back.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "peers"))
import texts  # noqa: E402

STEPS = 4


def memory(pid):
    """(own bytes, bytes of files) of a process now."""
    found = {"RssAnon": 0, "RssFile": 0}
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            name, _, value = line.partition(":")
            if name in found:
                found[name] = 1024 * int(value.split()[0])
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found["RssAnon"], found["RssFile"]


def training(program, data, place):
    """Trains for a few steps; the seconds to the first one, and the most memory."""
    log = place / "log"
    log.unlink(missing_ok=True)
    command = [program, "train", "--train-source", place / "million.en", "--train-target", place / "million.de", "--valid-source",
               data / "val.en.gz", "--valid-target", data / "val.de.gz", "--output", place / "run", "--overwrite", "--ids", place / "ids",
               "--vocab-size", "10000", "--max-steps", str(STEPS), "--log-json", log, "--quiet"]
    start, first, own, files = time.monotonic(), None, 0, 0
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            now = memory(process.pid)
            own, files = max(own, now[0]), max(files, now[1])
            if first is None and log.exists() and '"step"' in log.read_text():
                first = time.monotonic() - start
            time.sleep(0.02)
    if process.returncode != 0 or first is None:
        sys.exit(f"a training on {place} failed")
    return {"seconds": round(first, 1), "own_bytes": own, "file_bytes": files}


def measured(program, data, pairs):
    with tempfile.TemporaryDirectory(prefix="gradus-growth-") as folder:
        place = pathlib.Path(folder)
        texts.make_million(data, place, pairs)
        found = {"first": training(program, data, place), "later": training(program, data, place)}
        return {**found, "ids_bytes": (place / "ids").stat().st_size,
                "text_bytes": sum((place / f"million.{language}").stat().st_size for language in ("en", "de"))}


def main():
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    program, data = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    few, many = (int(word) for word in sys.argv[3:5]) if len(sys.argv) == 5 else (250_000, 1_000_000)
    sizes = {pairs: measured(program, data, pairs) for pairs in (few, many)}

    def a_pair(start, kind):
        return round((sizes[many][start][kind] - sizes[few][start][kind]) / (many - few), 1)

    rows = {}
    for name, pairs in (("few", few), ("many", many)):
        of = sizes[pairs]
        rows[name] = {"pairs": pairs, "ids_mb": round(of["ids_bytes"] / 1e6), "text_mb": round(of["text_bytes"] / 1e6)}
        for start in ("first", "later"):
            rows[name][f"{start}_seconds"] = of[start]["seconds"]
            rows[name][f"{start}_mb"] = round(of[start]["own_bytes"] / 1e6)
            rows[name][f"{start}_file_mb"] = round(of[start]["file_bytes"] / 1e6)
    print(json.dumps({**rows, "later_bytes_a_pair": a_pair("later", "own_bytes"), "first_bytes_a_pair": a_pair("first", "own_bytes"),
                      "later_file_bytes_a_pair": a_pair("later", "file_bytes"), "processors": os.cpu_count(),
                      "load": round(os.getloadavg()[0], 1)}))


if __name__ == "__main__":
    main()
