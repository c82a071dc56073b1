"""Tablebases inside the search: files, numbers of positions, values, and what the search makes of them.
python-chess reads the same files, and is asked for comparison.

The tables of three pieces are here. Where SYZYGY_PATH names a directory with more, those are read as well.
"""

import ctypes
import os
import random
from pathlib import Path

import chess
import chess.syzygy
import pytest

from bluekrait.core.compiler.jit import boolean, int64, kernel, position_type, uint64
from bluekrait.core.move import captured_of
from bluekrait.core.notation.fen import parse_fen
from bluekrait.core.records import write_record
from bluekrait.core.rules.position_records import read_position
from bluekrait.search.limits import Settings
from bluekrait.search.scores import MAX_PLY
from bluekrait.search.syzygy.huffman import symbol_lengths
from bluekrait.search.syzygy.position_number import (
    first_pawn,
    mirrored,
    number_with_pawns,
    number_with_pieces,
    pieces_of,
    table_at,
    table_set_at,
)
from bluekrait.search.syzygy.table_library import TableLibrary
from bluekrait.search.syzygy.table_records import FILES, LEAF, MOST_PIECES, RIGHT_SHIFT
from bluekrait.search.syzygy.wdl import BLESSED_LOSS, DRAW, LOSS, WIN
from bluekrait.search.thread_record import SearchThread
from bluekrait.search.tree.state import thread_at
from bluekrait.search.tree.tablebase_probe import (
    NOT_KNOWN,
    as_white,
    material_of,
    may_probe_tablebases,
    probe_wdl,
    table_for,
)
from helpers.oracles import position_of
from helpers.paths import DATA
from helpers.search.searching import searcher, think
from helpers.search.syzygy_files import made_up_outcomes, random_board

SMALL = str(DATA / "syzygy")
WITH_TABLES = Settings(tablebase_pieces=7)


@kernel(int64(uint64))
def asked(address):
    """What the tables know of a thread's position."""
    thread = thread_at(address)
    return probe_wdl(thread, read_position(thread.position).board, 0, LOSS, WIN)


@kernel(int64(uint64))
def numbered(address):
    """The number of a thread's position in its table."""
    thread = thread_at(address)
    board, table_set, side = read_position(thread.position).board, table_set_at(thread.tablebases), 0
    found = table_for(table_set, material_of(board, board.own) | material_of(board, ~board.own) << uint64(20))
    if found & uint64(1):
        board, side = as_white(board), 1
    table = table_at(found & ~uint64(1))
    if table.has_pawns == 0:
        return number_with_pieces(table_set, table.views[side * FILES], board, table.leaders)
    pawns = pieces_of(board, table.views[0].leaders[0])
    first = first_pawn(table_set, pawns)
    if first & uint64(7) > uint64(3):
        board, first = mirrored(board), first ^ uint64(7)
    view = table.views[side * FILES + int(first & uint64(7))]
    return number_with_pawns(table_set, view, board, first)


@kernel(boolean(uint64, position_type, int64, int64))
def may_be_asked(address, position, ply, depth):
    """True if the tables should be asked about a position so far from the root."""
    return may_probe_tablebases(thread_at(address), position, ply, depth)


def thread_for(library):
    """A search thread that asks these tables."""
    record = SearchThread()
    record.tablebases = library.address
    record.library = library  # which owns the memory
    return record


def ask(record, board, kernel=asked):
    write_record(record.position, parse_fen(board.fen()))
    return kernel(ctypes.addressof(record))


# --- values -----------------------------------------------------------------------------------------


def directories():
    yield SMALL
    if os.environ.get("SYZYGY_PATH"):
        yield os.environ["SYZYGY_PATH"]


@pytest.mark.parametrize("directory", [*directories()])
def test_values_are_those_that_python_chess_reads(directory):
    library, rng = TableLibrary([directory]), random.Random(1)
    assert not library.problems
    record = thread_for(library)
    with chess.syzygy.open_tablebase(directory, load_dtz=False) as tables:
        for file in library.files:
            for _ in range(600):
                board = random_board(rng, file.name)
                assert ask(record, board) == tables.probe_wdl(board), board.fen()


@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", DRAW),
        ("8/8/4k3/8/4K3/8/4P3/8 b - - 0 1", LOSS),
        ("8/4P3/4K3/8/8/8/8/k7 w - - 0 1", WIN),
        ("8/8/8/8/8/2k5/8/K6R b - - 0 1", LOSS),
        ("8/8/8/8/8/k7/8/K6B w - - 0 1", DRAW),
        ("8/8/8/8/8/8/1r6/K1k5 w - - 0 1", DRAW),  # the rook can be taken
        ("8/8/8/8/8/2k5/8/KQ5r w - - 0 1", WIN),  # and here the king is left with a queen
    ],
)
def test_textbook(fen, value):
    record = thread_for(TableLibrary([SMALL]))
    assert ask(record, chess.Board(fen)) == value


