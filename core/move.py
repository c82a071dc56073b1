"""A move in 32 bits, and what can be read from it without looking at the board.

    bits   0-5   6-11  12-14   15-17     18-20      21-23   24-31
           from  to    piece   captured  promotion  kind    order

The generator knows `piece` and `kind`, so they are kept in the move. `order` is for sorting moves; it has the
highest bits, so that moves sort as plain integers. Squares are as the side to move sees them. Castling is
"king takes own rook", in chess and in Chess960 alike: `to` is the rook's square and nothing is captured.
"""

FROM_MASK = 0x3F
TO_SHIFT = 6
PIECE_SHIFT = 12
CAPTURED_SHIFT = 15
PROMOTION_SHIFT = 18
KIND_SHIFT = 21
ORDER_SHIFT = 24
CODE_MASK = 7
IDENTITY_MASK = (1 << ORDER_SHIFT) - 1  # everything but the order

NORMAL, DOUBLE_PUSH, EN_PASSANT, CASTLING = 0, 1, 2, 3

NO_MOVE = 0


def pack(
    origin: int, target: int, piece: int, captured: int = 0, promotion: int = 0, kind: int = NORMAL
) -> int:
    """The 32-bit move with an empty order field."""
    return (
        int(origin)
        | int(target) << TO_SHIFT
        | piece << PIECE_SHIFT
        | captured << CAPTURED_SHIFT
        | promotion << PROMOTION_SHIFT
        | kind << KIND_SHIFT
    )


def origin_of(move: int) -> int:
    """Square the piece leaves."""
    return move & FROM_MASK


def target_of(move: int) -> int:
    """Square the piece goes to; the own rook's square when castling."""
    return move >> TO_SHIFT & FROM_MASK


def piece_of(move: int) -> int:
    """Code of the moving piece."""
    return move >> PIECE_SHIFT & CODE_MASK


def captured_of(move: int) -> int:
    """Code of the captured piece, NONE if nothing is captured."""
    return move >> CAPTURED_SHIFT & CODE_MASK


def promotion_of(move: int) -> int:
    """Code of the piece a pawn becomes, NONE if it stays a pawn."""
    return move >> PROMOTION_SHIFT & CODE_MASK


def kind_of(move: int) -> int:
    """NORMAL, DOUBLE_PUSH, EN_PASSANT or CASTLING."""
    return move >> KIND_SHIFT & CODE_MASK


def order_of(move: int) -> int:
    """The ordering field, 0 to 255."""
    return move >> ORDER_SHIFT


def with_order(move: int, order: int) -> int:
    """The same move with another value in its ordering field."""
    return move & IDENTITY_MASK | order << ORDER_SHIFT


def is_noisy(move: int) -> bool:
    """True if the move captures or promotes."""
    return (captured_of(move) | promotion_of(move)) != 0
