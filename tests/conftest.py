"""What tests of several files are given."""

import signal
import subprocess
import sys

import pytest

from helpers.conversation import Conversation

# Tests begun in the background ignore interrupts, as does all that they start: here they must be heard.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def warm_cache():
    """Have everything compiled, so that no test meets a compiler it does not expect."""
    subprocess.run([sys.executable, "-m", "bluekrait.uci", "warmup"], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def talk(warm_cache):
    """Start conversations, and end the processes that a failed test leaves behind."""
    begun = []

    def begin(*arguments, **streams):
        begun.append(Conversation(*arguments, **streams))
        return begun[-1]

    yield begin
    for conversation in begun:
        conversation.process.kill()
        conversation.process.wait()
