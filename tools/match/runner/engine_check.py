"""Before a contest: does every engine start, and does it know its options?"""

import asyncio

from bluekrait.tools.match.runner.player import Failure, Player


def rehearse(engines):
    """Start every engine once; what is worth noting, line by line. ValueError if one does not start."""
    return asyncio.run(_rehearse(engines))


async def _rehearse(engines):
    notes = []
    for engine in engines:
        player = Player(engine)
        try:
            await player.start()
        except Failure as failure:
            raise ValueError(f"{engine.name}{failure.reason}") from None
        await player.end(kindly=True)
        notes += [f"{engine.name} has no option {name} to be set" for name in player.ignored]
    return notes
