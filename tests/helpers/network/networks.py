"""Networks of random weights, and an evaluation from the file and a board of python-chess alone."""

import json
import random
import struct
import zlib

import chess
import numpy as np

from bluekrait.search.evaluation.network.network_file import BARE, Head, Network, pack

HIDDEN_MOST, WEIGHT_MOST, OUTPUT_MOST = 100, 30, 80
KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)


def random_network(width=32, buckets=1, kind=BARE, factor=(1, 1), seed=1, regions=1, threats=1, kinds=6):
    """A network whose evaluations are spread over some hundred points."""
    rng = random.Random(seed)

    def whole(code, count, low, high):
        return struct.pack(f"<{count}{code}", *(rng.randint(low, high) for _ in range(count)))

    return Network(
        Head(width, buckets, kind, factor, "random", "CC0-1.0", {"positions": 0}, regions, threats, kinds),
        whole("b", regions * threats * 2 * kinds * 64 * width, -WEIGHT_MOST, WEIGHT_MOST),
        whole("h", width, -OUTPUT_MOST, HIDDEN_MOST),
        whole("h", buckets * 2 * width, -OUTPUT_MOST, OUTPUT_MOST),
        whole("i", buckets, -9000, 9000),
    )


def is_passed_pawn(board, square):
    """True for a pawn with no enemy pawn before it, on its file or beside, and no own one on its file."""
    if board.piece_type_at(square) != chess.PAWN:
        return False
    colour, file, rank = board.color_at(square), chess.square_file(square), chess.square_rank(square)
    forward = 1 if colour == chess.WHITE else -1
    for other in board.pieces(chess.PAWN, not colour) | board.pieces(chess.PAWN, colour):
        is_near = abs(chess.square_file(other) - file) <= (1 if board.color_at(other) != colour else 0)
        if is_near and (chess.square_rank(other) - rank) * forward > 0:
            return False
    return True


class Oracle:
    """Reads a file on its own, and evaluates without haste."""

    def __init__(self, network):
        content = pack(network)
        magic, version, length = struct.unpack_from("<4sII", content)
        assert (magic, version) == (b"BKNN", 2)
        assert zlib.crc32(content[:-4]) == struct.unpack("<I", content[-4:])[0]
        head = json.loads(content[12 : 12 + length])
        self.width, self.buckets = width, buckets = head["width"], head["buckets"]
        place = -(-(12 + length) // 64) * 64
        self.regions, self.threats, self.kinds = (head[name] for name in ("regions", "threats", "kinds"))
        rows = self.regions * self.threats * 2 * self.kinds * 64
        features = np.frombuffer(content, "i1", rows * width, place).astype(np.int64)
        place += rows * width
        numbers = np.frombuffer(content, "<i2", (1 + 2 * buckets) * width, place).astype(np.int64)
        self.features = features.reshape(rows, width)
        self.feature_biases = numbers[:width]
        self.outputs = numbers[width:].reshape(buckets, 2, width)
        self.output_biases = np.frombuffer(content[:-4], "<i4", buckets, len(content) - 4 - 4 * buckets)

    def hidden(self, board, colour):
        """The hidden numbers of a colour."""
        mirror = 7 if chess.square_file(board.king(colour)) >= 4 else 0
        region, rows = self.region(board.king(colour), colour), []
        for square, piece in board.piece_map().items():
            seen = square if colour == chess.WHITE else square ^ 56
            enemy = int(piece.color != colour)
            is_attacked = board.is_attacked_by(not piece.color, square)
            number = (region * self.threats + (is_attacked if self.threats == 2 else 0)) * 2 + enemy
            kind = KINDS.index(piece.piece_type)
            if self.kinds == 7 and is_passed_pawn(board, square):
                kind = 6
            rows.append((number * self.kinds + kind) * 64 + (seen ^ mirror))
        return self.feature_biases + self.features[rows].sum(axis=0)

    def region(self, king, colour):
        """The region of a king: castled, the rest of the back rank, the second rank, beyond."""
        if self.regions == 1:
            return 0
        rank = chess.square_rank(king) if colour == chess.WHITE else 7 - chess.square_rank(king)
        if rank == 0:
            return 0 if chess.square_file(king) in (0, 1, 6, 7) else 1
        return min(rank + 1, 3)

    def score(self, board):
        """The evaluation of a board for the side to move."""
        bucket = min((len(board.piece_map()) - 2) * self.buckets // 31, self.buckets - 1)
        total = 127 * int(self.output_biases[bucket])
        for half, colour in enumerate((board.turn, not board.turn)):
            clipped = self.hidden(board, colour).clip(0, 127)
            total += int((clipped * clipped * self.outputs[bucket, half]).sum())
        one = 127 * 127 * 128
        return (2 * total * 400 + one) // (2 * one)
