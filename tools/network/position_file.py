"""The positions of one file that pass the filters, with scores that are right on average.

A file is cut into pieces, which all processors read, and which come back in the order of the file.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import takewhile
from typing import NamedTuple, TypeAlias

import numpy as np

from bluekrait.search.evaluation.network.network_file import SCALE
from bluekrait.tools.common.processors import usable_processors
from bluekrait.tools.data.formats import game_file, game_samples, sample_file
from bluekrait.tools.data.formats.game_file import is_game_file
from bluekrait.tools.data.formats.labelled_file import most_positions, opened, read_head
from bluekrait.tools.data.formats.look_ahead import looking_ahead
from bluekrait.tools.data.formats.sample_array import LAYOUT, Array, Samples, as_array
from bluekrait.tools.data.formats.sample_file import Bytes, Part
from bluekrait.tools.network.losses import expectations

PIECE_BYTES = 1 << 22  # of a file, read together
ENOUGH, MOST = 100_000, 4_000_000  # positions that the shift of scores is fitted to
UNDECIDED, MOST_SHIFT = 1000, 100  # centipawns


OnProgress: TypeAlias = Callable[[str, int], object]  # called with a file and its positions so far


class Filters(NamedTuple):
    """Which positions to use; never those in check, or with a capture or promotion as the best move."""

    first_ply: int = game_samples.TRAINING.first_ply
    largest_score: int = game_samples.TRAINING.highest_score


class SampleSource(NamedTuple):
    """What a file gave: the positions that passed the filters."""

    samples: Samples
    games: Array  # the numbers of the games, in the order of the file
    counts: Array  # positions of each
    size: int  # bytes that were read
    digest: str  # of all blocks in them
    shift: int  # centipawns that were taken from each score, see `fitted_shift`


def positions_of(
    path: str,
    filters: Filters,
    size: int | None = None,
    on_progress: OnProgress | None = None,
    look_ahead: float = 0.0,
    room: Samples | None = None,
) -> SampleSource:
    """The positions of a file, or of its first bytes, that pass the filters; put into `room` if given."""
    if room is None:
        room = np.empty(most_positions(path), LAYOUT)
    digest, end, used = hashlib.blake2b(digest_size=16), 0, 0
    games, counts = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
    with opened(path) as data:
        if size is not None and len(data) < size:
            raise ValueError(f"{path} has become shorter than it was")
        read_head(data)
        game_samples.self_play_entries()  # before several threads want them
        wanted = game_samples.Filters(filters.first_ply, filters.largest_score, no_checks=True, quiet=True)
        sift = game_sifter(wanted, look_ahead) if is_game_file(data) else sample_sifter(wanted)
        for blocks, sifted in in_order(sift, pieces_of(data, size)):
            for block in blocks:
                digest.update(block.body)
            end = blocks[-1].end
            room[used : used + len(sifted.samples)] = sifted.samples
            used += len(sifted.samples)
            games.append(sifted.games)
            counts.append(sifted.counts)
            if on_progress:
                on_progress(path, used)
    samples = room[:used]
    shift = fitted_shift(samples)
    samples["score"] -= np.int16(shift)
    return SampleSource(
        samples, np.concatenate(games), np.concatenate(counts), end, digest.hexdigest(), shift
    )


# --- pieces ---------------------------------------------------------------------------------------


class Sifted(NamedTuple):
    """The wanted positions of some blocks, the numbers of their games, and how many each game has of them."""

    samples: Samples
    games: Array
    counts: Array


Sifter: TypeAlias = Callable[[list[Part]], Sifted]


def pieces_of(data: Bytes, size: int | None) -> Iterator[list[Part]]:
    """The blocks of a file, or of its first bytes, some at a time."""
    blocks = game_file.read_blocks(data) if is_game_file(data) else sample_file.read_blocks(data)
    if size is not None:
        blocks = takewhile(lambda block: block.end <= size, blocks)
    return sample_file.in_batches(blocks, PIECE_BYTES)


def in_order(sift: Sifter, pieces: Iterator[list[Part]]) -> Iterator[tuple[list[Part], Sifted]]:
    """All pieces and what is left of them; each processor works at one, and another one waits for it."""
    processors = len(usable_processors())
    under_way: deque[tuple[list[Part], Future[Sifted]]] = deque()
    with ThreadPoolExecutor(processors) as pool:
        for blocks in pieces:
            under_way.append((blocks, pool.submit(sift, blocks)))
            if len(under_way) > 2 * processors:
                first, sifted = under_way.popleft()
                yield first, sifted.result()
        for first, sifted in under_way:
            yield first, sifted.result()


def game_sifter(wanted: game_samples.Filters, look_ahead: float) -> Sifter:
    """What finds the wanted positions in blocks of games."""

    def sift(blocks: list[Part]) -> Sifted:
        found = [
            game_samples.positions_of_games(
                looking_ahead(block.body, block.number, look_ahead), block.number, wanted
            )
            for block in blocks
        ]
        numbers = [number for block in blocks for number in game_file.numbers_of(block.body)]
        samples, counts = (np.concatenate(parts) for parts in zip(*found))
        return Sifted(samples, np.array(numbers, np.uint64), counts)

    return sift


def sample_sifter(wanted: game_samples.Filters) -> Sifter:
    """What finds the wanted ones in blocks of samples."""

    def sift(blocks: list[Part]) -> Sifted:
        found = [game_samples.filtered(as_array(block.body), wanted) for block in blocks]
        numbers = np.array([block.number for block in blocks], np.uint64)
        return Sifted(np.concatenate(found), numbers, np.array([len(samples) for samples in found]))

    return sift


# --- scores ---------------------------------------------------------------------------------------


def fitted_shift(samples: Samples) -> int:
    """How many centipawns too high the scores are, judged by the results; 0 for few positions.

    Searches of few nodes see the threats of the side to move, but not yet the answers. At 60 nodes a move
    their scores are some forty centipawns too high on average.
    """
    samples = samples[:: -(-len(samples) // MOST) or 1]
    clear = np.abs(samples["score"]) < UNDECIDED
    if np.count_nonzero(clear) < ENOUGH:
        return 0
    scores, mean = samples["score"][clear] / np.float32(SCALE), samples["result"][clear].mean() / 2
    low, high = -MOST_SHIFT, MOST_SHIFT
    while high - low > 1:
        middle = (low + high) // 2
        if expectations(scores - np.float32(middle / SCALE)).mean() > mean:
            low = middle
        else:
            high = middle
    return low
