"""What tests ask the evaluation, and the compiled functions that call it."""

from ctypes import addressof
from functools import cache

import chess

from bluekrait.core.compiler.jit import board_type, int64, uint64
from bluekrait.core.native import Entry
from bluekrait.core.records import write_board
from bluekrait.search.evaluation.classical.evaluation_entries import ENTRIES
from bluekrait.search.evaluation.classical.evaluation_records import EvaluationRequest
from bluekrait.search.evaluation.classical.pawn_cache import PawnCache
from bluekrait.search.evaluation.classical.sum_terms import evaluate
from bluekrait.search.evaluation.classical.terms.pawns import pawn_cache_at
from helpers.kernels import uncached_kernel
from helpers.oracles import position_of


@cache
def trace_entry():
    """The entry of the evaluation."""
    result = ENTRIES["trace"].compiled
    return Entry(result.library.get_pointer_to_function(result.fndesc.llvm_func_name), result)


@uncached_kernel(int64(uint64, board_type))
def evaluation_with(address, board):
    """The score of a board, with the pawn cache at an address."""
    return evaluate(pawn_cache_at(address), board)


def evaluation(board, pawn_cache=None):
    """The score of a board, with a pawn cache of its own unless one is given."""
    pawn_cache = pawn_cache or PawnCache()
    return evaluation_with(addressof(pawn_cache), board)


def trace_of(board):
    """How the score comes about."""
    request = EvaluationRequest()
    write_board(request.board, board)
    trace_entry()(request)
    return request.trace


def score_of(fen):
    """The score of a FEN for the side to move."""
    return evaluation(position_of(chess.Board(fen)).board)
