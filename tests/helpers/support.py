"""What the tests of the rules share: one engine, many positions, and calls of compiled code."""

import random
from functools import cache
from itertools import chain
from typing import NamedTuple

import chess
import numpy as np
from numba import types

from bluekrait.core.board import Position
from bluekrait.core.compiler.jit import int64, position_type, record_layout, uint32, uint64
from bluekrait.core.move import IDENTITY_MASK
from bluekrait.core.records import MoveList
from bluekrait.core.rules.history import history_at, pop, push, repetitions
from bluekrait.core.rules.is_legal import is_legal
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.movegen import add_noisy_moves, add_quiet_moves
from bluekrait.core.rules.outcome import number_of_moves
from bluekrait.search.engine import load_engine
from helpers.kernels import uncached_kernel
from helpers.oracles import king_takes_rook, packed_move, position_of, random_boards
from helpers.paths import DATA


@cache
def engine():
    """The engine, loaded once for all tests."""
    return load_engine()


def lines_of(name):
    """The lines of a file in tests/data."""
    return (DATA / name).read_text(encoding="ascii").splitlines()


# --- positions ------------------------------------------------------------------------------------


class Case(NamedTuple):
    """One position in the words of both sides."""

    board: chess.Board  # spells castling as king takes rook
    position: Position
    moves: dict  # the legal moves: packed by us, and as python-chess has them


def case_of(board):
    """What python-chess says of a board."""
    board = king_takes_rook(board)
    return Case(board, position_of(board), {packed_move(board, move): move for move in board.legal_moves})


@cache
def cases():
    """Some thousand positions of every kind, always the same."""
    boards = chain(
        random_boards(seed=11, games=16),
        random_boards(seed=12, games=16, chess960=True),
        double_chess960_boards(seed=13, count=800),
        scattered_boards(seed=14, count=2000),
        castling_boards(seed=15, count=1000),
        en_passant_boards(seed=16, count=500),
        (chess.Board(line.split(" bm ")[0] + " 0 1") for line in lines_of("wac.epd")),
        (chess.Board(line, chess960=True) for line in lines_of("openings.epd")[::10]),
    )
    return [case_of(board) for board in boards]


def double_chess960_boards(seed, count):
    """Different set-ups for the two sides, thinned out so that castling comes soon, and a few moves on."""
    rng = random.Random(seed)
    for _ in range(count):
        board = double_chess960_set_up(rng)
        for square in chess.SquareSet(board.occupied & ~board.kings & ~board.rooks):
            if rng.random() < 0.5:
                board.remove_piece_at(square)
        if board.is_valid():
            play_at_random(board, rng, plies=rng.randrange(8))
            yield board


def double_chess960_set_up(rng):
    """One of the 960 set-ups for each side."""
    board, other = (chess.Board.from_chess960_pos(rng.randrange(960)) for _ in range(2))
    for square in chess.SquareSet(chess.BB_RANK_8):
        board.set_piece_at(square, other.piece_at(square))
    board.castling_rights = board.rooks
    return board


def scattered_boards(seed, count):
    """Few or many pieces thrown on the board: full of pins, checks and promotions."""
    rng = random.Random(seed)
    while count:
        board = chess.Board(None)
        board.turn = rng.random() < 0.5
        white, black = (rng.choices("PNBRQ", k=rng.randrange(9)) for _ in range(2))
        for kind in ["K", "k", *white, *map(str.lower, black)]:
            put(board, kind, rng.choice([*chess.SquareSet(~board.occupied)]))
        if board.is_valid():
            yield board
            count -= 1


def castling_boards(seed, count):
    """Each king between two rooks, anywhere on his rank, and a few pieces to disturb him."""
    rng = random.Random(seed)
    while count:
        board = chess.Board(None, chess960=True)
        for rank, trio in (chess.BB_RANK_1, "RKR"), (chess.BB_RANK_8, "rkr"):
            for square, kind in zip(sorted(rng.sample([*chess.SquareSet(rank)], 3)), trio):
                put(board, kind, square)
        board.castling_rights = board.rooks
        for kind in rng.choices("PpNnBbRrQq", k=rng.randrange(8)):
            put(board, kind, rng.choice([*chess.SquareSet(~board.occupied)]))
        if board.is_valid():
            yield board
            count -= 1


def en_passant_boards(seed, count):
    """A pawn has just run past another, which stands on a line with its king, and maybe with a slider."""
    rng = random.Random(seed)
    while count:
        board, file = chess.Board(None), rng.randrange(7)
        runner, watcher = rng.sample([file, file + 1], 2)
        put(board, "P", chess.square(runner, 1))
        put(board, "p", chess.square(watcher, 3))
        lines = [square for square in chess.SQUARES if chess.ray(square, chess.square(watcher, 3))]
        for kind in ["k", "K", *rng.choices("BRQr", k=rng.randrange(2, 7))]:
            put(board, kind, rng.choice([square for square in lines if not board.piece_at(square)]))
        run = chess.Move(chess.square(runner, 1), chess.square(runner, 3))
        if board.is_valid() and run in board.legal_moves:
            board.push(run)
            yield board if rng.random() < 0.5 else board.mirror()
            count -= 1


def put(board, kind, square):
    """Put a piece, named as in a FEN, on the board."""
    board.set_piece_at(square, chess.Piece.from_symbol(kind))


def play_at_random(board, rng, plies):
    """Make some random moves, as far as there are any."""
    for _ in range(plies):
        moves = list(board.legal_moves)
        if moves:
            board.push(rng.choice(moves))


def seen_by_mover(board, squares):
    """A bitboard of python-chess as the side to move sees it."""
    return int(squares) if board.turn == chess.WHITE else chess.flip_vertical(int(squares))


# --- doors into compiled code that has none for Python --------------------------------------------


_move_list = record_layout(MoveList)
_moves = uint32[::1]


@uncached_kernel(types.UniTuple(_moves, 2)(position_type))
def noisy_and_quiet_moves(position):
    """The legal moves in two heaps."""
    lists = np.empty(2, _move_list)
    board, state = position.board, legality(position.board)
    noisy = add_noisy_moves(board, state, lists[0], 0)
    quiet = add_quiet_moves(board, state, lists[1], 0)
    moves = lists["moves"]  # through the array: its records alone do not keep it alive
    return moves[0, :noisy].copy(), moves[1, :quiet].copy()


@uncached_kernel(uint64(position_type))
def counted_moves(position):
    """The number of legal moves by the count that perft relies on."""
    return number_of_moves(position.board)


@uncached_kernel(_moves(position_type))
def accepted_moves(position):
    """All of the 2²⁴ packed moves that pass for legal, in ascending order; the first 256 of them."""
    accepted, count = np.empty(256, np.uint32), 0
    board, state = position.board, legality(position.board)
    for number in range(IDENTITY_MASK + 1):
        if count < len(accepted) and is_legal(board, state, uint32(number)):
            accepted[count] = number
            count += 1
    return accepted[:count]


@uncached_kernel(int64(uint64, position_type))
def push_on(address, position):
    """Push a position on the history at an address."""
    return push(history_at(address), position)


@uncached_kernel(int64(uint64))
def pop_from(address):
    """Pop the last position from the history at an address."""
    return pop(history_at(address))


@uncached_kernel(int64(uint64, position_type))
def repetitions_in(address, position):
    """How often a position occurs in the history at an address."""
    return repetitions(history_at(address), position)
