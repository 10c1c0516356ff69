"""The results of mutants: which judge rejected which, stored on disk, and which of them change nothing. tests/measure/mutation/mutants.py fills it."""
import hashlib
import json
import re
import sys
from collections import Counter

from mutant_host_code import TOKEN
from mutant_judges import ROOT, WORK

sys.path.append(str(ROOT / "docs" / "tools"))
from records import stamp  # for those who publish

EXPLAINED = ROOT / "tests" / "measure" / "mutation" / "mutants.txt"
PUBLISHED = ROOT / "docs" / "records" / "mutants.json"
SOURCES = (".cpp", ".hpp", ".py")
VERDICTS = ("killed", "equivalent", "survived")


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def code_of(text):
    """The part of a text that changes the compiled code: without comments, includes and layout."""
    code = TOKEN.sub(lambda token: " " if token[0][0] == "/" else token[0], text)
    return " ".join(re.sub(r"^[ \t]*#[ \t]*include.*", "", code, flags=re.M).split())


def code_hash(text):
    return hashlib.sha1(code_of(text).encode()).hexdigest()[:16]


def checksum(name):
    return code_hash(text_of(name))


def fingerprint(folders):
    """The fingerprint of the sources of judges."""
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*")) if file.suffix in SOURCES]
    return hashlib.sha1(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def explained():
    """Reasons by (file or file:function, line before, line after)."""
    rows = [line.split("\t") for line in EXPLAINED.read_text(encoding="utf-8").splitlines()
            if line and not line.startswith("#")]
    return {tuple(row[:3]): row[3] for row in rows}


def tally(rows):
    counts = Counter(row["verdict"] for row in rows)
    return {"tried": len(rows), **{verdict: counts[verdict] for verdict in VERDICTS}}


class Results:
    """Which judge rejected which mutant, stored on disk. `judges` returns the fingerprint of a file's judges."""

    def __init__(self, judges):
        self.path, self.known, self.judges = WORK / "results.jsonl", {}, judges
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []:
            self.known.update(json.loads(line))

    @staticmethod
    def key(mutant, form):
        return f"{mutant.name} {code_hash(mutant.applied())}{form}"

    def get(self, mutant, form=""):
        """None if the result is unknown, or if the judges that accepted it have changed."""
        found = self.known.get(self.key(mutant, form))
        return found["by"] if found and (found["by"] or found["judges"] == self.judges(mutant.name)) else None

    def put(self, mutant, form, by):
        found = {self.key(mutant, form): {"by": by, "judges": self.judges(mutant.name)}}
        self.known.update(found)
        with self.path.open("a", encoding="utf-8") as file:  # whole lines: several runs may write
            file.write(json.dumps(found) + "\n")


def row_of(mutant, reasons, **by):
    """The published entry of a mutant; it is also printed if no judge rejects it."""
    before, after = mutant.shown()
    places = (f"{mutant.name}:{mutant.kernel}", mutant.name)
    reason = next((reasons[place, before, after] for place in places if (place, before, after) in reasons), "")
    found = any(by.values())
    row = {"file": mutant.name, "line": mutant.line, "kernel": mutant.kernel, "rule": mutant.rule, "before": before,
           "after": after, **by, "verdict": "killed" if found else "equivalent" if reason else "survived"}
    if found and reason:
        print(f"tests/measure/mutation/mutants.txt explains what is found: {mutant.name}:{mutant.line}", flush=True)
    if row["verdict"] == "survived":
        print(f"survived: {mutant.name}:{mutant.line} ({mutant.rule})\n  - {before}\n  + {after}", flush=True)
    return row if found else {**row, "reason": reason}
