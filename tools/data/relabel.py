"""Relabelling: positions of old games, searched anew by the present engine.

A unit of work is some positions in the order of their files, and a block of the output. So the output tells
what is missing, and the same command goes on where it was.
"""

import os
import threading
from itertools import count

import numpy as np

from bluekrait.search.self_play.player import Player
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import PoolError, run_units
from bluekrait.tools.common.append_only import append, lock_for_writing, merge_settings
from bluekrait.tools.data import evaluation_choice
from bluekrait.tools.data.game_samples import EVERYTHING, TRAINING, load_self_play
from bluekrait.tools.data.labelled_file import is_game_file, mend, opened, sifted_batches
from bluekrait.tools.data.sample_array import LAYOUT, as_array
from bluekrait.tools.data.sample_file import pack_block, pack_head
from bluekrait.uci import __version__
from bluekrait.uci.exits import INTERRUPTED, SUCCESS, fail
from bluekrait.uci.progress import ProgressLine

PROGRAM = "bluekrait data relabel"
KIND = "relabelled"
UNIT_SAMPLES = 512


def relabel(options):
    """Search the positions of some files that the output lacks; the exit code."""
    try:
        with open(options.output, "ab") as file:
            lock_for_writing(file)
            contents = mend(options.output)
            begun = evaluation_choice.settings_begun(contents)
            evaluation = evaluation_choice.chosen(options.evaluation, begun)
            plan = _plan(contents, begun, options, evaluation.name)
            if not contents.size:
                append(file, pack_head(plan))
            load_self_play()  # so that not every process compiles it
            with open_pool(options.processes, options.cluster) as pool:
                _label(pool, file, contents, evaluation, options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except PoolError as error:
        return fail(error, error.exit_code, PROGRAM)
    return SUCCESS


def _plan(contents, begun, options, evaluation):
    if contents.size and (contents.head or {}).get("kind") != KIND:
        raise ValueError(f"{options.output} was not written by this command, and is not continued")
    wishes = {"nodes": options.nodes, "files": [os.path.basename(name) for name in options.files]}
    wishes["evaluation"] = evaluation
    return merge_settings(begun, wishes, {"kind": KIND, "bluekrait": __version__}, options.output)


def _label(pool, file, contents, evaluation, options):
    total, line = contents.samples, ProgressLine()
    units = (
        (options.nodes, evaluation, number, unit.tobytes())
        for number, unit in zip(count(), _units(options.files))
        if number not in contents.games
    )
    try:
        for samples, block in run_units(pool, label, units):
            append(file, block)
            total += samples
            line.show(f"{total} positions labelled")
    finally:
        line.clear()
        print(f"{options.output}: {total} positions")


_here = threading.local()


def label(nodes, evaluation, number, packed):
    """Search a unit of positions; how many they are, and the block that holds them."""
    plan = nodes, evaluation
    if getattr(_here, "plan", None) != plan:
        network = evaluation_choice.network_of(evaluation)
        _here.plan, _here.player = plan, Player(0, nodes, network=network)
    samples = as_array(packed).copy()
    _here.player.label(samples)
    return len(samples), pack_block(number, [samples.tobytes()])


def _units(names):
    """The positions of some files in arrays of one size, but for the last."""
    rest = np.empty(0, LAYOUT)
    for name in names:
        with opened(name) as data:
            for samples in sifted_batches(data, TRAINING if is_game_file(data) else EVERYTHING):
                rest = np.concatenate([rest, samples])
                whole = len(rest) // UNIT_SAMPLES * UNIT_SAMPLES
                yield from rest[:whole].reshape(-1, UNIT_SAMPLES)
                rest = rest[whole:]
    if len(rest):
        yield rest
