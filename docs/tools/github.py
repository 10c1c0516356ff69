"""Markdown as GitHub shows it: cmark-gfm, which is GitHub's own parser, then the search for formulas in what it made."""
import html
import re
import shutil
import subprocess

EXTENSIONS = ("table", "strikethrough", "autolink", "tagfilter", "footnotes")
TOKEN = re.compile(r"(<!--.*?-->|<pre\b.*?</pre>|\$<code>[^<]*</code>\$|<code\b.*?</code>|<a\b.*?</a>|<[^>]*>)", re.S)
FENCE = re.compile(r'<pre lang="math"[^>]*><code>(.*?)</code></pre>$', re.S)
BACKTICKS = re.compile(r"\$<code>([^<]*)</code>\$$")
BLOCK = re.compile(r"</?(p|h\d|li|ul|ol|td|th|tr|table|thead|tbody|blockquote|details|summary|div|br|hr|section|dd|dt|dl)\b")
# What GitHub takes for a formula in a line: a space or "(" before it, a space or the end of a clause behind it.
INLINE = re.compile(r"(?:(?<=[\s(])|^)\$(?![\s$])([^$]*[^\s$])\$(?=[\s.,:;?!)]|$)")


def to_html(markdown, *options):
    """The page in HTML; its formulas are still text."""
    if not shutil.which("cmark-gfm"):
        raise SystemExit("cmark-gfm is missing: apt-get install cmark-gfm")
    command = ["cmark-gfm", "--unsafe", "--github-pre-lang", *options]
    command += [word for name in EXTENSIONS for word in ("-e", name)]
    return subprocess.run(command, input=markdown, capture_output=True, text=True, check=True, encoding="utf-8").stdout


def with_formulas(page, turn):
    """A page in HTML, with each formula replaced by turn(formula, displayed)."""
    parts = TOKEN.split(page)  # text, token, text, token, ...
    made = []
    for at, part in enumerate(parts):
        if at % 2 == 0:
            made.append(text_with_formulas(part, parts[at - 1] if at else "<p>", parts[at + 1] if at + 1 < len(parts) else "<p>", turn))
        elif match := FENCE.match(part):
            made.append(turn(html.unescape(match[1]), True))
        elif (match := BACKTICKS.match(part)) and not parts[at - 1][-1:].isalpha():
            made.append(turn(html.unescape(match[1]), False))
        else:
            made.append(part)
    return "".join(made)


def text_with_formulas(text, before, behind, turn):
    """A stretch between two tags. Beside a tag within a line, such as <strong>, GitHub finds no formula."""
    edge = lambda tag: "" if BLOCK.match(tag) else "\1"
    found = INLINE.sub(lambda match: turn(html.unescape(match[1]), False), edge(before) + text + edge(behind))
    return found.replace("\1", "")
