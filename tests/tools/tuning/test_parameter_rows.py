"""Numbers of the search on a command line: their names, and the bounds of their values."""

from argparse import ArgumentTypeError

import pytest

from bluekrait.search.parameters import PARAMETERS
from bluekrait.tools.tuning.compare.parameter_rows import name_and_value, row_named


def test_every_number_is_found_by_its_name():
    assert [row_named(row.name) for row in PARAMETERS] == list(PARAMETERS)
    with pytest.raises(ArgumentTypeError, match="no parameter is called 'razor', bluekrait parameters"):
        row_named("razor")


@pytest.mark.parametrize("row", PARAMETERS, ids=lambda row: row.name)
def test_a_value_lies_within_the_bounds_of_its_row(row):
    for value in (row.low, row.high):
        assert name_and_value(f"{row.name}={value}") == (row.name, value)
    for value in (row.low - 1, row.high + 1, "", "many", "1=1"):
        with pytest.raises(ArgumentTypeError, match=f"^{row.name}: "):
            name_and_value(f"{row.name}={value}")
