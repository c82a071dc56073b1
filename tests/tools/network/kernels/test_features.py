"""The features of both sides, and in which rows each of them stands."""

import pytest

from bluekrait.tools.data.formats.samples import DRAWN, Sample
from bluekrait.tools.network.kernels import gradients
from bluekrait.tools.network.kernels.features import MOST, rows_of
from helpers.labelled import as_array
from helpers.network import network_reference as reference
from helpers.network.network_runs import material_samples
from helpers.support import cases


@pytest.mark.parametrize("sets", [(1, 1, 6), (4, 1, 6), (1, 2, 6), (4, 2, 6), (1, 1, 7), (4, 2, 7)])
def test_features_are_what_each_side_sees(sets):
    workspace, (regions, threats, kinds) = gradients.new_workspace(32, *sets), sets
    some = cases()[::7]
    samples = as_array([Sample(case.position.board, 0, 0, 0, 0, DRAWN) for case in some])
    for start in range(0, len(samples), gradients.CHUNK):
        count = min(gradients.CHUNK, len(samples) - start)
        gradients.find_features(samples, start, count, workspace)
        for row in range(2 * count):
            found = workspace.features[workspace.feature_starts[row] : workspace.feature_ends[row]].tolist()
            expected = reference.features(some[start + row // 2].board, *sets)[row % 2]
            assert found.pop() == regions * threats * 2 * kinds * 64
            assert sorted(found) == expected


def test_members_are_the_features_the_other_way_round():
    workspace = gradients.new_workspace(32, 4, 2, 7)
    samples = as_array(material_samples()[: gradients.CHUNK])
    gradients.find_features(samples, 0, gradients.CHUNK, workspace)
    gradients.find_members(workspace, 2 * gradients.CHUNK)
    pairs = set()
    for feature in range(rows_of(4, 2, 7)):
        members = workspace.members[
            workspace.member_starts[feature] : workspace.member_ends[feature]
        ].tolist()
        assert members == sorted(members)
        pairs |= {(row, feature) for row in members}
    expected = {
        (row, int(feature))
        for row in range(2 * gradients.CHUNK)
        for feature in workspace.features[row * MOST : workspace.feature_ends[row]]
    }
    assert pairs == expected
