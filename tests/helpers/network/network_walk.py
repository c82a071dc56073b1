"""Walks through trees of legal moves, in which accumulators brought up to date are compared with fresh ones.

As a program, it prints what it found in a few small trees, for processes with other settings.
"""

import json

from bluekrait.core.compiler.jit import int64, position_type, uint64
from bluekrait.core.notation.fen import parse_fen
from bluekrait.core.rules.bits import EMPTY, FULL, ONE, U64
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import make_move, make_null_move
from bluekrait.core.rules.movegen import add_legal_moves
from bluekrait.core.tables.table_block import block
from bluekrait.search.evaluation.network.accumulators import accumulator_of
from bluekrait.search.evaluation.network.network_memory import NetworkMemory, ThreadEvaluation
from bluekrait.search.evaluation.network.network_score import network_score
from bluekrait.search.evaluation.network.views import network_at, view_at
from bluekrait.search.thread_record import SearchThread
from bluekrait.search.tree.state import ply_of, thread_at, thread_type
from helpers.kernels import uncached_kernel
from helpers.network.networks import random_network

STARTS = {
    "opening": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "castling, captures": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "castling of Black": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "Chess960: king takes rook beside it": "rk2r3/pppp1ppp/8/8/8/8/PPPP1PPP/1R2KR2 w BFae - 0 1",
    "Chess960: the king crosses the middle": "5rkr/8/8/8/8/8/8/RK5R w HAhf - 0 1",
    "en passant": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "en passant, both sides": "4k3/3p1p2/8/2P1P1P1/1p1p1p2/8/P1P1P3/4K3 w - - 0 1",
    "promotion": "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "kings on the move": "8/8/8/2k1K3/8/8/3PP3/8 w - - 0 1",
}

PASSES = 1
WIDTH = 288  # a block of eight vectors and one more, or two blocks of four and one more


@uncached_kernel(int64(thread_type, uint64, position_type, int64, int64, int64))
def walk(thread, scratch, position, ply, depth, passes):
    """How many evaluations in a tree are not those of fresh accumulators; some nodes are passed over.

    On each line the sides may pass so many times.
    """
    board, node = position.board, ply_of(thread, ply)
    state = legality(board)
    wrong = 0
    if position.key & U64(3) != EMPTY:
        score = network_score(thread.network, thread.accumulators, board, state.attacked, ply)
        if score != fresh_score(thread, scratch, board):
            wrong += 1
        thread.nodes += ONE
        thread.generation = (thread.generation * U64(31) + U64(score & 0xFFFF)) & U64(0xFFFFFFFF)
    if depth == 0:
        return wrong
    if state.checkers == EMPTY and passes > 0:
        wrong += walk(thread, scratch, make_null_move(position), ply + 1, depth - 1, passes - 1)
    count = add_legal_moves(board, state, node.list, 0)
    for place in range(count):
        child = make_move(position, node.list.moves[place])
        wrong += walk(thread, scratch, child, ply + 1, depth - 1, passes)
    return wrong


@uncached_kernel(int64(thread_type, uint64, position_type.types[0]))
def fresh_score(thread, scratch, board):
    """The score by accumulators that begin at the empty board, for all others are too far away."""
    for ply in range(-2, 1):
        seen = view_at(accumulator_of(network_at(thread.network), scratch, ply))
        seen.low = seen.own = FULL
    return network_score(thread.network, scratch, board, legality(board).attacked, 0)


@uncached_kernel(int64(uint64, uint64, position_type, int64))
def walk_from(address, scratch, position, depth):
    """Walk through the tree below a position, with the `SearchThread` at an address."""
    return walk(thread_at(address), scratch, position, 0, depth, PASSES)


class Walker:
    """One thread's record and a network, for many walks."""

    def __init__(self, network):
        block()
        self.memory = NetworkMemory(network)
        self.thread = SearchThread()
        self._evaluation = ThreadEvaluation(self.memory)
        self._evaluation.attach(self.thread)
        self._scratch = self.memory.new_accumulators()

    def walk(self, fen, depth):
        """How many evaluations below a FEN are wrong, and how many there were."""
        import ctypes

        before = self.thread.nodes
        position = parse_fen(fen)
        wrong = walk_from(
            U64(ctypes.addressof(self.thread)), U64(self._scratch.address), as_words(position), depth
        )
        return int(wrong), self.thread.nodes - before


def as_words(position):
    """The position in the numbers that kernels are made for."""
    board = position.board._replace(**{name: U64(word) for name, word in position.board._asdict().items()})
    return position._replace(board=board, key=U64(position.key))


def answers(depth):
    """What a walk through all small trees amounts to."""
    walker = Walker(random_network(WIDTH, buckets=8, regions=4, threats=2, kinds=7))
    counts = [walker.walk(fen, depth) for fen in STARTS.values()]
    return {"counts": counts, "digest": int(walker.thread.generation)}


if __name__ == "__main__":
    print(json.dumps(answers(1)))
