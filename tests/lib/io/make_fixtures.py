#!/usr/bin/env python3
"""Writes what the judges of gradus/io compare with, by Python alone: fixtures/ beside this script. Made
with Python 3.11, whose tables are those of Unicode 14.

    reader.safetensors   every type that is read, awkward values, a tensor without values, a single value
    writer.safetensors   what safetensors_bytes must write, byte for byte
    lower_case.txt       each code point that Python puts in lower case, and what it becomes
    case_context.txt     what each assigned code point is beside a capital sigma: cased, ignorable, or neither (plain)
"""
import itertools
import json
import struct
import unicodedata
from math import inf, nan
from pathlib import Path

FOLDER = Path(__file__).parent / "fixtures"
FORMATS = {"U8": "B", "I32": "i", "I64": "q", "F16": "e", "F32": "f", "F64": "d"}


def safetensors(tensors, metadata):
    """tensors: (name, type, shape, values) in the order of the data."""
    header, data = {"__metadata__": metadata}, b""
    for name, dtype, shape, values in tensors:
        begin = len(data)
        data += struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def reader():
    return safetensors(
        [
            ("bytes", "U8", [3], [0, 127, 255]),  # first, so that nothing behind it is aligned
            ("doubles", "F64", [2, 2], [0.1, -1e300, 5e-324, -0.0]),
            ("floats", "F32", [2, 3], [1.5, -0.0, 1e-45, 3.4028234663852886e38, inf, nan]),
            ("halves", "F16", [7], [1.0, -2.5, 65504.0, 2.0**-24, -(2.0**-14), -inf, nan]),
            ("ints", "I32", [2], [-(2**31), 2**31 - 1]),
            ("longs", "I64", [2], [-(2**63), 2**63 - 1]),
            ("nothing", "F32", [0, 4], []),
            ("one", "F64", [], [2.5]),
            ("Größe \"\n", "F32", [1], [7.0]),
        ],
        {"format": "pt", "Sprache": "Grüße, \"Welt\"\n"},
    )


def writer():
    longs = [1, -2, 2**63 - 1]
    return safetensors(
        [
            ("z.longs", "I64", [3], longs),
            ("doubles", "F64", [1, 2], [0.1, -2.0]),
            ("b.floats", "F32", [2, 2], [1.5, -0.0, 0.1, inf]),
            ("from_double", "F32", [1], [0.1]),
            ("a.halves", "F16", [3], [0.1, 65504.0, -(2.0**-24)]),
        ],
        {"made": "für Prüfungen"},
    )


def assigned():
    return [chr(point) for point in range(0x110000) if unicodedata.category(chr(point)) not in ("Cn", "Cs")]


def lower_case():
    pairs = [(c, c.lower()) for c in assigned() if c.lower() != c]
    return "".join(" ".join(f"{ord(point):04x}" for point in c + small) + "\n" for c, small in pairs)


def context(c):
    """A sigma is final after a cased letter if none follows; ignorable characters between them do not count."""
    if (c + "\u03a3").lower()[-1] == "\u03c2":
        return "cased"
    return "ignorable" if ("A" + c + "\u03a3").lower()[-1] == "\u03c2" else "plain"


def case_context():
    lines, known = [], assigned()
    for (kind, _), run in itertools.groupby(enumerate(known), lambda at: (context(at[1]), ord(at[1]) - at[0])):
        points = [ord(c) for _, c in run]
        lines.append(f"{points[0]:04x} {points[-1]:04x} {kind}\n")
    return "".join(lines)


FOLDER.mkdir(exist_ok=True)
(FOLDER / "reader.safetensors").write_bytes(reader())
(FOLDER / "writer.safetensors").write_bytes(writer())
(FOLDER / "lower_case.txt").write_text(lower_case(), encoding="ascii")
(FOLDER / "case_context.txt").write_text(case_context(), encoding="ascii")
