"""What is checked of engines before the first game."""

import pytest

from bluekrait.tools.match.runner import engine_process
from bluekrait.tools.match.runner.engine_check import check_engines
from helpers.match.matches import fake


@pytest.mark.parametrize("mode", ["die", "unready"])
def test_an_engine_that_does_not_start_says_why(mode):
    with pytest.raises(ValueError, match="^A does not start: .*no weights"):
        check_engines([fake("A", mode)])


def test_an_engine_that_never_becomes_ready_is_refused_before_the_first_game(monkeypatch):
    monkeypatch.setattr(engine_process, "READY_SECONDS", 0.1)
    with pytest.raises(ValueError, match="^A does not start: no answer within 0 s$"):
        check_engines([fake("A", "deaf")])


def test_an_engine_that_does_not_answer_to_uci_may_speak_the_other_protocol(monkeypatch):
    monkeypatch.setattr(engine_process, "START_SECONDS", 0.1)
    hint = "no answer within 0 s; if it speaks XBoard's protocol, add proto=xboard$"
    with pytest.raises(ValueError, match=f"^A does not start: {hint}"):
        check_engines([fake("A", "mute")])


def test_options():
    good = fake("A")
    assert check_engines([good._replace(options=(("hash", "64"), ("Contempt", "5")))]) == [
        "A has no option Contempt: it is not set"
    ]
    assert check_engines([good._replace(options=(("UCI_Chess960", "true"),))]) == [
        "A: option UCI_Chess960 is set by the runner itself"
    ]
    assert check_engines([good._replace(options=(("hahs", "64"),))]) == [
        "A has no option hahs: it is not set (did you mean Hash?)"
    ]
    with pytest.raises(ValueError, match="Hash"):
        check_engines([good._replace(options=(("Hash", "5000"),))])
