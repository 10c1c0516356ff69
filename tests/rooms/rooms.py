#!/usr/bin/env python3
"""Checks in every source file which other files it may include: the rules of the rooms (docs/architecture.md).

    tests/rooms/rooms.py            prints each broken rule as file:line: what; exit 1 if there is one
"""
import argparse
import re
import sys
from pathlib import Path

import names

SOURCES = (".hpp", ".cpp", ".cu", ".cuh", ".inc")
LONGEST_FILE = 300
LONGEST_PLAIN = 800  # in chapters/plain, whose programs are whole: each is one file
CHAPTER = re.compile(r"(\d\d)_\w+")
READ_LATER = {"12_ssru": "06_ssru"}  # their place in the order of building (docs/decisions/read-later-than-built.md)
DEVICE_SUFFIX = re.compile(r"_(reference|cpu|cuda)$")
FIRST_SCREEN = ("demo", "plain", "tiny", "trainer", "main")  # files that stand beside the rooms begin so

STAND_IN = "tests/cuda_standin/"  # for CUDA's libraries: its headers have their names
# Each outside library has its own files: only the files on the right may include the headers on the left.
DOORS = [
    (r"xtensor-blas/", ["lib/gradus/ops/gemm_reference.cpp"]),
    (r"xtensor/|xtl/|xsimd/", ["lib/gradus/tensor/xtensor.hpp", "lib/gradus/tensor/array.hpp"]),
    (r"cblas", ["lib/gradus/ops/cpu/gemm_cpu.cpp", "lib/gradus/ops/plain_blas/", "tests/measure/bench/"]),
    (r"cublas", ["lib/gradus/ops/cuda/gemm_cuda.cu", STAND_IN]),
    (r"cuda", ["lib/gradus/gpu/", STAND_IN]),
    (r"sentencepiece", ["lib/gradus/text/subword_training_sentencepiece.cpp", "tests/lib/text/pieces/"]),
    (r"curl/", ["lib/gradus/net/"]),
    (r"minizip/", ["lib/gradus/net/", "tests/"]),
    (r"mpi", ["lib/gradus/ranks/mpi/"]),
    (r"nccl", ["lib/gradus/ranks/nccl/", STAND_IN]),
    (r"utf8proc", ["lib/gradus/io/"]),
    (r"nettle/", ["lib/gradus/util/"]),
    (r"zlib", ["lib/gradus/text/", "tests/"]),
    (r"histedit|editline/", ["app/terminal/line_editor_libedit.cpp"]),
    (r"httplib", ["app/serve/http_server_httplib.cpp", "app/serve/http_server_library.hpp",
                  "tests/chapters/11_translator/"]),
    (r"CLI/", ["app/", "tests/chapters/11_translator/"]),
    (r"catch2/", ["tests/"]),
]
# The rooms of lib/gradus, of the training, of the translator and of the program. Each may include from the rooms before it, and none from beside the rooms.
ORDERS = {
    "lib/gradus/": "util scalar tensor memory gpu device kernels random ops params ranks system io text net plot".split(),
    "chapters/10_training/": "data loss optimiser step run".split(),
    "chapters/11_translator/": """data metrics search storage warnings translator pictures training/record training""".split(),
    "app/": "import export report terminal presets models options answers bench serve commands".split(),
}
CATCH = "tests/support/catch.hpp"
DEMO_HELPER = "chapters/00_foundations/tiny.hpp"  # names a device; for demos and other files called tiny_...
FORMULAS = "gradus/tensor/array.hpp"
REDUCER = re.compile(r"xt::(sum|prod|mean|average|variance|stddev|amax|amin|minmax|arg\w+|norm\w*|reduce|cum\w+|"
                     r"count_nonzero)\b|\bkeep_dims\b")
CONDITIONAL = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else)\b")
INCLUDE = re.compile(r"\s*#\s*include\s*([\"<])([^\">]+)[\">]")
ALIASED = re.compile(r"\b(\w+)<(Reference|Cpu|Cuda)<\w+>, Dev>\s+(\w+);")  # the declaration of a leaf for a device
LEAF = re.compile(r"\b(\w+)\(\s*(Reference|Cpu|Cuda)<\w+>&")  # its definition, or a declaration with all parameters


