"""Perft: known counts, and python-chess's for positions that nobody has counted before."""

import os
import random
import sys
import threading
from pathlib import Path

import chess
import numpy as np
import pytest

from bluekrait.core import Board, legal_moves, make_move, native, perft
from bluekrait.core.compiler.jit import int64, record_layout, uint64
from bluekrait.core.counting.children import children_type
from bluekrait.core.counting.perft_table import probe, probe_small, store, store_small
from bluekrait.core.counting.perft_threads import Perft, useful_bytes
from bluekrait.core.counting.signatures import find_signatures
from bluekrait.core.memory.shared_memory import LEAST_BUCKETS, HashTable
from bluekrait.core.notation.fen import STARTING_FEN, FenError, parse_fen
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.core.records import BUCKET_BYTES, MAX_DEPTH, ChildColumns
from bluekrait.core.rules.bits import U64
from bluekrait.search.engine import ENTRIES_MODULE
from helpers.kernels import too_slow_interpreted, uncached_kernel
from helpers.oracles import position_of, random_boards, turn_of
from helpers.perft_suite import (
    IN_CHECK,
    KIWIPETE,
    LARGEST_COUNT,
    LOCKED,
    POSITION_3,
    POSITION_4,
    POSITION_5,
    STANDARD,
    SUITE,
    count,
    naive_perft,
)
from helpers.support import (
    cases,
    castling_boards,
    double_chess960_boards,
    double_chess960_set_up,
    en_passant_boards,
    engine,
    scattered_boards,
)

pytestmark = too_slow_interpreted  # test_interpreted.py counts small trees

ENDLESS = 12  # plies
ENTRY_BYTES = 16  # of the hash table


# --- known counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fen, counts", STANDARD.items())
def test_standard_positions(fen, counts):
    assert [count(fen, depth) for depth in range(len(counts) + 1)] == [1, *counts]


@pytest.mark.parametrize("fen, counts", STANDARD.items())
@pytest.mark.parametrize(
    "settings",
    [
        {"threads": 2},
        {"threads": 5},
        {"hash_mb": 64},
        {"hash_mb": 64, "threads": 2},
        {"hash_mb": 1, "threads": 8},
    ],
    ids=str,
)
def test_threads_and_hash_change_nothing(fen, counts, settings):
    assert [count(fen, depth, **settings) for depth in range(len(counts) + 1)] == [1, *counts]


@pytest.mark.parametrize("fen, counts", [entry for entry in SUITE if entry[0] != IN_CHECK])
def test_the_suite(fen, counts):
    depth = max(depth for depth, nodes in counts.items() if nodes < LARGEST_COUNT)
    assert count(fen, depth) == counts[depth]


def test_the_impossible_position_of_the_suite_is_refused():
    assert not chess.Board(IN_CHECK).is_valid()
    with pytest.raises(FenError, match="in check"):
        parse_fen(IN_CHECK)


# En-passant squares that no game can reach: the king was in check before the double push.
@pytest.mark.parametrize(
    "fen, nodes",
    [
        ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3", 711),
        ("1b1k4/8/8/1rPpK3/8/8/8/8 w - d6", 555),
        ("rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6", 2528),
    ],
)
def test_en_passant_squares_out_of_reach(fen, nodes):
    assert count(fen, 3) == count(fen, 3, hash_mb=1) == nodes
    assert naive_perft(chess.Board(f"{fen} 0 1"), 3) == nodes


def test_the_deepest_count():
    assert count(LOCKED, MAX_DEPTH - 1) == count(LOCKED, MAX_DEPTH - 1, hash_mb=1) == 1


# --- python-chess's counts ------------------------------------------------------------------------


@pytest.mark.parametrize("chess960", [False, True])
def test_random_games(chess960):
    for board in copies(random_boards(seed=31, games=3, plies=60, chess960=chess960), every=6):
        assert count(board.fen(), 3) == naive_perft(board, 3), board.fen()


def test_different_set_ups_for_the_two_sides():
    rng = random.Random(32)
    for board in [double_chess960_set_up(rng) for _ in range(12)]:
        assert count(board.fen(), 3) == naive_perft(board, 3), board.fen()


@pytest.mark.parametrize(
    "boards", [double_chess960_boards, castling_boards, en_passant_boards, scattered_boards]
)
def test_made_up_positions(boards):
    for board in boards(seed=33, count=300):
        assert count(board.fen(shredder=True), 2) == naive_perft(board, 2), board.fen()


# --- counts that must agree -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "boards", [double_chess960_boards, castling_boards, en_passant_boards, scattered_boards]
)
def test_children_made_in_vector_registers_are_those_of_moves(boards):
    for board in boards(seed=34, count=100):
        position = position_of(board)
        by_moves = sum(perft(make_move(position, move), 2) for move in legal_moves(position))
        fen = board.fen(shredder=True)
        assert perft(position, 3) == count(fen, 3, hash_mb=1) == by_moves, fen


def test_either_colour_counts_the_same():
    for board, position, _ in cases()[::100]:
        assert perft(position, 3) == perft(position_of(board.mirror()), 3), board.fen()


