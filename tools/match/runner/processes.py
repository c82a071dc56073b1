"""Engines as processes that never outlive their game: not even if whoever started them is killed.

Every engine leads a session of its own: Ctrl-C does not reach it, and whatever it starts can be ended with
it. On Linux and on Windows the kernel ends it when its parent dies, however that happens.
"""

import contextlib
import ctypes
import functools
import os
import signal
import threading
from multiprocessing import parent_process
from multiprocessing.connection import wait

SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)

_leaders = set()  # of the process groups that are alive
_clean_up = []  # what to do before leaving


def start_options():
    """How to start a process: arguments for subprocess."""
    if os.name == "nt":
        _join_job()
    if os.name != "posix":
        return {}
    parent = os.getpid()
    return {"start_new_session": True, "preexec_fn": lambda: die_with_parent(parent)}


@functools.cache
def _join_job():
    """Once, before anything is started: what this process starts ends with it."""
    from bluekrait.tools.match.runner.windows_job import end_children_with_this_process

    return end_children_with_this_process()


def die_with_parent(parent):
    """Let the kernel end this process when its parent is gone; leave at once if it is gone already."""
    if _prctl is not None:
        _prctl(SET_DEATH_SIGNAL, KILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _find_prctl():
    try:
        return ctypes.CDLL(None).prctl
    except (OSError, AttributeError, TypeError):  # not on Linux
        return None


_prctl = _find_prctl()


def register_group(leader):
    """Note a process that leads a group."""
    _leaders.add(leader)


def kill_group(leader):
    """End a process and all that it started."""
    _leaders.discard(leader)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(leader, KILL)
        else:
            os.kill(leader, KILL)


def kill_all_groups():
    """End every engine that was started here."""
    for leader in tuple(_leaders):
        kill_group(leader)


def set_affinity(cpus):
    """Keep this process, and those that it starts, to some processors."""
    if cpus and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cpus)


def end_with_parent(clean_up=lambda: None):
    """Make this process one that works for its parent: it ends with it and by it, and its engines with it."""
    _clean_up.append(clean_up)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_leave_with, args=(parent_process(),), daemon=True).start()


def _leave_with(parent):
    wait([parent.sentinel])
    _leave()


def _leave():
    leaders = tuple(_leaders)
    kill_all_groups()
    for leader in leaders:  # so that they do not stay as names without a process
        with contextlib.suppress(OSError):
            os.waitpid(leader, 0)
    for clean_up in _clean_up:
        clean_up()
    os._exit(1)


@contextlib.contextmanager
def sigint_blocked():
    """Start processes in here: Ctrl-C is not theirs, and reaches this one later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
