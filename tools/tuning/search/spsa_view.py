"""The progress of SPSA: a table on a terminal, elsewhere a progress line."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bluekrait.search.parameters import Parameter
from bluekrait.tools.common.live_table import LiveTable
from bluekrait.tools.common.pictures import thinned
from bluekrait.tools.tuning.search.spsa import Spsa
from bluekrait.uci.progress import duration_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import Group

COLOURS, LINES = 10, ("-", "--", ":", "-.")  # of the curves in a picture


def draw_steps(axes: "Axes", rows: Sequence[Parameter], path: Sequence[Mapping[str, float]]) -> None:
    """Draw how far each number went, in its own steps."""
    start = {row.name: row.value for row in rows}
    points = thinned(list(enumerate([start, *path])))
    iterations = [iteration for iteration, _ in points]
    for number, row in enumerate(rows):
        steps = [(values[row.name] - row.value) / row.step for _, values in points]
        axes.plot(iterations, steps, label=row.name, linestyle=LINES[number // COLOURS % len(LINES)])
    axes.set_xlabel("iterations")
    axes.set_ylabel("steps from the start")


class SpsaView:
    """Shows the values of `Spsa` while they change."""

    def __init__(self, spsa: Spsa, settings: Mapping[str, Any], done: int) -> None:
        self._spsa, self._settings = spsa, settings
        self._done = self._done_before = done
        self._seconds, self._games = 0.0, [0, 0, 0]
        self._display = LiveTable()

    def __enter__(self) -> "SpsaView":
        self._display.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._display.__exit__(*error)

    def update(self, games: Sequence[int], seconds: float) -> None:
        """Another iteration is done, with so many games won, drawn and lost."""
        self._done += 1
        self._seconds += seconds
        self._games = [sum(pair) for pair in zip(self._games, games)]
        self._display.show(self._text(), self._table)

    def _text(self) -> str:
        played = sum(self._games)
        left = self._seconds / (self._done - self._done_before) * (self._settings["iterations"] - self._done)
        return (
            f"iteration {self._done} of {self._settings['iterations']}, "
            f"{played / self._seconds:.1f} games a second, {self._games[1] / played:.0%} drawn, "
            f"{duration_text(left)} left"
        )

    def _table(self) -> "Group":
        from rich.console import Group
        from rich.table import Table

        table = Table()
        for heading in ("parameter", "was", "is", "steps", "moved by"):
            table.add_column(heading, justify="left" if heading == "parameter" else "right")
        for row in self._spsa.rows:
            value = self._spsa.values[row.name]
            perturbation = self._spsa.perturbation(row, self._done)
            steps = (value - row.value) / row.step
            table.add_row(row.name, str(row.value), f"{value:.1f}", f"{steps:+.2f}", f"{perturbation:.1f}")
        return Group(self._text(), table)
