"""Engine processes that never outlive their game, not even if the process that started them is killed.

Every engine leads a session of its own: Ctrl-C does not reach it, and whatever it starts can be ended with
it. On Linux and on Windows the kernel ends it when its parent dies, for whatever reason.
"""

import contextlib
import ctypes
import functools
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterable
from multiprocessing import parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

from bluekrait.tools.cluster.terminal_signals import leave_terminal_signals_to_parent

SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)

_leaders: set[int] = set()  # process ids of the leaders of running process groups
_clean_up: list[Callable[[], object]] = []  # called before this process ends


def start_options() -> dict[str, Any]:
    """Arguments for subprocess when an engine is started."""
    if os.name == "nt":
        _join_job()
    if os.name != "posix":
        return {}
    parent = os.getpid()
    return {"start_new_session": True, "preexec_fn": lambda: die_with_parent(parent)}


@functools.cache
def _join_job() -> ctypes.c_void_p | None:
    """Once, before anything is started: processes that this process starts end with it."""
    from bluekrait.tools.match.runner.windows_job import end_children_with_this_process

    return end_children_with_this_process()


def die_with_parent(parent: int) -> None:
    """Let the kernel kill this process when its parent ends; exit at once if the parent has ended already."""
    if _prctl is not None:
        _prctl(SET_DEATH_SIGNAL, KILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _find_prctl() -> Callable[..., int] | None:
    try:
        return ctypes.CDLL(None).prctl
    except (OSError, AttributeError, TypeError):  # not on Linux
        return None


_prctl = _find_prctl()


def register_group(leader: int) -> None:
    """Remember the leader of a process group, to end the group later."""
    _leaders.add(leader)


def kill_group(leader: int, has_ended: bool = False) -> None:
    """Kill a process and all that it started; only what it started, if it has ended itself.

    Windows knows no groups, and soon gives the number of a process that has ended to another one.
    """
    _leaders.discard(leader)
    with contextlib.suppress(OSError):  # it is gone: Windows says that its number is no valid parameter
        if os.name == "posix":
            os.killpg(leader, KILL)
        elif not has_ended:
            os.kill(leader, KILL)


def kill_all_groups() -> None:
    """Kill every engine that was started here."""
    for leader in tuple(_leaders):
        kill_group(leader)


def set_affinity(cpus: set[int] | None) -> None:
    """Bind this process, and those that it starts, to some processors."""
    if cpus and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cpus)


def end_with_parent(clean_up: Callable[[], object] = lambda: None) -> None:
    """Let this process and its engines end when its parent ends or terminates it."""
    _clean_up.append(clean_up)
    leave_terminal_signals_to_parent()
    signal.signal(signal.SIGTERM, lambda *_: _exit())
    threading.Thread(target=_exit_with, args=(parent_process(),), daemon=True).start()


def _exit_with(parent: BaseProcess) -> None:
    wait([parent.sentinel])
    _exit()


def _exit() -> None:
    logging.disable()  # asyncio would complain that it has not seen its processes end
    leaders = tuple(_leaders)
    kill_all_groups()
    _wait_for_end(leaders)
    for clean_up in _clean_up:
        clean_up()
    os._exit(1)


def _wait_for_end(leaders: Iterable[int]) -> None:
    """Wait for processes that were killed, so that they do not stay as zombies.

    Windows has no zombies, and would take the numbers for handles: of anything, which may never be signalled.
    """
    if os.name == "posix":
        for leader in leaders:
            with contextlib.suppress(OSError):
                os.waitpid(leader, 0)
