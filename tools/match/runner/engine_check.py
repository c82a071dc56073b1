"""Before a contest: does every engine start, and does it have the options that are to be set?"""

import asyncio
from collections.abc import Iterable

from bluekrait.tools.match.runner.engine_process import EngineProcess, StartFailure
from bluekrait.tools.match.setup.engine_spec import EngineSpec


def check_engines(engines: Iterable[EngineSpec]) -> list[str]:
    """Start and end every engine once; the warnings. ValueError if an engine does not start."""
    return asyncio.run(_check_engines(engines))


async def _check_engines(engines: Iterable[EngineSpec]) -> list[str]:
    warnings = []
    for spec in engines:
        engine = EngineProcess(spec)
        try:
            await engine.start()
        except StartFailure as failure:
            raise ValueError(failure) from None
        await engine.end(send_quit=True)
        warnings += [f"{spec.name} has no option {name}: it is not set" for name in engine.unknown]
        warnings += [f"{spec.name}: option {name} is set by the runner itself" for name in engine.managed]
    return warnings
