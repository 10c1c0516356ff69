"""Cuts a cell into pieces that Cling takes one by one: definitions, statements, a last expression.

Each statement is a piece of its own. In one piece, Cling may initialise a constant before the variable that it is made from.
"""
import re
from collections import namedtuple

Piece = namedtuple("Piece", "kind line text")  # kind: definition, statement, expression; line: of the cell, from 1

HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r"[ \t]*#(?:[^\n]*\\\n)*[^\n]*\n?")
GOES_ON = re.compile(r"\s*(?:[;,.)\]=*/%?:([|^<>]|&&|->|-\s|\+\s|else\b|catch\b|while\b(?=[^{]*;))")
CONTROL = re.compile(r"\s*(?:if|for|while|switch|do|try)\b")
TYPE_OR_TEMPLATE = re.compile(r"\s*(?:template|struct|class|enum|union|namespace)\b")
FUNCTION = re.compile(r"\s*(?!return\b|new\b|throw\b)[\w:][\w:<>,&*\s\[\]]*[\s&*>][\w:]+\s*\([^;{}]*\)"  # type name(...)
                      r"\s*(?:const\b)?\s*(?:noexcept\b)?\s*(?:->[^;{}=]*)?\{")


def hidden(code):
    """The code with comments and the contents of literals blanked out; every character keeps its place."""
    def blank(match):
        text = re.sub(r"[^\n]", " ", match[0])
        return text if match[0].startswith("/") else '"' + text[1:-1] + '"'
    return HIDDEN.sub(blank, code)


def ends(code):
    """The places where something ends at the top level: a directive, a statement, a block."""
    depth, place = 0, 0
    while place < len(code):
        directive = depth == 0 and code[:place].rpartition("\n")[2].strip() == "" and DIRECTIVE.match(code, place)
        if directive:
            place = directive.end()
            yield place
            continue
        character = code[place]
        depth += (character in "({[") - (character in ")}]")
        place += 1
        if depth == 0 and (character == ";" or character == "}" and not GOES_ON.match(code, place)):
            yield place


def kind_of(code):
    """Of one statement or definition, its hidden form."""
    if DIRECTIVE.match(code.lstrip()):
        return "definition"
    if CONTROL.match(code):
        return "statement"
    if TYPE_OR_TEMPLATE.match(code) and "{" in code:
        return "definition"
    return "definition" if FUNCTION.match(code) else "statement"


def pieces(cell):
    code, first, found = hidden(cell), 0, []
    for end in [*ends(code), len(cell)]:
        part, text = code[first:end], cell[first:end]
        if part.strip() in ("", ";"):
            if found:
                found[-1] = found[-1]._replace(text=found[-1].text + text)
        else:
            complete = re.search(r"[;}]\s*$", part) or DIRECTIVE.match(part.lstrip())
            kind = kind_of(part) if complete else "expression"
            leading = len(part) - len(part.lstrip())  # comments too
            line = cell.count("\n", 0, first + leading) + 1
            text = text[leading:]
            last = found and found[-1]
            if last and text.startswith("#") and last.text.startswith("#"):  # one run of directives
                gap = "\n" * (line - last.line - last.text.count("\n"))
                found[-1] = last._replace(text=last.text + gap + text)
            else:
                found.append(Piece(kind, line, text))
        first = end
    return found


def is_complete(cell):
    """For a console: does Enter run the cell, or start a new line?"""
    code = hidden(cell)
    return all(code.count(opening) <= code.count(closing) for opening, closing in ("()", "{}", "[]"))
