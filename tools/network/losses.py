"""The losses of evaluations over held-out positions, in all and by phase of the game."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bluekrait.search.evaluation.network.network_file import SCALE
from bluekrait.tools.data.formats.sample_array import Array, Samples, pieces_on
from bluekrait.tools.network.kernels.gradients import SHARPNESS, bucket_of

KINDS = {"target": "label", "result": "result", "score": "score"}  # of losses: field, and how it is called
PHASES = 8  # as many as a network may have outputs


class Losses(NamedTuple):
    """Mean squared errors: of the mixed label, the result alone, the score alone; of the label by phase."""

    target: float
    result: float
    score: float
    phases: list[float | None]  # few pieces first; None where there are no positions


class Labels:
    """The labels of held-out positions."""

    def __init__(self, samples: Samples, result_share: float) -> None:
        self.results = samples["result"] / np.float32(2)
        self.scores = expectations(samples["score"] / np.float32(SCALE))
        self.targets = targets_of(samples, result_share)
        self.phases = bucket_of(pieces_on(samples), PHASES)

    def losses(self, outputs: Array) -> Losses:
        """The losses of the outputs of an evaluation."""
        expected = expectations(outputs)
        errors = np.square(expected - self.targets)
        counts = np.bincount(self.phases, minlength=PHASES)
        sums = np.bincount(self.phases, errors, minlength=PHASES)
        return Losses(
            float(errors.mean()),
            float(np.square(expected - self.results).mean()),
            float(np.square(expected - self.scores).mean()),
            [float(total / count) if count else None for total, count in zip(sums, counts)],
        )


def targets_of(samples: Samples, result_share: float | np.float32) -> Array:
    """The mixed labels."""
    results, scores = samples["result"] / np.float32(2), samples["score"] / np.float32(SCALE)
    return result_share * results + (1 - result_share) * expectations(scores)


def expectations(outputs: Array) -> Array:
    """The expected results of outputs: a sigmoid, in a form that never overflows."""
    return (1 + np.tanh(np.float32(SHARPNESS / 2) * outputs)) / 2


def pieces_of(phase: int) -> tuple[int, int]:
    """The fewest and the most pieces of a phase."""
    counts = [count for count in range(2, 33) if bucket_of(count, PHASES) == phase]
    return counts[0], counts[-1]


def table(rows: Iterable[tuple[str, Losses]]) -> Iterator[str]:
    """Lines that compare evaluations: pairs of a name and its losses, each beside the first."""
    names, all_losses = zip(*rows)
    yield f"{'held out':20}" + "".join(f"{name:>22}" for name in names)
    for field, name in KINDS.items():
        yield _line(name, [getattr(losses, field) for losses in all_losses])
    for phase in range(PHASES):
        values = [losses.phases[phase] for losses in all_losses]
        if None not in values:
            yield _line("label, {}-{} pieces".format(*pieces_of(phase)), values)


def _line(name: str, values: Sequence[float]) -> str:
    first = values[0]
    cells = (f"{value:.5f} {f'({value / first:.3f})' if first else '':>8}" for value in values)
    return f"{name:20}" + "".join(f"{cell:>22}" for cell in cells).rstrip()
