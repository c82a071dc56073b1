"""A run: batches, reports, checkpoints. It goes on exactly as if it had never been interrupted."""

import signal
from contextlib import contextmanager

import numpy as np

from bluekrait.tools.network.folder import BEST, LAST
from bluekrait.tools.network.kernels.adam import rate_at
from bluekrait.tools.network.order import GROUP, Order
from bluekrait.tools.network.parallel_slopes import Processors
from bluekrait.tools.network.settings import NUMBA, first_weights, head_of
from bluekrait.tools.network.weights import packed, zeros


class Trainer:
    """A network that learns from positions, and its folder."""

    def __init__(self, folder, settings, lesson):
        self._folder, self._settings, self._lesson = folder, settings, lesson
        self._order = Order(len(lesson.training), settings["batch"], settings["seed"])
        self._batches = _Batches(self._order, lesson)
        self.steps = settings["steps"]
        checkpoint = folder.last()
        shape = settings["width"], settings["buckets"]
        self.device = _device(settings, zeros(*shape) if checkpoint else first_weights(settings))
        self.done, self._error, self._positions, self._best = 0, 0.0, 0, float("inf")
        if checkpoint:
            self._go_on_from(checkpoint, folder.place(LAST))
        self.reports = folder.reports(self.done)
        if not checkpoint:
            self._save()

    def run(self, view):
        """Make the steps that are missing; False if it was interrupted."""
        with _interruptible() as interrupt:
            while self.done < self.steps and not interrupt.is_wanted:
                self._step(view)
        if interrupt.is_wanted:
            self._save()
        return not interrupt.is_wanted

    def best_losses(self):
        """How far the best network is from the labels of held-out positions."""
        return min((report["held_out"] for report in self.reports), key=lambda losses: losses["target"])

    # --- steps ------------------------------------------------------------------------------------

    def _step(self, view):
        samples, bases = self._batches.batch(self.done)
        self._error += self.device.step(self.done, self.rate, self._result_share, samples, bases)
        self._positions += len(samples)
        self.done += 1
        view.update(self, len(samples))
        if self.done % self._settings["every"] == 0 or self.done == self.steps:
            self._report(view)

    @property
    def rate(self):
        """The learning rate of the next step."""
        return rate_at(self.done, self.steps, self._settings["rate"], self._settings["last-rate"])

    @property
    def _result_share(self):
        first, last = self._settings["result-share"]
        return first + (last - first) * self.done / self.steps

    @property
    def error(self):
        """The mean error of the positions since the last report."""
        return self._error / max(1, self._positions)

    # --- reports ----------------------------------------------------------------------------------

    def _report(self, view):
        losses = self._lesson.labels.losses(
            self.device.outputs(self._lesson.held_out, self._lesson.held_out_bases)
        )
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

    def _save(self):
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

    def _go_on_from(self, checkpoint, path):
        try:
            self.device.restore(*(checkpoint[name] for name in ("weights", "means", "squares")))
            self.done, self._positions = int(checkpoint["step"]), int(checkpoint["positions"])
            self._error, self._best = float(checkpoint["error"]), float(checkpoint["best"])
        except (KeyError, ValueError):
            raise ValueError(f"{path} is a checkpoint of something else") from None


class _Batches:
    """The batches of a lesson; those of a group lie in memory of their own."""

    def __init__(self, order, lesson):
        self._order, self._lesson = order, lesson
        self._group, self._samples, self._bases = None, None, None

    def batch(self, step):
        """The samples of a step, and what the network's output is added to."""
        epoch, within = divmod(step, self._order.steps)
        group, place = divmod(within, GROUP)
        if self._group != (epoch, group):
            self._load(epoch, group)
        part = slice(place * self._order.batch, (place + 1) * self._order.batch)
        return self._samples[part], self._bases[part]

    def _load(self, epoch, group):
        places, bases = self._order.group(epoch, group), self._lesson.training_bases
        self._group, self._samples = (epoch, group), self._lesson.training[places]
        self._bases = np.zeros(len(places), np.float32) if bases is None else bases[places]


class _Interrupt:
    is_wanted = False


@contextmanager
def _interruptible():
    """Ctrl-C ends the work after the step it comes in; a second one at once."""
    interrupt = _Interrupt()

    def note(number, frame):
        interrupt.is_wanted = True
        signal.signal(number, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)


def _device(settings, weights):
    """What calculates."""
    if settings["device"] == NUMBA:
        return Processors(weights, settings["parts"], settings["decay"])
    from bluekrait.tools.network.torch_device import TorchDevice

    return TorchDevice(weights, settings["device"], settings["decay"])
