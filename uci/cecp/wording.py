"""How moves, lines and results are written in CECP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core.move import CASTLING, kind_of, origin_of, target_of
from bluekrait.core.notation.san_and_uci import move_from_text, move_to_uci
from bluekrait.core.records import (
    CHECKMATE,
    DRAWING_REPETITIONS,
    FIFTY_MOVES,
    INSUFFICIENT_MATERIAL,
    STALEMATE,
)

if TYPE_CHECKING:
    from bluekrait.search.engine import Engine
    from bluekrait.search.reports import CurrentMove, Line, Score

MATE = 100_000  # plus the number of moves to the mate
DRAWS = {
    STALEMATE: "1/2-1/2 {Stalemate}",
    INSUFFICIENT_MATERIAL: "1/2-1/2 {Insufficient material}",
    FIFTY_MOVES: "1/2-1/2 {Fifty-move rule}",
}


def move_text(move: int, turn: int, chess960: bool) -> str:
    """A move as CECP writes it: coordinates, but in Chess960 castling is O-O."""
    if chess960 and kind_of(move) == CASTLING:
        return "O-O" if target_of(move) > origin_of(move) else "O-O-O"
    return move_to_uci(move, turn)


def read_move(text: str, engine: Engine) -> int:
    """The legal move that a text means: coordinates, or standard algebraic notation."""
    return move_from_text(text, engine.legal_moves(), engine.turn)


def looks_like_move(word: str) -> bool:
    """True if a word of a line can only be a move in coordinates, or castling."""
    if word in ("O-O", "O-O-O"):
        return True
    files, ranks = word[0:4:2], word[1:4:2]
    return len(word) in (4, 5) and set(files) <= set("abcdefgh") and set(ranks) <= set("12345678")


def line_text(line: Line, turn: int, chess960: bool) -> str:
    """A line that the search found: depth, score, hundredths of a second, nodes and moves."""
    moves = [move_text(move, turn ^ ply & 1, chess960) for ply, move in enumerate(line.moves)]
    return " ".join(
        [f"{line.depth} {score_number(line.score)} {centiseconds(line.seconds)} {line.nodes}", *moves]
    )


def status_text(line: Line, current: CurrentMove | None, count: int, turn: int, chess960: bool) -> str:
    """How far the analysis is: time, nodes, depth, moves left at the root, all of them, the present one."""
    figures = f"stat01: {centiseconds(line.seconds)} {line.nodes} {line.depth}"
    if not current:
        return f"{figures} 0 {count}"
    return f"{figures} {count - current.number} {count} {move_text(current.move, turn, chess960)}"


def score_number(score: Score) -> int:
    """A score in centipawns; mates are larger than all others."""
    if score.centipawns is not None:
        return score.centipawns
    mate = score.mate or 0
    return MATE + mate if mate > 0 else mate - MATE


def centiseconds(seconds: float) -> int:
    """Hundredths of a second."""
    return int(100 * seconds)


def result_text(engine: Engine) -> str | None:
    """The result of the game, None if it goes on."""
    description = engine.describe()
    if description.status == CHECKMATE:
        return "1-0 {White mates}" if engine.turn else "0-1 {Black mates}"
    if description.status in DRAWS:
        return DRAWS[description.status]
    is_repeated = description.repetitions >= DRAWING_REPETITIONS
    return "1/2-1/2 {Threefold repetition}" if is_repeated else None
