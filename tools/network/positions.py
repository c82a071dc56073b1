"""Training positions of a network, and held-out positions of other games.

All of them are samples of 32 bytes, see `tools.data.formats.samples`, whatever file they come from.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numba import types

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, kernel, uint64
from bluekrait.core.rules.bits import bit_of
from bluekrait.core.rules.legality import legality
from bluekrait.core.tables import table_block
from bluekrait.tools.data.formats.labelled_file import opened, read_blocks, read_head
from bluekrait.tools.data.formats.sample_array import LAYOUT, Array, Samples
from bluekrait.tools.data.formats.sample_board import board_of
from bluekrait.tools.network.kernels.gradients import SCORE_SCALE
from bluekrait.tools.network.losses import expectations

PIECE = 1 << 20  # samples that are looked at together
ENOUGH, UNDECIDED, MOST_SHIFT = 100_000, 1000, 100  # positions, and centipawns, for the shift of scores
HELD_OUT, MOST_HELD_OUT = 0.05, 400_000  # a share of the positions, but not more than so many


OnProgress: TypeAlias = Callable[[str, int], object]  # called with a file and its positions so far


class Filters(NamedTuple):
    """Which positions to use; never those in check, or with a capture or promotion as the best move."""

    first_ply: int = 16
    largest_score: int = 2999


class SampleSource(NamedTuple):
    """What a file gave: the positions that passed the filters, and the number of the game of each."""

    samples: Array
    games: Array
    size: int  # bytes that were read
    digest: str  # of all samples in them
    shift: int  # centipawns that were taken from each score, see `fitted_shift`


class Positions(NamedTuple):
    """The positions of all files: to learn from, and held out."""

    training: Array
    held_out: Array
    sources: list[dict[str, Any]]  # name, size, digest and number of positions of each file
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
    samples, games, sources = positions_in(files, filters, on_progress, look_ahead)
    judging, games_judging, about_judges = positions_in(judges, filters, on_progress)
    if deduplicate:
        first = first_of_each(samples)
        samples, games = samples[first], games[first]
    if about_judges:
        chosen = held_out(games_judging, seed, len(judging))
        return Positions(samples, judging[chosen], sources, about_judges)
    chosen = held_out(games, seed, HELD_OUT * len(games))
    return Positions(samples[~chosen], samples[chosen], sources, [])


def positions_in(
    files: Files, filters: Filters, on_progress: OnProgress | None = None, look_ahead: float = 0.0
) -> tuple[Array, Array, list[dict[str, Any]]]:
    """The positions of all files that pass the filters, the game of each, and facts about the files."""
    samples, games, about = [np.empty(0, LAYOUT)], [np.empty(0, np.uint64)], []
    for number, (name, size) in enumerate(files):
        source = positions_of(name, filters, size, on_progress, look_ahead)
        samples.append(source.samples)
        games.append(source.games.astype(np.uint64) | np.uint64(number << 32))
        about.append(
            {
                "file": name,
                "bytes": source.size,
                "digest": source.digest,
                "positions": len(source.samples),
                "shift": source.shift,
            }
        )
    return np.concatenate(samples), np.concatenate(games), about


def positions_of(
    path: str,
    filters: Filters,
    size: int | None = None,
    on_progress: OnProgress | None = None,
    look_ahead: float = 0.0,
) -> SampleSource:
    """The positions of a file, or of its first bytes, that pass the filters."""
    digest, end = hashlib.blake2b(digest_size=16), 0
    kept: list[Samples] = []
    games: list[Array] = []
    bodies: list[bytes] = []
    numbers: list[int] = []
    counts: list[int] = []
    waiting = 0

    def sift() -> None:
        samples = np.frombuffer(bytearray().join(bodies), LAYOUT)
        keep = is_wanted(samples, filters)
        kept.append(samples[keep])
        games.append(np.repeat(np.array(numbers, np.uint32), counts)[keep])
        bodies.clear()
        numbers.clear()
        counts.clear()
        if on_progress:
            on_progress(path, sum(map(len, kept)))

    with opened(path) as data:
        if size is not None and len(data) < size:
            raise ValueError(f"{path} has become shorter than it was")
        read_head(data)
        for block in read_blocks(data, look_ahead=look_ahead):
            if size is not None and block.end > size:
                break
            end = block.end
            digest.update(block.body)
            bodies.append(block.body)
            numbers.append(block.number)
            counts.append(block.samples)
            waiting += block.samples
            if waiting >= PIECE:
                sift()
                waiting = 0
        sift()
    samples = np.concatenate(kept)
    shift = fitted_shift(samples)
    samples["score"] -= np.int16(shift)
    return SampleSource(samples, np.concatenate(games), end, digest.hexdigest(), shift)


# --- filters --------------------------------------------------------------------------------------


def is_wanted(samples: Samples, filters: Filters) -> Array:
    """Which samples pass the filters."""
    wanted = (samples["ply"] >= filters.first_ply) & (np.abs(samples["score"]) <= filters.largest_score)
    table_block.block()
    drop_loud(samples, wanted)
    return wanted


@kernel(types.void(numba.from_dtype(LAYOUT)[::1], boolean[::1]))
def drop_loud(samples, wanted):
    """Unmark positions in check, and those whose best move captures or promotes."""
    for place in range(len(samples)):
        sample = samples[place]
        if wanted[place]:
            board = board_of(sample["occupied"], sample["first_pieces"], sample["last_pieces"])
            wanted[place] = not is_loud(board, int64(sample["move"]))


@inline(boolean(board_type, int64))
def is_loud(board, move):
    """True if the side to move is in check, or the move captures or promotes."""
    origin, target, promotion = bit_of(uint64(move & 63)), bit_of(uint64(move >> 6 & 63)), move >> 12
    enemy = all_pieces(board) & ~board.own
    passing = origin & board.pawns and target & board.en_passant
    if move and (promotion or target & enemy or passing):
        return True
    return legality(board).checkers != 0


def first_of_each(samples: Samples) -> Array:
    """The places of samples whose position did not occur before."""
    mixed = np.zeros(len(samples), np.uint64)
    for name in "occupied", "first_pieces", "last_pieces":
        mixed = hashed(mixed ^ samples[name])
    _, first = np.unique(mixed, return_index=True)
    return np.sort(first)


# --- scores ---------------------------------------------------------------------------------------


def fitted_shift(samples: Samples) -> int:
    """How many centipawns too high the scores are, judged by the results; 0 for few positions.

    Searches of few nodes see the threats of the side to move, but not yet the answers. At 60 nodes a move
    their scores are some forty centipawns too high on average.
    """
    clear = np.abs(samples["score"]) < UNDECIDED
    if np.count_nonzero(clear) < ENOUGH:
        return 0
    scores, mean = samples["score"][clear] / np.float32(SCORE_SCALE), samples["result"][clear].mean() / 2
    low, high = -MOST_SHIFT, MOST_SHIFT
    while high - low > 1:
        middle = (low + high) // 2
        if expectations(scores - np.float32(middle / SCORE_SCALE)).mean() > mean:
            low = middle
        else:
            high = middle
    return low


# --- held out -------------------------------------------------------------------------------------


def held_out(games: Array, seed: int, wanted: float) -> Array:
    """Which positions are held out: whole games, chosen at random, with about so many positions."""
    numbers, counts = np.unique(games, return_counts=True)
    if len(numbers) < 2:
        raise ValueError("positions of at least two games are needed: some are held out")
    order = np.argsort(hashed(numbers ^ hashed(np.array([seed], np.uint64))), kind="stable")
    before = np.cumsum(counts[order]) - counts[order]
    picked = order[: max(1, np.searchsorted(before, min(wanted, MOST_HELD_OUT)))]
    return np.isin(games, numbers[picked])


def hashed(words: Array) -> Array:
    """64-bit hashes of words, a different one for each."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)
