"""The folder of a training run: its settings, its reports, and the weights to continue from.

    settings.json    everything the run depends on; written once
    losses.jsonl     a line for each report
    last.npz         the last checkpoint; best.npz the one with the smallest held-out loss
    network.bknn     the best network, for the engine

Checkpoints are replaced atomically. When a run continues, reports later than the last checkpoint are removed.
"""

import contextlib
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np

from bluekrait.tools.common.files.append_only import append, opened_to_append, whole_lines
from bluekrait.tools.common.files.whole_file import whole_file
from bluekrait.tools.data.formats.sample_array import Array

SETTINGS, LOG, LAST, BEST, NETWORK = "settings.json", "losses.jsonl", "last.npz", "best.npz", "network.bknn"


class RunFolder:
    """A folder of a run, locked against other processes. What is new and stays empty is removed again."""

    def __init__(self, path: str) -> None:
        self.path, self._is_new = path, not os.path.exists(path)
        os.makedirs(path, exist_ok=True)
        with contextlib.ExitStack() as stack:
            self._log = stack.enter_context(opened_to_append(self.place(LOG)))
            self._open = stack.pop_all()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        if self._is_new and not os.listdir(self.path):  # nothing was begun
            os.rmdir(self.path)

    def place(self, name: str) -> str:
        """The path of one of the files."""
        return os.path.join(self.path, name)

    # --- settings ---------------------------------------------------------------------------------

    def settings(self) -> dict[str, Any]:
        """What the run was begun with; empty if it was not."""
        return read_settings(self.path)

    def begin(self, settings: Mapping[str, Any]) -> None:
        """Keep the settings of a new run."""
        with self._replaced(SETTINGS) as file:
            file.write(json.dumps(settings, indent=2).encode() + b"\n")

    # --- checkpoints ------------------------------------------------------------------------------

    def save(self, name: str, checkpoint: Mapping[str, Any]) -> None:
        """Keep a checkpoint: a dictionary of arrays and numbers."""
        with self._replaced(name) as file:
            np.savez(file, **checkpoint)

    def save_network(self, content: bytes) -> None:
        """Keep the network for the engine."""
        with self._replaced(NETWORK) as file:
            file.write(content)

    def last(self) -> dict[str, Array] | None:
        """The last checkpoint; None if there is none."""
        path = self.place(LAST)
        return read_checkpoint(path) if os.path.exists(path) else None

    @contextlib.contextmanager
    def _replaced(self, name: str) -> Iterator[BinaryIO]:
        """A file that replaces another atomically, when it is complete and on the disk."""
        with whole_file(self.place(name), "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())

    # --- the log ----------------------------------------------------------------------------------

    def report(self, entry: Mapping[str, Any]) -> None:
        """Add a line to the log."""
        append(self._log, json.dumps(entry).encode() + b"\n")

    def reports(self, steps: int) -> list[dict[str, Any]]:
        """What was reported up to a step; the rest is cut off."""
        entries, end = [], 0
        for entry, size in _entries(self.place(LOG)):
            if entry["step"] > steps:
                break
            entries.append(entry)
            end += size
        self._log.truncate(end)
        return entries


def read_settings(path: str) -> dict[str, Any]:
    """The settings of the run in a folder; empty if there is none."""
    place = os.path.join(path, SETTINGS)
    if not os.path.exists(place):
        return {}
    try:
        with open(place, encoding="utf-8") as file:
            settings = json.load(file)
    except ValueError:
        settings = None
    if not isinstance(settings, dict):
        raise ValueError(f"{place} is damaged")
    return settings


def read_reports(path: str) -> list[dict[str, Any]]:
    """What was reported so far in the run in a folder, which another process may continue."""
    log = os.path.join(path, LOG)
    return [entry for entry, _ in _entries(log)] if os.path.exists(log) else []


def _entries(log: str) -> Iterator[tuple[dict[str, Any], int]]:
    """What the whole lines of a log say, and their lengths."""
    with open(log, "rb") as file:
        for line in whole_lines(file):
            try:
                yield json.loads(line), len(line)
            except ValueError:
                raise ValueError(f"{log} is damaged") from None


def read_checkpoint(path: str) -> dict[str, Array]:
    """The arrays in a checkpoint. A ValueError if it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError):
        raise ValueError(f"{path} is no checkpoint, or damaged") from None
