"""How mutants of code for the processor are made: the rules, and the order in which the mutants of a file are tried. This file
compiles nothing: the compiler will reject invalid mutants later."""
import random
import re
from collections import defaultdict
from itertools import zip_longest

from mutant_host_code import behind_heads, functions, masked, paired, split, statements
from mutant_rules import Mutant

# name, pattern, replacement
RULES = [
    ("off by one", r" < ", " <= "),
    ("off by one", r" <= ", " < "),
    ("off by one", r" > ", " >= "),
    ("off by one", r" >= ", " > "),
    ("off by one", r"(?<=[\w)\]]) [+-] 1\b(?!\.)", ""),
    ("comparison", r" < ", " > "),
    ("comparison", r" > ", " < "),
    ("comparison", r" == ", " != "),
    ("comparison", r" != ", " == "),
    ("condition", r" && ", " || "),
    ("condition", r" \|\| ", " && "),
    ("negation", r"(?<=[(\s])!(?=[\w(])", ""),
    ("sign", r" - ", " + "),
    ("sign", r" \+= ", " -= "),
    ("overwritten", r" [+*]= ", " = "),
    ("other operation", r"(?<=[\w)\]]) \* (?=[\w(])", " / "),
    ("other operation", r"(?<=[\w)\]]) / (?=[\w(])", " * "),
    ("truth", r"\btrue\b", "false"),
    ("truth", r"\bfalse\b", "true"),
    ("jump", r"\bbreak;", "continue;"),
    ("jump", r"\bcontinue;", "break;"),
    ("jump", r"\b(break|continue);", ";"),
    ("nothing returned", r"\breturn (?!\{\}|true;|false;|\d+;)[^;{}]+;", "return {};"),
]
DECLARED = [("truth", r"(?<== )true\b", "false"), ("truth", r"(?<== )false\b", "true")]
PLUS = ("sign", r"(?<=[\w)\]]) \+ (?=[\w(])", " - ")  # not where strings are joined
NUMBER = re.compile(r"(?<![\w.'])(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.'])")
KEY = re.compile(r'(?:\[|\.(?:at|contains|value|find)\(|\{)"(\w+)"(?=[\]),])')

# A word in a name and the word that replaces it: for a member, if the file has a member of the new name; else if the same
# function has the new name too.
PAIRS = """source target  valid train  encoder decoder  first second  first last  m v  begin end  min max  front back
  rows columns  row column  width height  left right  top bottom  low high  x y  before after  query key  key value
  q k  k v  w b  gamma beta  dx dy  dx dn  in out  size length  step epoch  loss score  upper lower  floor ceil
  best worst  hypotheses references  hypothesis reference  pre post  input output  d_model ffn  S T  B N  weights biases
  numerator denominator  attention residual  push pop  next previous  any all  beam length  x n  s n  a b  i j  one two
  metadata recipe  open closed  start end  index count  epochs steps  words pieces  sum mean  this other"""
CALLS = set("begin end min max front back floor ceil lower_bound upper_bound any_of all_of".split())  # of std
NO_CALL = {"if", "for", "while", "switch", "catch", "sizeof", "decltype", "alignof", "return", "constexpr", "noexcept"}
NO_TYPE = {"return", "else", "case", "throw", "new", "delete", "goto", "do", "and", "or", "not"}
NO_STATEMENT = re.compile(r"(return|throw|using|typedef|template|static_assert|case|default|break|continue|goto|delete)\b")
ASSIGNED = re.compile(r"(\*|\+\+|--)?[\w:]+((\.|->)\w+|\[[^\[\]]*\]|\(\w*\))*( [-+*/|&]?= |\+\+$|--$|$)")
CALLED = re.compile(r"[\w:]+(<[^;=]*?>)?(\(.*\)|\[.*\])?((\.|->)\w+(<[^;=]*?>)?(\(.*\))?)*\(.*\)$", re.S)
UNSEEN = re.compile(r"(\.|->)(reserve|shrink_to_fit|flush)\(")  # only time depends on these


def neighbours():
    known = defaultdict(list)
    words = PAIRS.split()
    for a, b in zip(words[::2], words[1::2]):
        known[a].append(b)
        known[b].append(a)
    return known


