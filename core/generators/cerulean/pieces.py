"""Moving, removing and replacing pieces: board, lists and places change together.

Each change has its exact reverse. Where no piece stands, `places` still knows what it knew when a piece
stood there last, and that is what the reverse relies on: a piece that moves exchanges its place with what its
target remembers, so that nothing is ever forgotten. Beyond its count a list is zero, unless said otherwise.

What changes the position returns the change of the key; nobody asks that of a reverse.
"""

from bluekrait.core.compiler.jit import inline, uint64
from bluekrait.core.generators.cerulean.mailbox import mailbox_type
from bluekrait.core.generators.cerulean.moves import castling_targets
from bluekrait.core.generators.cerulean.squares import A_KING, A_PAWN, A_ROOK, MARGIN
from bluekrait.core.rules.bits import EMPTY, ONE, U64


@inline(uint64(mailbox_type, uint64, uint64, uint64))
def shift(record, code, origin, target):
    """Move a piece to an empty square. With the squares exchanged, this is its own reverse."""
    return _exchange(record, code, origin, target, EMPTY)


@inline(uint64(mailbox_type, uint64, uint64, uint64, uint64))
def _exchange(record, code, origin, target, other):
    """Let a piece change squares with whatever stands on its target; only the piece's own list is told."""
    place = U64(record.places[origin])
    record.places[origin] = record.places[target]
    record.places[target] = place
    record.lists[code, place] = target
    record.board[MARGIN + origin] = other
    record.board[MARGIN + target] = code
    return record.piece_keys[code, origin] ^ record.piece_keys[code, target]


@inline(uint64(mailbox_type, uint64, uint64))
def put(record, code, square):
    """Note a piece on an empty square at the end of its list."""
    count = U64(record.counts[code])
    record.lists[code, count] = square
    record.places[square] = count
    record.counts[code] = count + ONE
    record.board[MARGIN + square] = code
    return record.piece_keys[code, square]


@inline(uint64(mailbox_type, uint64, uint64))
def take(record, code, square):
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
def give_back(record, code, square):
    """The reverse of `take`."""
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
    """Replace a pawn by a piece on its target, whose memory waits at the end of the list of pawns."""
    pawn = side | A_PAWN
    change = take(record, pawn, origin)
    record.lists[pawn, U64(record.counts[pawn])] = record.places[target]
    return change ^ put(record, side | kind, target)


@inline(uint64(mailbox_type, uint64, uint64, uint64, uint64))
def demote(record, side, kind, origin, target):
    """The reverse of `promote`."""
    pawn = side | A_PAWN
    take(record, side | kind, target)
    record.places[target] = record.lists[pawn, U64(record.counts[pawn])]
    return give_back(record, pawn, origin)


@inline(uint64(mailbox_type, uint64, uint64, uint64))
def castle(record, side, king, rook):
    """Castle. In Chess960 either may go to where the other stands, or stay."""
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
