"""The derivations: of each chapter its plain.cpp, with a backward pass that the student writes (exercises/derive/)."""
import re
import tomllib

from task import ROOT, Trouble, wrapped

HERE = ROOT / "exercises" / "derive"


class Derivation:
    """The exercise of one chapter: exercises/derive/05_layer_norm.toml."""

    def __init__(self, path):
        text = tomllib.loads(path.read_text(encoding="utf-8"))
        self.chapter, self.number = path.stem, path.stem[:2]
        self.title, self.functions, self.facts = text["title"], text["functions"], text["facts"]
        self.gradients, self.columns = text["gradients"], text["columns"]  # by name: the lesson's equation; the numbers of a row
        self.other_sizes = text.get("other_sizes", [])  # what to replace, where two sizes of plain.cpp are equal
        self.held = text["held"]  # what to replace, so that the gradients hold numbers before backward is called
        self.added = text["added"]  # the gradients that must keep them; the others are written
        self.parts = text.get("parts", {})  # by name: what equal shares of a tensor's columns are called
        self.invariants, self.mistakes = text.get("invariants", []), text["mistakes"]
        self.source = ROOT / "chapters" / self.chapter / "plain.cpp"
        self.file = ROOT / "build" / "exercises" / self.number / "derive.cpp"
        self.name, self.words = "derive", f"CHAPTER={self.number} DERIVE=1"

    @property
    def verdict(self):
        """Where the last grade is kept: for the overview, and for `make grade` of all files that changed."""
        return self.file.parent / ".grade-derive.json"

    def plain(self):
        return self.source.read_text(encoding="utf-8")

    def blank(self):
        """plain.cpp without the bodies that the student writes."""
        text = self.plain()
        for name in self.functions:
            body = body_of(text, name)
            text = text.replace(body, "\n  // TODO: write this body, then delete this line.\n", 1)
            text = re.sub(rf"^(void {name}\([^{{]*\{{)  //[^\n]*$", r"\1", text, flags=re.M)  # what says how
        text = text.replace("plain.cpp", "derive.cpp").replace("-o plain", "-o derive").replace("./plain", "./derive")
        head = [f"// Exercise: {self.title}. Write each body with a TODO.", "//", "// What you need:"]
        for fact in self.facts:
            head += wrapped(fact, 100, "// - ", "//   ")
        head += ["//", f"//     make grade CHAPTER={self.number} DERIVE=1      judges it", "", ""]
        return "\n".join(head) + text

    def twin(self, mistake):
        """plain.cpp with a known mistake."""
        return self.changed(self.plain(), mistake["change"])

    def with_other_sizes(self, text):
        """A program, plain.cpp or the student's, with sizes of which no two are equal."""
        return self.changed(text, self.other_sizes)

    def second_run(self, text):
        """The same, and the gradients hold numbers before backward is called."""
        return self.changed(self.with_other_sizes(text), self.held)

    def changed(self, text, changes):
        for find, put in changes:
            if text.count(find) != 1:
                raise Trouble(f"{self.chapter}: '{find}' stands {text.count(find)} times in the file. Only the bodies with a TODO are yours to write.")
            text = text.replace(find, put)
        return text


def body_of(text, name):
    """What stands between the braces of a function that returns nothing."""
    found = re.search(rf"^void {name}\([^{{]*\{{[^\n]*(\n.*?)^\}}", text, re.M | re.S)
    if not found:
        raise Trouble(f"there is no function {name} to leave blank")
    return found[1]


def all_derivations():
    return [Derivation(path) for path in sorted(HERE.glob("*.toml"))]


def derivation_of(chapter):
    """The exercise that CHAPTER=05 means."""
    all_of_them = all_derivations()
    numbers = ", ".join(one.number for one in all_of_them)
    if not chapter:
        raise Trouble(f"Say which chapter, for instance CHAPTER=05. There are\n{numbers}.")
    found = [one for one in all_of_them if one.number == chapter.zfill(2)]
    if not found:
        raise Trouble(f"There is nothing to derive for a chapter {chapter}. There are\n{numbers}.")
    return found[0]
