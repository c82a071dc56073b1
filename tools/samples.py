"""Labelled positions in a file: 32 bytes each, in blocks of a game with a checksum each.

A block is a header and samples. All numbers are little-endian.

    header   4 bytes  b"BKS1"
             u32      number of the game
             u32      how many samples follow
             u32      CRC-32 of the header so far and of the samples

    sample   u64      the occupied squares, a1 = 0 to h8 = 63, as the side to move sees them
             16 bytes a nibble for each of these squares, the low half of a byte first: the piece's code in
                      bits 0 to 2, see below, and bit 3 for a piece of the side not to move
             i16      the score of a search for the side to move, in centipawns
             u16      half-moves since the start of the game; odd if Black is to move
             u16      the move that the search chose: from, to << 6, code of a promoted piece << 12
             u8       half-moves since the last capture or pawn move
             u8       the result for the side to move: 0 lost, 1 drawn, 2 won

Codes are those of `core.board`; the two that are free there tell the rest: 3 is a rook that may still castle,
and 0 a pawn that may be captured in passing.

A file may end in a block that was being written when the machine stopped: it is recognised and left out.
"""

import os
import struct
import zlib
from typing import NamedTuple

from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Board, all_pieces, piece_on
from bluekrait.core.fen import parse_fen
from bluekrait.core.geometry import squares
from bluekrait.core.move import origin_of, promotion_of, target_of

MAGIC = b"BKS1"
HEADER = struct.Struct("<4sII")
CHECKSUM = struct.Struct("<I")
SAMPLE = struct.Struct("<Q16shHHBB")
HEADER_BYTES = HEADER.size + CHECKSUM.size

CASTLING_ROOK, EN_PASSANT_PAWN, ENEMY = 3, 0, 8
LOST, DRAWN, WON = 0, 1, 2
MOST = 32_000  # centipawns

PLANES = {
    PAWN: ("pawns",),
    KNIGHT: ("knights",),
    KING: ("kings",),
    BISHOP: ("diagonals",),
    ROOK: ("orthogonals",),
    QUEEN: ("diagonals", "orthogonals"),
}


class Sample(NamedTuple):
    """A position, what a search thought of it, and how the game ended."""

    board: Board
    score: int
    ply: int
    move: int  # 16 bits
    clock: int
    result: int


# --- one sample -----------------------------------------------------------------------------------


def pack_sample(sample):
    """The 32 bytes of a sample."""
    occupied = all_pieces(sample.board)
    nibbles = [_nibble(sample.board, 1 << square) for square in squares(occupied)]
    nibbles += [0] * (32 - len(nibbles))
    pieces = bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2]))
    return SAMPLE.pack(
        occupied, pieces, sample.score, sample.ply, sample.move, min(sample.clock, 255), sample.result
    )


def unpack_sample(data):
    """The sample in 32 bytes."""
    occupied, pieces, score, ply, move, clock, result = SAMPLE.unpack(data)
    nibbles = [nibble for byte in pieces for nibble in (byte & 15, byte >> 4)]
    words = dict.fromkeys(Board._fields, 0)
    for square, nibble in zip(squares(occupied), nibbles):
        _put(words, 1 << square, nibble)
    return Sample(Board(**words), score, ply, move, clock, result)


def sample_from_text(line):
    """The sample in a line "FEN; result; score", both for White. Raises a ValueError if it is none."""
    fen, result, score = line.split(";")
    position = parse_fen(fen.strip())
    result, score = round(2 * float(result)), int(score)
    if position.ply & 1:
        result, score = WON - result, -score
    if result not in (LOST, DRAWN, WON) or abs(score) > MOST:
        raise ValueError(f"no such label: {line.strip()!r}")
    return Sample(position.board, score, position.ply, 0, position.clock, result)


def short_move(move):
    """The 16 bits of a packed move."""
    return origin_of(move) | target_of(move) << 6 | promotion_of(move) << 12


def _nibble(board, bit):
    code = piece_on(board, bit)
    if bit & board.castling:
        code = CASTLING_ROOK
    elif code == PAWN and bit << 8 & board.en_passant:
        code = EN_PASSANT_PAWN
    return code if bit & board.own else code | ENEMY


def _put(words, bit, nibble):
    code = nibble & ~ENEMY
    if code == CASTLING_ROOK:
        words["castling"] |= bit
        code = ROOK
    elif code == EN_PASSANT_PAWN:
        words["en_passant"] |= bit << 8
        code = PAWN
    for plane in PLANES[code]:
        words[plane] |= bit
    if not nibble & ENEMY:
        words["own"] |= bit


# --- blocks ---------------------------------------------------------------------------------------


def pack_block(game, samples):
    """The bytes of a block: samples, already packed, of one game."""
    header, body = HEADER.pack(MAGIC, game, len(samples)), b"".join(samples)
    return header + _checksum(header, body) + body


def read_blocks(file):
    """The number and the packed samples of each game in a binary file, as far as it is whole."""
    while True:
        header, checksum = file.read(HEADER.size), file.read(CHECKSUM.size)
        if len(header) < HEADER.size:
            return
        magic, game, count = HEADER.unpack(header)
        body = file.read(count * SAMPLE.size) if magic == MAGIC else b""
        if checksum != _checksum(header, body):
            return
        yield game, body


def mend(path):
    """Cut off a torn end of a file; the numbers of the games in it, and how many samples there are.

    A file that does not exist holds none. A ValueError if it is a file of another kind.
    """
    if not os.path.exists(path):
        return set(), 0
    games, samples, end = set(), 0, 0
    with open(path, "rb+") as file:
        if not MAGIC.startswith(file.read(len(MAGIC))):
            raise ValueError(f"{path} is no file of labelled positions")
        file.seek(0)
        for game, body in read_blocks(file):
            games.add(game)
            samples += len(body) // SAMPLE.size
            end = file.tell()
        file.truncate(end)
    return games, samples


def _checksum(header, body):
    return CHECKSUM.pack(zlib.crc32(body, zlib.crc32(header)))
