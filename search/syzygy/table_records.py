"""Tables laid out for compiled code, described once for Python and for kernels."""

import ctypes

from bluekrait.search.syzygy import numbering

MOST_PIECES = 7
CODE_LENGTHS = 33  # of Huffman codes: none has more than 32 bits
SIDES, FILES = 2, 4
OUTCOMES = 5  # from LOSS to WIN
SECOND_SIDE = 8  # added to the code of a piece of the side that the table's name has second
LEAF, RIGHT_SHIFT = 0xFFF, 12  # in place of a second symbol: the first is a value; and where it stands

# The hash table of tables is indexed by material: pieces are counted in four bits each, twenty bits a side.
NIBBLE, SIDE_BITS = 4, 20
HASH_MULTIPLIER = 0x9E3779B97F4A7C15
HASH_SHIFT = 40  # of a product, to its better bits


class Compression(ctypes.Structure):
    """How the values of a view are compressed: symbols in Huffman's code, each for a run of values."""

    _fields_ = [
        ("constant", ctypes.c_int64),  # the value, if all are the same, else negative
        ("span_bits", ctypes.c_uint64),  # a mark for every 2 ** so many values
        ("block_bits", ctypes.c_uint64),  # a block has 2 ** so many bytes
        ("shortest", ctypes.c_uint64),  # bits of a code
        ("sparse_index", ctypes.c_uint64),  # address of: which block a span's middle is in, and where there
        ("block_lengths", ctypes.c_uint64),  # address of: how many values each block has, less one
        ("blocks", ctypes.c_uint64),  # address
        ("last_length", ctypes.c_uint64),  # number of the last of these
        ("last_block", ctypes.c_uint64),  # and of the last block: there may be more lengths than blocks
        ("symbols", ctypes.c_uint64),  # address of: the two symbols that each is made of
        ("symbol_lengths", ctypes.c_uint64),  # address of: how many values each stands for, less one
        ("first_codes", ctypes.c_uint64 * CODE_LENGTHS),  # by length, in the upper bits
        ("first_symbols", ctypes.c_uint64 * CODE_LENGTHS),
    ]


class View(ctypes.Structure):
    """A table as one side to move has it, and where there are pawns, for one file of the leading one."""

    _fields_ = [
        ("leaders", ctypes.c_uint64 * 3),  # codes of the pieces that are numbered together; one if pawns
        ("leaders_weight", ctypes.c_uint64),  # by which their number is multiplied
        ("groups", ctypes.c_int64),  # of like pieces after those
        ("codes", ctypes.c_uint64 * MOST_PIECES),
        ("weights", ctypes.c_uint64 * MOST_PIECES),
        ("compression", Compression),
    ]


class TableRecord(ctypes.Structure):
    """The contents of a file of outcomes (WDL)."""

    _fields_ = [
        ("has_pawns", ctypes.c_int64),
        ("leaders", ctypes.c_int64),  # without pawns: 2 or 3
        ("views", View * (SIDES * FILES)),
        ("distances", ctypes.c_uint64),  # address of a `DistanceRecord` for the same pieces, zero without one
    ]


class DistanceView(ctypes.Structure):
    """A table of distances (DTZ) as it is kept: for one side to move, and for one file of a leading pawn."""

    _fields_ = [
        ("layout", View),
        ("side", ctypes.c_int64),  # that is to move
        # By outcome, from LOSS to WIN: half-moves that a value counts for, and where values are not
        # distances themselves, but the numbers of distances in a list: the address of that list.
        ("half_moves", ctypes.c_int64 * OUTCOMES),
        ("lists", ctypes.c_uint64 * OUTCOMES),
        ("bytes", ctypes.c_uint64),  # of a number in a list: 1 or 2
    ]


class DistanceRecord(ctypes.Structure):
    """The contents of a file of distances."""

    _fields_ = [("views", DistanceView * FILES)]


class TableSet(ctypes.Structure):
    """All tables that are there, and what is needed to read any."""

    _fields_ = [
        ("slots", ctypes.c_uint64),  # address of pairs: what is on the board, and the address of its table
        ("mask", ctypes.c_uint64),  # number of slots, less one
        ("choices", ctypes.c_uint64 * ((numbering.MOST_ALIKE + 1) * 64)),
        ("triangle", ctypes.c_uint64 * 64),
        ("below_diagonal", ctypes.c_uint64 * 64),
        ("king_pairs", ctypes.c_uint64 * (10 * 64)),
        ("pawn_order", ctypes.c_uint64 * 64),
        ("leading_pawns", ctypes.c_uint64 * ((numbering.MOST_LEADING_PAWNS + 1) * 64)),
    ]
