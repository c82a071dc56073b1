"""Blocks of tables: one of each for all threads, since code that is linked keeps its address."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from bluekrait.core.compiler import cache, linker
from bluekrait.core.sliders import technique_tables
from bluekrait.core.tables import table_block
from helpers.waiting import PATIENCE


@pytest.mark.parametrize(
    "block",
    [table_block.block, lambda: technique_tables.block("kindergarten", bytes)],
    ids=["engine", "technique"],
)
def test_threads_that_want_a_block_at_the_same_time_are_given_the_same(monkeypatch, block):
    both_found_none = Barrier(2, timeout=PATIENCE)

    def read(*file):
        both_found_none.wait()
        return bytes(64)

    monkeypatch.setattr(cache, "read", read)
    monkeypatch.setattr(linker, "_blocks", {})
    monkeypatch.setattr(linker, "_llvm_is_told", False)
    monkeypatch.setattr(table_block, "_block", None)
    monkeypatch.setattr(technique_tables, "_blocks", {})
    monkeypatch.delenv("BLUEKRAIT_SLIDERS", raising=False)
    with ThreadPoolExecutor() as threads:
        first, second = threads.map(lambda _: block(), range(2))
    assert first is second
    assert list(linker._blocks.values()) == [first]
