"""What the slider benchmark measures, in the words that all of its modules use."""

from typing import NamedTuple

RANDOM, GAMES = "random", "games"  # queen attacks, one slider at a time
SETS = "sets"  # all sliders of a side at once
MOVES = "moves"  # updating a rotated occupancy
LOWEST, HIGHEST, COUNT = "lowest_square", "highest_square", "popcount"

HERE, CPP = "here", "C++"  # where somebody was made


class Figure(NamedTuple):
    """How fast somebody is, and how that compares; a ratio is None where there is nobody to compare with."""

    section: str
    name: str
    made_in: str
    millions: float  # a second
    of_reference: float | None  # of the engine's own lookup, or of the processor's own instruction