def without_comments(text):
    """The code alone, line for line."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0]) if match[0][0] == "/" else match[0]
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", blank, text, flags=re.S)


def place(name):
    """The ordered part of the tree and the room of a file in it: the longest path that contains the file, or None."""
    for part, rooms in ORDERS.items():
        if name.startswith(part):
            inside = [room for room in rooms if name.startswith(f"{part}{room}/")]
            return part, max(inside, key=len, default=None)
    return None, None


def is_above(target, file):
    """Whether an include goes against the order, within one of the parts above."""
    (part, room), (other_part, other) = place(target.name), place(file.name)
    rank = lambda name: ORDERS[part].index(name) if name else len(ORDERS[part])
    return part is not None and part == other_part and rank(room) > rank(other)


def built_after(one, other):
    """Whether chapter `one` comes behind `other` in the order of building: that of the numbers, apart from READ_LATER."""
    return READ_LATER.get(one, one) > READ_LATER.get(other, other)


def piece(base, part):
    """A leaf's file for a device: x_reference.cpp stands beside x.hpp, x_cpu.cpp in cpu/, x_cuda.cu in cuda/."""
    folder, _, name = base.rpartition("/")
    device = part.split(".")[0]
    return f"{folder}/{name}_{part}" if device == "reference" else f"{folder}/{device}/{name}_{part}"


class File:
    def __init__(self, path, root):
        self.name = path.relative_to(root).as_posix()
        self.room = self.name.split("/")[0]
        self.stem, self.suffix = path.stem, path.suffix
        self.lines = path.read_text(encoding="utf-8").count("\n")
        self.code = without_comments(path.read_text(encoding="utf-8"))
        match = CHAPTER.match(self.name.split("/")[1]) if self.room == "chapters" else None
        self.chapter = match[0] if match else None
        suffix = DEVICE_SUFFIX.search(self.stem)
        self.device = suffix[1] if suffix else None
        self.includes = []  # (line, quoted, what)
        for number, line in enumerate(self.code.split("\n"), 1):
            found = INCLUDE.match(line)
            if found:
                self.includes.append((number, found[1] == '"', found[2]))

    def find(self, pattern):
        for number, line in enumerate(self.code.split("\n"), 1):
            for match in re.finditer(pattern, line):
                yield number, match


