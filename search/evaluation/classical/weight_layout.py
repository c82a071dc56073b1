"""Where the weights of each term stand: every number of `weights.WEIGHTS` has a slot, in reading order."""

from collections.abc import Mapping
from typing import TypeAlias, cast

from bluekrait.search.evaluation.classical.weights import WEIGHTS

DANGER = "king danger"  # the group whose weights add up to a danger, from which points are then worked out

# A number for king danger, points for the middle game and the end game for all other groups.
Row: TypeAlias = int | tuple[int, int]
Terms: TypeAlias = Mapping[str, tuple[Row, ...]]

_groups = cast(Mapping[str, Terms], WEIGHTS)
_places = [
    (group, term, row) for group, terms in _groups.items() for term, rows in terms.items() for row in rows
]
SLOTS = len(_places)
GROUPS = [group for group, _, _ in _places]  # by slot
MIDDLE_GAME = [row if isinstance(row, int) else row[0] for _, _, row in _places]  # by slot
END_GAME = [0 if isinstance(row, int) else row[1] for _, _, row in _places]  # by slot


def first_slot(group: str, term: str) -> int:
    """The slot of the first weight of a term."""
    return _FIRST[group, term]


_FIRST: dict[tuple[str, str], int] = {}
for _slot, (_group, _term, _) in enumerate(_places):
    _FIRST.setdefault((_group, _term), _slot)
