"""Who is faster: contenders take turns for several rounds, and agree on their results.

A contender does the same work again and again, as often as makes it last long enough to be timed, and the
clock is the processor time of the thread: others on the core do not count. Figures are medians over rounds,
and so are ratios, of two that ran in the same round: a machine that is slow for a moment is slow for both.
"""

from collections.abc import Callable
from statistics import median
from time import thread_time
from typing import NamedTuple

from bluekrait.core.sliders import gallery
from bluekrait.core.sliders.gallery import LIVE
from bluekrait.core.sliders.timing import fills, lookups, moves_in_rotated, scans
from bluekrait.tools.sliders import slider_inputs
from bluekrait.tools.sliders.slider_figures import GAMES, HERE, MOVES, RANDOM, SETS, Figure

SHORT_SECONDS = 0.02  # a contender that takes less does its work several times


class Contender(NamedTuple):
    """Somebody who does the work of a section so many times, and tells a checksum and the seconds."""

    section: str
    name: str
    made_in: str
    work: int  # lookups, sets, moves or scans
    do: Callable[[int], tuple]


def timed(kernel, *inputs):
    """What a contender does who is compiled in this process."""

    def do(times):
        began = thread_time()
        checksum = int(kernel(*inputs, times))
        return checksum, thread_time() - began

    return do


def technique_contenders(names, seed):
    """Those who look up attacks, one slider at a time or many at once, and update rotated occupancies."""
    by_section = {RANDOM: slider_inputs.random_lookups(seed)}
    by_section[GAMES], sets = slider_inputs.game_inputs(seed)
    for name in (LIVE, *names):
        facts = gallery.TECHNIQUES.get(name, gallery.Technique(family=""))
        for section, inputs in by_section.items():
            questions = inputs.squares, inputs.occupancies
            if facts.is_rotated:
                views = slider_inputs.views(gallery.open_technique(name), inputs)
                questions = inputs.squares, inputs.rows, views
            yield Contender(section, name, HERE, len(inputs.squares), timed(lookups(name), *questions))
        if facts.is_setwise or name == LIVE:
            yield Contender(SETS, name, HERE, len(sets.occupancies), timed(fills(name), *sets))
        if facts.is_rotated:
            squares = by_section[RANDOM].squares
            rotated = gallery.open_technique(name).rotated_occupancy(by_section[GAMES].occupancies[0])
            yield Contender(
                MOVES, name, HERE, len(squares) - 1, timed(moves_in_rotated(name), rotated, squares)
            )


def scan_contenders(names, seed):
    """Those who find or count bits."""
    words = slider_inputs.random_words(seed)
    for name in names:
        for what in gallery.SCANS[name]:
            yield Contender(what, name, HERE, len(words), timed(scans(name, what), words))


class Contest:
    """The rounds so far."""

    def __init__(self, contenders):
        self.contenders = contenders
        self.rounds_done = 0
        self._times = {}
        self._rates = {self._key(contender): [] for contender in contenders}

    def prepare(self, on_progress):
        """Let everybody do the work once: their results must agree. Then find out how often makes it last."""
        checksums = {}
        for contender in self.contenders:
            on_progress(f"{contender.section}: {contender.name}")
            checksum, _ = contender.do(1)
            if contender.section != MOVES and checksums.setdefault(contender.section, checksum) != checksum:
                raise ValueError(
                    f"{contender.name} ({contender.made_in}) is wrong in section {contender.section}"
                )
            times, seconds = 1, 0
            while seconds < SHORT_SECONDS:
                times *= 2
                _, seconds = contender.do(times)
            self._times[self._key(contender)] = times

    def play_round(self):
        """Everybody once."""
        rates = {}
        for contender in self.contenders:
            times = self._times[self._key(contender)]
            _, seconds = contender.do(times)
            rates[self._key(contender)] = contender.work * times / seconds / 1e6
        for key, rate in rates.items():
            self._rates[key].append(rate)
        self.rounds_done += 1

    def figures(self):
        """What came out, in the order of the contenders."""
        for contender in self.contenders:
            key = self._key(contender)
            reference = self._rates.get(self._reference(contender.section))
            ratio = median(map(_quotient, self._rates[key], reference)) if reference else None
            yield Figure(*key, median(self._rates[key]), ratio)

    @staticmethod
    def _key(contender):
        return contender.section, contender.name, contender.made_in

    @staticmethod
    def _reference(section):
        return section, LIVE if section in (RANDOM, GAMES, SETS) else "hardware", HERE


def _quotient(ours, theirs):
    return ours / theirs
