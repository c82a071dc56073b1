"""Weights in whole numbers, and what a network's file tells of its training."""

import numpy as np
import pytest

from bluekrait.search.evaluation.network import network_file
from bluekrait.search.evaluation.network.network_file import Head
from bluekrait.tools.data.formats.samples import DRAWN, Sample
from bluekrait.tools.network import weights
from bluekrait.tools.network.folder import NETWORK
from bluekrait.tools.network.numba_device import NumbaDevice
from bluekrait.tools.network.settings import DEFAULTS, head_of
from helpers.labelled import as_array
from helpers.network import network_reference as reference
from helpers.support import cases


def test_the_file_holds_the_network_in_whole_numbers(tmp_path):
    network = weights.random_weights(weights.Shape(64, 8, 4, 2, 7), seed=3)
    head = Head(64, 8, licence="GPL-3.0-or-later", data={"positions": 5}, regions=4, threats=2, kinds=7)
    path = tmp_path / NETWORK
    path.write_bytes(weights.packed(network, head))
    again, found = weights.read_weights(path)
    assert found == head
    assert np.abs(again.table - network.table).max() <= 0.5 / 127 + 1e-6
    assert np.abs(again.outputs - network.outputs).max() <= 0.5 / 128 + 1e-6
    assert weights.packed(again, head) == path.read_bytes()
    content, some = path.read_bytes(), cases()[::50]
    samples = as_array([Sample(case.position.board, 0, 0, 0, 0, DRAWN) for case in some])
    outputs = NumbaDevice(again, 2, 0.0).outputs(samples, np.zeros(len(samples), np.float32))
    for case, output in zip(some, outputs):
        whole = reference.integer_evaluation(content, case.board)
        assert whole == pytest.approx(400 * float(output), abs=0.1)


def test_a_network_of_many_files_names_some_of_them():
    about = {"bytes": 10**9, "digest": "0" * 32, "positions": 10**7, "shift": 40}
    files = [{"file": f"/{'folder/' * 20}games{number}.bkg", **about} for number in range(600)]
    settings = DEFAULTS | {"width": 32, "files": files, "judges": files[:2]}
    head = network_file.unpack(weights.packed(weights.zeros(weights.Shape(32)), head_of(settings))).head
    *named, others = head.data["files"]
    assert [source["file"] for source in named] == [f"games{number}.bkg" for number in range(32)]
    assert (others["others"], others["positions"]) == (600 - 32, (600 - 32) * 10**7)
    assert [source["file"] for source in head.data["judges"]] == ["games0.bkg", "games1.bkg"]
    files[599]["digest"] = "1" * 32
    assert head_of(settings).data["files"][-1]["digest"] != others["digest"]


def test_the_head_of_a_network_names_no_folders():
    files = [{"file": "/folder/games.bkg", "positions": 7}]
    settings = DEFAULTS | {"width": 32, "files": files, "judges": [], "start": "/folder/run/network.bknn"}
    data = head_of(settings).data
    assert (data["files"][0]["file"], data["start"]) == ("games.bkg", "network.bknn")
