#!/usr/bin/env python3
"""Gives PyTorch from PyPI empty libraries in place of NVIDIA's, so that it starts without 2.4 GB of packages.

    build/peers/python/bin/python tests/measure/bench/peers/empty_libraries.py

PyTorch's own libraries are linked with those of CUDA. On a processor none of their functions is called, but each must be there. This
script asks PyTorch's files which libraries and functions they need, and compiles libraries whose functions only report an error.
The runtime library of CUDA, which is small, is the real one: it says that there is no GPU.
"""
import importlib.util
import pathlib
import re
import subprocess

# The beginning of the names of each library's functions.
PREFIXES = {"libcublas": "cublas", "libcublasLt": "cublasLt", "libcudnn": "cudnn", "libcufft": "cufft", "libcufile": "cuFile",
            "libcupti": "cupti", "libcusolver": "cusolver", "libcusparse": "cusparse", "libcusparseLt": "cusparseLt",
            "libnccl": "nccl", "libnvrtc": "nvrtc", "libnvshmem_host": "nvshmem"}


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def needs(folder):
    """The libraries that PyTorch's files need, and the functions that they call, with the versions of these."""
    libraries, functions = set(), {}
    for file in folder.glob("lib*torch*.so"):
        libraries |= set(re.findall(r"NEEDED.*\[(.*?)\]", output_of("readelf", "-d", file)))
        for line in output_of("nm", "-D", "--undefined-only", file).splitlines():
            name, _, version = line.split()[-1].partition("@")
            functions[name] = version.lstrip("@")
    return sorted(libraries), functions


def compile_empty(path, names, version):
    script = path.with_suffix(".map")
    script.write_text(f"{version} {{ global: *; }};\n")
    source = "".join(f"int {name}(void) {{ return 1; }}\n" for name in names)
    names_of_it = [f"-Wl,-soname,{path.name}", f"-Wl,--version-script={script}"]
    subprocess.run(["cc", "-w", "-shared", "-fPIC", "-x", "c", "-", *names_of_it, "-o", path], input=source, text=True, check=True)
    script.unlink()


def main():
    folder = pathlib.Path(importlib.util.find_spec("torch").origin).parent / "lib"
    libraries, functions = needs(folder)
    for library in libraries:
        prefix = PREFIXES.get(library.split(".so")[0])
        if prefix is None:
            continue
        names = sorted(name for name in functions if name.startswith(prefix))
        version = next((functions[name] for name in names if functions[name]), library)
        compile_empty(folder / library, names, version)


if __name__ == "__main__":
    main()
