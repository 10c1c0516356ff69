"""The report of `make grade`, in the order of its use: compiler, crashes, shapes, values, gradients, contract, judges, mistake."""
import re

from task import WIDTH, wrapped

UNTOUCHED = ("unwritten", "zero")
SHOWN = 3  # differences of one kind: the first ones help most


def says(mark, text):
    return wrapped(text, WIDTH, f"{mark:<6}", " " * 6)


def compiler_error(task, file, words):
    """The first error, with the line of the student's file."""
    error = re.search(r"^(.*?):(\d+):\d+: (?:fatal )?error: (.*)$", words, re.M)
    message = error[3] if error else words.strip().split("\n")[0]
    lines = re.findall(rf"^{re.escape(str(file))}:(\d+):", words, re.M) or \
        re.findall(rf"{re.escape(file.name)}:(\d+):", words)
    number = int(error[2]) if error and error[1].endswith(file.name) else int(lines[0]) if lines else 0
    told = says("no", "It does not compile. The compiler's first error:")
    told += wrapped(f"{file.name}:{number}: {message}", WIDTH, " " * 6, " " * 8)
    text = file.read_text(encoding="utf-8").split("\n")
    if 0 < number <= len(text):
        told.append(f"{number:>9} | {text[number - 1].strip()}"[:WIDTH])
    return told


def linker_error(words):
    missing = re.findall(r"undefined reference to `(.*?)'", words)
    if missing:
        name = missing[0].split("(")[0].split("<")[0].split()[-1].removeprefix("gradus::")
        return says("no", f"It compiles, but {name} is missing: keep its head and the lines 'template void ...' at the end of the file.")
    return says("no", "It compiles, but does not link: " + words.strip().split("\n")[0])


def number(x):
    return f"{x:.6g}" if isinstance(x, (int, float)) else str(x)


def at(finding):
    return finding["tensor"] + "".join(f"[{i}]" for i in finding["index"])


def ended(task, report):
    """A crash, an endless loop, too much memory."""
    if report["ended"] == "time":
        return says("no", "It did not end: more than 30 seconds. Look for a loop whose condition never becomes false.")
    if report["ended"] == "memory":
        return says("no", "It used more than 1.5 GB of memory, and was stopped. Look for an array that grows in a loop, or a wrong size.")
    output = report["output"]
    what = re.search(r"ERROR: AddressSanitizer: ([\w-]+)", output) or re.search(r"runtime error: (.*)", output)
    place = re.search(rf"{re.escape(task.file.name)}:(\d+)", output)
    told = f"It crashed: {what[1]}" if what else "It crashed"
    return says("no", told + (f", in line {place[1]} of {task.file.name}." if place else "."))


def wrong(finding):
    """One tensor with wrong elements."""
    count = f"{finding['wrong']} of {finding['elements']} elements" if finding["elements"] > 1 else "its only element"
    told = says("no", f"{at(finding)} is wrong, and {count} in all." if finding["wrong"] > 1 else f"{at(finding)} is wrong: {count}.")
    told.append(f"      expected {number(finding['expected']):<14} got {number(finding['got']):<14} error {number(finding['error'])}")
    told += wrapped(f"({finding['case']}, {finding['inputs']})", WIDTH, " " * 6)
    return told


def untouched(finding):
    if finding["is_added"]:
        return says("no", f"Nothing is added to {finding['tensor']}: it is still zero.")
    if finding["kind"] == "zero":
        return says("no", f"{finding['tensor']} is 0 everywhere: {at(finding)} should be {number(finding['expected'])}.")
    return says("no", f"{finding['tensor']} is not written: {at(finding)} is {number(finding['got'])}, expected {number(finding['expected'])}.")


def once(findings):
    """One finding for each tensor."""
    seen = {}
    for finding in findings:
        seen.setdefault((finding["tensor"], finding["kind"]), finding)
    return list(seen.values())


def first_todo(file):
    lines = file.read_text(encoding="utf-8").split("\n")
    return next((i for i, line in enumerate(lines, 1) if "// TODO:" in line), None)


