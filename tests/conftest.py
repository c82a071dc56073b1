"""What tests of several files are given."""

import os
import signal
import subprocess
import sys

import hypothesis
import pytest

from helpers.processes.conversation import Conversation

# Tests begun in the background ignore interrupts, under nohup the end of the terminal, as does all that they
# start: here they must be heard.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# What is printed and not flushed must be missed.
os.environ.pop("PYTHONUNBUFFERED", None)

# A busy machine is no reason to fail.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

# Fixtures that take long and are made once: pytest-xdist leaves the tests that share one in one process.
SHARED_FIXTURES = {
    "announced",
    "board",
    "compiled",
    "interpreted",
    "journal",
    "measured",
    "original",
    "played",
    "site",
    "workers",
}
SHARED_IN_FOLDER = {"original"}  # by the modules of a folder; the others by the tests of a module
LONG = 100  # characters of a parameter that is named by its length


def pytest_make_parametrize_id(val, argname):
    """Name long parameters by their length: a test's name is in the environment of all that it starts."""
    return f"{argname}-{len(val)}" if isinstance(val, (str, bytes)) and len(val) > LONG else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Put the tests that share an expensive fixture in one group."""
    for item in items:
        for name in sorted(SHARED_FIXTURES & set(item.fixturenames)):
            place = item.path.parent.name if name in SHARED_IN_FOLDER else item.module.__name__
            item.add_marker(pytest.mark.xdist_group(f"{place}.{name}"))


@pytest.fixture(scope="session", autouse=True)
def tidiness():
    """No test leaves anything in the working directory."""
    before = set(os.listdir())
    yield
    left = {name for name in set(os.listdir()) - before if not name.startswith(".")}
    assert not left, f"left in {os.getcwd()}: {', '.join(sorted(left))}"


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
