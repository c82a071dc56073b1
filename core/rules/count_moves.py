"""The number of legal moves of a board, without branches and without tables.

After DirGolem: every direction is a Kogge-Stone fill, every move is a bit in one of sixteen target sets, and
the number of moves is the population count of these sets. So the arithmetic is the same for all boards.

En passant is not counted here: it is rare, and who needs it adds `legality.legal_en_passants`.
"""

from numba import types

from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.jit import board_type, inline, uint64
from bluekrait.core.rules.bits import (
    EMPTY,
    FULL,
    NOT_FILE_A,
    NOT_FILE_H,
    NOT_FILES_AB,
    NOT_FILES_GH,
    ONE,
    RANK_3,
    RANK_8,
    S1,
    S6,
    S7,
    S8,
    S9,
    S10,
    S15,
    S17,
    THREE,
    enemy_pawn_captures,
    king_attacks_of,
    knight_attacks_of,
    pawn_captures,
    popcount,
)
from bluekrait.core.rules.fills import open_line, slide, slide_on_rank
from bluekrait.core.rules.legality import SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1, span

_pair = types.UniTuple(uint64, 2)


@inline(uint64(board_type))
def count_moves(board):
    """The number of legal moves of a board, en passant left out."""
    own, king = board.own, board.kings & board.own
    occupied = all_pieces(board)
    empty, enemy = ~occupied, occupied & ~own
    diagonals, orthogonals = board.diagonals & enemy, board.orthogonals & enemy

    # 1. The lines in four directions: sliding attacks, and what stands between the king and enemy sliders.
    rank = open_line(empty, S1, NOT_FILE_A, NOT_FILE_H)
    file = open_line(empty, S8, FULL, FULL)
    falling = open_line(empty, S7, NOT_FILE_H, NOT_FILE_A)
    rising = open_line(empty, S9, NOT_FILE_A, NOT_FILE_H)
    enemy_rays, king_rays = slide_on_rank(orthogonals, rank, empty), slide_on_rank(king, rank, empty)
    attacked_1, between_1, checkers_1 = line_threats(
        enemy_rays, king_rays, orthogonals, king, S1, NOT_FILE_A, NOT_FILE_H
    )
    enemy_rays, king_rays = slide(orthogonals, file, S8, FULL, FULL), slide(king, file, S8, FULL, FULL)
    attacked_2, between_2, checkers_2 = line_threats(enemy_rays, king_rays, orthogonals, king, S8, FULL, FULL)
    enemy_rays = slide(diagonals, falling, S7, NOT_FILE_H, NOT_FILE_A)
    king_rays = slide(king, falling, S7, NOT_FILE_H, NOT_FILE_A)
    attacked_3, between_3, checkers_3 = line_threats(
        enemy_rays, king_rays, diagonals, king, S7, NOT_FILE_H, NOT_FILE_A
    )
    enemy_rays = slide(diagonals, rising, S9, NOT_FILE_A, NOT_FILE_H)
    king_rays = slide(king, rising, S9, NOT_FILE_A, NOT_FILE_H)
    attacked_4, between_4, checkers_4 = line_threats(
        enemy_rays, king_rays, diagonals, king, S9, NOT_FILE_A, NOT_FILE_H
    )

    # 2. Squares that the king may not enter, and those that the other pieces may, depending on checks.
    attacked = attacked_1 | attacked_2 | attacked_3 | attacked_4
    attacked |= enemy_pawn_captures(board.pawns & enemy) | knight_attacks_of(board.knights & enemy)
    attacked |= king_attacks_of(board.kings & enemy)
    between = between_1 | between_2 | between_3 | between_4
    checkers = checkers_1 | checkers_2 | checkers_3 | checkers_4
    checkers |= pawn_captures(king) & board.pawns & enemy
    checkers |= knight_attacks_of(king) & board.knights & enemy
    targets = FULL if checkers == EMPTY else checkers | (between & empty)
    targets = ~own & (targets if checkers & (checkers - ONE) == EMPTY else EMPTY)

    # 3. The king, then the sliders: a pinned one keeps to its line.
    count = popcount(king_attacks_of(king) & ~own & ~attacked)
    orthogonals, diagonals = board.orthogonals & own, board.diagonals & own
    moves_1 = slide_on_rank(orthogonals & ~(between ^ between_1), rank, empty)
    moves_2 = slide(orthogonals & ~(between ^ between_2), file, S8, FULL, FULL)
    moves_3 = slide(diagonals & ~(between ^ between_3), falling, S7, NOT_FILE_H, NOT_FILE_A)
    moves_4 = slide(diagonals & ~(between ^ between_4), rising, S9, NOT_FILE_A, NOT_FILE_H)
    count += popcount(moves_1[0] & targets) + popcount(moves_1[1] & targets)
    count += popcount(moves_2[0] & targets) + popcount(moves_2[1] & targets)
    count += popcount(moves_3[0] & targets) + popcount(moves_3[1] & targets)
    count += popcount(moves_4[0] & targets) + popcount(moves_4[1] & targets)

    # 4. Knights, eight ways.
    knights = board.knights & own & ~between
    count += popcount((knights << S6) & NOT_FILES_GH & targets)
    count += popcount((knights << S10) & NOT_FILES_AB & targets)
    count += popcount((knights << S15) & NOT_FILE_H & targets)
    count += popcount((knights << S17) & NOT_FILE_A & targets)
    count += popcount((knights >> S6) & NOT_FILES_AB & targets)
    count += popcount((knights >> S10) & NOT_FILES_GH & targets)
    count += popcount((knights >> S15) & NOT_FILE_A & targets)
    count += popcount((knights >> S17) & NOT_FILE_H & targets)

    # 5. Pawns: each arrival on the last rank is four moves.
    pawns = board.pawns & own
    west = ((pawns & ~(between ^ between_3)) << S7) & NOT_FILE_H & enemy & targets
    east = ((pawns & ~(between ^ between_4)) << S9) & NOT_FILE_A & enemy & targets
    steps = ((pawns & ~(between ^ between_2)) << S8) & empty
    doubles = ((steps & RANK_3) << S8) & empty & targets
    steps &= targets
    count += popcount(west) + popcount(east) + popcount(steps) + popcount(doubles)
    count += THREE * (popcount(west & RANK_8) + popcount(east & RANK_8) + popcount(steps & RANK_8))

    # 6. Castling, king side and queen side.
    rooks = board.castling & own
    obstacles = occupied ^ king, attacked, between_1
    rook = rooks & ~(king | (king - ONE))
    crossed, king_path = span(min(king, SQUARE_F1), max(rook, SQUARE_G1)), span(king, SQUARE_G1)
    count += castles(rook, crossed, king_path, obstacles)
    rook = rooks & (king - ONE)
    crossed = span(min(rook, SQUARE_C1), max(king, SQUARE_D1))
    king_path = span(min(king, SQUARE_C1), max(king, SQUARE_C1))
    count += castles(rook, crossed, king_path, obstacles)
    return count


@inline(types.UniTuple(uint64, 3)(_pair, _pair, uint64, uint64, uint64, uint64, uint64))
def line_threats(enemy_rays, king_rays, enemies, king, step, mask_up, mask_down):
    """Enemy sliders on one line with the king: attacked squares, squares in between, and checkers.

    In check, the square behind the king counts as attacked too. Where the enemy's rays and those of the king
    overlap, the squares are between the two: all of them empty in check, one piece if that piece is pinned.
    """
    up, down = enemy_rays
    behind = (((up & king) << step) & mask_up) | (((down & king) >> step) & mask_down)
    between = (up & king_rays[1]) | (down & king_rays[0])
    return up | down | behind, between, (king_rays[0] | king_rays[1]) & enemies


@inline(uint64(uint64, uint64, uint64, types.UniTuple(uint64, 3)))
def castles(rook, crossed, king_path, obstacles):
    """1 if the king may castle with that rook, else 0, also if there is none; see `castling_rooks`."""
    others, attacked, shields = obstacles
    blocked = (crossed & (others ^ rook)) | (king_path & attacked) | (rook & shields)
    return ONE if (rook != EMPTY) & (blocked == EMPTY) else EMPTY
