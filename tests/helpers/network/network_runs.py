"""Runs of the trainer for tests: positions that are easy to learn, and a network that is quick to train."""

from functools import cache

import numpy as np

from bluekrait.tools.data.formats.sample_file import pack_block, pack_head
from bluekrait.tools.data.formats.samples import DRAWN, LOST, WON, Sample, pack_sample
from bluekrait.tools.network import weights
from bluekrait.tools.network.folder import RunFolder
from bluekrait.tools.network.settings import chosen, prepare
from bluekrait.tools.network.trainer import Trainer
from helpers.support import cases

VALUES = {"p": 60, "n": 180, "b": 200, "r": 300, "q": 550, "k": 0}
LONGEST = 20  # positions of a game in the files made here


@cache
def material_samples():
    """Positions of every kind; score and result are what the material says."""
    samples = []
    for number, case in enumerate(cases()):
        score = sum(
            VALUES[piece.symbol().lower()] * (1 if piece.color == case.board.turn else -1)
            for piece in case.board.piece_map().values()
        )
        result = WON if score > 200 else LOST if score < -200 else DRAWN
        samples.append(Sample(case.position.board, score, 16 + number % 99, 0, 0, result))
    return samples


def write_positions(path, samples=None):
    """A file of games of some positions each."""
    packed = [pack_sample(sample) for sample in samples or material_samples()]
    order = np.random.default_rng(1).permutation(len(packed))
    with open(path, "wb") as file:
        file.write(pack_head({"kind": "test"}))
        for game, start in enumerate(range(0, len(packed), LONGEST)):
            file.write(pack_block(game, [packed[place] for place in order[start : start + LONGEST]]))
    return str(path)


def small(width=32, buckets=8, regions=4, threats=2, kinds=7):
    """A network whose hidden values lie on both sides of both their bounds."""
    network, rng = (
        weights.random_weights(weights.Shape(width, buckets, regions, threats, kinds), seed=3),
        np.random.default_rng(4),
    )
    network.table[:-1] += rng.normal(scale=0.02, size=(len(network.table) - 1, width))  # sets differ
    network.table[:] *= 3
    network.output_biases[:] = rng.normal(size=buckets)
    return weights.rounded_copy(network)


class Watcher:
    """Stands for the view; does something after so many steps."""

    speed = 0.0

    def __init__(self, steps=None, act=None):
        self._steps, self._act = steps, act

    def update(self, trainer, positions):
        if trainer.done == self._steps:
            self._act()

    def report(self, trainer):
        pass


def train(path, files, watcher, **wishes):
    """Train as the command does; True if to the end."""
    defaults = {"width": 32, "batch": 256, "epochs": 3, "every": 7, "result-share": [0.2, 0.4]} | wishes
    with RunFolder(path) as folder:
        settings = chosen(folder, files, {"start": None} | defaults)
        settings, data = prepare(settings, files)
        if not folder.settings():
            folder.begin(settings)
        return Trainer(folder, settings, data).run(watcher)
