"""What the headers of this folder say about each known mistake, in lines above it: /// twin: NAME CHAPTER SEEN JUDGES"""
import re
from typing import NamedTuple

ROW = re.compile(r"^/// twin: (\S+) (\w+)(?:/(\w+))? (\w+) (.+)$", re.M)


class Twin(NamedTuple):
    name: str
    chapter: str
    leaf: str  # empty, or the one whose case judges it
    seen: str  # tutorial, elsewhere, own: see tests/README.md
    judges: list


def rows(root):
    """All twins of the project at `root`, in the order of the headers' names."""
    headers = sorted((root / "tests/wrong").glob("*.hpp"))
    return [Twin(*found[:4], found[4].split()) for header in headers for found in ROW.findall(header.read_text(encoding="utf-8"))]
