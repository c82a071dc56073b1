"""The terms of an evaluation by group, added up from a trace: what the command `eval` shows."""

from typing import NamedTuple

from bluekrait.search.evaluation.classical.evaluation_records import Counts, Trace
from bluekrait.search.evaluation.classical.tapered import danger_points, score_of
from bluekrait.search.evaluation.classical.weight_layout import DANGER, END_GAME, GROUPS, MIDDLE_GAME, SLOTS


class TermRow(NamedTuple):
    """The points of a group of terms, for both sides."""

    group: str
    own_middle_game: int
    own_end_game: int
    enemy_middle_game: int
    enemy_end_game: int


def rows_of(trace: Trace) -> list[TermRow]:
    """One row for each group of terms."""
    own, enemy = points_by_group(trace.own), points_by_group(trace.enemy)
    return [TermRow(group, *own[group], *enemy[group]) for group in own]


def traced_score(trace: Trace) -> int:
    """The score of a trace, the same as `evaluate` returns."""
    rows = rows_of(trace)
    middle_game = sum(row.own_middle_game - row.enemy_middle_game for row in rows)
    end_game = sum(row.own_end_game - row.enemy_end_game for row in rows)
    return score_of(middle_game, end_game, trace.phase, trace.own_scale, trace.enemy_scale)


def points_by_group(counts: Counts) -> dict[str, tuple[int, int]]:
    """The middle-game and end-game points of one side, by group of terms."""
    points: dict[str, tuple[int, int]] = {}
    for slot in range(SLOTS):
        middle_game, end_game = points.get(GROUPS[slot], (0, 0))
        count = counts.counts[slot]
        points[GROUPS[slot]] = middle_game + count * MIDDLE_GAME[slot], end_game + count * END_GAME[slot]
    points[DANGER] = danger_points(points[DANGER][0])
    return points
