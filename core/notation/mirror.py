"""The same board as the other side sees it."""

from bluekrait.core.board import Board, all_pieces


def turned(board: Board) -> Board:
    """The board turned round: every rank in the other's place, `own` still the same pieces."""
    return Board(*(turned_word(word) for word in board))


def for_opponent(board: Board) -> Board:
    """The board with the other side to move, as that side sees it."""
    return turned(board._replace(own=board.own ^ all_pieces(board)))


def turned_word(word: int) -> int:
    """One bitboard turned round: its ranks are its bytes, so they are read backwards."""
    return int.from_bytes(word.to_bytes(8, "little"), "big")
