"""What the scripts look for in the Markdown of a page, and which pages there are. A module, no program.

    for path in markdown.chosen(root, options.page):
        prose = markdown.without(path.read_text(encoding="utf-8"), markdown.FENCE, markdown.CODE)
"""
import re

FENCE = re.compile(r"^ *(?P<fence>`{3,}|~{3,})(?P<language>\w*)[^\n]*\n(?P<inside>.*?)^ *(?P=fence) *$", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
COMMENT = re.compile(r"<!--.*?-->", re.S)
IMAGE = re.compile(r"!\[(?P<words>[^\]]*)\]\((?P<target>[^)\s]*)\)")
LINK = re.compile(r"!?\[(?P<words>[^\]]*)\]\((?P<target>[^)\s]*)\)")
TARGET = re.compile(r"\]\(([^)\s]+)\)")  # of each link, also of one around a picture
TAG = re.compile(r"\\tag\{eq:(\d+\.\d+)\}")
EQUATION = re.compile(r"\beq:(\d+\.\d+)\b")


def without(text, *patterns):
    """The text without what the patterns match; its lines keep their numbers."""
    for pattern in patterns:
        text = pattern.sub(lambda match: "\n" * match[0].count("\n"), text)
    return text


def pages(root):
    """All pages of the project, without hidden folders and the results of builds."""
    hidden = lambda path: any(part.startswith((".", "build")) for part in path.relative_to(root).parts)
    tops = [path for path in root.iterdir() if not hidden(path)]  # builds can hold whole systems: they are not even looked through
    return sorted(path for top in tops for path in (top.rglob("*.md") if top.is_dir() else [top]) if path.suffix == ".md" and not hidden(path))


def chosen(root, named):
    """The pages that a command line names, or all."""
    for path in named:
        if not path.is_file():
            raise SystemExit(f"{path}: no such page")
        if not path.resolve().is_relative_to(root):
            raise SystemExit(f"{path}: not below {root}")
    return [path.resolve() for path in named] or pages(root)
