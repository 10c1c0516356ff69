"""Machines made from this one: each has its own host name, network, /tmp and shared memory, and a server for ssh. They share
the disk and the processor. Needs root, and Debian's packages iproute2, openssh-server and openssh-client."""
import os
import shutil
import subprocess
import time
from pathlib import Path

NETWORK = "10.77.0"  # .1, .2: addresses that only these machines see
SSHD = """ListenAddress {address}
HostKey {home}/host_key
AuthorizedKeysFile {home}/key.pub
StrictModes no
UsePAM no
PermitRootLogin yes
PidFile none
"""
SSH = """User root
IdentityFile {home}/key
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
"""
IN_PLACE = """hostname {name}
mount -t tmpfs none /tmp
mount -t tmpfs none /dev/shm
mount --bind {home}/hosts /etc/hosts
exec "$(command -v sshd)" -D -e -f {home}/{name}.sshd
"""


def missing():
    """The programs that these machines need and that are not installed."""
    return [program for program in ("ip", "nsenter", "sshd", "ssh") if shutil.which(program) is None]


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


class Machine:
    def __init__(self, name, number, home):
        self.name, self.address, self.home = name, f"{NETWORK}.{number}", home
        (home / f"{name}.sshd").write_text(SSHD.format(home=home, address=self.address), encoding="utf-8")
        run("ip", "netns", "add", name)
        run("ip", "-n", name, "link", "set", "lo", "up")

    def start(self):
        """Begins once its network is there. All that runs on it runs beside its server for ssh."""
        place = IN_PLACE.format(name=self.name, home=self.home)
        log = open(self.home / f"{self.name}.log", "w", encoding="utf-8")
        self.server = subprocess.Popen(["nsenter", f"--net=/run/netns/{self.name}", "unshare", "--uts", "--mount", "sh", "-ec", place],
                                       stdin=subprocess.DEVNULL, stderr=log)

    def command(self, *words):
        """The same command, to be run on this machine."""
        return ["nsenter", "--target", str(self.server.pid), "--uts", "--net", "--mount", "--wd=/tmp", "--", *map(str, words)]

    def path(self, path):
        """A file of this machine, as this process sees it."""
        return Path(f"/proc/{self.server.pid}/root{path}")

    def processes(self):
        return subprocess.run(["ip", "netns", "pids", self.name], check=True, capture_output=True, text=True).stdout.split()

    def processes_of(self, program):
        """The ids of its processes that run this program."""
        own = os.readlink(f"/proc/{self.server.pid}/ns/uts")

        def is_one(entry):
            try:
                return os.readlink(entry / "exe") == str(program) and os.readlink(entry / "ns/uts") == own
            except OSError:  # a process that has ended, or one of the kernel
                return False
        return sorted(int(entry.name) for entry in Path("/proc").glob("[0-9]*") if is_one(entry))


class Machines:
    """Two machines with a cable between them."""

    def __init__(self, home):
        self.home = home
        for key in ("host_key", "key"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", home / key)
        (home / "ssh").write_text(SSH.format(home=home), encoding="utf-8")
        Path("/run/sshd").mkdir(exist_ok=True)

    def __enter__(self):
        names = ("gradus-one", "gradus-two")
        self.all = [Machine(name, 1 + i, self.home) for i, name in enumerate(names)]
        lines = ["127.0.0.1 localhost\n", *(f"{machine.address} {machine.name}\n" for machine in self.all)]
        (self.home / "hosts").write_text("".join(lines), encoding="utf-8")
        first, second = self.all
        run("ip", "link", "add", "cable", "netns", first.name, "type", "veth", "peer", "name", "cable", "netns", second.name)
        for machine in self.all:
            run("ip", "-n", machine.name, "address", "add", f"{machine.address}/24", "dev", "cable")
            run("ip", "-n", machine.name, "link", "set", "cable", "up")
            machine.start()
        try:
            for machine in self.all:
                self.wait_for(machine)
        except TimeoutError:
            self.__exit__()
            raise
        return self

    def wait_for(self, machine):
        """Until the first machine can log in to it."""
        for _ in range(100):
            there = self.all[0].command("ssh", "-F", self.home / "ssh", machine.address, "hostname")
            if subprocess.run(there, check=False, capture_output=True, text=True).stdout == machine.name + "\n":
                return
            time.sleep(0.1)
        raise TimeoutError(f"{machine.name} does not answer: " + (self.home / f"{machine.name}.log").read_text(encoding="utf-8"))

    def __exit__(self, *error):
        for machine in self.all:
            while own := machine.processes():
                subprocess.run(["kill", "-KILL", *own], check=False, stderr=subprocess.DEVNULL)
                time.sleep(0.1)  # a process that has just started another one
            machine.server.wait()
            run("ip", "netns", "delete", machine.name)
