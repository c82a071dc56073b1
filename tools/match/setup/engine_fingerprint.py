"""Is it the same engine as before? Otherwise no contest is continued with it, and no kept answer used."""

import os
import shutil
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bluekrait.core.compiler import cache, sources
from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.search.evaluation.network import default_network
from bluekrait.tools.common.files.digest import digest, file_digest
from bluekrait.tools.match.setup.engine_spec import OUR_MODULE, OURSELVES, EngineSpec

NETWORK_OPTION = "evalfile"  # of other engines, too; some have a second one, EvalFileSmall
LOG = ".log"  # how the name of a file ends that an engine writes
LIBRARIES = ("lib/python*", "Lib")  # of Python, in the folder where it is installed; the second on Windows


def fingerprint(engine: EngineSpec) -> dict[str, Any]:
    """Everything that may change how an engine plays, for comparison."""
    facts = {
        "name": engine.name,
        "command": list(engine.command),
        "program": _program(engine.command),
        "protocol": engine.protocol,
        "options": [list(pair) for pair in engine.options],
        "time": list(engine.time),
    }
    # Left out where there is nothing: journals that were begun before these were noted can be continued.
    more = {
        "directory": engine.directory,
        "arguments": [file_digest(path) for path in _arguments(engine)],
        "networks": [file_digest(path) for path in _networks(engine)],
    }
    return {**facts, **{name: value for name, value in more.items() if value}}


def _program(command: Sequence[str]) -> str:
    """A name for the content of what a command starts."""
    if _is_ourselves(command):
        return _our_sources()
    return "-".join(file_digest(path) for path in (command[0], *_records_of_package(command[0])))


def _is_ourselves(command: Sequence[str]) -> bool:
    """True if a command starts the program that is running: as a module, or by the script that pip made."""
    script = shutil.which(OURSELVES, path=sysconfig.get_path("scripts"))
    is_script = script is not None and os.path.realpath(command[0]) == os.path.realpath(script)
    return is_script or OUR_MODULE in command


def _our_sources() -> str:
    """A name for this program: compiler and processor, sources of all that chooses a move, network."""
    code = f"{cache.fingerprint()}-{sources.digest_of('bluekrait.search.engine', ENTRIES_MODULE)}"
    network = default_network.content()
    return f"{code}-{digest(network)}" if network else code


def _records_of_package(program: str) -> list[str]:
    """What pip noted of another installation of this program: the digests of the files behind its script."""
    script = Path(program).resolve()
    if script.stem != OURSELVES:
        return []
    record = f"site-packages/{OURSELVES}-*.dist-info/RECORD"
    found = (script.parent.parent.glob(f"{folder}/{record}") for folder in LIBRARIES)
    return sorted(str(path) for paths in found for path in paths)


def _arguments(engine: EngineSpec) -> Iterator[str]:
    """The files among the arguments: a script, for example. Nothing depends on what a log holds."""
    return _files(engine, (word for word in engine.command[1:] if not word.endswith(LOG)))


def _networks(engine: EngineSpec) -> Iterator[str]:
    """The files of networks that an engine's options name: training may replace one under the same name."""
    return _files(
        engine, (value for name, value in engine.options if name.lower().startswith(NETWORK_OPTION))
    )


def _files(engine: EngineSpec, words: Iterable[str]) -> Iterator[str]:
    """The files that some words name, where an engine runs."""
    return filter(os.path.isfile, (os.path.join(engine.directory, word) for word in words))
