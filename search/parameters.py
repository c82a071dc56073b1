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
    Parameter("razor_base", 346, 100, 800, 40),
    Parameter("razor_slope", 252, 50, 600, 30),
    Parameter("reverse_futility_depth", 8, 4, 14, 1),
    Parameter("reverse_futility_margin", 65, 30, 150, 8),
    Parameter("reverse_futility_floor", 24, 0, 80, 5),  # the least margin
    Parameter("null_move_lead", 105, 30, 300, 15),  # by how much the evaluation must be above beta,
    Parameter("null_move_ease", 20, 4, 40, 2),  # and how much less for each ply of depth
    Parameter("null_move_base", 5, 2, 6, 1),
    Parameter("null_move_divisor", 3, 2, 8, 1),  # one ply more of reduction for so many of depth
    Parameter("null_move_margin", 173, 80, 400, 20),  # and one for each such advantage, three at most
    Parameter("null_move_verify_depth", 15, 10, 24, 1),
    Parameter("probcut_margin", 162, 60, 300, 15),
    # Pruning moves: late-move pruning (LMP), futility, history pruning, SEE pruning.
    Parameter("late_move_base", 8, 1, 16, 1),
    Parameter("futility_base", 66, 20, 250, 12),
    Parameter("futility_slope", 71, 30, 160, 8),
    Parameter("history_pruning", 4089, 1000, 7000, 300),
    Parameter("see_quiet", 58, 20, 120, 6),
    Parameter("see_noisy", 23, 8, 60, 4),
    Parameter("see_noisy_history", 56, 16, 128, 6),  # capture history that is worth a centipawn
    # Quiescence: delta pruning, and which captures are looked at.
    Parameter("quiescence_futility", 158, 50, 350, 15),
    Parameter("quiescence_see", 12, 0, 150, 10),  # what a capture may lose by exchanges
    Parameter("quiescence_captures", 3, 2, 8, 1),
    # Late-move reductions (LMR), in 1024ths of a ply.
    Parameter("reduction_base", 833, 200, 1600, 60),
    Parameter("reduction_slope", 436, 250, 700, 20),
    Parameter("reduction_history", 10583, 4000, 16384, 500),  # history that is worth a ply
    Parameter("noisy_reduction_base", 223, 0, 1000, 60),
    Parameter("noisy_reduction_slope", 422, 200, 700, 20),
    Parameter("noisy_reduction_history", 7810, 3000, 16384, 500),
    Parameter("reduction_cut_node", 1457, 400, 2400, 100),
    Parameter("reduction_not_improving", 684, 0, 1500, 70),
    Parameter("reduction_pv", 1109, 200, 2000, 80),
    Parameter("reduction_check", 1997, 0, 3000, 120),
    Parameter("reduction_cutoffs", 863, 0, 2000, 80),
    Parameter("reduction_noisy_hash_move", 693, 0, 1500, 70),
    Parameter("reduction_no_hash_move", 837, 0, 1500, 70),
    Parameter("reduction_pv_fail_low", 616, 0, 1500, 70),
    Parameter("reduction_correction", 11, 0, 30, 2),  # for each centipawn of correction
    Parameter("hindsight_reduction", 2, 2, 5, 1),  # plies of the move before, to be doubted
    # The search again after a reduced one that failed high, by its score above the best before.
    Parameter("deeper_margin", 48, 10, 150, 8),
    Parameter("shallower_margin", 0, 0, 40, 3),
    # Singular extensions.
    Parameter("singular_depth", 4, 3, 10, 1),
    Parameter("singular_margin", 16, 4, 64, 4),  # sixteenths of a centipawn for each ply of depth
    Parameter("double_extension_margin", 11, 0, 40, 3),
    Parameter("triple_extension_margin", 37, 10, 100, 6),
    Parameter("extension_history", 3784, 1024, 16384, 500),  # history that lowers both by a centipawn
    # Histories: their weights, and their updates.
    Parameter("continuation_weight", 18, 6, 32, 2),  # eighths, beside butterfly history
    Parameter("pawn_weight", 10, 2, 20, 1),  # eighths, of pawn history
    Parameter("history_bonus_slope", 188, 80, 320, 12),
    Parameter("history_bonus_offset", 80, 0, 300, 12),
    Parameter("history_bonus_limit", 1683, 800, 3200, 100),
    Parameter("history_malus_slope", 225, 80, 400, 12),
    Parameter("history_malus_offset", 94, 0, 300, 12),
    Parameter("history_malus_limit", 1414, 600, 3200, 100),
    Parameter("clear_fail_high", 69, 20, 200, 10),  # above beta: the bonus is that of one more ply
    Parameter("fail_low_share", 57, 0, 150, 8),  # percent of a bonus, for the move before a fail-low
    Parameter("evaluation_bonus_slope", 15, 2, 40, 2),  # for each centipawn that a move changed
    Parameter("evaluation_bonus_limit", 435, 100, 1600, 50),
    # Correction history: the part of all corrections together that is added to the evaluation.
    Parameter("correction_share", 88, 30, 160, 8),  # 128ths
    # The aspiration window around the score of the last iteration.
    Parameter("aspiration_window", 13, 5, 40, 2),
)

DEFAULTS = {parameter.name: parameter.value for parameter in PARAMETERS}
