"""The progress of training: a table on a terminal, elsewhere lines."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from bluekrait.core.timer import monotonic
from bluekrait.tools.common.live_table import LiveTable
from bluekrait.tools.network.losses import KINDS
from bluekrait.uci.progress import duration_text

if TYPE_CHECKING:
    from rich.console import Group

SHOWN = 12  # reports in the table, the last ones


class Progress(Protocol):
    """What is shown of `tools.network.trainer.Trainer`."""

    steps: int
    done: int
    reports: list[dict[str, Any]]

    @property
    def error(self) -> float:
        """The mean error of the positions since the last report."""


class TrainingView:
    """Shows the reports of `tools.network.trainer.Trainer`, and how long the rest will take."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._settings = settings
        self._start, self._positions, self._steps = monotonic(), 0, 0
        self._display = LiveTable()

    def __enter__(self) -> "TrainingView":
        self._display.__enter__()
        self._start = monotonic()
        return self

    def __exit__(self, *error: Any) -> None:
        self._display.__exit__(*error)

    @property
    def speed(self) -> float:
        """Positions a second since this process began to learn."""
        return self._positions / max(1e-9, monotonic() - self._start)

    def update(self, trainer: Progress, positions: int) -> None:
        """Another step is done, on so many positions."""
        self._positions += positions
        self._steps += 1
        self._display.show(self._text(trainer), lambda: self._table(trainer))

    def report(self, trainer: Progress) -> None:
        """There is a new report: where there is no table, it stays on the screen."""
        self._display.log(self._report_text(trainer.reports[-1]))

    def _text(self, trainer: Progress) -> str:
        left = (monotonic() - self._start) / self._steps * (trainer.steps - trainer.done)
        return (
            f"step {trainer.done} of {trainer.steps}, loss {trainer.error:.5f}, "
            f"{self.speed / 1e6:.2f} M positions a second, {duration_text(left)} left"
        )

    def _report_text(self, report: Mapping[str, Any]) -> str:
        held_out = report["held_out"]
        return (
            f"epoch {report['epoch']:.2f}: loss {report['loss']:.5f}, held out {held_out['target']:.5f} "
            f"(result {held_out['result']:.5f}, score {held_out['score']:.5f}), rate {report['rate']:.1e}, "
            f"{report['speed'] / 1e6:.2f} M positions a second"
        )

    def _table(self, trainer: Progress) -> "Group":
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
