#!/usr/bin/env python3
"""Trains on two machines, made from this one, by mpirun and by Slurm's srun: the bits of one rank, and faults that end all ranks.

    two_machines.py GRADUS TOY    needs root, MPI, iproute2, openssh-server, openssh-client; slurm-wlm and munge for srun

Each machine has its own name, network, /tmp and shared memory, so messages travel by TCP, and the folder of the run is on the first one
alone. Processor and disk are the same: two kinds of processors, and a slow network, are not tested.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "chapters/11_translator"))
import machine  # noqa: E402
import mpi  # noqa: E402
import ranks_test  # noqa: E402
import slurm  # noqa: E402


class Tests(ranks_test.Tests):
    """`folder` is in /tmp of the first machine."""

    def __init__(self, program, toy, machines, home):
        self.first, self.second = machines.all
        super().__init__(program, toy, Path("/tmp/runs"))
        (self.first.path(self.folder)).mkdir()
        self.hosts, self.home, self.slurm = home / "machines", home, None
        self.hosts.write_text("".join(f"{one.name} slots=2\n" for one in machines.all), encoding="utf-8")

    def files(self, run):
        return {name: self.first.path(self.folder / run / name).read_bytes() for name in ranks_test.KEPT}

    def check_bits(self, run, what):
        if self.check(self.first.path(self.folder / run / "model.json").exists(), f"{what}: the run has no model"):
            wrong = [name for name in ranks_test.KEPT if self.files(run)[name] != self.whole[name]]
            self.check(not wrong, f"{what}: other bits in {', '.join(wrong)}")

    def train_alone(self):
        subprocess.run(self.first.command(*self.command("whole")), check=True, capture_output=True)
        self.whole = self.files("whole")

    def mpirun(self, ranks, command):
        network = f"{machine.NETWORK}.0/24"
        return self.first.command(
            "env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "mpirun", *mpi.OPEN_MPI, "--hostfile", self.hosts,
            "--map-by", "node", "--mca", "plm_rsh_agent", f"ssh -F {self.home}/ssh", "--mca", "btl_tcp_if_include", network,
            "--mca", "oob_tcp_if_include", network, "-n", ranks, *command)

    def srun(self, ranks, command):
        return self.slurm.command("srun", "-N", 2, "-n", ranks, "--overcommit", "--kill-on-bad-exit=1", "--mpi=pmix", *command)

    def start(self, command):
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def trained(self, launch, ranks, run, what, *more):
        """A training to its end. More than 60 seconds count as a failure."""
        process = self.start(launch(ranks, self.command(run, *more)))
        try:
            output, _ = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
        self.check(process.returncode == 0, what, f"exit {process.returncode}\n{output}")
        return output

    def same_bits(self, launch, name):
        hosts = subprocess.run(launch(4, ["hostname"]), check=False, capture_output=True, text=True).stdout.split()
        self.check(sorted(hosts) == sorted(2 * [self.first.name, self.second.name]), f"{name}: 4 ranks on two machines", str(hosts))
        for ranks, threads in ((2, 1), (4, 1), (3, 2)):
            run = f"{name} {ranks} {threads}"
            output = self.trained(launch, ranks, run, run, "--threads", threads)
            self.check(f"{ranks} ranks" in output, f"{run}: says {ranks} ranks", output)
            self.check_bits(run, run)
        self.check(not self.second.path(self.folder).exists(), f"{name}: the second machine has no folder of the run")

    def signalled(self, launch, run, number):
        """A signal to a rank on the second machine, after the first checkpoint; the exit status, seconds and output."""
        process = self.start(launch(2, self.command(run)))
        saved = self.first.path(self.folder / run / "checkpoint-before.safetensors")
        mpi.wait_for(lambda: saved.exists() or process.poll() is not None)
        began = time.time()
        for rank in self.second.processes_of(self.program):
            os.kill(rank, number)
        output, _ = process.communicate(timeout=60)
        return process.returncode, time.time() - began, output

    def stops(self, launch, name):
        run = f"{name} stopped"
        status, _, output = self.signalled(launch, run, signal.SIGTERM)
        self.check(status == 130 and "interrupted and saved" in output, f"{name}: SIGTERM on the second machine", f"exit {status}\n{output}")
        self.trained(launch, 4, run, f"{name}: goes on after SIGTERM")
        self.check_bits(run, f"{name}: after SIGTERM")

    def dies(self, launch, name):
        run = f"{name} killed"
        status, seconds, output = self.signalled(launch, run, signal.SIGKILL)
        self.check(status != 0 and seconds < 20, f"{name}: SIGKILL on the second machine", f"exit {status} after {seconds:.0f} s\n{output}")
        left = [rank for one in (self.first, self.second) for rank in one.processes_of(self.program)]
        self.check(not left, f"{name}: ranks that still run after SIGKILL: {left}")
        self.trained(launch, 3, run, f"{name}: goes on after SIGKILL")
        self.check_bits(run, f"{name}: after SIGKILL")

    def texts_differ(self, launch, name):
        """The second machine has another text at the same path."""
        for one, part in ((self.first, "train"), (self.second, "valid")):
            for language in ("en", "de"):
                shutil.copy(self.toy / f"{part}.{language}", one.path(f"/tmp/text.{language}"))
        run = f"{name} differs"
        process = self.start(launch(2, [*self.command(run), "--train-source=/tmp/text.en", "--train-target=/tmp/text.de"]))
        output, _ = process.communicate(timeout=60)
        self.check_refused(f"{name}: another text on the second machine", process.returncode, output, "rank 1", "training data")

    def all(self, launch, name):
        for test in (self.same_bits, self.stops, self.dies, self.texts_differ):
            test(launch, name)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, toy = (Path(word).resolve() for word in sys.argv[1:])
    if os.geteuid() != 0 or not mpi.is_there(program):
        sys.exit("two_machines: needs root, and a program that was built with MPI")
    if machine.missing():
        sys.exit(f"two_machines: needs {', '.join(machine.missing())} (Debian: iproute2 openssh-server openssh-client)")
    for name in [name for name in os.environ if name.startswith("OPENBLAS_")]:
        del os.environ[name]  # ssh takes no variables along, so the first machine must have none either
    parts = []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, machine.Machines(Path(folder)) as machines:
        tests = Tests(program, toy, machines, Path(folder))
        tests.train_alone()
        tests.all(tests.mpirun, "mpirun")
        parts.append("mpirun")
        if slurm.missing():
            print(f"SKIPPED: srun, because {', '.join(slurm.missing())} is missing")
        else:
            tests.slurm = slurm.Slurm(machines, Path(folder))
            tests.all(tests.srun, "srun")
            parts.append("srun")
    print(f"two machines by {' and '.join(parts)}: {tests.failures} failures")
    return 1 if tests.failures else 0


if __name__ == "__main__":
    sys.exit(main())
