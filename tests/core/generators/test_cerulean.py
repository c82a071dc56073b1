"""CeruleanJS's board: published counts, python-chess's rules, and that unmaking gives everything back."""

import os
import random
import subprocess
import sys
from itertools import chain, islice

import chess
import chess.polyglot
import numpy as np
import pytest

from bluekrait.core import move as live_move
from bluekrait.core import parse_fen
from bluekrait.core import perft as live_perft
from bluekrait.core.compiler.jit import boolean, int64, position_type, record_layout, uint64
from bluekrait.core.generators.cerulean import moves
from bluekrait.core.generators.cerulean.generate import generate
from bluekrait.core.generators.cerulean.mailbox import CODES as MOST_CODES
from bluekrait.core.generators.cerulean.mailbox import Mailbox, mailbox_at
from bluekrait.core.generators.cerulean.make import make, unmake, was_legal
from bluekrait.core.generators.cerulean.perft import perft
from bluekrait.core.generators.cerulean.setup import key_of, set_up
from bluekrait.core.generators.cerulean.squares import (
    BLACK_FLAG,
    KING_STEPS,
    KNIGHT_STEPS,
    MARGIN,
    WHITE_FLAG,
)
from helpers.kernels import too_slow_interpreted, uncached_kernel
from helpers.oracles import CODES, captured_by, kind_of, king_takes_rook, position_of, random_boards
from helpers.perft_suite import IN_CHECK, KIWIPETE, POSITION_4, STANDARD, SUITE, naive_perft
from helpers.support import (
    cases,
    castling_boards,
    double_chess960_boards,
    en_passant_boards,
    scattered_boards,
)

pytestmark = too_slow_interpreted  # a part of it runs interpreted in a process of its own

LARGEST_COUNT = 5_000_000
CASTLING_TRAPS = {
    "7k/8/8/8/8/8/8/rR1K4 w B - 0 1": "the rook shields its king from a rook on the first rank",
    "7k/8/8/8/8/8/8/1R1K3r w B - 0 1": "the king is in check, and would hide behind his rook",
    "1r5k/8/8/8/8/8/8/1R2K3 w B - 0 1": "only the rook is attacked",
    "7k/8/8/8/8/6n1/8/RK4R1 w G - 0 1": "the king would pass an attacked square",
    "4k3/8/8/8/8/8/8/RK5R w AH - 0 1": "nothing is in the way",
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1": "king and rook change squares",
    "4k3/8/8/8/8/8/8/6KR w H - 0 1": "the king stays where he is",
    "4k3/8/8/8/8/8/8/5RK1 w F - 0 1": "king and rook both go past where the rook stood",
}


# --- doors ----------------------------------------------------------------------------------------


@uncached_kernel(uint64(uint64, position_type))
def set_up_at(address, position):
    """Put a position on the record at an address, which is zero."""
    return set_up(mailbox_at(address), position)


@uncached_kernel(uint64(uint64, int64))
def generate_at(address, ply):
    """Generate the moves of a ply."""
    record = mailbox_at(address)
    return generate(record, record.generations[ply])


@uncached_kernel(boolean(uint64, uint64))
def make_at(address, move):
    """Make a move; True if it was legal."""
    record = mailbox_at(address)
    make(record, move)
    return was_legal(record, move)


@uncached_kernel(uint64(uint64, uint64, int64))
def unmake_at(address, move, ply):
    """Unmake a move that was generated at a ply."""
    record = mailbox_at(address)
    return unmake(record, move, record.generations[ply])


@uncached_kernel(uint64(uint64))
def key_from_scratch_at(address):
    """The key of the record at an address, from scratch."""
    return key_of(mailbox_at(address))


