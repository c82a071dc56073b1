"""Entries of opening books, as Polyglot writes them."""

from struct import pack

import chess
import chess.polyglot


def entry(board, uci, weight):
    """Sixteen bytes for one move, given as king takes rook if it is castling."""
    move = chess.Move.from_uci(uci)
    promotion = {None: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}[move.promotion]
    code = move.to_square | move.from_square << 6 | promotion << 12
    return pack(">QHHI", chess.polyglot.zobrist_hash(board), code, weight, 0)
