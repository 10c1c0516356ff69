#!/usr/bin/env python3
"""Finds cuBLAS for `build`: beside nvcc, or in Python's packages. Prints nvcc's words for it, one a line.

    tests/measure/gpu_check/cublas.py NVCC

The library's folder becomes part of the program (rpath), so that it is found again without LD_LIBRARY_PATH. Many machines have the library
without the name that -lcublas looks for, libcublas.so: then its full name is used.
"""
import site
import sys
from pathlib import Path


def toolkits(nvcc):
    """The folders with a toolkit's parts: nvcc may be a link, and its real place is beside the libraries."""
    for root in dict.fromkeys((Path(nvcc).absolute().parents[1], Path(nvcc).resolve().parents[1])):
        yield root
        yield from sorted(root.glob("targets/*"))


def packages():
    """The same of pip's packages: nvidia/cublas, nvidia/cu13."""
    for place in dict.fromkeys([*site.getsitepackages(), site.getusersitepackages(), *sys.path]):
        yield from sorted(Path(place or ".").glob("nvidia/*"))


def library(folder, name="libcublas.so"):
    """The library in a folder: the plain name, or else the one with the highest number."""
    number = lambda path: [int(part) for part in path.name.split(".so")[1].split(".") if part.isdigit()]
    return max(folder.glob(f"{name}*"), key=lambda path: (path.name == name, number(path)), default=None)


def words(nvcc):
    """nvcc's words; None if there is no library, or no header."""
    places = [*toolkits(nvcc), *packages()]
    libraries = (library(place / lib) for place in places for lib in ("lib64", "lib"))
    lib = next((found for found in libraries if found), None)
    header = next((place / "include" for place in places if (place / "include" / "cublas_v2.h").exists()), None)
    part = lib and library(lib.parent, "libcublasLt.so")  # the library of products with a bias, always beside it
    if not part or not header:
        return None
    return [f"-I{header}", f"-L{lib.parent}", f"-l:{lib.name}", f"-l:{part.name}", "-Xlinker", "--disable-new-dtags", "-Xlinker", f"-rpath={lib.parent}"]


if __name__ == "__main__":
    found = words(sys.argv[1])
    if not found:
        sys.exit(f"gpu_check: there is no cuBLAS with its headers beside {sys.argv[1]} or in Python's packages; install the toolkit's "
                 "(libcublas-dev), or nvidia-cublas by pip")
    print("\n".join(found))
