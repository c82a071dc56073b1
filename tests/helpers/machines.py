"""Marks of tests that only some machines can run."""

import sys

import pytest

from bluekrait.core.compiler import cpuid

on_x86 = pytest.mark.skipif(
    not sys.platform.startswith("linux") or cpuid.machine() != "x86_64", reason="for Linux on x86-64"
)
