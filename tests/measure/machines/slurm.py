"""Slurm on the machines of machine.py, of Debian's packages slurm-wlm and munge."""
import os
import shutil
import subprocess
import time

CONFIGURATION = """ClusterName=two
SlurmctldHost={controller}
AuthInfo=socket={home}/munge
MpiDefault=pmix
SlurmUser=root
SlurmdUser=root
StateSaveLocation={home}/state
SlurmdSpoolDir=/tmp/slurmd
SlurmctldPidFile=/tmp/slurmctld.pid
SlurmdPidFile=/tmp/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
KillWait=5
ReturnToService=2
{nodes}
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE State=UP
"""
PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "scancel")


def missing():
    """The programs of Slurm that are not installed."""
    return [program for program in PROGRAMS if shutil.which(program) is None]


class Slurm:
    """Its servers: those that run jobs on each machine, the controller on the first one."""

    def __init__(self, machines, home):
        self.machines, self.environment = machines.all, f"SLURM_CONF={home}/slurm.conf"
        nodes = "\n".join(f"NodeName={m.name} NodeAddr={m.address} CPUs={os.cpu_count()} State=UNKNOWN" for m in self.machines)
        text = CONFIGURATION.format(controller=self.machines[0].name, home=home, nodes=nodes)
        (home / "slurm.conf").write_text(text, encoding="utf-8")
        (home / "state").mkdir()
        key = home / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.servers = []
        self.serve(self.machines[0], "munged", "--foreground", "--force", f"--key-file={key}", f"--socket={home}/munge",
                   f"--pid-file={home}/munge.pid", f"--log-file={home}/munge.log", f"--seed-file={home}/munge.seed")
        self.serve(self.machines[0], "slurmctld", "-D")
        for machine in self.machines:
            self.serve(machine, "slurmd", "-D", "-N", machine.name)
        self.wait()

    def serve(self, machine, *words):
        log = open(machine.home / f"{words[0]}.{machine.name}.log", "w", encoding="utf-8")
        command = machine.command("env", self.environment, *words)
        self.servers.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def wait(self):
        """Until both machines take jobs."""
        said = ""
        for _ in range(60):
            job = self.command("srun", "-N", len(self.machines), "hostname")
            done = subprocess.run(job, check=False, capture_output=True, text=True, timeout=60)
            said = done.stdout + done.stderr
            if sorted(done.stdout.split()) == sorted(machine.name for machine in self.machines):
                return
            time.sleep(0.5)
        raise TimeoutError(f"Slurm takes no jobs: {said}")

    def command(self, *words):
        """The same command of Slurm, run on the first machine."""
        return self.machines[0].command("env", self.environment, *words)
