"""What a program gives to the library: numbers are checked, and limits are made of them."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING

from bluekrait.search.library.position import move_texts
from bluekrait.search.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bluekrait.search.library.position import Position

MILLISECONDS = 1000
MOST_SECONDS = 10**9
MOST_NODES = 10**15  # years; the counter of the search has 64 bits


def whole(name: str, value: object) -> int:
    """The value as an int. TypeError if it is no whole number; those of NumPy are."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    return int(value)


def within(name: str, value: object, low: int, high: int) -> int:
    """The same; ValueError if it is out of bounds."""
    number = whole(name, value)
    if not low <= number <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {number}")
    return number


def search_limits(
    place: Position,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    mate: int | None = None,
    moves: Iterable[str] | None = None,
) -> Limits:
    """The limits of a search; ValueError or TypeError if one is no number, or below 1."""
    nodes, depth, mate = _at_least_one(nodes=nodes, depth=depth, mate=mate)
    asked = () if moves is None else move_texts(moves)
    chosen = tuple(dict.fromkeys(place.move(move).packed for move in asked))
    move_time = None if seconds is None else _milliseconds("seconds", seconds)
    nodes = None if nodes is None else min(nodes, MOST_NODES)
    return Limits(move_time=move_time, depth=depth, nodes=nodes, mate=mate, search_moves=chosen)


def with_clock(limits: Limits, clock: float | None, increment: float, moves_to_go: int | None) -> Limits:
    """The same limits and those of a clock; ValueError or TypeError if something is wrong with either."""
    added = _milliseconds("increment", increment)
    (moves_to_go,) = _at_least_one(moves_to_go=moves_to_go)
    if clock is None:
        return limits
    _check_number("clock", clock)
    remaining = _milliseconds("clock", max(clock, 0.0))  # a clock may have run out
    return limits._replace(remaining=remaining, increment=added, moves_to_go=moves_to_go)


def _at_least_one(**given: int | None) -> list[int | None]:
    """The whole numbers; ValueError or TypeError if one that is given is none, or below 1."""
    numbers = [None if value is None else whole(name, value) for name, value in given.items()]
    for name, number in zip(given, numbers):
        if number is not None and number < 1:
            raise ValueError(f"{name} must be at least 1, not {number}")
    return numbers


def _milliseconds(name: str, seconds: float) -> int:
    """A time in milliseconds; ValueError or TypeError if it is negative, or above `MOST_SECONDS`."""
    _check_number(name, seconds)
    if not seconds >= 0:
        raise ValueError(f"{name} must not be negative: {seconds}")
    if seconds > MOST_SECONDS:
        raise ValueError(f"{name} must be at most {MOST_SECONDS}, not {seconds}")
    return round(MILLISECONDS * float(seconds))


def _check_number(name: str, value: object) -> None:
    """TypeError if this is no number; fractions and the numbers of NumPy are."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, not {value!r}")


def is_endless(limits: Limits) -> bool:
    """True if nothing ends such a search but a stop."""
    return limits.remaining is limits.move_time is limits.depth is limits.nodes is limits.mate is None


def refuse_endless(limits: Limits) -> None:
    """ValueError if nothing would end the search."""
    if is_endless(limits):
        raise ValueError("give a limit: seconds, nodes or depth, for example")