def test_the_board_in_a_mirror_counts_the_same():
    for board, position, _ in cases()[::100]:
        if not board.castling_rights:
            mirrored = board.transform(chess.flip_horizontal)
            assert perft(position, 3) == perft(position_of(mirrored), 3), board.fen()


@pytest.mark.parametrize("fen", [KIWIPETE, POSITION_3, POSITION_4, POSITION_5])
def test_walking_by_hand_counts_the_same(fen):
    def walk(position, depth):
        if depth == 0:
            return 1
        return sum(walk(make_move(position, move), depth - 1) for move in legal_moves(position))

    assert walk(parse_fen(fen), 2) == count(fen, 2) == perft(parse_fen(fen), 2)


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"hash_mb": 8, "threads": 2}], ids=str)
@pytest.mark.parametrize("fen", [KIWIPETE, chess.Board(POSITION_4).mirror().fen()])
def test_divide(fen, settings):
    divided = []
    nodes = count(fen, 5, on_move=lambda *entry: divided.append(entry), **settings)
    moves = engine().legal_moves()
    assert [move for move, _ in divided] == moves
    assert sum(nodes for _, nodes in divided) == nodes
    for move, nodes in divided:
        engine().set_position(fen, [move_to_uci(move, turn_of(chess.Board(fen)))])
        assert engine().perft(4).nodes == nodes


# --- running it -----------------------------------------------------------------------------------


def test_a_side_without_moves():
    mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    assert [count(mated, depth) for depth in range(4)] == [1, 0, 0, 0]
    assert count(mated, 5, threads=2, hash_mb=1) == 0


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"hash_mb": 8}], ids=str)
def test_stopping_from_another_thread(settings):
    counting = threading.Event()

    def stop_soon():
        counting.wait()
        engine().stop()

    stopper = threading.Thread(target=stop_soon)
    stopper.start()
    engine().set_position(None, [])
    result = engine().perft(ENDLESS, on_progress=lambda nodes, fraction: counting.set(), **settings)
    stopper.join()
    assert not result.complete
    assert count(STARTING_FEN, 4, **settings) == 197281


def test_a_count_that_was_stopped_is_not_kept():
    position = parse_fen("rnb1kbnr/pppp1ppp/8/4p3/5P1q/8/PPPPP1PP/RNBQKBNR w KQkq - 1 3")  # one legal move
    entries, depth = native.load(ENTRIES_MODULE), 6

    def stopped_count(table):
        perft = Perft(entries, 1, table)
        stopper = threading.Thread(target=lambda: (wait_for_nodes(perft), perft.stop()))
        stopper.start()
        result = perft.run(position, depth)
        perft.stop()
        stopper.join()
        return result

    def wait_for_nodes(perft):
        while not (perft._jobs[0].nodes or perft._jobs[0].stop):
            pass

    table = HashTable(16)
    while stopped_count(table).complete:
        table = HashTable(16)
    assert Perft(entries, 1, table).run(position, depth).nodes == Perft(entries, 1).run(position, depth).nodes


def test_progress():
    reports = []

    def watch(nodes, fraction):
        reports.append((nodes, fraction))
        if len(reports) == 3:
            engine().stop()

    engine().set_position(KIWIPETE, [])
    result = engine().perft(ENDLESS, on_progress=watch)
    assert reports == sorted(reports)
    assert all(0 <= nodes <= result.nodes and 0 <= fraction < 1 for nodes, fraction in reports)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_watcher_that_fails_ends_the_count(threads):
    def watch(nodes, fraction):
        raise ConnectionResetError("nobody listens any more")

    engine().set_position(None, [])
    with pytest.raises(ConnectionResetError):
        engine().perft(ENDLESS, threads=threads, on_progress=watch)
    assert count(STARTING_FEN, 4, threads=threads) == 197281


def test_where_a_thread_cannot_be_started_none_goes_on(monkeypatch):
    started, start = [], threading.Thread.start

    def start_one(thread):
        if started:
            raise RuntimeError("can't start new thread")
        start(thread)
        started.append(thread)

    monkeypatch.setattr(threading.Thread, "start", start_one)
    engine().set_position(None, [])
    with pytest.raises(RuntimeError, match="can't start"):
        engine().perft(ENDLESS, threads=2)
    assert not started[0].is_alive()


@pytest.mark.parametrize("depth", [-1, MAX_DEPTH])
def test_depths_out_of_bounds(depth):
    with pytest.raises(ValueError, match="depth"):
        engine().perft(depth)


@pytest.mark.parametrize("megabytes", [-1, 1 << 40])
def test_hash_tables_of_impossible_size(megabytes):
    with pytest.raises(ValueError, match="memory"):
        engine().perft(1, hash_mb=megabytes)


