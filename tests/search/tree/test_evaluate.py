"""What the search makes of the network's score, and how that is undone for those who learn from it."""

from ctypes import addressof

import chess
import pytest

from bluekrait.core.compiler.jit import int64, position_type, uint64
from bluekrait.search.evaluation.network.network_records import CLASSICAL, NETWORK
from bluekrait.search.evaluation.network.network_score import LARGEST
from bluekrait.search.scores import DECIDED_BOUND, MATE
from bluekrait.search.thread_record import SearchThread
from bluekrait.search.tree import evaluate
from bluekrait.search.tree.state import thread_at
from helpers.kernels import uncached_kernel
from helpers.oracles import position_of


@uncached_kernel(int64(position_type, int64))
def scaled_by_material(position, score):
    """A score of this position in the search."""
    return evaluate.scaled_by_material(position.board, score)


@uncached_kernel(int64(uint64, position_type, int64))
def unscaled_by_material(address, position, score):
    """A score of the search as the evaluation of this thread would tell it."""
    return evaluate.unscaled_by_material(thread_at(address), position.board, score)


def thread_with(kind):
    """A thread with this kind of evaluation."""
    thread = SearchThread()
    thread.evaluation_kind = kind
    return thread


def board_with(pieces):
    """The first so many pieces of the starting position, and the black king."""
    board, starting = chess.Board(None), chess.Board()
    for square in [*range(pieces - 1), chess.E8]:
        board.set_piece_at(square, starting.piece_at(square))
    return board


@pytest.mark.parametrize("pieces, expected", [(10, 120), (16, 126), (17, 127)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_score_counts_more_with_more_pieces(pieces, expected, sign):
    assert scaled_by_material(position_of(board_with(pieces)), sign * 128) == sign * expected


def test_with_all_pieces_it_counts_most_but_is_no_certain_win():
    position = position_of(chess.Board())
    assert scaled_by_material(position, 1280) == 1420
    assert (scaled_by_material(position, LARGEST), scaled_by_material(position, -LARGEST)) == (
        LARGEST,
        -LARGEST,
    )


@pytest.mark.parametrize("pieces", [10, 17, 18])
def test_the_weight_is_undone_to_a_centipawn(pieces):
    board = board_with(pieces)
    board.set_piece_at(chess.A7, chess.Piece.from_symbol("p"))
    position, thread = position_of(board), thread_with(NETWORK)
    for score in range(-900, 900, 7):
        undone = unscaled_by_material(addressof(thread), position, scaled_by_material(position, score))
        assert abs(undone - score) <= 1


def test_what_no_network_said_stays_as_it_is():
    full, lone_king = position_of(chess.Board()), position_of(board_with(10))
    network, classical = thread_with(NETWORK), thread_with(CLASSICAL)
    assert unscaled_by_material(addressof(classical), full, 284) == 284
    assert unscaled_by_material(addressof(network), lone_king, 284) == 284
    for score in (DECIDED_BOUND, -DECIDED_BOUND, MATE - 3):
        assert unscaled_by_material(addressof(network), full, score) == score
    assert unscaled_by_material(addressof(network), full, 284) == 256
