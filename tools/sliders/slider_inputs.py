"""The inputs of the slider benchmark: squares and occupancies, random ones and those of games."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bluekrait.core import legal_moves, make_move, parse_fen
from bluekrait.core.board import Position, all_pieces
from bluekrait.core.notation.fen import STARTING_FEN
from bluekrait.core.tables.geometry import squares as squares_of

LOOKUPS = 16_384  # inputs fit the L2 cache, but are too many for branch predictors to learn
LONGEST_GAME = 120  # half-moves


Words: TypeAlias = NDArray[np.uint64]


class Lookups(NamedTuple):
    """Inputs for one slider each. `rows` are the indices of their occupancies among the different ones."""

    squares: Words
    occupancies: Words
    rows: NDArray[np.int64]
    different: Words


class Sets(NamedTuple):
    """Inputs for all sliders of the side to move."""

    orthogonals: Words
    diagonals: Words
    occupancies: Words


def random_lookups(seed: int, count: int = LOOKUPS) -> Lookups:
    """Random squares, and random occupancies of a quarter of the board."""
    rng = random.Random(seed)
    squares = [rng.randrange(64) for _ in range(count)]
    return _lookups(squares, [rng.getrandbits(64) & rng.getrandbits(64) for _ in range(count)])


def game_inputs(seed: int, count: int = LOOKUPS) -> tuple[Lookups, Sets]:
    """Sliders where they stand in games of random legal moves, one by one and side by side."""
    squares, occupancies, sets = [], [], []
    for position in _random_games(seed):
        board = position.board
        occupied, sliders = int(all_pieces(board)), int(board.orthogonals | board.diagonals)
        for square in squares_of(sliders):
            squares.append(square)
            occupancies.append(occupied)
        sets.append((int(board.orthogonals & board.own), int(board.diagonals & board.own), occupied))
        if len(squares) >= count:
            break
    return _lookups(squares[:count], occupancies[:count]), Sets(*map(_words, zip(*sets)))


def random_words(seed: int, count: int = LOOKUPS) -> Words:
    """Random words with few bits and with many, none of them 0."""
    rng = random.Random(seed)
    words: list[int] = []
    while len(words) < count:
        word = rng.getrandbits(64)
        for _ in range(rng.randrange(4)):
            word &= rng.getrandbits(64)
        if word:
            words.append(word)
    return _words(words)


def rotated_occupancies(technique: Any, lookups: Lookups) -> Words:
    """The different occupancies, rotated as a technique keeps them, one in each row."""
    return np.stack([technique.rotated_occupancy(occupied) for occupied in lookups.different])


def _random_games(seed: int) -> Iterator[Position]:
    rng = random.Random(seed)
    while True:
        position = parse_fen(STARTING_FEN)
        for _ in range(LONGEST_GAME):
            moves = legal_moves(position)
            if not len(moves):
                break
            yield position
            position = make_move(position, rng.choice(moves))


def _lookups(squares: Sequence[int], occupancies: Sequence[int]) -> Lookups:
    row_of: dict[int, int] = {}
    rows = np.array([row_of.setdefault(occupied, len(row_of)) for occupied in occupancies], dtype=np.int64)
    return Lookups(_words(squares), _words(occupancies), rows, _words(row_of))


def _words(numbers: Iterable[int]) -> Words:
    return np.array(list(numbers), dtype=np.uint64)
