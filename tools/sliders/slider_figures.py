"""The sections of the slider benchmark, and its figures."""

from typing import NamedTuple, TypeAlias

RANDOM, GAMES = "random", "games"  # queen attacks, one slider at a time
SETS = "sets"  # all sliders of a side at once
MOVES = "moves"  # updating a rotated occupancy
LOWEST, HIGHEST, COUNT = "lowest_square", "highest_square", "popcount"

HERE, CPP = "here", "C++"  # which program a candidate belongs to

Key: TypeAlias = tuple[str, str, str]  # section, name, made in


class Figure(NamedTuple):
    """The speed of a candidate, and its ratio to the reference; None where there is no reference."""

    section: str
    name: str
    made_in: str
    millions: float  # a second
    of_reference: float | None  # of the engine's own lookup, or of the processor's own instruction
