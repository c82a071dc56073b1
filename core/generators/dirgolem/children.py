"""Making moves: the boards that the sixteen sets lead to, written one after another into memory.

A board in a vector has its words in the order of `Board`. So a move is made in all planes at once: what
stands on its two squares goes, and the target is set in those planes in which the moving piece stood.

Pawns and castlings are read out of the sets. Knights and sliders are taken one by one, for what the moves of
a piece have in common is then worked out once.
"""

from bluekrait.core.board import Board
from bluekrait.core.compiler.jit import board_type, internal, uint64
from bluekrait.core.compiler.memory import load_word
from bluekrait.core.generators.dirgolem.directions import EAST, NORTH, NORTH_EAST, NORTH_WEST, WEST
from bluekrait.core.generators.dirgolem.machine import VECTOR_BYTES
from bluekrait.core.generators.dirgolem.sight import by_line, fill, roads_over, sight_type, step
from bluekrait.core.generators.dirgolem.targets import targets_of
from bluekrait.core.generators.dirgolem.vectors import (
    byte_swapped,
    filled,
    is_empty,
    lane_mask,
    spread,
    store_vector,
    union,
    vector,
    vector_kernel,
    vector_type,
)
from bluekrait.core.rules.bits import (
    EMPTY,
    RANK_8,
    S7,
    S8,
    S9,
    S16,
    U64,
    king_attacks_of,
    knight_attacks_of,
    lowest_bit,
    pawn_captures,
)
from bluekrait.core.rules.legality import castling_targets

CHILD_BYTES = U64(5 * VECTOR_BYTES)  # a board, and room for what is found out about it later

_PAWN, _KNIGHT, _BISHOP, _ROOK, _KING = (lane_mask(plane) for plane in range(5))
_QUEEN = _BISHOP | _ROOK
_CASTLING, _EN_PASSANT = lane_mask(6), lane_mask(7)


@internal(uint64(board_type, sight_type, uint64))
def sow(board, sight, address):
    """Write down all boards that a legal move leads to, seen by who moves next; where the last one ends."""
    moves = targets_of(board, sight)
    words = words_before(board, sight.occupied & ~board.own)
    pawns = moves.rays & step(spread(board.pawns & board.own))
    west, east = pawns[NORTH_WEST], pawns[NORTH_EAST]
    passing = ((west & board.en_passant) >> S7) | ((east & board.en_passant) >> S9)
    doubles = moves.rays[NORTH] & ~pawns[NORTH] & (board.pawns << S16) & (~sight.occupied << S8)
    address = sow_pawns(address, words, pawns[NORTH], S8)
    address = sow_pawns(address, words, west & ~board.en_passant, S7)
    address = sow_pawns(address, words, east & ~board.en_passant, S9)
    address = sow_passing(address, words, board, passing)
    address = sow_double_pushes(address, words, board, sight, doubles)
    address = sow_knights(address, words, board, sight)
    address = sow_sliders(address, words, board, sight)
    words = words & ~(_CASTLING & board.own)
    address = sow_king(address, words, board, sight)
    return sow_castlings(address, words, board, (moves.rays[EAST] | moves.rays[WEST]) & board.own)


@vector_kernel(vector_type(board_type, uint64))
def words_before(board, enemy):
    """A board as a vector, to be moved on: its owner will be the enemy, and nothing has been passed yet."""
    return vector(
        board.pawns,
        board.knights,
        board.diagonals,
        board.orthogonals,
        board.kings,
        enemy,
        board.castling,
        EMPTY,
    )


@vector_kernel(board_type(uint64))
def read_board(address):
    """The board that was written at an address."""
    return Board(
        load_word(address),
        load_word(address + U64(8)),
        load_word(address + U64(16)),
        load_word(address + U64(24)),
        load_word(address + U64(32)),
        load_word(address + U64(40)),
        load_word(address + U64(48)),
        load_word(address + U64(56)),
    )


@vector_kernel(uint64(uint64, vector_type))
def plant(address, words):
    """Write a board down, turned round; where the next one goes."""
    store_vector(address, byte_swapped(words))
    return address + CHILD_BYTES


