"""The engines that visitors share."""

import asyncio
from itertools import count

from bluekrait.tools.board.visitor import engines as engines_module
from bluekrait.tools.board.visitor.engines import Engines


class StandIn:
    """An engine that nobody asks for anything."""

    def __init__(self, **_):
        pass

    def close(self):
        pass


def test_the_engine_that_rests_longest_is_given_away(monkeypatch):
    async def use_one_after_the_other(*visitors):
        for visitor in visitors:
            await engines.begin_work(visitor)
            engines.end_work(visitor)

    monkeypatch.setattr(engines_module, "Engine", StandIn)
    monkeypatch.setattr(engines_module, "monotonic", count().__next__)
    engines = Engines(2, 1, 1)
    asyncio.run(use_one_after_the_other("a", "b", "a", "c"))
    assert [engines.has(visitor) for visitor in "abc"] == [True, False, True]
