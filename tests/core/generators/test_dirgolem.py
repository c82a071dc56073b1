"""DirGolem against known counts, against python-chess and against the live rules."""

import json
import os
import platform
import random
import re
import subprocess
import sys
from collections import Counter

import chess
import pytest

from bluekrait.core import checkers, make_move, parse_fen, see_at_least
from bluekrait.core import perft as live_perft
from bluekrait.core.board import BISHOP, KNIGHT, NONE, PAWN, QUEEN, ROOK, all_pieces
from bluekrait.core.generators.dirgolem.perft import perft
from bluekrait.core.generators.registry import GENERATORS, STEP_DEPTH, load_perft
from bluekrait.core.move import (
    CASTLING,
    EN_PASSANT,
    captured_of,
    kind_of,
    origin_of,
    piece_of,
    promotion_of,
    target_of,
)
from bluekrait.core.records import MAX_DEPTH
from bluekrait.core.rules.see import VALUES
from helpers.kernels import too_slow_interpreted
from helpers.oracles import packed_moves, position_of
from helpers.perft_suite import IN_CHECK, KIWIPETE, LARGEST_COUNT, LOCKED, STANDARD, SUITE, count, naive_perft
from helpers.processes import dirgolem_answers as dirgolem
from helpers.processes.dirgolem_answers import moves_in
from helpers.processes.machines import interrupted_perft
from helpers.support import cases, engine, put

pytestmark = too_slow_interpreted  # a part of it runs interpreted in a process of its own

PATIENCE = 120  # seconds before a hanging test is given up
PROGRAM = [sys.executable, "-m", "bluekrait.uci"]
VALUABLE_FIRST = (QUEEN, ROOK, BISHOP, KNIGHT, PAWN)


def pairs(moves):
    """Packed moves as sorted pairs of origin and target: the four promotions of a pawn are one."""
    return sorted({(origin_of(move), target_of(move)) for move in moves})


def pairs_in(position, words):
    """The moves of sixteen sets in the same form, each as often as it occurs."""
    return sorted(moves_in(words, int(all_pieces(position.board))))


# --- perft ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen, counts", STANDARD.items())
def test_standard_positions(fen, counts):
    position = parse_fen(fen)
    assert [perft(position, depth) for depth in range(len(counts) + 1)] == [1, *counts]


@pytest.mark.parametrize("fen, counts", [entry for entry in SUITE if entry[0] != IN_CHECK])
def test_the_suite(fen, counts):
    depth = max(depth for depth, nodes in counts.items() if nodes < LARGEST_COUNT)
    assert perft(parse_fen(fen), depth) == counts[depth]


def test_all_kinds_of_positions():
    for board, position, _ in cases():
        assert perft(position, 2) == live_perft(position, 2), board.fen()


def test_some_of_them_deeper():
    for board, position, _ in cases()[::10]:
        assert perft(position, 3) == live_perft(position, 3), board.fen()
    for board, position, _ in cases()[::200]:
        assert perft(position, 3) == naive_perft(board, 3), board.fen()


def test_two_pawns_that_may_capture_in_passing():
    both = 0
    for board in runners_between_two_pawns(seed=54, count=400):
        position = position_of(board)
        moves = packed_moves(board)
        assert pairs_in(position, dirgolem.all_moves(position)) == pairs(moves), board.fen()
        assert perft(position, 2) == naive_perft(board, 2), board.fen()
        both += sum(kind_of(move) == EN_PASSANT for move in moves) == 2
    assert 20 < both < 380


def runners_between_two_pawns(seed, count):
    """A pawn has just run between two others, one of which stands on lines with kings and sliders."""
    rng = random.Random(seed)
    while count:
        board, file = chess.Board(None), rng.randrange(1, 7)
        put(board, "P", chess.square(file, 1))
        put(board, "p", chess.square(file - 1, 3))
        put(board, "p", chess.square(file + 1, 3))
        watcher = chess.square(file + rng.choice([-1, 1]), 3)
        lines = [square for square in chess.SQUARES if chess.ray(square, watcher)]
        for kind in ["k", "K", *rng.choices("BRQr", k=rng.randrange(4, 9))]:
            put(board, kind, rng.choice([square for square in lines if not board.piece_at(square)]))
        run_up = chess.Move(chess.square(file, 1), chess.square(file, 3))
        if board.is_valid() and run_up in board.legal_moves:
            board.push(run_up)
            yield board if rng.random() < 0.5 else board.mirror()
            count -= 1


