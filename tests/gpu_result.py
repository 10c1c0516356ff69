#!/usr/bin/env python3
"""What ran on a real GPU, and whether the kernels are still those that ran.

    tests/gpu_result.py [RESULT] [--root DIR]     docs/gpu_check.json, as gpu_check wrote it on a GPU

Prints device and date, and every kernel source that was changed, added or removed since. That is told, not refused: a
change has to be made before it can be run on a GPU. Exit 1 for a result that cannot be read or holds a failed kernel.
"""
import argparse
import hashlib
import json
import sys
from pathlib import Path

KERNELS = ("lib/**/*.cu", "chapters/**/*.cu", "lib/**/*_cuda.hpp", "chapters/**/*_cuda.hpp", "lib/gradus/gpu/*.hpp")


def sources(root):
    """The hash of every kernel source, as gpu_check lists them."""
    paths = {path for pattern in KERNELS for path in root.glob(pattern)}
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def main():
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", nargs="?", type=Path)
    parser.add_argument("--root", type=Path, default=root)
    options = parser.parse_args()
    path = options.result or options.root / "docs" / "gpu_check.json"
    if not path.exists():
        print("no GPU has run the kernels yet: there is no " + path.name)
        return 0
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        ran, kernels = result["sources"], result["kernels"]
        print(f"ran on {result['device']} on {result['date']}: {len(kernels)} components")
    except (ValueError, KeyError, TypeError) as error:
        print(f"{path}: no result of gpu_check ({error})", file=sys.stderr)
        return 1
    failed = sorted(name for name, row in kernels.items() if not row["passed"])
    for name in failed:
        print(f"failed there: {name}", file=sys.stderr)
    now = sources(options.root)
    for name in sorted(ran.keys() | now.keys()):
        if ran.get(name) != now.get(name):
            how = "new" if name not in ran else "gone" if name not in now else "changed"
            print(f"{how} since: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