# The numbers of different positions are those of https://oeis.org/A083276.
@pytest.mark.parametrize("depth, positions", [(2, 1), (3, 20), (4, 400), (5, 5362), (6, 72078), (7, 822518)])
def test_the_hash_table_has_room_for_every_subtree_and_not_much_more(depth, positions):
    size = useful_bytes(engine_entries(), parse_fen(STARTING_FEN), depth)
    assert 1 <= size / (ENTRY_BYTES * positions) < 5


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell memory in this way")
def test_no_more_of_the_hash_table_is_touched_than_helps():
    before = resident_bytes()
    table = HashTable(1024)
    table.use(1 << 20)
    assert table.buckets * BUCKET_BYTES == 1 << 20
    position = parse_fen(KIWIPETE)
    assert Perft(engine_entries(), table=table).run(position, 4).nodes == STANDARD[KIWIPETE][3]
    assert resident_bytes() - before < 1 << 26


@pytest.mark.parametrize(
    "size, used",
    [(1, LEAST_BUCKETS), (100_000, 100_000 // BUCKET_BYTES), (1 << 40, (1 << 20) // BUCKET_BYTES)],
)
def test_the_part_of_a_hash_table_in_use(size, used):
    table = HashTable(1)
    table.use(size)
    assert table.buckets == used


def test_signatures_tell_boards_apart():
    """All positions up to three plies from the start: by either half of the signature, none is another."""
    boards, tags, places = set(), set(), set()
    level = {chess.Board().epd(): chess.Board()}
    for _ in range(3):
        level = {child.epd(): child for board in level.values() for child in children_of(board)}
        for words, (tag, place) in map(words_and_signature, level.values()):
            boards.add(words)
            tags.add(tag)
            places.add(place)
    assert len(tags) == len(places) == len(boards) > 5000


EVERY_PLACE = 1 << 32  # so many buckets that the place tells them all apart


@uncached_kernel(int64(children_type))
def find_first_signature(children):
    return find_signatures(children, 1, U64(0), U64(EVERY_PLACE))


def words_and_signature(board):
    """The words of a board without its en-passant square, its tag, and the first half of its place."""
    words = position_of(board).board[:7]
    children = np.zeros(1, record_layout(ChildColumns))[0]
    for name, word in zip(Board._fields, words):
        children[name][0] = word
    find_first_signature(children)
    return tuple(map(int, words)), (int(children.tags[0]), int(children.buckets[0]) // BUCKET_BYTES)


@uncached_kernel(uint64(uint64, uint64, uint64))
def stored_and_probed(bucket, tag, count):
    store_small(bucket, tag, count)
    return probe_small(bucket, tag)


def test_counts_of_two_plies_are_kept_in_one_word():
    """A bucket keeps its largest counts; what does not fit into 16 bits is not kept."""
    memory = np.zeros(BUCKET_BYTES // 8 + 1, np.uint64)
    bucket, tags = U64(memory.ctypes.data), [U64(number << 48 | 0xABCD) for number in range(1, 10)]
    for nodes, tag in enumerate(tags, start=30):
        assert stored_and_probed(bucket, tag, U64(nodes)) == nodes
    assert sorted(int(word) & 0xFFFF for word in memory[:-1]) == list(range(31, 39))
    assert stored_and_probed(bucket, tags[0], U64(1 << 16)) == 0
    assert memory[-1] == 0


@uncached_kernel(uint64(uint64, uint64, uint64))
def deep_stored_and_probed(bucket, tag, count):
    store(bucket, tag, count)
    return probe(bucket, tag)


@uncached_kernel(uint64(uint64, uint64))
def deep_probed(bucket, tag):
    return probe(bucket, tag)


def test_larger_counts_are_kept_in_two_words():
    """A bucket keeps its largest counts."""
    memory = np.zeros(BUCKET_BYTES // 8 + 1, np.uint64)
    bucket, tags = U64(memory.ctypes.data), [U64(number << 48 | 0xABCD) for number in range(1, 6)]
    for tag, nodes in zip(tags, (50_000, 30_000, 1 << 40, 20_000, 40_000), strict=True):
        assert deep_stored_and_probed(bucket, tag, U64(nodes)) == nodes
    assert [deep_probed(bucket, tag) for tag in tags] == [50_000, 30_000, 1 << 40, 0, 40_000]
    assert memory[-1] == 0


def test_a_count_that_two_threads_have_written_half_each_is_not_found():
    torn, other = np.zeros((2, BUCKET_BYTES // 8), np.uint64)
    one, another = U64(1 << 48 | 0xABCD), U64(2 << 48 | 0xABCD)
    deep_stored_and_probed(U64(torn.ctypes.data), one, U64(30))
    deep_stored_and_probed(U64(other.ctypes.data), another, U64(31))
    torn[0] = other[0]
    assert [deep_probed(U64(torn.ctypes.data), tag) for tag in (one, another)] == [0, 0]


def children_of(board):
    """The boards after each move."""
    for move in board.legal_moves:
        board.push(move)
        yield board.copy(stack=False)
        board.pop()


def engine_entries():
    """The compiled functions that count."""
    return native.load(ENTRIES_MODULE)


def resident_bytes():
    """The memory that this process has in use."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def copies(boards, every):
    """Some of the boards that a generator plays on."""
    return [board.copy(stack=False) for number, board in enumerate(boards) if number % every == 0]
