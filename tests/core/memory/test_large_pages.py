"""Large pages for memory in use: what is in the memory stays the same, and new pages are zero."""

import mmap
import os
import re
import sys
from pathlib import Path

import pytest

from bluekrait.core.memory.anonymous_memory import LARGE_PAGE, SMALL_PAGE
from bluekrait.core.memory.shared_memory import MEGABYTE, RESIDENT, SharedMemory
from bluekrait.search.transposition_memory import TranspositionTable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such pages")

SIZE = 16 * LARGE_PAGE
CHOICE = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def systems_version():
    return tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))


def large_pages_in_use():
    kilobytes = re.findall(r"AnonHugePages: *(\d+)", Path("/proc/self/smaps").read_text())
    return sum(map(int, kilobytes)) * 1024 // LARGE_PAGE


@pytest.fixture
def memory():
    return SharedMemory(SIZE)


@pytest.fixture
def large_pages(memory):
    return memory.large_pages_later()


def finish(large_pages):
    large_pages.resume()
    large_pages._join()
    assert large_pages._is_done()


def test_what_is_written_before_and_meanwhile_stays(memory, large_pages):
    expected = bytearray(SIZE)
    for place in range(0, SIZE, 5 * SMALL_PAGE + 1):
        memory._memory[place] = expected[place] = 1 + place % 255
    large_pages.resume()
    place = 1
    while large_pages._thread.is_alive():
        memory._memory[place] = expected[place] = 1 + place % 255
        place = (place + 7 * SMALL_PAGE + 3) % SIZE
    assert memory.first_bytes(SIZE) == expected


def test_it_pauses_after_a_page_and_goes_on_from_there(large_pages, monkeypatch):
    exchanged, exchange_one = [], large_pages._exchange_one

    def exchange_one_and_pause(address):
        exchanged.append(address)
        exchange_one(address)
        if len(exchanged) == 3:
            large_pages.pause()

    monkeypatch.setattr(large_pages, "_exchange_one", exchange_one_and_pause)
    large_pages.resume()
    large_pages._join()
    assert len(exchanged) == 3
    finish(large_pages)
    assert exchanged == list(range(exchanged[0], exchanged[-1] + 1, LARGE_PAGE))
    assert (
        len(exchanged) >= SIZE // LARGE_PAGE - 1
    )  # what does not begin where a large page does has one less


@pytest.mark.skipif(
    not CHOICE.exists() or "[never]" in CHOICE.read_text() or systems_version() < (6, 1),
    reason="this system gives no large pages, or not for memory in use",
)
def test_small_pages_become_large_and_small_again(memory, large_pages):
    before = large_pages_in_use()
    for place in range(0, SIZE, SMALL_PAGE):
        memory._memory[place] = 1
    assert large_pages_in_use() == before
    finish(large_pages)
    assert large_pages_in_use() > before
    large_pages.begin_again()
    assert memory.first_bytes(SIZE) == (b"\1" + bytes(SMALL_PAGE - 1)) * (SIZE // SMALL_PAGE)


def test_a_python_that_has_no_names_for_large_pages_has_very_large_tables(monkeypatch):
    for name in ("MADV_HUGEPAGE", "MADV_NOHUGEPAGE"):
        monkeypatch.delattr(mmap, name, raising=False)
    table = TranspositionTable(RESIDENT // MEGABYTE + 1)
    table.begin_search()
    table._memory._memory[:SIZE] = b"\1" * SIZE
    table.end_search()
    table.clear()
    assert table._memory.first_bytes(SIZE).count(0) == SIZE


def test_a_very_large_table_works_only_while_a_search_runs():
    table = TranspositionTable(RESIDENT // MEGABYTE + 1)
    assert table._large_pages._thread is None
    table.begin_search()
    assert table._large_pages._thread is not None
    table.end_search()
    table._large_pages._join()
    assert not table._large_pages._is_done()
    table.begin_search()
    table.clear()
    assert table._large_pages._thread is None
    assert table._memory.first_bytes(SIZE).count(0) == SIZE


@pytest.mark.skipif(not hasattr(mmap, "MADV_NOHUGEPAGE"), reason="only Linux has them")
def test_only_pages_that_lie_in_the_memory_as_a_whole_become_large(monkeypatch):
    from bluekrait.core.memory.large_pages import LargePages  # not where there are none

    memory = mmap.mmap(-1, 3 * LARGE_PAGE + SMALL_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    pages = LargePages(memory)
    addresses = []
    monkeypatch.setattr(pages, "_exchange_one", addresses.append)
    pages.resume()
    pages._join()
    assert len(addresses) in (2, 3) and all(address % LARGE_PAGE == 0 for address in addresses)
    assert pages._address <= addresses[0] and addresses[-1] + LARGE_PAGE <= pages._address + len(memory)
