"""The benchmark of slider techniques: candidates take turns for several rounds, and must find the same.

A candidate repeats its work until it takes long enough to be timed. The clock is the processor time of the
thread, so other processes on the core do not count. Figures are medians over rounds. Ratios are of two
candidates in the same round, since a machine that is slow for a moment is slow for both.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import truediv
from statistics import median
from time import thread_time
from typing import Any, NamedTuple, TypeAlias

from bluekrait.core.sliders import gallery
from bluekrait.core.sliders.gallery import LIVE
from bluekrait.core.sliders.timing import fills, lookups, moves_in_rotated, scans
from bluekrait.tools.sliders import slider_inputs
from bluekrait.tools.sliders.slider_figures import GAMES, HERE, MOVES, RANDOM, SETS, Figure, Key

SHORT_SECONDS = 0.02  # a candidate that takes less does its work several times

Work: TypeAlias = Callable[[int], tuple[int, float]]  # does it so many times; a checksum and the seconds


class Candidate(NamedTuple):
    """A function that repeats the work of a section, and returns a checksum and the seconds."""

    section: str
    name: str
    made_in: str
    work: int  # lookups, sets, moves or scans
    do: Work


def timed(kernel: Callable[..., Any], *inputs: Any) -> Work:
    """The work of a candidate that is compiled in this process."""

    def do(times: int) -> tuple[int, float]:
        began = thread_time()
        checksum = int(kernel(*inputs, times))
        return checksum, thread_time() - began

    return do


def technique_candidates(names: Iterable[str], seed: int) -> Iterator[Candidate]:
    """Candidates that look up attacks, for one slider or many at once, or update rotated occupancies."""
    in_games, sets = slider_inputs.game_inputs(seed)
    by_section = {RANDOM: slider_inputs.random_lookups(seed), GAMES: in_games}
    for name in (LIVE, *names):
        facts = gallery.TECHNIQUES.get(name, gallery.Technique(family=""))
        for section, inputs in by_section.items():
            questions: tuple[Any, ...] = inputs.squares, inputs.occupancies
            if facts.is_rotated:
                rotated = slider_inputs.rotated_occupancies(gallery.open_technique(name), inputs)
                questions = inputs.squares, inputs.rows, rotated
            yield Candidate(section, name, HERE, len(inputs.squares), timed(lookups(name), *questions))
        if facts.is_setwise or name == LIVE:
            yield Candidate(SETS, name, HERE, len(sets.occupancies), timed(fills(name), *sets))
        if facts.is_rotated:
            squares = by_section[RANDOM].squares
            rotated = gallery.open_technique(name).rotated_occupancy(by_section[GAMES].occupancies[0])
            yield Candidate(
                MOVES, name, HERE, len(squares) - 1, timed(moves_in_rotated(name), rotated, squares)
            )


def scan_candidates(names: Iterable[str], seed: int) -> Iterator[Candidate]:
    """Candidates that find or count bits."""
    words = slider_inputs.random_words(seed)
    for name in names:
        for what in gallery.SCANS[name]:
            yield Candidate(what, name, HERE, len(words), timed(scans(name, what), words))


class Benchmark:
    """The rounds so far."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self.candidates = candidates
        self.rounds_done = 0
        self._times: dict[Key, int] = {}
        self._rates: dict[Key, list[float]] = {self._key(candidate): [] for candidate in candidates}

    def prepare(self, on_progress: Callable[[str], object]) -> None:
        """Run every candidate once and compare the results; then find how often each must repeat its work."""
        checksums: dict[str, int] = {}
        for candidate in self.candidates:
            on_progress(f"{candidate.section}: {candidate.name}")
            checksum, _ = candidate.do(1)
            if candidate.section != MOVES and checksums.setdefault(candidate.section, checksum) != checksum:
                raise ValueError(
                    f"{candidate.name} ({candidate.made_in}) is wrong in section {candidate.section}"
                )
            times, seconds = 1, 0.0
            while seconds < SHORT_SECONDS:
                times *= 2
                _, seconds = candidate.do(times)
            self._times[self._key(candidate)] = times

    def run_round(self) -> None:
        """Run every candidate."""
        rates = {}
        for candidate in self.candidates:
            times = self._times[self._key(candidate)]
            _, seconds = candidate.do(times)
            rates[self._key(candidate)] = candidate.work * times / seconds / 1e6
        for key, rate in rates.items():
            self._rates[key].append(rate)
        self.rounds_done += 1

    def figures(self) -> Iterator[Figure]:
        """The medians, in the order of the candidates."""
        for candidate in self.candidates:
            key = self._key(candidate)
            reference = self._rates.get(self._reference(candidate.section))
            ratio = median(map(truediv, self._rates[key], reference)) if reference else None
            yield Figure(*key, median(self._rates[key]), ratio)

    @staticmethod
    def _key(candidate: Candidate) -> Key:
        return candidate.section, candidate.name, candidate.made_in

    @staticmethod
    def _reference(section: str) -> Key:
        return section, LIVE if section in (RANDOM, GAMES, SETS) else "hardware", HERE
