"""`bluekrait tune evaluation`: fits the weights of the evaluation to labelled positions.

The label of a position is a mixture of the result of its game and the score of a search. Weights are fitted
by gradient descent (Adam, on batches of positions); the error on held-out positions shows overfitting.
"""

import argparse
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TextIO

import numpy as np

from bluekrait.core.timer import monotonic
from bluekrait.search.evaluation.classical.weight_layout import DANGER, END_GAME, GROUPS, MIDDLE_GAME
from bluekrait.search.evaluation.classical.weights import WEIGHTS
from bluekrait.tools.common.command_line import add_number, file_to_write, share
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.ordinary_file import check_ordinary
from bluekrait.tools.common.files.whole_file import check_targets, check_writable
from bluekrait.tools.common.processors import usable_processors
from bluekrait.tools.data.formats.labelled_file import is_labelled, samples_of
from bluekrait.tools.data.formats.sample_array import Array, Samples, as_array
from bluekrait.tools.data.formats.sample_file import MAGIC_BYTES
from bluekrait.tools.data.formats.samples import pack_sample, sample_from_text
from bluekrait.tools.tuning.evaluation.error_log import ErrorLog, check_log
from bluekrait.tools.tuning.evaluation.gradient import add_gradient
from bluekrait.tools.tuning.evaluation.gradient_rows import gradient_rows
from bluekrait.tools.tuning.evaluation.weights_file import (
    IN_USE,
    Groups,
    centred,
    check_weights,
    write_weights,
)
from bluekrait.uci.exits import SUCCESS

PARTS = 32  # of a sum: the same on every machine, for the order of additions changes the last digits
BATCH = 1 << 14  # positions between two steps
FEWEST = 20  # positions that can be tuned with: some are held out
HELD_OUT = 0.05  # of the positions, the last ones: not learnt from
FIRST_STEP, LAST_STEP = 1.5, 0.03  # how far a weight goes at a time, in points
FLATTEST, STEEPEST, PRECISION = 0.0005, 0.02, 1e-6  # of the sigmoid's steepness, by centipawn
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-12  # of Adam: for the gradient, and for its square
FIXED = ("mating",)  # groups of terms that are not tuned: they find mates, which results do not show
PRIOR = 25  # each weight is held near its old value as if by so many positions
CURVATURE = 1.5e-6  # of the error of a position, by one weight

PROGRAM = "bluekrait tune evaluation"
EXAMPLES = """\
examples:
  bluekrait tune evaluation positions.bkg
  bluekrait tune evaluation one.bkg two.bkg --result 0.5 --epochs 40
  bluekrait tune evaluation positions.bkg --dry-run      # only print the errors
  bluekrait tune evaluation positions.bkg -o weights.py  # leave the engine as it is
  bluekrait tune evaluation positions.bkg --log run.log  # to be followed by: bluekrait play --live run.log

Files are what bluekrait datagen writes, or lines of text: FEN; result for White (1, 0.5, 0); score for White.
They should not be shuffled: the held-out positions must come from other games.
"""


def add_to(modes: "argparse._SubParsersAction[Any]") -> None:
    """Describe this mode of `bluekrait tune`."""
    parser = modes.add_parser(
        "evaluation",
        help="fit the weights of the evaluation to labelled positions",
        description="Fit the weights of the evaluation to labelled positions, and write them where the "
        "engine reads them (search/evaluation/classical/weights.py).",
        epilog=EXAMPLES,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="labelled positions")
    explanation = "share of the game's result in the label, the rest is the search's score (0.3)"
    parser.add_argument("--result", type=share, metavar="SHARE", default=0.3, help=explanation)
    add_number(parser, "--epochs", 30, "passes over all positions")
    elsewhere = "where to write the weights, if not in place of those that the engine uses"
    parser.add_argument("-o", "--output", type=file_to_write, metavar="FILE", default=IN_USE, help=elsewhere)
    log = "also write the errors there, for bluekrait play --live"
    parser.add_argument("--log", type=file_to_write, metavar="FILE", help=log)
    parser.add_argument("--dry-run", action="store_true", help="do not write the weights")
    parser.set_defaults(run=run)


@with_errors_reported(PROGRAM)
def run(options: argparse.Namespace) -> int:
    """Tune and write the weights; the exit code."""
    output = None if options.dry_run else options.output
    check_outputs(options.files, output, options.log)
    samples = load_samples(options.files)
    if len(samples) < FEWEST:
        raise ValueError(f"{len(samples)} positions are too few")
    settings = {"epochs": options.epochs, "positions": len(samples), "result": options.result}
    log = ErrorLog(options.log, settings) if options.log else None
    tuner = Tuner(samples, options.result)
    tuner.run(options.epochs, log)
    if output:
        write_weights(centred(as_groups(tuner.weights)), output)
    return SUCCESS


def check_outputs(files: Iterable[str], output: str | None, log: str | None) -> None:
    """ValueError if what is to be written cannot be, or would replace what is read or another file."""
    check_writable([output, log])
    for name in files:
        check_targets(name, output, log)
    if output:
        check_weights(output)
    if log:
        check_log(log)


def load_samples(names: Iterable[str]) -> Samples:
    """All samples of some files, as one array."""
    return np.concatenate([_samples_of_any(name) for name in names])


def _samples_of_any(name: str) -> Samples:
    """The samples of a file, labelled positions or lines of text."""
    check_ordinary(name)
    with open(name, "rb") as file:
        beginning = file.read(MAGIC_BYTES)
    if is_labelled(beginning):
        return samples_of(name)
    try:
        with open(name, encoding="utf-8") as file:
            return as_array(b"".join(_packed_lines(file)))
    except UnicodeDecodeError:
        raise ValueError(f"{name} is neither labelled positions nor text") from None


