#!/usr/bin/env python3
"""Writes what the judges of gradus/io compare with, by Python alone: fixtures/ beside this script.

    reader.safetensors   every type that is read, awkward values, a tensor without values, a single value
    writer.safetensors   what safetensors_bytes must write, byte for byte
    lower_case.txt       capital and small letter, for each letter that lower_case knows
"""
import json
import struct
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


def lower_case():
    """Python follows the whole Unicode table; U+0130 is the one letter here that it turns into two code points."""
    known = [*range(0x180), *range(0x386, 0x3AC), *range(0x400, 0x430), 0x1E9E]
    pairs = [(point, chr(point).lower()) for point in known]
    return "".join(f"{point:04x} {ord(small[0]):04x}\n" for point, small in pairs if small != chr(point))


FOLDER.mkdir(exist_ok=True)
(FOLDER / "reader.safetensors").write_bytes(reader())
(FOLDER / "writer.safetensors").write_bytes(writer())
(FOLDER / "lower_case.txt").write_text(lower_case(), encoding="ascii")
