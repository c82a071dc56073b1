"""How SPSA goes: on a terminal a table that is always up to date, elsewhere a line now and then."""

import sys
from contextlib import ExitStack

from bluekrait.uci.progress import ProgressLine

REFRESHES = 2  # of the table, in a second


class View:
    """Shows the values of `tools.tuning.spsa.Spsa` while they change."""

    def __init__(self, spsa, settings, done):
        self._spsa, self._settings = spsa, settings
        self._done = self._done_before = done
        self._seconds, self._games = 0.0, [0, 0, 0]
        self._stack, self._line, self._live = ExitStack(), ProgressLine(), None

    def __enter__(self):
        if sys.stderr.isatty():
            self._live = self._live_table()
        return self

    def __exit__(self, *error):
        self._line.clear()
        return self._stack.__exit__(*error)

    def update(self, games, seconds):
        """Another iteration is done, with so many games won, drawn and lost."""
        self._done += 1
        self._seconds += seconds
        self._games = [sum(pair) for pair in zip(self._games, games)]
        if self._live:
            self._live.update(self._table())
        else:
            self._line.show(self._text())

    def _text(self):
        played = sum(self._games)
        left = self._seconds / (self._done - self._done_before) * (self._settings["iterations"] - self._done)
        return (
            f"iteration {self._done} of {self._settings['iterations']}, "
            f"{played / self._seconds:.1f} games a second, {self._games[1] / played:.0%} drawn, "
            f"{left / 60:.0f} min left"
        )

    def _live_table(self):
        """A table that is written over and over; None where nothing can do that."""
        try:
            from rich.console import Console
            from rich.live import Live
        except ModuleNotFoundError:
            return None
        live = Live(console=Console(stderr=True), refresh_per_second=REFRESHES, transient=True)
        return self._stack.enter_context(live)

    def _table(self):
        from rich.console import Group
        from rich.table import Table

        table = Table()
        for heading in ("parameter", "was", "is", "steps", "moved by"):
            table.add_column(heading, justify="left" if heading == "parameter" else "right")
        for row in self._spsa.rows:
            value = self._spsa.values[row.name]
            reach = self._spsa.reach(row, self._done)
            steps = (value - row.value) / row.step
            table.add_row(row.name, str(row.value), f"{value:.1f}", f"{steps:+.2f}", f"{reach:.1f}")
        return Group(self._text(), table)
