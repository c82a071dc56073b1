"""A training run: batches, reports, checkpoints.

An interrupted run continues with the same steps. On the device `numba` its results are identical to those of
an uninterrupted one; PyTorch does not add up in the same order each time.
"""

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, Protocol

import numpy as np

from bluekrait.tools.data.formats.sample_array import LAYOUT, Array, Samples
from bluekrait.tools.network.folder import BEST, LAST, RunFolder
from bluekrait.tools.network.kernels.adam import rate_at
from bluekrait.tools.network.numba_device import NumbaDevice
from bluekrait.tools.network.order import GROUP, PositionOrder
from bluekrait.tools.network.settings import NUMBA, TrainingData, first_weights, head_of, shape_of
from bluekrait.tools.network.view import TrainingView
from bluekrait.tools.network.weights import Weights, packed, zeros
from bluekrait.uci.programs.interrupts import handlers_replaced


class Device(Protocol):
    """Holds a network and computes its steps: `NumbaDevice` or `TorchDevice`."""

    @property
    def weights(self) -> Weights:
        """The weights, not rounded."""

    @property
    def rounded(self) -> Weights:
        """The weights as the engine will have them."""

    @property
    def means(self) -> Array:
        """The mean gradients."""

    @property
    def squares(self) -> Array:
        """The mean squares of gradients."""

    def restore(self, weights: Array, means: Array, squares: Array) -> None:
        """Continue with the numbers of a checkpoint."""

    def step(self, step: int, rate: float, result_share: float, samples: Samples, bases: Array) -> float:
        """Learn from a batch; the summed squared error before."""

    def outputs(self, samples: Samples, bases: Array) -> Array:
        """The outputs of the network for positions."""


class Trainer:
    """A network in training, and its folder."""

    def __init__(self, folder: RunFolder, settings: Mapping[str, Any], data: TrainingData) -> None:
        self._folder, self._settings, self._data = folder, settings, data
        self._order = PositionOrder(len(data.training), settings["batch"], settings["seed"])
        self._batches = _Batches(self._order, data)
        self.steps = settings["steps"]
        checkpoint = folder.last()
        self.device = _device(settings, zeros(shape_of(settings)) if checkpoint else first_weights(settings))
        self.done, self._error, self._positions, self._best = 0, 0.0, 0, float("inf")
        if checkpoint:
            self._go_on_from(checkpoint, folder.place(LAST))
        self.reports = folder.reports(self.done)
        if not checkpoint:
            self._save()

    def run(self, view: TrainingView) -> bool:
        """Make the missing steps; False if interrupted."""
        with _interruptible() as interrupt:
            while self.done < self.steps and not interrupt.is_wanted:
                self._step(view)
            if interrupt.is_wanted:
                self._save()
        return not interrupt.is_wanted

    # --- steps ------------------------------------------------------------------------------------

    def _step(self, view: TrainingView) -> None:
        samples, bases = self._batches.batch(self.done)
        self._error += self.device.step(self.done, self.rate, self._result_share, samples, bases)
        self._positions += len(samples)
        self.done += 1
        view.update(self, len(samples))
        if self.done % self._settings["every"] == 0 or self.done == self.steps:
            self._report(view)

    @property
    def rate(self) -> float:
        """The learning rate of the next step."""
        return rate_at(self.done, self.steps, self._settings["rate"], self._settings["last-rate"])

    @property
    def _result_share(self) -> float:
        first, last = self._settings["result-share"]
        return float(first + (last - first) * self.done / self.steps)

    @property
    def error(self) -> float:
        """The mean error of the positions since the last report."""
        return self._error / max(1, self._positions)

    # --- reports ----------------------------------------------------------------------------------

    def _report(self, view: TrainingView) -> None:
        losses = self._data.labels.losses(self.device.outputs(self._data.held_out, self._data.held_out_bases))
        self.reports.append(
            {
                "step": self.done,
                "positions": self.done * self._settings["batch"],
                "epoch": round(self.done / self._order.steps, 3),
                "rate": self.rate,
                "loss": self.error,
                "held_out": losses._asdict(),
                "speed": round(view.speed),
            }
        )
        self._folder.report(self.reports[-1])
        self._error, self._positions = 0.0, 0
        if losses.target < self._best:
            self._best = losses.target
            self._folder.save(BEST, {"weights": self.device.weights.row})
            self._folder.save_network(packed(self.device.rounded, head_of(self._settings)))
        self._save()
        view.report(self)

    def _save(self) -> None:
        self._folder.save(
            LAST,
            {
                "weights": self.device.weights.row,
                "means": self.device.means,
                "squares": self.device.squares,
                "step": self.done,
                "error": self._error,
                "positions": self._positions,
                "best": self._best,
            },
        )

    def _go_on_from(self, checkpoint: Mapping[str, Array], path: str) -> None:
        try:
            numbers = [checkpoint[name] for name in ("weights", "means", "squares")]
            if any(array.shape != self.device.weights.row.shape for array in numbers):
                raise ValueError
            self.device.restore(*numbers)
            self.done, self._positions = int(checkpoint["step"]), int(checkpoint["positions"])
            self._error, self._best = float(checkpoint["error"]), float(checkpoint["best"])
        except (KeyError, ValueError):
            raise ValueError(f"{path} is a checkpoint of something else") from None


class _Batches:
    """The batches of the training data; those of the present group are copied into one array."""

    def __init__(self, order: PositionOrder, data: TrainingData) -> None:
        self._order, self._data = order, data
        self._group = (-1, -1)  # epoch and number of the group in memory: none yet
        self._samples: Samples = np.empty(0, LAYOUT)
        self._bases: Array = np.empty(0, np.float32)

    def batch(self, step: int) -> tuple[Samples, Array]:
        """The samples of a step, and the scores that the output is added to."""
        epoch, within = divmod(step, self._order.steps)
        group, place = divmod(within, GROUP)
        if self._group != (epoch, group):
            self._load(epoch, group)
        part = slice(place * self._order.batch, (place + 1) * self._order.batch)
        return self._samples[part], self._bases[part]

    def _load(self, epoch: int, group: int) -> None:
        places, bases = self._order.group(epoch, group), self._data.training_bases
        self._group, self._samples = (epoch, group), self._data.training.take(places)
        self._bases = np.zeros(len(places), np.float32) if bases is None else bases[places]


class _Interrupt:
    is_wanted = False


@contextmanager
def _interruptible() -> Iterator[_Interrupt]:
    """Ctrl-C or SIGTERM ends the work after the present step; a second one immediately."""
    interrupt = _Interrupt()

    def note(handler: Any, number: int, frame: FrameType | None) -> None:
        interrupt.is_wanted = True
        signal.signal(number, handler)

    with handlers_replaced((signal.SIGINT, signal.SIGTERM), note):
        yield interrupt


def check_device(name: str) -> None:
    """ValueError if networks cannot be trained on the device with this name here."""
    if name != NUMBA:
        from bluekrait.tools.network.torch_device import torch_for

        torch_for(name)


def _device(settings: Mapping[str, Any], weights: Weights) -> Device:
    """The device that the settings name."""
    learning = settings["decay"], settings["most-error"]
    if settings["device"] == NUMBA:
        return NumbaDevice(weights, settings["parts"], *learning)
    from bluekrait.tools.network.torch_device import TorchDevice

    return TorchDevice(weights, settings["device"], *learning)
