"""The mutants of the Python tools, by their syntax tree, and of the page's JavaScript, by patterns. This file runs nothing."""
import ast
import re

from mutant_host_code import TOKEN, paired
from mutant_host_rules import HostMutant

COMPARED = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in", ast.NotIn: "in",
            ast.Is: "is not", ast.IsNot: "is"}
COMPUTED = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "+", ast.BitAnd: "|", ast.BitOr: "&"}
OTHER_CALL = {"min": "max", "max": "min", "any": "all", "all": "any", "startswith": "endswith", "endswith": "startswith", "strip": "rstrip",
              "removeprefix": "removesuffix", "removesuffix": "removeprefix", "sorted": "list", "find": "rfind", "append": "remove",
              "add": "discard", "floor": "ceil", "ceil": "floor"}


class Places:
    """Offsets of the text for the rows and columns of the syntax tree, whose columns count bytes."""

    def __init__(self, source):
        self.lines, self.starts = source.split("\n"), [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def at(self, row, column):
        return self.starts[row - 1] + len(self.lines[row - 1].encode()[:column].decode())

    def of(self, node):
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)


def between(source, places, left, right, old, new):
    """The replacement of the operator between two nodes."""
    begin, end = places.of(left)[1], places.of(right)[0]
    found = re.search(old, source[begin:end])
    return (begin + found.start(), begin + found.end(), new) if found else None


def is_text(node):
    """Whether an operand is a text, so that + joins."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)) or (
        isinstance(node, ast.BinOp) and (is_text(node.left) or is_text(node.right)))


def operators(source, places, node):
    if isinstance(node, ast.Compare):
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators):
            words = r"not\s+in|is\s+not|in|is|[<>=!]=?"
            yield "comparison", between(source, places, left, right, words, COMPARED[type(op)])
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED and not is_text(node):
        yield "other operation", between(source, places, node.left, node.right, r"//|[-+*/%&|]", COMPUTED[type(node.op)])
    elif isinstance(node, ast.BoolOp):
        new = "or" if isinstance(node.op, ast.And) else "and"
        for left, right in zip(node.values, node.values[1:]):
            yield "and for or", between(source, places, left, right, r"\b(and|or)\b", new)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        begin, end = places.of(node)
        yield "condition", (begin, end, source[places.of(node.operand)[0]:end])


def branches(source, places, node):
    if isinstance(node, ast.IfExp):
        (a, b), (c, d) = places.of(node.body), places.of(node.orelse)
        yield "branches swapped", (a, d, source[c:d] + source[b:c] + source[a:b])
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        begin, end = places.of(node.test)
        for new in (f"(not ({source[begin:end]}))", "False", *(["True"] if not isinstance(node, ast.While) else [])):
            yield "condition", (begin, end, new)
    for test in node.ifs if isinstance(node, ast.comprehension) else ():
        yield "condition", (*places.of(test), "True")


def values(source, places, node):
    if not isinstance(node, ast.Constant):
        return
    begin, end = places.of(node)
    if node.value is True or node.value is False:
        yield "constant", (begin, end, str(not node.value))
    elif isinstance(node.value, int):
        yield "constant", (begin, end, str(node.value + 1))
    elif isinstance(node.value, float):
        yield "constant", (begin, end, f"(2 * {source[begin:end]})")


def calls(source, places, node):
    if not isinstance(node, ast.Call):
        return
    for one, two in zip(node.args, node.args[1:]):
        (a, b), (c, d) = places.of(one), places.of(two)
        if source[a:b] != source[c:d] and not any(isinstance(x, ast.Starred) for x in (one, two)):
            yield "arguments swapped", (a, d, source[c:d] + source[b:c] + source[a:b])
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in OTHER_CALL:
        end = places.of(node.func)[1]
        yield "other function", (end - len(name), end, OTHER_CALL[name])


def statements(source, places, node):
    """Drops what is done for its effect; a text of documentation is not."""
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if is_call or isinstance(node, (ast.AugAssign, ast.Raise, ast.Continue, ast.Break)):
        yield "statement dropped", (*places.of(node), "pass")
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "nothing returned", (*places.of(node), "return None")


RULES = (operators, branches, values, calls, statements)


def inside(node):
    """The nodes of a function, without its annotations and the parts of its f-strings, whose places are not exact."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.JoinedStr, ast.arguments)):
            continue
        yield child
        yield from inside(child)


