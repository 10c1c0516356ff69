"""One program of many texts of plain.cpp that differ in a function: what they share is compiled once, because somebody waits for it."""
import re

HEAD = ["#include <cstdio>", "#include <cstdlib>", "#include <sys/wait.h>", "#include <unistd.h>"]
# Each text runs in a process of its own, so that none finds the numbers that another one left in a variable.
RUN = """void run(const char* title, int (*program)(int, char**)) {
  char name[] = "plain", all[] = "all", *words[] = {name, all};
  std::printf("@ %s\\n", title), std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) program(2, words), std::exit(0);
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) std::exit(1);
}"""


def definition(text, name):
    """The match of a function that returns nothing."""
    return re.search(rf"^void {name}\([^{{]*\{{.*?^\}}\n", text, re.M | re.S)


def replaced(text, name, put):
    """The text with `put` in the place of a function."""
    found = definition(text, name)
    return text[:found.start()] + put + text[found.end():]


def program_of(texts, functions):
    """The text of a program that prints "@ name" and what `./plain all` prints, for each name and text of `texts`."""
    shared = {}  # by what is outside of the functions: the names
    for name, text in texts.items():
        for function in functions:
            text = replaced(text, function, "")
        shared.setdefault(text, []).append(name)
    parts, calls = [], {}
    for number, names in enumerate(shared.values()):
        part, choices = part_of([texts[name] for name in names], functions, f"part{number}")
        parts.append(part)
        calls.update({name: f'  {choice}run("{name}", part{number}::whole);' for name, choice in zip(names, choices)})
    includes = {line for text in texts.values() for line in re.findall(r"^#include .*$", text, re.M)}
    return "\n".join([*sorted({*HEAD, *includes}), *parts, RUN, "int main() {", *(calls[name] for name in texts), "}", ""])


def part_of(texts, functions, space):
    """A namespace for texts that differ in these functions, and for each text the statements that choose its own."""
    text, choices = texts[0], [""] * len(texts)
    for function in functions:
        versions = [definition(one, function)[0] for one in texts]
        kept = list(dict.fromkeys(versions))
        put = "".join(version.replace(f"void {function}(", f"void {function}_{i}(", 1) for i, version in enumerate(kept))
        text = replaced(text, function, put + f"auto* {function} = {function}_0;\n")
        choices = [f"{choice}{space}::{function} = {space}::{function}_{kept.index(version)}; " for choice, version in zip(choices, versions)]
    text = re.sub(r"^int main\(", "int whole(", re.sub(r"^#include .*$", "", text, flags=re.M), flags=re.M)
    return f"namespace {space} {{\n{text}\n}}", choices
