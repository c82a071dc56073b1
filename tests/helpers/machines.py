"""Marks of tests that only some machines can run, signals of a machine, and one whose disk is full."""

import os
import signal
import sys
from contextlib import contextmanager

import pytest

from bluekrait.core.compiler import cpuid

on_x86 = pytest.mark.skipif(
    not sys.platform.startswith("linux") or cpuid.machine() != "x86_64", reason="for Linux on x86-64"
)


CLOSED_TERMINAL = getattr(signal, "SIGHUP", signal.SIGTERM)  # Windows just ends the process


def interrupt(leader, number):
    """Send a signal to the leader of a session, or to all its processes as if their terminal were closed."""
    if number in (signal.SIGINT, signal.SIGTERM):
        leader.send_signal(number)
    else:
        os.killpg(leader.pid, number)


@contextmanager
def full_disk(size):
    """In this block no file of this process can grow beyond so many bytes."""
    resource = pytest.importorskip("resource")  # not on Windows
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