def test_without_a_table_nothing_is_known():
    record = thread_for(TableLibrary([SMALL]))
    for fen in ("8/8/8/8/2n5/2k5/8/K6R w - - 0 1", "8/8/8/8/8/2k5/6RR/K7 w - - 0 1"):
        assert ask(record, chess.Board(fen)) == NOT_KNOWN
    assert ask(thread_for(TableLibrary([])), chess.Board("8/8/8/8/8/2k5/8/K6R w - - 0 1")) == NOT_KNOWN


# --- numbers ------------------------------------------------------------------------------------------

# Kings with and without others that stand alone; pawns of one side and of both; up to seven pieces.
NAMES = ("KRvKN", "KNNvK", "KBBvKNN", "KQRBvKRN", "KNNNvKBB", "KRRvKRR", "KBNNvKQQ", "KRBNvKRB")
NAMES += ("KBBvKR",)  # both of whose keys are at the end of the hash table, where the next place is the first
NAMES += ("KPPvK", "KRPvKRP", "KPPPvKP", "KPPPvKPP", "KQPPvKQP", "KBPPPvKB", "KPPPvKNP", "KRPPvKRP")


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_python_chess(name, tmp_path, monkeypatch):
    rng = random.Random(name)
    (tmp_path / f"{name}.rtbw").write_bytes(made_up_outcomes(name, rng))
    library = TableLibrary([str(tmp_path)])
    assert [file.name for file in library.files] == [name] and library.largest == len(name) - 1
    record = thread_for(library)
    monkeypatch.setattr(chess.syzygy.Table, "decompress_pairs", lambda self, pairs, number: number + 2)
    with chess.syzygy.WdlTable(str(tmp_path / f"{name}.rtbw")) as table:
        for _ in range(300):
            board = random_board(rng, name, en_passant=0)
            assert ask(record, board, numbered) == table.probe_wdl_table(board), board.fen()


@pytest.mark.parametrize(
    ("fen", "value"),
    [("8/8/6k1/6Pp/7K/5q2/8/8 w - h6 0 1", LOSS), ("8/8/6k1/6Pp/7K/8/8/5q2 w - h6 0 1", WIN)],
)
def test_a_table_is_not_asked_when_a_capture_in_passing_is_forced(fen, value, tmp_path):
    """It would take that for a stalemate. These tables say that whoever moves wins."""
    for name in ("KQPvKP", "KQvKP"):
        (tmp_path / f"{name}.rtbw").write_bytes(made_up_outcomes(name, random.Random(1), WIN))
    assert ask(thread_for(TableLibrary([str(tmp_path), SMALL])), chess.Board(fen)) == value


# --- files ---------------------------------------------------------------------------------------------


def test_what_is_no_table_is_told_and_left_out(tmp_path):
    good = (Path(SMALL) / "KPvK.rtbw").read_bytes()
    (tmp_path / "KPvK.rtbw").write_bytes(good[:5000])
    (tmp_path / "KRvK.rtbw").write_bytes(good)
    (tmp_path / "KQvK.rtbw").write_bytes(b"something else altogether")
    (tmp_path / "KBvK.rtbw").write_bytes(b"")
    (tmp_path / "KNvK.rtbw").write_bytes(good[:3])
    (tmp_path / "KXvK.rtbw").write_bytes(good)
    (tmp_path / "notes.txt").write_bytes(b"")
    library = TableLibrary([str(tmp_path)])
    assert library.files == [] and len(library.problems) == 5
    problems = "\n".join(library.problems)
    assert "KPvK.rtbw: it is cut off" in problems and "KQvK.rtbw: not a table" in problems
    assert "KRvK.rtbw: its contents are not what its name says" in problems


ROOK_TABLE = Path(SMALL) / "KRvK.rtbw"
VALUES = 64  # where the indices, lengths and blocks of that file begin

