"""The reading order of the pages: docs/site/order.txt, applied to the pages that there are."""
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import markdown

REFERENCE = "reference/"  # Doxygen's pages
LAST = ("checked.md", "FAST.md", "solutions.md")


@dataclass
class Entry:
    """A page of the side bar with the pages below it. `source` is its file, counted from the top folder."""
    source: str
    title: str
    below: list = field(default_factory=list)


def title(path):
    """The first heading, without marks."""
    match = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.M)
    if not match:
        raise SystemExit(f"{path}: a page needs a title, a line that begins with '# '")
    return re.sub(r"[`*]", "", match[1]).strip()


def linked(root, source):
    """The pages that a page links, in the order of the links."""
    folder = (root / source).parent
    found = [(folder / link.partition("#")[0]).resolve() for link in markdown.TARGET.findall((root / source).read_text(encoding="utf-8"))]
    return [path.relative_to(root).as_posix() for path in found if path.is_relative_to(root)]


def chapter(root, folder, pages):
    """The lesson of a folder, and below it the folder's other pages."""
    lesson = f"{folder}/README.md"
    links = linked(root, lesson)
    place = lambda page: LAST.index(Path(page).name) if Path(page).name in LAST else -1
    rank = lambda page: (place(page), links.index(page) if page in links else len(links), page)
    others = sorted((page for page in pages if page.startswith(folder + "/") and page != lesson), key=rank)
    return Entry(lesson, title(root / lesson), [Entry(page, re.sub(r"^\d+ · ", "", title(root / page))) for page in others])


def matching(root, pattern, pages):
    if pattern == REFERENCE:
        return [Entry(REFERENCE, "Functions, types and files")]
    if pattern.endswith("/"):
        lessons = [path for path in map(PurePosixPath, pages) if path.name == "README.md" and path.parent.match(pattern[:-1])]
        folders = sorted(str(path.parent) for path in lessons)
        return [chapter(root, folder, pages) for folder in folders]
    return [Entry(page, title(root / page)) for page in sorted(pages)
            if PurePosixPath(page).match(pattern) and page.count("/") == pattern.count("/")]


def read(root, pages):
    """[(heading, entries)] of the side bar."""
    left, sections = [page.relative_to(root).as_posix() for page in pages], []
    for line in (root / "docs/site/order.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            sections.append((line, []))
            continue
        entries = matching(root, line.strip(), left)
        taken = {entry.source for entry in flat(entries)}
        left = [page for page in left if page not in taken]
        if not entries and "*" not in line:
            raise SystemExit(f"docs/site/order.txt: no page {line.strip()}")
        sections[-1][1].extend(entries)
    if left:
        raise SystemExit(f"docs/site/order.txt has no place for {', '.join(left)}")
    return sections


def flat(entries):
    return [page for entry in entries for page in (entry, *entry.below)]
