"""Static exchange evaluation against an oracle that plays every exchange out on a board."""

import random

import chess
import pytest

from bluekrait.core import parse_fen, parse_move, see_at_least
from bluekrait.core.rules.see import VALUES as VALUE_OF_CODE
from helpers.oracles import CODES
from helpers.support import cases

VALUES = {kind: int(VALUE_OF_CODE[code]) for kind, code in CODES.items()}
MOVES_EACH = 12


# --- the oracle -----------------------------------------------------------------------------------


def move_values(board, move):
    """What a move wins: one value for each way to choose between equal pieces in the exchange."""
    if board.is_castling(move):
        return {0}
    after = chess.BaseBoard(board.board_fen())
    piece = after.remove_piece_at(move.from_square)
    victim = move.to_square ^ 8 if board.is_en_passant(move) else move.to_square
    captured = after.piece_type_at(victim)
    after.remove_piece_at(victim)
    standing = move.promotion or piece.piece_type
    after.set_piece_at(move.to_square, chess.Piece(standing, board.turn))
    won = VALUES[captured] + VALUES[standing] - VALUES[piece.piece_type]
    return {won - lost for lost in reply_values(after, move.to_square, not board.turn)}


def reply_values(board, square, side):
    """What a side wins by taking on a square with its least valuable piece, or by not taking at all."""
    attackers = board.attackers(side, square)
    least = min(map(board.piece_type_at, attackers), default=None)
    values = set()
    for origin in attackers:
        if board.piece_type_at(origin) == least:
            after = board.copy()
            after.remove_piece_at(origin)
            after.set_piece_at(square, chess.Piece(least, side))
            if least != chess.KING or not after.attackers(not side, square):
                won = VALUES[board.piece_type_at(square)]
                values |= {max(0, won - lost) for lost in reply_values(after, square, not side)}
    return values or {0}


# --- the tests ------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(4))
def test_exchanges(first):
    rng = random.Random(41 + first)
    gains, losses, ambiguous = 0, 0, 0
    for board, position, moves in cases()[first::4]:
        for move in rng.sample(list(moves), min(MOVES_EACH, len(moves))):
            values = move_values(board, moves[move])
            least, most = min(values), max(values)
            below, above = least - rng.randrange(1000), most + 1 + rng.randrange(1000)
            answers = [see_at_least(position.board, move, goal) for goal in (below, least, most + 1, above)]
            assert answers == [True, True, False, False], (board.fen(), moves[move], values)
            gains, losses, ambiguous = gains + (least > 0), losses + (most < 0), ambiguous + (least < most)
    assert gains > 500
    assert losses > 500
    assert ambiguous < 20


@pytest.mark.parametrize(
    "fen, move, value",
    [
        # The two positions that everybody's exchange evaluation begins with.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", "d3e5", 100 - 320),
        # Quiet moves to safety, into a pawn's reach, and into a defended one's.
        ("4k3/8/8/8/8/8/8/R3K3 w - -", "a1a8", 0),
        ("4k3/1p6/8/8/8/8/8/R3K3 w - -", "a1a6", -500),
        ("4k3/1p6/8/8/2B5/8/8/R3K3 w - -", "a1a6", 100 - 500),
        # Taking with the king is possible only if nobody guards the square.
        ("8/8/8/3p4/4K3/8/8/7k w - -", "e4d5", 100),
        ("8/8/2k5/3p4/8/3R4/8/3K4 w - -", "d3d5", 100 - 500),
        ("8/8/2k5/3p4/4K3/3R4/8/8 w - -", "d3d5", 100),
        ("8/8/2k5/1q1p4/8/1B1R4/8/3K4 w - -", "b3d5", 100),
        # A queen behind a rook, a bishop behind a pawn, and the same for the other side.
        ("3r2k1/8/8/3p4/8/8/3R4/3Q2K1 w - -", "d2d5", 100),
        ("3q2k1/3r4/8/3p4/8/8/3R4/3Q2K1 w - -", "d2d5", 100 - 500),
        ("6k1/8/2n5/4p3/3P4/2B5/8/6K1 w - -", "d4e5", 100),
        ("6k1/8/2n5/4p3/3P4/2B5/8/6K1 b - -", "c6d4", 100),
        # En passant: the pawn that vanishes no longer stands between rook and square.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", 100),
        ("3rk3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", 0),
        ("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6", "e5d6", 100),
        # Promotions, quiet, guarded and capturing.
        ("7k/P7/8/8/8/8/8/4K3 w - -", "a7a8q", 850),
        ("1r5k/P7/8/8/8/8/8/4K3 w - -", "a7a8q", -100),
        ("1r5k/P7/8/8/8/8/8/4K3 w - -", "a7b8n", 500 + 220),
        ("rr5k/1P6/8/8/8/8/8/4K3 w - -", "b7a8q", 500 - 100),
        # Castling wins nothing.
        ("4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", 0),
        ("4k3/8/8/8/8/8/8/4K2R w K -", "e1h1", 0),
    ],
)
def test_exchanges_worked_out_by_hand(fen, move, value):
    position = parse_fen(fen)
    packed = parse_move(move, position)
    goals = (value - 1, value, value + 1)
    assert [see_at_least(position.board, packed, goal) for goal in goals] == [True, True, False]
