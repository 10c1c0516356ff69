"""Cling, as the wheel cppyy-cling brings it, in this process."""
import contextlib
import ctypes
import os
import sys
from pathlib import Path

DONE, REJECTED, INTERRUPTED, MEMORY, ARITHMETIC = range(5)
HERE = Path(__file__).resolve().parent


def prepare():
    """The folder of Cling's libraries. The first call on a machine compiles its header, which takes half a minute."""
    os.environ["EXTRA_CLING_ARGS"] = " -O2"  # else the loader adds -march=native
    from cppyy_backend import loader
    with contextlib.redirect_stdout(sys.stderr):
        loader.ensure_precompiled_header()
    return Path(loader.__file__).parent / "lib"


class Cling:
    def __init__(self, library):
        folder = prepare()
        for name in ("libCoreLegacy", "libThreadLegacy", "libRIOLegacy"):
            ctypes.CDLL(folder / f"{name}.so", ctypes.RTLD_GLOBAL)
        ctypes.CDLL(folder / "libCling.so")  # its LLVM stays hidden from other libraries
        self.library = ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
        if self.library.cling_start() != 0:
            raise RuntimeError("Cling did not start")
        self.run("cling::runtime::gClingOpts->AllowRedefinition = 1;")
        self.run("#define GRADUS_KERNEL")
        self.run(f'#include "{HERE}/include/xcpp/xdisplay.hpp"')
        self.run(f'#pragma cling add_include_path("{HERE}/include")')

    def run(self, code):
        return self.library.cling_run(code.encode())
