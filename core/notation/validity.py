"""Whether a position that comes from outside is possible, tested once for each.

Slow and plain, on the geometry's step-by-step walks, so that neither FEN nor its tests need the compiled
rules. A `..._flaw` function returns a few words that say what is wrong, or None.
"""

from bluekrait.core.board import Board, all_pieces
from bluekrait.core.notation.mirror import for_opponent
from bluekrait.core.tables.geometry import (
    BISHOP_STEPS,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_CAPTURE_STEPS,
    ROOK_STEPS,
    leaps,
    slides,
    squares,
)

LAST_RANKS = 0xFF000000000000FF
EN_PASSANT_RANK = 0x0000FF0000000000
PAWN_ORIGIN_STEPS = tuple((files, -ranks) for files, ranks in PAWN_CAPTURE_STEPS)

INITIAL_PAWNS = 8


def checkers(board: Board) -> int:
    """The enemy pieces that attack the king of the side to move."""
    king, everyone = own_king(board), all_pieces(board)
    attackers = (
        leaps(king, PAWN_CAPTURE_STEPS) & board.pawns
        | leaps(king, KNIGHT_STEPS) & board.knights
        | leaps(king, KING_STEPS) & board.kings
        | slides(king, BISHOP_STEPS, everyone) & board.diagonals
        | slides(king, ROOK_STEPS, everyone) & board.orthogonals
    )
    return attackers & ~board.own


def own_king(board: Board) -> int:
    """Square of the king of the side to move."""
    return (board.kings & board.own).bit_length() - 1


def en_passant_is_legal(board: Board) -> bool:
    """True if some pawn may capture on the en-passant square without leaving its king in check."""
    target = board.en_passant
    captured = target >> 8
    for origin in squares(leaps(target.bit_length() - 1, PAWN_ORIGIN_STEPS) & board.pawns & board.own):
        leap = target | 1 << origin
        if not checkers(board._replace(pawns=board.pawns ^ captured ^ leap, own=board.own ^ leap)):
            return True
    return False


def pieces_flaw(board: Board) -> str | None:
    """What is wrong with the numbers of pieces of the side to move."""
    kings = (board.kings & board.own).bit_count()
    if kings != 1:
        return f"has {kings or 'no'} king{'s' * (kings > 1)}"
    # A legal army has at most 218 moves; without this bound a list of moves could overflow.
    pawns = (board.pawns & board.own).bit_count() + _promoted(board)
    if pawns > INITIAL_PAWNS:
        return f"has {pawns} pawns, counting promoted ones"
    return None


def _promoted(board: Board) -> int:
    """How many pieces more than at the start, kind by kind: each must have been a pawn."""
    queens = board.diagonals & board.orthogonals
    bishops, rooks = board.diagonals ^ queens, board.orthogonals ^ queens
    officers = ((board.knights, 2), (bishops, 2), (rooks, 2), (queens, 1))
    return sum(max(0, (pieces & board.own).bit_count() - initial) for pieces, initial in officers)


def pawns_flaw(board: Board) -> str | None:
    """What is wrong with where the pawns stand."""
    return "a pawn on the first or last rank" if board.pawns & LAST_RANKS else None


def check_flaw(board: Board) -> str | None:
    """What is wrong with the checks."""
    if checkers(for_opponent(board)):
        return "the side that has just moved is in check"
    attackers = checkers(board).bit_count()
    if attackers > 2:
        return f"{attackers} pieces give check at once"
    return None


def en_passant_flaw(board: Board) -> str | None:
    """Why the last move cannot have been a double push across the en-passant square.

    Not asked: whether the king was in check before that move. No game reaches such a position, but test
    suites have some, and the rules need only what `en_passant_is_legal` says.
    """
    target, everyone = board.en_passant, all_pieces(board)
    start, end = target << 8, target >> 8
    if not target & EN_PASSANT_RANK:
        return "is on the wrong rank"
    if target & everyone:
        return "is not empty"
    if start & everyone or not end & board.pawns & ~board.own:
        return "was not crossed by a pawn"
    return None
