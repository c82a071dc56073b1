"""The numbers that shape the search, one row each: where they are tuned, they are named.

A row gives the present value, the sensible range and a step that changes play noticeably. The search
reads them from its record, so that a tuner can change them without compiling anything again.
"""

from typing import NamedTuple


class Parameter(NamedTuple):
    """One number: its value, its range, and the step that a tuner begins with."""

    name: str
    value: int
    low: int
    high: int
    step: int


PARAMETERS = (
    # Pruning whole nodes: razoring, reverse futility, null move. Margins are in centipawns.
    Parameter("razor_base", 300, 100, 800, 40),
    Parameter("razor_slope", 220, 50, 600, 30),
    Parameter("reverse_futility_depth", 8, 4, 14, 1),
    Parameter("reverse_futility_margin", 75, 30, 150, 8),
    Parameter("null_move_base", 4, 2, 6, 1),
    Parameter("null_move_divisor", 4, 2, 8, 1),  # one ply more of reduction for so many of depth
    Parameter("null_move_margin", 190, 80, 400, 20),  # and one for each such advantage, three at most
    Parameter("null_move_verify_depth", 14, 10, 24, 1),
    # Pruning moves: late-move pruning (LMP), futility, history pruning, SEE pruning.
    Parameter("late_move_base", 4, 1, 8, 1),
    Parameter("futility_base", 90, 20, 250, 12),
    Parameter("futility_slope", 75, 30, 160, 8),
    Parameter("history_pruning", 3000, 1000, 7000, 300),
    Parameter("see_quiet", 60, 20, 120, 6),
    Parameter("see_noisy", 25, 8, 60, 4),
    Parameter("quiescence_futility", 160, 50, 350, 15),
    # Late-move reductions (LMR), in 1024ths of a ply.
    Parameter("reduction_base", 800, 200, 1600, 60),
    Parameter("reduction_slope", 440, 250, 700, 20),
    Parameter("reduction_history", 8192, 4000, 16384, 500),  # history that is worth a ply
    Parameter("reduction_cut_node", 1400, 400, 2400, 100),
    Parameter("reduction_not_improving", 700, 0, 1500, 70),
    Parameter("reduction_pv", 1000, 200, 2000, 80),
    Parameter("reduction_check", 2000, 0, 3000, 120),
    # Singular extensions.
    Parameter("singular_depth", 7, 5, 10, 1),
    Parameter("singular_margin", 1, 1, 4, 1),
    Parameter("double_extension_margin", 18, 4, 50, 3),
    # Updates of the histories.
    Parameter("history_bonus_slope", 170, 80, 320, 12),
    Parameter("history_bonus_offset", 80, 0, 300, 12),
    Parameter("history_bonus_limit", 1700, 800, 3200, 100),
    # The aspiration window around the score of the last iteration.
    Parameter("aspiration_window", 12, 5, 40, 2),
)

DEFAULTS = {parameter.name: parameter.value for parameter in PARAMETERS}
