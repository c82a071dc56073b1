"""The openings of self-play: a starting position, and some random moves that do not lose a piece at once.

They differ from those of `search.playing.random_openings` on purpose: they lose no piece, and a seed must
always give the same games, since files of games are continued.
"""

from bluekrait.core.compiler.jit import inline, internal, position_type, uint32
from bluekrait.core.rules.bits import EMPTY
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import make_move
from bluekrait.core.rules.movegen import add_legal_moves
from bluekrait.core.rules.outcome import number_of_moves
from bluekrait.core.rules.see import see_at_least
from bluekrait.search.self_play.job import job_type
from bluekrait.search.self_play.random_numbers import random_below
from bluekrait.search.self_play.starting_positions import CHESS, STARTING_POSITIONS, starting_position

FEWEST_PLIES, PLY_CHOICES = 8, 2  # 8 or 9 random plies


@internal(position_type(job_type))
def random_opening(job):
    """A position after some random moves, in which the game is not over."""
    while True:
        number = random_below(job, STARTING_POSITIONS) if job.game.head.is_chess960 else CHESS
        position = starting_position(number)
        plies = FEWEST_PLIES + random_below(job, PLY_CHOICES)
        while position.ply < plies and number_of_moves(position.board) != EMPTY:
            position = make_move(position, random_move(job, position))
        if number_of_moves(position.board) != EMPTY:
            return position


@inline(uint32(job_type, position_type))
def random_move(job, position):
    """A legal move that loses no material on its square; any, if all do."""
    board, moves = position.board, job.legal.moves
    count = add_legal_moves(board, legality(board), job.legal, 0)
    while True:
        place = random_below(job, count)
        move = moves[place]
        if count == 1 or see_at_least(board, move, 0):
            return move
        count -= 1
        moves[place] = moves[count]