NEIGHBOURS = neighbours()


def swapped(code, source, begin, end):
    """Swaps neighbouring arguments of calls and lists. Leaves out pairs that are unlikely to compile."""
    for head in re.finditer(r"(\w+|>|\]|return|[(,{=])\s?([({])", code[begin:end]):
        open_at = begin + head.end() - 1
        if head[1] in NO_CALL - {"return"} or (code[open_at] == "(" and head[1] in "](,{="):
            continue
        close = paired(code, open_at) - 1
        if close >= end or ";" in code[open_at:close]:
            continue
        arguments = split(code, open_at + 1, close)
        for (a, b), (c, d) in zip(arguments, arguments[1:]):
            one, two = source[a:b], source[c:d]
            kinds = [(text[0] == '"', text in ("dev", "*this"), text[0] in "[{") for text in (one, two)]
            if one != two and kinds[0] == kinds[1]:
                yield "arguments swapped", a, d, two + source[b:c] + one


def dropped(code, begin, end):
    for first, last in statements(code, begin, end):
        first = behind_heads(code, first, last)
        text = code[first:last - 1].strip()
        if not text or NO_STATEMENT.match(text) or UNSEEN.search(text):
            continue
        is_step = text[:2] in ("++", "--") or text[-2:] in ("++", "--")
        if is_step or (ASSIGNED.match(text) and "=" in text) or CALLED.match(text):
            yield "statement dropped", first, last, ";"


def conditions(code, source, begin, end):
    for head in re.finditer(r"\b(if|while) \(", code[begin:end]):
        open_at = begin + head.end() - 1
        close = paired(code, open_at)
        inside = source[open_at + 1:close - 1]
        if ";" not in inside and not re.search(r"[^=!<>]=[^=]", inside):
            yield "condition", open_at, close, f"(!({inside}))"
            if head[1] == "if":
                yield "condition", open_at, close, "(true)"
                yield "condition", open_at, close, "(false)"


def branches(code, source, begin, end):
    """a ? b : c becomes a ? c : b."""
    for mark in re.finditer(r" \? ", code[begin:end]):
        first, depth, middle, at = begin + mark.end(), 0, None, begin + mark.end()
        while at < end and not (depth == 0 and code[at] in ",;)}]"):
            depth += (code[at] in "([{") - (code[at] in ")]}")
            if depth == 0 and middle is None and code[at:at + 3] == " : ":
                middle = at
            at += 1
        if middle is not None and source[first:middle] != source[middle + 3:at]:
            yield "branches swapped", first, at, source[middle + 3:at] + " : " + source[first:middle]


def pieces(name):
    return re.findall(r"[A-Za-z][a-z0-9]*|_+|\d+", name)


def renamed(name):
    """Replaces one word of a name by its neighbour."""
    parts = pieces(name)
    if "".join(parts) != name:
        return
    for i, part in enumerate(parts):
        for other in NEIGHBOURS.get(part, []) + NEIGHBOURS.get(part.lower(), []) * part[0].isupper():
            yield "".join(parts[:i] + [other.capitalize() if part[0].isupper() and len(part) > 1 else other] + parts[i + 1:])
    yield from NEIGHBOURS.get(name, []) if len(parts) > 1 else []


def is_declared(code, at):
    """Whether the word before the name at `at` looks like its type."""
    before = code[max(0, code.rfind("\n", 0, at)):at]
    if re.search(r"\bauto[&*]* ?\[[^\]]*$", before):
        return True
    found = re.search(r"(\w+|>|[\w>][&*]+)(?: const)? ?$", before)
    return bool(found) and before.endswith(" ") and found[1] not in NO_TYPE


def neighbour_names(code, begin, end):
    members = set(re.findall(r"(?:\.|->|::)([A-Za-z_]\w*)", code)) | CALLS | {"first", "second"}
    near = set(re.findall(r"[A-Za-z_]\w*", code[max(0, begin - 400):end]))
    for word in re.finditer(r"[A-Za-z_]\w*(?!\w*::)", code[begin:end]):
        if is_declared(code, begin + word.start()):
            continue
        is_member = code[:begin + word.start()].endswith((".", "->", "::"))
        for other in sorted(set(renamed(word[0]))):
            if other in (members if is_member else near) and (other not in CALLS or code[begin + word.end()] in "(<"):
                yield "neighbour", begin + word.start(), begin + word.end(), other


