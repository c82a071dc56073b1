"""The positions that a network learns from, and those of other games that tell how well it has learnt.

All of them are samples of 32 bytes, see `tools.data.samples`, whatever file they come from.
"""

import hashlib
from typing import NamedTuple

import numba
import numpy as np
from numba import types

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, boolean, inline, int64, kernel, uint64
from bluekrait.core.rules.bits import bit_of
from bluekrait.core.rules.legality import legality
from bluekrait.core.tables import table_block
from bluekrait.tools.data.labelled_file import opened, read_blocks, read_head
from bluekrait.tools.data.sample_array import LAYOUT
from bluekrait.tools.tuning.gradient_rows import board_of

PIECE = 1 << 20  # samples that are looked at together
HELD_OUT, MOST_HELD_OUT = 0.05, 400_000  # a share of the positions, but not more than so many


class Filters(NamedTuple):
    """Which positions are worth learning from: without check, and without a capture or promotion to make."""

    first_ply: int = 16
    largest_score: int = 2999


class Source(NamedTuple):
    """What a file gave: the positions that passed the filters, and the number of the game of each."""

    samples: np.ndarray
    games: np.ndarray
    size: int  # bytes that were read
    digest: str  # of all samples in them


class Positions(NamedTuple):
    """The positions of all files: to learn from, and held out."""

    training: np.ndarray
    held_out: np.ndarray
    sources: list  # name, size, digest and number of positions of each file


def load(files, filters, seed, deduplicate=False, on_progress=None):
    """The positions in some files: pairs of a name and the bytes to read, None for all of them."""
    sources, about = [], []
    for number, (name, size) in enumerate(files):
        source = positions_of(name, filters, size, on_progress)
        about.append(
            {"file": name, "bytes": source.size, "digest": source.digest, "positions": len(source.samples)}
        )
        sources.append((source.samples, source.games.astype(np.uint64) | np.uint64(number << 32)))
    samples, games = (np.concatenate(column) for column in zip(*sources))
    del sources
    if deduplicate:
        first = first_of_each(samples)
        samples, games = samples[first], games[first]
    is_held_out = held_out(games, seed)
    return Positions(samples[~is_held_out], samples[is_held_out], about)


def positions_of(path, filters, size=None, on_progress=None):
    """What is worth learning from in a file, or in its first bytes."""
    digest, kept, games, end = hashlib.blake2b(digest_size=16), [], [], 0
    bodies, numbers, counts, waiting = [], [], [], 0

    def sift():
        samples = np.frombuffer(bytearray().join(bodies), LAYOUT)
        keep = is_wanted(samples, filters)
        kept.append(samples[keep])
        games.append(np.repeat(np.array(numbers, np.uint32), counts)[keep])
        for pile in bodies, numbers, counts:
            pile.clear()
        if on_progress:
            on_progress(path, sum(map(len, kept)))

    with opened(path) as data:
        if size is not None and len(data) < size:
            raise ValueError(f"{path} has become shorter than it was")
        read_head(data)
        for block in read_blocks(data):
            if size is not None and block.end > size:
                break
            end = block.end
            digest.update(block.body)
            bodies.append(block.body)
            numbers.append(block.number)
            counts.append(block.count)
            waiting += block.count
            if waiting >= PIECE:
                sift()
                waiting = 0
        sift()
    return Source(np.concatenate(kept), np.concatenate(games), end, digest.hexdigest())


# --- filters --------------------------------------------------------------------------------------


def is_wanted(samples, filters):
    """Which samples pass the filters."""
    wanted = (samples["ply"] >= filters.first_ply) & (np.abs(samples["score"]) <= filters.largest_score)
    table_block.block()
    drop_loud(samples, wanted)
    return wanted


@kernel(types.void(numba.from_dtype(LAYOUT)[::1], boolean[::1]))
def drop_loud(samples, wanted):
    """Want no positions with a check, and none where a capture or promotion is best."""
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


def first_of_each(samples):
    """The places of samples whose position did not occur before."""
    mixed = np.zeros(len(samples), np.uint64)
    for name in "occupied", "first_pieces", "last_pieces":
        mixed = scrambled(mixed ^ samples[name])
    _, first = np.unique(mixed, return_index=True)
    return np.sort(first)


# --- held out -------------------------------------------------------------------------------------


def held_out(games, seed):
    """Which positions are not to be learnt from: whole games, picked by chance."""
    numbers, counts = np.unique(games, return_counts=True)
    if len(numbers) < 2:
        raise ValueError("positions of two games are needed at least, for some are held out")
    goal = min(HELD_OUT * len(games), MOST_HELD_OUT)
    order = np.argsort(scrambled(numbers ^ scrambled(np.uint64([seed]))), kind="stable")
    before = np.cumsum(counts[order]) - counts[order]
    picked = order[: max(1, np.searchsorted(before, goal))]
    return np.isin(games, numbers[picked])


def scrambled(words):
    """Words that look random, a different one for each."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)
