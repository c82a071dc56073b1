"""The scale of the classical evaluation."""

import numpy as np

from bluekrait.tools.network.classical import fitted_scale
from bluekrait.tools.network.kernels.gradients import SHARPNESS


def test_the_classical_scale_is_found():
    scores = np.linspace(-800, 800, 999, dtype=np.float32)
    assert fitted_scale(scores, 1 / (1 + np.exp(-SHARPNESS * scores / 317))) == 317
