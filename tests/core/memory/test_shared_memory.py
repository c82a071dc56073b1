"""Memory for hash tables: all zero at first, and after it is cleared, however that is done."""

import os
import sys
from threading import Thread

import pytest

from bluekrait.core.memory import shared_memory
from bluekrait.core.memory.anonymous_memory import array_of_words
from bluekrait.core.memory.shared_memory import MEGABYTE, HashTable, SharedMemory
from bluekrait.core.records import BUCKET_BYTES
from bluekrait.search.transposition_memory import TranspositionTable

SIZE = 40 * MEGABYTE  # more than one thread clears
PLACES = (0, 4096, 16 * MEGABYTE - 1, 16 * MEGABYTE, SIZE // 2, SIZE - 1)


def is_zero(memory):
    return memory.first_bytes(memory.size).count(0) == memory.size


def write(memory):
    """Put something into the first and last bytes of several pages."""
    for place in PLACES:
        memory._memory[place] = 1
    assert not is_zero(memory)


@pytest.mark.parametrize("resident", [MEGABYTE, 256 * MEGABYTE])
@pytest.mark.parametrize("platform", ["linux", "elsewhere"])
def test_cleared_memory_is_zero(monkeypatch, platform, resident):
    if platform == "linux" and sys.platform != platform:
        pytest.skip("only Linux promises that such pages are zero")
    monkeypatch.setattr(shared_memory, "RESIDENT", resident)
    monkeypatch.setattr(sys, "platform", platform)
    memory = SharedMemory(SIZE)
    assert is_zero(memory)
    address = memory.address
    for _ in range(2):
        write(memory)
        memory.clear()
        assert is_zero(memory) and memory.address == address


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 2), (3, 2), (64, 2)])
def test_any_number_of_threads_clears_all(monkeypatch, cores, threads):
    """Each usable processor clears 16 MB and more; this thread is one of them."""
    started = []
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(cores)), raising=False)
    monkeypatch.setattr(
        Thread, "start", lambda thread, start=Thread.start: (started.append(1), start(thread))
    )
    memory = SharedMemory(SIZE + 4096)
    write(memory)
    memory._write_zeros()
    assert is_zero(memory) and len(started) == threads - 1


@pytest.mark.parametrize("size", [1, 4096, MEGABYTE // 2 - 1, MEGABYTE // 2, 2 * MEGABYTE, 33 * MEGABYTE + 3])
def test_memory_of_any_size_is_there_to_its_last_byte(size):
    memory = SharedMemory(size)
    memory.make_resident()
    assert memory.size == size and is_zero(memory)


@pytest.mark.parametrize("size", [8, 4096, MEGABYTE // 2 - 8, MEGABYTE // 2, 5 * MEGABYTE + 8])
def test_an_array_of_words_holds_its_content(size):
    content = bytes(range(1, 9)) * (size // 8)
    assert bytes(array_of_words(content)) == content


def resident_bytes():
    """What this process has in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell it in other ways")
def test_large_tables_take_memory_only_as_they_are_used():
    before = resident_bytes()
    table = TranspositionTable(shared_memory.RESIDENT // MEGABYTE + 1)
    table.begin_search()
    table.clear()
    assert resident_bytes() - before < 100 * MEGABYTE
    small = TranspositionTable(200)
    assert resident_bytes() - before > 150 * MEGABYTE
    assert small.permille_used() == 0


@pytest.mark.parametrize(("used", "buckets"), [(0, 64), (8192, 128), (1 << 40, MEGABYTE // BUCKET_BYTES)])
def test_a_hash_table_uses_no_more_than_it_has_and_some_buckets_always(used, buckets):
    table = HashTable(1)
    table.use(used)
    assert table.buckets == buckets
