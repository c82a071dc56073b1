"""A figure, and how it is measured: candidates take turns, and the median of the rounds counts."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median
from time import perf_counter
from typing import NamedTuple, TypeAlias

from bluekrait.tools.common.processors import usable_processors
from bluekrait.uci.progress import ProgressLine

SHORT_SECONDS = 0.1  # a count that takes less is repeated until it takes so long
MORE_IS_BETTER = ("x", "Mnps")  # units; of times and sizes less is better
DIGITS = {"x": 2, "times": 2, "Mnps": 2, "s": 1, "ms": 1}  # after the point, none for other units


Candidate: TypeAlias = Callable[[], int]  # counts positions; the count


class Unmeasurable(Exception):
    """A figure cannot be measured; the message says why, in one line."""


class MissingNeed(Exception):
    """Something that a family of figures needs is not here; the message names it."""


class Figure(NamedTuple):
    """A row of the table. `floor` and `aim` are the requirements of the project."""

    name: str
    value: float
    unit: str
    floor: float
    aim: float
    note: str = ""

    def verdict(self) -> str:
        """Where the value stands between the floor and the aim."""
        sign = 1 if self.unit in MORE_IS_BETTER else -1
        if sign * self.value >= sign * self.aim:
            return "aim"
        return "floor" if sign * self.value >= sign * self.floor else "MISSED"

    def text(self) -> str:
        """The value with its unit."""
        return f"{self.value:.{DIGITS.get(self.unit, 0)}f} {self.unit}"


def rounds_of(count: int, what: str) -> Iterator[int]:
    """The numbers of rounds from 1, with progress."""
    line = ProgressLine()
    for number in range(1, count + 1):
        line.show(f"{what}: round {number} of {count}")
        yield number
    line.clear()


def race(candidates: Sequence[Candidate], rounds: int, what: str) -> tuple[int, list[list[float]]]:
    """Let candidates count in turn. The count, on which they must agree, and the seconds of each."""
    counts = {candidate() for candidate in candidates}
    times: list[list[float]] = [[] for _ in candidates]
    for _ in rounds_of(rounds, what):
        for candidate, seconds in zip(candidates, times, strict=True):
            seconds.append(seconds_for(candidate))
    if len(counts) != 1:
        raise Unmeasurable(f"{what}: the candidates do not agree: {sorted(counts)}")
    return counts.pop(), times


def seconds_for(candidate: Candidate) -> float:
    """Seconds for one count, repeated if it is too short to be timed."""
    runs, began = 0, perf_counter()
    while not runs or perf_counter() - began < SHORT_SECONDS:
        candidate()
        runs += 1
    return (perf_counter() - began) / runs


def ratio(ones: Iterable[float], others: Iterable[float]) -> float:
    """Median of the ratios, round by round."""
    return median(one / other for one, other in zip(ones, others, strict=True))


# --- cores ------------------------------------------------------------------------------------------


CORES = set(usable_processors())  # as this process was started


def pin_to_one_core() -> None:
    """Keep this process, and what it starts, on one core."""
    _keep_to({min(CORES)})


def use_all_cores() -> None:
    """Let this process run on all its cores again."""
    _keep_to(CORES)


def _keep_to(cores: Iterable[int]) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
