"""The report of `make grade`, in the order of its use: compiler, crashes, shapes, values, gradients, contract, judges, mistake."""
import re
import sys

from stops import compiler_error, ended, linker_error, says, thrown
from task import BODY, ROOT, WIDTH, wrapped

sys.path.insert(0, str(ROOT / "tests/wrong"))

import twin_rows  # noqa: E402

UNTOUCHED = ("unwritten", "zero")
SHOWN = 3  # differences of one kind: the first ones help most


def number(x):
    return f"{x:.6g}" if isinstance(x, (int, float)) else str(x)


def at(finding):
    return finding["tensor"] + "".join(f"[{i}]" for i in finding["index"])


def listed(names):
    """a, b and c, each once."""
    names = list(dict.fromkeys(names))
    return ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]


def verb(names, one, more):
    return one if len(set(names)) == 1 else more


def ids(finding):
    """Of a lookup: the id of the row, or where the table's row is looked up."""
    of = finding.get("ids")
    if not of:
        return ""
    row = finding["index"][0]
    if "id" in of:
        return f"; {of['name']}[{row}] is {of['id']}"
    places = listed(f"{of['name']}[{n}]" for n in of["rows"]) if of["rows"] else f"nowhere in {of['name']}"
    return f"; the id {row} is {'in ' if of['rows'] else ''}{places}"


def size(finding):
    return f"{finding['tensor']} ({', '.join(map(str, finding['shape']))})"


def factor(finding):
    """What all elements have in common, if it is one factor."""
    if finding.get("factor") is None:
        return []
    return says("", f"Every element is {number(finding['factor'])} times what is expected.")


def wrong(finding):
    """One tensor with wrong elements."""
    count = f"{finding['wrong']} of {finding['elements']} elements" if finding["elements"] > 1 else "its only element"
    told = says("no", f"{at(finding)} is wrong, and {count} in all." if finding["wrong"] > 1 else f"{at(finding)} is wrong: {count}.")
    is_hole = finding["got"] == "NaN" and finding["wrong"] < finding["elements"]
    error = "(not written?)" if is_hole else f"error {number(finding['error'])}"
    told.append(f"      expected {number(finding['expected']):<14} got {number(finding['got']):<14} {error}")
    return told + factor(finding) + wrapped(f"({finding['case']}, {finding['inputs']}, {size(finding)}{ids(finding)})", WIDTH, " " * 6)


def untouched(finding):
    """One tensor that nothing was written to, though no TODO is left."""
    name, should = finding["tensor"], f"{at(finding)} should be {number(finding['expected'])}"
    if finding["kind"] == "zero":
        what = f"Nothing is added to {name}, it is still 0" if finding["is_added"] else f"{name} is 0 everywhere"
        return says("no", f"{what}: {should}.")
    if finding["is_added"]:
        return says("no", f"{name} is NaN everywhere, because a NaN is added to it: {should}.")
    return says("no", f"{name} is NaN everywhere: {should}. Either it is never written, or it is added to, as only an Acc may be, "
                      "or it is computed from a NaN.")


def once(findings):
    """One finding for each tensor: the first, or the first number that was written if there is one."""
    seen = {}
    for finding in findings:
        first = seen.setdefault(finding["tensor"], finding)
        if first["kind"] in UNTOUCHED and finding["kind"] == "wrong" and finding["got"] not in ("NaN", 0):
            seen[finding["tensor"]] = finding
    return list(seen.values())


def first_todo(file):
    lines = file.read_text(encoding="utf-8").split("\n")
    return next((i for i, line in enumerate(lines, 1) if "// TODO:" in line), None)


