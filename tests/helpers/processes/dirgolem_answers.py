"""Functions that call DirGolem, and answers to a few questions. Run as a program, it prints them as JSON."""

import json

import numpy as np
from numba import types

from bluekrait.core import parse_fen
from bluekrait.core.board import BISHOP, KNIGHT, QUEEN, ROOK
from bluekrait.core.compiler.jit import boolean, int64, kernel, position_type, record_layout, uint32, uint64
from bluekrait.core.generators.dirgolem.checks import checking_moves
from bluekrait.core.generators.dirgolem.exchange import winners
from bluekrait.core.generators.dirgolem.perft import perft
from bluekrait.core.generators.dirgolem.picker import Picker, begin, next_move
from bluekrait.core.generators.dirgolem.targets import has_moves, targets_of, targets_type
from bluekrait.core.generators.dirgolem.threats import threats_of
from bluekrait.core.generators.dirgolem.vectors import LANES, vector_kernel
from bluekrait.core.move import NO_MOVE

POSITIONS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
)
PROMOTIONS = (QUEEN, KNIGHT, ROOK, BISHOP)

# Rays, then leaps; in the order of the lanes.
STEPS = (8, 1, 9, 7, -8, -1, -9, -7, 17, 10, 6, 15, -17, -10, -6, -15)

_sixteen_words = types.UniTuple(uint64, 2 * LANES)
_picker = record_layout(Picker)


@vector_kernel(_sixteen_words(targets_type))
def words_of(moves):
    """The sixteen sets as words."""
    r, l = moves.rays, moves.leaps  # noqa: E741
    near = r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
    return near + (l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7])


@kernel(_sixteen_words(position_type))
def all_moves(position):
    """The sixteen sets of a position."""
    return words_of(targets_of(position.board, threats_of(position.board)))


@kernel(_sixteen_words(position_type, int64))
def winning(position, threshold):
    """The moves that win so much."""
    threats = threats_of(position.board)
    return words_of(winners(position.board, threats, targets_of(position.board, threats), threshold))


@kernel(_sixteen_words(position_type, int64))
def checking(position, promotion):
    """The moves that give check."""
    threats = threats_of(position.board)
    return words_of(checking_moves(position.board, threats, targets_of(position.board, threats), promotion))


@kernel(boolean(position_type))
def can_move(position):
    """False in mate and stalemate."""
    return has_moves(targets_of(position.board, threats_of(position.board)))


@kernel(uint32[::1](position_type, uint32))
def picked(position, hash_move):
    """All moves as the picker yields them."""
    pickers, moves, count = np.empty(1, _picker), np.empty(256, np.uint32), 0
    begin(pickers[0], position.board, hash_move)
    move = next_move(pickers[0], position.board)
    while move != NO_MOVE:
        moves[count] = move
        count += 1
        move = next_move(pickers[0], position.board)
    return moves[:count].copy()


def moves_in(words, occupied):
    """The moves of sixteen sets as pairs of origin and target, walking back from each target."""
    for word, step in zip(map(int, words), STEPS):
        for target in range(64):
            if word >> target & 1:
                origin = target - step
                while not occupied >> origin & 1:
                    origin -= step
                yield origin, target


def answers():
    """Answers by position."""
    return {fen: list(about(parse_fen(fen))) for fen in POSITIONS}


def about(position):
    """What DirGolem says of a position."""
    yield [perft(position, depth) for depth in range(3)]
    yield bool(can_move(position))
    moves = [int(move) for move in picked(position, NO_MOVE)]
    yield moves
    yield [int(move) for move in picked(position, np.uint32(max(moves, default=NO_MOVE)))]
    yield [list(map(int, winning(position, threshold))) for threshold in (-300, 0, 1)]
    yield [list(map(int, checking(position, promotion))) for promotion in PROMOTIONS]


if __name__ == "__main__":
    print(json.dumps(answers()))
