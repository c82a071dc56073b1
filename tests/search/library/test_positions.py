"""Positions of the library, with python-chess as the oracle."""

import pickle
import random
import re
import subprocess
import sys

import chess
import chess.variant
import pytest

from bluekrait import Move, Position
from bluekrait.core.records import HISTORY_CAPACITY
from helpers.oracles import random_boards

NO_PYTHON_CHESS = """
import sys
sys.modules["chess"] = None
from bluekrait import Position
assert Position()._repr_svg_() is None
try:
    Position().board()
except ImportError as error:
    print(error)
"""


def boards():
    yield from random_boards(seed=5, games=3)
    yield from random_boards(seed=6, games=3, chess960=True)


def test_positions_of_random_games():
    for board in list(boards())[::3]:
        position = Position(board.shredder_fen(en_passant="fen"), chess960=board.chess960)
        assert set(position.legal_moves) == {board.uci(move) for move in board.legal_moves}
        assert position.turn == chess.COLOR_NAMES[board.turn]
        assert position.is_check == board.is_check()
        outcome, expected = position.outcome, board.outcome()
        assert (outcome and outcome.result) == (expected and expected.result())


def test_moves_are_texts_that_know_their_san():
    for board in list(boards())[::17]:
        position = Position(board.shredder_fen(en_passant="fen"), chess960=board.chess960)
        for move in position.legal_moves:
            assert move.san == board.san(board.parse_uci(move))
            assert position.move(move) == position.move(move.san) == move


def test_a_game_is_played_and_handed_to_python_chess_and_back():
    rng = random.Random(3)
    for chess960 in (False, True):
        board = chess.Board.from_chess960_pos(17) if chess960 else chess.Board()
        position = Position(board)
        for _ in range(60):
            if board.is_game_over():
                break
            move = rng.choice(list(board.legal_moves))
            position = position.play(board.uci(move) if rng.random() < 0.5 else board.san(move))
            board.push(move)
        assert position.board().root() == (chess.Board.from_chess960_pos(17) if chess960 else chess.Board())
        assert position.board() == board
        assert [position.board().uci(move) for move in position.board().move_stack] == [
            board.uci(move) for move in board.move_stack
        ]
        assert Position(board) == position


def test_a_game_that_begins_with_black_is_handed_to_python_chess():
    position = Position("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1").play("e5", "e4")
    assert [move.uci() for move in position.board().move_stack] == ["e7e5", "e2e4"]


def test_repetitions_are_counted_in_games_and_in_boards():
    board, position = chess.Board(), Position()
    for move in 2 * ("g1f3", "g8f6", "f3g1", "f6g8"):
        board.push_uci(move)
        position = position.play(move)
    assert position.repetitions == 2
    assert position.outcome.reason == "repetition"
    assert Position(board).outcome == position.outcome
    assert Position(position.fen).outcome is None