class Game:
    """A record with its position, for Python."""

    def __init__(self, position):
        self.memory = np.zeros(1, record_layout(Mailbox))
        self.address = self.memory.ctypes.data
        self.record = self.memory[0]
        set_up_at(self.address, position)

    def contents(self):
        """All but what move generations have written."""
        return self.memory.view(np.uint8)[: Mailbox.generations.offset].tobytes()

    def pseudo_legal_moves(self, ply=0):
        """The pseudo-legal moves."""
        count = generate_at(self.address, ply)
        return [int(move) for move in self.record.generations[ply].moves[:count]]

    def try_move(self, move, ply=0):
        """True if a move is legal; it is made and unmade, and must leave no trace."""
        before, key = self.contents(), self.record.key
        legal = make_at(self.address, move)
        self.check()
        assert self.record.key != key
        unmake_at(self.address, move, ply)
        assert self.contents() == before
        return legal

    def check(self):
        """See that board, lists, places and key tell the same."""
        board, record = self.record.board, self.record
        assert record.key == key_from_scratch_at(self.address)
        noted = set()
        for code in range(MOST_CODES):
            squares = record.lists[code][: record.counts[code]].tolist()
            assert [record.places[square] for square in squares] == list(range(len(squares)))
            noted |= {(square, code) for square in squares}
        standing = {(square, board[square + MARGIN]) for square in REAL_SQUARES}
        assert noted == {(square, code) for square, code in standing if code}

    def pieces(self):
        """What stands where, in the words of python-chess."""
        found = ((square, int(self.record.board[spread(square) + MARGIN])) for square in chess.SQUARES)
        return {square: piece_of(code) for square, code in found if code}


def spread(square):
    return square + (square & ~7)


REAL_SQUARES = [spread(square) for square in chess.SQUARES]
SQUARE_OF = {real: square for square, real in zip(chess.SQUARES, REAL_SQUARES)}
KIND_OF = {code: kind for kind, code in CODES.items()}


def piece_of(code):
    assert (code & int(WHITE_FLAG) != 0) + (code & int(BLACK_FLAG) != 0) == 1
    return chess.Piece(KIND_OF[code & 7], bool(code & int(WHITE_FLAG)))


def move_of(move):
    """A move in the words of python-chess; castling is king takes rook."""
    origin, target = (SQUARE_OF[int(part(move))] for part in (moves.origin_of, moves.target_of))
    return chess.Move(origin, target, KIND_OF[int(moves.promotion_of(move))])


def made_up_boards():
    """A few boards of every kind."""
    return chain(
        scattered_boards(seed=71, count=60),
        castling_boards(seed=72, count=60),
        en_passant_boards(seed=73, count=60),
        double_chess960_boards(seed=74, count=60),
    )


