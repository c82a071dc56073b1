"""The rules against python-chess: on thousands of positions, move for move and field for field."""

import random
from collections import Counter

import chess

from bluekrait.core import attacked_squares, checkers, is_legal, legal_moves, make_move
from bluekrait.core.compiler.jit import position_type, uint32, uint64
from bluekrait.core.move import CASTLING, EN_PASSANT, IDENTITY_MASK, NORMAL, kind_of, with_order
from bluekrait.core.rules.bits import turned
from bluekrait.core.rules.make import likely_key_after
from helpers.kernels import too_slow_interpreted, uncached_kernel
from helpers.oracles import packed_move, position_of
from helpers.support import (
    accepted_moves,
    case_of,
    cases,
    counted_moves,
    en_passant_boards,
    noisy_and_quiet_moves,
    seen_by_mover,
)


def test_the_cases_are_worth_their_name():
    boards = [case.board for case in cases()]
    kinds = [kind_of(move) for case in cases() for move in case.moves]
    assert len(boards) > 6000
    assert sum(board.is_check() for board in boards) > 300
    assert sum(chess.popcount(board.checkers_mask()) == 2 for board in boards) > 30
    assert sum(board.is_checkmate() for board in boards) > 10
    assert sum(move.promotion is not None for case in cases() for move in case.moves.values()) > 500
    assert kinds.count(CASTLING) > 500
    assert kinds.count(EN_PASSANT) > 300
    assert sum(board.has_pseudo_legal_en_passant() > board.has_legal_en_passant() for board in boards) > 50


# --- what is legal --------------------------------------------------------------------------------


def test_legal_moves():
    for board, position, moves in cases():
        assert sorted(legal_moves(position).tolist()) == sorted(moves), board.fen()


def test_noisy_moves_capture_or_promote_and_come_first():
    for board, position, moves in cases():
        noisy, quiet = (heap.tolist() for heap in noisy_and_quiet_moves(position))
        expected = {packed for packed, move in moves.items() if board.is_capture(move) or move.promotion}
        assert set(noisy) == expected, board.fen()
        assert set(quiet) == moves.keys() - expected, board.fen()
        assert legal_moves(position).tolist() == noisy + quiet


def test_moves_counted_without_listing_them():
    for board, position, moves in cases():
        assert counted_moves(position) == len(moves), board.fen()


# --- what a position feels like -------------------------------------------------------------------


def test_checkers():
    for board, position, _ in cases():
        assert checkers(position) == seen_by_mover(board, board.checkers_mask()), board.fen()


def test_attacked_squares_as_if_the_king_were_glass():
    for board, position, _ in cases():
        glass = chess.BaseBoard(board.board_fen())
        glass.remove_piece_at(board.king(board.turn))
        attacked = chess.SquareSet()
        for enemy in chess.SquareSet(glass.occupied_co[not board.turn]):
            attacked |= glass.attacks(enemy)
        assert attacked_squares(position) == seen_by_mover(board, attacked), board.fen()


# --- what a move does -----------------------------------------------------------------------------


def test_making_moves():
    rng = random.Random(21)
    for board, position, moves in cases():
        special = [move for move in moves if kind_of(move) != NORMAL]
        chosen = {*special[:6], *rng.sample(list(moves), min(4, len(moves)))}
        for move in chosen:
            board.push(moves[move])
            assert make_move(position, move) == position_of(board), board.fen()
            board.pop()


def test_a_double_step_leaves_an_en_passant_square_only_where_a_capture_is_legal():
    left = Counter()
    for board in en_passant_boards(seed=27, count=400):
        if board.move_stack:
            after, step = position_of(board), board.pop()
            assert make_move(position_of(board), packed_move(board, step)) == after, board.fen()
            left[bool(after.board.en_passant)] += 1
    assert min(left[True], left[False]) > 20


@uncached_kernel(uint64(position_type, uint32))
def likely_key(position, move):
    return likely_key_after(position, move)


def test_the_key_of_the_usual_move_is_foreseen():
    foreseen = seen = 0
    for case in cases():
        position = case.position
        for move in case.moves:
            seen += 1
            child = make_move(position, move)
            is_usual = kind_of(move) == NORMAL and not position.board.en_passant | child.board.en_passant
            if is_usual and position.board.castling == turned(child.board.castling):
                foreseen += 1
                assert likely_key(position, move) == child.key, case.board.fen()
    assert foreseen > seen // 2


def test_words_stay_right_over_a_whole_game():
    rng = random.Random(22)
    for number in range(0, 960, 97):
        board = chess.Board.from_chess960_pos(number)
        position = position_of(board)
        for _ in range(100):
            moves = case_of(board).moves
            if moves:
                move = rng.choice(list(moves))
                position = make_move(position, move)
                board.push(moves[move])
                assert position == position_of(board), board.fen()


# --- moves from elsewhere -------------------------------------------------------------------------


@too_slow_interpreted
def test_of_all_packed_moves_exactly_the_legal_ones_pass():
    for board, position, moves in cases()[::150]:
        assert accepted_moves(position).tolist() == sorted(moves), board.fen()


def test_the_order_field_does_not_matter():
    rng = random.Random(23)
    for _, position, moves in cases()[::5]:
        assert all(is_legal(position, with_order(move, rng.randrange(1, 256))) for move in moves)


def test_near_misses():
    rng = random.Random(24)
    for board, position, moves in cases():
        for move in rng.sample(list(moves), min(10, len(moves))):
            for bits in (1, 1, 1, 2, 3):
                near = move ^ sum(1 << bit for bit in rng.sample(range(24), bits))
                assert is_legal(position, near) == (near in moves), (board.fen(), near)


def test_moves_of_other_positions():
    rng = random.Random(25)
    legal = 0
    for board, position, moves in cases():
        for move in rng.choice(cases()).moves:
            legal += move in moves
            assert is_legal(position, move) == (move in moves), (board.fen(), move)
    assert legal > 3000


def test_random_numbers():
    rng = random.Random(26)
    for board, position, moves in cases():
        for _ in range(20):
            move = rng.randrange(IDENTITY_MASK + 1)
            assert is_legal(position, move) == (move in moves), (board.fen(), move)
