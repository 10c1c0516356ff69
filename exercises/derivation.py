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
        self.gradients, self.columns = text["gradients"], text["columns"]  # names; by name, the numbers of a row
        self.other_sizes = text.get("other_sizes", [])  # what to replace, where two sizes of plain.cpp are equal
        self.other_words = text.get("other_words", "")  # what else the second run has, for the student
        self.other_asks = text.get("other_asks", "")  # and what to ask first, if it is wrong only there
        self.other_numbers = text.get("other_numbers", [])  # what to replace, so that the program prints what its check by small steps has
        self.held = text["held"]  # what to replace, so that the gradients hold numbers before backward is called
        self.added = text["added"]  # the gradients that must keep them; the others are written
        self.zeros = text.get("zeros", {})  # by name: why a row that should be 0 is 0
        self.row_0 = text.get("row_0", {})  # by name: what to say if only row 0 is right, in place of the common words
        self.parts = text.get("parts", {})  # by name: ways to cut a tensor's columns into equal shares, each the shares' names
        self.meet = text.get("meet", [])  # the gradients in which several ways meet, each of which another gradient has by itself
        self.invariants = text.get("invariants", [])
        self.mistakes = [{"says": one["says"], "change": change} for one in text["mistakes"] for change in [one["change"], *one.get("also", [])]]
        self.source = ROOT / "chapters" / self.chapter / "plain.cpp"
        self.file = ROOT / "build" / "exercises" / self.number / "derive.cpp"
        self.name, self.words = "derive", f"CHAPTER={self.number} DERIVE=1"

    @property
    def asked(self):
        """What the student writes, in words."""
        return "the body with the TODO" if len(self.functions) == 1 else "each body with a TODO"

    @property
    def verdict(self):
        """Where the last grade is kept: for the overview, and for `make grade` of all files that changed."""
        return self.file.parent / ".grade-derive.json"

    def plain(self):
        return self.source.read_text(encoding="utf-8")

    def sizes(self, text=""):
        """The sizes of plain.cpp or of `text`, another form of it, by name."""
        found = {}
        for name, value, divisor in re.findall(r"(\w+) = (\w+)(?: / (\w+))?", ", ".join(re.findall(r"^const(?:expr)? size_t (.*?);", text or self.plain(), re.M))):
            found[name] = found[value] // found[divisor] if divisor else int(value)
        return found

    def equations(self):
        """The equations that the bodies compute, as (3, 7) for eq:3.7, in order."""
        tags = re.findall(r"eq:(\d+)\.(\d+)", "".join(body_of(self.plain(), name) for name in self.functions))
        return sorted({(int(chapter), int(number)) for chapter, number in tags})

    def blank(self):
        """plain.cpp without the bodies that the student writes."""
        text = self.plain()
        for name in self.functions:
            body = body_of(text, name)
            text = text.replace(body, "\n  // TODO: write this body, then delete this line.\n", 1)
            text = re.sub(rf"^(void {name}\([^{{]*\{{)  //[^\n]*$", r"\1", text, flags=re.M)  # what says how
        text = text.replace("plain.cpp", "derive.cpp").replace("-o plain", "-o derive").replace("./plain", "./derive")
        head = [f"// Exercise: {self.title}. Write {self.asked}.", "//", "// What you need:"]
        for fact in self.facts:
            head += wrapped(fact, 100, "// - ", "//   ")
        head += ["//", f"//     make grade CHAPTER={self.number} DERIVE=1      judges it", "", ""]
        return "\n".join(head) + text

    def twin(self, mistake):
        """plain.cpp with a known mistake."""
        return self.changed(self.plain(), mistake["change"])

    def unwritten(self):
        """plain.cpp with bodies that do nothing."""
        text = self.plain()
        for name in self.functions:
            text = text.replace(body_of(text, name), "\n", 1)
        return text

    def with_other_sizes(self, text):
        """A program, plain.cpp or the student's, with sizes of which no two are equal."""
        return self.changed(text, self.other_sizes)

    def with_other_numbers(self, text):
        """The same with the numbers of the check by small steps, if it has numbers of its own."""
        return self.changed(text, self.other_numbers)

    def second_run(self, text):
        """The same, and the gradients hold numbers before backward is called."""
        return self.changed(self.with_other_sizes(text), self.held)

    def changed(self, text, changes):
        for find, put in changes:
            if text.count(find) != 1:
                raise Trouble(f"{self.chapter}: '{find}' stands {text.count(find)} times in the file. Only {self.asked} is yours to write.")
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
