"""What the slider benchmark asks: squares and occupancies, drawn at random or met in games."""

import random
from typing import NamedTuple

import numpy as np

from bluekrait.core import legal_moves, make_move, parse_fen
from bluekrait.core.board import all_pieces
from bluekrait.core.notation.fen import STARTING_FEN
from bluekrait.core.tables.geometry import squares as squares_of

LOOKUPS = 16_384  # inputs fit the second-level cache, but nobody can learn them by heart
LONGEST_GAME = 120  # half-moves


class Lookups(NamedTuple):
    """Questions for one slider each. `rows` tells which of the different occupancies each is about."""

    squares: np.ndarray
    occupancies: np.ndarray
    rows: np.ndarray
    different: np.ndarray


class Sets(NamedTuple):
    """Questions for all sliders of the side to move."""

    orthogonals: np.ndarray
    diagonals: np.ndarray
    occupancies: np.ndarray


def random_lookups(seed=1, count=LOOKUPS):
    """Any square, and a quarter of the board occupied by chance."""
    dice = random.Random(seed)
    squares = [dice.randrange(64) for _ in range(count)]
    return _lookups(squares, [dice.getrandbits(64) & dice.getrandbits(64) for _ in range(count)])


def game_inputs(seed=1, count=LOOKUPS):
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


def random_words(seed=1, count=LOOKUPS):
    """Words with few bits and with many, but none that is empty."""
    dice = random.Random(seed)
    words = []
    while len(words) < count:
        word = dice.getrandbits(64)
        for _ in range(dice.randrange(4)):
            word &= dice.getrandbits(64)
        if word:
            words.append(word)
    return _words(words)


def views(technique, lookups):
    """The different occupancies, rotated as a technique keeps them, one in each row."""
    return np.stack([technique.rotated_occupancy(occupied) for occupied in lookups.different])


def _random_games(seed):
    dice = random.Random(seed)
    while True:
        position = parse_fen(STARTING_FEN)
        for _ in range(LONGEST_GAME):
            moves = legal_moves(position)
            if not len(moves):
                break
            yield position
            position = make_move(position, dice.choice(moves))


def _lookups(squares, occupancies):
    row_of = {}
    rows = np.array([row_of.setdefault(occupied, len(row_of)) for occupied in occupancies], dtype=np.int64)
    return Lookups(_words(squares), _words(occupancies), rows, _words(row_of))


def _words(numbers):
    return np.array(list(numbers), dtype=np.uint64)
