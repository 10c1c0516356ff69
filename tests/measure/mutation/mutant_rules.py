"""How mutants are made: the rules, and the functions of a kernel file to which they apply. This file runs nothing."""
import random
import re

# name, pattern, replacement
RULES = [
    ("missing barrier", r"__sync(threads|warp)\(\);", ";"),
    ("off by one", r" < ", " <= "),
    ("off by one", r" <= ", " < "),
    ("off by one", r"(?<=[\w)]) \+ 1\b", ""),
    ("off by one", r"(?<=[\w)]) - 1\b", ""),
    ("one too few", r"(?<== )0(?=; \w+ <)", "1"),
    ("wrong index", r"\[(n|d|j|k|c|t|s|lane|warp)\]", "[0]"),
    ("wrong row", r"\.row\((\w+)\)", ".row(0)"),
    ("wrong thread", r"threadIdx\.x % 32", "threadIdx.x / 32"),
    ("wrong thread", r"threadIdx\.x / 32", "threadIdx.x % 32"),
    ("wrong block", r"blockIdx\.x", "0"),
    ("wrong stride", r" \+= (32|blockDim\.x|step)\b", r" += 2 * \1"),
    ("sign", r"(?<=[\w)\]]) \+ (?=[\w(])", " - "),
    ("sign", r"(?<=[\w)\]]) - (?=[\w(])", " + "),
    ("overwritten", r" \+= ", " = "),
    ("not cleared", r"Real (\w+) = 0;", r"Real \1 = 1;"),
    ("other operation", r"(?<=[\w)\]]) \* (?=[\w(])", " + "),
    ("other operation", r"(?<=[\w)\]]) / (?=[\w(])", " * "),
    ("comparison", r" > ", " < "),
    ("comparison", r" >= ", " > "),
    ("comparison", r" == ", " != "),
    ("condition", r"if \((?!constexpr)[^;{}]*?\) (?=\w)", "if (true) "),
    ("condition", r" && ", " || "),
    ("no epsilon", r" \+ [^;+]*epsilon\)?\)", ")"),
    ("dropped atomic", r"atomicAdd\(&?([^,]+), ([^;]+)\);", r"\1 += \2;"),
    ("dropped mask", r"\bm\[k\] \* ", ""),
]

# Operations that make threads wait for each other: a barrier, and the exchange between the lanes of a warp.
SYNCHRONISATION = [
    ("barrier", r"__sync(threads|warp)\(\);", ";"),
    ("exchange", r"__shfl_\w+_sync\([^,()]+, ([\w.]+), \w+\)", r"\1"),
]

# The same inside the host layer: the calls that tell the race detector which threads met, function by function.
EDGES = [("edge", r"(release|acquire)_edge\(edge\);", ";")]
EDGES_IN = ("sync_block", "meet")


class Mutant:
    """One change of one place of the file `name`."""

    def __init__(self, name, source, kernel, rule, begin, end, text):
        self.name, self.source, self.kernel, self.rule = name, source, kernel, rule
        self.begin, self.end, self.text = begin, end, text
        self.line = source.count("\n", 0, begin) + 1

    def applied(self):
        return self.source[:self.begin] + self.text + self.source[self.end:]

    def shown(self):
        """Its lines before and after."""
        start = self.source.rfind("\n", 0, self.begin) + 1
        stop = self.source.find("\n", self.end)
        changed = self.source[start:self.begin] + self.text + self.source[self.end:stop]
        return self.source[start:stop].strip(), changed.strip()


def without_comments(text):
    """The text in the same length with comments blanked, so that offsets agree."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)


def closing(code, at):
    """The offset after the brace that closes the one before `at`."""
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(code[at], 0)
        at += 1
    return at


def device_functions(code):
    """(name, begin, end) of each function body that runs on a GPU; an operator's name has its struct before it."""
    for head in re.finditer(r"__(?:global|device)__[^;{]*?\b(operator ?(?:\(\)|\[\])|\w+)\s*\([^;{]*\)(?: const)?\s*\{",
                            code):
        structs = re.findall(r"\bstruct (\w+)", code[:head.start()]) if head[1].startswith("operator") else []
        yield "::".join(structs[-1:] + [head[1]]), head.end(), closing(code, head.end())


def functions(source, names):
    """The same for the named functions of the host."""
    code = without_comments(source)
    for head in re.finditer(rf"^[\w:]+ ({'|'.join(names)})\([^;{{]*\) \{{", code, re.M):
        yield head[1], head.end(), closing(code, head.end())


def places(rules, name, source, kernel, begin, end):
    """Every mutant of a part of a file."""
    code, found = without_comments(source), []
    for rule, pattern, replacement in rules:
        for match in re.finditer(pattern, code[begin:end]):
            text = match.expand(replacement)
            if text != match[0]:
                found.append(Mutant(name, source, kernel, rule, begin + match.start(), begin + match.end(), text))
    return found


def candidates(name, source, rules=None):
    """(kernel, all its mutants) for each device function of a file."""
    for kernel, begin, end in device_functions(without_comments(source)):
        yield kernel, places(rules or RULES, name, source, kernel, begin, end)


def drawn(found, seed):
    """The mutants of one kernel in the order in which they are tried."""
    if found:
        random.Random(f"{seed} {found[0].name} {found[0].kernel}").shuffle(found)
    return found
