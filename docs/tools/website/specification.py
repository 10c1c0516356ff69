"""The comments of a header in Doxygen's form: the four parts of a leaf's specification become commands, which docs/site/Doxyfile names."""
import re

CODE = re.compile(r"(`+)(?:.*?[^`])?\1(?!`)")
PART = re.compile(r"^(///) (computes|requires|ensures|saves)\b:?")
FORMULA = re.compile(r"^(///)( {6,})(?=.* = )")  # a further formula of a part keeps its own line


def comment(line):
    """A line of a comment; <pad> outside code is a word, not HTML."""
    spans = []

    def keep(match):
        spans.append(match[0])
        return f"\0{len(spans) - 1}\0"

    line = re.sub(r"<(\w+)>", r"\<\1\>", CODE.sub(keep, line))
    line = FORMULA.sub(r"\1\2<br>", PART.sub(r"\1 \\\2 ", line))
    return re.sub("\0(\\d+)\0", lambda match: spans[int(match[1])], line)


def commands(text):
    return re.sub(r"///.*", lambda match: comment(match[0]), text)
