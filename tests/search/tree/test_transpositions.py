"""The transposition table: what comes back was stored, whoever writes at the same time."""

import random
import threading
from ctypes import addressof

import chess
import numpy as np
import pytest
from numba import types

from bluekrait.core import make_move
from bluekrait.core.board import PAWN, QUEEN
from bluekrait.core.compiler.jit import int64, uint64
from bluekrait.core.move import pack
from bluekrait.core.rules.bits import U64, signed
from bluekrait.search.engine import load_engine
from bluekrait.search.limits import Limits, Settings
from bluekrait.search.scores import (
    DECIDED_BOUND,
    EXACT,
    LOWER,
    MAX_PLY,
    NO_BOUND,
    UNKNOWN,
    UPPER,
    mate_in,
    mated_in,
    won_by_tablebase,
)
from bluekrait.search.thread_record import SearchThread
from bluekrait.search.transposition_layout import CLUSTER_BYTES, ENTRY_BYTES, GENERATIONS, SEAL
from bluekrait.search.transposition_memory import TranspositionTable
from bluekrait.search.tree.state import thread_at
from bluekrait.search.tree.transpositions import TTEntry, probe, store, store_evaluation, tt_entry_type
from helpers.kernels import uncached_kernel
from helpers.search.searching import searcher, think

PLAIN = DECIDED_BOUND - 1  # the largest score that is no mate
MOVES = 1 << 24
DEEPEST = 255
ENTRIES = CLUSTER_BYTES // ENTRY_BYTES
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FOUND_NOTHING = TTEntry(0, 0, UNKNOWN, 0, NO_BOUND, 0)

SPREAD = U64(0x9E3779B97F4A7C15)
ROUNDS = 3_000_000
KEYS, VARIANTS, CLUSTERS = 16, 16, 1


@uncached_kernel(tt_entry_type(uint64, uint64, int64, int64))
def probe_entry(address, key, ply, clock):
    """Probe the table of a thread."""
    return probe(thread_at(address), key, ply, clock)


@uncached_kernel(int64(uint64, uint64, int64, tt_entry_type))
def store_entry(address, key, ply, entry):
    """Store an entry in the table of a thread."""
    return store(thread_at(address), key, ply, entry)


@uncached_kernel(int64(uint64, uint64, int64))
def store_evaluation_of(address, key, evaluation):
    """Store nothing but an evaluation in the table of a thread."""
    return store_evaluation(thread_at(address), key, evaluation)


class Memory:
    """A table, and a thread that uses it."""

    def __init__(self, clusters=None):
        self.table, self.thread = TranspositionTable(1), SearchThread()
        self.thread.table = self.table.address
        self.thread.clusters = clusters or self.table.clusters
        self.begin_search()

    def begin_search(self):
        """From now on, entries are newer."""
        self.table.begin_search()
        self.thread.generation = self.table.generation

    def probe(self, key, ply=0, clock=0):
        """The entry of a key."""
        return TTEntry(*probe_entry(addressof(self.thread), key, ply, clock))

    def store(self, key, entry, ply=0):
        """Store an entry; true if it was stored."""
        return store_entry(addressof(self.thread), key, ply, entry)


def key_of(number):
    """A key of the first cluster; no two differ in the lowest byte only."""
    return (number * int(SPREAD) & (1 << 64) - 1) & ~0xFFFFFFFF | number << 8


def entry(depth=5, bound=EXACT, move=77, score=12, evaluation=-9, was_pv=0):
    return TTEntry(move, score, evaluation, depth, bound, was_pv)


@pytest.fixture
def memory():
    return Memory()


# --- one thread ---------------------------------------------------------------------------------------


def test_an_empty_table_knows_nothing(memory):
    rng = random.Random(1)
    assert all(memory.probe(rng.getrandbits(64)) == FOUND_NOTHING for _ in range(100))