class House:
    def __init__(self, root):
        self.root = root
        paths = [path for room in ("lib", "chapters", "app", "page", "tests") for path in sorted((root / room).rglob("*"))
                 if path.suffix in SOURCES]
        self.files = {file.name: file for file in (File(path, root) for path in paths)}
        self.broken = []
        listing = root / "tests" / "rooms" / "names.txt"
        self.headers = names.table(listing.read_text(encoding="utf-8")) if listing.exists() else {}

    def report(self, file, line, what):
        self.broken.append(f"{file if isinstance(file, str) else file.name}:{line}: {what}")

    def resolve(self, file, what):
        """The project's file that an include names, or None."""
        beside = file.name.rsplit("/", 1)[0] + "/" + what
        for name in ("lib/" + what, "chapters/" + what, "tests/" + what, "page/" + what, what, beside):
            if name in self.files:
                return self.files[name]
        return None

    def reached(self, file, seen=None):
        """All project files that an include of `file` brings in."""
        seen = {} if seen is None else seen
        for _, _, what in file.includes:
            target = self.resolve(file, what)
            if target and target.name not in seen:
                seen[target.name] = target
                self.reached(target, seen)
        return seen

    def check(self):
        for file in self.files.values():
            self.check_includes(file)
            self.check_doors(file)
            self.check_plain(file)
            self.check_catch(file)
            for line, what in names.missing(file, self.reached(file).values(), self.headers):
                self.report(file, line, what)
            if place(file.name)[0] and not place(file.name)[1] and file.stem.split("_")[0] not in FIRST_SCREEN:
                self.report(file, 1, "stands in no room whose place is known (ORDERS in rooms.py)")
            longest = LONGEST_PLAIN if file.name.startswith("chapters/plain/") else LONGEST_FILE
            if file.lines > longest:
                self.report(file, longest, f"{file.lines} lines; a file holds one idea, in at most {longest}")
            if file.room == "chapters":
                self.check_chapter_file(file)
            elif file.room == "tests" and not file.name.startswith("tests/lib/") and file.device != "reference":
                self.check_reach(file, "a test judges values by name")
        self.check_lists()
        self.check_kernels()
        self.check_scripts()
        self.check_conditionals()
        self.check_chapters()
        return self.broken

    def check_includes(self, file):
        for line, quoted, what in file.includes:
            target = self.resolve(file, what) if quoted else None
            if what.endswith((".cpp", ".cu")) and not (file.room == "lib" or file.name.startswith("tests/")):
                self.report(file, line, f"includes the source file {what}")
            if not target:
                if quoted:
                    self.report(file, line, f"includes {what}, which is no file of the project")
                continue
            if target.room == "tests" and file.room not in ("page", "tests"):
                self.report(file, line, f"includes {what}: nothing but tests and the page includes tests")
            if target.room == "page" != file.room:
                self.report(file, line, f"includes {what}: nothing includes the page")
            if is_above(target, file):
                self.report(file, line, f"includes {what}, which stands above it: the order is {' '.join(ORDERS[place(file.name)[0]])}")
            if file.room == "lib" and target.room == "chapters":
                self.report(file, line, f"includes {what}: the ground knows no chapter")
            if target.room == "app" and file.room in ("lib", "chapters"):
                self.report(file, line, f"includes {what}: the book does not know the program")
            if target.name == DEMO_HELPER and file.room not in ("page", "tests") and not file.stem.startswith(("demo", "tiny")):
                self.report(file, line, f"includes {what}, which is for demos")
            if file.chapter and target.chapter and built_after(target.chapter, file.chapter):
                self.report(file, line, f"includes {what}: a chapter includes only chapters of smaller numbers")
            if target.device and target.device != file.device and file.room != "tests":
                self.report(file, line, f"includes {what}, a piece of the device {target.device}")

    def check_doors(self, file):
        for line, quoted, what in file.includes:
            if quoted:
                continue
            for pattern, allowed in DOORS:
                if re.match(pattern, what):
                    if not any(file.name.startswith(door) for door in allowed):
                        self.report(file, line, f"includes <{what}>, which only {' and '.join(allowed)} may")
                    break
            else:
                if file.room == "chapters" and re.search(r"[/.]", what) and not self.is_plain(file, what):
                    self.report(file, line, f"includes <{what}>: chapters reach outside libraries through lib")

    def check_catch(self, file):
        """Catch2 2 and 3, of Debian 12 and 13, differ in what stands in their namespace."""
        for line, _ in [] if file.name == CATCH else file.find(re.compile(r"\bCatch::")):
            self.report(file, line, f"Catch:: is another in Catch2 2 and 3; take what {CATCH} has of both")

    def check_plain(self, file):
        """plain.cpp is what a beginner compiles alone, so it has the standard library and nothing else."""
        if file.room != "chapters" or not (file.stem == "plain" or file.name.startswith("chapters/plain/")):
            return
        for line, quoted, what in file.includes:
            if quoted or re.search(r"[/.]", what):
                self.report(file, line, f"includes {what}: a plain program stands alone, with headers of the standard library only")

    @staticmethod
    def is_plain(file, what):
        """JSON may appear in sources but not in headers of the library; a program may write to the terminal."""
        return (what == "nlohmann/json.hpp" and file.suffix == ".cpp") or "/program/" in file.name

    def check_chapter_file(self, file):
        for line, match in file.find(REDUCER):
            self.report(file, line, f"{match[0]}: chapters call no reducer of xtensor, but row_sum and its like")
        if file.device in ("cpu", "cuda") and file.name.split("/")[-2] != file.device:
            self.report(file, 1, f"stands in no folder {file.device}/: a chapter's first screen is for reading")
        self.check_waits(file)
        if file.device != "reference":
            self.check_reach(file, "formulas stand in x_reference.cpp")
        if file.suffix == ".hpp" and not file.device:
            self.check_header(file)

    def check_waits(self, file):
        """The host layer sees an access before the wait for the first thread only; this rule covers the others."""
        for line, _ in file.find(r"\bwait_for_earlier_work\("):
            before = "\n".join(file.code.split("\n")[:line - 1])
            kernel = before[before.rfind("__global__"):] if "__global__" in before else ";"
            if ";" in kernel or kernel.count("{") != 1:
                self.report(file, line, "wait_for_earlier_work() is not the first statement of its kernel")

    def check_reach(self, file, why):
        reached = self.reached(file)
        if "lib/" + FORMULAS in reached or "lib/gradus/tensor/xtensor.hpp" in reached:
            line = next((line for line, _, what in file.includes
                         if what == FORMULAS or self.brings_formulas(file, what)), 1)
            self.report(file, line, f"sees xtensor: {why}")

    def brings_formulas(self, file, what):
        target = self.resolve(file, what)
        return bool(target) and "lib/gradus/tensor/xtensor.hpp" in self.reached(target)

    def check_header(self, file):
        """A leaf's header declares the same function for each device; any other header names no device."""
        base = file.name[:-len(".hpp")]
        parts = [part for part in ("reference.cpp", "cpu.cpp", "cuda.cu") if piece(base, part) in self.files]
        if file.name == DEMO_HELPER:
            return
        if not parts:
            for line, match in file.find(r"\b(Reference|Cpu|Cuda)\b"):
                self.report(file, line, f"names the device {match[0]}: a composite is a template on the device")
            if re.search(r"\bclass Dev\b", file.code):
                for line, _ in file.find(r"\.row\(|\.data\["):
                    self.report(file, line, "reads device memory: a composite only calls leaves")
            return
        declared = {}
        for match in ALIASED.finditer(file.code):
            line = file.code[:match.start()].count("\n") + 1
            declared.setdefault(match[3], []).append((match[2], line, match[1]))
        for match in LEAF.finditer(file.code):
            end = file.code.find(";", match.end())
            body = file.code.find("{", match.end())
            if end < 0 or 0 <= body < end:
                continue  # defined here: the overload of a fused leaf
            line = file.code[:match.start()].count("\n") + 1
            declared.setdefault(match[1], []).append((match[2], line, None))
        for name, overloads in declared.items():
            self.check_leaf(file, base, name, overloads)

    def check_leaf(self, file, base, name, overloads):
        line = overloads[0][1]
        devices = {device for device, _, _ in overloads}
        defined = re.search(rf"\b{name}\(\s*(Dev|HostDevice<\w+>)&", file.code)  # here, for both
        for device in ("Reference", "Cpu"):
            if device not in devices and not defined:
                self.report(file, line, f"{name} is declared for {' and '.join(sorted(devices))}, but not for {device}")
        for device, at, _ in overloads:
            home = piece(base, f"{device.lower()}.{'cu' if device == 'Cuda' else 'cpp'}")
            code = self.files[home].code if home in self.files else ""
            if (name, device) not in LEAF.findall(code):
                self.report(file, at, f"{name} for {device} is declared, but not defined in {home}")
            elif not re.search(rf"^template (?!<)[^{{}}();]*\b{name}(;|\()", code, re.M):
                self.report(file, at, f"{name} for {device} is defined, but {home} instantiates it for no scalar")
        signatures = {signature for _, _, signature in overloads}
        if len(overloads) > 1 and None in signatures:
            self.report(file, line, f"{name} repeats its parameters for each device: write them once, as an alias (CONTRIBUTING.md, the contract of a leaf)")
        elif len(signatures) > 1:
            self.report(file, line, f"{name} takes different arguments on different devices: {' and '.join(sorted(signatures))}")

    def check_lists(self):
        """A test that no CMakeLists.txt names does not run, without a message, unless its folder's tests are all taken."""
        for file in self.files.values():
            wanted = Path(file.name).name
            if not (file.name.startswith("tests/") and wanted.endswith("_test.cpp")) or wanted.startswith("kernels_"):
                continue
            lists = [self.root / folder / "CMakeLists.txt" for folder in Path(file.name).parents if folder.name]
            if file.name.startswith("tests/lib/"):
                lists += (self.root / "tests/lib").glob("*/CMakeLists.txt")  # which may name a neighbour's test
            texts = [one.read_text(encoding="utf-8") if one.exists() else "" for one in lists]
            if not re.search(r"^add_chapter_tests\(\w+\)", texts[0], re.M) and \
                    not any(re.search(rf"\b{re.escape(wanted)}(?![\w-])", text) for text in texts):
                self.report(file, 1, f"no CMakeLists.txt above it names {wanted}: it is not compiled")

    def check_kernels(self):
        """A leaf's case that is not among the chapter's kernel cases judges the processor only, without a message."""
        judged = {(Path(file.name).parent, what) for file in self.files.values() if Path(file.name).name.startswith("kernel") for _, _, what in file.includes}
        kernels = {(name.split("/")[1], Path(name).name.removesuffix("_cuda.cu")): name for name in self.files if re.match(r"chapters/.*_cuda\.cu$", name)}
        for file in self.files.values():
            case = re.match(r"tests/(chapters/(\w+)/(?:.*/)?(\w+)_case\.hpp)$", file.name)
            if case and case.group(2, 3) in kernels and (Path(file.name).parent, case[1]) not in judged and " sizes() {" not in file.code:
                self.report(file, 1, f"does not judge {kernels[case.group(2, 3)]}: {Path(file.name).parent}/kernel_cases.hpp does not include it, and it has no sizes()")

    def check_scripts(self):
        """A script's folder comes first where Python searches: beside a file `warnings.py`, Python's own module is not found."""
        for room in ("chapters", "docs", "exercises", "notebooks", "scripts", "tests"):
            for path in sorted((self.root / room).rglob("*.py")):
                if path.stem in sys.stdlib_module_names:
                    self.report(path.relative_to(self.root).as_posix(), 1, f"hides Python's module {path.stem} from the scripts beside it")

    def check_conditionals(self):
        listing = self.root / "tests" / "rooms" / "rooms.txt"
        listed = {}
        for number, line in enumerate(listing.read_text(encoding="utf-8").split("\n") if listing.exists() else [], 1):
            if line.strip() and not line.startswith("#"):
                name, _, reason = line.partition(" ")
                listed[name] = number
                if not reason.strip():
                    self.report("tests/rooms/rooms.txt", number, f"{name} is listed without a reason")
        for file in self.files.values():
            first = next(file.find(CONDITIONAL), None)
            if first and file.room == "chapters":
                self.report(file, first[0], "preprocessor conditional in a chapter")
            elif first and file.name not in listed:
                self.report(file, first[0], "preprocessor conditional in a file that tests/rooms/rooms.txt does not list")
            elif not first and file.name in listed:
                self.report("tests/rooms/rooms.txt", listed[file.name], f"{file.name} has no conditional any more")
        for name in listed:
            if name not in self.files:
                self.report("tests/rooms/rooms.txt", listed[name], f"{name} is no file")

    def check_chapters(self):
        """The chapters that CMake links, that the graph shows and that the sources include must agree."""
        needs = {}
        for list_file in sorted((self.root / "chapters").glob("[0-9][0-9]_*/CMakeLists.txt")):
            call = re.search(r"add_chapter\((\w+)([^)]*)\)", list_file.read_text(encoding="utf-8"))
            name = f"chapters/{list_file.parent.name}/CMakeLists.txt"
            if not call or call[1] != list_file.parent.name:
                self.report(name, 1, f"has no add_chapter({list_file.parent.name} ...)")
                continue
            depends = re.search(r"\bDEPENDS((?:\s+\d\d_\w+)*)", call[2])
            needs[call[1]] = depends[1].split() if depends else []
            for other in needs[call[1]]:
                if not built_after(call[1], other):
                    self.report(name, 1, f"depends on {other}, which comes later")
            if not (self.root / "tests" / "chapters" / call[1] / "CMakeLists.txt").exists():
                self.report(name, 1, f"has no judges in tests/chapters/{call[1]}")
        for file in self.files.values():
            for line, _, what in file.includes if file.chapter in needs else []:
                target = CHAPTER.match(what)
                if target and target[0] != file.chapter and target[0] not in closure(needs, file.chapter):
                    self.report(file, line, f"includes {what}, but {file.chapter} does not depend on {target[0]}")
        self.check_graph(needs)

    def check_graph(self, needs):
        page = self.root / "chapters" / "README.md"
        if not page.exists():
            return
        drawn = {}
        for match in re.finditer(r"c(\d\d)(?:\[[^\]]*\])? --> ([^\n]*)", page.read_text(encoding="utf-8")):
            drawn[match[1]] = sorted(re.findall(r"\bc(\d\d)\b", match[2]))
        for chapter, others in needs.items():
            built = sorted(other[:2] for other in others)
            if built != drawn.get(chapter[:2], []):
                self.report("chapters/README.md", 1, f"the graph shows {chapter} on {drawn.get(chapter[:2], [])}, "
                                                     f"CMake builds it on {built}")


def closure(needs, chapter):
    reached = set()
    todo = list(needs.get(chapter, []))
    while todo:
        other = todo.pop()
        if other not in reached:
            reached.add(other)
            todo += needs.get(other, [])
    return reached


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    house = House(parser.parse_args().root.resolve())
    broken = house.check()
    for line in broken:
        print(line, file=sys.stderr)
    print(f"rooms: {len(house.files)} files, {len(broken)} broken rules")
    return 1 if broken or not house.files else 0


if __name__ == "__main__":
    sys.exit(main())
