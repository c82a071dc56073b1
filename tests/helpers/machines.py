"""Marks of tests that only some machines can run, and a machine whose disk is full."""

import sys
from contextlib import contextmanager

import pytest

from bluekrait.core.compiler import cpuid

on_x86 = pytest.mark.skipif(
    not sys.platform.startswith("linux") or cpuid.machine() != "x86_64", reason="for Linux on x86-64"
)


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
