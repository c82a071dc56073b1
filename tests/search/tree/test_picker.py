"""The move picker hands out the legal moves, each once, whatever it is told to begin with."""

import random
from contextlib import suppress
from ctypes import addressof, c_int16, memmove, sizeof

import chess
import numpy as np
import pytest

from bluekrait.core import parse_fen, perft, see_at_least
from bluekrait.core.board import QUEEN
from bluekrait.core.compiler.jit import int64, position_type, uint32, uint64
from bluekrait.core.move import IDENTITY_MASK, NO_MOVE, is_noisy, promotion_of, target_of
from bluekrait.core.notation.fen import FenError
from bluekrait.core.rules.bits import U64, signed
from bluekrait.core.rules.is_legal import is_legal
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import make_move
from bluekrait.search.thread_record import PIECE_SQUARES, SearchThread
from bluekrait.search.tree.learning.histories import HISTORY_LIMIT
from bluekrait.search.tree.move_scores import end_scores, pick_best, set_score
from bluekrait.search.tree.picker import next_move, skip_quiet_moves, start_picking
from bluekrait.search.tree.state import ply_of, thread_at
from helpers.kernels import uncached_kernel
from helpers.oracles import position_of
from helpers.support import cases, lines_of

LARGEST_COUNT = 30_000  # of what is walked three plies deep
MOST_MOVES = 256
MOVES_KEPT = 16


@uncached_kernel(int64(uint64, position_type, int64, int64, int64, int64, uint32[::1], int64[::1]))
def hand_out(address, position, hash_move, killer, counter_move, noisy_only, moves, stages):
    """All moves in the order in which they come, and the stages they come from; how many there are."""
    thread, count = thread_at(address), 0
    state, node = legality(position.board), ply_of(thread, 0)
    node.killer = killer
    start_picking(node, hash_move, counter_move)
    if noisy_only:
        skip_quiet_moves(node)
    move = next_move(thread, 0, position, state)
    while move != NO_MOVE:
        moves[count], stages[count] = move, node.stage
        count += 1
        move = next_move(thread, 0, position, state)
    return count


@uncached_kernel(uint64(uint64, position_type, int64, int64, uint32[::1], uint32[::1]))
def picker_perft(address, position, ply, depth, best, quiet):
    """Perft through the picker, with killers and counter-moves from other nodes, mostly illegal here."""
    thread, nodes = thread_at(address), 0
    state, node = legality(position.board), ply_of(thread, ply)
    place = signed(position.key >> U64(20)) & MOVES_KEPT - 2
    hash_move, node.killer = best[place], quiet[place]
    if not is_legal(position.board, state, hash_move):
        hash_move = uint32(NO_MOVE)
    start_picking(node, hash_move, quiet[place + 1])
    while True:
        move = next_move(thread, ply, position, state)
        if move == NO_MOVE:
            return nodes
        if is_noisy(move):
            best[place] = move
        else:
            best[place + 1] = quiet[place] = move
            quiet[place + 1] = quiet[place ^ 2]
        child = make_move(position, move)
        nodes += picker_perft(address, child, ply + 1, depth - 1, best, quiet) if depth > 1 else 1


@pytest.fixture(scope="module")
def thread():
    """A search thread with random histories."""
    thread, rng = SearchThread(), np.random.default_rng(8)
    for table in (thread.butterfly, thread.captures, thread.continuations, thread.pawn_histories):
        opinions = rng.integers(-HISTORY_LIMIT, HISTORY_LIMIT, len(table), np.int16, endpoint=True)
        memmove(table, opinions.ctypes.data, sizeof(c_int16) * len(table))
    for ply in thread.plies:
        ply.continuation = int(rng.integers(1, PIECE_SQUARES))
    return thread


class Picked:
    """The moves of one position in the order of the picker."""

    def __init__(self, thread, position, hash_move=0, killer=0, counter=0, noisy_only=False):
        moves, stages = np.zeros(MOST_MOVES, np.uint32), np.zeros(MOST_MOVES, np.int64)
        count = hand_out(addressof(thread), position, hash_move, killer, counter, noisy_only, moves, stages)
        self.moves = moves[:count].tolist()
        self.stages = stages[:count].tolist()


def sample(seed, count):
    """Positions with hash move, killer and counter-move; only the hash move is always legal."""
    rng = random.Random(seed)
    chosen = rng.sample([case for case in cases() if case.moves], count)
    for case, stranger in zip(chosen, reversed(chosen)):
        pool = [*case.moves, *stranger.moves, NO_MOVE, rng.randrange(IDENTITY_MASK + 1)]
        quiet = [move for move in pool if not is_noisy(move)]
        hash_move = rng.choice([*case.moves, NO_MOVE])
        yield case, hash_move, rng.choice(quiet), rng.choice(quiet)


