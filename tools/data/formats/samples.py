"""Labelled positions, 32 bytes each; `tools.data.formats.sample_file` describes the files.

All numbers are little-endian.

    sample   u64      the occupied squares, a1 = 0 to h8 = 63, as the side to move sees them
             16 bytes a nibble for each of these squares, the low half of a byte first: the piece's code in
                      bits 0 to 2, see below, and bit 3 for a piece of the side not to move
             i16      the score of a search for the side to move, in centipawns
             u16      half-moves since the start of the game; odd if Black is to move
             u16      the move that the search chose: from, to << 6, code of a promoted piece << 12
             u8       half-moves since the last capture or pawn move
             u8       the result for the side to move: 0 lost, 1 drawn, 2 won

Codes are those of `core.board`, and the two that are unused there: 3 is a rook that may still castle, and 0 a
pawn that may be captured en passant.

As text, a sample is a line "FEN; result; score; move": result (1, 0.5 or 0) and score are White's, the move
is in UCI's notation and may be missing.
"""

import struct
from collections.abc import MutableMapping
from typing import NamedTuple

from bluekrait.core.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Board, all_pieces, piece_on
from bluekrait.core.move import origin_of, promotion_of, target_of
from bluekrait.core.notation.fen import parse_fen
from bluekrait.core.tables.geometry import squares
from bluekrait.uci.numbers import parse_whole

SAMPLE = struct.Struct("<Q16shHHBB")

CASTLING_ROOK, EN_PASSANT_PAWN, ENEMY = 3, 0, 8
LOST, DRAWN, WON = 0, 1, 2
RESULTS = {0.0: LOST, 0.5: DRAWN, 1.0: WON}  # for White, as text has them
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
    """A position with its labels: the score and the move of a search, and the result of the game."""

    board: Board
    score: int
    ply: int
    move: int  # 16 bits
    clock: int
    result: int


def pack_sample(sample: Sample) -> bytes:
    """The 32 bytes of a sample."""
    occupied = all_pieces(sample.board)
    nibbles = [_nibble(sample.board, 1 << square) for square in squares(occupied)]
    nibbles += [0] * (32 - len(nibbles))
    pieces = bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2]))
    return SAMPLE.pack(
        occupied, pieces, sample.score, sample.ply, sample.move, min(sample.clock, 255), sample.result
    )


def unpack_sample(data: bytes) -> Sample:
    """The sample in 32 bytes."""
    occupied, pieces, score, ply, move, clock, result = SAMPLE.unpack(data)
    nibbles = [nibble for byte in pieces for nibble in (byte & 15, byte >> 4)]
    words = dict.fromkeys(Board._fields, 0)
    for square, nibble in zip(squares(occupied), nibbles):
        _put(words, 1 << square, nibble)
    return Sample(Board(**words), score, ply, move, clock, result)


def sample_from_text(line: str) -> Sample:
    """The sample in a line of text, without its move. Raises a ValueError if it is none."""
    fen, result_text, score_text = [*map(str.strip, line.split(";")), "", ""][:3]
    position = parse_fen(fen)
    result, score = _result(result_text), _score(score_text)
    if position.ply & 1:
        result, score = WON - result, -score
    return Sample(position.board, score, position.ply, 0, position.clock, result)


def _result(text: str) -> int:
    try:
        return RESULTS[float(text)]
    except (ValueError, LookupError):
        raise ValueError(f"no such result: {text[:40]!r}") from None


def _score(text: str) -> int:
    if not text:
        raise ValueError("the score is missing")
    digits = text.removeprefix("+")
    return parse_whole(digits if digits.isdecimal() else text, -MOST, MOST)


def short_move(move: int) -> int:
    """The 16 bits of a packed move."""
    return origin_of(move) | target_of(move) << 6 | promotion_of(move) << 12


def _nibble(board: Board, bit: int) -> int:
    code = piece_on(board, bit)
    if bit & board.castling:
        code = CASTLING_ROOK
    elif code == PAWN and bit << 8 & board.en_passant:
        code = EN_PASSANT_PAWN
    return code if bit & board.own else code | ENEMY


def _put(words: MutableMapping[str, int], bit: int, nibble: int) -> None:
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
