"""Reads C++ as far as mutants need it: finds functions, arguments and statements by brackets and words alone. In `masked`
code literals and comments are hidden; its offsets are those of the source."""
import re

from mutant_rules import closing

TOKEN = re.compile(r'R"(\w*)\((?:.*?)\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\d)\'(?:\\.|[^\'\\\n])+\'', re.S)


def masked(source):
    """The code in the same length: comments and preprocessor lines become blanks, the text of literals is hidden, offsets stay the same."""
    def hidden(match):
        if match[0][0] == "/":
            return re.sub(r"[^\n]", " ", match[0])
        return match[0][0] + re.sub(r"[^\n]", "_", match[0][1:-1]) + match[0][-1]
    code = TOKEN.sub(hidden, source)
    return re.sub(r"^[ \t]*#(?:.*\\\n)*.*", lambda m: re.sub(r"[^\n]", " ", m[0]), code, flags=re.M)


def paired(code, at):
    """The offset after the bracket that closes the one at `at`; the end of the code if there is none."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if depth == 0:
            return i + 1
    return len(code)


def without_template(head):
    """A head without its `template <...>`."""
    while (found := re.search(r"\btemplate\s*<", head)):
        at, depth = found.end(), 1
        while depth and at < len(head):
            depth += (head[at] == "<") - (head[at] == ">")
            at += 1
        head = head[:found.start()] + " " * (at - found.start()) + head[at:]
    return head


def functions(code):
    """(name, begin, end) of each function; `begin` follows its parameters, so that initialisers belong to it."""
    at = start = 0
    while at < len(code):
        if code[at] == "(" and not re.search(r"\boperator\s*$", code[start:at]):
            at = paired(code, at)
            continue
        if code[at] == "{":
            head = without_template(code[start:at])
            if "(" in head and not re.search(r"[^=!<>]=(?!=)[^(]*$", head.split("(")[0] + " "):
                first = start + head.index("(")
                end = closing(code, at + 1)
                name = re.search(r"(operator\s*\S*|~?\w+)\s*$", head[:first - start])
                yield (name[1] if name else "?"), paired(code, first), end
                at = start = end
                continue
            if not re.search(r"\b(namespace|struct|class|union)\b", head) and "extern" not in head:
                at = closing(code, at + 1)  # values, or an enumeration
                continue
        if code[at] in "{};":
            start = at + 1
        at += 1


def split(code, begin, end):
    """The ranges of the arguments between two brackets."""
    places, depth, first = [], 0, begin
    for i in range(begin, end):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if code[i] == "," and depth == 0:
            places.append((first, i))
            first = i + 1
    places.append((first, end))
    trimmed = [(a + len(code[a:b]) - len(code[a:b].lstrip()), b - len(code[a:b]) + len(code[a:b].rstrip()))
               for a, b in places]
    return [(a, b) for a, b in trimmed if a < b]


def statements(code, begin, end):
    """(begin, end) of each statement of assignments and calls, with its `;`."""
    depths, start = [0], begin
    for i in range(begin, end):
        c = code[i]
        if c in "([":
            depths[-1] += 1
        elif c in ")]":
            depths[-1] -= 1
        elif c == "{":
            depths.append(0)
            start = i + 1
        elif c == "}":
            depths = depths[:-1] or [0]
            start = i + 1
        elif c == ";" and depths[-1] <= 0:
            yield start, i + 1
            start = i + 1


def behind_heads(code, begin, end):
    """The offset after `if (...)`, `for (...)`, `else` and labels, where the statement begins."""
    while True:
        begin += len(code[begin:end]) - len(code[begin:end].lstrip())
        head = re.match(r"else\b|(?:if|for|while|switch)(?: constexpr)? ?(?=\()|case [^:]+:(?!:)|default:", code[begin:end])
        if not head:
            return begin
        begin += head.end()
        if code[begin:begin + 1] == "(":
            begin = paired(code, begin)
