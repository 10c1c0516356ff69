"""Starts gradus by mpirun, in one place: as root, with more ranks than processors. Open MPI's mpirun is told to print no messages of
its own; MPICH's has no such option."""
import functools
import os
import shlex
import shutil
import signal
import subprocess
import time

OPEN_MPI = ["--oversubscribe", "--bind-to", "none"]
MPIRUN = "mpirun"  # that of the MPI that the program was built with


@functools.lru_cache
def version():
    """What mpirun --version prints."""
    return subprocess.run([MPIRUN, "--version"], check=False, capture_output=True, text=True).stdout


def is_mpich():
    """Whether mpirun is Hydra, MPICH's launcher. It allows more ranks than processors and ties none to a processor."""
    return "HYDRA" in version()


def options_of_launcher():
    """More ranks than processors; and no messages of its own, where it can be told: Open MPI 5 has no --quiet."""
    return [] if is_mpich() else OPEN_MPI + ["--quiet"] * ("Open MPI) 4" in version())


def is_there(program):
    """Whether mpirun is installed and the program was built with MPI."""
    return shutil.which(MPIRUN) is not None and (program.parent / "gradus_mpi.so").exists()


def environment():
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def by_rank(parts):
    """A command of the shell that becomes, in each rank, the command of its part; `parts` are (ranks, command). mpirun's own form of it, with a colon between the parts,
    crashes in Open MPI 5.0.7 of Debian 13."""
    begin, cases = 0, []
    for ranks, command in parts:
        numbers = "|".join(str(rank) for rank in range(begin, begin + ranks))
        cases.append(f"{numbers}) exec {shlex.join(map(str, command))};;")
        begin += ranks
    return ["sh", "-c", f"case $OMPI_COMM_WORLD_RANK in {' '.join(cases)} esac"]


def start(ranks, command, *others, options=()):
    """`ranks` processes with one command; `others` are (ranks, command), for further ranks with other commands."""
    parts = [(ranks, command), *others]
    if others and not is_mpich():
        parts = [(sum(count for count, _ in parts), by_rank(parts))]
    words = [MPIRUN, *options_of_launcher(), *map(str, options)]
    for k, (count, part) in enumerate(parts):
        words += [":"] * (k > 0) + ["-n", str(count), *map(str, part)]
    return subprocess.Popen(words, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def run(ranks, command, *others, seconds=60, options=()):
    """Exit status and output; ends the processes if they take longer. `options` are mpirun's."""
    process = start(ranks, command, *others, options=options)
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate()
        return -1, output + f"\nstill running after {seconds} s"
    return process.returncode, output


def children(process):
    """The ids of the processes that this one has started."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as ids:
            return [int(word) for word in ids.read().split()]
    except OSError:
        return []


def is_alive(process):
    """Whether the process with this id is there and has not ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ranks_of(process):
    """The ids of the ranks of this mpirun. MPICH's starts them by a process of its own, hydra_pmi_proxy."""
    started = children(process.pid)
    return [rank for proxy in started for rank in children(proxy)] if is_mpich() else started


def wait_for(condition, seconds=30):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.01)
    return condition()