@vector_kernel(uint64(uint64, vector_type, vector_type, uint64, uint64))
def sow_piece(address, words, planes, origin, targets):
    """Moves of a piece that stands in some planes."""
    rest = words & ~origin
    while targets:
        target = lowest_bit(targets)
        targets ^= target
        address = plant(address, (rest & ~target) | (planes & target))
    return address


@vector_kernel(uint64(uint64, vector_type, uint64, uint64))
def sow_pawns(address, words, targets, distance):
    """Single steps or captures of pawns, all over the same distance, and promotions in each of four ways."""
    while targets:
        target = lowest_bit(targets)
        targets ^= target
        rest = words & ~(target | (target >> distance))
        if target & RANK_8:
            address = plant(address, rest | (_KNIGHT & target))
            address = plant(address, rest | (_BISHOP & target))
            address = plant(address, rest | (_ROOK & target))
            address = plant(address, rest | (_QUEEN & target))
        else:
            address = plant(address, rest | (_PAWN & target))
    return address


@vector_kernel(uint64(uint64, vector_type, board_type, uint64))
def sow_passing(address, words, board, origins):
    """Captures in passing."""
    while origins:
        origin = lowest_bit(origins)
        origins ^= origin
        rest = words & ~(origin | (board.en_passant >> S8))
        address = plant(address, rest | (_PAWN & board.en_passant))
    return address


@vector_kernel(uint64(uint64, vector_type, board_type, sight_type, uint64))
def sow_double_pushes(address, words, board, sight, targets):
    """Double pushes of pawns. Only what can really be captured in passing is marked so."""
    while targets:
        target = lowest_bit(targets)
        targets ^= target
        after = (words & ~(target >> S16)) | (_PAWN & target)
        if pawn_captures(target >> S8) & board.pawns & ~board.own:
            after = after | (_EN_PASSANT & passed_square(board, sight.occupied, target))
        address = plant(address, after)
    return address


@internal(uint64(board_type, uint64, uint64))
def passed_square(board, occupied, target):
    """The square that a double push to the target passes, if the enemy may capture there; else nothing.

    Two pawns leave a rank when he does, and the line to his king that they open may be ours. So look from
    his king with both gone, for each pawn that could capture.
    """
    passed = target >> S8
    king = spread(board.kings & ~board.own)
    sliders = by_line(board.orthogonals & board.own, board.diagonals & board.own)
    left = (occupied & ~(target >> S16)) | passed
    origins = pawn_captures(passed) & board.pawns & ~board.own
    while origins:
        origin = lowest_bit(origins)
        origins ^= origin
        if is_empty(fill(king, roads_over(~left | origin)) & sliders):
            return passed
    return EMPTY


@vector_kernel(uint64(uint64, vector_type, board_type, sight_type))
def sow_knights(address, words, board, sight):
    """Moves of knights."""
    knights = board.knights & board.own & ~sight.between
    while knights:
        origin = lowest_bit(knights)
        knights ^= origin
        address = sow_piece(address, words, _KNIGHT, origin, knight_attacks_of(origin) & sight.targets)
    return address


@vector_kernel(uint64(uint64, vector_type, board_type, sight_type))
def sow_sliders(address, words, board, sight):
    """Moves of bishops, rooks and queens."""
    sliders = (board.diagonals | board.orthogonals) & board.own
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        slider = by_line(board.orthogonals & origin, board.diagonals & origin) & ~sight.pinned
        targets = union(fill(slider, sight.roads)) & sight.targets
        address = sow_piece(address, words, _QUEEN & filled(words & origin), origin, targets)
    return address


@vector_kernel(uint64(uint64, vector_type, board_type, sight_type))
def sow_king(address, words, board, sight):
    """Steps of the king."""
    king = board.kings & board.own
    return sow_piece(address, words, _KING, king, king_attacks_of(king) & ~(board.own | sight.attacked))


@vector_kernel(uint64(uint64, vector_type, board_type, uint64))
def sow_castlings(address, words, board, rooks):
    """Castling with each of the rooks."""
    king = board.kings & board.own
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        king_target, rook_target = castling_targets(king, rook)
        rest = words & ~(king | rook)
        address = plant(address, rest | (_KING & king_target) | (_ROOK & rook_target))
    return address
