"""Forsyth-Edwards notation in and out, strict about what it accepts.

Four fields (placement, side to move, castling, en passant) or six (and the half-move clock and the move
number). Castling is read as X-FEN (KQkq is the outermost rook, a file letter any other) and as
Shredder-FEN (file letters throughout). The compiled rules rely on what is accepted here and check nothing.
"""

from itertools import pairwise

from bluekrait.core.board import BLACK, NONE, WHITE, Board, Position, piece_on
from bluekrait.core.notation.mirror import for_opponent, turned_word
from bluekrait.core.notation.san_and_uci import FILES, parse_square, quoted, square_name
from bluekrait.core.notation.validity import (
    check_flaw,
    en_passant_flaw,
    en_passant_is_legal,
    own_king,
    pawns_flaw,
    pieces_flaw,
)
from bluekrait.core.tables.geometry import bit, squares
from bluekrait.core.tables.zobrist import position_key

STARTING_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

MAX_LENGTH = 500  # of a whole FEN; a good one has at most about ninety characters
MAX_COUNTER = 10_000  # half-moves or moves; no game lasts so long

SIDES = {"w": WHITE, "b": BLACK}
SIDE_NAMES = ("White", "Black")
LETTERS = ".PN.KBRQ"  # by piece code
EMPTY = LETTERS[NONE]
HOME_RANK = 0xFF


class FenError(ValueError):
    """A text that is not the FEN of a possible position; the message names the field and what is wrong."""


def parse_fen(text: str) -> Position:
    """The position that a FEN describes."""
    placement, side, castling, en_passant, clock, number = _fields(text)
    board = _parse_placement(placement)
    board = board._replace(castling=_parse_castling(castling, board))
    turn = _parse_side(side)
    if turn == BLACK:
        board = for_opponent(board)
    board = board._replace(en_passant=_parse_en_passant(en_passant, board, turn))
    _refuse("side to move", check_flaw(board))
    half_moves = _parse_counter("half-move clock", clock)
    moves_before = max(_parse_counter("move number", number), 1) - 1
    return Position(board, position_key(board, turn), half_moves, 2 * moves_before + turn)


