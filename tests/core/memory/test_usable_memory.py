import ctypes
import os
from types import SimpleNamespace

import pytest

from bluekrait.core.memory import usable_memory as module
from bluekrait.core.memory.usable_memory import memory_megabytes, usable_memory


@pytest.fixture(autouse=True)
def no_container(monkeypatch):
    monkeypatch.setattr(module, "memory_limit", lambda: None)


def test_the_machine_has_memory():
    assert usable_memory() == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") > 1 << 28
    assert memory_megabytes() == usable_memory() >> 20


def test_a_container_may_have_less(monkeypatch):
    monkeypatch.setattr(module, "memory_limit", lambda: 100 << 20)
    assert usable_memory() == 100 << 20
    assert memory_megabytes() == 100


def test_a_limit_beyond_the_memory_is_none(monkeypatch):
    memory = usable_memory()
    monkeypatch.setattr(module, "memory_limit", lambda: memory + 1)
    assert usable_memory() == memory


def pretend_windows(monkeypatch, answer):
    def status_of(reference):
        status = reference._obj
        assert status.length == ctypes.sizeof(status) == 64  # as Windows demands
        status.total = 3 << 30
        return answer

    kernel = SimpleNamespace(GlobalMemoryStatusEx=status_of)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(module, "sys", SimpleNamespace(platform="win32"))


def test_windows_is_asked_in_its_way(monkeypatch):
    pretend_windows(monkeypatch, 1)
    assert usable_memory() == 3 << 30


def test_windows_may_not_know(monkeypatch):
    pretend_windows(monkeypatch, 0)
    assert usable_memory() is None
    assert memory_megabytes() == 65536


def test_other_systems_may_not_know(monkeypatch):
    monkeypatch.setattr(module, "os", SimpleNamespace())
    assert usable_memory() is None


def test_a_limit_counts_where_the_machine_does_not_say(monkeypatch):
    monkeypatch.setattr(module, "os", SimpleNamespace())
    monkeypatch.setattr(module, "memory_limit", lambda: 5 << 20)
    assert memory_megabytes() == 5
