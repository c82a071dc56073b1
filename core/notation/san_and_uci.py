"""Squares and moves as people and programs write them: UCI's coordinates, and standard algebraic notation.

`turn` is the side to move: moves have squares as the side to move sees them, texts as White does. `moves` are
the packed legal moves of the position: neither notation needs to know more of it.
"""

import re
from collections.abc import Iterable, Sequence

from bluekrait.core.board import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, TURN_ROUND, WHITE
from bluekrait.core.move import (
    CASTLING,
    DOUBLE_PUSH,
    EN_PASSANT,
    NO_MOVE,
    captured_of,
    kind_of,
    origin_of,
    piece_of,
    promotion_of,
    target_of,
)

FILES = "abcdefgh"
RANKS = "12345678"
C1, E1, G1 = 2, 4, 6  # of the side to move, like all squares of moves

PIECE_LETTERS = {PAWN: "", KNIGHT: "N", BISHOP: "B", ROOK: "R", QUEEN: "Q", KING: "K"}
PIECE_NAMES = {
    PAWN: "pawn",
    KNIGHT: "knight",
    BISHOP: "bishop",
    ROOK: "rook",
    QUEEN: "queen",
    KING: "king",
}
CODES = {letter: code for code, letter in PIECE_LETTERS.items()}
PROMOTIONS = {"": 0, "N": KNIGHT, "B": BISHOP, "R": ROOK, "Q": QUEEN}

KING_SIDE_SAN, QUEEN_SIDE_SAN = "O-O", "O-O-O"
SAN_PATTERN = "([NBRQK]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])(?:=?([NBRQ]))?"
SAN_ORNAMENTS = "+#!?"


class MoveError(ValueError):
    """A text that names no legal move, or more than one."""


def quoted(text: str) -> str:
    """Text of the user for a one-line message: shortened, in quotes, ASCII only."""
    return ascii(text if len(text) <= 20 else text[:20] + "...")


# --- squares -----------------------------------------------------------------------------------


def square_name(square: int, turn: int) -> str:
    """The name of a square that the side to move sees as `square`."""
    square = _seen_by(turn, square)
    return FILES[square & 7] + RANKS[square >> 3]


def parse_square(name: str, turn: int = WHITE) -> int:
    """The square of this name as the side to move sees it."""
    if len(name) != 2 or name[0] not in FILES or name[1] not in RANKS:
        raise ValueError(f"{quoted(name)} is not a square")
    return _seen_by(turn, FILES.index(name[0]) + 8 * RANKS.index(name[1]))


def _seen_by(turn: int, square: int) -> int:
    """White's number of a square from the mover's, and the other way round."""
    return square ^ TURN_ROUND if turn == BLACK else square


# --- coordinates -------------------------------------------------------------------------------


def move_to_uci(move: int, turn: int, chess960: bool = False) -> str:
    """A move in UCI's notation; castling is "e1g1" in chess, "e1h1" in Chess960."""
    if move == NO_MOVE:
        return "0000"
    plain_castling = kind_of(move) == CASTLING and not chess960
    target = _castled_king(move) if plain_castling else target_of(move)
    promotion = PIECE_LETTERS[promotion_of(move)].lower() if promotion_of(move) else ""
    return square_name(origin_of(move), turn) + square_name(target, turn) + promotion


def move_from_uci(text: str, moves: Sequence[int], turn: int) -> int:
    """The legal move that a text in UCI's notation names, with either spelling of castling."""
    origin, target, promotion = _parse_uci(text, turn)
    for move in moves:
        if origin_of(move) == origin and target_of(move) == target and promotion_of(move) == promotion:
            return move
    for move in moves:
        # Only a king on e1 can have meant castling: from anywhere else it may be an ordinary step.
        if kind_of(move) == CASTLING and origin == E1 == origin_of(move) and target == _castled_king(move):
            return move
    raise MoveError(f"{quoted(text)} is not a legal move here")


def _parse_uci(text: str, turn: int) -> tuple[int, int, int]:
    try:
        origin, target = parse_square(text[:2], turn), parse_square(text[2:4], turn)
        return origin, target, PROMOTIONS[text[4:].upper()]
    except (ValueError, KeyError):
        raise MoveError(f"{quoted(text)} is not a move like e2e4 or e7e8q") from None


