"""The live display: one picture on the terminal, drawn by rich."""

from collections import deque

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from bluekrait.core.timer import monotonic
from bluekrait.tools.match.display import REFRESH, duration_text, finished_text

LAST_GAMES = 5  # that are shown
MOST_UNDER_WAY = 8
BAR_WIDTH = 40
STYLES = {"1-0": "green", "0-1": "red", "1/2-1/2": "yellow"}


class LiveDisplay:
    """The picture: how far it is, how it stands, what is being played."""

    def __init__(self, session, console=None):
        self._session = session
        self._console = console or Console()
        self._last = deque(maxlen=LAST_GAMES)
        self._under_way = {}
        self._live = Live(
            get_renderable=self._picture,
            console=self._console,
            refresh_per_second=REFRESH,
            transient=True,  # what remains is printed as lines
        )

    def __enter__(self):
        self._live.__enter__()
        return self

    def __exit__(self, *error):
        self._under_way.clear()
        self._live.__exit__(*error)

    def started(self, fixture):
        """A game has begun."""
        self._under_way[fixture.key] = fixture, monotonic()

    def finished(self, game):
        """A game has ended."""
        self._under_way.pop(game.key, None)
        self._last.append(game)

    def note(self, text):
        """Something else is worth knowing."""
        self._console.print(f"Warning; {text}", style="yellow", markup=False, highlight=False)

    def _picture(self):
        session = self._session
        parts = [Text(session.title, style="bold"), self._bar(session.share_done(), session.progress_text())]
        if session.bounds:
            parts.append(self._bar(*session.share_of_test()))
        parts += [Text(line) for line in session.report()]
        parts += [Text(finished_text(game), style=STYLES.get(game.result, "")) for game in self._last]
        parts += [self._games_under_way()] if self._under_way else []
        return Group(*parts)

    @staticmethod
    def _bar(share, text):
        row = Table.grid(padding=(0, 2))
        row.add_row(ProgressBar(total=1.0, completed=max(0.0, min(1.0, share)), width=BAR_WIDTH), text)
        return row

    def _games_under_way(self):
        table = Table.grid(padding=(0, 2))
        for fixture, start in list(self._under_way.values())[:MOST_UNDER_WAY]:
            names = f"{fixture.white.name} vs {fixture.black.name}"
            table.add_row(
                f"game {fixture.round_text}", names, duration_text(monotonic() - start), style="dim"
            )
        return table
