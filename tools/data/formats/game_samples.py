"""From games to training positions: samples of 32 bytes, extracted in compiled code."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from bluekrait.core.native import Entries
from bluekrait.search.scores import INFINITE
from bluekrait.search.self_play.game_records import Replay
from bluekrait.search.self_play.players.player import ENTRIES_MODULE
from bluekrait.tools.common.compiling import load_entries
from bluekrait.tools.data.formats.game_file import numbers_of, plies_in, read_blocks
from bluekrait.tools.data.formats.sample_array import LAYOUT, Array, Samples
from bluekrait.tools.data.formats.sample_file import Bytes, Part


class Filters(NamedTuple):
    """Which positions of games are wanted."""

    first_ply: int = 0  # half-moves since the starting position
    highest_score: int = INFINITE  # centipawns, for either side
    no_checks: bool = False  # none in which the side to move is in check
    quiet: bool = False  # none in which the best move captures or promotes

    def and_those_of(self, other: "Filters") -> "Filters":
        """What passes both."""
        return Filters(
            max(self.first_ply, other.first_ply),
            min(self.highest_score, other.highest_score),
            self.no_checks or other.no_checks,
            self.quiet or other.quiet,
        )


EVERYTHING = Filters()
TRAINING = Filters(first_ply=16, highest_score=2999, no_checks=True, quiet=True)


def positions_of_games(body: bytes, count: int, filters: Filters = TRAINING) -> tuple[Samples, Array]:
    """The wanted positions in the body of a block with so many games, and how many each game has of them."""
    samples, kept = np.empty(plies_in(len(body), count), LAYOUT), np.empty(count, np.uint64)
    games = np.frombuffer(body, np.uint8)
    total = _run("replay_games", games, count, samples, kept.ctypes.data, filters)
    return samples[:total], kept.astype(np.int64)


def filtered(samples: Samples, filters: Filters) -> Samples:
    """The samples that pass the filters."""
    chosen, samples = np.empty(len(samples), LAYOUT), np.ascontiguousarray(samples)
    return chosen[: _run("filter_samples", samples, len(samples), chosen, 0, filters)]


def _run(entry: str, source: Array, count: int, samples: Samples, kept: int, filters: Filters) -> int:
    job = Replay(source.ctypes.data, count, samples.ctypes.data, kept, *filters)
    return self_play_entries()[entry](job)


@cache
def self_play_entries() -> Entries:
    """The compiled code of self-play, loaded once."""
    return load_entries(ENTRIES_MODULE)


def sample_blocks(data: Bytes, filters: Filters) -> Iterator[Part]:
    """The games in the bytes of a file, as blocks of samples like those of `sample_file`."""
    for block in read_blocks(data):
        samples, kept = positions_of_games(block.body, block.number, filters)
        packed, end = samples.tobytes(), 0
        for number, count in zip(numbers_of(block.body), kept.tolist()):
            start, end = end, end + count * LAYOUT.itemsize
            yield Part(number, packed[start:end], block.start, block.end)
