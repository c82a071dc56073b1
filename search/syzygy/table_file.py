"""Reading the headers of Syzygy's files (`KRPvKR.rtbw`). The values stay where they are, in the file.

A file begins with a magic number and two flags, then has for each view the order in which its pieces are
numbered, then how each view is compressed, and then, for all views, sparse indices, block lengths and blocks.
"""

import ctypes
import mmap
import os
from collections.abc import Sequence
from itertools import groupby
from math import comb
from struct import Struct
from struct import error as StructError
from typing import NamedTuple

from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from bluekrait.search.ordinary_file import open_ordinary
from bluekrait.search.syzygy import huffman, numbering
from bluekrait.search.syzygy.table_records import (
    CODE_LENGTHS,
    MOST_PIECES,
    NIBBLE,
    SECOND_SIDE,
    Compression,
    View,
)

IS_SPLIT, HAS_PAWNS = 1, 2  # flags of a file
IS_CONSTANT = 0x80  # flag of a view
COMPRESSION = Struct("<4BI2B")  # flags, block bits, span bits, more fills, blocks, longest and shortest code
MOST_SPAN_BITS = 40  # more than there are in the number of any value
WAYS_TO_LEAD = {2: 462, 3: 31332}  # to put two kings, or three different pieces, symmetries apart
PAWN_SQUARES = 48
CODES = {1: PAWN, 2: KNIGHT, 3: BISHOP, 4: ROOK, 5: QUEEN, 6: KING}
KINDS = "PNBRQ"  # in the order in which a material signature counts them
LETTERS = KINDS + "K"  # in the order in which a file numbers them, from one
ORDERS = 5  # where the orders of pieces begin, after magic number and flags
PADDING = 8  # bytes that may be read beyond the end
ALIGNMENT, CHECKSUM = 64, 16  # bytes: the latter follow where a multiple of the former ends


class Sizes(NamedTuple):
    """Bytes of the parts of a compressed view."""

    sparse_index: int
    block_lengths: int
    blocks: int


