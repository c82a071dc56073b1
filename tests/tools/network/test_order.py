"""The order in which an epoch sees positions."""

from itertools import product

import numpy as np

from bluekrait.tools.network.order import BLOCK, GROUP, PositionOrder

REST = 200  # positions that fill no block, though they would fill a batch


def test_an_epoch_sees_positions_once_and_whole_blocks():
    order = PositionOrder(BLOCK * 300 + REST, 128, seed=5)
    groups = -(-order.steps // GROUP)
    seen = np.concatenate([order.group(2, number) for number in range(groups)])
    assert len(seen) == order.steps * 128 == BLOCK * 300
    assert len(np.unique(seen)) == len(seen)
    assert seen.min() >= 0 and seen.max() < BLOCK * 300 + REST
    again = PositionOrder(BLOCK * 300 + REST, 128, seed=5)
    assert np.array_equal(again.group(2, 1), order.group(2, 1))
    assert not np.array_equal(again.group(3, 1), order.group(2, 1))
    assert np.array_equal(again.group(2, 1), order.group(2, 1))  # whatever was asked for before
    first_ones = {min(order.group(epoch, number).min() for number in range(groups)) for epoch in range(5)}
    assert len(first_ones) > 1  # what is left out differs
    other = PositionOrder(BLOCK * 300 + REST, 128, seed=6)
    assert len(np.intersect1d(other.group(2, 1), order.group(2, 1))) < GROUP * 128 / 2


def test_whole_blocks_leave_nothing_out():
    order = PositionOrder(BLOCK * 4, 128, seed=5)
    assert sorted(order.group(0, 0).tolist()) == list(range(BLOCK * 4))


def test_a_group_is_shuffled_by_seed_epoch_and_number():
    """All positions are one block, so that the order of blocks leaves no choice."""
    shuffled = {
        tuple(PositionOrder(BLOCK, 1, seed).group(epoch, number) % GROUP)
        for seed, epoch, number in product(range(2), repeat=3)
    }
    assert len(shuffled) == 8 and tuple(range(GROUP)) not in shuffled
