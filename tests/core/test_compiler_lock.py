"""One process compiles, others wait: the lock alone. `compiler/test_start_up.py` has real processes."""

import os
from threading import Event, Thread

import pytest

from bluekrait.core import compiler_lock
from bluekrait.core.compiler import cache
from bluekrait.core.compiler_lock import ELSEWHERE, waiting_for_others

MODULE = "bluekrait.core.rules_entries"
PATIENCE = 60  # seconds


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The directory for compiled code, which is another one than usual."""
    monkeypatch.setenv("BLUEKRAIT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiler_lock, "SECONDS_BETWEEN_ATTEMPTS", 0.01)
    return tmp_path / cache.fingerprint()


class Waiting:
    """Somebody who asks for the lock in a thread; what was told, and whether the end was reached."""

    def __init__(self):
        self.told, self.news, self.is_through = [], Event(), Event()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self):
        with waiting_for_others(MODULE, self._on_progress) as progress:
            self.is_through.set()
            progress(9, 9, "own")

    def _on_progress(self, *progress):
        self.told.append(progress)
        self.news.set()

    def join(self):
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


def test_who_is_alone_does_not_wait_and_leaves_nothing(place):
    told = []
    with waiting_for_others(MODULE, lambda *progress: told.append(progress)) as progress:
        progress(1, 3, "movegen")
        (lock,) = place.iterdir()
        assert lock.read_text() == "1 3"
        progress(2, 3, "make")
        assert lock.read_text() == "2 3"
    assert told == [(1, 3, "movegen"), (2, 3, "make")]
    assert not any(place.iterdir())


def test_nobody_need_be_told(place):
    with waiting_for_others(MODULE, None) as progress:
        progress(1, 3, "movegen")


def test_the_second_waits_and_is_told_how_far_the_first_is(place):
    with waiting_for_others(MODULE, None) as progress:
        progress(4, 10, "movegen")
        second = Waiting()
        assert second.news.wait(PATIENCE)
        assert second.told == [(4, 10, ELSEWHERE)]
        assert not second.is_through.is_set()
    second.join()
    assert second.told == [(4, 10, ELSEWHERE), (9, 9, "own")]


def test_those_who_waited_do_not_wait_for_each_other(place):
    with waiting_for_others(MODULE, None) as progress:
        progress(4, 10, "movegen")
        second = Waiting()
        assert second.news.wait(PATIENCE)
    with waiting_for_others(MODULE, None):  # as long as this lasts
        second.join()


def test_the_lock_ends_with_an_exception(place):
    with pytest.raises(KeyboardInterrupt), waiting_for_others(MODULE, None):
        raise KeyboardInterrupt
    assert not any(place.iterdir())
    Waiting().join()


def test_other_entries_have_another_lock(place):
    with waiting_for_others(MODULE, None), waiting_for_others("bluekrait.search.engine_entries", None):
        assert len(list(place.iterdir())) == 2


def test_another_version_has_another_lock(place, monkeypatch):
    with waiting_for_others(MODULE, None):
        monkeypatch.setattr(cache.source_digests, "digest_of", lambda *modules: "0123456789abcdef")
        with waiting_for_others(MODULE, None):
            assert len(list(place.iterdir())) == 2


def test_a_process_that_has_stopped_is_not_waited_for(place, monkeypatch):
    monkeypatch.setattr(compiler_lock, "PATIENCE", 0.05)
    with waiting_for_others(MODULE, None):
        Waiting().join()


def test_where_nothing_can_be_kept_nobody_waits(monkeypatch):
    def nowhere():
        raise FileNotFoundError

    monkeypatch.setattr(cache, "place_to_keep", nowhere)
    with waiting_for_others(MODULE, None):
        Waiting().join()


def test_a_file_system_without_locks(place, monkeypatch):
    def no_locks(file):
        raise OSError("No locks available")

    monkeypatch.setattr(compiler_lock, "try_lock", no_locks)
    with waiting_for_others(MODULE, None) as progress:
        progress(1, 3, "movegen")
        Waiting().join()


def test_what_is_in_the_file_before_the_first_number_is_not_told(place):
    with waiting_for_others(MODULE, None) as progress:
        (lock,) = place.iterdir()
        lock.write_bytes(b"rubbish")
        second = Waiting()
        assert not second.news.wait(0.1)
        progress(4, 10, "movegen")
        assert second.news.wait(PATIENCE)
    second.join()
    assert second.told[0] == (4, 10, ELSEWHERE)


@pytest.mark.skipif(os.name != "posix", reason="only there it can be seen that the file was removed")
def test_a_lock_that_was_left_behind_is_taken(place):
    with waiting_for_others(MODULE, None):
        (lock,) = place.iterdir()
    lock.write_bytes(b"5 10")  # by a process that was killed
    with waiting_for_others(MODULE, None) as progress:
        progress(1, 3, "movegen")
        assert lock.read_text() == "1 3"
    assert not lock.exists()
