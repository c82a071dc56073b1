"""What stands beside each exhibit."""

from typing import NamedTuple


class Card(NamedTuple):
    """Whose idea a technique was, and what it costs."""

    name: str
    inventor: str
    year: int
    reference: str
    table_bytes: int  # all that it reads: attacks, masks and numbers
    leans_on: str  # what the machine must be good at
