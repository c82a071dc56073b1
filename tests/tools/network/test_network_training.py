"""The trainer of the network: what it sees, its gradients, its steps, its folder, and that it learns."""

import json
import os
import shutil
import signal
from itertools import chain, repeat

import numpy as np
import pytest

from bluekrait.search.evaluation.network import network_file
from bluekrait.search.evaluation.network.network_file import Head
from bluekrait.tools.common.errors import end_when_terminated
from bluekrait.tools.data import data_command
from bluekrait.tools.data.formats.labelled_file import opened, read_blocks, samples_of
from bluekrait.tools.data.formats.look_ahead import RESULT_SCALE
from bluekrait.tools.data.formats.sample_array import LAYOUT
from bluekrait.tools.data.formats.sample_file import pack_block
from bluekrait.tools.data.formats.samples import DRAWN, LOST, WON, Sample, pack_sample, unpack_sample
from bluekrait.tools.network import position_file, positions, weights
from bluekrait.tools.network.classical import fitted_scale
from bluekrait.tools.network.folder import (
    BEST,
    LAST,
    LOG,
    NETWORK,
    SETTINGS,
    RunFolder,
    read_checkpoint,
    read_reports,
)
from bluekrait.tools.network.kernels import gradients
from bluekrait.tools.network.kernels.adam import (
    AT_ONCE,
    BETA1,
    BETA2,
    EPSILON,
    move_weights,
    rate_at,
    step_constants,
)
from bluekrait.tools.network.kernels.features import MOST, rows_of
from bluekrait.tools.network.kernels.gradients import SHARPNESS
from bluekrait.tools.network.kernels.sums import (
    MIDDLE,
    NARROW,
    WIDE,
    add_rows_middle,
    add_rows_narrow,
    add_rows_wide,
    aligned,
)
from bluekrait.tools.network.losses import PHASES, Labels, Losses, table
from bluekrait.tools.network.numba_device import NumbaDevice
from bluekrait.tools.network.order import BLOCK, GROUP, PositionOrder
from bluekrait.tools.network.settings import DEFAULTS, chosen, head_of
from bluekrait.tools.tuning import tune_command
from helpers.labelled import as_array
from helpers.machines import CLOSED_TERMINAL
from helpers.network import network_reference as reference
from helpers.network.network_runs import LONGEST, Watcher, material_samples, small, train, write_positions
from helpers.support import cases


@pytest.fixture(scope="module")
def positions_file(tmp_path_factory):
    return write_positions(tmp_path_factory.mktemp("positions") / "material.bks")


# --- features and sums ----------------------------------------------------------------------------


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


# --- outputs and gradients ---------------------------------------------------------------------------


def test_outputs_are_those_of_the_plain_network():
    network, some = small(), cases()[::40]
    samples = as_array([Sample(case.position.board, 0, 0, 0, 0, DRAWN) for case in some])
    bases = np.linspace(-1, 1, len(samples), dtype=np.float32)
    found = NumbaDevice(network, 3, 0.0).outputs(samples, bases)
    expected = [
        reference.output(case.board, *map(np.float64, network.arrays), network.shape.sets) for case in some
    ]
    np.testing.assert_allclose(found, expected + bases, atol=2e-5)


@pytest.mark.parametrize("most_error", [1.0, 0.1])
def test_gradients_are_those_of_the_loss(most_error):
    network, some = small(), cases()[::60]
    rng = np.random.default_rng(5)
    network.row[:] += rng.normal(scale=1e-3, size=network.row.shape)  # no hidden value is exactly 0 or 1
    samples = as_array(
        [
            Sample(case.position.board, int(rng.integers(-900, 900)), 0, 0, 0, int(rng.integers(3)))
            for case in some
        ]
    )
    bases = rng.normal(size=len(samples)).astype(np.float32)
    found, workspace = weights.zeros(network.shape), gradients.new_workspace(32, 4, 2, 7)
    error = gradients.add_gradients(
        samples, bases, 0, len(samples), 0.3, most_error, *network.arrays, *found.arrays, workspace
    )

    def errors_at(row):
        """The errors in double precision, by the plain network."""
        arrays = weights.over(row, network.shape).arrays
        outputs = bases + np.array(
            [reference.output(case.board, *arrays, network.shape.sets) for case in some]
        )
        labels = 0.3 * samples["result"] / 2 + 0.7 / (1 + np.exp(-samples["score"] / RESULT_SCALE))
        return np.abs(1 / (1 + np.exp(-SHARPNESS * outputs)) - labels)

    def loss_at(row):
        """The Huber loss: from some error on, a line continues the square."""
        errors = errors_at(row)
        return np.where(errors < most_error, errors**2, most_error * (2 * errors - most_error)).sum()

    row = network.row.astype(float)
    assert error == pytest.approx(np.square(errors_at(row)).sum(), rel=1e-4)
    for _ in range(10):
        direction = rng.normal(size=row.shape)
        ahead, behind = (loss_at(row + step * direction) for step in (1e-6, -1e-6))
        assert found.row @ direction == pytest.approx((ahead - behind) / 2e-6, rel=2e-3, abs=2e-3)


