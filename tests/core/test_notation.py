"""UCI and standard algebraic notation against python-chess."""

import chess
import pytest

from bluekrait.core.board import BLACK, WHITE
from bluekrait.core.move import NO_MOVE
from bluekrait.core.notation.san_and_uci import (
    MoveError,
    describe_kind,
    move_from_san,
    move_from_text,
    move_from_uci,
    move_to_san,
    move_to_uci,
    parse_square,
    square_name,
)
from helpers.oracles import king_takes_rook, packed_move, packed_moves, random_boards, turn_of

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTING = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"


def moves_of(fen):
    board = chess.Board(fen, chess960=True)
    return packed_moves(board), turn_of(board)


def uci_to_san(text, fen):
    moves, turn = moves_of(fen)
    return move_to_san(move_from_uci(text, moves, turn), moves, turn)


def san_to_uci(text, fen, chess960=False):
    moves, turn = moves_of(fen)
    return move_to_uci(move_from_san(text, moves, turn), turn, chess960)


# --- squares -----------------------------------------------------------------------------------


@pytest.mark.parametrize("turn, mirrored", [(WHITE, 0), (BLACK, 56)])
def test_squares(turn, mirrored):
    for square, name in enumerate(chess.SQUARE_NAMES):
        assert square_name(square ^ mirrored, turn) == name
        assert parse_square(name, turn) == square ^ mirrored


@pytest.mark.parametrize("name", ["", "e", "e9", "i4", "E4", "e44", "e²", "44"])
def test_bad_squares(name):
    with pytest.raises(ValueError, match="is not a square"):
        parse_square(name)


# --- random games ------------------------------------------------------------------------------


@pytest.mark.parametrize("chess960", [False, True])
def test_uci_both_ways(chess960):
    for board in random_boards(seed=3, games=15, chess960=chess960):
        moves, turn = packed_moves(board), turn_of(board)
        for move in king_takes_rook(board).legal_moves:
            packed = packed_move(board, move)
            assert move_to_uci(packed, turn, chess960=True) == move.uci()
            assert move_to_uci(packed, turn, chess960) == board.uci(move, chess960=chess960)
            assert move_from_uci(move.uci(), moves, turn) == packed
            assert move_from_uci(board.uci(move, chess960=chess960), moves, turn) == packed


@pytest.mark.parametrize("chess960", [False, True])
def test_san_both_ways(chess960):
    for board in random_boards(seed=4, games=8, chess960=chess960):
        moves, turn = packed_moves(board), turn_of(board)
        for move in king_takes_rook(board).legal_moves:
            packed, san = packed_move(board, move), board.san(move)
            suffix = san[-1] if san[-1] in "+#" else ""
            assert move_to_san(packed, moves, turn, suffix) == san
            assert move_from_san(san, moves, turn) == packed
            assert move_from_text(san, moves, turn) == move_from_text(move.uci(), moves, turn) == packed


# --- coordinates -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, san", [("e1g1", "O-O"), ("e1h1", "O-O"), ("e1c1", "O-O-O"), ("e1a1", "O-O-O")]
)
def test_both_spellings_of_castling(text, san):
    assert uci_to_san(text, CASTLING) == san
    black = chess.Board(CASTLING).mirror().fen()
    assert uci_to_san(text.replace("1", "8"), black) == san