def test_the_deepest_count():
    assert perft(parse_fen(LOCKED), MAX_DEPTH - 1) == 1


# --- the sixteen sets -----------------------------------------------------------------------------


def test_the_sets_hold_the_legal_moves():
    for board, position, moves in cases():
        assert pairs_in(position, dirgolem.all_moves(position)) == pairs(moves), board.fen()


def test_the_cases_are_hard():
    """What makes legality difficult is there, and often."""
    seen = Counter()
    for board, _, moves in cases():
        king = board.king(board.turn)
        seen[f"{len(board.checkers())} checkers"] += 1
        seen["pins"] += any(board.is_pinned(board.turn, pawn) for pawn in chess.SquareSet(board.pawns))
        kinds = Counter(map(kind_of, moves))
        seen["castling"] += kinds[CASTLING] > 0
        seen["forbidden captures in passing"] += board.has_pseudo_legal_en_passant() and not kinds[EN_PASSANT]
        seen["the king's own rank"] += kinds[EN_PASSANT] > 0 and chess.square_rank(king) in (3, 4)
        seen["promotion"] += any(map(promotion_of, moves))
    rare = [name for name in seen if seen[name] < 20]
    assert not rare, seen
    assert {"1 checkers", "2 checkers", "pins", "castling", "promotion"} <= set(seen)


def test_mate_and_stalemate_are_an_empty_union():
    ended = Counter()
    for board, position, moves in cases():
        assert dirgolem.can_move(position) == bool(moves), board.fen()
        ended["mate"] += not moves and board.is_check()
        ended["stalemate"] += not moves and not board.is_check()
    assert min(ended["mate"], ended["stalemate"]) >= 5, ended


# --- the picker -----------------------------------------------------------------------------------


def stage_of(move):
    """Where a move stands in the picker's order."""
    if captured_of(move) != NONE:
        return 1, VALUABLE_FIRST.index(captured_of(move)), int(VALUES[piece_of(move)])
    return (2,) if promotion_of(move) != NONE else (3,)


def test_the_picker_yields_every_legal_move_once_and_in_order():
    for board, position, moves in cases():
        picked = [int(move) for move in dirgolem.picked(position, 0)]
        assert sorted(picked) == sorted(moves), board.fen()
        stages = [stage_of(move) for move in picked]
        assert stages == sorted(stages), board.fen()


def test_the_hash_move_comes_first_and_only_once():
    rng = random.Random(51)
    for board, position, moves in cases()[::3]:
        for move in rng.sample(list(moves), min(3, len(moves))):
            order = rng.randrange(256) << 24  # what another sorter has left in it
            first, *others = map(int, dirgolem.picked(position, move | order))
            assert first == move, board.fen()
            assert others == [int(other) for other in dirgolem.picked(position, 0) if other != move]


def test_a_hash_move_that_is_not_legal_changes_nothing():
    rng = random.Random(52)
    for _, position, moves in cases()[::5]:
        strangers = [rng.choice(list(moves)) ^ 1 << rng.randrange(24) for _ in range(4) if moves]
        for stranger in set(strangers) - set(moves):
            assert list(dirgolem.picked(position, stranger)) == list(dirgolem.picked(position, 0))


def test_perft_through_the_picker():
    def walk(position, depth):
        moves = dirgolem.picked(position, 0)
        return sum(walk(make_move(position, move), depth - 1) for move in moves) if depth > 1 else len(moves)

    for fen, counts in STANDARD.items():
        assert walk(parse_fen(fen), 2) == counts[1]


# --- exchanges and checks -------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(4))
def test_exchanges(first):
    rng = random.Random(53 + first)
    for board, position, moves in cases()[first::4]:
        to_queens = [move for move in moves if promotion_of(move) in (NONE, QUEEN)]
        for threshold in (0, 1, rng.randrange(-1000, 1000)):
            expected = pairs(move for move in to_queens if see_at_least(position.board, move, threshold))
            assert pairs_in(position, dirgolem.winning(position, threshold)) == expected, board.fen()


