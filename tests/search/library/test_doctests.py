"""The examples in the documentation of the library are run."""

import doctest
from importlib import import_module

import pytest

import bluekrait
from helpers.paths import ROOT

MODULES = sorted(path.stem for path in (ROOT / "search" / "library").glob("[a-z]*.py"))
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name):
    module = import_module(f"bluekrait.search.library.{name}")
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0


def test_examples_of_the_guide():
    guide = ROOT / "docs" / "library.md"
    result = doctest.testfile(str(guide), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 10


@pytest.mark.parametrize(
    "name", ["Engine", "Position", "Search", "Options", "Move", "Line", "Result", "Evaluation"]
)
def test_public_names_have_examples(name):
    found = doctest.DocTestFinder(recurse=False).find(getattr(bluekrait, name), name)
    assert found[0].examples, f"{name} has no example"


def test_every_public_name_exists_and_is_documented():
    for name in bluekrait.__all__:
        assert getattr(bluekrait, name)
        assert name == "__version__" or getattr(bluekrait, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = bluekrait.nothing


def test_public_names_are_listed_for_help_and_completion():
    assert set(bluekrait.__all__) <= set(dir(bluekrait))
