import ctypes
from types import SimpleNamespace

import pytest

from bluekrait.search.thinking import fine_timer as module
from bluekrait.search.thinking.fine_timer import fine_timer


def test_nothing_is_asked_of_this_system():
    with fine_timer():
        pass


def test_windows_is_asked_for_a_millisecond_and_told_the_end(monkeypatch):
    calls = []
    multimedia = SimpleNamespace(
        timeBeginPeriod=lambda period: calls.append(("begin", period)),
        timeEndPeriod=lambda period: calls.append(("end", period)),
    )
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(winmm=multimedia), raising=False)
    monkeypatch.setattr(module, "sys", SimpleNamespace(platform="win32"))
    with pytest.raises(ZeroDivisionError), fine_timer():
        assert calls == [("begin", 1)]
        raise ZeroDivisionError
    assert calls == [("begin", 1), ("end", 1)]