def format_fen(position: Position, shredder: bool = False) -> str:
    """The six-field FEN of a position; castling as X-FEN, or with file letters throughout."""
    turn = position.ply & 1
    board = _white_view(position)
    return " ".join(
        (
            "/".join(_abbreviated(rank) for rank in _ranks(board)),
            "wb"[turn],
            _format_castling(board, shredder),
            _format_en_passant(position.board, turn),
            str(min(position.clock, MAX_COUNTER)),
            str(min(position.ply // 2 + 1, MAX_COUNTER)),
        )
    )


def board_text(position: Position) -> str:
    """The board as a diagram, White below."""
    ranks = [f"{8 - row}  {' '.join(rank)}" for row, rank in enumerate(_ranks(_white_view(position)))]
    return "\n".join([*ranks, "", f"   {' '.join(FILES)}"])


def _refuse(field: str, flaw: str | None) -> None:
    if flaw:
        raise FenError(f"{field}: {flaw}")


def _fields(text: str) -> list[str]:
    """The six fields of a FEN, missing counters filled in."""
    if len(text) > MAX_LENGTH:
        raise FenError(f"length: more than {MAX_LENGTH} characters")
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise FenError(f"fields: {len(fields)} instead of 4 to 6")
    return fields + ["0", "1"][len(fields) - 4 :]


# --- placement ---------------------------------------------------------------------------------


def _parse_placement(text: str) -> Board:
    """The pieces as White sees them, White's own."""
    rows = text.split("/")
    if len(rows) != 8:
        raise FenError(f"placement: {len(rows)} ranks instead of 8")
    ranks = [_expanded(row, 8 - index) for index, row in enumerate(rows)]
    board = _board_of("".join(reversed(ranks)))
    _refuse("placement", pawns_flaw(board))
    for name, view in zip(SIDE_NAMES, (board, for_opponent(board)), strict=True):
        flaw = pieces_flaw(view)
        _refuse("placement", flaw and f"{name} {flaw}")
    return board


def _expanded(row: str, rank: int) -> str:
    """One rank as eight letters, a dot for each empty square."""
    letters = ""
    for previous, symbol in pairwise(" " + row):
        if symbol in "12345678":
            if previous in "12345678":
                raise FenError(f"placement: rank {rank} has two numbers in a row")
            letters += EMPTY * int(symbol)
        elif symbol in "PNBRQKpnbrqk":
            letters += symbol
        else:
            raise FenError(f"placement: rank {rank} has an unknown piece {quoted(symbol)}")
    if len(letters) != 8:
        raise FenError(f"placement: rank {rank} has {len(letters)} squares")
    return letters


def _board_of(letters: str) -> Board:
    """The board with these 64 letters on it, a1 first."""

    def where(kinds: str) -> int:
        return sum(bit(square) for square, letter in enumerate(letters) if letter in kinds)

    return Board(
        pawns=where("Pp"),
        knights=where("Nn"),
        diagonals=where("BbQq"),
        orthogonals=where("RrQq"),
        kings=where("Kk"),
        own=where("PNBRQK"),
        castling=0,
        en_passant=0,
    )


def _white_view(position: Position) -> Board:
    """The board of a position as White sees it, White's pieces own."""
    return position.board if position.ply & 1 == WHITE else for_opponent(position.board)


def _ranks(board: Board) -> list[str]:
    """The eight ranks as letters, the eighth first."""
    letters = "".join(_letter(board, bit(square)) for square in range(64))
    return [letters[start : start + 8] for start in range(56, -8, -8)]


def _letter(board: Board, square: int) -> str:
    letter = LETTERS[piece_on(board, square)]
    return letter if board.own & square else letter.lower()


def _abbreviated(rank: str) -> str:
    for empties in range(8, 0, -1):
        rank = rank.replace(EMPTY * empties, str(empties))
    return rank


# --- side to move ------------------------------------------------------------------------------


def _parse_side(text: str) -> int:
    if text not in SIDES:
        raise FenError(f"side to move: {quoted(text)} is neither w nor b")
    return SIDES[text]


# --- castling ----------------------------------------------------------------------------------


def _parse_castling(text: str, board: Board) -> int:
    """The rooks that may castle, on a board as White sees it."""
    if text == "-":
        return 0
    white = text.rstrip("kqabcdefgh")
    black = text[len(white) :]
    if white.strip("KQABCDEFGH"):
        raise FenError(f"castling: {quoted(text)} is neither - nor letters like KQkq or HAha")
    return _rooks_named(white, board) | turned_word(_rooks_named(black, for_opponent(board)))


def _rooks_named(letters: str, board: Board) -> int:
    """The rooks with which, by these letters, the side to move may castle."""
    rooks = [_rook_named(letter, board) for letter in letters]
    if 0 in rooks:
        raise FenError(f"castling: no king and rook in place for {letters[rooks.index(0)]}")
    king_sides = [rook > board.kings & board.own for rook in rooks]
    if len(set(king_sides)) < len(rooks):
        raise FenError(f"castling: {letters} names one side twice")
    return sum(rooks)


def _rook_named(letter: str, board: Board) -> int:
    """The own rook that K, Q or a file letter means, as a bitboard; empty if there is none."""
    king = board.kings & board.own & HOME_RANK
    if not king:
        return 0
    rooks = board.orthogonals & ~board.diagonals & board.own & HOME_RANK
    name = letter.upper()
    if name == "K":
        eastmost = bit(rooks.bit_length()) >> 1
        return eastmost if eastmost > king else 0
    if name == "Q":
        westmost = rooks & -rooks
        return westmost if westmost < king else 0
    return rooks & bit(FILES.index(name.lower()))


def needs_chess960(board: Board) -> bool:
    """True if a king that may castle is not on the e-file, or its rook not in a corner."""
    return any(_castles_unusually(view) for view in (board, for_opponent(board)))


def _castles_unusually(board: Board) -> bool:
    king = next(squares(board.kings & board.own))
    return any(king % 8 != 4 or rook % 8 not in (0, 7) for rook in squares(board.castling & board.own))


def _format_castling(board: Board, shredder: bool) -> str:
    white, black = (_castling_letters(view, shredder) for view in (board, for_opponent(board)))
    return white.upper() + black or "-"


def _castling_letters(board: Board, shredder: bool) -> str:
    """The letters of the rooks with which the side to move may castle, east first as is usual."""
    rooks = sorted(squares(board.castling & board.own), reverse=True)
    return "".join(_castling_letter(rook, board, shredder) for rook in rooks)


def _castling_letter(rook: int, board: Board, shredder: bool) -> str:
    side = "k" if rook > own_king(board) else "q"
    if shredder or _rook_named(side, board) != bit(rook):
        return FILES[rook]
    return side


# --- en passant --------------------------------------------------------------------------------


def _parse_en_passant(text: str, board: Board, turn: int) -> int:
    """The en-passant square as a bitboard; empty too if no capture there is legal."""
    if text == "-":
        return 0
    try:
        target = bit(parse_square(text, turn))
    except ValueError as error:
        raise FenError(f"en passant: {error}") from None
    board = board._replace(en_passant=target)
    flaw = en_passant_flaw(board)
    _refuse("en passant", flaw and f"{text} {flaw}")
    return target if en_passant_is_legal(board) else 0


def _format_en_passant(board: Board, turn: int) -> str:
    if not board.en_passant:
        return "-"
    return square_name(board.en_passant.bit_length() - 1, turn)


# --- counters ----------------------------------------------------------------------------------


def _parse_counter(field: str, text: str) -> int:
    # isdigit alone accepts digits that int does not read, such as superscripts.
    if not (text.isascii() and text.isdigit()):
        raise FenError(f"{field}: {quoted(text)} is not a number")
    if int(text) > MAX_COUNTER:
        raise FenError(f"{field}: more than {MAX_COUNTER}")
    return int(text)
