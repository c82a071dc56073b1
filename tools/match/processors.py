"""Which processors each game at a time gets for itself."""

import os


def usable_processors():
    """The processors that this program may use, in order."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def shared_out(concurrency, threads):
    """For each game at a time a set of processors of its own; ValueError if there are too few."""
    processors = usable_processors()
    if concurrency * threads > len(processors):
        raise ValueError(
            f"{concurrency} games at a time on {threads} processors each are more than the {len(processors)} "
            "there are: lower --concurrency, or leave --affinity away"
        )
    return [set(processors[index * threads : (index + 1) * threads]) for index in range(concurrency)]
