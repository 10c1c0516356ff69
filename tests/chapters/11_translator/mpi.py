"""Starts gradus by mpirun, in one place: as root, with more ranks than processors, without mpirun's own messages."""
import os
import shutil
import signal
import subprocess
import time

LAUNCH = ["mpirun", "--oversubscribe", "--bind-to", "none", "--quiet"]


def is_there(program):
    """Whether mpirun is installed and the program was built with MPI."""
    return shutil.which("mpirun") is not None and (program.parent / "gradus_mpi.so").exists()


def environment():
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def start(ranks, command, *others):
    """`ranks` processes with one command; `others` are (ranks, command), for further ranks with other commands."""
    words = [*LAUNCH, "-n", str(ranks), *map(str, command)]
    for more, other in others:
        words += [":", "-n", str(more), *map(str, other)]
    return subprocess.Popen(words, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def run(ranks, command, *others, seconds=60):
    """Exit status and output; ends the processes if they take longer."""
    process = start(ranks, command, *others)
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate()
        return -1, output + f"\nstill running after {seconds} s"
    return process.returncode, output


def ranks_of(process):
    """The ids of the processes that this mpirun has started."""
    try:
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="utf-8") as children:
            return [int(word) for word in children.read().split()]
    except OSError:
        return []


def wait_for(condition, seconds=30):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.01)
    return condition()