class Findings:
    """What the grader found, by kind."""

    def __init__(self, file, report):
        self.file, self.todo, self.all = file, first_todo(file), report["findings"]
        self.has_forward = "// TODO:" not in (BODY.findall(file.read_text(encoding="utf-8")) or [("", "// TODO:")])[0][1]
        numbers = once([f for f in self.all if f["kind"] in ("wrong", *UNTOUCHED)])
        self.outputs = [f for f in numbers if f["is_output"]]
        self.gradients = [f for f in numbers if not f["is_output"]]
        self.throws = [f for f in self.all if f["kind"] == "throws"]
        self.saved_otherwise = once([f for f in self.all if f["kind"] == "saved otherwise"])
        self.never_saved = list(dict.fromkeys(f["tensor"] for f in self.all if f["kind"] == "saved"))
        self.has_gradients = report.get("has_gradients", True)
        self.is_blank = self.has_untouched(self.outputs) or bool(self.throws and self.is_missing(self.throws[0]["pass"]))
        rest = [f["kind"] in UNTOUCHED for f in self.gradients]  # after a wrong forward, given code may compute wrong gradients
        self.has_no_backward = bool(self.todo and rest and not self.throws and (any(rest) if self.outputs else all(rest)))
        self.is_forward_only = self.has_no_backward and not self.outputs

    def is_missing(self, direction):
        """Whether a TODO may be the reason that this pass fails."""
        return bool(self.todo) and (direction == "backward" or not self.has_forward)

    @staticmethod
    def has_untouched(findings):
        return any(f["kind"] in UNTOUCHED for f in findings)

    def nameless(self):
        """Tensors without numbers: what else is said about them is a consequence."""
        return {f["tensor"] for f in self.outputs + self.gradients if f["kind"] in UNTOUCHED or f["got"] == "NaN"}


def differences(findings):
    told = []
    for finding in findings[:SHOWN]:
        told += wrong(finding) if finding["kind"] == "wrong" else untouched(finding)
    if len(findings) > SHOWN:
        told += says("", "... and " + listed(f["tensor"] for f in findings[SHOWN:]))
    return told


def blank(found):
    """The outputs of code that is not written yet: one line, and where to begin."""
    names = [f["tensor"] for f in found.outputs if f["kind"] in UNTOUCHED]
    told = differences([f for f in found.outputs if f["kind"] == "wrong"])
    told += says("no", f"{listed(names)} {verb(names, 'is', 'are')} not written yet.")
    return told + begin(found)


def begin(found):
    return says("", f"Begin at the TODO in line {found.todo} of {found.file.name}." if found.todo else "Write it first; the rest follows.")


def saved_otherwise(found):
    """Values that forward saves, and that differ from the repository's. Told only where something else is wrong or missing."""
    if found.outputs or not (found.gradients or found.is_forward_only):
        return []
    told = []
    for finding in found.saved_otherwise[:SHOWN]:
        told += says("", f"Forward saves {at(finding)} = {number(finding['got'])}; the repository saves {number(finding['expected'])}. "
                         "That is right only if your backward expects it.")
    return told


def numbers(found):
    if found.is_missing("forward") and found.has_untouched(found.outputs):
        return blank(found)
    told = differences(found.outputs) or says("ok", "values: all elements are right")
    if found.has_untouched(found.outputs):
        return told + (begin(found) if not found.has_forward else [])
    told += saved_otherwise(found)
    gradients = [] if found.has_no_backward else found.gradients
    if found.never_saved:
        names = found.never_saved
        told += says("no", f"{listed(names)} {verb(names, 'was', 'were')} never written: "
                           f"forward saves {verb(names, 'it', 'them')} for backward.")
        gradients = [f for f in gradients if f["got"] != "NaN"]  # the others are NaN for this reason
    if found.is_forward_only:
        praise = "" if found.never_saved or found.saved_otherwise else "Forward is right. "
        return told + says("", f"{praise}Go on at the TODO in line {found.todo} of {found.file.name}.")
    if gradients:
        told += differences(gradients)
    elif found.has_gradients and not found.gradients:
        told += says("ok", "gradients: all elements are right")
    if found.todo and (found.outputs or found.gradients):
        told += says("", f"A TODO is left in line {found.todo} of {found.file.name}.")
    return told


def promises(task):
    """The promises of the contract, in words: of an Out, of an Acc."""
    is_formula = task.source.name.endswith("_reference.cpp")
    strided = "{} {is} wrong if the rows of a matrix are further apart than their length: use row(n)"
    strided += " or array(x)." if is_formula else "."
    adds = ("{} {is} overwritten or set to 0, so what was there is lost. An Acc is added to: "
            + ("add_to<Real>(...)." if is_formula else "use +=."),) * 2
    in_place = ("{} {is} wrong where the gradients of input and output lie in one memory, which the specification allows "
                "(dx may be dy): read all that you need of the one before you write the other.")
    overwrites = ("{} {is} computed from what it held before. An Out is overwritten, whatever it held.",) * 2
    return {
        "run twice": (overwrites[0], adds[0]),
        "added to what was there": (overwrites[1], adds[1]),
        "inputs unchanged": ("An input was changed: an In is only read.",) * 2,
        "gaps between rows are left alone": ("Elements after the end of a row were written: use row(n), "
                                             "since rows may be further apart.",) * 2,
        "strided views": (strided,) * 2,
        "in place": (in_place,) * 2,
        "spare rows": ("{} depend{s} on rows that belong to no sentence.",) * 2,
    }


