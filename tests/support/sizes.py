#!/usr/bin/env python3
"""Makes the tests of each leaf whose case names its sizes (sizes.hpp), so that no other file has to list the leaf.

    sizes.py CHAPTER FOLDER      writes the tests of a chapter's leaves, and prints their names as a list of CMake
    sizes.py --kernels FILE      writes f(case, options) for each size of each leaf with kernels, for gpu_check
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/wrong"))
sys.dont_write_bytecode = True

import twin_rows  # noqa: E402

HEAD = "// Made by tests/support/sizes.py, from {case}.\n"
TEST = """#include "{case}"
#include "support/expect.hpp"
#include "support/sizes.hpp"

TEST_CASE("{leaf}: finite differences and dual numbers agree with backward", "[gradients]") {{
  gradus::test::expect(gradus::test::gradients_of_sizes<gradus::test::{struct}>());
}}

TEST_CASE("{leaf}: every device agrees with the reference and keeps the contract") {{
  gradus::test::expect(gradus::test::devices_of_sizes<gradus::test::{struct}>());
}}
"""
GOLDEN = """
TEST_CASE("{leaf}: golden values") {{
  gradus::test::expect(gradus::test::golden(gradus::test::component(gradus::test::{struct}::sizes().at(0)), "{leaf}"));
}}
"""
TWINS = """#include "{case}"
#include "support/twins.hpp"
#include "wrong/{leaf}.hpp"

TEST_CASE("wrong twins of {leaf} are rejected", "[wrong]") {{
  using namespace gradus;
  const auto first = test::{struct}::sizes().at(0);
  test::expect_rejected("{chapter}", {{{twins}}}, "{leaf}");
}}
"""
TWIN = """
      {{"{name}", &wrong::{type}<Cpu<double>>::calls,
       {{test::twin_case<wrong::{type}<Cpu<double>>>("{name}", first, "{golden}")}}}}"""
KERNELS = """#include "{case}"
#include "support/expect.hpp"
#include "support/sized_kernels.hpp"

TEST_CASE("kernels of {leaf}: every judge accepts them", "[gradients]") {{
  using namespace gradus::test;
  each_size<{struct}>([](const auto& c, const KernelOptions& o) {{ expect(kernel_judges(with_kernels(c, o), o)); }});
}}
"""


def camel(name):
    """rms_norm, no-epsilon: RmsNorm, NoEpsilon."""
    return "".join(word.capitalize() for word in re.split("[_-]", name))


def sized(root, chapter="*"):
    """The cases with sizes, as (chapter, leaf, path below tests/)."""
    found = []
    for path in sorted((root / "tests/chapters").glob(f"{chapter}/*_case.hpp")):
        if " sizes() {" in path.read_text(encoding="utf-8"):
            found.append((path.parent.name, path.name.removesuffix("_case.hpp"), path.relative_to(root / "tests").as_posix()))
    return found


def has_kernels(root, chapter, leaf):
    return (root / f"chapters/{chapter}/cuda/{leaf}_cuda.cu").exists()


def tests(root, chapter, leaf, case):
    """The name and the text of each test of a leaf."""
    words = {"chapter": chapter, "leaf": leaf, "case": case, "struct": f"{camel(leaf)}Case"}
    golden = leaf if (root / f"tests/golden/{leaf}.safetensors").exists() else ""
    made = {f"{leaf}_sizes_test.cpp": TEST + (GOLDEN if golden else "")}
    twins = [TWIN.format(name=row.name, type=camel(row.name), golden=golden) for row in twin_rows.rows(root) if row[1:3] == (chapter, leaf)]
    if twins:
        made[f"{leaf}_twins_test.cpp"] = TWINS
    if has_kernels(root, chapter, leaf):
        made[f"kernels_{leaf}_test.cpp"] = KERNELS
    return {name: (HEAD + text).format(twins=",".join(twins), **words) for name, text in made.items()}


def kernels(root):
    found = [one for one in sized(root) if has_kernels(root, *one[:2])]
    return "".join(["#pragma once\n// Made by tests/support/sizes.py.\n", *(f'#include "{case}"\n' for *_, case in found),
                    '#include "support/sized_kernels.hpp"\n\nnamespace gradus::test {\n\ntemplate <class F>\n'
                    "void each_sized_kernel([[maybe_unused]] F&& f) {\n", *(f"  each_size<{camel(leaf)}Case>(f);\n" for _, leaf, _ in found),
                    "}\n\n}  // namespace gradus::test\n"])


def put(path, text):
    """A file that has not changed keeps its time, so that nothing is compiled again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main(root=ROOT):
    if sys.argv[1] == "--kernels":
        return put(Path(sys.argv[2]), kernels(root))
    chapter, folder = sys.argv[1], Path(sys.argv[2])
    made = {folder / name: text for one in sized(root, chapter) for name, text in tests(root, *one).items()}
    for path, text in made.items():
        put(path, text)
    print(";".join(map(str, made)))


if __name__ == "__main__":
    main()