def of_python(name, source):
    """(function, its mutants); those outside of functions come as `module`. Methods have the name of their class before them."""
    tree, places = ast.parse(source), Places(source)
    is_main = '__name__ == "__main__"'
    functions = [(f"{node.name}.{part.name}", part) for node in tree.body if isinstance(node, ast.ClassDef)
                 for part in node.body if isinstance(part, ast.FunctionDef)]
    functions += [(node.name, node) for node in tree.body if isinstance(node, ast.FunctionDef)]
    rest = [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom))
            and is_main not in (ast.get_source_segment(source, node) or "")]
    for function, nodes in [*((title, [*inside(node)]) for title, node in functions), ("module", [n for r in rest for n in (r, *inside(r))])]:
        yield function, made(name, source, function, ((rule, place) for node in nodes for make in RULES for rule, place in make(source, places, node)))


def made(name, source, function, found):
    seen = {}
    for rule, place in found:
        if place and source[place[0]:place[1]] != place[2]:
            seen.setdefault(place, HostMutant(name, source, function, rule, *place))
    return list(seen.values())


# name, pattern, replacement; strings and comments are masked
SCRIPT_RULES = [
    ("comparison", r" < ", " <= "), ("comparison", r" > ", " >= "), ("comparison", r" >= ", " > "), ("comparison", r" === ", " !== "),
    ("comparison", r" !== ", " === "), ("and for or", r" && ", " || "), ("and for or", r" \|\| ", " && "),
    ("other operation", r"(?<=[\w)\]]) \+ (?=[\w(])", " - "), ("other operation", r"(?<=[\w)\]]) - (?=[\w(])", " + "),
    ("other operation", r"(?<=[\w)\]]) \* (?=[\w(])", " / "), ("other operation", r"(?<=[\w)\]]) / (?=[\w(])", " * "),
    ("other operation", r" \+= ", " = "), ("constant", r"\btrue\b", "false"), ("constant", r"\bfalse\b", "true"),
    ("condition", r"\bif \((?!\()([^()]*(?:\([^()]*\)[^()]*)*)\)", r"if (!(\1))"), ("condition", r"(?<=[\s(])!(?=\w)", ""),
    ("other function", r"\bMath\.min\b", "Math.max"), ("other function", r"\bMath\.max\b", "Math.min"),
    ("other function", r"\.add\(", ".remove("), ("other function", r"\.remove\(", ".add("),
    ("statement dropped", r"(?<=[;{}]\n)( *)(?!return\b|const\b|let\b|import\b|export\b|throw\b)[\w.()'\[\]]+[^;{}\n]*;(?=\n)", r"\1;"),
]


def masked(source):
    """The text in the same length, with comments, strings and patterns hidden."""
    code = TOKEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0][0] == "/" else m[0][0] + "_" * (len(m[0]) - 2) + m[0][-1], source)
    return re.sub(r"((?:[(=:,]|return) ?)(/[^/\n]+/)(?=[.,;)])", lambda m: m[1] + "_" * len(m[2]), code)


def script_functions(code):
    """(name, begin, end) of each function at the first level; what stands between them comes as `module`."""
    at = 0
    for head in re.finditer(r"^(?:export )?(?:async )?function (\w+)\(", code, re.M):
        if head.start() < at:
            continue
        body = code.index("{", paired(code, head.end() - 1))
        yield "module", at, head.start()
        at = paired(code, body)
        yield head[1], body, at
    yield "module", at, len(code)


def script_places(code, source, begin, end):
    for rule, pattern, new in SCRIPT_RULES:
        for found in re.finditer(pattern, code[begin:end]):
            first, last = begin + found.start(), begin + found.end()
            text = source[first:last]
            yield rule, (first, last, re.sub(r"^if \((.*)\)$", r"if (!(\1))", text, flags=re.S) if new == r"if (!(\1))" else found.expand(new))
    for number in re.finditer(r"(?<![\w.'])(\d+(?:\.\d+)?)(?![\w.])", code[begin:end]):
        new = str(int(number[1]) + 1) if number[1].isdigit() else f"(2 * {number[1]})"
        yield "constant", (begin + number.start(), begin + number.end(), new)
    for mark in re.finditer(r" \? ([^?:;\n]+) : ([^?:;,)\n]+)", code[begin:end]):
        a, b, c, d = (begin + at for at in (mark.start(1), mark.end(1), mark.start(2), mark.end(2)))
        yield "branches swapped", (a, d, source[c:d] + source[b:c] + source[a:b])


def of_script(name, source):
    code, found = masked(source), {}
    for function, begin, end in script_functions(code):
        found.setdefault(function, []).extend(script_places(code, source, begin, end))
    for function, places in found.items():
        yield function, made(name, source, function, places)


def candidates(name, source):
    """(function, all its mutants) of a file of Python or of JavaScript."""
    return of_python(name, source) if name.endswith(".py") else of_script(name, source)
