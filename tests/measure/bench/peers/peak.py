"""The most memory that this process had at once."""
import resource


def memory_mb():
    """In megabytes of 1,000,000 bytes, as `gradus bench` says it. Linux counts ru_maxrss in units of 1,024 bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