@pytest.mark.parametrize(
    "text, fen, san",
    [
        ("f1g1", "4k3/8/8/8/8/8/8/5K1R w H - 0 1", "Kg1"),
        ("f1h1", "4k3/8/8/8/8/8/8/5K1R w H - 0 1", "O-O"),
        ("f1g1", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O"),
        ("c1b1", "4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "O-O-O"),
        ("e1g1", "4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "O-O"),
    ],
)
def test_king_takes_rook_is_unambiguous(text, fen, san):
    assert uci_to_san(text, fen) == san


def test_castling_spelled_by_squares_needs_the_king_on_e1():
    with pytest.raises(MoveError):
        uci_to_san("d1g1", "4k3/8/8/8/8/8/8/3K3R w H - 0 1")


def test_promotion_letter_may_be_upper_case():
    assert uci_to_san("a7b8N", PROMOTING) == "axb8=N"


def test_no_move():
    assert move_to_uci(NO_MOVE, WHITE) == "0000"


@pytest.mark.parametrize(
    "text", ["", "e2", "e2e9", "0000", "e7e8k", "e2e4x", "a7a8qq", "é2e4", "e2e4" * 10**6]
)
def test_not_a_move(text):
    with pytest.raises(MoveError, match="is not a move like") as error:
        uci_to_san(text, chess.STARTING_FEN)
    assert len(str(error.value)) < 100


@pytest.mark.parametrize(
    "text, fen",
    [
        ("e2e5", chess.STARTING_FEN),
        ("e7e5", chess.STARTING_FEN),
        ("a7a8", PROMOTING),
        ("e1e2q", PROMOTING),
        ("e1g1", chess.STARTING_FEN),
    ],
)
def test_not_a_legal_move(text, fen):
    with pytest.raises(MoveError, match=f"'{text}' is not a legal move here"):
        uci_to_san(text, fen)


# --- standard algebraic notation ---------------------------------------------------------------


@pytest.mark.parametrize(
    "text, uci",
    [("O-O", "e1g1"), ("0-0", "e1g1"), ("o-o-o", "e1c1"), ("0-0-0+", "e1c1"), ("O-O!?", "e1g1")],
)
def test_ways_to_write_castling(text, uci):
    assert san_to_uci(text, CASTLING) == uci
    assert san_to_uci(text, CASTLING, chess960=True) == {"e1g1": "e1h1", "e1c1": "e1a1"}[uci]


@pytest.mark.parametrize("text", ["axb8=Q+", "axb8Q", "axb8=Q#", "ab8Q!?", "a7xb8=Q", "a7b8=Q"])
def test_ways_to_write_a_promotion(text):
    assert san_to_uci(text, PROMOTING) == "a7b8q"


@pytest.mark.parametrize(
    "uci, san, fen",
    [
        ("a1d1", "Rad1", "4k3/8/8/8/8/4K3/8/R6R w - - 0 1"),
        ("a1a3", "R1a3", "4k3/8/8/R7/8/4K3/8/R7 w - - 0 1"),
        ("h4e1", "Qh4e1", "k7/8/8/8/4Q2Q/8/K7/7Q w - - 0 1"),
        ("g1e2", "Ne2", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"),
        ("h5h3", "Q5h3", "8/8/8/7q/k7/8/1K6/7q b - - 0 1"),
        ("e5d6", "exd6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
    ],
)
def test_distinction(uci, san, fen):
    assert uci_to_san(uci, fen) == san
    assert san_to_uci(san, fen) == uci


@pytest.mark.parametrize("text", ["N1c3", "Nb1c3", "Nb1-c3", "Nbc3"])
def test_distinction_beyond_need(text):
    assert san_to_uci(text, chess.STARTING_FEN) == "b1c3"


def test_ambiguous():
    with pytest.raises(MoveError, match="'Rd1' is ambiguous here"):
        san_to_uci("Rd1", "4k3/8/8/8/8/4K3/8/R6R w - - 0 1")


@pytest.mark.parametrize(
    "text", ["", "+", "e5", "Ke2", "O-O", "a8", "b8=N", "Kh1", "e8=", "é4", "Nc3" * 10**6]
)
def test_no_such_san(text):
    with pytest.raises(MoveError, match="is not a legal move here"):
        san_to_uci(text, chess.STARTING_FEN)


@pytest.mark.parametrize("text", ["a8", "b8=Q", "Kh1"])
def test_incomplete_san(text):
    with pytest.raises(MoveError, match="is not a legal move here"):
        san_to_uci(text, PROMOTING)


# --- kinds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "uci, fen, kind",
    [
        ("e2e3", chess.STARTING_FEN, "pawn push"),
        ("e2e4", chess.STARTING_FEN, "double pawn push"),
        ("g1f3", chess.STARTING_FEN, "knight move"),
        ("a7a8q", PROMOTING, "pawn promotion"),
        ("a7b8q", PROMOTING, "pawn capture promotion"),
        ("e5d6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "en passant"),
        ("e4d5", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "pawn capture"),
        ("e1g1", CASTLING, "castling"),
        ("a1a8", CASTLING, "rook capture"),
        ("e1e2", CASTLING, "king move"),
    ],
)
def test_kinds(uci, fen, kind):
    moves, turn = moves_of(fen)
    assert describe_kind(move_from_uci(uci, moves, turn)) == kind
