"""Processors that games and workers are tied to."""

import pytest

from bluekrait.tools.common import processors
from bluekrait.tools.common.processors import parse_processors, shared_out


def test_processors_are_shared_out(monkeypatch):
    monkeypatch.setattr(processors, "usable_processors", lambda: [0, 1, 2, 3, 6])
    assert parse_processors("") == [0, 1, 2, 3, 6]
    assert parse_processors("6,1-3,2") == [6, 1, 2, 3]
    assert shared_out(2, 2, parse_processors("6,1-3")) == [{6, 1}, {2, 3}]
    for text in ("4", "1-4", "a", "1,,2", "-1", "²", f"0-{10**15}"):
        with pytest.raises(ValueError, match="--affinity"):
            parse_processors(text)
    with pytest.raises(ValueError, match="3 games at a time need 3 processors, not 2"):
        shared_out(3, 1, [0, 1])
