"""Suites of test positions in EPD: what is solved, at which depth, and after how long.

`bm` names the best moves, `am` moves to avoid. Points, as the Strategic Test Suite gives them, stand in `c0`
("f5=10, Be5=2") or in `c8` and `c9` (points, and moves in UCI notation).
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import chess

from bluekrait.search.library.position import Position
from bluekrait.tools.analyst.game_search import Limit, fresh_engine
from bluekrait.tools.analyst.played_game import LONGEST_REASON
from bluekrait.tools.common.command_line import printable
from bluekrait.tools.common.pgn_splitter import decoded, lines_in
from bluekrait.uci.exits import one_line

POINTS = re.compile(r"(?<![^\s,])([^\s,]+?)=(\d+)(?![^\s,])")
COUNTERS_OF_FEN = re.compile(r"^((?:\S+\s+){4})(\d+)\s+(\d+)(?:\s*;|(?=\s)|$)")  # in many suites


class Task(NamedTuple):
    """A position of a suite."""

    number: int
    name: str
    fen: str
    best: tuple[str, ...]  # in UCI notation
    avoid: tuple[str, ...]
    points: dict[str, int]  # of moves in UCI notation


class Answer(NamedTuple):
    """What the engine made of a task."""

    number: int
    move: str  # in algebraic notation
    is_solved: bool
    depth: int  # since which the answer stayed right; of the whole search if it is wrong
    seconds: float
    nodes: int
    points: int


class _Chess960Board(chess.Board):
    """A board of Chess960; python-chess makes another such board to read the moves of operations."""

    def __init__(self, fen: str | None = chess.STARTING_FEN, *, chess960: bool = True) -> None:
        super().__init__(fen, chess960=chess960)


def read_suite(path: Path) -> Iterator[Task | str]:
    """The tasks of a file; for a line that is none, one line that says what is wrong with it."""
    with open(path, "rb") as file:
        number = 0
        for place, line in enumerate(lines_in(file), 1):
            text = decoded([line]).strip().lstrip("\ufeff")
            if not text or text.startswith("#"):
                continue
            number += 1
            try:
                yield _task(number, text)
            except (ValueError, TypeError, AttributeError, LookupError) as error:
                yield f"{path}, line {place}: {one_line(error, LONGEST_REASON)}; left out"


def _task(number: int, text: str) -> Task:
    board = _Chess960Board() if _is_chess960(text) else chess.Board()
    operations: dict[str, Any] = board.set_epd(COUNTERS_OF_FEN.sub(r"\1hmvc \2; fmvn \3;", text, count=1))
    fen = board.shredder_fen(en_passant="fen")
    Position(fen)  # a ValueError says what is wrong
    best, avoid = (tuple(map(board.uci, operations.get(name) or ())) for name in ("bm", "am"))
    points = _points(board, operations)
    if not (best or avoid or points):
        raise ValueError("neither bm nor am nor points")
    name = printable(str(operations.get("id") or f"position {number}"))
    return Task(number, name, fen, best, avoid, points)


def _is_chess960(text: str) -> bool:
    """Whether castling rights tell of Chess960. A board of chess forgets such rights."""
    with suppress(ValueError):  # what is wrong is told later, but for castling rights without a rook
        return Position(" ".join(text.split()[:4])).chess960
    return False


def _points(board: chess.Board, operations: dict[str, Any]) -> dict[str, int]:
    """The points of moves."""
    if operations.get("c8") and operations.get("c9"):
        moves, numbers = str(operations["c9"]).split(), str(operations["c8"]).split()
        return {board.uci(board.parse_uci(move)): int(number) for move, number in zip(moves, numbers)}
    pairs = POINTS.findall(str(operations.get("c0") or ""))
    try:
        return {board.uci(board.parse_san(move)): int(number) for move, number in pairs}
    except ValueError:  # a comment about something else
        return {}


def solve(task: Task, limit: Limit) -> Answer:
    """Search the position of a task."""
    engine = fresh_engine()
    first, last = None, None  # the line since which the answer stayed right, and the last one
    search = engine.analyse(task.fen, nodes=limit.nodes, seconds=limit.seconds, depth=limit.depth)
    for line in search:
        last = line
        is_right = bool(line.moves) and _is_right(task, line.moves[0])
        first = (first or line) if is_right else None
    move = search.result().move
    if move is None or last is None:
        return Answer(task.number, "(none)", False, 0, 0.0, 0, 0)
    shown = first or last
    points = task.points.get(move, 0)
    return Answer(
        task.number, move.san, _is_right(task, move), shown.depth, shown.seconds, shown.nodes, points
    )


def _is_right(task: Task, move: str) -> bool:
    if task.best:
        return move in task.best
    if task.avoid:
        return move not in task.avoid
    return task.points.get(move, 0) == max(task.points.values())


def table(tasks: Sequence[Task], answers: Sequence[Answer]) -> str:
    """One line for each task, and their sum."""
    has_points = any(task.points for task in tasks)
    width = max(len(task.name) for task in tasks)
    rows = []
    for task, answer in zip(tasks, sorted(answers)):
        words = [
            f"{task.name:{width}}  {answer.move:8} {'solved' if answer.is_solved else '-':6}",
            f"depth {answer.depth:2}  {answer.seconds:6.2f} s  {answer.nodes:10} nodes",
        ]
        if task.points:
            words.append(f"{answer.points:3} of {max(task.points.values())}")
        rows.append("  ".join(words))
    solved = sum(answer.is_solved for answer in answers)
    sums = f"solved {solved} of {len(tasks)}"
    if has_points:
        most = sum(max(task.points.values(), default=0) for task in tasks)
        sums += f", {sum(answer.points for answer in answers)} of {most} points"
    return "\n".join([*rows, "", sums])
