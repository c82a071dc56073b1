"""The live display: a view on the terminal that is redrawn several times a second, by rich."""

from collections import deque

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from bluekrait.core.timer import monotonic
from bluekrait.tools.match.display.match_status import MatchStatus, finished_text
from bluekrait.tools.match.results.finished_games import BLACK_WINS, DRAW, WHITE_WINS, FinishedGame, GameKey
from bluekrait.tools.match.setup.contest import ScheduledGame
from bluekrait.uci.progress import duration_text

REFRESH = 4  # a second
LAST_GAMES = 5  # finished games shown
MOST_RUNNING = 8  # running games shown
BAR_WIDTH = 40
STYLES = {WHITE_WINS: "green", BLACK_WINS: "red", DRAW: "yellow"}


class LiveDisplay:
    """Shows progress, standings, the last games and the running ones."""

    def __init__(self, status: MatchStatus, console: Console | None = None) -> None:
        self._status = status
        self._console = console or Console()
        self._last: deque[FinishedGame] = deque(maxlen=LAST_GAMES)
        self._running: dict[GameKey, tuple[ScheduledGame, float]] = {}
        self._live = Live(
            get_renderable=self._view,
            console=self._console,
            refresh_per_second=REFRESH,
            transient=True,  # the command prints the final standings as lines
        )

    def __enter__(self) -> "LiveDisplay":
        self._live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._running.clear()
        self._live.stop()

    def game_started(self, scheduled: ScheduledGame) -> None:
        """A game has started."""
        self._running[scheduled.key] = scheduled, monotonic()

    def game_finished(self, game: FinishedGame) -> None:
        """A game has ended."""
        self._running.pop(game.key, None)
        self._last.append(game)

    def say(self, text: str) -> None:
        """Something that is as it should be."""
        self._console.print(text, markup=False, highlight=False)

    def warn(self, text: str) -> None:
        """Something that may be wrong."""
        self._console.print(f"Warning; {text}", style="yellow", markup=False, highlight=False)

    def _view(self) -> Group:
        """What is shown. rich asks for it in a thread of its own, while games end."""
        status = self._status
        parts: list[RenderableType] = [Text(status.title, style="bold")]
        parts.append(self._bar(status.share_done(), status.progress_text()))
        if status.bounds:
            parts.append(self._bar(*status.share_of_test()))
        parts += [Text(line) for line in status.report()]
        parts += [Text(finished_text(game), style=STYLES.get(game.result, "")) for game in tuple(self._last)]
        if self._running:
            parts.append(self._running_games())
        return Group(*parts)

    @staticmethod
    def _bar(share: float, text: str) -> Table:
        row = Table.grid(padding=(0, 2))
        row.add_row(ProgressBar(total=1.0, completed=max(0.0, min(1.0, share)), width=BAR_WIDTH), text)
        return row

    def _running_games(self) -> Table:
        table = Table.grid(padding=(0, 2))
        for scheduled, start in list(self._running.values())[:MOST_RUNNING]:
            names = Text(f"{scheduled.white.name} vs {scheduled.black.name}")  # brackets are no markup
            time = duration_text(monotonic() - start)
            table.add_row(f"game {scheduled.round_text}", names, time, style="dim")
        return table
