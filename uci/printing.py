"""How positions, moves and counts are printed."""

from __future__ import annotations

from bluekrait.core.board import NONE, TURN_ROUND, piece_on
from bluekrait.core.notation.fen import LETTERS
from bluekrait.core.notation.san_and_uci import describe_kind, move_to_uci

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bluekrait.core.board import Position
    from bluekrait.search.engine import Description, Engine

    Points = Sequence[int]  # middle-game and end-game points of one side, then of the other

SIDES = ("White", "Black")
LONE_KING_TEXT = "\nThe network does not judge a lone king: the classical evaluation does"


def move_text(engine: Engine, move: int) -> str:
    """A move in UCI notation."""
    return move_to_uci(move, engine.position.ply & 1, engine.chess960)


def root_count_text(engine: Engine, move: int, nodes: int) -> str:
    """A root move and the leaves below it, in Stockfish's format."""
    return f"{move_text(engine, move)}: {nodes}"


def total_text(nodes: int) -> str:
    """The end of a perft, in Stockfish's format."""
    return f"\nNodes searched: {nodes}\n"


def position_text(description: Description, chess960: bool) -> str:
    """The board, FEN, key and checkers, with the labels that scripts know from Stockfish."""
    fen = description.shredder if chess960 else description.fen
    checkers = " ".join(description.checkers)
    rows = [("Fen", fen), ("Key", f"{description.key:016X}"), ("Checkers", checkers)]
    if description.repetitions:
        rows.append(("Occurred before", str(description.repetitions)))
    return f"\n{description.diagram}\n\n" + "\n".join(f"{name}: {value}" for name, value in rows)


def moves_text(engine: Engine) -> str:
    """The legal moves, one to a line, grouped by kind."""
    kinds: dict[str, list[str]] = {}
    for move in engine.legal_moves():
        kind = describe_kind(move)
        kinds.setdefault(kind, []).append(f"{kind}: {move_text(engine, move)}")
    lines = [line for group in kinds.values() for line in group]
    return "\n".join([*lines, f"{len(lines)} legal moves"])


def evaluation_text(rows: Iterable[tuple[str, int, int, int, int]], score: int, turn: int) -> str:
    """Names of terms, with the points of White, Black and both in the middle game and in the end game."""
    named = [(name, _from_white(points, turn)) for name, *points in rows]
    total = ("total", [sum(column) for column in zip(*(points for _, points in named), strict=True)])
    width = max(len(name) for name, _ in [*named, total])
    header = f"{'':{width}}      White         Black          Both"
    lines = [f"{name:{width}} {_points_text(points)}" for name, points in [*named, total]]
    return "\n".join([header, *lines, "", f"Classical evaluation: {_score_text(score, turn)}"])


def _from_white(points: list[int], turn: int) -> list[int]:
    """Points of White, then of Black, from those of the side to move and of the other side."""
    return points[2:] + points[:2] if turn else points


def _points_text(points: Points) -> str:
    white_middle, white_end, black_middle, black_end = points
    pairs = [(white_middle, white_end), (black_middle, black_end)]
    pairs.append((white_middle - black_middle, white_end - black_end))
    return " ".join(f"{middle:6} {end:6}" for middle, end in pairs)


def network_text(position: Position, score: int, worths: Mapping[int, int]) -> str:
    """The board with what each piece is worth to the network, and its score."""
    turn = position.ply & 1
    view = TURN_ROUND * turn
    rule = "+-------" * 8 + "+"
    title = "What each piece is worth to the network, for White: the score less the score without it"
    lines = ["", title, rule]
    for rank in reversed(range(8)):
        squares = [(8 * rank + file) ^ view for file in range(8)]
        letters = [piece_letter(position, square) for square in squares]
        numbers = [-worths[square] if turn else worths[square] for square in squares if square in worths]
        cells = iter(f"{number:+}" for number in numbers)
        lines.append("".join(f"|{letter:^7}" for letter in letters) + "|")
        lines.append("".join(f"|{next(cells) if square in worths else '':^7}" for square in squares) + "|")
        lines.append(rule)
    return "\n".join([*lines, "", f"Evaluation by the network: {_score_text(score, turn)}"])


def final_text(score: int, turn: int, evaluation: str) -> str:
    """The last line of `eval`: the score of the evaluation that the search uses."""
    return f"Final evaluation: {_score_text(score, turn)}; the search uses {evaluation}"


def _score_text(score: int, turn: int) -> str:
    return f"{score:+} for {SIDES[turn]}, who is to move"


def piece_letter(position: Position, square: int) -> str:
    """The piece on a square as the side to move sees it, as in a FEN; a space if there is none."""
    board, bit = position.board, 1 << square
    code = piece_on(board, bit)
    if code == NONE:
        return " "
    letter = LETTERS[code]
    is_white = bool(board.own & bit) != bool(position.ply & 1)
    return letter if is_white else letter.lower()


def table_text(rows: Sequence[tuple[str, object]]) -> str:
    """Names and values in two columns."""
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)
