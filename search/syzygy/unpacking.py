"""Finding one value in a compressed view of a table.

Values lie in blocks of bytes. A mark says for the middle of each span of values in which block it is, and how
far into that; from there one goes block by block. In a block, codes stand for symbols, and each symbol for a
run of values: it is one value, or two symbols.
"""

from bluekrait.core.compiler.jit import inline, int64, internal, record_reader, uint64
from bluekrait.core.compiler.memory import load_anywhere
from bluekrait.core.rules.bits import EMPTY, ONE, U64, signed, turned
from bluekrait.search.syzygy.table_records import LEAF, Packing

_, packing_type = record_reader(Packing)

_MARK, _FILL, _SYMBOL = U64(6), U64(2), U64(3)  # bytes
_BLOCK_NUMBER, _OFFSET, _OFFSET_SHIFT = U64(0xFFFFFFFF), U64(0xFFFF), U64(32)
_HALF, _BYTE, _LEFT, _RIGHT_SHIFT = U64(0xFFFF), U64(0xFF), U64(LEAF), U64(12)
_BYTE_SHIFT, _BIT, _WORD = U64(3), U64(7), U64(64)


@internal(int64(packing_type, uint64))
def unpacked(packing, number):
    """The value of that number."""
    if packing.constant >= 0:
        return packing.constant
    mark = load_anywhere(packing.marks + (number >> packing.span_bits) * _MARK)
    span = ONE << packing.span_bits
    offset = signed(number & (span - ONE)) - signed(span >> ONE) + signed((mark >> _OFFSET_SHIFT) & _OFFSET)
    block = mark & _BLOCK_NUMBER
    while offset < 0:
        block -= ONE
        offset += fill_of(packing, block)
    while offset >= fill_of(packing, block):
        offset -= fill_of(packing, block)
        block += ONE
    return value_at(packing, packing.blocks + (block << packing.block_bits), offset)


@inline(int64(packing_type, uint64))
def fill_of(packing, block):
    """How many values a block has."""
    return signed(load_anywhere(packing.fills + block * _FILL) & _HALF) + 1


@inline(int64(packing_type, uint64))
def run_of(packing, symbol):
    """How many values a symbol stands for."""
    return signed(load_anywhere(packing.lengths + symbol) & _BYTE) + 1


@inline(int64(packing_type, uint64, int64))
def value_at(packing, address, offset):
    """The value so far into the block at an address."""
    bit = EMPTY
    while True:
        window = turned(load_anywhere(address + (bit >> _BYTE_SHIFT))) << (bit & _BIT)
        length = packing.shortest
        while window < packing.first_codes[length]:
            length += ONE
        symbol = packing.first_symbols[length] + ((window - packing.first_codes[length]) >> (_WORD - length))
        if offset < run_of(packing, symbol):
            break
        offset -= run_of(packing, symbol)
        bit += length
    while run_of(packing, symbol) > 1:
        pair = load_anywhere(packing.symbols + symbol * _SYMBOL)
        symbol = pair & _LEFT
        if offset >= run_of(packing, symbol):
            offset -= run_of(packing, symbol)
            symbol = (pair >> _RIGHT_SHIFT) & _LEFT
    return signed(load_anywhere(packing.symbols + symbol * _SYMBOL) & _BYTE)