def random_entry(rng):
    """Anything that a search may have found out."""
    evaluation = rng.choice([UNKNOWN, rng.randint(-PLAIN, PLAIN)])
    score = rng.choice([-PLAIN, -1, 0, 1, PLAIN, rng.randint(-PLAIN, PLAIN)])
    depth, bound = rng.randint(0, DEEPEST), rng.choice([UPPER, LOWER, EXACT])
    return TTEntry(rng.randrange(MOVES), score, evaluation, depth, bound, rng.randrange(2))


def test_what_is_stored_comes_back(memory):
    rng = random.Random(2)
    for _ in range(2000):
        key, stored = rng.getrandbits(64), random_entry(rng)
        if memory.store(key, stored):
            assert memory.probe(key) in (stored, stored._replace(move=memory.probe(key).move))
            assert stored.move in (0, memory.probe(key).move)


@pytest.mark.parametrize("evaluation", [-PLAIN, 0, 31])
def test_an_evaluation_may_be_all_that_is_known(memory, evaluation):
    store_evaluation_of(addressof(memory.thread), key_of(3), evaluation)
    assert memory.probe(key_of(3)) == TTEntry(0, 0, evaluation, 0, NO_BOUND, 0)
    memory.store(key_of(3), entry())
    assert memory.probe(key_of(3)) == entry()


@pytest.mark.parametrize("stored_at", [0, 1, 17, 100])
@pytest.mark.parametrize("probed_at", [0, 2, 60])
def test_mates_are_counted_from_where_they_are_needed(memory, stored_at, probed_at):
    for distance in (1, 2, 9):
        for score in (mate_in(stored_at + distance), mated_in(stored_at + distance)):
            memory.store(key_of(3), entry(score=score), ply=stored_at)
            expected = mate_in(probed_at + distance) if score > 0 else mated_in(probed_at + distance)
            assert memory.probe(key_of(3), ply=probed_at).score == expected


@pytest.mark.parametrize("score_of", [mate_in, mated_in])
def test_a_mate_after_the_fifty_move_rule_or_the_deepest_line_is_not_believed(memory, score_of):
    stored = entry(move=7, score=score_of(30), evaluation=5)
    memory.store(key_of(3), stored)
    unsure = TTEntry(7, 0, 5, 0, NO_BOUND, stored.was_pv)
    assert memory.probe(key_of(3), clock=70).score == score_of(30)
    assert memory.probe(key_of(3), clock=71) == unsure
    assert memory.probe(key_of(3), ply=MAX_PLY - 30).score == score_of(MAX_PLY)
    assert memory.probe(key_of(3), ply=MAX_PLY - 29) == unsure


@pytest.mark.parametrize("sign", [1, -1])
def test_a_tablebase_win_that_comes_too_late_is_not_believed(memory, sign):
    stored = entry(score=sign * won_by_tablebase(70), evaluation=5)
    memory.store(key_of(3), stored, ply=10)  # so the table is 60 half-moves away
    unsure = stored._replace(score=0, depth=0, bound=NO_BOUND)
    assert memory.probe(key_of(3), ply=MAX_PLY - 60).score == sign * won_by_tablebase(MAX_PLY)
    assert memory.probe(key_of(3), ply=MAX_PLY - 59) == unsure
    assert memory.probe(key_of(3), clock=40).score == sign * won_by_tablebase(60)
    assert memory.probe(key_of(3), clock=41) == unsure


def test_a_cluster_holds_several_positions(memory):
    for number in range(ENTRIES):
        memory.store(key_of(number), entry(depth=number + 1))
    assert [memory.probe(key_of(number)).depth for number in range(ENTRIES)] == [1, 2, 3, 4]


def test_keys_that_differ_above_the_lowest_byte_are_told_apart(memory):
    key = 0x123456789ABCDEF0
    memory.store(key, entry())
    for bit in range(8, 64):
        assert memory.probe(key ^ 1 << bit) == FOUND_NOTHING


