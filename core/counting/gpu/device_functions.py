"""The rules as functions of a graphics card: the same sources, compiled by Numba for CUDA.

A function is copied, and every function that it calls is replaced by such a copy, or by what TWINS has in its
place: instructions of the card, and attacks computed by fills, since a card is quicker at arithmetic than at
loading words of a table.
"""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from numba import cuda

from bluekrait.core.rules import attacks, bits, movelist
from bluekrait.core.rules.bits import (
    EMPTY,
    FULL,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    S1,
    S7,
    S8,
    S9,
    S16,
    U64,
    king_attacks_of,
    knight_attacks_of,
)
from bluekrait.core.rules.fills import open_line, slide

PACKAGE = "bluekrait."
S32 = U64(32)
BYTES, SHORTS = U64(0x00FF00FF00FF00FF), U64(0x0000FFFF0000FFFF)

Function = Callable[..., Any]
TWINS: dict[Any, Function] = {}


def twin(original: Any) -> Callable[[Function], Function]:
    """Decorator: on the card, this function takes the place of another one."""

    def note(function: Function) -> Function:
        TWINS[original] = function
        return function

    return note


def card_kernel(function: Function) -> Any:
    """Decorator: what each thread of the card runs. It is compiled when it is first started."""
    return cuda.jit(_copy(function))


@cache
def device_function(function: Any) -> Any:
    """The copy of a function or a kernel for the card."""
    return cuda.jit(device=True)(_copy(function))


def _copy(function: Any) -> Function:
    """A copy of a function that calls functions of the card; not compiled yet."""
    plain = getattr(function, "py_func", function)  # of a kernel, the function that it was made of
    scope = {name: _on_device(plain.__globals__[name]) for name in _globals_of(plain)}
    scope["__builtins__"] = plain.__globals__["__builtins__"]
    return FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__)


def _globals_of(function: Function) -> list[str]:
    return [name for name in function.__code__.co_names if name in function.__globals__]


def _on_device(value: Any) -> Any:
    """What a global name means on the card; constants and classes mean the same."""
    is_function = hasattr(value, "py_func") or isinstance(value, FunctionType)
    if not is_function or not value.__module__.startswith(PACKAGE):
        return value
    return device_function(TWINS.get(value, value))


# --- instructions ---------------------------------------------------------------------------------


@twin(bits.popcount)
def popcount(word):
    """How many bits are set."""
    return U64(cuda.popc(word))


@twin(bits.lowest_square)
def lowest_square(word):
    """Number of the lowest set bit; the word must not be empty."""
    return U64(cuda.popc((word & (EMPTY - word)) - ONE))


@twin(bits.turned)
def turned(word):
    """The bytes of a word reversed."""
    word = ((word >> S8) & BYTES) | ((word & BYTES) << S8)
    word = ((word >> S16) & SHORTS) | ((word & SHORTS) << S16)
    return (word >> S32) | (word << S32)


# --- attacks --------------------------------------------------------------------------------------


@twin(attacks.knight_attacks)
def knight_attacks(square):
    """Where a knight attacks."""
    return knight_attacks_of(ONE << square)


@twin(attacks.king_attacks)
def king_attacks(square):
    """Where a king attacks."""
    king = ONE << square
    return king_attacks_of(king) ^ king


@twin(attacks.rook_attacks)
def rook_attacks(square, occupied):
    """Where a rook attacks, up to and including the first piece in each direction."""
    rook, empty = ONE << square, ~occupied
    east, west = slide(rook, open_line(empty, S1, NOT_FILE_A, NOT_FILE_H), S1, NOT_FILE_A, NOT_FILE_H)
    north, south = slide(rook, open_line(empty, S8, FULL, FULL), S8, FULL, FULL)
    return east | west | north | south


@twin(attacks.bishop_attacks)
def bishop_attacks(square, occupied):
    """Where a bishop attacks, up to and including the first piece in each direction."""
    bishop, empty = ONE << square, ~occupied
    up, down = slide(bishop, open_line(empty, S7, NOT_FILE_H, NOT_FILE_A), S7, NOT_FILE_H, NOT_FILE_A)
    north, south = slide(bishop, open_line(empty, S9, NOT_FILE_A, NOT_FILE_H), S9, NOT_FILE_A, NOT_FILE_H)
    return up | down | north | south


@twin(attacks.path)
def path(start, end):
    """The squares after one square up to and including another, if a line joins them."""
    first, last = ONE << start, ONE << end
    along = rook_attacks(start, last) & rook_attacks(end, first)
    if rook_attacks(start, EMPTY) & last:
        return along | last
    along = bishop_attacks(start, last) & bishop_attacks(end, first)
    return along | last if bishop_attacks(start, EMPTY) & last else EMPTY


# --- moves ----------------------------------------------------------------------------------------


@twin(movelist.put)
def put(moves, count, move):
    """Write a move after the first `count` moves of an array; returns their new number."""
    moves[count] = np.uint32(move)
    return count + 1
