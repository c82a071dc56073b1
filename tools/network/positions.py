"""Training positions of a network, and held-out positions of other games.

All of them are samples of 32 bytes, see `tools.data.formats.samples`, whatever file they come from. They
lie in one array; what would need another array of that size is done in pieces.
"""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bluekrait.tools.data.formats.labelled_file import is_shuffled, most_positions
from bluekrait.tools.data.formats.sample_array import LAYOUT, Array, Samples, hashes_of
from bluekrait.tools.network.position_file import Filters, OnProgress, positions_of

HELD_OUT, MOST_HELD_OUT = 0.05, 400_000  # a share of the positions, but not more than so many
PIECE = 1 << 20  # samples that are moved together


class Gathered(NamedTuple):
    """The positions of some files, one game after the other."""

    samples: Samples
    games: Array  # a number for each game; where a file has no games, for each block of neighbours
    counts: Array  # positions of each
    sources: list[dict[str, Any]]  # name, size, digest and number of positions of each file


class Positions(NamedTuple):
    """The positions of all files: to learn from, and held out."""

    training: Array
    held_out: Array
    sources: list[dict[str, Any]]  # as above
    judges: list[dict[str, Any]]  # the same of the files that were named to be held out as a whole


# Pairs of a name and the bytes to read, None for all of them.
Files: TypeAlias = Iterable[tuple[str, int | None]]


def load(
    files: Files,
    filters: Filters,
    seed: int,
    deduplicate: bool = False,
    on_progress: OnProgress | None = None,
    judges: Files = (),
    look_ahead: float = 0.0,
) -> Positions:
    """The positions in some files. If there are `judges`, their positions are held out, else some games."""
    files, judges = list(files), list(judges)
    check_names(name for name, _ in (*files, *judges))
    if not judges:
        check_order(name for name, _ in files)
    found = positions_in(files, filters, on_progress, look_ahead)
    judging = positions_in(judges, filters, on_progress)
    for some in (found, judging) if judges else (found,):
        check_not_empty(some)
    if deduplicate:
        found = without_repetitions(found)
    if judges:
        apart = judging.samples
        if len(apart) > MOST_HELD_OUT:
            apart = apart.compress(held_out(judging, seed, MOST_HELD_OUT))
        return Positions(found.samples, apart, found.sources, judging.sources)
    if len(np.unique(found.games[found.counts > 0])) < 2:
        raise ValueError("positions of at least two games are needed: some are held out")
    chosen = held_out(found, seed, min(HELD_OUT * len(found.samples), MOST_HELD_OUT))
    apart = found.samples.compress(chosen)
    return Positions(squeezed(found.samples, ~chosen), apart, found.sources, [])


def positions_in(
    files: Files, filters: Filters, on_progress: OnProgress | None = None, look_ahead: float = 0.0
) -> Gathered:
    """The positions of all files that pass the filters."""
    files = list(files)
    room = np.empty(sum(most_positions(name) for name, _ in files), LAYOUT)  # what stays empty costs nothing
    used, games, counts, about = 0, [np.empty(0, np.uint64)], [np.empty(0, np.int64)], []
    for number, (name, size) in enumerate(files):
        source = positions_of(name, filters, size, on_progress, look_ahead, room[used:])
        used += len(source.samples)
        games.append(source.games | np.uint64(number << 32))
        counts.append(source.counts)
        about.append(
            {
                "file": name,
                "bytes": source.size,
                "digest": source.digest,
                "positions": len(source.samples),
                "shift": source.shift,
            }
        )
    return Gathered(room[:used], np.concatenate(games), np.concatenate(counts), about)


def check_not_empty(found: Gathered) -> None:
    """ValueError if no position of some files passes the filters."""
    if not len(found.samples):
        names = ", ".join(source["file"] for source in found.sources)
        raise ValueError(f"there are no quiet positions in {names}")


def check_order(names: Iterable[str]) -> None:
    """ValueError if a file is shuffled: then no game could be held out as a whole."""
    for name in names:
        if is_shuffled(name):
            raise ValueError(
                f"{name} is shuffled, so no whole games can be held out: name others with --judge"
            )


def check_names(names: Iterable[str]) -> None:
    """ValueError if a file is named twice: its positions would be learnt from and held out."""
    known: set[str] = set()
    for name in names:
        place = os.path.realpath(name)
        if place in known:
            raise ValueError(f"{name} is named twice: its positions would be learnt from and held out")
        known.add(place)


def squeezed(samples: Samples, keep: Array) -> Samples:
    """The samples to keep, moved to the front of their array."""
    end = 0
    for start in range(0, len(samples), PIECE):
        part = samples[start : start + PIECE].compress(keep[start : start + PIECE])
        samples[end : end + len(part)] = part
        end += len(part)
    return samples[:end]


# --- repetitions ----------------------------------------------------------------------------------


def without_repetitions(found: Gathered) -> Gathered:
    """The positions that did not occur before."""
    keep = np.zeros(len(found.samples), bool)
    keep[first_of_each(found.samples)] = True
    counts = counted(keep, found.counts)
    return found._replace(samples=squeezed(found.samples, keep), counts=counts)


def counted(keep: Array, counts: Array) -> Array:
    """How many positions of each game are kept, if so many lie behind one another."""
    before = np.concatenate([[0], np.cumsum(keep)])
    ends = np.cumsum(counts)
    kept: Array = before[ends] - before[ends - counts]
    return kept


def first_of_each(samples: Samples) -> Array:
    """The places of samples whose position did not occur before."""
    _, first = np.unique(hashes_of(samples), return_index=True)
    return np.sort(first)


# --- held out -------------------------------------------------------------------------------------


def held_out(found: Gathered, seed: int, wanted: float) -> Array:
    """Which positions are held out: whole games, chosen at random, with about so many positions.

    Games with more positions than that are not chosen. If there are no others, it is the shortest game.
    """
    numbers, places = np.unique(found.games, return_inverse=True)
    counts = np.bincount(places, found.counts)
    order = np.argsort(hashed(numbers ^ hashed(np.array([seed], np.uint64))), kind="stable")
    order = order[counts[order] > 0]
    short = order[counts[order] <= wanted]
    before = np.cumsum(counts[short]) - counts[short]
    chosen = short[: np.searchsorted(before, wanted)] if len(short) else order[[counts[order].argmin()]]
    picked = np.zeros(len(numbers), bool)
    picked[chosen] = True
    return np.repeat(picked[places], found.counts)


def hashed(words: Array) -> Array:
    """64-bit hashes of words, a different one for each."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)
