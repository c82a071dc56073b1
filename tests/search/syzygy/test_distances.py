"""Tables of distances: files and values. python-chess reads the same files, and is asked for comparison."""

import ctypes
import os
import random
from pathlib import Path

import chess
import chess.syzygy
import pytest

from bluekrait.core.compiler.jit import int64, kernel, uint64
from bluekrait.core.notation.fen import parse_fen
from bluekrait.core.records import write_record
from bluekrait.core.rules.position_records import read_position
from bluekrait.search.dtz_probe import OTHER_SIDE, stored_distance
from bluekrait.search.syzygy.dtz_file import (
    HAS_LISTS,
    IS_WIDE,
    LOSSES_IN_HALF_MOVES,
    OF_SECOND_SIDE,
    WINS_IN_HALF_MOVES,
)
from bluekrait.search.syzygy.table_file import IS_CONSTANT
from bluekrait.search.syzygy.table_library import TableLibrary
from bluekrait.search.syzygy.table_records import OUTCOMES
from bluekrait.search.syzygy.wdl import BLESSED_LOSS, CURSED_WIN, LOSS, WIN
from bluekrait.search.thread_record import SearchThread
from bluekrait.search.tree.state import thread_at
from helpers.paths import DATA
from helpers.search.searching import searcher
from helpers.search.syzygy_files import made_up_distances, made_up_outcomes, random_board

SMALL = str(DATA / "syzygy")


class Asked:
    """A library, asked for what it knows of positions."""

    def __init__(self, directory):
        self.library = TableLibrary([directory])
        self.library.open_distances(*(file.name for file in self.library.files))
        self._record = SearchThread()
        self._record.tablebases = self.library.address

    def outcome_and_distance(self, board):
        """The outcome, and the distance, None if there is no table of distances."""
        write_record(self._record.position, parse_fen(board.fen()))
        known = searcher().entries["probe_tablebases"](self._record)
        assert known >= 0, board.fen()
        distance, outcome = divmod(known, OUTCOMES)
        return outcome + LOSS, distance - 1 if distance else None


def directories():
    yield SMALL
    if os.environ.get("SYZYGY_PATH"):
        yield os.environ["SYZYGY_PATH"]


def compare(directory, names, count, rng, en_passant=0.3):
    """Ask our code and python-chess about random positions with these pieces."""
    tables = Asked(directory)
    with chess.syzygy.open_tablebase(directory) as others:
        for name in names:
            for _ in range(count):
                board = random_board(rng, name, en_passant)
                if any(board.legal_moves):
                    known = others.probe_wdl(board), abs(others.probe_dtz(board))
                    assert tables.outcome_and_distance(board) == known, board.fen()


@pytest.mark.parametrize("directory", [*directories()])
def test_distances_are_those_that_python_chess_reads(directory):
    names = [file.name for file in TableLibrary([directory]).files]
    compare(directory, names, 200, random.Random(2))


def test_a_table_is_opened_once():
    library = TableLibrary([SMALL])
    (file,) = (file for file in library.files if file.name == "KRvK")
    opened = []
    for _ in range(3):
        assert library.open_distances("KvKR", "KRvK") == []
        opened.append(file.record.distances)
    assert opened[0] and len(set(opened)) == 1


def test_mated_and_drawn_positions_have_no_distance():
    tables = Asked(SMALL)
    assert tables.outcome_and_distance(chess.Board("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1")) == (LOSS, 0)
    assert tables.outcome_and_distance(chess.Board("k7/8/8/8/8/8/8/KB6 w - - 0 1")) == (0, 0)


def test_without_a_table_of_distances_there_is_only_the_outcome(tmp_path):
    (tmp_path / "KRvK.rtbw").write_bytes((DATA / "syzygy" / "KRvK.rtbw").read_bytes())
    board = chess.Board("8/8/8/8/8/2k5/8/K6R b - - 0 1")
    assert Asked(str(tmp_path)).outcome_and_distance(board) == (LOSS, None)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not a table"),
        (b"something else altogether", "not a table"),
        (Path(SMALL, "KRvK.rtbw").read_bytes(), "not a table"),
        (Path(SMALL, "KPvK.rtbz").read_bytes(), "its contents are not what its name says"),
        (Path(SMALL, "KRvK.rtbz").read_bytes()[:5000], "it is cut off"),
    ],
)
def test_what_is_no_table_of_distances_is_told_and_not_counted(content, problem, tmp_path):
    (tmp_path / "KRvK.rtbw").write_bytes(Path(SMALL, "KRvK.rtbw").read_bytes())
    (tmp_path / "KRvK.rtbz").write_bytes(content)
    library = TableLibrary([str(tmp_path)])
    assert (len(library.files), library.distances) == (1, 0)
    assert library.problems == [f"{tmp_path / 'KRvK.rtbz'}: {problem}"]


# Made-up tables have the first distance of each list everywhere; some have no lists.

FLAGS = (
    [0],
    [WINS_IN_HALF_MOVES],
    [LOSSES_IN_HALF_MOVES | OF_SECOND_SIDE],
    [HAS_LISTS | OF_SECOND_SIDE],
    [HAS_LISTS | IS_WIDE | WINS_IN_HALF_MOVES | LOSSES_IN_HALF_MOVES],
    [HAS_LISTS, HAS_LISTS | IS_WIDE],  # numbers of two bytes begin at even places
)


@kernel(int64(uint64))
def stored(address):
    """What the table of distances has for a thread's position, with the outcome that `margin` names."""
    thread = thread_at(address)
    return stored_distance(thread, read_position(thread.position).board, thread.margin)


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("name", ["KQvK", "KQvKQ", "KPvK", "KPvKP", "KRPvKR"])
def test_every_kind_of_list_is_read(tmp_path, name, flags):
    rng = random.Random(sum(flags))
    (tmp_path / f"{name}.rtbw").write_bytes(made_up_outcomes(name, rng))
    (tmp_path / f"{name}.rtbz").write_bytes(made_up_distances(name, rng, *flags))
    library = TableLibrary([str(tmp_path)])
    library.open_distances(name)
    record = SearchThread()
    record.tablebases = library.address
    with chess.syzygy.DtzTable(str(tmp_path / f"{name}.rtbz")) as table:
        for _ in range(60):
            board = random_board(rng, name, en_passant=0)
            for record.margin in (LOSS, BLESSED_LOSS, CURSED_WIN, WIN):
                write_record(record.position, parse_fen(board.fen()))
                value, state = table.probe_dtz_table(board, record.margin)
                expected = OTHER_SIDE if state < 0 else value
                assert stored(ctypes.addressof(record)) == expected, board.fen()


@pytest.mark.parametrize(("room", "problems"), [(256, ["it is cut off"]), (512, [])])
def test_values_that_would_lie_behind_the_file_are_refused(tmp_path, room, problems):
    """The values are places in lists of 256 numbers of two bytes."""
    flags = HAS_LISTS | IS_WIDE
    content = made_up_distances("KQvK", random.Random(1), flags) + bytes(room)
    content = content.replace(bytes([IS_CONSTANT | flags, 0]), bytes([IS_CONSTANT | flags, 255]))
    (tmp_path / "KQvK.rtbw").write_bytes(made_up_outcomes("KQvK", random.Random(1)))
    (tmp_path / "KQvK.rtbz").write_bytes(content)
    expected = [f"{tmp_path / 'KQvK.rtbz'}: {problem}" for problem in problems]
    assert TableLibrary([str(tmp_path)]).open_distances("KQvK") == expected
