"""What stands around the text of every page: the side bar, the parts of the page, the links to the previous and the next page."""
import html
import posixpath
from string import Template

import order
import page


class Frame:
    def __init__(self, root, sections):
        self.template = Template((root / "docs/site/frame.html").read_text(encoding="utf-8"))
        self.sections = sections
        self.line = [entry for _, entries in sections for entry in order.flat(entries)]
        self.numbers = {entry.source: number for number, entry in enumerate(self.line)}

    def link(self, entry, top, words="", **attributes):
        where = "reference/index.html" if entry.source == order.REFERENCE else page.address(entry.source)
        extra = "".join(f' {name}="{value}"' for name, value in attributes.items() if value)
        return f'<a href="{top}/{where}"{extra}>{words}{html.escape(entry.title)}</a>'

    def pages(self, source, top):
        """The side bar. The pages below a lesson are shown beside that lesson only."""
        made = []
        for heading, entries in self.sections:
            made.append(f"<h2>{heading}</h2>\n<ul>")
            for entry in entries:
                here = source in [one.source for one in order.flat([entry])]
                below = "".join(f"\n<li>{self.item(one, source, top)}</li>" for one in entry.below) if here else ""
                made.append(f"<li>{self.item(entry, source, top)}" + (f"\n<ul>{below}\n</ul>" if below else "") + "</li>")
            made.append("</ul>")
        return "\n".join(made) + "\n"

    def item(self, entry, source, top):
        return self.link(entry, top, **{"aria-current": "page" if entry.source == source else ""})

    def turn(self, source, top):
        if source not in self.numbers:
            return ""
        at, made = self.numbers[source], []
        if at > 0:
            made.append(self.link(self.line[at - 1], top, "<span>Previous</span> ", rel="prev"))
        if at + 1 < len(self.line):
            made.append(self.link(self.line[at + 1], top, "<span>Next</span> ", rel="next"))
        return "\n".join(made)

    @staticmethod
    def parts(headings):
        shown = [(level, anchor, words) for level, anchor, words in headings if level in (2, 3)]
        if len(shown) < 2:
            return '<aside class="parts"></aside>'
        items = "\n".join(f'<li class="level{level}"><a href="#{anchor}">{words}</a></li>' for level, anchor, words in shown)
        return f'<aside class="parts" aria-label="On this page"><h2>On this page</h2>\n<ul>\n{items}\n</ul></aside>'

    def around(self, body, title, address, source="", headings=(), head="", kind="text"):
        """The whole page at `address`, counted from the top of the site."""
        top = posixpath.relpath(".", posixpath.dirname(address) or ".")
        return self.template.substitute(
            title=html.escape(title if title == "gradus" else f"{title} · gradus"), head=head, top=top, kind=kind, body=body,
            pages=self.pages(source, top), turn=self.turn(source, top), parts=self.parts(headings))
