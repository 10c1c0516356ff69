"""A header in Doxygen's form: the four parts of a leaf's specification become commands, which docs/site/Doxyfile names, and a leaf that is
declared by the alias of its signature is written out, because Doxygen takes such a declaration for a variable."""
import re

CODE = re.compile(r"(`+)(?:.*?[^`])?\1(?!`)")
PART = re.compile(r"^(///) (computes|requires|ensures|saves)\b:?")
FORMULA = re.compile(r"^(///)( {6,})(?=.* = )")  # a further formula of a part keeps its own line

SIGNATURE = re.compile(r"^using (\w+) = ([^;()]+)\(Device& dev, ([^;]*)\);", re.M)  # of a leaf


def comment(line):
    """A line of a comment; <pad> outside code is a word, not HTML."""
    spans = []

    def keep(match):
        spans.append(match[0])
        return f"\0{len(spans) - 1}\0"

    line = re.sub(r"<(\w+)>", r"\<\1\>", CODE.sub(keep, line))
    line = FORMULA.sub(r"\1\2<br>", PART.sub(r"\1 \\\2 ", line))
    return re.sub("\0(\\d+)\0", lambda match: spans[int(match[1])], line)


def written_out(text):
    for name, result, others in SIGNATURE.findall(text):
        text = re.sub(rf"^{name}<(\w+<Real>|Dev)(?:, Dev)?> (\w+);", lambda match: f"{result} {match[2]}({match[1]}& dev, {others});", text, flags=re.M)
    return text


def commands(text):
    text = written_out(text)
    return re.sub(r"///.*", lambda match: comment(match[0]), text)
