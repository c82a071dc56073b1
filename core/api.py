"""Chess for programs: everything here works from plain Python and inside one's own `@njit` functions.

    position = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for move in legal_moves(position):
        print(move_text(move, position), perft(make_move(position, move), 3))

Positions are values and are never changed. Moves are 32-bit integers; see `core.move` for what is in them.
Squares and bitboards are as the side to move sees them, a1 = 0 to h8 = 63.
"""

import numpy as np
from numba import objmode, types
from numba.extending import overload

from bluekrait.core.board import Board, Position
from bluekrait.core.compiler.jit import boolean, int64, kernel, position_type, record_layout, uint32, uint64
from bluekrait.core.counting.perft import count_pending, walk
from bluekrait.core.notation import fen, san_and_uci
from bluekrait.core.records import MoveList, PerftJob
from bluekrait.core.rules.is_legal import is_legal as is_legal_on
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import make_move
from bluekrait.core.rules.movegen import add_legal_moves
from bluekrait.core.rules.outcome import CHECKMATE, status

_move_list_layout = record_layout(MoveList)
_perft_job_layout = record_layout(PerftJob)


# --- rules ----------------------------------------------------------------------------------------


@kernel(uint32[::1](position_type))
def legal_moves(position):
    """The legal moves, captures and promotions first."""
    lists = np.empty(1, _move_list_layout)
    board = position.board
    moves = np.empty(add_legal_moves(board, legality(board), lists[0], 0), np.uint32)
    for i in range(len(moves)):
        moves[i] = lists[0].moves[i]  # asking the array each time, which its record alone does not keep alive
    return moves


@kernel(boolean(position_type, uint32))
def is_legal(position, move):
    """True if a packed move, wherever it comes from, is legal."""
    return is_legal_on(position.board, legality(position.board), move)


@kernel(uint64(position_type))
def checkers(position):
    """The pieces that give check."""
    return legality(position.board).checkers


@kernel(uint64(position_type))
def attacked_squares(position):
    """Every square that the side not to move attacks, looking through the king."""
    return legality(position.board).attacked


@kernel(int64(position_type, int64))
def perft(position, depth):
    """The number of sequences of legal moves of a length."""
    jobs = np.zeros(1, _perft_job_layout)
    walk(jobs[0], position.board, depth)
    count_pending(jobs[0])
    return int(jobs["nodes"][0])  # not of the record, which does not keep its array alive


# --- text -----------------------------------------------------------------------------------------


def parse_fen(text):
    """The position that a FEN describes. Raises FenError, a ValueError that says what is wrong."""
    return _sized(fen.parse_fen(text))


def format_fen(position, shredder=False):
    """The FEN of a position; with `shredder`, castling rights are told by the rooks' files."""
    return fen.format_fen(_plain(position), shredder)


def board_text(position):
    """A diagram of the board."""
    return fen.board_text(_plain(position))


def move_text(move, position, chess960=False):
    """A move in UCI notation, "e2e4"."""
    return san_and_uci.move_to_uci(int(move), int(position.ply) & 1, chess960)


def parse_move(text, position):
    """The legal move that a text in UCI notation names. Raises MoveError, a ValueError."""
    return np.uint32(san_and_uci.move_from_uci(text, _legal_list(position), int(position.ply) & 1))


def parse_san(text, position):
    """The legal move that a text in standard algebraic notation names. Raises MoveError, a ValueError."""
    return np.uint32(san_and_uci.move_from_san(text, _legal_list(position), int(position.ply) & 1))


def san(move, position):
    """A legal move in standard algebraic notation, "Nbd2+"."""
    after = make_move(position, move)
    suffix = ("#" if status(after) == CHECKMATE else "+") if checkers(after) else ""
    return san_and_uci.move_to_san(int(move), _legal_list(position), int(position.ply) & 1, suffix)


def _legal_list(position):
    return [int(move) for move in legal_moves(position)]


def _sized(position):
    """The position with its words as 64-bit integers: plain Python could not run the rules on others."""
    board = Board(*(np.uint64(word) for word in position.board))
    return Position(board, np.uint64(position.key), position.clock, position.ply)


def _plain(position):
    """The position with its words as Python integers."""
    return Position(
        Board(*map(int, position.board)), int(position.key), int(position.clock), int(position.ply)
    )


# --- the same inside compiled functions, where text goes through the interpreter -----------------------


@overload(parse_fen)
def _parse_fen(text):
    def call(text):
        with objmode(position=position_type):
            position = parse_fen(text)
        return position

    return call


@overload(format_fen)
def _format_fen(position, shredder=False):
    def call(position, shredder=False):
        with objmode(text=types.unicode_type):
            text = format_fen(position, shredder)
        return text

    return call


@overload(board_text)
def _board_text(position):
    def call(position):
        with objmode(text=types.unicode_type):
            text = board_text(position)
        return text

    return call


@overload(move_text)
def _move_text(move, position, chess960=False):
    def call(move, position, chess960=False):
        with objmode(text=types.unicode_type):
            text = move_text(move, position, chess960)
        return text

    return call


@overload(parse_move)
def _parse_move(text, position):
    def call(text, position):
        with objmode(move=types.uint32):
            move = parse_move(text, position)
        return move

    return call


@overload(san)
def _san(move, position):
    def call(move, position):
        with objmode(text=types.unicode_type):
            text = san(move, position)
        return text

    return call


@overload(parse_san)
def _parse_san(text, position):
    def call(text, position):
        with objmode(move=types.uint32):
            move = parse_san(text, position)
        return move

    return call
