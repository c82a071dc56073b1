"""Waiting for what other threads and processes do, however slow the machine is."""

from time import monotonic, sleep

PATIENCE = 60  # seconds; nothing is timed, this only keeps a hanging test from hanging for ever


def wait_until(condition):
    """What a condition returns as soon as it holds; an AssertionError if it never does."""
    deadline = monotonic() + PATIENCE
    while not (outcome := condition()):
        assert monotonic() < deadline
        sleep(0.01)
    return outcome