@pytest.mark.parametrize("bounds", [(AT_ONCE + 100, 2 * AT_ONCE + 7), (3 * AT_ONCE, 3 * AT_ONCE), (0, 50)])
def test_steps_are_those_of_adamw(bounds):
    size, parts, step, rate, decay, batch = 3 * AT_ONCE, 3, 4, 0.01, 0.1, 8
    rng = np.random.default_rng(9)
    row, gradients = rng.normal(size=size).astype(np.float32), rng.normal(size=(parts, size))
    means, squares = rng.normal(size=size).astype(np.float32), rng.random(size).astype(np.float32)
    gradient = gradients.sum(axis=0) / batch
    mean, square = BETA1 * means + (1 - BETA1) * gradient, BETA2 * squares + (1 - BETA2) * gradient**2
    move = mean / (1 - BETA1 ** (step + 1)) / (np.sqrt(square / (1 - BETA2 ** (step + 1))) + EPSILON)
    fineness, largest = (by_kind(numbers, size, bounds) for numbers in (weights.FINENESS, weights.LARGEST))
    expected = np.clip(row * (1 - rate * decay) - rate * move, -largest, largest)
    gradients, rounded = gradients.astype(np.float32), np.zeros(size, np.float32)
    constants = 1 / batch, *step_constants(step, rate, decay)
    kinds = (*bounds, size), weights.FINENESS, weights.LARGEST
    for first, end in (0, AT_ONCE + 60), (AT_ONCE + 60, size):
        move_weights(row, rounded, gradients, means, squares, *kinds, first, end, *constants)
    np.testing.assert_allclose(row, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(means, mean, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(squares, square, rtol=1e-4, atol=1e-5)
    assert not gradients.any()
    np.testing.assert_array_equal(rounded, np.floor(row * fineness + np.float32(0.5)) / fineness)


def by_kind(numbers, size, bounds):
    """A number for each weight of a row: features first, outputs between the bounds, then their biases."""
    result = np.full(size, numbers[2], np.float32)
    result[: bounds[1]], result[: bounds[0]] = numbers[1], numbers[0]
    return result


def test_parts_make_no_difference_but_rounding():
    samples, bases = as_array(material_samples()), np.zeros(len(material_samples()), np.float32)
    found = []
    for parts in 1, 3:
        network = small()
        device = NumbaDevice(network, parts, 0.01)
        for step in range(3):
            device.step(step, 1e-3, 0.5, samples, bases)
        found.append(network.row)
    np.testing.assert_allclose(*found, atol=3e-4)
    assert not np.array_equal(found[0], small().row)


def test_weights_stay_small_enough_for_whole_numbers():
    network = small()
    device = NumbaDevice(network, 2, 0.0)
    samples = as_array(material_samples()[:200])
    for step in range(5):
        device.step(step, 5.0, 0.0, samples, np.zeros(200, np.float32))
    assert [np.abs(array).max() for array in network.arrays] == list(weights.LARGEST)


def test_what_is_rounded_after_a_step_is_what_a_file_holds():
    device = NumbaDevice(small(), 2, 0.01)
    samples = as_array(material_samples()[:200])
    for step in range(5):
        device.step(step, 1e-2, 0.0, samples, np.zeros(200, np.float32))
    expected = weights.from_network(
        weights.quantised(device.weights, Head(32, 8, regions=4, threats=2, kinds=7))
    )
    np.testing.assert_array_equal(device.rounded.row, weights.rounded_copy(device.weights).row)
    np.testing.assert_allclose(device.rounded.row, expected.row, atol=1e-6)
    assert not np.allclose(device.rounded.row, device.weights.row, atol=1e-3)


def test_the_rate_rises_and_falls():
    rates = [rate_at(step, 10_000, 1e-3, 1e-5) for step in range(10_000)]
    assert rates[0] < 1e-5
    assert max(rates) == rates[199] == pytest.approx(1e-3)
    assert all(later <= earlier for earlier, later in zip(rates[200:], rates[201:]))
    assert rates[-1] == pytest.approx(1e-5, rel=0.01)
    short = [rate_at(step, 100, 1e-3, 1e-5) for step in range(100)]
    assert max(short) == pytest.approx(1e-3) == pytest.approx(short[4]) and short[3] < short[4] > short[9]


def test_losses_are_told_for_each_label_and_by_phase():
    samples = np.zeros(3, LAYOUT)
    samples["occupied"] = [2**pieces - 1 for pieces in (2, 17, 32)]
    samples["score"], samples["result"] = [0, 100, -200], [LOST, WON, DRAWN]
    found = Labels(samples, 0.25).losses(np.zeros(3, np.float32))  # half a point is expected
    results = np.array([0, 1, 0.5])
    scores = 1 / (1 + np.exp(-samples["score"] / RESULT_SCALE))
    errors = np.square(0.25 * results + 0.75 * scores - 0.5)
    expected = [np.mean(errors), np.mean(np.square(results - 0.5)), np.mean(np.square(scores - 0.5))]
    assert found[:3] == pytest.approx(expected, rel=1e-5)
    few, none, middle, many = (found.phases[place] for place in (0, 1, 3, 7))
    assert none is None and [few, middle, many] == pytest.approx(errors, rel=1e-5)


def test_losses_are_called_as_in_the_guide():
    first, second = Losses(0.2, 0.4, 0.8, [0.1] * PHASES), Losses(0.1, 0.4, 0.8, [0.2] * PHASES)
    heading, *lines = table([("classical", first), ("network", second)])
    assert heading.split() == ["held", "out", "classical", "network"]
    assert lines[0].split() == ["label", "0.20000", "(1.000)", "0.10000", "(0.500)"]
    assert [line.split()[0] for line in lines[1:4]] == ["result", "score", "label,"]


# --- positions ------------------------------------------------------------------------------------


def test_games_are_held_out_as_a_whole(positions_file):
    loaded = positions.load([(positions_file, None)], position_file.Filters(), seed=1)
    games = {}
    with opened(positions_file) as data:
        for block in read_blocks(data):
            for start in range(0, len(block.body), 32):
                games.setdefault(block.body[start : start + 32], set()).add(block.number)
    learnt, held_out = (
        set().union(*(games[sample.tobytes()] for sample in samples if len(games[sample.tobytes()]) == 1))
        for samples in (loaded.training, loaded.held_out)
    )
    assert held_out
    assert not learnt & held_out
    assert 0.03 < len(loaded.held_out) / (len(loaded.training) + len(loaded.held_out)) < 0.08
    other = positions.load([(positions_file, None)], position_file.Filters(), seed=2)
    assert not np.array_equal(other.held_out, loaded.held_out)


def test_scores_that_are_too_high_are_moved():
    rng = np.random.default_rng(3)
    samples = np.zeros(position_file.ENOUGH * 2, LAYOUT)
    scores = rng.normal(scale=300, size=len(samples)).astype(int)
    won = rng.random(len(samples)) < 1 / (1 + np.exp(-scores / RESULT_SCALE))
    samples["score"], samples["result"] = scores + 40, 2 * won
    assert position_file.fitted_shift(samples) == pytest.approx(40, abs=3)
    samples["score"] -= 80
    assert position_file.fitted_shift(samples) == pytest.approx(-40, abs=3)
    assert position_file.fitted_shift(samples[:100]) == 0


def test_what_scores_are_too_high_is_taken_from_them(tmp_path, monkeypatch):
    monkeypatch.setattr(position_file, "ENOUGH", 10)
    sample = material_samples()[0]._replace(score=40, result=DRAWN)
    path = tmp_path / "high.bks"
    path.write_bytes(pack_block(0, [pack_sample(sample)] * 20))
    found = position_file.positions_of(str(path), position_file.Filters())
    assert found.shift == pytest.approx(40, abs=1)
    assert len(found.samples) == 20 and np.abs(found.samples["score"]).max() <= 1


def test_positions_of_other_files_are_held_out(positions_file, tmp_path):
    other = shutil.copy(positions_file, tmp_path / "other.bks")
    files = {"files": [(positions_file, None)], "judges": [(other, None)]}
    loaded = positions.load(filters=position_file.Filters(), seed=1, **files)
    everything = position_file.positions_of(positions_file, position_file.Filters()).samples
    assert np.array_equal(loaded.training, everything)
    assert np.array_equal(loaded.held_out, everything)
    assert [source["file"] for source in loaded.judges] == [other]


def write_games(path, *lengths):
    """A file of games with so many positions each, of which the filters leave out none."""
    packed = pack_sample(material_samples()[0])
    path.write_bytes(b"".join(pack_block(game, [packed] * length) for game, length in enumerate(lengths)))
    return str(path)


@pytest.mark.parametrize(
    "lengths, held_out",
    [((400, 10), 10), ((10, 400), 10), ((7, 7), 7), ((0, 300, 9, 300), 9), ((1,) * 40 + (400,), 22)],
)
def test_few_games_leave_something_to_learn_from(tmp_path, lengths, held_out):
    path = write_games(tmp_path / "few.bks", *lengths)
    for seed in range(1, 6):
        loaded = positions.load([(path, None)], position_file.Filters(), seed)
        assert (len(loaded.training), len(loaded.held_out)) == (sum(lengths) - held_out, held_out)


def test_one_game_is_not_enough_however_often_it_occurs(tmp_path):
    path = tmp_path / "one.bks"
    write_games(path, 9)
    path.write_bytes(2 * path.read_bytes())
    with pytest.raises(ValueError, match="at least two games"):
        positions.load([(str(path), None)], position_file.Filters(), seed=1)


def test_a_judge_may_have_one_game_and_no_more_positions_than_are_needed(tmp_path, monkeypatch):
    one, many = write_games(tmp_path / "one.bks", 30), write_games(tmp_path / "many.bks", *[10] * 30)
    files = {"files": [(many, None)], "filters": position_file.Filters(), "seed": 1}
    assert len(positions.load(**files, judges=[(one, None)]).held_out) == 30
    monkeypatch.setattr(positions, "MOST_HELD_OUT", 100)
    files["files"] = [(one, None)]
    assert len(positions.load(**files, judges=[(many, None)]).held_out) == 100


@pytest.mark.parametrize("role", ["files", "judges"])
def test_files_without_positions_are_named(positions_file, tmp_path, role):
    files = {"files": [(positions_file, None)], "judges": []}
    files[role] = [(write_games(tmp_path / "none.bks", 0, 0), None)]
    with pytest.raises(ValueError, match="no quiet positions in .*none.bks"):
        positions.load(filters=position_file.Filters(), seed=1, **files)


def test_a_run_is_judged_by_other_files_and_continued(positions_file, tmp_path, capsys):
    other = shutil.copy(positions_file, tmp_path / "other.bks")
    run = tmp_path / "run"
    assert tune_network(run, positions_file, *SMALL_RUN, "--epochs", 1, "--judge", other) == 0
    settings = json.loads((run / "settings.json").read_text())
    assert settings["training"] == settings["held-out"] == settings["judges"][0]["positions"]
    assert tune_network(run) == 0
    with open(other, "r+b") as file:
        file.truncate(100)
    assert tune_network(run) == 2
    assert "other.bks" in capsys.readouterr().err


def test_games_of_the_same_number_in_two_files_are_two(positions_file, tmp_path):
    copy = shutil.copy(positions_file, tmp_path / "copy.bks")
    both = positions.load([(positions_file, None), (copy, None)], position_file.Filters(), seed=1)
    once = positions.load(
        [(positions_file, None), (copy, None)], position_file.Filters(), seed=1, deduplicate=True
    )
    assert len(once.training) + len(once.held_out) < (len(both.training) + len(both.held_out)) / 2 + 1
    assert [source["positions"] for source in both.sources] == [both.sources[0]["positions"]] * 2


@pytest.mark.parametrize("twice", [["files"], ["files", "judges"]])
def test_no_file_is_named_twice(positions_file, tmp_path, monkeypatch, twice):
    name = str(positions_file)
    monkeypatch.chdir(os.path.dirname(name))
    files = {"files": [(name, None)], "judges": []}
    files[twice[-1]].append((os.path.basename(name), None))
    with pytest.raises(ValueError, match="is named twice"):
        positions.load(filters=position_file.Filters(), seed=1, **files)


def test_games_of_a_shuffled_file_cannot_be_held_out(positions_file, tmp_path):
    shuffled, filtered = str(tmp_path / "shuffled.bks"), str(tmp_path / "filtered.bks")
    assert data_command.main(["shuffle", str(positions_file), "-o", shuffled]) == 0
    assert data_command.main(["filter", shuffled, "-o", filtered]) == 0
    for name in shuffled, filtered:
        with pytest.raises(ValueError, match="is shuffled, so no whole games can be held out"):
            positions.load([(name, None)], position_file.Filters(), seed=1)
    judged = positions.load(
        [(filtered, None)], position_file.Filters(), seed=1, judges=[(str(positions_file), None)]
    )
    assert len(judged.held_out) > 0


def test_only_quiet_positions_pass(tmp_path):
    some = cases()
    samples, expected = [], []
    for number, case in enumerate(some):
        moves = list(case.moves.items())
        packed, move = moves[number % len(moves)] if moves else (0, None)
        ply, score = number % 20, (number % 7) * 1000 - 3000
        samples.append(Sample(case.position.board, score, ply, packed & 0xFFF, 0, DRAWN))
        loud = move is not None and (case.board.is_capture(move) or move.promotion is not None)
        if move is not None and move.promotion:
            samples[-1] = samples[-1]._replace(move=(packed & 0xFFF) | 2 << 12)
        expected.append(not case.board.is_check() and not loud and ply >= 16 and abs(score) < 3000)
    samples = as_array(samples)
    path = tmp_path / "positions.bks"
    path.write_bytes(pack_block(1, [sample.tobytes() for sample in samples]))
    found = position_file.positions_of(str(path), position_file.Filters())
    assert found.samples.tolist() == samples[expected].tolist()
    assert found.counts.tolist() == [sum(expected)]
    assert 100 < sum(expected) < len(expected) - 100


def test_an_epoch_sees_positions_once_and_whole_blocks():
    order = PositionOrder(BLOCK * 300 + 77, 128, seed=5)
    groups = -(-order.steps // GROUP)
    seen = np.concatenate([order.group(2, number) for number in range(groups)])
    assert len(seen) == order.steps * 128 == BLOCK * 300
    assert len(np.unique(seen)) == len(seen)
    assert seen.min() >= 0 and seen.max() < BLOCK * 300 + 77
    again = PositionOrder(BLOCK * 300 + 77, 128, seed=5)
    assert np.array_equal(again.group(2, 1), order.group(2, 1))
    assert not np.array_equal(again.group(3, 1), order.group(2, 1))
    other = PositionOrder(BLOCK * 300 + 77, 128, seed=6)
    assert len(np.intersect1d(other.group(2, 1), order.group(2, 1))) < GROUP * 128 / 2


def test_the_classical_scale_is_found():
    scores = np.linspace(-800, 800, 999, dtype=np.float32)
    assert fitted_scale(scores, 1 / (1 + np.exp(-SHARPNESS * scores / 317))) == 317


# --- runs -----------------------------------------------------------------------------------------

SMALL_RUN = ["--width", "32", "--batch", "256", "--rate", "0.01", "--every", "5"]


def tune_network(*arguments):
    return tune_command.main(["network", *map(str, arguments)])


def test_a_network_learns_material(positions_file, tmp_path, capsys):
    picture = tmp_path / "losses.png"
    arguments = [*SMALL_RUN, "--epochs", 25, "--result-share", 0, "--buckets", 8, "--plot", picture]
    assert tune_network(tmp_path / "run", positions_file, *arguments) == 0
    told = capsys.readouterr()
    assert "label" in told.out and "positions a second" in told.err
    assert picture.stat().st_size > 1000
    reports = [json.loads(line) for line in (tmp_path / "run" / LOG).read_text().splitlines()]
    assert reports[0]["held_out"]["target"] > 5 * reports[-1]["held_out"]["target"]
    assert reports[-1]["held_out"]["target"] < 0.01
    differences = [
        abs(whole - 400 * reference.output(case.board, *learnt_weights(tmp_path / "run")))
        for case, whole in zip(cases()[::50], integer_evaluations(tmp_path / "run"))
    ]
    assert max(differences) < 0.1  # centipawns


def learnt_weights(run):
    """The weights of the best network of a run, out of its checkpoint, and its sets."""
    best = weights.over(read_checkpoint(run / "best.npz")["weights"], weights.Shape(32, 8))
    return *(array.astype(float) for array in weights.rounded_copy(best).arrays), best.shape.sets


def integer_evaluations(run):
    """What the file of the network says of some positions."""
    content = (run / NETWORK).read_bytes()
    return [reference.integer_evaluation(content, case.board) for case in cases()[::50]]


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


def test_what_only_shows_writes_nothing_and_disturbs_nobody(positions_file, tmp_path, capsys):
    other, run = tmp_path / "other", tmp_path / "run"
    other.mkdir()
    assert tune_network(other, "--show") == 0
    assert "nothing has been reported" in capsys.readouterr().out and not list(other.iterdir())
    assert tune_network(other, tmp_path / "missing.bks") == 2
    assert other.exists() and not list(other.iterdir())
    assert tune_network(run, positions_file, *SMALL_RUN, "--epochs", 1) == 0
    capsys.readouterr()
    with RunFolder(str(run)):
        assert tune_network(run, "--show") == 0
    assert "best at step" in capsys.readouterr().out


class Killed(BaseException):
    pass


def kill():
    raise Killed


def outcome(path):
    """Weights, moments and reports of a run, without what depends on time."""
    numbers = read_checkpoint(path / LAST)
    reports = [json.loads(line) for line in (path / LOG).read_text().splitlines()]
    for report in reports:
        del report["speed"]
    return numbers, reports, (path / NETWORK).read_bytes()


@pytest.fixture
def heeding_signals():
    """Signals end this process as they end a command."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, CLOSED_TERMINAL)}
    end_when_terminated()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.usefixtures("heeding_signals")
def test_an_interrupted_run_ends_like_an_uninterrupted_one(positions_file, tmp_path, residual):
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    assert train(straight, [positions_file], Watcher(), residual=residual)
    with pytest.raises(Killed):
        train(broken, [positions_file], Watcher(5, kill), residual=residual)
    with pytest.raises(Killed):
        train(broken, [], Watcher(24, kill))
    number = signal.SIGTERM if residual else signal.SIGINT
    assert not train(broken, [], Watcher(31, lambda: signal.raise_signal(number)))
    assert int(read_checkpoint(broken / LAST)["step"]) == 31
    assert not train(broken, [], Watcher(33, lambda: signal.raise_signal(CLOSED_TERMINAL)))
    assert int(read_checkpoint(broken / LAST)["step"]) == 33
    assert train(broken, [], Watcher())
    (numbers, *rest), (other_numbers, *other_rest) = outcome(straight), outcome(broken)
    assert numbers.keys() == other_numbers.keys()
    assert all(np.array_equal(numbers[name], other_numbers[name]) for name in numbers)
    assert rest == other_rest


def test_the_best_network_is_kept(positions_file, tmp_path, monkeypatch):
    class Recorder(Watcher):
        rows = []

        def report(self, trainer):
            self.rows.append(trainer.device.weights.row.copy())

    others = (8, 9)  # losses of the other evaluations, which each start finds first
    targets = chain(others, (3, 1, 2), others, repeat(1.5))
    monkeypatch.setattr(Labels, "losses", lambda *_: Losses(next(targets), 0.0, 0.0, [None] * 8))
    with pytest.raises(Killed):
        train(tmp_path, [positions_file], Recorder(22, kill))
    assert train(tmp_path, [], Recorder())
    assert len(Recorder.rows) > 3
    np.testing.assert_array_equal(read_checkpoint(tmp_path / BEST)["weights"], Recorder.rows[1])


def test_the_share_of_the_result_changes_step_by_step(positions_file, tmp_path, monkeypatch):
    shares = []
    monkeypatch.setattr(NumbaDevice, "step", lambda self, step, rate, share, *_: shares.append(share) or 0.0)
    assert train(tmp_path, [positions_file], Watcher(), **{"result-share": [0.2, 0.6]})
    assert shares == pytest.approx(np.linspace(0.2, 0.6, len(shares) + 1)[:-1].tolist())


def test_a_run_from_before_there_was_a_look_ahead_goes_on_without(positions_file, tmp_path):
    with pytest.raises(Killed):
        train(tmp_path, [positions_file], Watcher(8, kill))
    settings = json.loads((tmp_path / SETTINGS).read_text())
    del settings["look-ahead"]
    (tmp_path / SETTINGS).write_text(json.dumps(settings))
    with RunFolder(str(tmp_path)) as folder:
        assert chosen(folder, [], {"start": None})["look-ahead"] == 0
        with pytest.raises(ValueError, match="was begun with --look-ahead 0.0, not 0.7"):
            chosen(folder, [], {"start": None, "look-ahead": 0.7})
    assert train(tmp_path, [], Watcher())


def test_reports_after_the_last_checkpoint_are_forgotten(positions_file, tmp_path):
    with pytest.raises(Killed):
        train(tmp_path, [positions_file], Watcher(15, kill))
    with open(tmp_path / LOG, "a") as log:
        log.write('{"step": 21}\n{"step": 2')
    assert [report["step"] for report in read_reports(str(tmp_path))] == [7, 14, 21]
    with RunFolder(str(tmp_path)) as folder:
        assert [report["step"] for report in folder.reports(14)] == [7, 14]
    assert len((tmp_path / LOG).read_text().splitlines()) == 2


def test_a_file_may_have_grown(positions_file, tmp_path):
    grown = tmp_path / "grown.bks"
    shutil.copy(positions_file, grown)
    with pytest.raises(Killed):
        train(tmp_path / "run", [str(grown)], Watcher(8, kill))
    with open(grown, "ab") as file:
        file.write(pack_block(5000, [pack_sample(sample) for sample in material_samples()[:50]]))
    assert train(tmp_path / "run", [], Watcher())


def test_a_run_may_begin_with_another_network(positions_file, tmp_path):
    assert train(tmp_path / "first", [positions_file], Watcher(), buckets=8)
    for number, start in enumerate((tmp_path / "first", tmp_path / "first" / NETWORK)):
        folder = tmp_path / f"second{number}"
        with pytest.raises(Killed):
            train(folder, [positions_file], Watcher(1, kill), width=None, start=str(start))
        settings = json.loads((folder / SETTINGS).read_text())
        assert (settings["width"], settings["buckets"], settings["rate"]) == (32, 8, 1e-4)
        begun = read_checkpoint(folder / LAST)["weights"]
        learnt = read_checkpoint(tmp_path / "first" / "best.npz")["weights"]
        np.testing.assert_allclose(begun, learnt, atol=0 if number == 0 else 0.5 / 64 + 1e-6)


def test_where_a_run_started_is_told_by_an_absolute_path(positions_file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert tune_network("first", positions_file, *SMALL_RUN, "--epochs", 1) == 0
    again = ("second", positions_file, *SMALL_RUN, "--epochs", 1, "--start", "first")
    assert tune_network(*again) == 0
    place = tmp_path / "second" / SETTINGS
    settings = json.loads(place.read_text())
    assert settings["start"] == str(tmp_path / "first")
    place.write_text(json.dumps(settings | {"start": "first"}))  # as older versions wrote it
    assert tune_network(*again) == 0


@pytest.mark.parametrize(
    "larger",
    [
        weights.Shape(32, 8, 4),
        weights.Shape(32, 8, 1, 2),
        weights.Shape(64, 8, 1),
        weights.Shape(32, 8, 1, 1, 7),
        weights.Shape(96, 8, 4, 2),
        weights.Shape(96, 8, 4, 2, 7),
    ],
)
def test_a_larger_network_begins_as_the_smaller_one(positions_file, tmp_path, larger):
    assert train(tmp_path / "first", [positions_file], Watcher(), buckets=8)
    with pytest.raises(Killed):
        run = larger._asdict() | {"start": str(tmp_path / "first" / NETWORK)}
        train(tmp_path / "second", [positions_file], Watcher(1, kill), **run)
    first, _ = weights.read_weights(tmp_path / "first" / NETWORK)
    begun = weights.over(read_checkpoint(tmp_path / "second" / LAST)["weights"], larger)
    samples = as_array(material_samples())
    bases = np.zeros(len(samples), np.float32)
    outputs = [NumbaDevice(some, 2, 0.0).outputs(samples, bases) for some in (first, begun)]
    np.testing.assert_allclose(*outputs, atol=1e-5)


# --- what cannot be done --------------------------------------------------------------------------


def refusal(capsys, *arguments):
    """The one line with which the command refuses to work."""
    assert tune_network(*arguments) == 2
    told = capsys.readouterr().err
    assert told.startswith("bluekrait tune network: ") and told.count("\n") == 1
    return told


def test_settings_of_a_begun_run_stay(positions_file, tmp_path, capsys):
    run = tmp_path / "run"
    assert tune_network(run, positions_file, *SMALL_RUN, "--epochs", 1) == 0
    capsys.readouterr()
    assert "was begun with --width 32, not 64" in refusal(capsys, run, "--width", 64)
    assert "other files" in refusal(capsys, run, tmp_path / "other.bks")
    with RunFolder(str(run)):
        assert "another process is writing" in refusal(capsys, run)


def test_what_is_missing_or_damaged_is_refused(positions_file, tmp_path, capsys):
    assert "name files" in refusal(capsys, tmp_path / "new")
    assert "no folder" in refusal(capsys, tmp_path / "nowhere", "--show")
    assert "missing.bks" in refusal(capsys, tmp_path / "new", tmp_path / "missing.bks")
    few = write_positions(tmp_path / "few.bks", material_samples()[:100])
    assert "too few" in refusal(capsys, tmp_path / "new", few)
    text = tmp_path / "text.bks"
    text.write_text("no positions")
    assert "no file of labelled positions" in refusal(capsys, tmp_path / "new", text)
    assert "no network" in refusal(capsys, tmp_path / "new", positions_file, "--start", text)
    wide = tmp_path / "wide"
    assert tune_network(wide, positions_file, *SMALL_RUN, "--width", 64, "--epochs", 1) == 0
    capsys.readouterr()
    narrow = "--start", wide, "--width", 32
    assert "has --width 64, not 32" in refusal(capsys, tmp_path / "new", positions_file, *narrow)
    assert not (tmp_path / "new").exists()


def test_a_damaged_run_is_refused(positions_file, tmp_path, capsys):
    whole = tmp_path / "whole"
    copied = shutil.copy(positions_file, tmp_path / "positions.bks")
    assert tune_network(whole, copied, *SMALL_RUN, "--epochs", 1) == 0
    capsys.readouterr()
    for name, content in ((LAST, b"PK torn"), (SETTINGS, b"{"), (LOG, b"not a report\n")):
        broken = tmp_path / f"without {name}"
        shutil.copytree(whole, broken)
        (broken / name).write_bytes(content)
        assert name in refusal(capsys, broken)
    numbers = read_checkpoint(whole / LAST)
    np.savez(broken / LAST, **numbers | {"means": np.zeros(1, np.float32)})
    shutil.copy(whole / LOG, broken)
    assert "is a checkpoint of something else" in refusal(capsys, broken)
    samples = bytearray(samples_of(copied).tobytes()[:32])
    with open(copied, "r+b") as file:
        content = file.read()
        place = content.index(samples)
        block = [pack_sample(unpack_sample(bytes(samples))._replace(score=1))] * LONGEST
        file.seek(place - 16)
        file.write(pack_block(0, block))
    assert "is not the file that the run was begun with" in refusal(capsys, whole)


@pytest.mark.parametrize(
    "wrong",
    ["--width=48", "--buckets=4", "--kinds=8", "--result-share=2", "--rate=0", "--most-error=0", "--batch=x"],
)
def test_wrong_numbers_are_refused(wrong, tmp_path, capsys):
    with pytest.raises(SystemExit) as left:
        tune_network(tmp_path, "positions.bks", wrong)
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    ["run --width 64 one.bks two.bks", "run one.bks --width 64 two.bks", "--width 64 run one.bks two.bks"],
)
def test_options_may_stand_between_folder_and_files(words):
    options = tune_command.parser().parse_args(["network", *words.split()])
    assert (options.folder, options.files, options.width) == ("run", ["one.bks", "two.bks"], 64)


def test_words_that_no_option_knows_are_refused(capsys):
    with pytest.raises(SystemExit):
        tune_command.parser().parse_args(["network", "run", "--widht", "64", "one.bks"])
    assert "--widht" in capsys.readouterr().err
