#!/usr/bin/env python3
"""Shows what ran on a real GPU, and whether the kernels have changed since.

    tests/measure/gpu_check/gpu_result.py [RESULT] [--root DIR]     docs/records/gpu_check.json, or another result
    tests/measure/gpu_check/gpu_result.py --join RESULT PART ...    makes one result of the parts that gpu_check and pytorch.py wrote
    tests/measure/gpu_check/gpu_result.py --hashes FILE             writes the hashes of the kernel sources as C++, with which gpu_check is built

Prints device and date, what was judged, timed and trained, and every kernel source that was changed, added or removed since. Such a change
is no error, because it must be made before it can run on a GPU. Exit 1 for a result that cannot be read, did not run on a GPU or
contains a failed kernel, step or time; and for parts that name different GPUs or different sources, or the same section twice.
"""
import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

ROOMS = ("lib", "chapters")
NEVER_ON_A_GPU = "lib/gradus/gpu/host/"
INCLUDED = re.compile(r'^#include "(.+)"', re.M)
HEAD = ("device", "date", "sources")  # all other members of a part are sections


class Unfit(Exception):
    """A file that is no valid result or part."""


def sources(root):
    """The hash of every kernel source: the .cu files, and every header that they include, directly or not."""
    hashes, left = {}, [path for room in ROOMS for path in sorted((root / room).glob("**/*.cu"))]
    while left:
        path = left.pop()
        name = path.relative_to(root).as_posix()
        if name in hashes or name.startswith(NEVER_ON_A_GPU) or not path.exists():
            continue
        text = path.read_bytes()
        hashes[name] = hashlib.sha256(text).hexdigest()
        left += [root / room / header for header in INCLUDED.findall(text.decode()) for room in ROOMS]
    return dict(sorted(hashes.items()))


def table(hashes):
    """The C++ file that defines them for gpu_check."""
    rows = "".join(f'    {{"{name}", "{digest}"}},\n' for name, digest in hashes.items())
    return ('#include "measure/gpu_check/kernel_sources.hpp"\n\n'
            "const std::vector<std::pair<const char*, const char*>> gradus::test::kernel_sources = {\n" + rows + "};\n")


def read(path):
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(result[name], str) for name in ("device", "date")):
            raise KeyError("device, date")
        return result
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unfit(f"{path}: no result of gpu_check ({error})") from error


def joined(parts):
    """One result of [(path, part)]. A GPU's name ends at the first comma: PyTorch does not report the driver behind it."""
    result = {}
    for path, part in parts:
        if result and part["device"].split(",")[0] != result["device"].split(",")[0]:
            raise Unfit(f"{path} ran on {part['device']}, the parts before it on {result['device']}")
        if "sources" in part and result.get("sources", part["sources"]) != part["sources"]:
            raise Unfit(f"{path} ran other kernel sources than the parts before it")
        for name, value in part.items():
            if name in result and name not in HEAD:
                raise Unfit(f"{path}: there is a section '{name}' already")
        result = {**part, **result, "device": max(result.get("device", ""), part["device"], key=len),
                  "date": max(result.get("date", ""), part["date"])}
    order = {"device": 0, "date": 1, "kernels": 2, "sources": 4}
    return dict(sorted(result.items(), key=lambda item: order.get(item[0], 3)))


def tell(result, root):
    """Prints what ran; returns whether all judged kernels passed."""
    ran, kernels = result["sources"], result["kernels"]
    if result["device"] == "host layer":
        raise Unfit("this ran on the host layer, on no GPU")
    print(f"ran on {result['device']} on {result['date']}: {len(kernels)} components")
    for section in sorted(result.keys() - {*HEAD, "kernels"}):
        rows = sum(isinstance(row, dict) and "median_ms" in row for group in result[section].values() if isinstance(group, dict)
                   for row in group.values())
        print(f"there is also: {section}" + (f" ({rows} rows)" if rows else ""))
    failed = sorted(name for section in (kernels, result.get("judged step", {})) for name, row in section.items()
                    if not row["passed"])
    errors = result.get("times", {}).get("failed", {})
    failed += [f"{name}: {error}" for name, error in errors.items()]
    for name in failed:
        print(f"failed there: {name}", file=sys.stderr)
    for name, row in result.get("judged step", {}).items():
        if "same_bits" in row and "same_bits_early" not in row:
            print(f"not judged with early starts: {name}")
    now = sources(root)
    for name in sorted(ran.keys() | now.keys()):
        if ran.get(name) != now.get(name):
            how = "new" if name not in ran else "gone" if name not in now else "changed"
            print(f"{how} since: {name}")
    return not failed


def main():
    root = Path(__file__).resolve().parents[3]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", nargs="?", type=Path)
    parser.add_argument("--root", type=Path, default=root)
    parser.add_argument("--hashes", type=Path, metavar="FILE")
    parser.add_argument("--join", nargs="+", type=Path, metavar=("RESULT", "PART"))
    options = parser.parse_args()
    try:
        if options.hashes:
            options.hashes.write_text(table(sources(options.root)), encoding="utf-8")
            return 0
        if options.join:
            path, *parts = options.join
            result = joined([(part, read(part)) for part in parts])
            path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
            return 0
        path = options.result or options.root / "docs" / "records" / "gpu_check.json"
        if not path.exists():
            print("no GPU has run the kernels yet: there is no " + path.name)
            return 0
        return 0 if tell(read(path), options.root) else 1
    except Unfit as error:
        print(error, file=sys.stderr)
    except (KeyError, TypeError, AttributeError) as error:
        print(f"{path}: no result of gpu_check ({error})", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
