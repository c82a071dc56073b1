"""What is known about each technique."""

from typing import NamedTuple


class About(NamedTuple):
    """The inventor of a technique, and what it costs."""

    name: str
    inventor: str
    year: int
    reference: str
    table_bytes: int  # all that it reads: attacks, masks and numbers
    depends_on: str  # what the processor must be fast at
