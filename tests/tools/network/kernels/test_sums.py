"""Sums of the rows of a table."""

import numpy as np
import pytest

from bluekrait.tools.network.kernels import gradients
from bluekrait.tools.network.kernels.sums import (
    MIDDLE,
    NARROW,
    WIDE,
    add_rows_middle,
    add_rows_narrow,
    add_rows_wide,
    aligned,
)


def test_rows_are_added_up():
    rng = np.random.default_rng(1)
    table, target = aligned(50, 416), aligned(4, 416)
    table[:], target[:] = rng.normal(size=table.shape), rng.normal(size=target.shape)
    chosen_rows, expected = rng.integers(50, size=30).astype(np.uint16), target.astype(float)
    empty = np.zeros(1, np.int64)
    gradients.add_all(table, chosen_rows, empty + 7, empty + 7, target, 1)
    np.testing.assert_array_equal(target, expected.astype(np.float32))
    starts, ends = np.array([0, 5, 30, 12]), np.array([5, 30, 30, 13])
    gradients.add_all(table, chosen_rows, starts, ends, target, 4)
    for row, (start, end) in enumerate(zip(starts, ends)):
        expected[row] += table[chosen_rows[start:end]].astype(float).sum(axis=0)
    np.testing.assert_allclose(target, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("add_rows", "width"), [(add_rows_narrow, NARROW), (add_rows_middle, MIDDLE), (add_rows_wide, WIDE)]
)
def test_sums_keep_to_their_columns_without_a_compiler_too(add_rows, width):
    table, target = np.ones((3, 288), np.float32), np.zeros((2, 288), np.float32)
    add_rows(table, np.array([0, 2, 1], np.uint16), 0, 2, target, 1, 16)
    assert (target[1, 16 : 16 + width] == 2).all()
    assert target.sum() == 2 * width
