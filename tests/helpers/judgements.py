"""What tests ask the evaluation, and the compiled functions that call it."""

from functools import cache

import chess

from bluekrait.core.board import Board
from bluekrait.core.native import Entry
from bluekrait.search.evaluation.classical.evaluation_entries import ENTRIES
from bluekrait.search.evaluation.classical.evaluation_records import EvaluationRequest
from helpers.oracles import position_of


@cache
def door(name):
    """One of the entries of the evaluation."""
    result = ENTRIES[name].compiled
    return Entry(result.library.get_pointer_to_function(result.fndesc.llvm_func_name), result)


def lay_board(desk, board):
    """Put a board on a desk."""
    for field, word in zip(Board._fields, board):
        setattr(desk.board, field, word)
    return desk


def evaluation(board, desk=None):
    """The score of a board, with a pawn cache of its own unless a desk is given."""
    return door("evaluate")(lay_board(desk or EvaluationRequest(), board))


def trace_of(board):
    """How the score comes about."""
    desk = lay_board(EvaluationRequest(), board)
    door("trace")(desk)
    return desk.trace


def score_of(fen):
    """The score of a FEN for the side to move."""
    return evaluation(position_of(chess.Board(fen)).board)