class TableFile:
    """One file; a ValueError if it is no table. See `WdlFile` and `DtzFile`.

    At first only its beginning and its size are looked at. It is mapped into memory when it is opened.
    """

    ENDING: str
    MAGIC: bytes
    record: ctypes.Structure  # what was read, for kernels

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = os.path.basename(path).removesuffix(self.ENDING)
        self.white, self.black = self.name.split("v")
        self.pieces = len(self.white) + len(self.black)
        is_alone = any(side.count(kind) == 1 for side in (self.white, self.black) for kind in KINDS)
        self.leaders = 3 if is_alone else 2  # pieces that are numbered together, if there are no pawns
        self.largest_value = 0
        self._symbol_lengths: list[ctypes.Array[ctypes.c_uint8]] = []  # buffers that the record points into
        with open_ordinary(path) as file:
            self._check_beginning(file.read(ORDERS), os.fstat(file.fileno()).st_size)

    def open(self) -> None:
        """Map the file into memory, and read everything but its values."""
        with open(self.path, "rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        self._start = address_of(self._bytes)
        try:
            self._read()
        except (IndexError, StructError):
            raise ValueError("it is cut off") from None

    @property
    def address(self) -> int:
        """Where kernels find the record."""
        return ctypes.addressof(self.record)

    @property
    def has_pawns(self) -> bool:
        """True if there is a pawn on the board."""
        return "P" in self.name

    @property
    def is_symmetric(self) -> bool:
        """True if both sides have the same pieces."""
        return self.white == self.black

    def _check_beginning(self, beginning: bytes, size: int) -> None:
        if beginning[: len(self.MAGIC)] != self.MAGIC:
            raise ValueError("not a table")
        if size % ALIGNMENT != CHECKSUM:
            raise ValueError("it is cut off")
        flags = beginning[-1]
        if bool(flags & HAS_PAWNS) != self.has_pawns or bool(flags & IS_SPLIT) == self.is_symmetric:
            raise ValueError("its contents are not what its name says")

    def _read(self) -> None:
        """Read everything after the flags into the record."""
        raise NotImplementedError

    def _read_orders(self, views: Sequence[Sequence[View]]) -> tuple[list[int], int]:
        """Read how the pieces are numbered in the views of each file, which lie in the same bytes.

        Returns how many values each view has, and where what follows begins.
        """
        content, place = self._bytes, ORDERS
        values: list[int] = []
        both_pawns = "P" in self.white and "P" in self.black
        for file, sides in enumerate(views):
            orders = content[place : place + 1 + both_pawns]
            place += len(orders)
            pieces = content[place : place + self.pieces]
            place += self.pieces
            for side, view in enumerate(sides):
                shift = NIBBLE * side
                codes = [_code(byte >> shift & 15) for byte in pieces]
                self._check_pieces(codes)
                order = [byte >> shift & 15 for byte in orders]
                values.append(self._number(view, codes, order, file))
        return values, place + (place & 1)

    def _check_pieces(self, codes: list[int]) -> None:
        """Refuse pieces that are not those of the name, or in an order in which they cannot be numbered."""
        named = _named(self.white, 0) + _named(self.black, SECOND_SIDE)
        pawns = sorted((code for code in named if code & 7 == PAWN), key=named.count)
        first = codes[: len(pawns) or self.leaders]
        is_led = first == pawns if pawns else all(named.count(code) == 1 for code in first)
        kinds = [code for code, _ in groupby(codes)]
        if sorted(codes) != sorted(named) or len(kinds) > len(set(kinds)) or not is_led:
            raise ValueError("its contents are not what its name says")

    def _number(self, view: View, codes: list[int], order: list[int], file: int) -> int:
        """Fill in how the pieces of a view are numbered; how many numbers there are."""
        if self.has_pawns:
            first = codes.count(codes[0])
            leaders, rest, free = codes[:1], codes[first:], 64 - first
            ways = numbering.ways_on_file(first, file)
        else:
            first = self.leaders
            leaders, rest, free = codes[:first], codes[first:], 64 - first
            ways = WAYS_TO_LEAD[first]
        groups = [(code, len(list(like))) for code, like in groupby(rest)]
        view.leaders[: len(leaders)] = leaders
        view.groups = len(groups)
        view.codes[: len(groups)] = [code for code, _ in groups]
        # The number is a sum of products. The file says where in their order the leaders come, and where the
        # other side's pawns, which are counted before all other pieces.
        waiting = [(index, count) for index, (_, count) in enumerate(groups)]
        pawns = waiting.pop(0) if len(order) == 2 else None
        free -= pawns[1] if pawns else 0
        product = 1
        for place in range(MOST_PIECES + 2):
            if place == order[0]:
                view.leaders_weight, product = product, product * ways
            elif pawns and place == order[1]:
                index, count = pawns
                view.weights[index], product = product, product * comb(PAWN_SQUARES - first, count)
            elif waiting:
                index, count = waiting.pop(0)
                view.weights[index], product = product, product * comb(free, count)
                free -= count
        return product

    def _read_compression(self, compression: Compression, values: int, place: int, sizes: list[Sizes]) -> int:
        """Read how a view is compressed, and add the sizes of its parts; where the next view begins."""
        content = self._bytes
        if content[place] & IS_CONSTANT:
            compression.constant = content[place + 1]
            self.largest_value = max(self.largest_value, compression.constant)
            sizes.append(Sizes(0, 0, 0))
            return place + 2
        compression.constant = -1
        _, block_bits, span_bits, more_fills, blocks, longest, shortest = COMPRESSION.unpack_from(
            content, place
        )
        if not 0 < shortest <= longest < CODE_LENGTHS or not blocks or span_bits > MOST_SPAN_BITS:
            raise ValueError("its compression is not known")
        compression.block_bits, compression.span_bits, compression.shortest = block_bits, span_bits, shortest
        compression.last_length, compression.last_block = blocks + more_fills - 1, blocks - 1
        place += COMPRESSION.size
        lengths = range(shortest, longest + 1)
        firsts = [self._number_at(place + 2 * i, 2) for i in range(len(lengths))]
        place += 2 * len(lengths)
        count = self._number_at(place, 2)
        codes = huffman.first_codes(firsts, shortest, count)
        for length, first, code in zip(lengths, firsts, codes, strict=True):
            compression.first_symbols[length], compression.first_codes[length] = first, code << 64 - length
        compression.symbols = self._start + place + 2
        compression.symbol_lengths = self._read_symbols(place + 2, count)
        sparse_index = -(-values >> span_bits)
        sizes.append(Sizes(6 * sparse_index, 2 * (blocks + more_fills), blocks << block_bits))
        return place + 2 + 3 * count + (count & 1)

    def _read_symbols(self, place: int, count: int) -> int:
        """Read the symbols; the address of their lengths."""
        pairs = [self._number_at(place + 3 * symbol, 3) for symbol in range(count)]
        self.largest_value = max(self.largest_value, huffman.largest_value(pairs))
        buffer = (ctypes.c_uint8 * (count + PADDING))(*huffman.symbol_lengths(pairs))
        self._symbol_lengths.append(buffer)
        return ctypes.addressof(buffer)

    def _lay_out(self, compressions: list[Compression], sizes: list[Sizes], place: int) -> None:
        """Find the parts of the views: all sparse indices, then all block lengths, then all blocks."""
        for compression, size in zip(compressions, sizes, strict=True):
            compression.sparse_index = self._start + place
            place += size.sparse_index
        for compression, size in zip(compressions, sizes, strict=True):
            compression.block_lengths = self._start + place
            place += size.block_lengths
        for compression, size in zip(compressions, sizes, strict=True):
            place = -(-place // ALIGNMENT) * ALIGNMENT
            compression.blocks = self._start + place
            place += size.blocks
        if place + PADDING > len(self._bytes):
            raise ValueError("it is cut off")

    def _number_at(self, place: int, size: int) -> int:
        if place + size > len(self._bytes):
            raise IndexError
        return int.from_bytes(self._bytes[place : place + size], "little")


def address_of(memory: mmap.mmap) -> int:
    """Where mapped memory begins. It is mapped for private writing, since ctypes asks for that."""
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _code(nibble: int) -> int:
    """Our code of a piece that the file calls by that number."""
    if nibble & 7 not in CODES:
        raise ValueError("a piece is not known")
    return CODES[nibble & 7] + (SECOND_SIDE if nibble & 8 else 0)


def _named(letters: str, side: int) -> list[int]:
    """Our codes of the pieces of one side in a table's name."""
    return [CODES[1 + LETTERS.index(letter)] + side for letter in letters]
