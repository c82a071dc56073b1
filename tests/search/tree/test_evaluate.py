"""What the search makes of the network's score."""

import chess
import pytest

from bluekrait.core.compiler.jit import int64, position_type
from bluekrait.search.evaluation.network.network_score import LARGEST
from bluekrait.search.tree import evaluate
from helpers.oracles import position_of
from helpers.support import uncached_kernel


@uncached_kernel(int64(position_type, int64))
def by_pieces(position, score):
    """A score of this position in the search."""
    return evaluate.by_pieces(position.board, score)


def board_with(pieces):
    """The first so many pieces of the starting position, and the black king."""
    board, starting = chess.Board(None), chess.Board()
    for square in [*range(pieces - 1), chess.E8]:
        board.set_piece_at(square, starting.piece_at(square))
    return board


@pytest.mark.parametrize("pieces, expected", [(10, 120), (16, 126), (17, 127)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_score_counts_more_with_more_pieces(pieces, expected, sign):
    assert by_pieces(position_of(board_with(pieces)), sign * 128) == sign * expected


def test_with_all_pieces_it_counts_most_but_is_no_certain_win():
    position = position_of(chess.Board())
    assert by_pieces(position, 1280) == 1420
    assert (by_pieces(position, LARGEST), by_pieces(position, -LARGEST)) == (LARGEST, -LARGEST)
