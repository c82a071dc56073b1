"""Loops to be timed, compiled with the technique inside, as in an engine.

A lookup must neither be optimised away nor be measured by how long the one before it takes. So the inputs
come from arrays, no lookup depends on another, and every result enters a checksum: xor, after a rotation by
one bit. The rotation costs two cycles that run beside the lookups. It makes the order count, so the sum
proves each result; and it keeps compilers from doing the sum, and the lookups with it, for eight squares at
a time by gathering loads, which no engine could do with one slider. The C++ yardstick has the same loops.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from numba import types

from bluekrait.core.compiler.jit import inline, int64, kernel, uint64
from bluekrait.core.rules import attacks
from bluekrait.core.rules.bits import EMPTY, ONE, U64, lowest_square, without_lowest
from bluekrait.core.sliders import gallery
from bluekrait.core.sliders.gallery import LIVE

_S1, _S63 = ONE, U64(63)
_words = uint64[::1]

Timed = Callable[..., Any]


@inline(uint64(uint64, uint64))
def _stirred(checksum, word):
    return ((checksum << _S1) | (checksum >> _S63)) ^ word


def lookups(name: str) -> Timed:
    """A kernel of squares, occupancies and a number of passes: queen attacks by a technique; the checksum.

    With rotated bitboards: of squares, row numbers, rotated occupancies by row, and passes.
    """
    if name != LIVE and gallery.TECHNIQUES[name].is_rotated:
        return _lookups_in_rotated(name)
    queen_attacks = _technique(name).queen_attacks

    def run(squares: Any, occupancies: Any, passes: Any) -> Any:
        checksum = EMPTY
        for _ in range(passes):
            for i in range(len(squares)):
                checksum = _stirred(checksum, queen_attacks(squares[i], occupancies[i]))
        return checksum

    return _compiled(run, f"lookups.{name}", uint64(_words, _words, int64))


def _lookups_in_rotated(name: str) -> Timed:
    technique = gallery.open_technique(name)
    queen_attacks = technique.queen_attacks
    arrays_type = types.Array(technique.rotated_type.dtype, 2, "C")

    def run(squares: Any, rows: Any, rotated: Any, passes: Any) -> Any:
        checksum = EMPTY
        for _ in range(passes):
            for i in range(len(squares)):
                checksum = _stirred(checksum, queen_attacks(squares[i], rotated[rows[i]]))
        return checksum

    return _compiled(run, f"lookups.{name}", uint64(_words, int64[::1], arrays_type, int64))


def moves_in_rotated(name: str) -> Timed:
    """A kernel of a rotated occupancy, squares and passes: a piece moves along the squares; the checksum."""
    technique = gallery.open_technique(name)
    add_piece, remove_piece = technique.add_piece, technique.remove_piece

    def run(rotated: Any, squares: Any, passes: Any) -> Any:
        checksum = EMPTY
        for _ in range(passes):
            for i in range(len(squares) - 1):
                remove_piece(rotated, squares[i])
                add_piece(rotated, squares[i + 1])
            checksum = _stirred(checksum, uint64(rotated[0]))
        return checksum

    return _compiled(run, f"moves.{name}", uint64(technique.rotated_type, _words, int64))


def fills(name: str) -> Timed:
    """A kernel of orthogonal sliders, diagonal ones, occupancies and passes: where all of them attack."""
    if name == LIVE:
        slider_attacks_of = _attacks_one_by_one
    else:
        slider_attacks_of = gallery.open_technique(name).slider_attacks_of

    def run(orthogonals: Any, diagonals: Any, occupancies: Any, passes: Any) -> Any:
        checksum = EMPTY
        for _ in range(passes):
            for i in range(len(occupancies)):
                attacked = slider_attacks_of(orthogonals[i], diagonals[i], occupancies[i])
                checksum = _stirred(checksum, attacked)
        return checksum

    return _compiled(run, f"fills.{name}", uint64(_words, _words, _words, int64))


@inline(uint64(uint64, uint64, uint64))
def _attacks_one_by_one(orthogonals, diagonals, occupied):
    attacked = EMPTY
    while orthogonals != EMPTY:
        attacked |= attacks.rook_attacks(lowest_square(orthogonals), occupied)
        orthogonals = without_lowest(orthogonals)
    while diagonals != EMPTY:
        attacked |= attacks.bishop_attacks(lowest_square(diagonals), occupied)
        diagonals = without_lowest(diagonals)
    return attacked


def scans(name: str, what: str) -> Timed:
    """A kernel of words and passes: one of the functions of a way to scan or count; the checksum."""
    scan = getattr(gallery.open_scan(name), what)

    def run(words: Any, passes: Any) -> Any:
        checksum = EMPTY
        for _ in range(passes):
            for i in range(len(words)):
                checksum = _stirred(checksum, scan(words[i]))
        return checksum

    return _compiled(run, f"{what}.{name}", uint64(_words, int64))


def _technique(name: str) -> ModuleType:
    return attacks if name == LIVE else gallery.open_technique(name)


def _compiled(function: Timed, name: str, declared: Any) -> Timed:
    """The function as a kernel that is kept under a name of its own, since all of these are called `run`."""
    function.__qualname__ = name
    compiled: Timed = kernel(declared)(function)
    return compiled
