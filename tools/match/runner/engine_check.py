"""Before a contest: does every engine become ready, and does it have the options that are to be set?"""

import asyncio
from collections.abc import Iterable
from difflib import get_close_matches

from bluekrait.tools.match.runner.engine_process import EngineProcess, StartFailure
from bluekrait.tools.match.setup.engine_spec import EngineSpec


def check_engines(engines: Iterable[EngineSpec], is_builtin: bool = True) -> list[str]:
    """Start and end every engine once; the warnings. `is_builtin`: the built-in runner will play.

    ValueError if one does not start or become ready, or if the built-in runner cannot tell it its limit.
    """
    return asyncio.run(_check_engines(engines, is_builtin))


async def _check_engines(engines: Iterable[EngineSpec], is_builtin: bool) -> list[str]:
    warnings = []
    for spec in engines:
        engine = EngineProcess(spec)
        try:
            await engine.start(until_ready=True)
        except StartFailure as failure:
            raise ValueError(failure) from None
        await engine.end(send_quit=True)
        warnings += [_unknown_option(engine, name) for name in engine.unknown]
        if is_builtin:
            _check_limit(engine)
            warnings += [f"{spec.name}: option {name} is set by the runner itself" for name in engine.managed]
    return warnings


def _unknown_option(engine: EngineProcess, name: str) -> str:
    """What to tell of an option that an engine does not have: names of others that are similar, too."""
    names = {known.lower(): known for known in engine.option_names}
    similar = [names[each] for each in get_close_matches(name.lower(), names)]
    hint = f" (did you mean {' or '.join(similar)}?)" if similar else ""
    return f"{engine.spec.name} has no option {name}: it is not set{hint}"


def _check_limit(engine: EngineProcess) -> None:
    """ValueError if the engine cannot be told the limits of its searches."""
    name, time = engine.spec.name, engine.spec.time
    if time.nodes and not engine.counts_nodes:
        raise ValueError(
            f"{name} does not tell feature nps=1, so nodes= is not possible: use tc=, st= or depth="
        )
    if time.nodes and engine.spec.protocol == "xboard" and (time.seconds or time.move_time):
        raise ValueError(
            f"{name}: an xboard engine has either nodes= or a time: leave out nodes=, or tc= and st="
        )
