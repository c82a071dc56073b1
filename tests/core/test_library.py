"""BlueKrait as a library: all that is exported, from Python and from one's own compiled functions."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import chess
import numpy as np
import pytest
from numba import njit

from bluekrait import core
from bluekrait.core import (
    CHECKMATE,
    FIFTY_MOVES,
    INSUFFICIENT_MATERIAL,
    ONGOING,
    STALEMATE,
    STARTING_FEN,
    Board,
    FenError,
    MoveError,
    Position,
    attacked_squares,
    bishop_attacks,
    board_text,
    checkers,
    format_fen,
    is_legal,
    king_attacks,
    knight_attacks,
    legal_moves,
    make_move,
    move_text,
    parse_fen,
    parse_move,
    parse_san,
    perft,
    queen_attacks,
    rook_attacks,
    san,
    see_at_least,
    status,
)
from bluekrait.core.records import MAX_DEPTH
from helpers.kernels import only_compiled, too_slow_interpreted
from helpers.paths import ROOT

PIN = "4k3/4r3/8/8/8/4B3/3PP3/R3K2R w KQ - 3 7"


# --- the shelf -----------------------------------------------------------------------------------------


def test_this_file_uses_everything_that_is_exported():
    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    (imported,) = (node for node in tree.body if getattr(node, "module", "") == "bluekrait.core")
    assert {alias.name for alias in imported.names} == set(core.__all__)


def test_unknown_names():
    with pytest.raises(AttributeError, match="checkmates"):
        core.checkmates  # noqa: B018
    with pytest.raises(ImportError):
        from bluekrait.core import checkmates  # noqa: F401


# --- from Python ---------------------------------------------------------------------------------------


def test_text_and_back():
    for fen in (STARTING_FEN, PIN):
        position = parse_fen(fen)
        assert format_fen(position) == fen == format_fen(parse_fen(format_fen(position, shredder=True)))
        for move in legal_moves(position):
            assert parse_move(move_text(move, position), position) == move
            assert move_text(move, position) in map(str, chess.Board(fen).legal_moves)
            assert parse_san(san(move, position), position) == move
            assert san(move, position) == chess.Board(fen).san(chess.Move.from_uci(move_text(move, position)))
    assert format_fen(parse_fen(PIN), shredder=True).split()[2] == "HA"
    assert board_text(parse_fen(PIN)).splitlines()[1].split() == ["7", *"....r..."]


def test_castling_is_spelled_in_two_ways():
    position = parse_fen(PIN)
    castling = parse_move("e1g1", position)
    assert parse_move("e1h1", position) == castling
    assert (move_text(castling, position), move_text(castling, position, chess960=True)) == ("e1g1", "e1h1")


def test_errors_say_what_is_wrong():
    with pytest.raises(FenError, match="rank"):
        parse_fen("8/9/8/8/8/8/8/8 w - -")
    with pytest.raises(MoveError, match="e2e5"):
        parse_move("e2e5", parse_fen(STARTING_FEN))
    assert issubclass(FenError, ValueError)
    assert issubclass(MoveError, ValueError)


def test_moves_are_numbers_and_positions_are_values():
    position = parse_fen(STARTING_FEN)
    assert legal_moves(position).dtype == np.uint32
    assert isinstance(position, Position)
    assert isinstance(position.board, Board)
    after = make_move(position, legal_moves(position)[0])
    assert isinstance(after, Position)
    assert position == parse_fen(STARTING_FEN)


def test_moves_belong_to_whoever_asked_for_them():
    first, second = (legal_moves(parse_fen(STARTING_FEN)) for _ in range(2))
    first[:] = 0
    assert second.all()


def test_questions_about_a_position():
    checked = parse_fen("4k3/8/8/8/4r3/8/8/4K3 w - -")
    assert checkers(checked) == 1 << chess.E4
    assert attacked_squares(checked) & 0xFF == 1 << chess.E1
    assert perft(checked, 1) == len(legal_moves(checked)) == 4
    assert is_legal(checked, parse_move("e1d1", checked))
    assert not is_legal(checked, 0)


@pytest.mark.parametrize("depth", [-1, MAX_DEPTH, 5000])
def test_perft_refuses_depths_that_it_has_no_room_for(depth):
    compiled = njit(lambda position, depth: perft(position, depth))
    for count in (perft, compiled):
        with pytest.raises(ValueError, match="from 0 to 63"):
            count(parse_fen(STARTING_FEN), depth)


@pytest.mark.parametrize(
    "fen, expected",
    [
        (STARTING_FEN, ONGOING),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", CHECKMATE),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", STALEMATE),
        ("7k/5R2/6K1/8/8/8/8/8 b - - 100 90", FIFTY_MOVES),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", INSUFFICIENT_MATERIAL),
    ],
)
def test_status_tells_how_a_game_stands(fen, expected):
    assert status(parse_fen(fen)) == expected


def test_attacks():
    assert rook_attacks(chess.A1, 0) == chess.BB_FILE_A ^ chess.BB_RANK_1
    assert bishop_attacks(chess.A1, chess.BB_C3) == chess.BB_B2 | chess.BB_C3
    assert queen_attacks(chess.A1, chess.BB_B2) == rook_attacks(chess.A1, 0) | chess.BB_B2
    assert knight_attacks(chess.A1) == chess.BB_B3 | chess.BB_C2
    assert king_attacks(chess.A1) == chess.BB_A2 | chess.BB_B2 | chess.BB_B1


def test_exchanges():
    position = parse_fen("4k3/4p3/3p4/8/8/8/3R4/4K3 w - -")
    assert see_at_least(position.board, parse_move("d2d5", position), 0)
    assert not see_at_least(position.board, parse_move("d2d6", position), 0)


# --- from inside compiled functions ----------------------------------------------------------------------


@njit
def tour(fen):
    """Every function that is exported, at least once."""
    position = parse_fen(fen)
    move = parse_move("e1g1", position)
    after = make_move(position, parse_san("O-O", position))
    again = Position(Board(*after.board), after.key, after.clock, after.ply)
    listed = 0
    for other in legal_moves(position):
        listed += is_legal(position, other) and see_at_least(position.board, other, -1000)
    texts = (
        format_fen(again),
        format_fen(position, True),
        board_text(after),
        move_text(move, position),
        move_text(move, position, True),
        san(move, position),
    )
    numbers = (
        listed,
        perft(position, 3),
        status(after),
        checkers(after),
        attacked_squares(position),
        rook_attacks(0, 1 << 9) | bishop_attacks(0, 1 << 9) | queen_attacks(63, 0),
        knight_attacks(1) | king_attacks(2),
    )
    endings = (ONGOING, CHECKMATE, STALEMATE, FIFTY_MOVES, INSUFFICIENT_MATERIAL)
    return again, texts, numbers, endings


@only_compiled
def test_compiled_functions_get_the_same_answers():
    again, texts, numbers, endings = tour(PIN)
    assert (again, texts, numbers, endings) == tour.py_func(PIN)
    assert texts[0] == "4k3/4r3/8/8/8/4B3/3PP3/R4RK1 b - - 4 7"
    assert numbers[0] == perft(parse_fen(PIN), 1)
    assert len(set(endings)) == 5


@only_compiled
def test_a_walk_in_one_compiled_function():
    @njit
    def captures(position, depth):
        """How many captures there are at the last of some plies."""
        count = 0
        for move in legal_moves(position):
            if depth > 1:
                count += captures(make_move(position, move), depth - 1)
            elif see_at_least(position.board, move, 1):
                count += 1
        return count

    kiwipete = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    assert captures(kiwipete, 3) == captures.py_func(kiwipete, 3)


@only_compiled
@pytest.mark.parametrize("fen, move", [("8/9/8/8/8/8/8/8 w - -", "e2e4"), (STARTING_FEN, "e2e5")])
def test_errors_come_out_of_compiled_functions(fen, move):
    @njit
    def parse(fen, move):
        return parse_move(move, parse_fen(fen))

    with pytest.raises((FenError, MoveError)) as compiled:
        parse(fen, move)
    with pytest.raises((FenError, MoveError)) as interpreted:
        parse.py_func(fen, move)
    assert (compiled.type, str(compiled.value)) == (interpreted.type, str(interpreted.value))


# --- as the README says ------------------------------------------------------------------------------------


def readme_examples():
    """The Python programs in the README, each with the output that is printed below it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```\s+```text\n(.*?)```", text, flags=re.DOTALL)


@too_slow_interpreted
def test_the_examples_of_the_readme():
    examples = readme_examples()
    assert len(examples) == 2
    spoilt = dict(os.environ, MALLOC_PERTURB_="85")  # so that memory that was given back too soon is noticed
    for program, output in examples:
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=spoilt)
        assert (run.stdout, run.stderr) == (output, "")
