"""The numbers that shape the search: one row each, of which UCI options and tuners are made."""

import re

import pytest

from bluekrait.search.limits import Limits
from bluekrait.search.parameters import DEFAULTS, PARAMETERS
from bluekrait.uci.options.option_table import (
    OPTIONS,
    OptionError,
    announced,
    find_option,
    parse_value,
    tunable,
)
from helpers.support import engine

each_parameter = pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda parameter: parameter.name)


@each_parameter
def test_its_row_makes_sense(parameter):
    assert parameter.low <= parameter.value <= parameter.high
    assert 0 < parameter.step <= parameter.high - parameter.low
    assert re.fullmatch("[a-z_]+", parameter.name)


def names(options):
    return [option.name for option in options]


@each_parameter
def test_it_is_an_option_that_only_tuners_are_told_of(parameter, monkeypatch):
    option = find_option(parameter.name.upper())
    assert option.name in names(tunable()) and option.name not in names(OPTIONS)
    assert option.name not in names(announced())
    monkeypatch.setenv("BLUEKRAIT_TUNE", "1")
    assert option.name in names(announced())
    assert parse_value(option, str(parameter.high)) == parameter.high
    with pytest.raises(OptionError):
        parse_value(option, str(parameter.high + 1))


def test_changing_one_changes_the_search_and_changing_it_back_does_too():
    def nodes():
        engine().new_game()
        engine().set_position(None, [])
        return engine().go(Limits(depth=9)).lines[0].nodes

    before = nodes()
    engine().set_parameter("reduction_base", 200)
    other = nodes()
    engine().set_parameter("reduction_base", DEFAULTS["reduction_base"])
    assert nodes() == before != other
