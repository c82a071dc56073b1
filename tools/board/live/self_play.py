"""A running `datagen`, from its file of games."""

from collections import Counter, deque
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import chess
import chess.pgn

from bluekrait.core.board import Position as Value
from bluekrait.core.notation.fen import format_fen
from bluekrait.core.timer import monotonic
from bluekrait.search.library.position import Position
from bluekrait.search.self_play.game_records import ENDINGS
from bluekrait.tools.board.live.work import MOST_GAMES, GrowingFile, LiveView, ShownGame, Tile, plots
from bluekrait.tools.common.pictures import BLUE
from bluekrait.tools.data.formats import game_file
from bluekrait.tools.data.formats.game_file import GameBytes
from bluekrait.tools.data.formats.samples import SAMPLE, short_move, unpack_sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RESULTS = ("0-1", "1/2-1/2", "1-0")  # by the number in a file
SETTINGS = ("seed", "nodes", "chess960")  # of the head, that the page names
PLIES_PER_BAR = 20


class SelfPlayView:
    """The games of a file so far."""

    def __init__(self, path: Path) -> None:
        self._file = GrowingFile(path)
        self._forget()

    def _forget(self) -> None:
        self._results: Counter[int] = Counter()
        self._endings: Counter[int] = Counter()
        self._lengths: Counter[int] = Counter()
        self._positions = 0
        self._latest: deque[bytes] = deque(maxlen=MOST_GAMES)
        self._about = ""
        self._has_caught_up = False  # with what was there before; the speed is that of the rest
        self._positions_before, self._since = 0, monotonic()

    def read(self) -> bool:
        """Take the games that were written since the last time."""
        data = self._file.more()
        if self._file.has_begun_anew:
            self._forget()
        end = 0
        if made := game_file.read_head(data):
            self._about = ", ".join(f"{name} {made[name]}" for name in SETTINGS if name in made)
            end = max(0, data.find(game_file.BLOCK))
        for block in game_file.read_blocks(data):
            for game in game_file.games_in(block.body):
                self._add(game, block.body)
            end = block.end
        self._file.consume(end)
        if not self._has_caught_up:
            self._positions_before, self._since = self._positions, monotonic()
            self._has_caught_up = end == 0
        return end > 0

    def _add(self, game: GameBytes, body: bytes) -> None:
        head = game.head
        self._results[head.result] += 1
        self._endings[head.ending] += 1
        self._lengths[head.plies // PLIES_PER_BAR] += 1
        self._positions += head.plies
        self._latest.append(body[game.start : game.end])

    def view(self) -> LiveView:
        """How many games there are, and how they went."""
        games = sum(self._results.values())
        title = f"Games of the engine against itself: {self._file.path.name}"
        if not games:
            return LiveView(title, "no game is finished yet")
        drawn, problem = plots([(_draw_lengths, self._lengths)])
        new = self._positions - self._positions_before
        speed = new / max(1e-9, monotonic() - self._since) * 3600
        tiles = [
            Tile("games", f"{games:,}", f"{self._positions / games:.0f} half-moves each"),
            Tile("positions", f"{self._positions:,}", f"{speed / 1e6:.2f} M an hour"),
            Tile("White", f"{self._results[2] / games:.0%}", f"{self._results[1] / games:.0%} drawn"),
        ]
        rows = [["ending", "games", "share"]]
        for ending, count in self._endings.most_common():
            rows.append([ENDINGS.get(ending, "?"), f"{count:,}", f"{count / games:.1%}"])
        latest = [_game(packed) for packed in reversed(self._latest)]
        return LiveView(title, ". ".join(filter(None, (self._about, problem))), tiles, drawn, rows, latest)


def _draw_lengths(axes: "Axes", lengths: Counter[int]) -> None:
    """How many games are how long."""
    bars = sorted(lengths)
    starts = [PLIES_PER_BAR * (bar + 0.5) for bar in bars]
    axes.bar(starts, [lengths[bar] for bar in bars], width=0.9 * PLIES_PER_BAR, color=BLUE)
    axes.set_xlabel("half-moves")
    axes.set_ylabel("games")
    axes.grid(True, axis="y")
    axes.set_axisbelow(True)


def _game(packed: bytes) -> ShownGame:
    """A game of a file; it is unpacked when it is shown."""
    head = next(game_file.games_in(packed)).head
    result = RESULTS[head.result]
    title = f"game {head.number}: {result}, {ENDINGS.get(head.ending, '?')}"
    return ShownGame(head.number, title, partial(pgn_of, packed))


def pgn_of(packed: bytes) -> str:
    """A packed game as PGN."""
    head = next(game_file.games_in(packed)).head
    board = unpack_sample(packed[:24] + bytes(SAMPLE.size - 24)).board
    fen = format_fen(Value(board, 0, head.clock, head.first_ply))
    position = Position(fen, chess960=bool(head.is_chess960))
    game = chess.pgn.Game()
    game.setup(position.board())
    game.headers.update(Event="self-play", Round=str(head.number), White="BlueKrait", Black="BlueKrait")
    game.headers["Result"] = RESULTS[head.result]
    node: chess.pgn.GameNode = game
    for place in range(game_file.HEAD_BYTES, len(packed), game_file.PLY_BYTES):
        short = int.from_bytes(packed[place : place + 2], "little")
        move = next(move for move in position.legal_moves if short_move(move.packed) == short)
        node = node.add_variation(node.board().parse_uci(str(move)))
        position = position.play_packed(move.packed)
    return f"{game}\n"
