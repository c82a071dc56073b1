"""What is shown while a network is trained."""

from types import SimpleNamespace

import pytest

from bluekrait.tools.network import view

REPORT = {
    "step": 10,
    "positions": 2_500_000,
    "epoch": 1.25,
    "rate": 0.001,
    "loss": 0.0625,
    "held_out": {"target": 0.06, "result": 0.07, "score": 0.08},
    "speed": 250_000,
}
CLASSICAL = {"target": 0.1, "result": 0.2, "score": 0.3}


@pytest.fixture
def shown(monkeypatch):
    """The view of a run that was continued after seven steps: three more took twelve seconds."""
    now = iter([100.0, 100.0])
    monkeypatch.setattr(view, "monotonic", lambda: next(now, 112.0))
    trainer = SimpleNamespace(steps=40, done=10, reports=[REPORT], error=0.05)
    with view.TrainingView({"classical": CLASSICAL}) as training:
        for _ in range(3):
            training.update(trainer, 1_000_000)
        yield training, trainer


def test_speed_and_time_left_are_those_of_this_process(shown):
    training, trainer = shown
    assert training.speed == 250_000
    text = "step 10 of 40, loss 0.05000, 0.25 M positions a second, 2:00 left"
    assert training._text(trainer) == text


def test_a_report_stays_on_the_screen(shown, capsys):
    training, trainer = shown
    training.report(trainer)
    losses = "loss 0.06250, held out 0.06000 (result 0.07000, score 0.08000)"
    told = f"epoch 1.25: {losses}, rate 1.0e-03, 0.25 M positions a second\n"
    assert capsys.readouterr().err.endswith(told)


def test_a_terminal_shows_the_last_reports_below_the_classical_evaluation(shown):
    rich = pytest.importorskip("rich.console", reason="the extra [tools] is not installed")
    training, trainer = shown
    trainer.reports = [{**REPORT, "epoch": float(number)} for number in range(20)]
    with (console := rich.Console(width=100)).capture() as captured:
        console.print(training._table(trainer))
    told, *lines = captured.get().splitlines()
    assert told == training._text(trainer)
    classical, *reports = ([cell.strip() for cell in line.split("│")[1:-1]] for line in lines if "│" in line)
    assert classical == ["classical", "", "", "0.10000", "0.20000", "0.30000", ""]
    assert [cells[0] for cells in reports] == [f"{number:.2f}" for number in range(8, 20)]
    assert reports[0][1:] == ["2.5 M", "0.06250", "0.06000", "0.07000", "0.08000", "1.0e-03"]