def _is_king_side(castling: int) -> bool:
    return target_of(castling) > origin_of(castling)


def _castled_king(castling: int) -> int:
    """The square on which castling puts the king."""
    return G1 if _is_king_side(castling) else C1


# --- standard algebraic notation ---------------------------------------------------------------


def move_to_san(move: int, moves: Iterable[int], turn: int, suffix: str = "") -> str:
    """A move in standard algebraic notation; the caller knows whether the suffix is "+" or "#"."""
    if kind_of(move) == CASTLING:
        return _castling_san(move) + suffix
    piece = PIECE_LETTERS[piece_of(move)]
    capture = "x" if captured_of(move) else ""
    promotion = "=" + PIECE_LETTERS[promotion_of(move)] if promotion_of(move) else ""
    origin = _distinction(move, moves, turn)
    return piece + origin + capture + square_name(target_of(move), turn) + promotion + suffix


def move_from_san(text: str, moves: Iterable[int], turn: int) -> int:
    """The legal move that a text in standard algebraic notation names; check marks may be missing."""
    plain = text.rstrip(SAN_ORNAMENTS)
    if words := re.fullmatch(SAN_PATTERN, plain):
        found = [move for move in moves if _fits(move, turn, *words.groups(""))]
    else:
        castling = plain.replace("0", "O").upper()
        found = [move for move in moves if kind_of(move) == CASTLING and _castling_san(move) == castling]
    if len(found) == 1:
        return found[0]
    raise MoveError(f"{quoted(text)} is {'ambiguous' if found else 'not a legal move'} here")


def _castling_san(move: int) -> str:
    return KING_SIDE_SAN if _is_king_side(move) else QUEEN_SIDE_SAN


def _distinction(move: int, moves: Iterable[int], turn: int) -> str:
    """As much of the origin as makes a move unambiguous: nothing, the file, the rank, or both."""
    origin = square_name(origin_of(move), turn)
    file, rank = origin[0], origin[1]
    if piece_of(move) == PAWN:
        return file if captured_of(move) else ""
    rivals = [square_name(origin_of(other), turn) for other in moves if _is_rival(other, move)]
    if not rivals:
        return ""
    if all(rival[0] != file for rival in rivals):
        return file
    return rank if all(rival[1] != rank for rival in rivals) else file + rank


def _is_rival(other: int, move: int) -> bool:
    """True if another piece of the same kind can go to the same square."""
    return (
        piece_of(other) == piece_of(move)
        and target_of(other) == target_of(move)
        and origin_of(other) != origin_of(move)
    )


def _fits(move: int, turn: int, piece: str, file: str, rank: str, target: str, promotion: str) -> bool:
    """True if the parts of a text, some of them empty, describe the move."""
    if not piece and not file:
        file = target[0]  # a pawn capture always names its file
    origin = square_name(origin_of(move), turn)
    return (
        kind_of(move) != CASTLING
        and piece_of(move) == CODES[piece]
        and square_name(target_of(move), turn) == target
        and promotion_of(move) == PROMOTIONS[promotion]
        and file in ("", origin[0])
        and rank in ("", origin[1])
    )


# --- either ------------------------------------------------------------------------------------


def move_from_text(text: str, moves: Sequence[int], turn: int) -> int:
    """The legal move that a text names, in UCI's notation or in standard algebraic notation."""
    try:
        return move_from_uci(text, moves, turn)
    except MoveError:
        return move_from_san(text, moves, turn)


# --- kinds -------------------------------------------------------------------------------------


def describe_kind(move: int) -> str:
    """The kind of a move in words: "double pawn push", "knight capture", "castling"."""
    special = {DOUBLE_PUSH: "double pawn push", EN_PASSANT: "en passant", CASTLING: "castling"}
    if kind_of(move) in special:
        return special[kind_of(move)]
    words = [PIECE_NAMES[piece_of(move)]]
    words += ["capture"] * bool(captured_of(move)) + ["promotion"] * bool(promotion_of(move))
    if len(words) == 1:
        words.append("push" if piece_of(move) == PAWN else "move")
    return " ".join(words)
