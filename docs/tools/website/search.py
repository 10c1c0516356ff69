"""The site's index of words: one entry for each part of a page, one for each function and type of the reference."""
import json
import re

import page

PART = re.compile(r'<h[1-3] id="([^"]+)">(.*?)<a class="anchor".*?</h[1-3]>', re.S)

MEMBER = re.compile(r'class="mem(?:Templ)?ItemRight"[^>]*>\s*(?:<a [^>]*>|<b>)(?:gradus::)?(\w+)<')


def words(fragment):
    fragment = re.sub(r"<svg\b.*?</svg>", " ", fragment, flags=re.S)
    fragment = re.sub(r"<(?=/?(?!span|code|a\b|em|strong)\w)", " <", fragment)  # blocks are apart, pieces of a word are not
    return re.sub(r"\s+", " ", page.plain(fragment)).replace("\\(", "").replace("\\)", "")


def parts(address, title, body):
    """[address, title of the page, heading, words] of each part."""
    cut = PART.split(body)  # before the first heading, anchor, heading, text, anchor, ...
    for anchor, heading, text in zip(cut[1::3], cut[2::3], cut[3::3]):
        yield [f"{address}#{anchor}", title, page.plain(heading), words(text)]


def symbols(tags, folder):
    """{name: page} of the reference's functions and types."""
    found = {}
    for compound in tags.iter("compound"):
        if compound.get("kind") in ("struct", "class"):
            found.setdefault(compound.findtext("name").removeprefix("gradus::"), compound.findtext("filename"))
        for member in compound.iter("member"):
            if member.get("kind") == "function" and compound.get("kind") == "namespace" and member.findtext("anchorfile"):
                found.setdefault(member.findtext("name"), f"{member.findtext('anchorfile')}#{member.findtext('anchor')}")
    for group in sorted(folder.glob("group__*.html")):  # Doxygen's list of tags lacks functions that only their group describes
        found.update({name: group.name for name in MEMBER.findall(group.read_text(encoding="utf-8"))})
    return dict(sorted(found.items()))


def script(entries):
    return "window.searchIndex = " + json.dumps(entries, ensure_ascii=False, separators=(",", ":")) + ";\n"