def _packed_lines(file: TextIO) -> Iterator[bytes]:
    """The samples in the lines of a text; a ValueError says which line is none."""
    for number, line in enumerate(file, 1):
        if line.strip():
            try:
                yield pack_sample(sample_from_text(line))
            except ValueError as error:
                raise ValueError(f"{file.name}, line {number}: {error}") from None


class Tuner:
    """The weights during tuning."""

    def __init__(self, samples: Samples, result_share: float) -> None:
        say(f"{len(samples)} positions; counting what the evaluation adds up")
        self._objective = Objective(samples, result_share)
        self.weights = np.array([MIDDLE_GAME, END_GAME], float)
        self._start = self.weights.copy()
        self._is_tuned = np.array([group not in FIXED for group in GROUPS])
        self._adam = Adam(self.weights.shape)
        split = int(len(samples) * (1 - HELD_OUT))
        self._seen, self._held_out = np.arange(split), np.arange(split, len(samples))

    def run(self, epochs: int, log: ErrorLog | None = None) -> None:
        """Make passes over all positions, with decreasing step sizes."""
        rng, batches = np.random.default_rng(1), -(-len(self._seen) // BATCH)
        say(f"held-out error before: {self.held_out_error():.6f}")
        start = monotonic()
        for epoch in range(epochs):
            error = 0.0
            order = rng.permutation(self._seen)
            for batch in range(batches):
                done = (epoch + batch / batches) / epochs
                length = LAST_STEP + (FIRST_STEP - LAST_STEP) * (1 + np.cos(np.pi * done)) / 2
                error += self._step(order[batch * BATCH : (batch + 1) * BATCH], length)
            mean, held_out, seconds = error / len(self._seen), self.held_out_error(), monotonic() - start
            say(
                f"epoch {epoch + 1:3} of {epochs}: error {mean:.6f}, held out {held_out:.6f}, {seconds:.0f} s"
            )
            if log:
                log.add(epoch + 1, mean, held_out, seconds)

    def _step(self, batch: Array, length: float) -> float:
        """One step of the weights; the summed error before it."""
        error, gradient = self._objective.error_and_gradient(self.weights, batch)
        pull = PRIOR * CURVATURE * len(batch) / len(self._seen)
        gradient += pull * (self.weights - self._start)
        self.weights -= length * self._adam.direction(gradient) * self._is_tuned
        return error

    def held_out_error(self) -> float:
        """The mean error over positions that are not learnt from."""
        error, _ = self._objective.error_and_gradient(self.weights, self._held_out)
        return error / max(1, len(self._held_out))


class Objective:
    """The error over labelled positions and its gradient, as functions of the weights."""

    def __init__(self, samples: Samples, result_share: float) -> None:
        results, scores = samples["result"] / 2, samples["score"].astype(float)
        self._steepness = fitted_steepness(scores, results)
        expected = expectation(self._steepness, scores)
        self._labels = result_share * results + (1 - result_share) * expected
        self._rows = gradient_rows(samples)
        self._pool = ThreadPoolExecutor(len(usable_processors()))
        add_gradient.prepare()  # before several threads want it

    def error_and_gradient(self, weights: Array, places: Array) -> tuple[float, Array]:
        """The summed error over some of the positions, and its gradient; all cores at work."""
        parts = np.array_split(places, PARTS)
        gradients = [np.zeros_like(weights) for _ in parts]
        errors = self._pool.map(lambda part, gradient: self._add(weights, part, gradient), parts, gradients)
        return sum(errors), sum(gradients, np.zeros_like(weights))

    def _add(self, weights: Array, places: Array, gradient: Array) -> float:
        error: float = add_gradient(weights, gradient, places, self._labels, self._steepness, *self._rows)
        return error


class Adam:
    """The Adam optimizer: gradients divided by the root of their mean square."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._mean, self._mean_square = np.zeros(shape), np.zeros(shape)
        self._steps = 0

    def direction(self, gradient: Array) -> Array:
        """The direction of the next step, after another gradient."""
        self._steps += 1
        self._mean += (1 - BETA1) * (gradient - self._mean)
        self._mean_square += (1 - BETA2) * (gradient * gradient - self._mean_square)
        mean = self._mean / (1 - BETA1**self._steps)
        return mean / (np.sqrt(self._mean_square / (1 - BETA2**self._steps)) + EPSILON)


def fitted_steepness(scores: Array, results: Array) -> float:
    """The steepness of the sigmoid that predicts results from scores best."""
    low, high = FLATTEST, STEEPEST
    while high - low > PRECISION:
        third = (high - low) / 3
        errors = [np.square(expectation(x, scores) - results).mean() for x in (low + third, high - third)]
        low, high = (low, high - third) if errors[0] < errors[1] else (low + third, high)
    return (low + high) / 2


def expectation(steepness: float, scores: Array) -> Array:
    """The expected results of scores: 0 a loss, 1 a win."""
    return 1 / (1 + np.exp(-steepness * scores))


def as_groups(weights: Array) -> Groups:
    """Whole numbers by group and term, as they are written."""
    named: Any = WEIGHTS
    pairs = iter(zip(*weights.round().astype(int).tolist()))
    groups: dict[str, dict[str, list[Any]]] = {}
    for group, terms in named.items():
        groups[group] = {}
        for term, rows in terms.items():
            new = [next(pairs) for _ in rows]
            groups[group][term] = [pair[0] for pair in new] if group == DANGER else new
    return groups


def say(text: str) -> None:
    """Print progress."""
    print(text, flush=True)
