"""Moves as people type them."""

import chess
import pytest

from bluekrait import Position
from bluekrait.tools.board.game.typed_move import typed_move

PROMOTING = "3n3k/4P3/8/8/8/8/8/K7 w - - 0 1"
PAWN_OR_BISHOP = "4k3/8/8/8/8/2n5/1P6/B3K3 w - - 0 1"  # the bishop is behind the pawn
BOTH = "4k3/8/8/8/3B4/2n5/1P6/4K3 w - - 0 1"
BISHOP = "4k3/8/8/8/3B4/2n5/8/4K3 w - - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
BISHOP_IN_THE_CORNER = "4k3/8/8/8/8/1P6/8/B3K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "san"),
    [
        (chess.STARTING_FEN, "nf3", "Nf3"),
        (chess.STARTING_FEN, "NF3", "Nf3"),
        (chess.STARTING_FEN, " n f3! ", "Nf3"),
        (chess.STARTING_FEN, "E4", "e4"),
        (chess.STARTING_FEN, "e2-e4", "e4"),
        (chess.STARTING_FEN, "E2–E4", "e4"),
        (chess.STARTING_FEN, "ng1-f3", "Nf3"),
        (PROMOTING, "e8q", "e8=Q+"),
        (PROMOTING, "E8=n", "e8=N"),
        (PROMOTING, "e7xd8(r)", "exd8=R+"),
        (PROMOTING, "E7E8B", "e8=B"),
        (PROMOTING, "E:D8=Q", "exd8=Q+"),
        (BOTH, "bxc3", "bxc3"),
        (BOTH, "Bxc3", "Bxc3"),
        (BOTH, "BXC3", "Bxc3"),
        (PAWN_OR_BISHOP, "BXC3", "bxc3"),
        (BISHOP, "bxc3", "Bxc3"),
        (BISHOP, "bb6", "Bb6"),
        (CASTLING, "0-0", "O-O"),
        (CASTLING, "o-o-o", "O-O-O"),
        (CASTLING, "E1H1", "O-O"),
        (EN_PASSANT, "exd6 e.p.", "exd6"),
        (TWO_KNIGHTS, "nbd2", "Nbd2"),
    ],
)
def test_what_is_understood(fen, text, san):
    assert typed_move(Position(fen), text).san == san


@pytest.mark.parametrize(
    ("fen", "text", "problem"),
    [
        (TWO_KNIGHTS, "nd2", "'Nd2' is ambiguous here"),
        (chess.STARTING_FEN, "ke2", "'ke2' is not a legal move here"),
        (chess.STARTING_FEN, "e5", "'e5' is not a legal move here"),
        (chess.STARTING_FEN, "", "'' is not a legal move here"),
        (
            BISHOP_IN_THE_CORNER,
            "b1d4",
            "'b1d4' is not a legal move here",
        ),  # squares, and not a bishop of this rank
        (BISHOP_IN_THE_CORNER, "b1-d4", "'b1-d4' is not a legal move here"),
        (PROMOTING, "e8", "'e8' is not a legal move here"),
    ],
)
def test_what_is_not_understood_is_told_as_it_was_typed(fen, text, problem):
    with pytest.raises(ValueError, match=problem):
        typed_move(Position(fen), text)


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, PROMOTING, BOTH, CASTLING, EN_PASSANT, TWO_KNIGHTS])
def test_notations_that_are_right_mean_what_they_say(fen):
    board, position = chess.Board(fen), Position(fen)
    for move in board.legal_moves:
        for text in (move.uci(), board.san(move), board.lan(move)):
            assert typed_move(position, text) == move.uci(), text