def test_checks():
    seen = Counter()
    for board, position, moves in cases():
        after = {move: int(checkers(make_move(position, move))) for move in moves}
        checks = [move for move in moves if after[move]]
        for promotion in (QUEEN, ROOK, BISHOP, KNIGHT):
            expected = pairs(move for move in checks if promotion_of(move) in (NONE, promotion))
            assert pairs_in(position, dirgolem.checking(position, promotion)) == expected, board.fen()
        for move in checks:
            seen[kind_of(move)] += 1
            seen["promotion"] += promotion_of(move) != NONE
            seen["two at once"] += after[move].bit_count() == 2
            seen["discovered"] += not after[move] >> (target_of(move) ^ 56) & 1
    assert min(seen.values()) >= 5, seen
    assert {CASTLING, EN_PASSANT, "promotion", "two at once", "discovered"} <= set(seen)


# --- without a compiler, and with small registers -------------------------------------------------


def answers_elsewhere(**settings):
    """The answers of a process with other settings, which lets no warning pass."""
    command = [sys.executable, "-W", "error", dirgolem.__file__]
    done = subprocess.run(
        command, env=os.environ | settings, capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_compiled_and_interpreted_code_agree():
    assert answers_elsewhere(NUMBA_DISABLE_JIT="1") == json.loads(json.dumps(dirgolem.answers()))


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="about another processor")
def test_the_oldest_processor_gives_the_same_answers():
    old = answers_elsewhere(NUMBA_CPU_NAME="x86-64", NUMBA_CPU_FEATURES="")
    assert old == json.loads(json.dumps(dirgolem.answers()))


# --- the program ----------------------------------------------------------------------------------


def run(*arguments):
    """Exit code, output and errors of `bluekrait perft`."""
    command = [*PROGRAM, "perft", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module", autouse=True)
def compiled(warm_cache):
    """Have everything compiled, so that no test meets a compiler it does not expect."""
    for name in GENERATORS:
        load_perft(name)


@pytest.mark.parametrize("name", GENERATORS)
def test_generators_count_the_same(name):
    for fen, counts in STANDARD.items():
        assert count(fen, 3, generator=load_perft(name)) == counts[2]


def test_a_count_is_made_in_steps_and_can_be_stopped():
    counted = []

    def one_part(position, depth):
        counted.append(depth)
        if len(counted) == 3:
            engine().stop()
        return 1

    engine().set_position(KIWIPETE, [])
    result = engine().perft(MAX_DEPTH - 1, generator=one_part)
    assert counted == [STEP_DEPTH] * 3
    assert (result.nodes, result.complete) == (3, False)


def test_the_flag():
    code, text, errors = run("4", "--generator", "dirgolem")
    assert (code, errors) == (0, "")
    assert re.fullmatch(r"perft 4: 197281 nodes in \d+\.\d{3} s, \d+\.\d Mnps\n", text)


def test_the_flag_and_divide():
    wishes = ("3", "--divide", "--fen", KIWIPETE)
    live, other = (run(*wishes, "--generator", name)[1].split("\n\n")[0] for name in ("live", "dirgolem"))
    assert live == other
    assert live.count("\n") == 47


def test_the_flag_without_a_compiler():
    command = [sys.executable, "-W", "error", *PROGRAM[1:], "perft", "2", "--generator", "dirgolem"]
    settings = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("perft 2: 400 nodes")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--generator", "nobody"],
        ["--generator"],
        ["--generator", "dirgolem", "--threads", "2"],
        ["--generator", "dirgolem", "--hash", "1"],
    ],
)
def test_wrong_flags_get_one_clear_line(arguments):
    code, text, errors = run("3", *arguments)
    assert (code, text) == (2, "")
    assert re.fullmatch("bluekrait perft: .+, see bluekrait perft --help\n", errors)


def test_ctrl_c_prints_what_was_counted():
    code, text, _ = interrupted_perft("13", "--generator", "dirgolem")
    assert code == 130
    assert text.startswith("perft 13 interrupted: ")
    assert int(text.split()[3]) > 0
