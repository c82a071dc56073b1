"""Runs of the trainer: they go on after an interruption, keep the best network, and begin with another."""

import json
import shutil
import signal
from itertools import chain, repeat

import numpy as np
import pytest

from bluekrait.tools.common.errors import end_when_terminated
from bluekrait.tools.data.formats.sample_file import pack_block
from bluekrait.tools.data.formats.samples import pack_sample
from bluekrait.tools.network import trainer, weights
from bluekrait.tools.network.classical import classical_scores
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
from bluekrait.tools.network.losses import Labels, Losses
from bluekrait.tools.network.numba_device import NumbaDevice
from bluekrait.tools.network.settings import DEFAULTS, chosen
from helpers.labelled import as_array
from helpers.network.network_runs import Watcher, material_samples, train
from helpers.processes.machines import CLOSED_TERMINAL


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


def test_a_second_interruption_ends_a_run_at_once(positions_file, tmp_path):
    def interrupt_twice():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path, [positions_file], Watcher(5, interrupt_twice))
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_run_that_ignores_interruptions_goes_on(positions_file, tmp_path):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert train(tmp_path, [positions_file], Watcher(5, lambda: signal.raise_signal(signal.SIGINT)))
    finally:
        signal.signal(signal.SIGINT, before)


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


def test_a_report_tells_the_mean_error_since_the_one_before(positions_file, tmp_path, monkeypatch):
    monkeypatch.setattr(NumbaDevice, "step", lambda self, step, rate, share, samples, _: step * len(samples))
    assert train(tmp_path, [positions_file], Watcher(), epochs=2, rate=0.5, **{"last-rate": 0.001})
    reports = read_reports(str(tmp_path))
    steps = [report["step"] for report in reports]
    assert steps[:2] == [7, 14] and steps[-1] % 7 != 0  # the last step is reported, too
    assert [report["loss"] for report in reports[:3]] == pytest.approx([3, 10, 17])
    assert [report["positions"] for report in reports] == [256 * step for step in steps]
    epochs = [2 * step / steps[-1] for step in steps]
    assert [report["epoch"] for report in reports] == pytest.approx(epochs, abs=1e-3)
    rates = [report["rate"] for report in reports]
    assert rates == sorted(rates, reverse=True) and rates[-1] == pytest.approx(0.001)


def test_the_output_of_a_residual_network_is_added_to_the_classical_score(
    positions_file, tmp_path, monkeypatch
):
    batches = []
    monkeypatch.setattr(
        NumbaDevice, "step", lambda self, step, rate, share, *batch: batches.append(batch) or 0
    )
    assert train(tmp_path, [positions_file], Watcher(), epochs=1, residual=True)
    settings = json.loads((tmp_path / SETTINGS).read_text())
    for samples, bases in batches:
        expected = classical_scores(samples) / settings["classical-scale"]
        np.testing.assert_allclose(bases, expected, rtol=1e-5)


def test_the_device_learns_as_the_settings_say(monkeypatch):
    monkeypatch.setattr(trainer, "NumbaDevice", lambda weights, *learning: learning)
    settings = DEFAULTS | {"parts": 3, "decay": 0.25, "most-error": 0.5}
    assert trainer._device(settings, weights.zeros(weights.Shape(32))) == (3, 0.25, 0.5)


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
    assert train(tmp_path / "first", [positions_file], Watcher(), buckets=8, residual=True)
    for number, start in enumerate((tmp_path / "first", tmp_path / "first" / NETWORK)):
        folder = tmp_path / f"second{number}"
        with pytest.raises(Killed):
            train(folder, [positions_file], Watcher(1, kill), width=None, start=str(start))
        settings = json.loads((folder / SETTINGS).read_text())
        found = {name: settings[name] for name in ("width", "buckets", "residual", "rate")}
        assert found == {"width": 32, "buckets": 8, "residual": True, "rate": 1e-4}
        begun = read_checkpoint(folder / LAST)["weights"]
        learnt = read_checkpoint(tmp_path / "first" / "best.npz")["weights"]
        np.testing.assert_allclose(begun, learnt, atol=0 if number == 0 else 0.5 / 64 + 1e-6)


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
