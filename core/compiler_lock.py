"""One process compiles, and others that want the same code wait for it: a match begins with several engines.

The lock is on a file beside the compiled code, which is named after the sources: two versions of the engine
do not wait for each other. It ends with the process that has it. Who has it writes down how far it is, for
those who wait. Where no code can be kept, or the file system has no locks, everybody compiles.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import IO, Any

from bluekrait.core.compiler import cache
from bluekrait.core.file_lock import SECONDS_BETWEEN_ATTEMPTS, try_lock

Progress = Callable[[int, int, str], None]

ELSEWHERE = "in another process"
MOST_BYTES = 40  # of two numbers
PATIENCE = 120.0  # seconds without news, after which the other process is thought to be stopped


@contextlib.contextmanager
def waiting_for_others(module: str, on_progress: Progress | None) -> Iterator[Progress]:
    """Wait as long as another process compiles the entries of a module; what to call with one's own progress.

    Who had to wait does not have the lock afterwards. If the other process could not keep what it compiled,
    those who waited for it do not wait for each other, too.
    """
    tell = on_progress or (lambda done, total, what: None)
    has_lock = False
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            path = os.path.join(cache.place_to_keep(), cache.file_name(f"{module}.lock", module))
            file = stack.enter_context(open(path, "a+b", buffering=0))
            has_lock = try_lock(file)
            if not has_lock:
                _wait(file, tell)
                stack.close()  # so that the others who wait are next
        try:
            yield _noting(file, tell) if has_lock else tell
        finally:
            if has_lock:
                with contextlib.suppress(OSError):  # Windows removes no open file
                    os.unlink(file.name)


def _wait(file: IO[Any], tell: Progress) -> None:
    """Wait for the lock, and tell how far the process is that has it."""
    news, since = b"", time.monotonic()
    while not try_lock(file) and time.monotonic() - since < PATIENCE:
        file.seek(0)
        latest = file.read(MOST_BYTES)
        if latest != news:
            news, since = latest, time.monotonic()
            with contextlib.suppress(ValueError):  # it is being written
                done, total = map(int, news.split())
                tell(done, total, ELSEWHERE)
        time.sleep(SECONDS_BETWEEN_ATTEMPTS)


def _noting(file: IO[Any], tell: Progress) -> Progress:
    """Tells one's own progress, and those who wait."""

    def note(done: int, total: int, what: str) -> None:
        with contextlib.suppress(OSError):
            file.truncate(0)
            file.write(b"%d %d" % (done, total))
        tell(done, total, what)

    return note
