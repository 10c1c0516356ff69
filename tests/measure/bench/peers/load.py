"""How much of the machine was left to a program while it was measured: other programs take processors from it.

The system counts the time in which any processor worked, and the time of the programs that this one has started. The difference is other load,
whatever part of a measurement it disturbs, and whether the program has one thread or several. Time that the machine's owner gave to
another virtual machine counts as well.
"""
import os
import pathlib
import resource
import time

QUIET = 0.95  # the least share of the processors that a measurement needs
ATTEMPTS = 3  # then a disturbed measurement stays


def busy_seconds(stat):
    """The working time of all processors together, from the text of /proc/stat."""
    user, nice, system, _, _, irq, softirq, steal = map(int, stat.split("\n", maxsplit=1)[0].split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def now():
    """Seconds: on the clock, of all processors, and of this program with those that it has started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return time.time(), busy_seconds(pathlib.Path("/proc/stat").read_text(encoding="utf-8")), sum(u.ru_utime + u.ru_stime for u in used)


def share_left(before, after, processors):
    """1: no other program worked between two results of `now`; 0: all processors worked for others."""
    seconds, busy, ours = (late - early for early, late in zip(before, after))
    return min(1.0, max(0.0, 1 - (busy - ours) / (seconds * processors)))


def of_run(run):
    """The smallest share that a stored run has: of the processors, and, where it measured that, of one by its only thread."""
    shares = [run.get("share_left", 0.0)]  # an older measure.py did not measure it
    return min(shares + ([run["processor_share"]] if "searches" in run else []))
