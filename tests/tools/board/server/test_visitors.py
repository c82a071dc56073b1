"""The visitors of the board, as many as there is room for."""

import asyncio

import pytest

pytest.importorskip("starlette", reason="the extra [play] is not installed")

from bluekrait.tools.board.server import visitors as visitors_module
from bluekrait.tools.board.server.visitors import Visitors
from bluekrait.tools.board.visitor.engines import Engines


def test_the_visitor_who_is_absent_longest_gives_way(monkeypatch):
    async def visit():
        first, second = [await visitors.visitor(None) for _ in range(2)]
        first.last_active, second.last_active = 20.0, 10.0
        monkeypatch.setattr(second, "close", close)
        third = await visitors.visitor(None)
        assert await visitors.visitor(first.name) is first
        assert await visitors.visitor(third.name) is third

    async def close():
        closed.append("second")

    closed = []
    monkeypatch.setattr(visitors_module, "MOST_VISITORS", 2)
    visitors = Visitors(Engines(1, 1, 1), 60)
    asyncio.run(visit())
    assert closed == ["second"] and len(visitors) == 2