DAMAGED = [  # a byte of that file, what it is changed to, and what is told
    (4, 0, "its contents are not what its name says"),  # both sides have the same
    (7, 0x07, "a piece is not known"),  # White's
    (8, 0x33, "its contents are not what its name says"),  # a bishop
    (7, 0x44, "its contents are not what its name says"),  # a second rook, and no king
    (11, 5, "an outcome is not known"),  # White's
    (14, 64, "its compression is not known"),  # values in a span
    (16, 0, "its compression is not known"),  # blocks
    (20, 0, "its compression is not known"),  # longest code
    (20, 33, "its compression is not known"),
    (21, 0, "its compression is not known"),  # shortest code
    (22, 200, "it has codes without a symbol"),
    (24, 1, "it has codes without a symbol"),  # codes that are less than nothing
    (32, 0, "it has codes without a symbol"),  # symbols
    (34, 200, "its symbols are made of others that are missing"),
    (34, 0, "its symbols are made of themselves"),
    (55, 5, "an outcome is not known"),
]


@pytest.mark.parametrize(("byte", "value", "problem"), DAMAGED)
def test_a_table_with_a_damaged_head_is_refused(byte, value, problem, tmp_path):
    content = bytearray(ROOK_TABLE.read_bytes())
    content[byte] = value
    (tmp_path / ROOK_TABLE.name).write_bytes(content)
    library = TableLibrary([str(tmp_path)])
    assert library.files == []
    assert library.problems == [f"{tmp_path / ROOK_TABLE.name}: {problem}"]


@pytest.mark.parametrize(("name", "length"), [("KRvK.rtbw", 144), ("KPvK.rtbw", 80)])
def test_a_table_that_is_cut_off_where_a_file_could_end_is_refused(name, length, tmp_path):
    (tmp_path / name).write_bytes(Path(SMALL, name).read_bytes()[:length])
    assert TableLibrary([str(tmp_path)]).problems == [f"{tmp_path / name}: it is cut off"]


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("KRPvKR", [6, 1, 4, 14, 12]),  # the pawn does not come first
        ("KNNvKBB", [6, 14, 2, 11, 2, 11]),  # pieces of a kind do not stand together
        ("KNNvKBB", [2, 2, 6, 14, 11, 11]),  # the first two are of one kind
    ],
)
def test_pieces_in_an_order_in_which_they_cannot_be_numbered_are_refused(name, pieces, tmp_path):
    content = bytearray(made_up_outcomes(name, random.Random(1)))
    content[6 : 6 + len(pieces)] = [piece * 0x11 for piece in pieces]  # the same in both views
    (tmp_path / f"{name}.rtbw").write_bytes(content)
    problem = "its contents are not what its name says"
    assert TableLibrary([str(tmp_path)]).problems == [f"{tmp_path / name}.rtbw: {problem}"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / ROOK_TABLE.name)
    assert TableLibrary([str(tmp_path)]).problems == [
        f"{tmp_path / ROOK_TABLE.name}: it is not an ordinary file"
    ]


def test_symbols_stand_for_256_values_at_most():
    doubled = [LEAF << RIGHT_SHIFT] + [half | half << RIGHT_SHIFT for half in range(9)]
    assert symbol_lengths(doubled[:-1])[-1] == 255
    with pytest.raises(ValueError, match="too long"):
        symbol_lengths(doubled)


def test_symbols_may_be_made_of_later_ones():
    leaf = LEAF << RIGHT_SHIFT
    assert symbol_lengths([1 | 2 << RIGHT_SHIFT, 2 | 3 << RIGHT_SHIFT, leaf, leaf]) == [2, 1, 0, 0]


@pytest.mark.parametrize("damage", [b"\xff", b"\x55"])
def test_damaged_values_lead_nowhere_else(damage, talk, tmp_path):
    content = ROOK_TABLE.read_bytes()
    (tmp_path / ROOK_TABLE.name).write_bytes(content[:VALUES] + damage * (len(content) - VALUES))
    engine = talk()
    engine.ask(f"setoption name SyzygyPath value {tmp_path}")
    engine.say("position fen 8/8/8/8/3k4/8/8/K6R w - - 0 1", "go depth 4")
    engine.hear("^bestmove")


@pytest.mark.parametrize("name", ["KvK", "KQvKRvK", "QKvK", "KQRBNvKRB", "K"])
def test_names_that_no_table_can_have_are_passed_over(name, tmp_path):
    (tmp_path / f"{name}.rtbw").write_bytes(ROOK_TABLE.read_bytes())
    library = TableLibrary([str(tmp_path)])
    assert (library.files, library.problems, library.largest) == ([], [], 0)


