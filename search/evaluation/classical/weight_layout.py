"""Where the weights of each term stand: every number of `weights.WEIGHTS` has a slot, in reading order."""

from bluekrait.search.evaluation.classical.weights import WEIGHTS

DANGER = "king danger"  # the group whose weights add up to a danger, from which points are then worked out

_places = [
    (group, term, row) for group, terms in WEIGHTS.items() for term, rows in terms.items() for row in rows
]
SLOTS = len(_places)
GROUPS = [group for group, _, _ in _places]  # by slot
MIDDLE_GAME = [row if group == DANGER else row[0] for group, _, row in _places]  # by slot
END_GAME = [0 if group == DANGER else row[1] for group, _, row in _places]  # by slot


def first_slot(group, term):
    """The slot of the first weight of a term."""
    return _FIRST[group, term]


_FIRST = {}
for _slot, (_group, _term, _) in enumerate(_places):
    _FIRST.setdefault((_group, _term), _slot)
