"""The rules for other programs: all of this works in plain Python and inside their own `@njit` functions.

    position = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for move in legal_moves(position):
        print(move_text(move, position), perft(make_move(position, move), 3))

Positions are values and are never changed. Moves are 32-bit integers; `core.move` says what is in them.
Squares and bitboards are as the side to move sees them, a1 = 0 to h8 = 63.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import objmode, types
from numba.extending import overload
from numpy.typing import NDArray

from bluekrait.core.board import Board, Position
from bluekrait.core.compiler.jit import boolean, int64, kernel, position_type, record_layout, uint32, uint64
from bluekrait.core.counting.perft import count_pending, walk
from bluekrait.core.notation import fen, san_and_uci
from bluekrait.core.records import MAX_DEPTH, MoveList, PerftJob
from bluekrait.core.rules.is_legal import is_legal as is_legal_on
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import make_move
from bluekrait.core.rules.movegen import add_legal_moves
from bluekrait.core.rules.outcome import CHECKMATE, status

WRONG_DEPTH = f"perft depth must be from 0 to {MAX_DEPTH - 1}"

_move_list_layout = record_layout(MoveList)
_perft_job_layout = record_layout(PerftJob)

Implementation = Callable[..., Any]  # of a function inside compiled code


# --- rules ----------------------------------------------------------------------------------------


@kernel(uint32[::1](position_type))
def legal_moves(position: Position) -> NDArray[np.uint32]:
    """The legal moves, captures and promotions first."""
    lists = np.empty(1, _move_list_layout)
    board = position.board
    moves = np.empty(add_legal_moves(board, legality(board), lists[0], 0), np.uint32)
    for i in range(len(moves)):
        moves[i] = lists[0].moves[i]  # through the array: its record alone does not keep it alive
    return moves


@kernel(boolean(position_type, uint32))
def is_legal(position: Position, move: int) -> bool:
    """True if a packed move, which may come from anywhere, is legal."""
    return is_legal_on(position.board, legality(position.board), move)  # type: ignore[no-any-return]


@kernel(uint64(position_type))
def checkers(position: Position) -> int:
    """The pieces that give check."""
    return legality(position.board).checkers  # type: ignore[no-any-return]


@kernel(uint64(position_type))
def attacked_squares(position: Position) -> int:
    """Every square that the side not to move attacks, looking through the king."""
    return legality(position.board).attacked  # type: ignore[no-any-return]


@kernel(int64(position_type, int64))
def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` legal moves. ValueError for a depth out of bounds."""
    if not 0 <= depth < MAX_DEPTH:
        raise ValueError(WRONG_DEPTH)
    jobs = np.zeros(1, _perft_job_layout)
    walk(jobs[0], position.board, depth)
    count_pending(jobs[0])
    return int(jobs["nodes"][0])  # through the array: its record alone does not keep it alive


# --- text -----------------------------------------------------------------------------------------


def parse_fen(text: str) -> Position:
    """The position that a FEN describes. Raises FenError, a ValueError that says what is wrong."""
    return _sized(fen.parse_fen(text))


def format_fen(position: Position, shredder: bool = False) -> str:
    """The FEN of a position; with `shredder`, castling rights are the files of the rooks."""
    return fen.format_fen(_plain(position), shredder)


def board_text(position: Position) -> str:
    """A diagram of the board."""
    return fen.board_text(_plain(position))


def move_text(move: int, position: Position, chess960: bool = False) -> str:
    """A move in UCI notation, "e2e4"."""
    return san_and_uci.move_to_uci(int(move), int(position.ply) & 1, chess960)


def parse_move(text: str, position: Position) -> np.uint32:
    """The legal move that a text in UCI notation names. Raises MoveError, a ValueError."""
    return np.uint32(san_and_uci.move_from_uci(text, _legal_list(position), int(position.ply) & 1))


def parse_san(text: str, position: Position) -> np.uint32:
    """The legal move that a text in standard algebraic notation names. Raises MoveError, a ValueError."""
    return np.uint32(san_and_uci.move_from_san(text, _legal_list(position), int(position.ply) & 1))


def san(move: int, position: Position) -> str:
    """A legal move in standard algebraic notation, "Nbd2+"."""
    after = make_move(position, move)
    suffix = ("#" if status(after) == CHECKMATE else "+") if checkers(after) else ""
    return san_and_uci.move_to_san(int(move), _legal_list(position), int(position.ply) & 1, suffix)


def _legal_list(position: Position) -> list[int]:
    return [int(move) for move in legal_moves(position)]


def _sized(position: Position) -> Position:
    """The position with its words as 64-bit integers, which the rules need where they are not compiled."""
    sized: Callable[[int], Any] = np.uint64
    board = Board(*map(sized, position.board))
    return Position(board, sized(position.key), position.clock, position.ply)


def _plain(position: Position) -> Position:
    """The position with its words as Python integers."""
    return Position(
        Board(*map(int, position.board)), int(position.key), int(position.clock), int(position.ply)
    )


# --- the same inside compiled functions, where text goes through the interpreter -----------------------
#     (Any, since Numba wants the annotations of both functions to be equal)


@overload(parse_fen)
def _parse_fen(text: Any) -> Implementation:
    def call(text: Any) -> Any:
        with objmode(position=position_type):
            position = parse_fen(text)
        return position

    return call


@overload(format_fen)
def _format_fen(position: Any, shredder: Any = False) -> Implementation:
    def call(position: Any, shredder: Any = False) -> Any:
        with objmode(text=types.unicode_type):
            text = format_fen(position, shredder)
        return text

    return call


@overload(board_text)
def _board_text(position: Any) -> Implementation:
    def call(position: Any) -> Any:
        with objmode(text=types.unicode_type):
            text = board_text(position)
        return text

    return call


@overload(move_text)
def _move_text(move: Any, position: Any, chess960: Any = False) -> Implementation:
    def call(move: Any, position: Any, chess960: Any = False) -> Any:
        with objmode(text=types.unicode_type):
            text = move_text(move, position, chess960)
        return text

    return call


@overload(parse_move)
def _parse_move(text: Any, position: Any) -> Implementation:
    def call(text: Any, position: Any) -> Any:
        with objmode(move=types.uint32):
            move = parse_move(text, position)
        return move

    return call


@overload(san)
def _san(move: Any, position: Any) -> Implementation:
    def call(move: Any, position: Any) -> Any:
        with objmode(text=types.unicode_type):
            text = san(move, position)
        return text

    return call


@overload(parse_san)
def _parse_san(text: Any, position: Any) -> Implementation:
    def call(text: Any, position: Any) -> Any:
        with objmode(move=types.uint32):
            move = parse_san(text, position)
        return move

    return call
