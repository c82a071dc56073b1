"""A running `tune evaluation`, `tune search` or `tune network`, from its log, its journal or its folder."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bluekrait.search.parameters import Parameter
from bluekrait.tools.board.live.work import JsonLines, LiveView, Tile, plots
from bluekrait.tools.common.pictures import BLUE, RED
from bluekrait.tools.network.folder import LOG, SETTINGS
from bluekrait.tools.tuning.search.spsa_view import draw_steps
from bluekrait.uci.progress import duration_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEARCH_KIND = "bluekrait tune search"


class EvaluationTuning:
    """The errors of the evaluation while its weights are fitted."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._lines = JsonLines(path)
        self._settings: dict[str, Any] = {}
        self._epochs: list[dict[str, Any]] = []

    def read(self) -> bool:
        """Take the passes that were made since the last time."""
        entries = self._lines.more_entries()
        if self._lines.has_begun_anew:
            self._settings, self._epochs = {}, []
        for entry in entries:
            if "journal" in entry:
                self._settings, self._epochs = entry, []
            else:
                self._epochs.append(entry)
        return bool(entries)

    def view(self) -> LiveView:
        """The errors against the passes."""
        title = f"Tuning the evaluation: {self._name}"
        if not self._epochs:
            return LiveView(title, "no pass over the positions is done yet")
        errors, held_out = ([entry[name] for entry in self._epochs] for name in ("error", "held_out"))
        curves = Curves([entry["epoch"] for entry in self._epochs], errors, held_out, "passes", "error")
        drawn, problem = plots([(_draw_curves, curves)])
        last = self._epochs[-1]
        pace = last["seconds"] / last["epoch"]
        left = pace * (self._settings["epochs"] - last["epoch"])
        tiles = [
            Tile("passes", str(last["epoch"]), f"of {self._settings['epochs']}, {duration_text(left)} left"),
            Tile("error", f"{last['error']:.6f}", f"of {self._settings['positions']:,} positions"),
            Tile("held out", f"{last['held_out']:.6f}", f"least {min(held_out):.6f}"),
        ]
        return LiveView(title, problem, tiles, drawn)


class SearchTuning:
    """The values of an SPSA run so far."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._lines = JsonLines(path)
        self._forget()

    def _forget(self) -> None:
        self._settings: dict[str, Any] = {}
        self._path: list[dict[str, float]] = []
        self._games = [0, 0, 0]

    def read(self) -> bool:
        """Take the iterations that were done since the last time."""
        entries = self._lines.more_entries()
        if self._lines.has_begun_anew:
            self._forget()
        for entry in entries:
            if "journal" in entry:
                self._settings = entry
            else:
                self._path.append(entry["values"])
                self._games = [sum(pair) for pair in zip(self._games, entry["games"])]
        return bool(entries)

    def view(self) -> LiveView:
        """How the numbers have moved."""
        title = f"Tuning the search: {self._name}"
        if not self._path:
            return LiveView(title, "no iteration is done yet")
        rows = [Parameter(*row) for row in self._settings["rows"]]
        drawn, problem = plots([(draw_steps, rows, self._path)])
        played = sum(self._games)
        tiles = [
            Tile("iterations", f"{len(self._path):,}", f"of {self._settings['iterations']:,}"),
            Tile("games", f"{played:,}", f"{self._games[1] / max(1, played):.0%} drawn"),
        ]
        values = self._path[-1]
        table = [["parameter", "was", "is", "steps"]]
        for row in rows:
            value = values[row.name]
            steps = (value - row.value) / row.step
            table.append([row.name, str(row.value), f"{value:.1f}", f"{steps:+.2f}"])
        return LiveView(title, problem, tiles, drawn, table)


def is_training(folder: Path) -> bool:
    """True for the folder of a network that is being trained."""
    return any((folder / name).exists() for name in (SETTINGS, LOG))


class NetworkTraining:
    """The losses of a network that is being trained."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines = JsonLines(folder / LOG)
        self._reports: list[dict[str, Any]] = []

    def read(self) -> bool:
        """Take the reports that were written since the last time."""
        entries = self._lines.more_entries()
        if self._lines.has_begun_anew:
            self._reports = []
        self._reports += entries
        return bool(entries)

    def view(self) -> LiveView:
        """The losses against the positions that were learnt from."""
        title = f"Training a network: {self._folder.name}"
        if not self._reports:
            return LiveView(title, "there is no report yet")
        last = self._reports[-1]
        best = min(self._reports, key=lambda report: float(report["held_out"]["target"]))
        positions = [report["positions"] / 1e6 for report in self._reports]
        training = [report["loss"] for report in self._reports]
        held_out = [report["held_out"]["target"] for report in self._reports]
        curves = Curves(positions, training, held_out, "million positions", "loss")
        drawn, problem = plots([(_draw_curves, curves)])
        tiles = [
            Tile("positions", f"{last['positions']:,}", f"epoch {last['epoch']:g}"),
            Tile("held-out loss", f"{last['held_out']['target']:.6f}", "of positions it does not learn from"),
            Tile("best", f"{best['held_out']['target']:.6f}", f"after {best['positions']:,} positions"),
            Tile("speed", f"{last['speed']:,}", "positions a second"),
        ]
        return LiveView(title, ". ".join(filter(None, (self._about(), problem))), tiles, drawn)

    def _about(self) -> str:
        try:
            settings = json.loads((self._folder / SETTINGS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return ""
        plain = {name: value for name, value in settings.items() if isinstance(value, (int, float, str))}
        return ", ".join(f"{name} {value}" for name, value in plain.items())


class Curves(NamedTuple):
    """What is learnt from and what is not, over the time of a training."""

    time: list[float]
    training: list[float]
    held_out: list[float]
    time_name: str
    name: str


def _draw_curves(axes: "Axes", curves: Curves) -> None:
    """The curve in training and the held-out one."""
    axes.plot(curves.time, curves.training, color=RED, linewidth=1.2, label="training")
    axes.plot(curves.time, curves.held_out, color=BLUE, linewidth=1.6, label="held out")
    axes.set_xlabel(curves.time_name)
    axes.set_ylabel(curves.name)
    axes.grid(True)
    axes.legend(frameon=False)
