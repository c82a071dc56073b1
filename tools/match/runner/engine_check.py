"""Before a contest: does every engine start, and does it know its options?"""

import asyncio

from bluekrait.tools.match.runner.engine_process import EngineFailure, EngineProcess


def check_engines(engines):
    """Start every engine once; what is worth noting, line by line. ValueError if one does not start."""
    return asyncio.run(_check_engines(engines))


async def _check_engines(engines):
    notes = []
    for engine in engines:
        player = EngineProcess(engine)
        try:
            await player.start()
        except EngineFailure as failure:
            raise ValueError(f"{engine.name}{failure.reason}") from None
        await player.end(kindly=True)
        notes += [f"{engine.name} has no option {name} to be set" for name in player.ignored]
    return notes
