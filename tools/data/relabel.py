"""Relabelling: positions of old games, searched again by the present engine.

A unit of work is some hundred positions in the order of their files, and one block of the output. So the
output shows which units are missing, and the same command continues.
"""

import argparse
import os
import threading
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, BinaryIO

from bluekrait.core.timer import monotonic
from bluekrait.search.self_play.players.player import ENTRIES_MODULE, Player
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import WorkerPool, run_units
from bluekrait.tools.common.engine_identity import engine_identity, warn_of_another_engine
from bluekrait.tools.common.files.append_only import append, merge_settings, opened_to_append
from bluekrait.tools.common.files.digest import DIGITS
from bluekrait.tools.data import evaluation_choice
from bluekrait.tools.data.evaluation_choice import EvaluationChoice
from bluekrait.tools.data.formats.game_samples import EVERYTHING, TRAINING
from bluekrait.tools.data.formats.labelled_file import (
    SHUFFLED,
    contents_at,
    cut_torn_end,
    filtered_batches,
    is_game_file,
    is_shuffled,
    opened,
)
from bluekrait.tools.data.formats.sample_array import Samples, as_array, blocks_of
from bluekrait.tools.data.formats.sample_file import Contents, pack_block, pack_head
from bluekrait.uci.exits import SUCCESS
from bluekrait.uci.progress import ProgressLine, duration_text

PROGRAM = "bluekrait data relabel"
KIND = "relabelled"
UNIT_SAMPLES = 512  # at most
UNITS, RISING_PLIES = "units", "rising plies"  # in the head: how units end; earlier versions had one size


def relabel(options: argparse.Namespace) -> int:
    """Search the positions of some files that the output lacks; the exit code."""
    wanted, digest = _measured(options.files)
    with opened_to_append(options.output) as file:
        contents = contents_at(options.output)
        begun = evaluation_choice.settings_begun(contents)
        evaluation = evaluation_choice.chosen(options.evaluation, begun)
        plan = _plan(contents, begun, options, evaluation.name)
        for key, value in (("positions", wanted), ("digest", digest)):
            if plan.setdefault(key, value) != value:
                begun_with = f"the files held other positions when {options.output} was begun"
                raise ValueError(f"{begun_with}: relabel them to another file")
        cut_torn_end(options.output, contents)
        if contents.is_begun and contents.samples == wanted:
            print(f"{options.output}: {wanted} positions")
            return SUCCESS
        if contents.is_begun and begun.get(UNITS) != RISING_PLIES:
            begun_before = f"{options.output} was begun by an earlier version, and is not continued"
            raise ValueError(f"{begun_before}: name another output, or remove it")
        with open_pool(options.processes, options.cluster, ENTRIES_MODULE) as pool:
            if not contents.is_begun:  # not before: a new file that stays empty is removed
                append(file, pack_head(plan))
            _label(pool, file, contents, evaluation, options, wanted)
    return SUCCESS


def _plan(
    contents: Contents, begun: dict[str, Any], options: argparse.Namespace, evaluation: str
) -> dict[str, Any]:
    if contents.is_begun and (contents.head or {}).get("kind") != KIND:
        raise ValueError(f"{options.output} was not written by this command, and is not continued")
    files = [os.path.basename(name) for name in options.files]
    if begun.get("files", files) != files:
        raise ValueError(
            f"{options.output} was begun with {', '.join(begun['files'])}, not {', '.join(files)}"
        )
    wishes = {"nodes": options.nodes, "evaluation": evaluation}
    warn_of_another_engine(begun, options.output, PROGRAM)
    facts = {
        "kind": KIND,
        "files": files,
        SHUFFLED: any(map(is_shuffled, options.files)),
        UNITS: RISING_PLIES,
        **engine_identity(),
    }
    return merge_settings(begun, wishes, facts, options.output)


def _label(
    pool: WorkerPool,
    file: BinaryIO,
    contents: Contents,
    evaluation: EvaluationChoice,
    options: argparse.Namespace,
    wanted: int,
) -> None:
    line = ProgressLine()
    done, start = contents.samples, monotonic()
    units = (
        (options.nodes, evaluation, number, unit.tobytes())
        for number, unit in enumerate(blocks_of(_batches(options.files), UNIT_SAMPLES))
        if number not in contents.games
    )
    try:
        for samples, block in run_units(pool, label, units):
            append(file, block)
            done += samples
            pace = (done - contents.samples) / (monotonic() - start)
            left = (wanted - done) / pace
            line.show(f"{done} of {wanted} positions, {pace:.0f} a second, {duration_text(left)} left")
    finally:
        line.clear()
        print(f"{options.output}: {done} positions")


def _measured(names: Iterable[str]) -> tuple[int, str]:
    """How many positions are to be searched, and a digest of them.

    Reading them takes a small part of the time of searching.
    """
    line, total, positions = ProgressLine(), 0, sha256()
    try:
        for samples in _batches(names):
            total += len(samples)
            positions.update(samples.tobytes())
            line.show(f"{total} positions counted")
    finally:
        line.clear()
    return total, positions.hexdigest()[:DIGITS]


_here = threading.local()


def label(nodes: int, evaluation: EvaluationChoice, number: int, packed: bytes) -> tuple[int, bytes]:
    """Search a unit of positions; how many they are, and the block that holds them."""
    plan = nodes, evaluation
    if getattr(_here, "plan", None) != plan:
        network = evaluation_choice.network_of(evaluation)
        _here.plan, _here.player = plan, Player(0, nodes, network=network)
    samples = as_array(packed).copy()
    _here.player.label(samples)
    return len(samples), pack_block(number, [samples.tobytes()])


def _batches(names: Iterable[str]) -> Iterator[Samples]:
    """The positions of some files, one after the other."""
    for name in names:
        with opened(name) as data:
            yield from filtered_batches(data, TRAINING if is_game_file(data) else EVERYTHING)
