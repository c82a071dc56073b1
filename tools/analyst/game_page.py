"""One page for analysed games that needs no other file: board, arrows, curve of chances, turning points."""

import json
import re
from html import escape
from typing import Any

import chess
import chess.pgn
import chess.svg

from bluekrait.tools.analyst.annotations import JudgedGame, JudgedMove, better_moves
from bluekrait.tools.analyst.game_search import Judged, Limit
from bluekrait.tools.analyst.judgement import BLUNDER, INACCURACY, MISTAKE
from bluekrait.tools.analyst.page_assets import BODY, SCRIPT, STYLE
from bluekrait.tools.common.pgn_trees import clock_of
from bluekrait.tools.report import html_page
from bluekrait.uci import __version__
from bluekrait.uci.progress import count_text

MOST_GAMES = 500  # of one page: a browser must hold them all
MARKS = (INACCURACY, MISTAKE, BLUNDER)


class GamePage:
    """The page; games are added one by one."""

    def __init__(self, title: str, limit: Limit) -> None:
        self._title, self._limit = title, limit
        self._games: list[dict[str, Any]] = []
        self._left_out = 0

    def add(self, judged: JudgedGame) -> None:
        """Add a game, if there is still room."""
        if len(self._games) < MOST_GAMES:
            self._games.append(game_data(judged))
        else:
            self._left_out += 1

    def text(self) -> str:
        """The page."""
        data = json.dumps(self._games, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        parts = [
            f"<style>{STYLE}</style>",
            f"<h1>{escape(self._title)}</h1>",
            f'<p class="quiet">{escape(self._summary())}</p>',
            _pieces(),
            BODY,
            f'<script type="application/json" id="games">{data}</script>',
            f"<script>{SCRIPT}</script>",
        ]
        return html_page.page(f"{self._title} – analysis", parts)

    def _summary(self) -> str:
        words = [count_text(len(self._games), "game")]
        words += [
            f"{name} {value:,} for each position" for name, value in self._limit._asdict().items() if value
        ]
        if self._left_out:
            words.append(f"{self._left_out} more in the annotated PGN only")
        return f"Analysed by BlueKrait {__version__}: {', '.join(words)}."


def game_data(judged: JudgedGame) -> dict[str, Any]:
    """What the page shows of a game."""
    game = judged.game
    headers, board = game.tree.headers, game.tree.board()
    result = headers.get("Result", "*")
    first: dict[str, Any] = {
        "title": f"{game.source.number}. {game.name} {result}",
        "about": _about(judged),
        "opening": game.opening,
        "board": board.board_fen(),
        "score": score_text(judged.start),
        "chance": judged.start.chance,
        "moves": [],
    }
    for move, node in zip(judged.moves, game.nodes):
        first["moves"].append(_move_data(move, node, board))
        board.push(node.move)
        first["moves"][-1]["board"] = board.board_fen()
    return first


def _move_data(move: JudgedMove, node: chess.pgn.ChildNode, board: chess.Board) -> dict[str, Any]:
    data: dict[str, Any] = {
        "number": f"{board.fullmove_number}{'.' if board.turn else '...'}",
        "white": move.by_white,
        "san": board.san(node.move),
        "uci": node.move.uci(),
        "mark": move.mark,
        "score": score_text(move.after),
        "chance": move.after.chance,
        "clock": _clock(node),
        "better": None,
    }
    if move.mark and (line := list(better_moves(board, move.before))):
        data["better"] = {"uci": line[0].uci(), "san": _numbered(board, line)}
    return data


def _numbered(board: chess.Board, line: list[chess.Move]) -> str:
    """A line in algebraic notation; python-chess writes `1...e5` for what stands elsewhere as `1... e5`."""
    return re.sub(r"^(\d+\.\.\.)", r"\1 ", board.variation_san(line))


def _about(judged: JudgedGame) -> str:
    """Event, date, opening, accuracy and faults in one line."""
    headers, opening = judged.game.tree.headers, judged.game.opening
    words = [headers.get(tag, "?") for tag in ("Event", "Site", "Date")]
    words = [word.rstrip("?.") for word in words if word.strip("?.")]
    words += [opening] if opening else []
    for side, by_white in (("White", True), ("Black", False)):
        value = judged.accuracy(by_white)
        if value is not None:
            faults = (f"{judged.marked(by_white, mark)} {mark}" for mark in MARKS)
            words.append(f"{side}: accuracy {value:.1f} %, {', '.join(faults)}")
    return " · ".join(words)


def score_text(judged: Judged) -> str:
    """White's score in words."""
    if judged.mate is None:
        return f"{(judged.centipawns or 0) / 100:+.2f}"
    return f"mate in {abs(judged.mate)}{' for Black' if judged.mate < 0 else ''}" if judged.mate else "mate"


def _clock(node: chess.pgn.ChildNode) -> str:
    seconds = clock_of(node)
    if seconds is None:
        return ""
    minutes, seconds = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _pieces() -> str:
    """The drawings of the pieces, which python-chess has, each once."""
    drawn = (
        f'<g id="piece-{letter}">{drawing}</g>'.replace(f'id="{_id_of(drawing)}"', "")
        for letter, drawing in chess.svg.PIECES.items()
    )
    hidden = 'style="position:absolute;width:0;height:0" aria-hidden="true"'
    return f"<svg {hidden}><defs>{''.join(drawn)}</defs></svg>"


def _id_of(drawing: str) -> str:
    return drawing.partition('id="')[2].partition('"')[0]
