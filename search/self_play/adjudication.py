"""When a game of self-play ends: by the rules, or by adjudication on its scores."""

from bluekrait.core.compiler.jit import inline, int64, internal, position_type
from bluekrait.core.records import DRAWING_REPETITIONS
from bluekrait.core.rules.history import NEAREST_REPETITION
from bluekrait.core.rules.outcome import FIFTY_MOVES_CLOCK, is_insufficient_material
from bluekrait.search.self_play.adjudication_rules import (
    DRAW_FROM,
    DRAW_PLIES,
    DRAW_SCORE,
    WIN_PLIES,
    WIN_SCORE,
)
from bluekrait.search.self_play.game_records import (
    DRAW_ADJUDICATED,
    FIFTY_MOVES,
    INSUFFICIENT_MATERIAL,
    LONGEST,
    REPETITION,
    TOO_LONG,
    WIN_ADJUDICATED,
)
from bluekrait.search.self_play.job import job_type
from bluekrait.search.tree.state import thread_type


@internal(int64(thread_type, position_type))
def draw_by_rule(thread, position):
    """The rule by which a position with legal moves is drawn; 0 if the game goes on."""
    if position.clock >= FIFTY_MOVES_CLOCK:
        return FIFTY_MOVES
    if is_insufficient_material(position.board):
        return INSUFFICIENT_MATERIAL
    if occurrences(thread, position) >= DRAWING_REPETITIONS:
        return REPETITION
    return TOO_LONG if position.ply >= LONGEST else 0


@inline(int64(thread_type, position_type))
def occurrences(thread, position):
    """How often a position occurred before; the game so far lies in the keys of the thread."""
    found, here = 0, thread.game_length
    for place in range(here - NEAREST_REPETITION, max(0, here - position.clock) - 1, -2):
        if thread.keys[place] == position.key:
            found += 1
    return found


@internal(int64(job_type, int64, int64))
def adjudicate(job, score, ply):
    """The ending by adjudication after a score of the side to move; 0 if the game goes on."""
    white_score = -score if ply & 1 else score
    winner = 0
    if abs(score) >= WIN_SCORE:
        winner = 1 if white_score > 0 else -1
    job.winning_plies = job.winning_plies + 1 if winner == job.winner else 1
    job.winner = winner
    is_level = abs(score) <= DRAW_SCORE and ply >= DRAW_FROM
    job.level_plies = job.level_plies + 1 if is_level else 0
    if winner != 0 and job.winning_plies >= WIN_PLIES:
        return WIN_ADJUDICATED
    return DRAW_ADJUDICATED if job.level_plies >= DRAW_PLIES else 0