# --- counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen, counts", STANDARD.items())
def test_standard_positions(fen, counts):
    counts = [1, *(nodes for nodes in counts if nodes < LARGEST_COUNT)]
    assert [perft(parse_fen(fen), depth) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("fen, counts", [entry for entry in SUITE if entry[0] != IN_CHECK])
def test_the_suite(fen, counts):
    depth = max((depth for depth, nodes in counts.items() if nodes < LARGEST_COUNT), default=min(counts))
    assert perft(parse_fen(fen), depth) == counts[depth]


@pytest.mark.parametrize("chess960", [False, True])
def test_random_games(chess960):
    for board in islice(random_boards(seed=75, games=4, plies=80, chess960=chess960), 0, None, 4):
        position = position_of(board)
        assert perft(position, 3) == live_perft(position, 3), board.fen()


def test_made_up_positions():
    for board in made_up_boards():
        position = position_of(board)
        assert perft(position, 2) == naive_perft(board, 2), board.fen()
        assert perft(position, 4) == live_perft(position, 4), board.fen()


@pytest.mark.parametrize("fen", CASTLING_TRAPS)
def test_castling_traps(fen):
    board = chess.Board(fen, chess960=True)
    for view in (board, board.mirror()):
        assert perft(parse_fen(view.fen(shredder=True)), 3) == naive_perft(view, 3)


@pytest.mark.parametrize("step", KNIGHT_STEPS + KING_STEPS)
def test_no_step_leaves_the_memory_of_the_board(step):
    reached = [spread(square) + int(step.astype(np.int64)) + int(MARGIN) for square in chess.SQUARES]
    assert 0 <= min(reached) <= max(reached) < Mailbox.board.size


# --- moves ----------------------------------------------------------------------------------------


def test_legal_moves_and_what_they_tell():
    for board, position, expected in cases()[::4]:
        game = Game(position)
        listed = game.pseudo_legal_moves()
        assert len(listed) == len(set(listed))
        legal = {move_of(move): move for move in listed if make_and_unmake(game, move)}
        assert legal.keys() == set(expected.values()), board.fen()
        for move, packed in legal.items():
            assert told_by(packed) == facts_of(board, move), (board.fen(), move)


def make_and_unmake(game, move):
    legal = make_at(game.address, move)
    unmake_at(game.address, move, 0)
    return legal


def told_by(move):
    """What a move tells besides its squares: captured kind, pawn move, and the three special kinds."""
    flags = (moves.PAWN_MOVE, moves.DOUBLE_PUSH, moves.EN_PASSANT, moves.CASTLING)
    return int(moves.captured_of(move)), *(bool(move & int(flag)) for flag in flags)


def facts_of(board, move):
    """The same, as python-chess sees it."""
    kind = kind_of(board, move)
    special = (live_move.DOUBLE_PUSH, live_move.EN_PASSANT, live_move.CASTLING)
    is_pawn = board.piece_type_at(move.from_square) == chess.PAWN
    return captured_by(board, move, kind), is_pawn, *(kind == one for one in special)


# --- making and unmaking --------------------------------------------------------------------------


def test_what_is_made_can_be_unmade():
    starts = chain(map(chess.Board, (chess.STARTING_FEN, KIWIPETE, POSITION_4)), made_up_boards())
    rng = random.Random(76)
    for board in islice(starts, 0, None, 8):
        play_and_take_back(king_takes_rook(board), rng, plies=30)


def play_and_take_back(board, rng, plies):
    """Play a random game beside python-chess, trying every move on the way, and take all of it back."""
    game, played = Game(position_of(board)), []
    game.check()
    for ply in range(plies):
        legal = [move for move in game.pseudo_legal_moves(ply) if game.try_move(move, ply)]
        assert {move_of(move) for move in legal} == set(board.legal_moves)
        if not legal:
            break
        choice = rng.choice(legal)
        played.append((choice, game.contents()))
        make_at(game.address, choice)
        board.push(move_of(choice))
        assert game.pieces() == board.piece_map()
        assert game.record.clock == board.halfmove_clock
        assert game.record.key == chess.polyglot.zobrist_hash(board), board.fen()
    for ply, (move, before) in reversed(list(enumerate(played))):
        unmake_at(game.address, move, ply)
        assert game.contents() == before


def test_every_way_to_castle():
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        for square in chess.SquareSet(board.occupied & ~board.kings & ~board.rooks):
            board.remove_piece_at(square)
        game = Game(position_of(board))
        castlings = [move for move in game.pseudo_legal_moves() if move & int(moves.CASTLING)]
        legal = {move_of(move) for move in castlings if game.try_move(move)}
        assert legal == {move for move in board.legal_moves if board.is_castling(move)}


# --- the rest -------------------------------------------------------------------------------------

PLAIN_PYTHON = """
from bluekrait.core import parse_fen
from bluekrait.core.generators.cerulean.perft import perft

print([int(perft(parse_fen(fen), depth)) for fen, depth in {wishes}])
"""


def test_it_runs_without_the_compiler():
    wishes = [
        (chess.STARTING_FEN, 2),
        (KIWIPETE, 2),
        (POSITION_4, 2),
        (chess.Board(POSITION_4).mirror().fen(), 2),
    ]
    program = PLAIN_PYTHON.format(wishes=wishes)
    settings = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", program]
    running = subprocess.run(command, env=settings, capture_output=True, text=True)
    assert (running.stdout, running.stderr) == ("[400, 2039, 264, 264]\n", "")


def test_nobody_loads_it_unasked():
    program = """
import sys
from bluekrait.core import api, rules_entries
from bluekrait.search import engine
from bluekrait.search.evaluation.classical import evaluation_entries
from bluekrait.uci import cli

print([name for name in sys.modules if "cerulean" in name])
"""
    running = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (running.stdout, running.stderr) == ("[]\n", "")


def test_the_record_lives_as_long_as_the_count():
    """Memory that is given back too soon is spoilt at once, and the count with it."""
    program = [sys.executable, "-m", "bluekrait.uci", "perft", "4", "--generator", "cerulean"]
    spoilt = dict(os.environ, MALLOC_PERTURB_="85")
    run = subprocess.run(program, capture_output=True, text=True, env=spoilt)
    assert (run.returncode, run.stdout.split()[2]) == (0, "197281")
