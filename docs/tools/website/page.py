"""One page of Markdown as the inside of a page of the site: GitHub's HTML, with anchors, formulas, coloured code, pictures and links."""
import html
import posixpath
import re

import colour
import github
import markdown
import mermaid

HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.S)
CODE = re.compile(r'<pre(?: lang="([^"]*)")?><code>(.*?)</code></pre>', re.S)
IMAGE = re.compile(r"(?P<open><a\b[^>]*>\s*)?(?P<image><picture\b.*?</picture>|<img\b[^>]*>)(?P<close>\s*</a>)?", re.S)
DEMO = re.compile(r"<!-- demo: ([^\n]+?) -->\s*<pre ")
ALONE = re.compile(r'<p>\s*((?:<a\b[^>]*>\s*)?<div class="drawing".*?)\s*</p>', re.S)  # a paragraph cannot hold a drawing
TARGET = re.compile(r'(<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset|xlink:href)=")([^"]*)(")')
QUIET = re.compile(r"(<a\b.*?</a>|<div class=\"formula\".*?</div>|<[^>]*>)", re.S)  # where a mention of an equation stays text
DARK = re.compile(r"@media\s*\(prefers-color-scheme:\s*dark\)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
LANGUAGES = {"sh": "bash", "cmake": "cmake", "py": "python"}


def plain(fragment):
    """Its words, without tags."""
    return html.unescape(re.sub(r"<[^>]*>", "", fragment)).strip()


def slug(words, used):
    """GitHub's anchor of a heading; `used` counts the anchors of the page."""
    name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
    used[name] = used.get(name, -1) + 1
    return name if used[name] == 0 else f"{name}-{used[name]}"


def address(source):
    """The site's file of a file of the project, counted from the top: README.md is its folder's index."""
    if source.endswith(".md"):
        return re.sub(r"README\.md$", "index.md", source)[:-3] + ".html"
    return source + ".html"


def relative(target, here):
    """An address of the site as a link on the page at `here`; both are counted from the top."""
    return posixpath.relpath(target, posixpath.dirname(here) or ".")


def with_equations(fragment, homes, here):
    """Each mention of an equation leads to it. `homes` has the page of each, `here` is the address of this page."""
    def link(match):
        home = homes.get(match[1])
        if home is None:
            return match[0]
        page = "" if address(home) == here else relative(address(home), here)
        return f'<a class="eq" href="{page}#eq-{match[1]}">{match[0]}</a>'

    parts = QUIET.split(fragment)
    parts[::2] = [markdown.EQUATION.sub(link, part) for part in parts[::2]]
    return "".join(parts)


def formula(text, displayed):
    if not displayed:
        return rf'<span class="math tex2jax_process">\({html.escape(text)}\)</span>'
    tag = markdown.TAG.search(text)
    name = f' id="eq-{tag[1]}"' if tag else ""
    return f'<div class="formula"{name} tabindex="0"><div class="math tex2jax_process">\\[{html.escape(text)}\\]</div></div>'


class Body:
    """`site` knows the files of the project: site.target(path) is the page that shows one, site.drawing(path) the text of an SVG."""

    def __init__(self, site, source, text):
        self.site, self.source = site, source
        self.headings = []  # (level, anchor, words)
        self.used = {}
        made = github.with_formulas(github.to_html(text), formula)
        made = HEADING.sub(self.heading, CODE.sub(self.code, made))
        made = DEMO.sub(r'<pre data-demo="\1" ', made)  # a live lesson finds its numbers by this name
        made = re.sub(r"<!--.*?-->\n?", "", made, flags=re.S)
        made = made.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
        made = TARGET.sub(self.link, made)
        made = ALONE.sub(r"\1", IMAGE.sub(self.image, made))
        self.html = with_equations(made, site.equations, address(source))

    def heading(self, match):
        level, inside = int(match[1]), match[2]
        words = plain(inside)
        anchor = slug(words, self.used)
        self.headings.append((level, anchor, re.sub(r"</?a\b[^>]*>", "", inside)))
        return f'<h{level} id="{anchor}">{inside}<a class="anchor" href="#{anchor}" aria-label="Link to this part">#</a></h{level}>'

    @staticmethod
    def code(match):
        language, inside = match[1], html.unescape(match[2])
        if language == "mermaid":
            return f'<div class="diagram">{mermaid.svg(inside)}</div>'
        return f'<pre tabindex="0"><code>{colour.coloured(inside, LANGUAGES.get(language, language))}</code></pre>'

    def relative(self, target):
        return relative(target, address(self.source))

    def link(self, match):
        link = html.unescape(match[2])
        if re.match(r"[a-z]+:|#|//", link) or not link:
            return match[0]
        path, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(self.source), path))
        shown = self.site.target(target, self.source)
        return match[1] + html.escape(self.relative(shown) + (f"#{anchor}" if anchor else "")) + match[3]

    def image(self, match):
        """A drawing stands in the page itself, where its links and the switch for dark work; a <picture> keeps its two files."""
        image = match["image"]
        files = re.findall(r'(?:src|srcset)="([^"]*)"', image)
        words = re.search(r'\balt="([^"]*)"', image)
        label = words[1] if words else ""
        around = lambda inside: (match["open"] or "") + inside + (match["close"] or "")
        if image.startswith("<picture"):
            dark = re.search(r'<source\b(?=[^>]*scheme:\s*dark)[^>]*\bsrcset="([^"]*)"', image)
            pair = [("light", files[-1]), ("dark", dark[1] if dark else files[-1])]
            return around("".join(f'<img class="only-{theme}" src="{file}" alt="{label}">' for theme, file in pair))
        path = posixpath.normpath(posixpath.join(posixpath.dirname(address(self.source)), files[0]))
        drawing = self.site.drawing(path)
        if drawing is None:
            return match[0]
        drawn = self.drawn(drawing, path)
        if "<a " in drawn:  # links inside an image are out of a screen reader's reach, and a link cannot stand in a link
            return f'<div class="drawing" role="group" aria-label="{label}">{drawn}</div>'
        return around(f'<div class="drawing" role="img" aria-label="{label}">{drawn}</div>')

    def drawn(self, text, path):
        """An SVG file as an element: the site's switch takes the place of the media query, and links lead to the site's pages."""
        text = text[text.index("<svg"):]
        text = DARK.sub(lambda match: re.sub(r"(^|\})\s*(?=[.#\w])", r"\1html.dark ", match[1]), text)
        text = re.sub(r"<title>.*?</title>", "", text, count=1, flags=re.S)  # the browser would show it as a hint over the whole picture
        return re.sub(r'(<a\b[^>]*\bhref=")([^"]*)(")', lambda match: self.drawn_link(match, path), text)

    def drawn_link(self, match, path):
        link, _, anchor = html.unescape(match[2]).partition("#")
        if re.match(r"[a-z]+:", link) or not link:
            return match[0]
        for folder in (posixpath.dirname(path), posixpath.dirname(self.source)):
            target = posixpath.normpath(posixpath.join(folder, link))
            if self.site.exists(target):
                return match[1] + self.relative(self.site.target(target, path)) + (f"#{anchor}" if anchor else "") + match[3]
        raise SystemExit(f"{path}: link to {link}, which is not there")