def test_of_very_long_games_the_last_thousand_half_moves_count():
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
    position = Position(moves=(HISTORY_CAPACITY // 4) * shuffle)
    assert position.repetitions == HISTORY_CAPACITY // 4
    position = position.play(*shuffle)
    assert position.repetitions == (HISTORY_CAPACITY // 2 + 4) // 4 >= 256
    assert position.outcome.reason == "fifty moves"


@pytest.mark.parametrize(
    "fen, reason",
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("7k/8/8/8/8/8/8/KB6 w - - 0 1", "insufficient material"),
        ("7k/8/8/8/8/8/1R6/K7 w - - 100 80", "fifty moves"),
    ],
)
def test_draws(fen, reason):
    assert Position(fen).outcome == ("1/2-1/2", reason)


@pytest.mark.parametrize(
    "fen, result",
    [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "1-0"), ("8/8/8/8/8/6k1/6q1/7K w - - 0 1", "0-1")],
)
def test_who_mates_wins(fen, result):
    assert Position(fen).outcome == (result, "checkmate")


def test_castling_rights_tell_chess960():
    king_on_f = Position("5k1r/8/8/8/8/8/8/5K1R w K - 0 1")
    assert king_on_f.chess960 and len(set(king_on_f.legal_moves)) == len(king_on_f.legal_moves) == 14
    assert king_on_f.move("O-O") == "f1h1" and king_on_f.move("O-O").san == "O-O+"
    assert Position("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1").move("O-O").san == "O-O"
    inner_rooks = Position("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1").play("O-O")
    assert Position(inner_rooks.board()) == inner_rooks
    assert not Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").chess960
    assert not Position("5k1r/8/8/8/8/8/8/5K1R w - - 0 1").chess960


def test_a_null_move_ends_what_can_be_repeated():
    board = chess.Board()
    board.push_uci("g1f3")
    board.push(chess.Move.null())
    board.push_uci("f3g1")
    assert Position(board).fen == board.fen()
    for move in ("e7e5", "g1f3", "g8f6", "f3g1", "f6g8"):  # after a pawn's move it does not matter
        board.push_uci(move)
    assert Position(board).repetitions == 1


@pytest.mark.parametrize("text", ["e2e5", "Nd4", "", "e9e4", "O-O", "0000"])
def test_wrong_moves_are_refused_and_change_nothing(text):
    position = Position()
    with pytest.raises(ValueError, match="move"):
        position.play("e4", "e5", text)
    assert position == Position()


@pytest.mark.parametrize("wrong", [chess.Move.from_uci("e2e4"), ["e4", "e5"], None])
def test_moves_are_texts(wrong):
    for use in Position().play, Position().move:
        with pytest.raises(TypeError, match="a move is a text such as 'e2e4' or 'Nf3', not"):
            use(wrong)


@pytest.mark.parametrize("source", ["", "8/8/8/8/8/8/8/8 w - - 0 1", chess.Board(None)])
def test_impossible_positions_are_refused(source):
    with pytest.raises(ValueError):
        Position(source)


def test_other_sources_are_refused():
    with pytest.raises(TypeError, match="not int"):
        Position(64)


@pytest.mark.parametrize("variant", [chess.variant.AtomicBoard, chess.variant.KingOfTheHillBoard])
def test_other_variants_are_refused(variant):
    with pytest.raises(ValueError, match="only chess and Chess960 are known, not (atomic|kingofthehill)"):
        Position(variant())


def test_positions_are_values():
    one, other = Position().play("e4"), Position().play("e2e4")
    assert one == other and hash(one) == hash(other) and one != Position() and one != "e4"
    copy = pickle.loads(pickle.dumps(one.play("c5")))
    assert copy.fen == one.play("c5").fen and copy.board().move_stack == one.play("c5").board().move_stack
    move = pickle.loads(pickle.dumps(one.move("c5")))
    assert isinstance(move, Move) and move.san == "c5"
    castling = Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True).move("O-O")
    assert pickle.loads(pickle.dumps(castling)) == castling == "e1h1"


def test_pictures():
    position = Position().play("e4")
    assert position._repr_svg_().startswith("<svg")
    lowest_left = 'x="15" y="330"[^>]* class="square [^"]*(..)"'
    assert re.findall(lowest_left, position.svg()) == ["a1"]
    assert re.findall(lowest_left, position.svg(flipped=True)) == ["h8"]
    assert repr(position) == f"Position({position.fen!r})"


def test_pictures_show_the_last_move_and_a_check():
    mate = Position().play("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7").svg(size=200)
    assert 'width="200" height="200"' in mate
    assert re.search('x="195" y="15"[^>]* class="check"', mate)  # e8
    assert re.findall("lastmove (..)", mate) == ["h5", "f7"]
    assert not re.search('lastmove|class="check"', Position().svg())


def test_without_python_chess_there_is_no_picture():
    answer = subprocess.run([sys.executable, "-c", NO_PYTHON_CHESS], capture_output=True, text=True)
    assert (answer.stdout.strip(), answer.stderr) == ("this needs python-chess: pip install chess", "")
