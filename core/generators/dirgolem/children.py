"""Making moves: the boards after each move of the sixteen sets, written one after another into memory.

A board in a vector has its words in the order of `Board`. So a move is made in all bitboards at once: its two
squares are cleared, and the target is set in the bitboards of the moving piece.

Pawn moves and castling are read from the sets. Knights and sliders are expanded one by one, because what all
moves of a piece have in common is then computed once.
"""

from bluekrait.core.board import Board
from bluekrait.core.compiler.jit import board_type, internal, uint64
from bluekrait.core.compiler.memory import load_word
from bluekrait.core.generators.dirgolem.directions import EAST, NORTH, NORTH_EAST, NORTH_WEST, WEST
from bluekrait.core.generators.dirgolem.machine import VECTOR_BYTES
from bluekrait.core.generators.dirgolem.targets import targets_of
from bluekrait.core.generators.dirgolem.threats import by_line, fill, propagators_over, step, threats_type
from bluekrait.core.generators.dirgolem.vectors import (
    broadcast,
    byte_swapped,
    filled,
    is_empty,
    lane_mask,
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

CHILD_BYTES = U64(5 * VECTOR_BYTES)  # a board, and room for its `Threats`

_PAWN, _KNIGHT, _BISHOP, _ROOK, _KING = (lane_mask(plane) for plane in range(5))
_QUEEN = _BISHOP | _ROOK
_CASTLING, _EN_PASSANT = lane_mask(6), lane_mask(7)


@internal(uint64(board_type, threats_type, uint64))
def expand(board, threats, address):
    """Write all boards after a legal move, as the side to move then sees them; returns the end address."""
    moves = targets_of(board, threats)
    words = words_for_children(board, threats.occupied & ~board.own)
    pawns = moves.rays & step(broadcast(board.pawns & board.own))
    west, east = pawns[NORTH_WEST], pawns[NORTH_EAST]
    en_passants = ((west & board.en_passant) >> S7) | ((east & board.en_passant) >> S9)
    doubles = moves.rays[NORTH] & ~pawns[NORTH] & (board.pawns << S16) & (~threats.occupied << S8)
    address = append_pawn_moves(address, words, pawns[NORTH], S8)
    address = append_pawn_moves(address, words, west & ~board.en_passant, S7)
    address = append_pawn_moves(address, words, east & ~board.en_passant, S9)
    address = append_en_passants(address, words, board, en_passants)
    address = append_double_pushes(address, words, board, threats, doubles)
    address = append_knight_moves(address, words, board, threats)
    address = append_slider_moves(address, words, board, threats)
    words = words & ~(_CASTLING & board.own)
    address = append_king_moves(address, words, board, threats)
    return append_castlings(address, words, board, (moves.rays[EAST] | moves.rays[WEST]) & board.own)


@vector_kernel(vector_type(board_type, uint64))
def words_for_children(board, enemy):
    """A board as a vector, prepared for a move: `own` is the enemy, and there is no en-passant square."""
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
    """The board at an address."""
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
def append_board(address, words):
    """Write a board, turned round; returns the address of the next one."""
    store_vector(address, byte_swapped(words))
    return address + CHILD_BYTES


@vector_kernel(uint64(uint64, vector_type, vector_type, uint64, uint64))
def append_piece_moves(address, words, planes, origin, targets):
    """Moves of a piece that stands in some bitboards."""
    rest = words & ~origin
    while targets:
        target = lowest_bit(targets)
        targets ^= target
        address = append_board(address, (rest & ~target) | (planes & target))
    return address


@vector_kernel(uint64(uint64, vector_type, uint64, uint64))
def append_pawn_moves(address, words, targets, distance):
    """Pawn pushes or captures over one distance, with promotions in each of four ways."""
    while targets:
        target = lowest_bit(targets)
        targets ^= target
        rest = words & ~(target | (target >> distance))
        if target & RANK_8:
            address = append_board(address, rest | (_KNIGHT & target))
            address = append_board(address, rest | (_BISHOP & target))
            address = append_board(address, rest | (_ROOK & target))
            address = append_board(address, rest | (_QUEEN & target))
        else:
            address = append_board(address, rest | (_PAWN & target))
    return address


@vector_kernel(uint64(uint64, vector_type, board_type, uint64))
def append_en_passants(address, words, board, origins):
    """En-passant captures."""
    while origins:
        origin = lowest_bit(origins)
        origins ^= origin
        rest = words & ~(origin | (board.en_passant >> S8))
        address = append_board(address, rest | (_PAWN & board.en_passant))
    return address


@vector_kernel(uint64(uint64, vector_type, board_type, threats_type, uint64))
def append_double_pushes(address, words, board, threats, targets):
    """Double pushes. The en-passant square is set only if a capture there is legal."""
    while targets:
        target = lowest_bit(targets)
        targets ^= target
        after = (words & ~(target >> S16)) | (_PAWN & target)
        if pawn_captures(target >> S8) & board.pawns & ~board.own:
            after = after | (_EN_PASSANT & en_passant_square(board, threats.occupied, target))
        address = append_board(address, after)
    return address


@internal(uint64(board_type, uint64, uint64))
def en_passant_square(board, occupied, target):
    """The square that a double push passes, if an en-passant capture there is legal; else none.

    The capture takes two pawns off one rank, which may open a line from our slider to the enemy king. So the
    rays from that king are computed with both pawns gone, for each pawn that could capture.
    """
    king_path = target >> S8
    king = broadcast(board.kings & ~board.own)
    sliders = by_line(board.orthogonals & board.own, board.diagonals & board.own)
    left = (occupied & ~(target >> S16)) | king_path
    origins = pawn_captures(king_path) & board.pawns & ~board.own
    while origins:
        origin = lowest_bit(origins)
        origins ^= origin
        if is_empty(fill(king, propagators_over(~left | origin)) & sliders):
            return king_path
    return EMPTY


@vector_kernel(uint64(uint64, vector_type, board_type, threats_type))
def append_knight_moves(address, words, board, threats):
    """Moves of knights."""
    knights = board.knights & board.own & ~threats.between
    while knights:
        origin = lowest_bit(knights)
        knights ^= origin
        address = append_piece_moves(
            address, words, _KNIGHT, origin, knight_attacks_of(origin) & threats.targets
        )
    return address


@vector_kernel(uint64(uint64, vector_type, board_type, threats_type))
def append_slider_moves(address, words, board, threats):
    """Moves of bishops, rooks and queens."""
    sliders = (board.diagonals | board.orthogonals) & board.own
    while sliders:
        origin = lowest_bit(sliders)
        sliders ^= origin
        slider = by_line(board.orthogonals & origin, board.diagonals & origin) & ~threats.pinned
        targets = union(fill(slider, threats.propagators)) & threats.targets
        address = append_piece_moves(address, words, _QUEEN & filled(words & origin), origin, targets)
    return address


@vector_kernel(uint64(uint64, vector_type, board_type, threats_type))
def append_king_moves(address, words, board, threats):
    """Steps of the king."""
    king = board.kings & board.own
    return append_piece_moves(
        address, words, _KING, king, king_attacks_of(king) & ~(board.own | threats.attacked)
    )


@vector_kernel(uint64(uint64, vector_type, board_type, uint64))
def append_castlings(address, words, board, rooks):
    """Castling with each of the rooks."""
    king = board.kings & board.own
    while rooks:
        rook = lowest_bit(rooks)
        rooks ^= rook
        king_target, rook_target = castling_targets(king, rook)
        rest = words & ~(king | rook)
        address = append_board(address, rest | (_KING & king_target) | (_ROOK & rook_target))
    return address
