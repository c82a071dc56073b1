"""Waiting for what other threads and processes do, however slow the machine is."""

from time import monotonic, sleep

PATIENCE = 60  # seconds after which something has gone wrong


def wait_until(condition):
    """Return as soon as a condition holds; an AssertionError if it never does."""
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline
        sleep(0.01)
