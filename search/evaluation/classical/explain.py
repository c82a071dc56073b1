"""The reasons for an evaluation, added up from a trace."""

from bluekrait.search.evaluation.classical.tapered import danger_points, score_of
from bluekrait.search.evaluation.classical.weight_layout import DANGER, END_GAME, GROUPS, MIDDLE_GAME, SLOTS


def rows_of(trace):
    """Rows of a group of terms: its name, then middle-game and end-game points of both sides."""
    own, enemy = points_by_group(trace.own.counts), points_by_group(trace.enemy.counts)
    return [(group, *own[group], *enemy[group]) for group in own]


def traced_score(trace):
    """The score that a trace amounts to: what `evaluate` says."""
    _, *columns = zip(*rows_of(trace))
    own_middle, own_end, enemy_middle, enemy_end = map(sum, columns)
    scales = trace.own_scale, trace.enemy_scale
    return score_of(own_middle - enemy_middle, own_end - enemy_end, trace.phase, *scales)


def points_by_group(counts):
    """The middle-game and end-game points of one side, by group of terms."""
    points = {}
    for slot in range(SLOTS):
        middle_game, end_game = points.get(GROUPS[slot], (0, 0))
        count = counts[slot]
        points[GROUPS[slot]] = middle_game + count * MIDDLE_GAME[slot], end_game + count * END_GAME[slot]
    points[DANGER] = danger_points(points[DANGER][0])
    return points
