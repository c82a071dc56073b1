"""How training goes: on a terminal a table that is always up to date, elsewhere a line now and then."""

import sys
from contextlib import ExitStack

from bluekrait.core.timer import monotonic
from bluekrait.uci.progress import ProgressLine

REFRESHES = 2  # of the table, in a second
KINDS = "target", "result", "score"
SHOWN = 12  # reports in the table, the last ones


class View:
    """Shows the reports of `tools.network.trainer.Trainer`, and how long the rest will take."""

    def __init__(self, settings):
        self._settings = settings
        self._start, self._positions, self._steps = None, 0, 0
        self._stack, self._line, self._live = ExitStack(), ProgressLine(), None

    def __enter__(self):
        if sys.stderr.isatty():
            self._live = self._live_table()
        self._start = monotonic()
        return self

    def __exit__(self, *error):
        self._line.clear()
        return self._stack.__exit__(*error)

    @property
    def speed(self):
        """Positions a second since this process began to learn."""
        return self._positions / max(1e-9, monotonic() - self._start)

    def update(self, trainer, positions):
        """Another step is done, on so many positions."""
        self._positions += positions
        self._steps += 1
        if self._live:
            self._live.update(self._table(trainer))
        else:
            self._line.show(self._text(trainer))

    def report(self, trainer):
        """There is a new report: where there is no table, it stays on the screen."""
        if not self._live:
            self._line.clear()
            print(self._report_text(trainer.reports[-1]), file=sys.stderr, flush=True)

    def _text(self, trainer):
        left = (monotonic() - self._start) / self._steps * (trainer.steps - trainer.done)
        return (
            f"step {trainer.done} of {trainer.steps}, loss {trainer.error:.5f}, "
            f"{self.speed / 1e6:.2f} M positions/s, {left / 60:.0f} min left"
        )

    def _report_text(self, report):
        held_out = report["held_out"]
        return (
            f"epoch {report['epoch']:.2f}: loss {report['loss']:.5f}, held out {held_out['target']:.5f} "
            f"(result {held_out['result']:.5f}, score {held_out['score']:.5f}), rate {report['rate']:.1e}, "
            f"{report['speed'] / 1e6:.2f} M positions/s"
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

    def _table(self, trainer):
        from rich.console import Group
        from rich.table import Table

        table = Table()
        for heading in ("epoch", "positions", "loss", "held out", "result", "score", "rate"):
            table.add_column(heading, justify="right")
        classical = self._settings["classical"]
        table.add_row("classical", "", "", *(f"{classical[name]:.5f}" for name in KINDS))
        for report in trainer.reports[-SHOWN:]:
            losses = [report["loss"], *(report["held_out"][name] for name in KINDS)]
            table.add_row(
                f"{report['epoch']:.2f}",
                f"{report['positions'] / 1e6:.1f} M",
                *(f"{loss:.5f}" for loss in losses),
                f"{report['rate']:.1e}",
            )
        return Group(self._text(trainer), table)
