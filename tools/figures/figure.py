"""What a figure is, and how it is measured: contenders take turns, and medians count."""

import os
from statistics import median
from time import perf_counter
from typing import NamedTuple

from bluekrait.uci.progress import ProgressLine

SHORT_SECONDS = 0.1  # a count that takes less is repeated until it takes so long
MORE_IS_BETTER = ("x", "Mnps")  # units; of times and sizes less is better
DIGITS = {"x": 2, "Mnps": 2, "s": 1, "ms": 1}  # after the point, none for other units


class Unmeasurable(Exception):
    """A figure that cannot be had; the message says why, in one line."""


class Figure(NamedTuple):
    """A row of the table. `floor` and `aim` are what the project asks of itself."""

    name: str
    value: float
    unit: str
    floor: float
    aim: float
    note: str = ""

    def verdict(self):
        """Where the value stands between the floor and the aim."""
        sign = 1 if self.unit in MORE_IS_BETTER else -1
        if sign * self.value >= sign * self.aim:
            return "aim"
        return "floor" if sign * self.value >= sign * self.floor else "MISSED"

    def text(self):
        """The value with its unit."""
        return f"{self.value:.{DIGITS.get(self.unit, 0)}f} {self.unit}"


def rounds_of(count, what):
    """Numbers of rounds from 1, telling how far it is."""
    line = ProgressLine()
    for number in range(1, count + 1):
        line.show(f"{what}: round {number} of {count}")
        yield number
    line.clear()


def race(contenders, rounds, what):
    """Let contenders count in turn. The count, on which they must agree, and the seconds of each."""
    counts, times = {contender() for contender in contenders}, [[] for _ in contenders]
    for _ in rounds_of(rounds, what):
        for contender, seconds in zip(contenders, times, strict=True):
            seconds.append(seconds_for(contender))
    if len(counts) != 1:
        raise Unmeasurable(f"{what}: the contenders do not agree: {sorted(counts)}")
    return counts.pop(), times


def seconds_for(contender):
    """Seconds for one count, repeated if it is too short to be timed."""
    runs, began = 0, perf_counter()
    while not runs or perf_counter() - began < SHORT_SECONDS:
        contender()
        runs += 1
    return (perf_counter() - began) / runs


def ratio(theirs, ours):
    """Median of the ratios, round by round."""
    return median(their / our for their, our in zip(theirs, ours, strict=True))


# --- cores ------------------------------------------------------------------------------------------


def _usable_cores():
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))


CORES = _usable_cores()  # that this process may use, as it was started


def pin_to_one_core():
    """Keep this process, and what it starts, on one core."""
    _keep_to({min(CORES)})


def use_all_cores():
    """Let this process run on all its cores again."""
    _keep_to(CORES)


def _keep_to(cores):
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
