"""The rows of `search.parameters` by their names, as they stand on a command line."""

from argparse import ArgumentTypeError

from bluekrait.search.parameters import PARAMETERS, Parameter
from bluekrait.uci.numbers import parse_whole

ROWS = {row.name: row for row in PARAMETERS}


def row_named(name: str) -> Parameter:
    """The row of that name."""
    if name not in ROWS:
        raise ArgumentTypeError(f"no parameter is called {name!r}, bluekrait parameters lists them")
    return ROWS[name]


def name_and_value(text: str) -> tuple[str, int]:
    """A parameter and a value within its bounds, from NAME=VALUE."""
    name, _, value = text.partition("=")
    row = row_named(name)
    try:
        return name, parse_whole(value, row.low, row.high)
    except ValueError as error:
        raise ArgumentTypeError(f"{name}: {error}") from None
