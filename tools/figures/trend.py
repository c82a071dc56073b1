"""Figures of many commits: one line of JSON for each measurement, and how they changed."""

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from errno import ENOSPC
from math import ceil
from os import PathLike
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from bluekrait.core.file_lock import wait_for_lock
from bluekrait.tools.common.files.named_file import named
from bluekrait.tools.common.pictures import BLUE, GREEN, RED, draw_picture
from bluekrait.tools.figures.figure import CORES, Figure
from bluekrait.uci import __version__

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

COLUMNS = 3  # of plots
SOURCES = Path(__file__).resolve().parents[2]  # the folder of `tools`


class Measurement(NamedTuple):
    """The figures of a commit on a machine: a line of the file."""

    commit: str
    machine: dict[str, Any]
    figures: list[Figure]
    date: str = "?"


def append(path: str | PathLike[str], figures: Iterable[Figure]) -> None:
    """Add a measurement to a file, to which other runs may add theirs."""
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    measurement = Measurement(commit(), machine(), list(figures), now)
    content = measurement._asdict() | {"figures": [figure._asdict() for figure in measurement.figures]}
    _append_line(path, f"{json.dumps(content)}\n".encode())


def _append_line(path: str | PathLike[str], line: bytes) -> None:
    """Append a line in one piece. OSError if the disk is full; then the file stays as it was."""
    with open(path, "ab", buffering=0) as file, named(file):
        wait_for_lock(file)
        size = os.fstat(file.fileno()).st_size
        line = line if not size or _ends_with_a_line(path) else b"\n" + line
        if file.write(line) < len(line):
            file.truncate(size)
            raise OSError(ENOSPC, os.strerror(ENOSPC))


def _ends_with_a_line(path: str | PathLike[str]) -> bool:
    """True if the last line of a file is ended: an editor may have left that out."""
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


def read(path: str | PathLike[str]) -> list[Measurement]:
    """All measurements in a file, as they were written; ValueError if it holds something else."""
    measurements: list[Measurement] = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        try:
            content = json.loads(line)
            figures = list(map(_figure_of, content["figures"]))
            date = str(content.get("date", "?"))
            measurements.append(Measurement(str(content["commit"]), dict(content["machine"]), figures, date))
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number}: no measurement of bluekrait bench") from None
    if not measurements:
        raise ValueError(f"{path}: no measurement yet")
    return measurements


def _figure_of(fields: Mapping[str, Any]) -> Figure:
    """A figure as it was kept; TypeError if it is none."""
    figure = Figure(**fields)
    texts, numbers = (figure.name, figure.unit, figure.note), (figure.value, figure.floor, figure.aim)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("names, units and notes are texts")
    if not all(isinstance(number, (int, float)) for number in numbers):
        raise TypeError("values, floors and aims are numbers")
    return figure


def commit() -> str:
    """What was measured: the commit of the sources, with a plus if they were changed since.

    Sources in no repository of their own, as installed ones are, have a version only.
    """
    if not (SOURCES / ".git").exists():
        return __version__
    try:
        git = ["git", "-C", str(SOURCES), "describe", "--always", "--abbrev=9", "--exclude=*", "--dirty=+"]
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine() -> dict[str, Any]:
    """What it was measured on."""
    from llvmlite import binding

    return {
        "processor": binding.get_host_cpu_name(),
        "cores": len(CORES),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def trends(measurements: Sequence[Measurement]) -> dict[str, list[tuple[str, Figure]]]:
    """For every figure its medians by commit, in the order of time, on the machine measured last."""
    processor = measurements[-1].machine.get("processor")
    measured: dict[str, dict[str, list[Figure]]] = {}
    for measurement in measurements:
        if measurement.machine.get("processor") == processor:
            for figure in measurement.figures:
                by_commit = measured.setdefault(figure.name, {})
                by_commit.setdefault(measurement.commit, []).append(figure)
    return {
        name: [
            (commit, figures[-1]._replace(value=median(figure.value for figure in figures)))
            for commit, figures in by_commit.items()
        ]
        for name, by_commit in measured.items()
    }


def draw(measurements: Sequence[Measurement], path: str | PathLike[str]) -> None:
    """Draw every figure against the commits."""
    lines = trends(measurements)
    if not lines:
        processor = measurements[-1].machine.get("processor", "?")
        raise ValueError(f"nothing was measured on {processor}: there are no figures to draw")

    def paint(figure: "Picture", frames: "list[Axes]") -> None:
        figure.suptitle(f"BlueKrait on {measurements[-1].machine.get('processor', '?')}, by commit")
        for frame, (name, points) in zip(frames, lines.items()):
            _paint_trend(frame, name, points)
        for frame in frames[len(lines) :]:
            frame.set_axis_off()

    draw_picture(str(path), paint, ceil(len(lines) / COLUMNS), min(COLUMNS, len(lines)))


def _paint_trend(frame: "Axes", name: str, points: Sequence[tuple[str, Figure]]) -> None:
    commits, figures = zip(*points)
    frame.plot(range(len(points)), [figure.value for figure in figures], "o-", color=BLUE, markersize=4)
    frame.axhline(figures[-1].aim, color=GREEN, linestyle="--", linewidth=1, label="aim")
    frame.axhline(figures[-1].floor, color=RED, linestyle=":", linewidth=1, label="at least")
    stride = max(1, len(points) // 8)
    frame.set_xticks(range(0, len(points), stride), [name[:7] for name in commits[::stride]], rotation=45)
    frame.set_ylim(bottom=0)
    frame.set_title(name, fontsize=10)
    frame.set_ylabel(figures[-1].unit)
    frame.grid(alpha=0.3)
