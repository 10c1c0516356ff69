"""install.py ENVIRONMENT: registers the kernel xcpp17 in this environment, and compiles Cling's header once.

JupyterLab will not ask whether it may fetch news.
"""
import json
import os
import sys
from pathlib import Path

from cling import prepare

environment = Path(sys.argv[1])
spec = {"argv": [str(environment / "bin" / "python"), str(Path(__file__).resolve().parent / "kernel.py"), "-f", "{connection_file}"],
        "display_name": "C++17", "language": "C++17",
        "env": {"GRADUS_CLING": str(environment / "cling.so"), "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1")}}
folder = environment / "share" / "jupyter" / "kernels" / "xcpp17"
folder.mkdir(parents=True, exist_ok=True)
(folder / "kernel.json").write_text(json.dumps(spec, indent=1) + "\n", encoding="utf-8")
settings = environment / "share" / "jupyter" / "lab" / "settings"
settings.mkdir(parents=True, exist_ok=True)
(settings / "overrides.json").write_text('{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}\n', encoding="utf-8")
prepare()
