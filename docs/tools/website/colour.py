"""Source code in colours, by Pygments."""
import html

try:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
    from pygments.util import ClassNotFound
except ImportError:
    raise SystemExit("Pygments is missing: apt-get install python3-pygments") from None

OTHER_NAMES = {".cu": "cpp", ".cuh": "cpp", ".inc": "cpp", ".ipynb": "json", ".def": "text"}


def coloured(text, language):
    """The inside of a <code> element."""
    if not language or language == "text":
        return html.escape(text, quote=False)
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return html.escape(text, quote=False)
    return highlight(text, lexer, HtmlFormatter(nowrap=True))


def file(path, text):
    """A whole file, each line with its number as an anchor."""
    language = OTHER_NAMES.get(path.suffix)
    try:
        lexer = get_lexer_by_name(language) if language else get_lexer_for_filename(path.name, text)
        lines = highlight(text, lexer, HtmlFormatter(nowrap=True)).split("\n")
    except ClassNotFound:
        lines = html.escape(text, quote=False).split("\n")
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(f'<span class="line" id="L{number}">{line}</span>' for number, line in enumerate(lines, 1))


def colours(light, dark):
    """The style sheet of both themes: the colours of words, not the background."""
    lines = [line for style, scope in ((light, "pre"), (dark, "html.dark pre")) for line in HtmlFormatter(style=style).get_style_defs(scope).split("\n")]
    return "\n".join(line for line in lines if "pre ." in line and ".err" not in line) + "\n"