# --- what gives way to what --------------------------------------------------------------------------


def test_the_shallowest_gives_way(memory):
    for number, depth in enumerate([9, 4, 7, 8]):
        memory.store(key_of(number), entry(depth=depth))
    memory.store(key_of(9), entry(depth=1))
    assert [memory.probe(key_of(number)).depth for number in (0, 1, 2, 3, 9)] == [9, 0, 7, 8, 1]


def test_the_old_gives_way_before_the_shallow(memory):
    memory.store(key_of(0), entry(depth=9))
    for _ in range(4):
        memory.begin_search()
    for number in (1, 2, 3):
        memory.store(key_of(number), entry(depth=2))
    memory.store(key_of(4), entry(depth=1))
    assert [memory.probe(key_of(number)).depth for number in range(5)] == [0, 2, 2, 2, 1]


def test_age_wraps_round(memory):
    for number in range(3):
        memory.store(key_of(number), entry(depth=9))
    for _ in range(GENERATIONS - 1):
        memory.begin_search()
    memory.store(key_of(3), entry(depth=1))
    memory.store(key_of(4), entry(depth=1))
    assert memory.probe(key_of(3)).depth == memory.probe(key_of(4)).depth == 1


def test_the_same_position_is_never_there_twice(memory):
    for depth in range(1, 30):
        memory.store(key_of(1), entry(depth=depth))
        assert memory.probe(key_of(1)).depth == depth
    for number in (2, 3, 4):
        memory.store(key_of(number), entry(depth=1))
    assert memory.probe(key_of(1)).depth == 29
    assert all(memory.probe(key_of(number)).depth == 1 for number in (2, 3, 4))


def test_what_is_much_deeper_stays_unless_the_new_is_exact_or_the_old_is_of_another_search(memory):
    deep, shallow = entry(depth=20), entry(depth=3, bound=LOWER)
    memory.store(key_of(1), deep)
    assert not memory.store(key_of(1), shallow)
    assert memory.probe(key_of(1)) == deep
    assert memory.store(key_of(1), entry(depth=3))
    memory.store(key_of(1), deep)
    memory.begin_search()
    assert memory.store(key_of(1), shallow)
    assert memory.probe(key_of(1)) == shallow


def test_a_known_move_stays_if_the_new_entry_has_none(memory):
    memory.store(key_of(1), entry(move=55))
    memory.store(key_of(1), entry(move=0, depth=6))
    assert memory.probe(key_of(1)) == entry(move=55, depth=6)
    memory.store(key_of(1), entry(move=66, depth=7))
    assert memory.probe(key_of(1)).move == 66


# --- the table as Python sees it -----------------------------------------------------------------------


def test_how_full_it_is_counts_only_the_present_search(memory):
    assert memory.table.permille_used() == 0
    fill(memory)
    assert memory.table.permille_used() > 950
    memory.begin_search()
    assert memory.table.permille_used() == 0
    fill(memory, share=0.25)
    assert 30 < memory.table.permille_used() < 950


def fill(memory, share=1.0):
    """Store random entries in those clusters that `permille_used` looks at."""
    memory.thread.clusters = 250
    rng = random.Random(4)
    for _ in range(int(4000 * share)):
        memory.store(rng.getrandbits(64), entry(bound=LOWER))


def test_clearing_forgets_everything(memory):
    memory.store(key_of(1), entry())
    memory.table.clear()
    assert memory.probe(key_of(1)) == FOUND_NOTHING
    assert memory.table.permille_used() == 0


# --- what a search stores -------------------------------------------------------------------------------


def test_of_several_lines_the_best_is_stored_for_the_root():
    answer, worker = think(KIWIPETE, settings=Settings(multi_pv=3), depth=4), searcher()._workers[0]
    stored = TTEntry(*probe_entry(addressof(worker.record), searcher().position.key, 0, 0))
    assert stored.move == answer.choice.move % MOVES
    assert (stored.score, stored.depth, stored.bound) == (worker.root(0).score, 4, EXACT)


