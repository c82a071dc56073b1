"""The result of a match, in the format of fastchess, which other programs can parse."""

from collections.abc import Sequence

from bluekrait.tools.statistics.pentanomial import (
    Pairs,
    draw_ratio,
    elo,
    los,
    normalised_elo,
    pairs_ratio,
    ratio,
)
from bluekrait.tools.statistics.sequential import Bounds, llr

WON, DRAWN, LOST = 1.0, 0.5, 0.0


def summary_lines(results: Sequence[float], bounds: Bounds | None = None) -> list[str]:
    """Elo, LOS and counts from the points (1, 1/2, 0) of games in order; with bounds also the LLR."""
    pairs = Pairs.of_results(results)
    games, points = len(results), sum(results)
    lines = [
        f"Elo: {with_error(elo(pairs))}, nElo: {with_error(normalised_elo(pairs))}",
        f"LOS: {percent(los(pairs))}, DrawRatio: {percent(draw_ratio(pairs))}, "
        f"PairsRatio: {number(pairs_ratio(pairs))}",
        f"Games: {games}, Wins: {results.count(WON)}, Losses: {results.count(LOST)}, "
        f"Draws: {results.count(DRAWN)}, Points: {points:.1f} ({percent(ratio(points, games))})",
        f"Ptnml(0-2): {list(pairs)}, WL/DD Ratio: {number(decided_to_drawn(results))}",
    ]
    return [*lines, test_line(pairs, bounds)] if bounds else lines


def test_line(pairs: Pairs, bounds: Bounds) -> str:
    """The state of a sequential test: the LLR, and as a percentage of the bound on its side."""
    value = llr(pairs, bounds)
    share = value / bounds.upper if value >= 0 else -value / bounds.lower
    return (
        f"LLR: {number(value)} ({number(100 * share, 1)}%) ({bounds.lower:.2f}, {bounds.upper:.2f}) "
        f"[{bounds.elo0:.2f}, {bounds.elo1:.2f}]"
    )


def decided_to_drawn(results: Sequence[float]) -> float:
    """Of the pairs that scored one point: those of a win and a loss, divided by those of two draws."""
    even = [(first, second) for first, second in zip(results[::2], results[1::2]) if first + second == 1]
    drawn = even.count((DRAWN, DRAWN))
    return ratio(len(even) - drawn, drawn)


def with_error(value_and_error: tuple[float, float]) -> str:
    """A value and its error."""
    value, error = value_and_error
    return f"{number(value)} +/- {number(error)}"


def number(value: float, digits: int = 2) -> str:
    """A number with some digits after the point; `inf` and `nan` stay words, and -0 becomes 0."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def signed(value: float, digits: int) -> str:
    """The same with its sign, also that of a plus; zero has a plus."""
    return f"{round(value, digits) + 0.0:+.{digits}f}"


def percent(share: float) -> str:
    """A share as a percentage."""
    return f"{number(100 * share)} %"
