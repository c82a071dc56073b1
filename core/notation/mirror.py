"""The same board from the other side of the table."""

from bluekrait.core.board import Board, all_pieces


def turned(board):
    """The board turned round: every rank in the other's place, `own` still the same pieces."""
    return Board(*(turned_word(word) for word in board))


def passed(board):
    """The board as the other side sees it, as if it were theirs to move."""
    return turned(board._replace(own=board.own ^ all_pieces(board)))


def turned_word(word):
    """One bitboard turned round: its ranks are its bytes, so they are read backwards."""
    return int.from_bytes(word.to_bytes(8, "little"), "big")