def contract(task, found):
    """One sentence for each promise that is broken, with all tensors that break it."""
    sentences, known = {}, promises(task)
    for finding in found.all:
        if finding["kind"] != "contract" or finding["tensor"] in found.nameless():
            continue
        sentence = known.get(finding["text"], ("{}: " + finding["text"],) * 2)[finding.get("is_added", False)]
        sentences.setdefault(sentence, []).append(finding["tensor"])
    told = []
    for sentence, names in list(sentences.items())[:SHOWN]:
        words = sentence.replace("{is}", verb(names, "is", "are")).replace("{s}", verb(names, "s", ""))
        told += says("no", words.replace("{}", listed(names)))
    return told


def shapes(found, report):
    broken = [f["tensor"] for f in found.all if f["kind"] == "shape"]
    if found.throws:
        has_mistake = bool(report.get("mistakes"))
        return thrown(found.throws[0]) + (begin(found) if found.is_missing(found.throws[0]["pass"]) and not has_mistake else [])
    if broken:
        return says("no", f"shapes: {broken[0]} is one element short, and no error is thrown. Keep the check at the top of the function.")
    return says("ok", "shapes: each tensor that does not fit is an error") if "contract" in report["judges"] else []


def judges(report):
    told = []
    for verdict in ("accepts", "rejects"):
        names = [name for name, said in report["judges"].items() if said == verdict]
        if names:
            told += wrapped(f"judges that {verdict[:-1]}: " + ", ".join(names), WIDTH, " " * 6, " " * 8)
    return told


def has_twin(task, name):
    """Whether `make chapter WRONG=...` can show this mistake; of kernels' own mistakes there is no twin."""
    return any(twin[:2] == (name, task.chapter) for twin in twin_rows.rows(ROOT))


def mistake(task, found, report):
    names = report.get("mistakes", [])
    if not names:
        is_early = found.todo and not found.outputs
        return [] if is_early or found.never_saved else ["", "No known mistake gives these numbers."]
    if len(names) > 1:
        return ["", *wrapped("These known mistakes give exactly these numbers: " + ", ".join(m["name"] for m in names), WIDTH)]
    name = names[0]["name"]
    told = wrapped(f"This is the mistake {name}: {task.mistakes[name]}", WIDTH)
    if names[0]["only_forward"]:
        told = wrapped(f"In the forward pass this is the mistake {name}: {task.mistakes[name]}", WIDTH)
        if found.gradients and not found.has_no_backward:
            told += wrapped("Backward was judged with these wrong outputs: mend the forward pass first.", WIDTH)
    return ["", *told] + ([f"    make chapter CHAPTER={task.number} WRONG={name}"] if has_twin(task, name) else [])


def printed(output):
    """What the student's code printed itself; what is cut is said."""
    lines, most = output.strip().split("\n"), 8
    said = f"Your code printed {len(lines)} lines; the first {most}:" if len(lines) > most else "Your code printed:"
    return ["", said] + ["  " + (line if len(line) <= WIDTH - 2 else line[:WIDTH - 6] + " ...") for line in lines[:most]]


def text(task, file, report):
    """The lines of the report."""
    told = [f"{task.number} {task.title}", task.shown(file), ""]
    if not report["compiles"]:
        return told + compiler_error(file, report["compiler"])
    if not report["links"]:
        return told + linker_error(report["linker"])
    told += says("ok", "it compiles")
    found = Findings(file, report)
    has_ended = bool(report.get("ended"))
    if has_ended:
        told += ended(file, report)
    elif found.throws or not found.is_blank and not found.is_forward_only:
        told += shapes(found, report)
    if not found.throws and not (has_ended and not found.all):
        told += numbers(found)
    if not found.has_no_backward and not found.is_blank:
        told += contract(task, found)
        if report["judges"]:
            told += [""] + judges(report)
    if not has_ended and report["output"].strip():
        told += printed(report["output"])
    if report["passed"]:
        told += ["", "All judges accept it. Compare it with the repository's own: " + task.shown(task.source)]
    elif not has_ended and (report.get("mistakes") or not found.is_blank) and not found.is_forward_only:
        told += mistake(task, found, report)
    return [line for part in told for line in (wrapped(part, WIDTH) if len(part) > WIDTH and " " in part[:WIDTH] else [part])]
