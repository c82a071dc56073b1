"""Files that are too large to be read, and whether they were read nevertheless."""

import tracemalloc
from contextlib import contextmanager

HUGE = 2 << 30  # bytes
LITTLE = 64 << 20


def sparse_file(path, beginning=b""):
    """Make a huge file that begins so and goes on with zeros. It takes hardly any room on the disk."""
    with open(path, "wb") as file:
        file.write(beginning)
        file.truncate(HUGE)


@contextmanager
def little_memory():
    """Nothing inside may take as much memory as a huge file."""
    tracemalloc.start()
    try:
        yield
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < LITTLE
