import ctypes
from types import SimpleNamespace

from bluekrait.core.memory import physical_memory as module
from bluekrait.core.memory.physical_memory import memory_megabytes, physical_memory


def test_the_machine_has_memory():
    assert physical_memory() > 1 << 28
    assert memory_megabytes() == physical_memory() >> 20


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
    assert physical_memory() == 3 << 30


def test_windows_may_not_know(monkeypatch):
    pretend_windows(monkeypatch, 0)
    assert physical_memory() is None
    assert memory_megabytes() == 65536


def test_other_systems_may_not_know(monkeypatch):
    monkeypatch.setattr(module, "os", SimpleNamespace())
    assert physical_memory() is None
