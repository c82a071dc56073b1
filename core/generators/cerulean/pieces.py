"""Moving, removing and replacing pieces: `board`, `lists` and `places` change together.

Each change has its exact reverse. For an empty square, `places` keeps the index of the last piece there, and
the reverse relies on that: a piece that moves swaps the `places` of its two squares, so that no index is
lost. Beyond its count a list is zero, unless said otherwise.

A function that changes the position returns the change of the key; its reverse does not.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.generators.cerulean.mailbox import mailbox_type
from bluekrait.core.generators.cerulean.moves import castling_targets
from bluekrait.core.generators.cerulean.squares import A_KING, A_PAWN, A_ROOK, MARGIN
from bluekrait.core.rules.bits import EMPTY, ONE, U64


@inline(uint64(mailbox_type, uint64, uint64, uint64))
def move_piece(record, code, origin, target):
    """Move a piece to an empty square. With the squares exchanged, this is its own reverse."""
    return _exchange(record, code, origin, target, EMPTY)


@inline(uint64(mailbox_type, uint64, uint64, uint64, uint64))
def _exchange(record, code, origin, target, other):
    """Swap a piece with the content of its target; only the list of the moving piece is updated."""
    place = U64(record.places[origin])
    record.places[origin] = record.places[target]
    record.places[target] = place
    record.lists[code, place] = target
    record.board[MARGIN + origin] = other
    record.board[MARGIN + target] = code
    return record.piece_keys[code, origin] ^ record.piece_keys[code, target]


@inline(uint64(mailbox_type, uint64, uint64))
def add_piece(record, code, square):
    """Add a piece on an empty square, at the end of its list."""
    count = U64(record.counts[code])
    record.lists[code, count] = square
    record.places[square] = count
    record.counts[code] = count + ONE
    record.board[MARGIN + square] = code
    return record.piece_keys[code, square]


@inline(uint64(mailbox_type, uint64, uint64))
def remove_piece(record, code, square):
    """Remove a piece; the last of its list fills the gap."""
    place, count = U64(record.places[square]), U64(record.counts[code]) - ONE
    last = U64(record.lists[code, count])
    record.lists[code, place] = last
    record.places[last] = place
    record.lists[code, count] = EMPTY
    record.counts[code] = count
    record.board[MARGIN + square] = EMPTY
    return record.piece_keys[code, square]


@inline(uint64(mailbox_type, uint64, uint64))
def restore_piece(record, code, square):
    """The reverse of `remove_piece`."""
    place, count = U64(record.places[square]), U64(record.counts[code])
    last = square if place == count else U64(record.lists[code, place])
    record.lists[code, count] = last
    record.places[last] = count
    record.lists[code, place] = square
    record.places[square] = place
    record.counts[code] = count + ONE
    record.board[MARGIN + square] = code
    return square


@inline(uint64(mailbox_type, uint64, uint64, uint64, uint64))
def promote(record, side, kind, origin, target):
    """Replace a pawn by a piece on its target; the old `places` of the target is kept behind the pawns."""
    pawn = side | A_PAWN
    change = remove_piece(record, pawn, origin)
    record.lists[pawn, U64(record.counts[pawn])] = record.places[target]
    return change ^ add_piece(record, side | kind, target)


@inline(uint64(mailbox_type, uint64, uint64, uint64, uint64))
def demote(record, side, kind, origin, target):
    """The reverse of `promote`."""
    pawn = side | A_PAWN
    remove_piece(record, side | kind, target)
    record.places[target] = record.lists[pawn, U64(record.counts[pawn])]
    return restore_piece(record, pawn, origin)


@inline(uint64(mailbox_type, uint64, uint64, uint64))
def castle(record, side, king, rook):
    """Castle. In Chess960 the king may go to the square of the rook, or the other way round, or stay."""
    king_target, rook_target = castling_targets(king, rook)
    change = _exchange(record, side | A_KING, king, king_target, U64(record.board[MARGIN + king_target]))
    midway = king if rook == king_target else rook
    _exchange(record, side | A_ROOK, midway, rook_target, U64(record.board[MARGIN + rook_target]))
    return change ^ record.piece_keys[side | A_ROOK, rook] ^ record.piece_keys[side | A_ROOK, rook_target]


@inline(uint64(mailbox_type, uint64, uint64, uint64))
def uncastle(record, side, king, rook):
    """The reverse of `castle`."""
    king_target, rook_target = castling_targets(king, rook)
    midway = king if rook == king_target else rook
    _exchange(record, side | A_ROOK, rook_target, midway, U64(record.board[MARGIN + midway]))
    _exchange(record, side | A_KING, king_target, king, U64(record.board[MARGIN + king]))
    record.lists[side | A_ROOK, U64(record.places[rook])] = rook
    return rook
