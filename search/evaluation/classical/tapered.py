"""Tapered evaluation: a score between the middle-game points and the end-game points, by game phase."""

FULL_PHASE = 24  # minor pieces count one each, rooks two, queens four
FULL_SCALE = 64  # of an advantage that can be won like any other

DANGER_SQUARE, DANGER_LINE = 1024, 8  # divisors: of the square, of the danger itself
MOST_DANGER = 1600


def danger_points(danger: int) -> tuple[int, int]:
    """The points for king danger: its square, so that several attackers count more than their sum."""
    danger = max(0, min(danger, MOST_DANGER))
    return danger * danger // DANGER_SQUARE, danger // DANGER_LINE


def score_of(middle_game: int, end_game: int, phase: int, own_scale: int, enemy_scale: int) -> int:
    """The score for both kinds of points; rounded towards zero, so that it is the same for both sides.

    The scale is that of the side which is ahead.
    """
    mixed = middle_game * phase + end_game * (FULL_PHASE - phase)
    whole = FULL_PHASE * FULL_SCALE
    return mixed * own_scale // whole if mixed >= 0 else -(-mixed * enemy_scale // whole)
