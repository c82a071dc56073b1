"""Networks as slowly and plainly as can be: what trainer and engine are compared with."""

import json
import struct
import zlib

import chess
import numpy as np

from helpers.network.networks import is_passed_pawn

KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)


REGIONS = (  # of a king on each square, from the eighth rank down
    "33333333" * 6 + "22222222" + "00111100"
)


def features(board, regions, threats, kinds):
    """The features of the side to move, and of the other, of a board of python-chess."""
    return [features_of(board, side, regions, threats, kinds) for side in (board.turn, not board.turn)]


def features_of(board, side, regions, threats, kinds):
    """What one side sees."""
    turn = 0 if side == chess.WHITE else 56
    mirror = 7 if chess.square_file(board.king(side)) >= 4 else 0
    region = int(REGIONS[board.king(side) ^ turn ^ 56]) if regions > 1 else 0
    return sorted(
        (
            (region * threats + (threats > 1 and board.is_attacked_by(not piece.color, square))) * 2 * kinds
            + (piece.color != side) * kinds
            + (6 if kinds > 6 and is_passed_pawn(board, square) else KINDS.index(piece.piece_type))
        )
        * 64
        + (square ^ turn ^ mirror)
        for square, piece in board.piece_map().items()
    )


def bucket(board, buckets):
    """Which output judges a board."""
    return (len(board.piece_map()) - 2) * buckets // 31


def output(board, table, outputs, output_biases, sets):
    """The output of a network of floats, with so many sets; the last row of the table holds the biases."""
    weights = outputs[bucket(board, len(output_biases))].reshape(2, -1)
    seen = features(board, *sets)
    hidden = [table[numbers].sum(axis=0) + table[-1] for numbers in seen]
    return (np.clip(hidden, 0, 1) ** 2 * weights).sum() + output_biases[bucket(board, len(output_biases))]


def integer_evaluation(content, board):
    """The evaluation in the content of a network's file, in whole numbers only, classical part left out."""
    magic, version, length = struct.unpack_from("<4sII", content)
    assert (magic, version) == (b"BKNN", 2)
    assert struct.unpack("<I", content[-4:])[0] == zlib.crc32(content[:-4])
    head = json.loads(content[12 : 12 + length])
    width, buckets, *sets = (head[name] for name in ("width", "buckets", "regions", "threats", "kinds"))
    regions, threats, kinds = sets
    place = -(-(12 + length) // 64) * 64
    shapes = (
        ("i1", (regions * threats * 2 * kinds * 64, width)),
        ("<i2", (width,)),
        ("<i2", (buckets, 2, width)),
        ("<i4", (buckets,)),
    )
    arrays = []
    for kind, shape in shapes:
        array = np.frombuffer(content, kind, int(np.prod(shape)), place).reshape(shape)
        arrays.append(array.astype(int))
        place += array.nbytes
    assert place == len(content) - 4
    table, biases, outputs, output_biases = arrays
    chosen, total = bucket(board, buckets), 0
    for side, numbers in enumerate(features(board, *sets)):
        hidden = np.clip(table[numbers].sum(axis=0) + biases, 0, 127)
        total += int((hidden * hidden * outputs[chosen, side]).sum())
    return 400 * (total + 127 * int(output_biases[chosen])) / (127 * 127 * 128)
