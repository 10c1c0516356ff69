"""Golden files: values and gradients of every component by PyTorch's automatic differentiation, in float64.

An implementation of its own: it shares no code with the project, and its formulas are written from the papers. Each
make_*.py beside this file describes components with `record` and writes tests/golden/<name>.safetensors. Needs
Debian's python3-torch; run as `/usr/bin/python3 tests/golden/make_00_foundations.py`.
"""

import json
import pathlib
import struct

import torch

torch.set_default_dtype(torch.float64)
FOLDER = pathlib.Path(__file__).parent
_generator = torch.Generator().manual_seed(1)


def normal(*shape, scale=1.0):
    """The next standard-normal values of one fixed sequence."""
    return scale * torch.randn(*shape, generator=_generator)


def record(name, inputs, outputs, constants=(), upstream=None):
    """Writes <name>.safetensors.

    inputs     {"x": tensor, ...}: everything that the component reads
    outputs    function from that dictionary to {"y": tensor, ...}
    constants  names of inputs that get no gradient
    upstream   {"y": dy, ...}: gradients of the outputs; random if left out

    The file holds the inputs, the outputs, "dy" for each output and "dx" for each input.
    """
    leaves = {k: v.clone().requires_grad_(k not in constants and v.is_floating_point()) for k, v in inputs.items()}
    result = outputs(leaves)
    upstream = upstream or {k: normal(*y.shape) for k, y in result.items()}
    sum((y * upstream[k]).sum() for k, y in result.items()).backward()
    tensors = {k: v.detach() for k, v in leaves.items()}
    tensors.update({k: y.detach() for k, y in result.items()})
    tensors.update({"d" + k: d for k, d in upstream.items()})
    for k, v in leaves.items():
        if v.requires_grad:
            tensors["d" + k] = v.grad if v.grad is not None else torch.zeros_like(v)
    write(FOLDER / f"{name}.safetensors", tensors)


def write(path, tensors):
    """A safetensors file with deterministic bytes: F64 for reals, I64 for integers."""
    header, data, offset = {}, [], 0
    for name in sorted(tensors):
        t = tensors[name].detach().contiguous()
        t = t.to(torch.float64) if t.is_floating_point() else t.to(torch.int64)
        raw = t.numpy().tobytes()
        header[name] = {"dtype": "F64" if t.is_floating_point() else "I64", "shape": list(t.shape),
                        "data_offsets": [offset, offset + len(raw)]}
        offset += len(raw)
        data.append(raw)
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data))
    print(f"{path.name}: {len(tensors)} tensors")


def dropout_mask(rows, columns, rate, site, first_row, seed=20170612, step=3, heads=1, head=0):
    """0 or 1 / (1 - rate) for each unit, by the separate Philox of make_philox.py. Defaults: the judges' step state."""
    from make_philox import keeps
    return torch.tensor([[keeps(first_row + n, d, rate, seed, step, site, heads, head) / (1 - rate)
                          for d in range(columns)] for n in range(rows)])
