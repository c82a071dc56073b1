"""What surrounds PyTorch in training with it; none of it needs PyTorch."""

import sys
from types import SimpleNamespace
from unittest.mock import MagicMock

import chess
import numpy as np
import pytest

from bluekrait.search.evaluation.network.network_file import QA, QB
from bluekrait.tools.data.formats.samples import DRAWN, Sample
from bluekrait.tools.network import torch_device
from bluekrait.tools.network.kernels.features import MOST, rows_of
from bluekrait.tools.network.torch_device import TorchDevice
from bluekrait.tools.network.weights import FINENESS, LARGEST, over
from helpers.labelled import as_array
from helpers.network import network_reference as reference
from helpers.network.network_runs import small
from helpers.oracles import position_of
from helpers.support import lines_of


def test_without_pytorch_it_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r'this needs PyTorch: pip install "bluekrait\[network\]"'):
        TorchDevice(small(), "cpu-torch", 0.01)


def test_without_a_card_it_is_told(monkeypatch):
    torch = SimpleNamespace(cuda=SimpleNamespace(is_available=lambda: False))
    monkeypatch.setitem(sys.modules, "torch", torch)
    with pytest.raises(ValueError, match="PyTorch finds no GPU for --device cuda"):
        TorchDevice(small(), "cuda", 0.01)


@pytest.mark.parametrize(("numbers", "expected"), [(FINENESS, (QA, QB, QA * QB)), (LARGEST, (1.0, 2.0, 2.0))])
def test_each_weight_has_the_number_of_its_kind(numbers, expected):
    network = small()
    row = torch_device._by_kind(network, numbers)
    assert row.dtype == network.row.dtype and row.shape == network.row.shape
    for array, number in zip(over(row, network.shape).arrays, expected, strict=True):
        assert (array == np.float32(number)).all()
    size = sum(array.size for array in network.arrays)
    assert len(row) > size and (row[size:] == 1).all()  # it fills the cache line


@pytest.mark.parametrize(
    ("name", "has_card", "place"),
    [("cpu-torch", False, "cpu"), ("cpu-torch", True, "cpu"), ("cuda", True, "cuda")],
)
def test_tensors_lie_where_the_option_says(name, has_card, place, monkeypatch):
    torch = MagicMock()
    torch.cuda.is_available.return_value = has_card
    monkeypatch.setitem(sys.modules, "torch", torch)
    TorchDevice(small(), name, 0.01)
    assert torch.tensor.called
    assert {call.kwargs["device"] for call in torch.tensor.call_args_list} == {place}


def test_features_stand_in_rows_of_equal_length():
    network = small()
    boards = [chess.Board(line.split(" bm ")[0] + " 0 1") for line in lines_of("wac.epd")[:60]]
    samples = as_array([Sample(position_of(board).board, 0, 0, 0, 0, DRAWN) for board in boards])
    device = TorchDevice.__new__(TorchDevice)  # without PyTorch
    device._shape, device._workspace = network.shape, None
    none = rows_of(*network.shape.sets)
    for first, count in (5, 3), (40, 20), (7, 2):  # into a workspace that grows, and is used again
        found = device._features(samples[first : first + count])
        assert found.shape == (2 * count, MOST) and found.dtype == np.int64
        for place, row in enumerate(found.tolist()):
            *pieces, bias = [feature for feature in row if feature != none]
            assert bias == none - 1
            expected = reference.features(boards[first + place // 2], *network.shape.sets)[place % 2]
            assert sorted(pieces) == expected