def numbers(file, report, findings):
    told = []
    for is_output, what in ((True, "values"), (False, "gradients")):
        these = once([f for f in findings if f["kind"] in ("wrong", *UNTOUCHED) and f["is_output"] == is_output])
        if not these:
            has_gradients = report.get("has_gradients", True)
            if (is_output or has_gradients) and not any(f["kind"] in UNTOUCHED for f in findings if "is_output" in f):
                told += says("ok", f"{what}: all elements are right")
            continue
        for finding in these[:SHOWN]:
            told += wrong(finding) if finding["kind"] == "wrong" else untouched(finding)
        if len(these) > SHOWN:
            told += says("", "... and " + ", ".join(f["tensor"] for f in these[SHOWN:]))
        if is_output and any(f["kind"] in UNTOUCHED for f in these):
            told += begin(file)
            break
    else:
        if first_todo(file) and any(f["kind"] in ("wrong", *UNTOUCHED) for f in findings):
            told += says("", f"A TODO is left in line {first_todo(file)} of {file.name}.")
    return told


CONTRACT = {
    "run twice": "{} is not added to what was there: a second call must double it (or, of an output, change nothing).",
    "added to what was there": "{} is not added to what was there before (an Acc is added to, an Out is overwritten).",
    "inputs unchanged": "An input was changed: an In is only read.",
    "gaps between rows are left alone": "Elements after the end of a row were written: use row(n), since rows may be further apart.",
    "strided views": "{} is wrong if the rows of a matrix are further apart than their length: use row(n) or array(x).",
    "spare rows": "{} depends on rows that belong to no sentence.",
}


def contract(findings):
    told, seen = [], set()
    for finding in findings:
        if finding["kind"] != "contract":
            continue
        text = CONTRACT.get(finding["text"], "{}: " + finding["text"]).format(finding["tensor"])
        if text not in seen and len(seen) < SHOWN:
            seen.add(text)
            told += says("no", text)
    return told


def begin(file):
    line = first_todo(file)
    return says("", f"Begin at the TODO in line {line} of {file.name}." if line else "Write it first; the rest follows.")


def shapes(file, report, findings):
    broken = [f["tensor"] for f in findings if f["kind"] == "shape"]
    throws = [f for f in findings if f["kind"] == "throws"]
    if throws:
        told = says("no", f"It throws an error for shapes that fit ({throws[0]['case']}): {throws[0]['text']}")
        return told + (begin(file) if first_todo(file) else [])
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


def mistake(task, report):
    names = report.get("mistakes", [])
    if not names:
        return ["No known mistake gives these numbers."]
    if len(names) > 1:
        return wrapped("These known mistakes give exactly these numbers: " + ", ".join(m["name"] for m in names), WIDTH)
    name = names[0]["name"]
    told = wrapped(f"This is the mistake {name}: {task.mistakes[name]}", WIDTH)
    if names[0]["only_forward"]:
        told = wrapped(f"In the forward pass this is the mistake {name}: {task.mistakes[name]}", WIDTH)
        told += wrapped("The gradients are judged with it; mend the forward pass first.", WIDTH)
    return told + [f"    make chapter CHAPTER={task.number} WRONG={name}"]


def text(task, file, report):
    """The lines of the report."""
    told = [f"{task.number} {task.title}", task.shown(file), ""]
    if not report["compiles"]:
        return told + compiler_error(task, file, report["compiler"])
    if not report["links"]:
        return told + linker_error(report["linker"])
    told += says("ok", "it compiles")
    findings = report["findings"]
    throws = any(f["kind"] == "throws" for f in findings)
    is_blank = any(f["kind"] in UNTOUCHED and f["is_output"] for f in findings) or (throws and first_todo(file) is not None)
    if report.get("ended"):
        told += ended(task, report)
    if (throws or not is_blank) and not report.get("ended"):
        told += shapes(file, report, findings)
    if not throws and not (report.get("ended") and not findings):
        told += numbers(file, report, findings)
    told += contract(findings)
    if report["judges"] and not is_blank:
        told += [""] + judges(report)
    if not report.get("ended") and report["output"].strip():
        told += ["", "Your code printed:"] + ["  " + line[:WIDTH - 2] for line in report["output"].strip().split("\n")[:8]]
    if report["passed"]:
        told += ["", "All judges accept it. Compare it with the repository's own: " + task.shown(task.source)]
    elif not is_blank and not report.get("ended"):
        told += [""] + mistake(task, report)
    return [line for part in told for line in (wrapped(part, WIDTH) if len(part) > WIDTH and " " in part[:WIDTH] else [part])]
