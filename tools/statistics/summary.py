"""The result of a match, in the words that other match programs use, so that their readers can read ours."""

from bluekrait.tools.statistics.pentanomial import (
    Pairs,
    draw_ratio,
    elo,
    los,
    normalised_elo,
    pairs_ratio,
)
from bluekrait.tools.statistics.sequential import llr

WON, DRAWN, LOST = 1.0, 0.5, 0.0


def summary_lines(results, bounds=None):
    """What the points (1, 1/2, 0) of the games in order amount to; with bounds, how far the test has come."""
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


def test_line(pairs, bounds):
    """How far a sequential test has come: the LLR, and its share of the way to the bound it tends to."""
    value = llr(pairs, bounds)
    way = value / bounds.upper if value >= 0 else -value / bounds.lower
    return (
        f"LLR: {number(value)} ({number(100 * way, 1)}%) ({bounds.lower:.2f}, {bounds.upper:.2f}) "
        f"[{bounds.elo0:.2f}, {bounds.elo1:.2f}]"
    )


def decided_to_drawn(results):
    """Of the pairs that nobody won: those with two decided games for every one with two draws."""
    even = [(first, second) for first, second in zip(results[::2], results[1::2]) if first + second == 1]
    drawn = even.count((DRAWN, DRAWN))
    return ratio(len(even) - drawn, drawn)


def with_error(value_and_error):
    """A figure and its error."""
    value, error = value_and_error
    return f"{number(value)} +/- {number(error)}"


def number(value, digits=2):
    """A number rounded to some digits; `inf` and `nan` stay words, and nothing is minus zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def percent(share):
    """A share as a percentage."""
    return f"{number(100 * share)} %"


def ratio(part, whole):
    """A quotient that may be infinite, or not a number."""
    return part / whole if whole else float("inf") if part else float("nan")
