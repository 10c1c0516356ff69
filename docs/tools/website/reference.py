"""The reference: Doxygen reads the headers, and its pages get the site's frame. The first page lists the leaves by chapter."""
import html
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as tree
from pathlib import Path

import order
import page
import search
import specification

FUNCTION = re.compile(r"\b(\w+_(?:forward|backward))(?:\([^()]*&|;)")  # `;` after the name: declared by an alias
GROUP = re.compile(r"\\defgroup (\w+) (.+)\n/// (?:computes:? +)?(.*)")
NOISE = re.compile(r'<div class="summary">.*?</div>|<img\b[^>]*>| onclick="[^"]*"', re.S)  # links to lists that are left out, arrows
INSIDE = re.compile(r"<!--gradus (.*?)-->(.*)<!--/gradus-->", re.S)
INTRODUCTION = """<h1>Functions, types and files</h1>
<p>Leaves and composites are free functions, <code>x_forward</code> and <code>x_backward</code>; the device is their first argument.
The page of a leaf says what it computes, what it requires, what it ensures and what it saves.</p>
"""


def headers(root):
    return [path for folder in ("lib", "chapters", "app") for path in sorted((root / folder).rglob("*.hpp"))]


def run_doxygen(site, work):
    """Doxygen's pages, made from copies of the headers with their specifications as commands."""
    if not shutil.which("doxygen"):
        raise SystemExit("doxygen is missing: apt-get install doxygen")
    for path in [*headers(site.root), site.root / "docs/site/gradus.dox"]:
        copy = work / path.relative_to(site.root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(specification.commands(path.read_text(encoding="utf-8")), encoding="utf-8")
    for name in ("doxygen_header.html", "doxygen_footer.html", "doxygen_layout.xml"):
        shutil.copy(site.root / "docs/site" / name, work / "docs/site" / name)
    settings = (site.root / "docs/site/Doxyfile").read_text(encoding="utf-8") + f'OUTPUT_DIRECTORY = "{site.output}"\n'
    done = subprocess.run(["doxygen", "-"], input=settings, cwd=work, capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        raise SystemExit(f"doxygen complains:\n{done.stderr}")


def leaves(root, tags):
    """{chapter: [(name, page, what it computes)]}"""
    pages = {group.findtext("name"): group.findtext("filename") for group in tags.iter("compound") if group.get("kind") == "group"}
    found = {}
    for path in headers(root):
        for name, words, computes in GROUP.findall(path.read_text(encoding="utf-8")):
            computes = re.sub(r"\s*\(eq:[^)]*\)|`", "", computes).strip().rstrip(",:")
            found.setdefault(path.relative_to(root).parts[1], []).append((words, pages[name], computes))
    return found


def file_of(tag, work):
    """The path of a header, counted from the top folder; Doxygen gives its copy's."""
    return (tag.findtext("path") + tag.findtext("name")).removeprefix(f"{work}/")


def first_page(site, tags, work):
    made = [INTRODUCTION]
    lessons = {source.split("/")[1]: source for source in site.titles if re.match(r"chapters/\d\d_\w+/README\.md$", source)}
    for folder, found in sorted(leaves(site.root, tags).items()):
        lesson = lessons.get(folder)
        title = f'<a href="../{page.address(lesson)}">{html.escape(site.titles[lesson])}</a>' if lesson else "The library"
        rows = "\n".join(f'<tr><td><a href="{where}"><code>{name}</code></a></td><td><code>{html.escape(computes)}</code></td></tr>'
                         for name, where, computes in found)
        made.append(f'<h2 id="{folder}">{title}</h2>\n<div class="table"><table>\n{rows}\n</table></div>')
    made.append('<h2 id="files">Headers</h2>\n<p>Each with its types and functions. <a href="annotated.html">All types</a>, '
                '<a href="namespacegradus.html">all functions</a>.</p>')
    files = sorted((file_of(tag, work), tag.findtext("filename")) for tag in tags.iter("compound")
                   if tag.get("kind") == "file" and tag.findtext("name").endswith(".hpp"))
    folders = {}
    for path, where in files:
        folders.setdefault(path.rpartition("/")[0], []).append(f'<a href="{where}"><code>{path.rpartition("/")[2]}</code></a>')
    made += [f'<p class="files"><strong><code>{folder}/</code></strong> {" ".join(names)}</p>' for folder, names in folders.items()]
    return "\n".join(made)


def framed(site, text, name, sources):
    """A page of Doxygen in the site's frame; mentions of equations lead to the lesson, a header's page to its source."""
    title, inside = INSIDE.search(NOISE.sub("", text)).groups()
    if name.startswith("group__"):
        inside = inside.replace('<h2 class="groupheader">Detailed Description</h2>', "", 1)
    if name in sources:
        path = sources[name]
        link = f'<p><a href="../{site.target(path, name)}">The source</a> of <code>{path}</code></p>'
        inside = inside.replace('<div class="contents">', f'<div class="contents">\n{link}', 1)
    here = f"reference/{name}"
    inside = page.with_equations(inside, site.equations, here)
    return site.frame.around(inside, html.unescape(title), here, order.REFERENCE, kind="reference")


def missing(root, folder):
    """Functions of the chapters without an entry: where a namespace has no comment, Doxygen drops its free functions without a word."""
    names = sorted({name for header in (root / "chapters").rglob("*.hpp")
                    for name in FUNCTION.findall(re.sub(r"//.*", "", header.read_text(encoding="utf-8")))})
    listing = "".join(path.read_text(encoding="utf-8") for kind in ("namespace", "group__") for path in folder.glob(f"{kind}*.html"))
    return len(names), [f"function {name} has no entry" for name in names if not re.search(rf">(gradus::)?{name}(\(\))?</", listing)]


def write(site):
    """(functions, complaints)"""
    folder = site.output / "reference"
    with tempfile.TemporaryDirectory() as copies:
        work = Path(copies).resolve()
        run_doxygen(site, work)
        tags = tree.parse(work / "gradus.tag").getroot()
    count, problems = missing(site.root, folder)
    sources = {}
    for tag in tags.iter("compound"):
        if tag.get("kind") == "file" and tag.findtext("name").endswith(".hpp"):
            sources[tag.findtext("filename")] = file_of(tag, work)
    for path in sorted(folder.iterdir()):
        if path.suffix == ".html" and path.name != "index.html":
            path.write_text(framed(site, path.read_text(encoding="utf-8"), path.name, sources), encoding="utf-8")
        else:
            path.unlink()
    title = "Functions, types and files"
    site.write("reference/index.html", site.frame.around(first_page(site, tags, work), title, "reference/index.html", order.REFERENCE))
    site.entries += [[f"reference/{where}", "Reference", name, ""] for name, where in search.symbols(tags, folder).items()]
    return count, problems