def test_each_legal_move_comes_once(thread):
    for case, hash_move, killer, counter in sample(seed=1, count=2500):
        picked = Picked(thread, case.position, hash_move, killer, counter)
        assert sorted(picked.moves) == sorted(case.moves), case.board.fen()


def test_without_quiet_moves_the_noisy_ones_and_the_hash_move_remain(thread):
    for case, hash_move, killer, counter in sample(seed=2, count=1000):
        picked = Picked(thread, case.position, hash_move, killer, counter, noisy_only=True)
        wanted = [move for move in case.moves if is_noisy(move) or move == hash_move]
        assert sorted(picked.moves) == sorted(wanted), case.board.fen()


def test_stages_come_in_order(thread):
    for case, hash_move, killer, counter in sample(seed=3, count=1000):
        picked = Picked(thread, case.position, hash_move, killer, counter)
        assert picked.stages == sorted(picked.stages)
        ranks = [rank_of(case, move, hash_move, killer, counter) for move in picked.moves]
        assert ranks == sorted(ranks), case.board.fen()


def rank_of(case, move, hash_move, killer, counter):
    """When a move should come."""
    if move == hash_move:
        return 0
    if is_noisy(move):
        return 1 if is_good(case, move) else 5
    return 2 if move == killer else 3 if move == counter else 4


def is_good(case, move):
    """True if a noisy move is worth its while."""
    if promotion_of(move) not in (NO_MOVE, QUEEN):
        return False
    return bool(see_at_least(case.position.board, move, 0))


def test_noisy_moves_that_lose_material_come_last(thread):
    for case, *_ in sample(seed=4, count=500):
        noisy = Picked(thread, case.position, noisy_only=True).moves
        goodness = [is_good(case, move) for move in noisy]
        assert goodness == sorted(goodness, reverse=True), case.board.fen()


def test_underpromotions_come_last_of_all(thread):
    position = position_of(chess.Board("1n5k/P7/8/8/8/8/8/K7 w - - 0 1"))
    picked = Picked(thread, position).moves
    assert {promotion_of(move) for move in picked[:2]} == {QUEEN}
    assert all(promotion_of(move) not in (NO_MOVE, QUEEN) for move in picked[-6:])


def test_a_rich_victim_comes_before_a_poor_one():
    position = position_of(chess.Board("7k/8/2q1p3/3P4/8/8/8/K7 w - - 0 1"))
    queen, pawn, *_ = Picked(SearchThread(), position).moves
    assert (target_of(queen), target_of(pawn)) == (chess.C6, chess.E6)


def test_of_quiet_moves_checks_come_first_unless_they_lose_material():
    position = position_of(chess.Board("4k3/8/8/8/1b6/8/8/R4K1R w - - 0 1"))
    quiet = [target_of(move) for move in Picked(SearchThread(), position).moves]
    assert set(quiet[:2]) == {chess.A8, chess.H8}
    assert quiet.index(chess.E1) > 2


def suite():
    """The positions of the perft suite, Chess960 ones among them; one of them is impossible."""
    for line in lines_of("perftsuite.epd"):
        fen = line.split(";")[0].strip()
        with suppress(FenError):
            yield pytest.param(parse_fen(fen), id=fen)


@pytest.mark.parametrize("position", list(suite()))
def test_perft_through_the_picker_is_perft(thread, position):
    depth = 3 if perft(position, 3) <= LARGEST_COUNT else 2
    kept = np.zeros((2, MOVES_KEPT), np.uint32)
    for _ in range(2):  # the second time, with the hash moves of the first
        assert picker_perft(addressof(thread), position, 0, depth, *kept) == perft(position, depth)


@uncached_kernel(int64(uint64, int64[::1], uint32[::1]))
def pick_all(address, scores, moves):
    """Pick all moves of a list, which are numbered from 1 on, by their scores."""
    node = ply_of(thread_at(address), 0)
    node.list.count, node.cursor = len(scores), 0
    for i in range(len(scores)):
        node.list.moves[i] = i + 1
        set_score(node, U64(i), scores[i])
    end_scores(node)
    for i in range(len(scores)):
        moves[i] = pick_best(node)
    return node.cursor


@pytest.mark.parametrize("spread", [1, 3, 1 << 22])
@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 32, 47, MOST_MOVES - 1, MOST_MOVES])
def test_of_the_moves_left_the_first_with_the_highest_score_is_picked(spread, count):
    rng = random.Random(count)
    scores = [rng.randint(-spread, spread) for _ in range(count)]
    moves = np.zeros(count, np.uint32)
    assert pick_all(addressof(SearchThread()), np.array(scores, np.int64), moves) == count
    left = list(enumerate(scores, 1))
    for place, move in enumerate(moves.tolist()):
        best = max(range(place, count), key=lambda index: left[index][1])
        left[place], left[best] = left[best], left[place]
        assert move == left[place][0]