def test_the_first_directory_counts(tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes(b"")
    assert len(TableLibrary([SMALL, str(tmp_path)]).files) == 5
    assert len(TableLibrary([str(tmp_path), SMALL]).files) == 4


# --- the search ------------------------------------------------------------------------------------------

TAKES_AND_WINS = "8/5k2/8/8/5n2/8/1K6/5Q2 w - - 0 1"


@pytest.fixture
def engine():
    """An engine with the tables of three pieces."""
    engine = searcher()
    engine.set_tablebases(TableLibrary([SMALL]))
    yield engine
    engine.set_tablebases(None)


def test_a_capture_into_a_won_table_is_a_win(engine):
    answer = think(TAKES_AND_WINS, settings=WITH_TABLES, engine=engine, depth=4)
    assert answer.move == "f1f4" and answer.best.tablebase_hits > 0
    assert answer.score.centipawns == 20_000 - 1 and answer.best.win_draw_loss == (1000, 0, 0)


def test_whoever_runs_into_a_lost_table_has_lost(engine):
    fen = chess.Board(TAKES_AND_WINS).mirror().fen().replace(" b ", " w ")  # the queen is attacked by nobody
    answer = think(fen, settings=WITH_TABLES, engine=engine, depth=6)
    assert answer.best.tablebase_hits > 0 and answer.score.centipawns < -500


@pytest.mark.parametrize(("fifty_moves", "centipawns"), [(True, 1), (False, 20_000 - 1)])
def test_a_win_that_comes_too_late_is_hardly_more_than_a_draw(engine, tmp_path, fifty_moves, centipawns):
    (tmp_path / "KQvK.rtbw").write_bytes(made_up_outcomes("KQvK", random.Random(1), BLESSED_LOSS))
    engine.set_tablebases(TableLibrary([str(tmp_path)]))
    engine.set_position(TAKES_AND_WINS, [])
    (capture,) = (move for move in engine.legal_moves() if captured_of(move))
    settings = WITH_TABLES._replace(fifty_moves=fifty_moves)
    answer = think(TAKES_AND_WINS, settings=settings, engine=engine, depth=4, search_moves=(capture,))
    assert answer.score.centipawns == centipawns


def test_mates_are_still_found(engine):
    answer = think("7k/5K2/8/8/8/8/1n6/6Q1 w - - 0 1", settings=WITH_TABLES, engine=engine, depth=4)
    assert answer.score.mate == 1


@pytest.mark.parametrize(
    ("fen", "ply", "depth", "expected"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 9, 5, True),
        ("4k3/8/8/8/8/8/8/4K2R w - - 1 1", 9, 5, False),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 9, 5, False),
        ("4k3/8/8/8/8/8/7P/4K2R w - - 0 1", 9, 5, False),  # the tables are of three pieces
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 9, 4, False),  # for those, not deep enough
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 9, 0, True),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", MAX_PLY - MOST_PIECES - 1, 5, True),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", MAX_PLY - MOST_PIECES, 5, False),  # no room for captures
    ],
)
def test_which_positions_are_looked_up(fen, ply, depth, expected):
    record = SearchThread(tablebase_pieces=3, tablebase_depth=5)
    assert may_be_asked(ctypes.addressof(record), position_of(chess.Board(fen)), ply, depth) == expected


def test_tables_are_asked_only_if_wanted(engine):
    for settings in (None, Settings(tablebase_pieces=2), Settings(tablebase_pieces=3, tablebase_depth=50)):
        answer = think(TAKES_AND_WINS, settings=settings, engine=engine, depth=4)
        assert answer.best.tablebase_hits == 0 and answer.score.centipawns < 2000


def test_threads_may_ask_at_once(engine):
    engine.set_threads(3)
    try:
        for _ in range(50):  # on a busy machine the first thread may be done before the others begin
            answer = think(TAKES_AND_WINS, settings=WITH_TABLES, engine=engine, nodes=50_000)
            assert answer.score.centipawns == 20_000 - 1
            askers = sum(worker.record.tablebase_hits > 0 for worker in engine._workers)
            if askers > 1:
                break
        assert askers > 1
    finally:
        engine.set_threads(1)


def test_front_end_asks_the_tables(talk):
    engine = talk()
    assert engine.ask(f"setoption name SyzygyPath value {SMALL}") == [
        "info string 5 tables found, 5 with distances"
    ]
    engine.say(f"position fen {TAKES_AND_WINS}", "go depth 4")
    line = engine.hear("^bestmove f1f4")[-2]
    assert " score cp 19999 " in line and " tbhits 0 " not in line
    engine.ask("setoption name SyzygyProbeDepth value 50")
    engine.say("go depth 4")
    assert " tbhits 0 " in engine.hear("^bestmove")[-2]
    engine.ask("setoption name SyzygyProbeDepth value 1", "setoption name SyzygyPath value <empty>")
    engine.say("ucinewgame", f"position fen {TAKES_AND_WINS}", "go depth 4")
    assert " tbhits 0 " in engine.hear("^bestmove")[-2]
