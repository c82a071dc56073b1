"""Upcoming repetitions: one move leads back to an earlier position exactly where a legal move does."""

import random
from ctypes import addressof

import chess
import pytest

from bluekrait.core.compiler.jit import boolean, int64, position_type, uint64
from bluekrait.core.rules.make import make_null_move
from bluekrait.search.evaluation.network.network_memory import ThreadEvaluation
from bluekrait.search.parameters import DEFAULTS
from bluekrait.search.scores import DRAW
from bluekrait.search.thinking.worker import Worker
from bluekrait.search.thread_record import SearchThread
from bluekrait.search.transposition_memory import TranspositionTable
from bluekrait.search.tree import alphabeta, repetitions, state
from bluekrait.search.tree.state import thread_at
from helpers.kernels import too_slow_interpreted, uncached_kernel
from helpers.oracles import position_of
from helpers.search.searching import searcher

GAMES, LONGEST = 20, 80
MOVES_OF_PIECES = 3668  # knights 336, bishops 560, rooks 896, queens 1456, kings 420, for two sides and half


@uncached_kernel(boolean(uint64, position_type, int64))
def is_near(address, position, ply):
    """True if the side to move can repeat a position after the root."""
    return repetitions.is_repetition_near(thread_at(address), position, ply)


@uncached_kernel(boolean(uint64, position_type, int64))
def is_drawn(address, position, ply):
    """True if the game is drawn."""
    return state.is_draw(thread_at(address), position, ply)


@uncached_kernel(position_type(position_type))
def passed(position):
    """The position after a null move."""
    return make_null_move(position)


@uncached_kernel(int64(uint64, position_type, int64, int64))
def score_of(address, position, ply, depth):
    """The score of a position in a wide window; with depth 0 that of quiescence search."""
    thread = thread_at(address)
    thread.depth = ply + depth
    return alphabeta.pv_node(thread, position, ply, depth, -2000, 2000)


def test_the_table_holds_each_move_of_a_piece_in_one_of_two_slots():
    moves = repetitions.moves_of_pieces()
    assert len(moves) == MOVES_OF_PIECES
    for number, move in moves.items():
        slots = [slot for slot in repetitions.slots_of(number) if repetitions.NUMBERS[slot] == number]
        assert slots and int(repetitions.MOVES[slots[0]]) == move


def wandering_game(dice):
    """The boards of a game in which pieces go to and fro."""
    board = chess.Board("4k2r/1b1q1p2/6n1/8/8/2N5/3B1P2/R2QK3 w - - 0 1")
    boards = [board.copy(stack=False)]
    for _ in range(LONGEST):
        moves = [move for move in board.legal_moves if not board.is_zeroing(move)]
        if not moves:
            break
        known = {earlier.epd() for earlier in boards}
        back = [move for move in moves if after(board, move) in known]
        board.push(dice.choice(back if back and dice.random() < 0.3 else moves))
        boards.append(board.copy(stack=False))
    return boards


def after(board, move):
    """The EPD after a move."""
    board = board.copy(stack=False)
    board.push(move)
    return board.epd()


def test_a_repetition_is_near_exactly_where_a_move_repeats():
    thread, dice, found = SearchThread(), random.Random(6), 0
    for _ in range(GAMES):
        boards = wandering_game(dice)
        positions = [position_of(board) for board in boards]
        root = thread.game_length = dice.randrange(len(boards) // 2)
        thread.keys[: len(positions)] = [position.key for position in positions]
        for place in range(root, len(boards)):
            board, line = boards[place], {earlier.epd() for earlier in boards[root + 1 : place]}
            expected = any(after(board, move) in line for move in board.legal_moves)
            assert is_near(addressof(thread), positions[place], place - root) == expected, board.fen()
            found += expected
    assert found > GAMES


@too_slow_interpreted
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_where_a_repetition_is_near_no_score_is_lower_than_a_draw(depth):
    worker, table, dice = Worker(searcher().entries, DEFAULTS), TranspositionTable(1), random.Random(7)
    worker.use_evaluation(ThreadEvaluation(None))
    thread, draws = worker.record, 0
    for _ in range(GAMES):
        boards = wandering_game(dice)
        positions = [position_of(board) for board in boards]
        worker.prepare_position(thread.position, [], table, None)
        thread.keys[: len(positions)] = [position.key for position in positions]
        for ply in range(1, len(boards)):
            if is_near(addressof(thread), positions[ply], ply):
                table.clear()
                score = score_of(addressof(thread), positions[ply], ply, depth)
                assert score >= DRAW, boards[ply].fen()
                draws += score == DRAW
    assert draws > GAMES


def test_passing_is_a_half_move_without_progress():
    position = position_of(chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 7 30"))
    after_it = passed(position)
    assert (after_it.clock, after_it.ply) == (8, position.ply + 1)


@pytest.mark.parametrize("passed_at, is_repeated", [(None, True), (0, True), (1, False), (4, False)])
def test_nothing_is_repeated_across_a_null_move(passed_at, is_repeated):
    board, thread = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 10 30"), SearchThread()
    boards = [board.copy()]
    for move in ("e1d1", "e8d8", "d1e1", "d8e8"):
        board.push_uci(move)
        boards.append(board.copy())
    thread.keys[1 : 1 + len(boards)] = [position_of(one).key for one in boards]
    if passed_at is not None:
        thread.repeatable_from = 1 + passed_at
    last = position_of(boards[-1])
    assert last.key == thread.keys[1]
    assert is_drawn(addressof(thread), last, 5) == is_repeated
    assert is_near(addressof(thread), position_of(boards[-2]), 4) == is_repeated
