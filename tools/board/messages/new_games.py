"""What a message says about a new game: the rules, and the position in which it begins."""

from random import Random

from bluekrait.core.notation.fen import STARTING_FEN, FenError
from bluekrait.search.library.position import Position
from bluekrait.search.playing.handicap import HIGHEST_ELO, LOWEST_ELO
from bluekrait.tools.board.game.clocks import TimeControl
from bluekrait.tools.board.game.match_play import BLACK, BOTH, WHITE, GameSettings
from bluekrait.tools.board.messages.requests import Request

LONGEST_MOVE = 60  # seconds that the engine may think about a move without a clock
LONGEST_GAME = 180  # minutes for a side
LONGEST_INCREMENT = 60  # seconds
CHESS960_POSITIONS = 960
FIELDS = ", namely pieces, side to move, castling, en passant, and two numbers"  # of a FEN


def rules_in(request: Request) -> GameSettings:
    """The rules of a game that a message describes."""
    human = request.choice("human", (WHITE, BLACK, BOTH))
    elo = request.whole("elo", LOWEST_ELO, HIGHEST_ELO) if request.has("elo") else None
    seconds = request.number("seconds", 0.01, LONGEST_MOVE) if request.has("seconds") else 1.0
    if not request.has("minutes"):
        return GameSettings(human, elo, seconds)
    increment = request.number("increment", 0, LONGEST_INCREMENT) if request.has("increment") else 0.0
    time = TimeControl(60 * request.number("minutes", 0.01, LONGEST_GAME), increment)
    return GameSettings(human, elo, seconds, time)


def starting_position(request: Request) -> Position:
    """The position in which the game that a message describes begins."""
    if request.has("fen"):
        return position_of(request.text("fen"))
    if not request.has("chess960"):
        return Position()
    number = request.whole("chess960", -1, CHESS960_POSITIONS - 1)  # -1 is any
    import chess  # it takes long to load: the first page does not wait for it

    if number < 0:
        number = Random().randrange(CHESS960_POSITIONS)
    return Position(chess.Board.from_chess960_pos(number).fen(), chess960=True)


def position_of(fen: str) -> Position:
    """A position to set up. Chess960 is recognised by its castling rights. ValueError says what is wrong."""
    try:
        return Position(" ".join(fen.split()) or STARTING_FEN)
    except FenError as error:
        which = FIELDS if str(error).startswith("fields") else ""
        raise ValueError(f"this FEN is wrong: {error}{which}") from None
