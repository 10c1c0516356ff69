#!/usr/bin/env python3
"""Counts again what the five tutorials claim, from their texts. Prints JSON, for tests/measure/bench/record.py.

    measure.py PROGRAM DATA [TEXTS]           DATA: Multi30k's raw test_2016_flickr (.en.gz, .de.gz)
                                              TEXTS: the folder of the five texts; by default ../shared/seeds
    measure.py --check PROGRAM DATA [TEXTS]   compares with docs/records/measured.json instead

The texts are not part of the project. Without them the script says so and measures nothing. Each tutorial has a module of its name
here, which says what is counted. Where a tutorial prints translations, `gradus score` scores them; where it has a formula or a mask, the
formula is computed; where it names a scorer, the scorer gets translations by the bundled model.
"""

import gzip
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.append(str(ROOT / "docs" / "tools"))
import claims  # noqa: E402
import from_zero  # noqa: E402
import hyunwoongko  # noqa: E402
import samlynnevans  # noqa: E402
import say_hello2y  # noqa: E402
import scorers  # noqa: E402
import umar_jamil  # noqa: E402

MODULES = {"say-hello2y": say_hello2y, "from-zero": from_zero, "hyunwoongko": hyunwoongko, "umar-jamil": umar_jamil,
           "samlynnevans": samlynnevans}
NEAR = 0.011  # rounding may differ between machines; a number has two decimals


def rounded(value):
    return round(value, 2) if isinstance(value, float) and abs(value) >= 0.01 else value


def measure(program, data, texts):
    gradus = scorers.Gradus(program)
    lines = [gzip.open(data / f"test_2016_flickr.{side}.gz", "rt", encoding="utf-8").read().splitlines() for side in ("en", "de")]
    found = {}
    for name, module in MODULES.items():
        figures = module.measured("\n".join(texts.lines[name]), gradus, lines)
        found[name] = {key: rounded(value) for key, value in figures.items()}
    return found


def different(old, new):
    """The figures of `new` that `old` has not, or has with another value."""
    return [f"{name}.{key}: recorded {old.get(name, {}).get(key)}, measured {value}" for name, figures in new.items()
            for key, value in figures.items() if not near(old.get(name, {}).get(key), value)]


def near(old, new):
    return abs(old - new) < NEAR if isinstance(old, float) and isinstance(new, float) else old == new


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if len(arguments[check:]) not in (2, 3):
        sys.exit(__doc__)
    program, data, *given = (pathlib.Path(argument) for argument in arguments[check:])
    folder = given[0] if given else pathlib.Path(os.environ.get("GRADUS_TUTORIALS", ROOT.parent / "shared" / "seeds"))
    if not folder.is_dir():
        print(f"measure.py: no folder {folder} with the tutorials' texts: nothing is measured", file=sys.stderr)
        return 0
    found = measure(program.resolve(), data, claims.Texts(folder))
    if not check:
        print(json.dumps(found))
        return 0
    recorded = json.loads((ROOT / "docs" / "records" / "measured.json").read_text(encoding="utf-8")).get("claims", {})
    problems = different(recorded, found)
    print("\n".join(problems) or f"claims: {sum(map(len, found.values()))} figures are as recorded")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
