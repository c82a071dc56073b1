"""Zobrist keys against the published Polyglot keys."""

import chess
import chess.polyglot
import pytest

from bluekrait.core.notation.fen import STARTING_FEN, parse_fen
from bluekrait.core.tables import zobrist
from helpers.oracles import key_of, position_of, random_boards, turn_of

# From the description of the Polyglot book format; en passant is legal or absent in each.
PUBLISHED = {
    STARTING_FEN: 0x463B96181691FC9C,
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": 0x823C9B50FD114196,
    "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2": 0x0756B94461C50FB0,
    "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2": 0x662FAFB965DB29D4,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3": 0x22A48B5A8E47FF78,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3": 0x652A607CA3F242C1,
    "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4": 0x00FDD303C946BDD9,
    "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3": 0x3C8123EA7B067637,
    "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4": 0x5C3F9B829B279560,
}


def test_the_numbers_are_polyglots():
    assert list(zobrist.KEYS) == chess.polyglot.POLYGLOT_RANDOM_ARRAY


@pytest.mark.parametrize("fen, key", PUBLISHED.items())
def test_published_keys(fen, key):
    assert zobrist.polyglot_key(parse_fen(fen)) == key


@pytest.mark.parametrize("chess960", [False, True])
def test_random_games(chess960):
    for board in random_boards(seed=2, games=25, chess960=chess960):
        position = position_of(board)
        assert zobrist.position_key(position.board, turn_of(board)) == key_of(board)
        if board.has_legal_en_passant() == board.has_pseudo_legal_en_passant():
            assert zobrist.polyglot_key(position) == chess.polyglot.zobrist_hash(board)


def test_en_passant_counts_only_where_it_is_legal():
    pinned = "8/8/8/K2pP2r/8/8/8/7k w - "
    assert parse_fen(pinned + "d6").key == parse_fen(pinned + "-").key


def test_every_feature_counts():
    fens = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQk -",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQq -",
        "r3k2r/8/8/8/8/8/8/R3K2R w Qkq -",
        "r3k2r/8/8/8/8/8/8/R3K2R w Kkq -",
        "r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq -",
    ]
    assert len({parse_fen(fen).key for fen in fens}) == len(fens)


def test_the_way_to_a_position_does_not_count():
    late = STARTING_FEN.replace("0 1", "12 30")
    assert parse_fen(STARTING_FEN).key == parse_fen(late).key
