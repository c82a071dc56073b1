"""A game of the engine against itself, or of two versions of it, from its opening to its end."""

from bluekrait.core.compiler.jit import inline, int64, internal, position_type
from bluekrait.core.rules.bits import EMPTY, U64
from bluekrait.core.rules.legality import legality
from bluekrait.core.rules.make import make_move
from bluekrait.search.self_play.adjudication import adjudicate, draw_by_rule
from bluekrait.search.self_play.choose_move import prepare_search, search_position
from bluekrait.search.self_play.game_openings import random_opening
from bluekrait.search.self_play.game_records import (
    CHECKMATE,
    DRAWN,
    LOST,
    STALEMATE,
    WIN_ADJUDICATED,
    WON,
)
from bluekrait.search.self_play.job import job_type
from bluekrait.search.self_play.node_clock import search_by_clock, start_clocks
from bluekrait.search.self_play.packing import pack_board, short_move
from bluekrait.search.self_play.random_numbers import random_below, seed_random
from bluekrait.search.tree.evaluate import unscaled_by_material
from bluekrait.search.tree.state import root_at, thread_type

_SCORE_BITS, _SCORE_SHIFT = U64(0xFFFF), U64(16)


@internal(int64(job_type, thread_type, thread_type, thread_type))
def play_game(job, judge, white, black):
    """Play the game that seed and number decide; how many plies it has."""
    head = job.game.head
    seed_random(job)
    job.winning_plies = job.winner = job.level_plies = 0
    head.number, head.nodes = job.number, 0
    head.is_chess960 = 1 if random_below(job, 100) < job.chess960 else 0
    judge.generation = white.generation = black.generation = EMPTY
    position = acceptable_opening(job, judge)
    pack_board(head.board, position.board)
    head.first_ply, head.clock = position.ply, position.clock
    start_clocks(job)
    plies = 0
    while True:
        thread = black if position.ply & 1 else white
        thread.game_length = plies
        ending = end_by_rule(job, thread, position)
        if ending:
            break
        if job.has_clock:
            score = search_by_clock(job, thread, position)
        else:
            score = search_position(thread, position, job.nodes)
        move = root_at(thread, 0).move
        head.nodes += thread.nodes
        label = unscaled_by_material(thread, position.board, score)
        job.game.plies[plies] = U64(short_move(move)) | (U64(label) & _SCORE_BITS) << _SCORE_SHIFT
        white.keys[plies] = black.keys[plies] = position.key
        plies += 1
        ending = adjudicate(job, score, position.ply)
        if ending:
            break
        position = make_move(position, move)
    head.plies, head.ending = plies, ending
    head.result = result_of(ending, position.ply, job.winner)
    return plies


@inline(position_type(job_type, thread_type))
def acceptable_opening(job, judge):
    """An opening that favours neither side by much."""
    judge.game_length = 0
    while True:
        position = random_opening(job)
        prepare_search(job, judge, position)
        if abs(search_position(judge, position, job.nodes)) <= job.most_ahead:
            return position


@inline(int64(job_type, thread_type, position_type))
def end_by_rule(job, thread, position):
    """The ending by the rules in a position; 0 if the game goes on, and then its search is prepared."""
    if prepare_search(job, thread, position) == 0:
        return CHECKMATE if legality(position.board).checkers else STALEMATE
    return draw_by_rule(thread, position)


@inline(int64(int64, int64, int64))
def result_of(ending, ply, winner):
    """White's result of a game that ended so at a ply."""
    if ending == CHECKMATE:
        return WON if ply & 1 else LOST
    if ending == WIN_ADJUDICATED:
        return WON if winner > 0 else LOST
    return DRAWN
