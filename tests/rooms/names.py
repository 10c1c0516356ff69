"""Whether a file includes the headers that declare what it uses from the standard library and the system.

A header of a library includes others of its own: <string> may bring std::size_t, and in the next version it does not. So a file that uses
a name of names.txt includes a header that declares it, or a header of the project that does, at any depth: what our headers include
is the same everywhere. What other libraries include does not count.
"""
import re

NAME = re.compile(r"(?<![\w.>])((?:\w+::|::)*)(\w+)")
SILENT = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|^\s*#\s*include[^\n]*', re.S | re.M)  # texts, and the includes themselves


def table(text):
    """Name: the headers that declare it."""
    found = {}
    for line in text.split("\n"):
        words = [] if line.startswith("#") else line.split()
        scope = "std::" if words[:1] == ["std"] else ""
        header, *names = words[1:] if scope else words or [""]
        for name in names:
            found.setdefault(scope + name, []).append(header[1:-1])
    return found


def used(code, headers):
    """(line, name): the first use of each name in the table, and of each other name that begins with std::."""
    found = {}
    code = SILENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), code)
    for match in NAME.finditer(code):
        scope, word = match.groups()
        if re.match(r"(::)?std::", scope):
            name = "std::" + (scope.removeprefix("::") + word).split("::")[1]
        elif scope in ("", "::"):
            forms = (scope + word, word, f"std::{word}" if word.endswith("_t") else word)
            name = next((form for form in forms if form in headers), None)
        else:
            name = None
        if name:
            found.setdefault(name, code.count("\n", 0, match.start()) + 1)
    return [(line, name) for name, line in found.items()]


def missing(file, reached, headers):
    """(line, what): each name without its header. `reached` are the project's files that `file` includes, at any depth."""
    includes = {what for one in (file, *reached) for _, quoted, what in one.includes if not quoted}
    for line, name in used(file.code, headers):
        if name not in headers:
            yield line, f"{name} stands in no line of tests/rooms/names.txt: add it there, beside its header"
        elif not includes.intersection(headers[name]):
            yield line, f"{name} without {' or '.join(f'<{header}>' for header in headers[name])}: another header happened to bring it"
