"""The folder of a run: what it was begun with, how it goes, and the weights to go on from.

    settings.json    everything the run depends on; written once
    losses.jsonl     a line for each report
    last.npz         the last checkpoint; best.npz the one with the smallest held-out loss
    network.bknn     the best network, for the engine

Checkpoints appear at once and whole. When a run goes on, reports later than the last checkpoint are removed.
"""

import contextlib
import json
import os
import zipfile

import numpy as np

from bluekrait.tools.common.append_only import append, lock_for_writing

SETTINGS, LOG, LAST, BEST, NETWORK = "settings.json", "losses.jsonl", "last.npz", "best.npz", "network.bknn"
DRAFT = ".draft"


class RunFolder:
    """A folder that no other process works in meanwhile."""

    def __init__(self, path):
        self.path = path
        os.makedirs(path, exist_ok=True)
        self._log = open(self.place(LOG), "ab+")  # noqa: SIM115, for it stays open
        try:
            lock_for_writing(self._log)
        except ValueError:
            self._log.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._log.close()

    def place(self, name):
        """The path of one of the files."""
        return os.path.join(self.path, name)

    # --- settings ---------------------------------------------------------------------------------

    def settings(self):
        """What the run was begun with; empty if it was not."""
        return read_settings(self.path)

    def begin(self, settings):
        """Keep the settings of a new run."""
        with self._replaced(SETTINGS) as file:
            file.write(json.dumps(settings, indent=2).encode() + b"\n")

    # --- checkpoints ------------------------------------------------------------------------------

    def save(self, name, checkpoint):
        """Keep a checkpoint: a dictionary of arrays and numbers."""
        with self._replaced(name) as file:
            np.savez(file, **checkpoint)

    def save_network(self, content):
        """Keep the network for the engine."""
        with self._replaced(NETWORK) as file:
            file.write(content)

    def last(self):
        """The last checkpoint; None if there is none."""
        path = self.place(LAST)
        return read_checkpoint(path) if os.path.exists(path) else None

    @contextlib.contextmanager
    def _replaced(self, name):
        """A file that takes the place of another at once, when it is whole and on the disk."""
        draft = self.place(name + DRAFT)
        with open(draft, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self.place(name))

    # --- the log ----------------------------------------------------------------------------------

    def report(self, entry):
        """Add a line to the log."""
        append(self._log, json.dumps(entry).encode() + b"\n")

    def all_reports(self):
        """What was reported so far."""
        return self._read(float("inf"))[0]

    def reports(self, steps):
        """What was reported up to a step; the rest is cut off."""
        entries, end = self._read(steps)
        self._log.truncate(end)
        return entries

    def _read(self, steps):
        """What was reported up to a step, and where it ends."""
        self._log.seek(0)
        entries, end = [], 0
        for line in self._log.read().splitlines(keepends=True):
            entry = self._entry(line)
            if entry is None or entry["step"] > steps:
                break
            entries.append(entry)
            end += len(line)
        return entries, end

    def _entry(self, line):
        """What a line says; None if it is torn."""
        if not line.endswith(b"\n"):
            return None
        try:
            return json.loads(line)
        except ValueError:
            raise ValueError(f"{self.place(LOG)} is damaged") from None


def read_settings(path):
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


def read_checkpoint(path):
    """The arrays in a checkpoint. A ValueError if it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError, zipfile.LargeZipFile):
        raise ValueError(f"{path} is no checkpoint, or damaged") from None
