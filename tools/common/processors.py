"""The processors of this machine, and how they are shared among games."""

import sys
from collections.abc import Sequence

from bluekrait.core.processors import usable_processors as usable_processors

MOST_PROCESSES = 61 if sys.platform == "win32" else 1 << 20  # that one process can wait for


def processes_at_a_time(wanted: int) -> int:
    """The number of processes wanted, or the most that the system allows."""
    return min(wanted, MOST_PROCESSES)


def parse_processors(text: str) -> list[int]:
    """The processors in a list such as `0,2-5`; all usable ones if it is empty."""
    usable = usable_processors()
    if not text:
        return usable
    named: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal()):
            raise ValueError(f"--affinity {text}: expected a list of processors like 0,2-5")
        numbers = range(int(first), int(last or first) + 1)
        if not all(number in usable for number in numbers):  # the first one that is not ends it
            raise ValueError(f"--affinity {text}: usable are {', '.join(map(str, usable))}")
        named += numbers
    return list(dict.fromkeys(named))


def shared_out(concurrency: int, threads: int, processors: Sequence[int]) -> list[set[int]]:
    """A set of processors for each of `concurrency` games; ValueError if there are too few."""
    if concurrency * threads > len(processors):
        games = "1 game at a time needs" if concurrency == 1 else f"{concurrency} games at a time need"
        needed = f"{games} {concurrency * threads} processors, not {len(processors)}"
        raise ValueError(f"--affinity: {needed}; lower --concurrency or Threads, or name more processors")
    return [set(processors[index * threads : (index + 1) * threads]) for index in range(concurrency)]
