"""What a derivation's text itself shows, without a run: sums without a first value, whole numbers where fractions are meant, the order of arguments."""
import os
import re
import subprocess

from derivation import body_of
from stops import says


def slips(derivation, file):
    """The lines about slips of C++, not of the derivation: each alone makes the numbers wrong."""
    text = file.read_text(encoding="utf-8")
    told = [f"{name} is added to, but it has no first value (line {line}): it begins with any number. Write {better}" for name, line, better in never_set(derivation, text)]
    told = told or whole_divisions(derivation, text) + whole_numbers(derivation, text, file)
    return [line for one in told for line in says("no", one)]


def order_of(code, line):
    """"linear_backward(out, in, w)" if the line calls this function of the file; else ""."""
    called = re.search(r"\b(\w+_backward)\(", line)
    declared = called and re.search(rf"^void {called[1]}\(([^)]*)\)", code, re.M)
    names = re.findall(r"(\w+)(?:,|$)", declared[1]) if declared else []
    return f"{called[1]}({', '.join(names)})" if names else ""


def never_set(derivation, text):
    """What the student's bodies declare without a value and add to, and never set: [(name, line, a better declaration)]."""
    found = []
    for body in (body_of(text, name) for name in derivation.functions):
        for declaration in re.finditer(r"\bdouble ([^;()]*);", body):
            rest = body[declaration.end():]
            for name, size in re.findall(r"(?:^|, )(\w+)(\[\w+\])?(?=,|$)", declaration[1]):
                one = rf"\b{name}" + (r"\[[^\]]*\]" if size else "")
                if re.search(rf"{one}\s*[+-]=", rest) and not re.search(rf"{one}\s*=[^=]|[(,] ?&?{name}[,)]", rest):
                    line = text[:text.index(body) + declaration.start()].count("\n") + 1
                    found.append((name, line, f"double {name}{size} = {'{}' if size else '0'};"))
    return found


def whole_divisions(derivation, text):
    """What is said of each quotient of whole numbers that is not whole, as 1 / D; and of -1 / D, as sizes have no sign."""
    told, sizes = [], derivation.sizes()
    for body in (body_of(text, name) for name in derivation.functions):
        own = {name: value for name, value in sizes.items() if not re.search(rf"\b(?:double|float|auto) [^;(]*\b{name} =", body)}
        whole = rf"(?:0|[1-9]\d*|{'|'.join(own)}|\((?:{'|'.join(own)}) [-+] \d+\))" if own else r"(?:0|[1-9]\d*)"
        code = re.sub(r"//[^\n]*", lambda comment: " " * len(comment[0]), body)
        for found in re.finditer(rf"(?<![\w.])(?<!\de-)({whole}) ?/ ?({whole})(?![\w.(\[])", code):
            sign, begins = begin_of_term(code[:found.start()].rstrip())
            above, below = (eval(part, {"__builtins__": {}}, dict(own)) for part in found.groups())  # digits, sizes, + and - alone
            has_size = bool(re.search("[A-Z]", found[0]))
            is_index = re.search(r"\b(?:size_t|int) \w+ = [^;]*$", code[:found.start()])
            if not begins or is_index or not below or not (above % below or sign and has_size):
                continue
            line = text[:text.index(body) + found.start()].count("\n") + 1
            first = f"{found[1]}.0" if found[1].isdigit() else f"double({found[1].strip('()')})"
            value = f"{2 ** 64 // below:.1g}, because sizes have no sign" if sign and has_size else str(above // below)
            told.append(f"Line {line} divides whole numbers: {sign}{found[0]} is {value}. Write {sign}{first} / {found[2]}.")
    return list(dict.fromkeys(told))


def begin_of_term(before):
    """The sign of a number that stands behind this code, "-" or "", and whether nothing multiplies or divides it from there."""
    sign = "-" if before.endswith("-") else ""
    if sign:
        before = before[:-1].rstrip()
        if re.search(r"[\w\])]$", before) and not before.endswith("return"):
            return "", True  # a difference
    return sign, before.endswith("return") or bool(re.search(r"(?:^|[=(,+\-?:{};])$", before))


def whole_numbers(derivation, text, file):
    """What is said of each line in the bodies that stores a double in a whole number, as the compiler warns."""
    done = subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-fsyntax-only", "-Wfloat-conversion", file], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    lines = {int(line) for line, what in re.findall(rf"{re.escape(file.name)}:(\d+):\d+: warning: (.*)\[-Wfloat-conversion\]", done.stderr) if re.search(r"'double'[})]? to '(?!float)", what)}
    begins = [(text[:text.index(body)].count("\n") + 1, body.count("\n")) for body in (body_of(text, name) for name in derivation.functions)]
    return [f"Line {line} stores a double in a whole number (int, size_t, or auto with = 0): all behind the point is lost. Declare it as double."
            for line in sorted(lines) if any(first <= line <= first + many for first, many in begins)][:1]
