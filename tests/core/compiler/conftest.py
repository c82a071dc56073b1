"""Engines for the tests of this folder, compiled once for all of them."""

import shutil
from pathlib import Path

import pytest

from bluekrait.core.compiler.processor import is_interpreted
from helpers.paths import ROOT
from helpers.processes.copies import WARMUP, Installation


def pytest_collection_modifyitems(items):
    """The first test that needs the compiler waits until everything is compiled."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(900))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """Before an engine is made for a test."""
    if is_interpreted():
        pytest.skip("nothing is compiled")


@pytest.fixture(scope="session")
def original(tmp_path_factory):
    """An engine that has just been compiled, cold; tests use copies of it."""
    installation = Installation(tmp_path_factory.mktemp("original")).furnish(ROOT)
    code, output, errors = installation.run(*WARMUP)
    assert code == 0, errors
    assert output.startswith("ready after ")
    return installation


@pytest.fixture
def cold(original, tmp_path):
    """An engine that was never started."""
    return Installation(tmp_path).furnish(original.sources / "bluekrait")


@pytest.fixture
def warm(original, cold):
    """An engine that was compiled elsewhere, with an equal cache."""
    shutil.copytree(original.cache, cold.cache)
    return cold
