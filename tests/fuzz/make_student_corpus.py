#!/usr/bin/env python3
"""Writes tests/fuzz/corpus/student and npz: small files of Marian's weights in both forms, whole and damaged, and configurations."""

import io
import pathlib
import struct
import zipfile

CORPUS = pathlib.Path(__file__).parent / "corpus"
FLOAT, INT8, TEXT = 0x404, 0x4101, 0x101
CONFIGURATION = """\
dec-cell: ssru
dec-depth: 1
dim-emb: 4
dim-vocabs:
  - 3
  - 3
enc-depth: 1
input-types: []
tied-embeddings-all: true
transformer-decoder-autoreg: rnn
transformer-dim-ffn: 4
transformer-ffn-activation: relu
transformer-heads: 2
transformer-postprocess: dan
transformer-preprocess: ""
type: transformer
"""


def binary(*tensors, version=1, count=None, gap=0):
    """Each tensor is a name, a type, a shape and bytes."""
    out = struct.pack("<QQ", version, len(tensors) if count is None else count)
    out += b"".join(struct.pack("<QQQQ", len(name), kind, len(shape), len(data)) for name, kind, shape, data in tensors)
    out += b"".join(name for name, *_ in tensors) + b"".join(struct.pack(f"<{len(shape)}i", *shape) for _, _, shape, _ in tensors)
    return out + struct.pack("<Q", gap) + bytes(gap) + b"".join(data for *_, data in tensors)


table = (b"Wemb\0", INT8, (3, 4), bytes(range(250, 256)) + bytes(6) + struct.pack("<f", 2))
bias = (b"decoder_ff_logit_out_b\0", FLOAT, (1, 3), struct.pack("<3f", 1, -2, 3) + bytes(4))
text = (b"special:model.yml\0", TEXT, (len(CONFIGURATION) + 1,), CONFIGURATION.encode() + b"\0")
whole = binary(table, bias, text, gap=7)
files = {
    "whole": whole, "cut": whole[:-1], "longer": whole + b"\0", "empty": b"", "no-tensor": binary(), "version": binary(table, version=2),
    "count": binary(table, count=1 << 60), "long-gap": binary(table, gap=3)[:-20], "twice": binary(table, table),
    "no-nul": binary((b"Wemb", *table[1:])), "two-nuls": binary((b"W\0b\0", *table[1:])), "type": binary((b"W\0", 0x104, (1,), bytes(4))), "half": binary((b"W\0", 0x402, (1,), bytes(2))),
    "short-data": binary((b"W\0", FLOAT, (2,), bytes(7))), "negative": binary((b"W\0", FLOAT, (-1,), bytes(8))),
    "product": binary((b"W\0", INT8, (0x7fffffff,) * 3, bytes(8))), "axes": binary((b"W\0", INT8, (1,) * 9, bytes(8))),
    "divisor": binary((b"W\0", INT8, (1, 1), bytes(5))), "infinite": binary((b"W\0", FLOAT, (1,), struct.pack("<f", float("inf")))),
    "configuration": CONFIGURATION.encode(), "twice-a-key": (CONFIGURATION + "dim-emb: 4\n").encode(),
    "deep": CONFIGURATION.replace("dim-emb: 4", "dim-emb:\n  four: 4").encode(), "returns": CONFIGURATION.replace("\n", "\r\n").encode(),
    "unknown": (CONFIGURATION + "new: 1\n").encode(), "quote": CONFIGURATION.replace('""', '"').encode(),
}


def array(data, kind="<f4", shape="(3, 4)", order="False", version=1):
    """numpy's array in a file; other fields than the data are written as they are given."""
    text = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) + text + data


def archive(*members, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, data in members:
            file.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


numbers = struct.pack("<12f", *range(12))
table, bias = ("Wemb.npy", array(numbers)), ("decoder_ff_logit_out_b.npy", array(numbers[:12], shape="(3,)"))
text = ("special:model.yml.npy", array(CONFIGURATION.encode() + b"\0", "|i1", f"({len(CONFIGURATION) + 1},)"))
whole = archive(table, bias, text)
arrays = {
    "array": table[1], "half": array(bytes(24), "<f2"), "wide": array(bytes(96), "<f8"), "version-2": array(numbers, version=2),
    "version-3": array(numbers, version=3), "text": text[1], "scalar": array(numbers[:4], shape="()"), "cut": table[1][:40],
    "short-data": table[1][:-1], "columns": array(numbers, order="True"), "object": array(bytes(96), "|O"), "big-endian": array(numbers, ">f4"),
    "negative": array(numbers, shape="(-3, 4)"), "product": array(numbers, shape="(4294967296, 4294967296)"),
    "digits": array(numbers, shape="(" + "9" * 40 + ",)"), "zero": array(b"", shape="(0,)"), "infinite": array(struct.pack("<f", float("inf")), shape="(1,)"),
    "whole": whole, "deflated": archive(table, bias, text, method=zipfile.ZIP_DEFLATED), "no-file": archive(), "half-archive": whole[:-60],
    "size": whole.replace(struct.pack("<L", len(table[1])), struct.pack("<L", 1900000000)), "twice-a-tensor": archive(table, (table[0], bias[1])),
    "no-array": archive(("README", b"text")), "bomb": archive(("W.npy", bytes(3000000)), method=zipfile.ZIP_DEFLATED),
    "list": b"</s>: 0\n<unk>: 1\n\xe2\x96\x81a: 2\n\"\\\"\\xa0\\u2581\": 3\n'it''s': 4\n", "list-gap": b"</s>: 0\n<unk>: 1\na: 3\n",
    "list-twice": b"</s>: 0\n<unk>: 1\na: 1\n", "list-surrogate": b"</s>: 0\n<unk>: 1\n\"\\ud800\": 2\n", "list-end": b"</s>: 0\n<unk>: 1\n\"\\x4",
}
for folder, all_files in (("student", files), ("npz", arrays)):
    (CORPUS / folder).mkdir(exist_ok=True)
    for name, data in all_files.items():
        (CORPUS / folder / name).write_bytes(data)