def numbers(code, begin, end):
    for number in NUMBER.finditer(code[begin:end]):
        line = code[code.rfind("\n", 0, begin + number.start()) + 1:code.find("\n", begin + number.end())]
        if re.search(rf"<[^<>();]*\b{re.escape(number[0])}[^<>();]*>", line):
            continue  # a template argument of a type
        is_whole = number[1].isdigit()
        others = [str(int(number[1]) + 1), *(["0"] if number[1] == "1" else [])] if is_whole else [f"(2 * {number[1]})"]
        for other in others:
            yield "number", begin + number.start(), begin + number.end(), other


def keys(source, begin, end):
    for key in KEY.finditer(source, begin, end) if "json" in source else ():
        yield "key", key.start(1), key.end(1), key[1] + "_"


def by_pattern(rules, code, begin, end):
    for rule, pattern, replacement in rules:
        for match in re.finditer(pattern, code[begin:end]):
            yield rule, begin + match.start(), begin + match.end(), match.expand(replacement)


def sums(code, begin, end):
    rule, pattern, replacement = PLUS
    for match in re.finditer(pattern, code[begin:end]):
        at = begin + match.start()
        first = max(code.rfind(mark, 0, at) for mark in ";{}")
        if '"' not in code[first:code.find(";", at)]:
            yield rule, at, begin + match.end(), replacement


def in_function(code, source, begin, end):
    yield from by_pattern(RULES, code, begin, end)
    yield from sums(code, begin, end)
    yield from swapped(code, source, begin, end)
    yield from dropped(code, begin, end)
    yield from conditions(code, source, begin, end)
    yield from branches(code, source, begin, end)
    yield from neighbour_names(code, begin, end)
    yield from numbers(code, begin, end)
    yield from keys(source, begin, end)


class HostMutant(Mutant):
    """One change of one place; if it covers several lines, they are shown as one."""

    def shown(self):
        start = self.source.rfind("\n", 0, self.begin) + 1
        stop = self.source.find("\n", self.end)
        changed = self.source[start:self.begin] + self.text + self.source[self.end:stop]
        return " ".join(self.source[start:stop].split()), " ".join(changed.split())


def candidates(name, source):
    """(function, all its mutants) of a file; those of declarations (members, constants) come as `declarations`."""
    code = masked(source)
    rest = code
    def made(function, places):
        seen = {}
        for rule, begin, end, text in places:
            if text != source[begin:end]:
                mutant = HostMutant(name, source, function, rule, begin, end, text)
                seen.setdefault((begin, end, text), mutant)
        return list(seen.values())
    for function, begin, end in functions(code):
        yield function, made(function, in_function(code, source, begin, end))
        rest = rest[:begin] + re.sub(r"[^\n]", " ", rest[begin:end]) + rest[end:]
    values = (place for place in numbers(rest, 0, len(rest)) if re.search(r"(= |[({])$", rest[:place[1]]))
    yield "declarations", made("declarations", [*by_pattern(DECLARED, rest, 0, len(rest)), *values])


def drawn(found, seed):
    """All mutants of a file in the order in which they are tried: functions take turns, and so do the rules in a function. A function
with more places is likely to come earlier."""
    rows = []
    for function, mutants in (pair for pair in found if pair[1]):
        draw = random.Random(f"{seed} {function} {mutants[0].name}")
        by_rule = defaultdict(list)
        for mutant in mutants:
            by_rule[mutant.rule].append(mutant)
        groups = [draw.sample(group, len(group)) for _, group in sorted(by_rule.items())]
        draw.shuffle(groups)
        rows.append((-draw.random() ** (1 / len(mutants)),
                     [mutant for turn in zip_longest(*groups) for mutant in turn if mutant is not None]))
    rows = [mutants for _, mutants in sorted(rows, key=lambda row: row[0])]
    return [mutant for turn in zip_longest(*rows) for mutant in turn if mutant is not None]
