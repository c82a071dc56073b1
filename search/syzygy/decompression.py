"""Decompressing one value of a view of a table.

Values lie in blocks of bytes. A sparse index says for the middle of each span of values in which block it is,
and how far into that; from there one goes block by block. In a block, Huffman codes stand for symbols, and
each symbol for a run of values: it is one value, or a pair of symbols.

Values, unlike the head of a file, are not checked when it is opened: they are too many. So where they are
damaged, a wrong value may come of it, but nothing outside the file is read.
"""

from bluekrait.core.compiler.jit import inline, int64, internal, record_reader, uint64
from bluekrait.core.compiler.memory import load_anywhere
from bluekrait.core.rules.bits import EMPTY, ONE, U64, signed, turned
from bluekrait.search.syzygy.table_records import LEAF, RIGHT_SHIFT, Compression

_, compression_type = record_reader(Compression)

_INDEX_ENTRY, _BLOCK_LENGTH, _SYMBOL = U64(6), U64(2), U64(3)  # bytes
_BLOCK_NUMBER, _OFFSET, _OFFSET_SHIFT = U64(0xFFFFFFFF), U64(0xFFFF), U64(32)
_HALF, _BYTE, _LEFT, _RIGHT_SHIFT = U64(0xFFFF), U64(0xFF), U64(LEAF), U64(RIGHT_SHIFT)
_BYTE_SHIFT, _BYTE_BITS, _BIT, _WORD = U64(3), U64(8), U64(7), U64(64)


@internal(int64(compression_type, uint64))
def decompressed(compression, number):
    """The value of the position with this number."""
    if compression.constant >= 0:
        return compression.constant
    index_entry = load_anywhere(compression.sparse_index + (number >> compression.span_bits) * _INDEX_ENTRY)
    span = ONE << compression.span_bits
    offset = (
        signed(number & (span - ONE)) - signed(span >> ONE) + signed((index_entry >> _OFFSET_SHIFT) & _OFFSET)
    )
    block = min(index_entry & _BLOCK_NUMBER, compression.last_length)
    while offset < 0 and block > EMPTY:
        block -= ONE
        offset += length_of_block(compression, block)
    while block < compression.last_block and offset >= length_of_block(compression, block):
        offset -= length_of_block(compression, block)
        block += ONE
    block = min(block, compression.last_block)
    return value_at(compression, compression.blocks + (block << compression.block_bits), offset)


@inline(int64(compression_type, uint64))
def length_of_block(compression, block):
    """How many values a block has."""
    return signed(load_anywhere(compression.block_lengths + block * _BLOCK_LENGTH) & _HALF) + 1


@inline(int64(compression_type, uint64))
def length_of_symbol(compression, symbol):
    """How many values a symbol stands for."""
    return signed(load_anywhere(compression.symbol_lengths + symbol) & _BYTE) + 1


@inline(int64(compression_type, uint64, int64))
def value_at(compression, address, offset):
    """The value so far into the block at an address."""
    bit, end = EMPTY, _BYTE_BITS << compression.block_bits
    while True:
        window = turned(load_anywhere(address + (bit >> _BYTE_SHIFT))) << (bit & _BIT)
        length = compression.shortest
        while window < compression.first_codes[length]:
            length += ONE
        symbol = compression.first_symbols[length] + (
            (window - compression.first_codes[length]) >> (_WORD - length)
        )
        if offset < length_of_symbol(compression, symbol) or bit + length >= end:
            break
        offset -= length_of_symbol(compression, symbol)
        bit += length
    while length_of_symbol(compression, symbol) > 1:
        pair = load_anywhere(compression.symbols + symbol * _SYMBOL)
        symbol = pair & _LEFT
        if offset >= length_of_symbol(compression, symbol):
            offset -= length_of_symbol(compression, symbol)
            symbol = (pair >> _RIGHT_SHIFT) & _LEFT
    return signed(load_anywhere(compression.symbols + symbol * _SYMBOL) & _LEFT)
