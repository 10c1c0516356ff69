"""Checks that each link of the site leads to a file that is there, and each anchor to an element with that name."""
import html
import posixpath
import re
from urllib.parse import unquote

LINK = re.compile(r'<(?:a|img|source|script|link)\b[^>]*?\b(?:href|src|srcset|xlink:href)="([^"]*)"')
NAME = re.compile(r'\b(?:id|name)="([^"]*)"')
NETWORK = re.compile(r'<(?:img|source|script|link|iframe)\b[^>]*?\b(?:href|src|srcset)="((?:https?:)?//[^"]*)"')


def check(folder):
    """(links checked, complaints)"""
    texts = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.html"))
             if "mathjax" not in path.parts}
    names = {page: {html.unescape(name) for name in NAME.findall(text)} for page, text in texts.items()}
    count, problems = 0, []
    for page, text in texts.items():
        problems += [f"{page}: {link} is fetched from the network" for link in NETWORK.findall(text)]
        for link in dict.fromkeys(LINK.findall(text)):
            path, _, anchor = html.unescape(link).partition("#")
            if re.match(r"[a-z]+:|//", path):
                continue
            count += 1
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path))) if path else page
            if target not in names and not (folder / target).is_file():
                problems.append(f"{page}: link to {link}, which is not there")
            elif anchor and target in names and unquote(anchor) not in names[target]:
                problems.append(f"{page}: link to {link}, which has no such part")
    return count, problems
