"""A second process that compiles beside the first one, where the machine has a processor for it.

The first process tells it by a pipe what to compile next, one unit at a time, and is told when that is done.
What was compiled passes through the cache. If the second process cannot be started or fails, or if it would
compile something else, the first does everything itself. The second one ends with it, in the midst of a unit,
too: then its input ends.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from queue import SimpleQueue
from threading import Thread
from typing import IO

from llvmlite import binding

from bluekrait.core.compilation import Plan, Unit, compile_unit, is_kept, units_of
from bluekrait.core.compiler import cache
from bluekrait.core.memory.usable_memory import usable_memory
from bluekrait.core.processors import usable_processors

FEW = 20  # kernels, which are compiled before another process has loaded Numba
ENOUGH_MEMORY = 1 << 31  # bytes: each of the two processes takes up to half a gigabyte
PROGRAM = """
import sys
sys.path[:] = {path!r}
from bluekrait.core.second_compiler import serve
serve({module!r})
"""


@contextlib.contextmanager
def sharing(plan: Plan, module: str) -> Iterator[None]:
    """Let a second process work at a plan for the entries of a module, until the end of the block."""
    with contextlib.ExitStack() as stack:
        if plan.kernels > FEW and _is_possible():
            with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: no thread can be started
                cache.place_to_keep()
                process = stack.enter_context(_started(module))
                thread = Thread(target=_share, args=(plan, process), daemon=True)
                thread.start()
                stack.callback(thread.join)
                stack.callback(process.kill)
        stack.callback(plan.give_up)  # first, whatever has happened
        yield


def identity() -> str:
    """What decides about compiled code, but for its sources. LLVM may have been told of another system."""
    return f"{cache.fingerprint()} {binding.get_process_triple()}"


def _is_possible() -> bool:
    is_enough = len(usable_processors()) > 1 and (usable_memory() or ENOUGH_MEMORY) >= ENOUGH_MEMORY
    program = os.path.basename(sys.executable or "").lower()
    return is_enough and program.startswith("python")  # else it is one with an interpreter inside


def _started(module: str) -> "subprocess.Popen[bytes]":
    flags = ["-I"] if sys.flags.isolated else []
    return subprocess.Popen(
        [sys.executable, *flags, "-c", PROGRAM.format(path=sys.path, module=module)],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # on Windows
    )


def _share(plan: Plan, process: "subprocess.Popen[bytes]") -> None:
    """Pass units on to a second process, as long as it answers."""
    if _answer(process) != identity():
        return
    for unit in plan:
        if not _is_done(unit, process):
            plan.give_back(unit)
            return


def _is_done(unit: Unit, process: "subprocess.Popen[bytes]") -> bool:
    assert process.stdin
    try:
        process.stdin.write(f"{unit.name}\n".encode())
    except OSError:  # it has ended
        return False
    return _answer(process) == unit.name and is_kept(unit)  # not if the disk is full, or a source was edited


def _answer(process: "subprocess.Popen[bytes]") -> str:
    assert process.stdout
    return process.stdout.readline().decode(errors="replace").rstrip()


def serve(module: str) -> None:
    """What the second process does: compile units as they are named on standard input."""
    answers, sys.stdout = sys.stdout, sys.stderr
    units = {unit.name: unit for unit in units_of(import_module(module).ENTRIES)}
    names: SimpleQueue[str] = SimpleQueue()
    Thread(target=_read_names, args=(names,), daemon=True).start()
    _tell(identity(), answers)
    while True:
        name = names.get()
        if name in units:  # else another process has compiled it meanwhile
            compile_unit(units[name])
        _tell(name, answers)


def _read_names(names: "SimpleQueue[str]") -> None:
    """Pass on what to compile; end the process, whatever it does, when the first one has ended."""
    for line in sys.stdin:
        names.put(line.rstrip())
    os._exit(0)


def _tell(text: str, answers: IO[str]) -> None:
    print(text, file=answers, flush=True)
