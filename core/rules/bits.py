"""Bitboards: constants, shifts that stop at the edges, and the processor's bit instructions.

Everything here is unsigned 64-bit. Kernels must not mix these words with plain integers: Numba would make the
result signed. So even shift distances are named constants.
"""

import numpy as np
from llvmlite import ir
from numba.core.typing.templates import signature

from bluekrait.core.compiler.jit import inline, instruction, int64, uint64

U64 = np.uint64
EMPTY, FULL = U64(0), U64(0xFFFFFFFFFFFFFFFF)
ONE, TWO, THREE = U64(1), U64(2), U64(3)
S1, S2, S4, S6, S7, S8, S9, S10 = (U64(distance) for distance in (1, 2, 4, 6, 7, 8, 9, 10))
S15, S16, S17 = (U64(distance) for distance in (15, 16, 17))

NOT_FILE_A, NOT_FILE_H = U64(0xFEFEFEFEFEFEFEFE), U64(0x7F7F7F7F7F7F7F7F)
NOT_FILES_AB, NOT_FILES_GH = U64(0xFCFCFCFCFCFCFCFC), U64(0x3F3F3F3F3F3F3F3F)
FILE_A = U64(0x0101010101010101)
RANK_1, RANK_2, RANK_3, RANK_6, RANK_7, RANK_8 = (U64(0xFF << 8 * rank) for rank in (0, 1, 2, 5, 6, 7))
LIGHT_SQUARES, DARK_SQUARES = U64(0x55AA55AA55AA55AA), U64(0xAA55AA55AA55AA55)


def popcount(word):
    """How many bits are set."""
    return U64(int(word).bit_count())


def lowest_square(word):
    """Number of the lowest set bit; the word must not be empty."""
    word = int(word)
    return U64((word & -word).bit_length() - 1)


def turned(word):
    """The bitboard seen from the other side, flipped vertically: its bytes reversed (BSWAP)."""
    return U64(int.from_bytes(int(word).to_bytes(8, "little"), "big"))


def extract(word, mask):
    """The bits of a word that a mask selects, packed together (PEXT)."""
    word, mask, result, place = int(word), int(mask), 0, 1
    while mask:
        lowest = mask & -mask
        if word & lowest:
            result |= place
        place <<= 1
        mask ^= lowest
    return U64(result)


def signed(word):
    """A word as a signed integer."""
    return int(word)


_word = ir.IntType(64)


def _emit_lowest_square(context, builder, word):
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))


def _emit_extract(context, builder, word, mask):
    pext = builder.module.declare_intrinsic(
        "llvm.x86.bmi.pext.64", fnty=ir.FunctionType(_word, [_word, _word])
    )
    return builder.call(pext, [word, mask])


instruction(popcount, signature(uint64, uint64), lambda context, builder, word: builder.ctpop(word))
instruction(turned, signature(uint64, uint64), lambda context, builder, word: builder.bswap(word))
instruction(signed, signature(int64, uint64), lambda context, builder, word: word)
instruction(lowest_square, signature(uint64, uint64), _emit_lowest_square)
instruction(extract, signature(uint64, uint64, uint64), _emit_extract)


@inline(uint64(uint64))
def lowest_bit(word):
    """The lowest set bit alone."""
    return word & (EMPTY - word)


@inline(uint64(uint64))
def without_lowest(word):
    """The word less its lowest set bit."""
    return word & (word - ONE)


@inline(uint64(uint64))
def bit_of(square):
    """The bitboard of one square."""
    return ONE << square


@inline(uint64(uint64))
def pawn_captures_west(pawns):
    """Where own pawns capture towards the a-file."""
    return (pawns << S7) & NOT_FILE_H


@inline(uint64(uint64))
def pawn_captures_east(pawns):
    """Where own pawns capture towards the h-file."""
    return (pawns << S9) & NOT_FILE_A


@inline(uint64(uint64))
def enemy_pawn_captures(pawns):
    """Where enemy pawns, who come down the board, capture."""
    return ((pawns >> S9) & NOT_FILE_H) | ((pawns >> S7) & NOT_FILE_A)


@inline(uint64(uint64))
def pawn_captures(pawns):
    """Where own pawns capture, both ways."""
    return pawn_captures_west(pawns) | pawn_captures_east(pawns)


@inline(uint64(uint64))
def knight_attacks_of(knights):
    """Where any of a set of knights attacks."""
    one_west, two_west = (knights >> S1) & NOT_FILE_H, (knights >> S2) & NOT_FILES_GH
    one_east, two_east = (knights << S1) & NOT_FILE_A, (knights << S2) & NOT_FILES_AB
    near, far = one_west | one_east, two_west | two_east
    return (near << S16) | (near >> S16) | (far << S8) | (far >> S8)


@inline(uint64(uint64))
def king_attacks_of(kings):
    """Where any of a set of kings attacks, its own square included."""
    row = ((kings << S1) & NOT_FILE_A) | ((kings >> S1) & NOT_FILE_H) | kings
    return row | (row << S8) | (row >> S8)