# White has no queen: no position here is a draw, the score of all that a stopped search leaves open.
QUEEN_DOWN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"


def test_what_a_stopped_search_leaves_open_is_not_stored():
    engine = load_engine()
    engine.set_hash(1)
    for nodes in range(1000, 9000, 197):
        think(QUEEN_DOWN, engine=engine, nodes=nodes)
        scores = stored_scores(engine._table)
        assert len(scores) > nodes // 4
        assert scores.all() and abs(scores).max() < DECIDED_BOUND


def stored_scores(table):
    """The scores of all entries that have a bound."""
    data, check = np.frombuffer(table._memory.first_bytes(table._memory.size), np.uint64).reshape(-1, 2).T
    has_bound = (data != 0) & ((data * U64(SEAL) ^ check) & U64(EXACT) != 0)
    return (data[has_bound] >> U64(24) & U64(0xFFFF)).astype(int) - (1 << 15)


@pytest.mark.parametrize("depth", [1, 4])
def test_a_stored_move_that_is_not_legal_is_not_made(depth):
    """Positions may share a key: here the stored reply is always that the pawn on a7 takes the queen."""
    expected = think(KIWIPETE, depth=depth)
    engine = searcher()
    engine.new_game()
    record, position = engine._workers[0].record, engine.position
    for move in engine.legal_moves():
        child = make_move(position, move)
        queen = child.board.diagonals & child.board.orthogonals & ~child.board.own
        taking = pack(chess.A2, queen.bit_length() - 1, PAWN, QUEEN)
        store_entry(addressof(record), child.key, 0, FOUND_NOTHING._replace(move=taking))
    choice = engine.go(Limits(depth=depth))
    assert (choice.move, choice.lines[0].score) == (expected.choice.move, expected.score)
    assert record.nodes == expected.nodes


# --- two threads --------------------------------------------------------------------------------------


@uncached_kernel(tt_entry_type(uint64, int64))
def told(key, variant):
    """One of the entries that are stored for a key: half of them differ only a little, the others in all."""
    mixed = key * SPREAD
    move, label = signed(mixed & U64(MOVES - 1)) ^ variant, variant % 3 + 1
    if variant >= VARIANTS // 2:
        mixed = (mixed ^ U64(variant)) * SPREAD
    score = signed(mixed >> U64(32) & U64(0xFFFF)) % PLAIN
    return TTEntry(move | 1 << 20, score, -score, signed(mixed >> U64(50) & U64(3)), label, variant & 1)


@uncached_kernel(types.UniTuple(int64, 2)(uint64, uint64, int64))
def storm(address, seed, rounds):
    """Store and look up random keys; how many were found, and how many of those nobody has stored."""
    thread, found, wrong, state = thread_at(address), 0, 0, seed
    for _ in range(rounds):
        state = state * U64(6364136223846793005) + U64(1442695040888963407)
        key = (state >> U64(32) & U64(KEYS - 1)) * SPREAD
        if state >> U64(63):
            store(thread, key, 0, told(key, signed(state >> U64(50)) % VARIANTS))
        else:
            known = probe(thread, key, 0, 0)
            if known.bound != NO_BOUND:
                is_true = False
                for variant in range(VARIANTS):
                    is_true = is_true or known == told(key, variant)
                found += 1
                wrong += 0 if is_true else 1
    return found, wrong


def test_nothing_false_comes_back_while_two_threads_write(memory):
    memory.thread.clusters = CLUSTERS
    results = {}

    def run(seed):
        results[seed] = storm(addressof(memory.thread), seed, ROUNDS)

    storm.prepare()
    racers = [threading.Thread(target=run, args=(seed,)) for seed in (1, 2)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    for found, wrong in results.values():
        assert found > ROUNDS // 50
        assert wrong == 0
