"""The settings of a run: chosen when it is begun, kept in its folder, and never changed."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bluekrait.search.evaluation.network.network_file import BARE, RESIDUAL, SCALE, Head
from bluekrait.tools.common.files.append_only import merge_settings
from bluekrait.tools.common.files.digest import digest
from bluekrait.tools.common.processors import usable_processors
from bluekrait.tools.data.formats.sample_array import Array
from bluekrait.tools.network.classical import classical_scores, fitted_scale
from bluekrait.tools.network.folder import BEST, SETTINGS, RunFolder, read_checkpoint, read_settings
from bluekrait.tools.network.losses import Labels, targets_of
from bluekrait.tools.network.order import PositionOrder
from bluekrait.tools.network.position_file import Filters, OnProgress
from bluekrait.tools.network.positions import load
from bluekrait.tools.network.weights import Shape, Weights, grown, random_weights, read_weights, zeros
from bluekrait.uci import __version__

NUMBA = "numba"
DEFAULTS: dict[str, Any] = {
    "width": 256,
    "buckets": 1,
    "regions": 1,
    "threats": 1,
    "kinds": 6,
    "residual": False,
    "epochs": 10,
    "batch": 4096,
    "rate": 1e-3,
    "last-rate": 1e-5,
    "decay": 0.01,
    "most-error": 1.0,
    "result-share": [0.1, 0.1],
    "look-ahead": 0.7,
    "seed": 1,
    "every": 2500,
    "deduplicate": False,
    "start": None,
    "judge": None,
    "device": NUMBA,
}
FINE_TUNING = {"rate": 1e-4, "last-rate": 1e-6}  # by default, where there is something to start from
FITTED = 1 << 20  # positions by which the classical scale is fitted, at most
LICENCE = "GPL-3.0-or-later"
MOST_NAMED = 32  # files that the head of a network names: it may not become too long


class TrainingData(NamedTuple):
    """Training and held-out positions, the scores that the output is added to, and the labels."""

    training: Array
    training_bases: Array | None  # None if they are 0
    held_out: Array
    held_out_bases: Array
    labels: Labels


def chosen(folder: RunFolder, files: Sequence[str], wishes: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run, new or begun; the files are named if it is new. A ValueError if they differ."""
    begun = folder.settings()
    if begun:
        names = [os.path.abspath(name) for name in files]
        if names and names != [source["file"] for source in begun["files"]]:
            raise ValueError(f"{folder.path} was begun with other files, see its {SETTINGS}")
        begun.setdefault("look-ahead", 0.0)  # so older versions learnt
        if begun["start"]:
            begun["start"] = os.path.abspath(begun["start"])  # older versions kept the relative path
    elif not files:
        raise ValueError(f"{folder.path} is no run yet: name files of positions to begin one")
    defaults = dict(DEFAULTS)
    start: dict[str, Any] = {}
    if wishes["start"] and not begun:
        _, start = started_from(wishes["start"])
        defaults |= FINE_TUNING | start
    settings = merge_settings(begun, wishes, defaults, folder.path)
    check_start(settings, start)
    return settings


