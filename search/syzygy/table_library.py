"""The tables that are there: finding their files, and finding a table by what is on the board."""

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from bluekrait.search.syzygy import numbering
from bluekrait.search.syzygy.dtz_file import DtzFile
from bluekrait.search.syzygy.table_file import KINDS
from bluekrait.search.syzygy.table_records import (
    HASH_MULTIPLIER,
    HASH_SHIFT,
    MOST_PIECES,
    NIBBLE,
    SIDE_BITS,
    TableSet,
)
from bluekrait.search.syzygy.wdl_file import WdlFile


class TablebaseError(ValueError):
    """None of the directories can be read; the message says why."""


class TableLibrary:
    """The tables of some directories, with those of outcomes in a hash table for kernels.

    A directory or a file that cannot be read is left out. Tables of distances are opened when needed: before,
    only their beginnings and sizes are looked at.
    """

    def __init__(self, directories: Sequence[str]) -> None:
        self.files: list[WdlFile] = []
        self.problems = _unreadable(directories)
        if directories and len(self.problems) == len(directories):
            raise TablebaseError("; ".join(self.problems))
        for path in sorted(_found(directories, WdlFile.ENDING).values()):
            with self._noting_problems(path):
                file = WdlFile(path)
                file.open()
                self.files.append(file)
        self._distances: dict[str, DtzFile] = {}
        distance_paths = _found(directories, DtzFile.ENDING)
        for name in (file.name for file in self.files if file.name in distance_paths):
            with self._noting_problems(distance_paths[name]):
                self._distances[name] = DtzFile(distance_paths[name])
        self.largest = max((file.pieces for file in self.files), default=0)
        self._slots = _slots(self.files)
        self.table_set = TableSet(ctypes.addressof(self._slots), len(self._slots) // 2 - 1)
        for field in ("triangle", "below_diagonal", "king_pairs", "pawn_order", "leading_pawns"):
            numbers = getattr(numbering, field)()
            getattr(self.table_set, field)[: len(numbers)] = numbers
        numbers = numbering.choices()
        self.table_set.choices[: len(numbers)] = numbers

    @property
    def address(self) -> int:
        """Where kernels find the `TableSet`."""
        return ctypes.addressof(self.table_set)

    @property
    def distances(self) -> int:
        """How many tables of distances there are for those of outcomes."""
        return len(self._distances)

    def open_distances(self, *names: str) -> list[str]:
        """Open the table of distances that has one of these names; the problem if it cannot be read."""
        known = len(self.problems)
        for file in self.files:
            if file.name in names and not file.record.distances and file.name in self._distances:
                distances = self._distances.pop(file.name)
                with self._noting_problems(distances.path):
                    distances.open()
                    file.record.distances = distances.address
                    self._distances[file.name] = distances
        return self.problems[known:]

    @contextmanager
    def _noting_problems(self, path: str) -> Iterator[None]:
        """Leave out a file that cannot be read, and note why."""
        try:
            yield
        except OSError as error:
            self.problems.append(f"{path}: {error.strerror or error}")
        except ValueError as problem:
            self.problems.append(f"{path}: {problem}")


def _unreadable(directories: Sequence[str]) -> list[str]:
    """One line for each directory that cannot be read."""
    problems = []
    for directory in directories:
        try:
            os.listdir(directory)
        except OSError as error:
            problems.append(f"no tablebases in {directory}: {error.strerror or error}")
    return problems


def _found(directories: Sequence[str], ending: str) -> dict[str, str]:
    """Paths of tables by their names; the first of a name counts."""
    found: dict[str, str] = {}
    for directory in directories:
        with suppress(OSError):
            for entry in os.listdir(directory):
                name = entry.removesuffix(ending)
                if entry.endswith(ending) and _is_name(name):
                    found.setdefault(name, os.path.join(directory, entry))
    return found


def _is_name(name: str) -> bool:
    sides = name.split("v")
    is_in_order = all(side[:1] == "K" and set(side[1:]) <= set(KINDS) for side in sides)
    return len(sides) == 2 and is_in_order and 2 < len(name) - 1 <= MOST_PIECES


def _slots(files: list[WdlFile]) -> ctypes.Array[ctypes.c_uint64]:
    """A hash table from what is on the board to tables; the lowest bit says that Black is to move."""
    size = 1 << (4 * len(files) + 1).bit_length()
    slots = (ctypes.c_uint64 * (2 * size))()
    for file in files:
        white, black = _side_material(file.white), _side_material(file.black)
        white_to_move, black_to_move = white | black << SIDE_BITS, black | white << SIDE_BITS
        for second, signature in enumerate(dict.fromkeys((white_to_move, black_to_move))):
            place = (signature * HASH_MULTIPLIER >> HASH_SHIFT) & size - 1
            while slots[2 * place]:
                place = (place + 1) & size - 1
            slots[2 * place], slots[2 * place + 1] = signature, file.address | second
    return slots


def _side_material(side: str) -> int:
    """Part of a material signature: the pieces of one side, king aside, counted in four bits each."""
    return sum(side.count(kind) << NIBBLE * place for place, kind in enumerate(KINDS))
