"""Positions with the pieces of a table, and made-up tables for them."""

import chess

from bluekrait.search.syzygy.dtz_file import HAS_LISTS, IS_WIDE, DtzFile
from bluekrait.search.syzygy.table_file import IS_CONSTANT
from bluekrait.search.syzygy.wdl import DRAW
from bluekrait.search.syzygy.wdl_file import WdlFile


def random_board(rng, name, en_passant=0.3):
    """A legal position with the pieces of a table's name, either side having the first of them."""
    while True:
        board, first = chess.Board(None), rng.random() < 0.5
        for side, pieces in zip((first, not first), name.split("v"), strict=True):
            for letter in pieces:
                ranks = range(8, 56) if letter == "P" else range(64)
                free = [square for square in ranks if not board.piece_at(square)]
                piece = chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), side)
                board.set_piece_at(rng.choice(free), piece)
        board.turn = rng.random() < 0.5
        if rng.random() < en_passant:
            set_en_passant(board)
        if board.is_valid():
            return board


def set_en_passant(board):
    """Let a pawn have come two squares, if any can and can be captured for it."""
    for square in board.pieces(chess.PAWN, not board.turn):
        if chess.square_rank(square) == (4 if board.turn else 3):
            board.ep_square = square + (8 if board.turn else -8)
            if board.is_valid() and board.has_legal_en_passant():
                return
    board.ep_square = None


def made_up_outcomes(name, rng, value=DRAW):
    """The bytes of a table whose pieces are numbered in random order, and whose values are all the same."""
    white, black = name.split("v")
    codes = ["?PNBRQK".index(letter) for letter in white] + ["?PNBRQK".index(letter) + 8 for letter in black]
    is_split, has_pawns = white != black, "P" in name
    content = bytearray(WdlFile.MAGIC + bytes([is_split | has_pawns << 1]))
    for _ in range(4 if has_pawns else 1):
        orders, pieces = zip(*(arranged(codes, has_pawns, rng) for _ in range(2)), strict=True)
        content += bytes(low | high << 4 for low, high in zip(*orders, strict=True))
        content += bytes(low | high << 4 for low, high in zip(*pieces, strict=True))
    content += bytes(len(content) & 1)
    content += bytes([IS_CONSTANT, value + 2]) * ((1 + is_split) * (4 if has_pawns else 1))
    return bytes(content + bytes(-len(content) % 64 + 16))


def arranged(codes, has_pawns, rng):
    """The order in which a view's pieces are numbered, and the places of what is numbered first of all."""
    kinds = list(dict.fromkeys(codes))
    rng.shuffle(kinds)
    pawns = sorted((code for code in kinds if code & 7 == 1), key=lambda code: (codes.count(code), code))
    alone = [code for code in kinds if codes.count(code) == 1 and code not in pawns]
    if has_pawns:
        first, groups = pawns, len(kinds)
    else:
        first = alone[:3] if len(alone) > 2 else [6, 14]
        groups = len(kinds) - len(first) + 1
    rest = [code for code in kinds if code not in first]
    places = rng.sample(range(groups), len(pawns) if has_pawns else 1)
    return places, [code for code in first + rest for _ in range(codes.count(code))]


def made_up_distances(name, rng, *flags):
    """The bytes of a table of distances for one side, whose values are all zero, with or without lists.

    `flags` are those of one file of the board after another, and begin anew if there are fewer.
    """
    white, black = name.split("v")
    codes = ["?PNBRQK".index(letter) for letter in white] + ["?PNBRQK".index(letter) + 8 for letter in black]
    has_pawns = "P" in name
    views = [flags[file % len(flags)] for file in range(4 if has_pawns else 1)]
    content = bytearray(DtzFile.MAGIC + bytes([(white != black) | has_pawns << 1]))
    for _ in views:
        order, pieces = arranged(codes, has_pawns, rng)
        content += bytes(order) + bytes(pieces)
    content += bytes(len(content) & 1)
    for view in views:
        content += bytes([IS_CONSTANT | view, 0])
    for view in views:
        if view & HAS_LISTS:
            size = 2 if view & IS_WIDE else 1
            content += bytes(len(content) & (size - 1))
            for length in (1, 2, 2, 2):  # a list for each outcome
                numbers = (length, *(rng.randrange(256**size) for _ in range(length)))
                content += b"".join(number.to_bytes(size, "little") for number in numbers)
    return bytes(content + bytes(-len(content) % 64 + 16))