def prepare(
    settings: Mapping[str, Any], files: Sequence[str], on_progress: OnProgress | None = None
) -> tuple[dict[str, Any], TrainingData]:
    """The settings completed by facts about the files, and the positions. ValueError if files changed."""
    sources, judges = settings.get("files", []), settings.get("judges", [])
    positions = load(
        _named(sources, files),
        Filters(),
        settings["seed"],
        settings["deduplicate"],
        on_progress,
        _named(judges, settings.get("judge") or ()),
        settings["look-ahead"],
    )
    for source, now in zip(sources + judges, positions.sources + positions.judges):
        if source != now:
            raise ValueError(f"{source['file']} is not the file that the run was begun with")
    share = settings["result-share"][-1]
    sample = positions.training[:: -(-len(positions.training) // FITTED)].copy()
    scale = fitted_scale(classical_scores(sample), targets_of(sample, share))
    labels = Labels(positions.held_out, share)
    classical = classical_scores(positions.held_out) / np.float32(scale)
    residual = settings["residual"]
    data = TrainingData(
        positions.training,
        classical_scores(positions.training) / np.float32(scale) if residual else None,
        positions.held_out,
        classical if residual else np.zeros_like(classical),
        labels,
    )
    found = {
        "files": positions.sources,
        "judges": positions.judges,
        "training": len(positions.training),
        "held-out": len(positions.held_out),
        "steps": settings["epochs"] * PositionOrder(len(positions.training), settings["batch"], 0).steps,
        "classical-scale": scale,
        "classical": labels.losses(classical)._asdict(),
        "search": labels.losses(positions.held_out["score"] / np.float32(SCALE))._asdict(),
    }
    if not found["steps"]:
        raise ValueError(f"{found['training']} positions are too few for batches of {settings['batch']}")
    fixed = {"parts": len(usable_processors()), "bluekrait": __version__} | found
    return {**fixed, **settings}, data


def _named(begun: list[dict[str, Any]], files: Sequence[str]) -> list[tuple[str, int | None]]:
    """The files to read: those that a run was begun with, as long as they were then, or new ones."""
    if begun:
        return [(source["file"], source["bytes"]) for source in begun]
    return [(os.path.abspath(name), None) for name in files]


def head_of(settings: Mapping[str, Any]) -> Head:
    """The head of the network's file."""
    description = {
        name: value for name, value in settings.items() if name not in ("classical", "search", "judge")
    }
    for kind in "files", "judges":
        description[kind] = _as_in_head(description.get(kind, []))
    description["start"] = settings["start"] and os.path.basename(settings["start"])
    return Head(
        **shape_of(settings)._asdict(),
        kind=RESIDUAL if settings["residual"] else BARE,
        factor=(SCALE, settings["classical-scale"]) if settings["residual"] else (1, 1),
        licence=LICENCE,
        data=description,
    )


def _as_in_head(sources: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Files of positions without their folders; if they are many, one entry stands for the last of them."""
    named = [{**source, "file": os.path.basename(source["file"])} for source in sources]
    if len(named) <= MOST_NAMED:
        return named
    others = named[MOST_NAMED:]
    positions = sum(source["positions"] for source in others)
    summary = {"digest": digest(json.dumps(others).encode()), "others": len(others), "positions": positions}
    return [*named[:MOST_NAMED], summary]


# --- where to start -------------------------------------------------------------------------------


def first_weights(settings: Mapping[str, Any]) -> Weights:
    """The weights before the first step."""
    if not settings["start"]:
        return random_weights(shape_of(settings), settings["seed"])
    weights, _ = started_from(settings["start"])
    return grown(weights, shape_of(settings), settings["seed"])


def check_start(settings: Mapping[str, Any], start: Mapping[str, Any]) -> None:
    """A ValueError if the network to start from, of that shape, cannot be made as large as is wished."""
    for name, value in start.items():
        has_fewest = name in ("regions", "threats", "kinds") and value == DEFAULTS[name]
        can_grow = has_fewest or name == "width" and value < settings[name]
        if settings[name] != value and not can_grow:
            raise ValueError(f"{settings['start']} has --{name} {value}, not {settings[name]}")


def shape_of(settings: Mapping[str, Any]) -> Shape:
    """The shape of the network of a run; those begun by older versions have one set of weights."""
    sets = (settings.get(name, DEFAULTS[name]) for name in ("regions", "threats", "kinds"))
    return Shape(settings["width"], settings["buckets"], *sets)


def started_from(path: str) -> tuple[Weights, dict[str, Any]]:
    """The weights in the file of a network or the folder of a run, and the settings that they decide."""
    if os.path.isdir(path):
        settings = read_settings(path)
        if not settings:
            raise ValueError(f"{path} holds no run")
        weights, residual = zeros(shape_of(settings)), settings["residual"]
        weights.row[:] = read_checkpoint(os.path.join(path, BEST))["weights"]
    else:
        weights, head = read_weights(path)
        residual = head.kind == RESIDUAL
    return weights, weights.shape._asdict() | {"residual": residual}
