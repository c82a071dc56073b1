"""Write `search/evaluation/classical/weights.py` in a readable layout."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from bluekrait.search.evaluation.classical import weights
from bluekrait.tools.common.files.own_output import check_own
from bluekrait.tools.common.files.whole_file import write_whole

# By name: a row for each slot, two numbers or (for dangers) one.
Terms: TypeAlias = Mapping[str, Sequence[Any]]
Groups: TypeAlias = Mapping[str, Terms]

IN_USE = weights.__file__
OWN_WEIGHTS = re.compile(rb"^WEIGHTS = \{", re.MULTILINE)

HEADER = '''\
"""The weights of the evaluation: points for the middle game and the end game; see `weight_layout`.

`bluekrait tune evaluation` writes this file.
"""

# fmt: off
WEIGHTS = {
'''
FOOTER = "}\n# fmt: on\n"
TABLES = {"place", "mobility"}
PAWN_SQUARES = slice(8, 56)
PER_LINE = 8  # a rank of the board, as White sees it with a1 first


def weights_text(groups: Groups) -> str:
    """The source of the module that holds these weights: rows of numbers by group and term."""
    return HEADER + "".join(_group_text(name, terms) for name, terms in groups.items()) + FOOTER


def check_weights(path: str) -> None:
    """ValueError if there is a file in the place of weights that holds none."""
    check_own(path, OWN_WEIGHTS)


def write_weights(groups: Groups, path: str) -> None:
    """Write weights; in the place `IN_USE`, the evaluation uses them from its next start on."""
    write_whole(path, weights_text(groups))


def centred(groups: Groups) -> Groups:
    """The same weights with tables around zero, so that the value of a piece is its average worth.

    That changes no score where every piece has one value, one place and, but for pawns, one mobility. Where a
    lone king is hunted (`mop_up`), values count alone, and scores change with them.
    """
    return {name: _centred_terms(name, terms) for name, terms in groups.items()}


def _centred_terms(name: str, terms: Terms) -> Terms:
    changed = dict(terms)
    used = PAWN_SQUARES if name == "pawn" else slice(None)
    for table in TABLES & terms.keys() if "value" in terms else ():
        rows = list(changed[table])
        shift = [round(sum(column) / len(column)) for column in zip(*rows[used])]
        rows[used] = [_sum(row, shift, -1) for row in rows[used]]
        changed[table], changed["value"] = rows, [_sum(changed["value"][0], shift, 1)]
    return changed


def _sum(row: Iterable[int], shift: Iterable[int], sign: int) -> tuple[int, ...]:
    return tuple(number + sign * step for number, step in zip(row, shift))


def _group_text(name: str, terms: Terms) -> str:
    body = "".join(f'        "{term}": {_rows_text(rows)},\n' for term, rows in terms.items())
    return f'    "{name}": {{\n{body}    }},\n'


def _rows_text(rows: Sequence[Any]) -> str:
    cells = [_cell(row) for row in rows]
    if len(cells) == 1:
        return f"({cells[0]},)"
    width = max(map(len, cells)) + 1
    lines = [cells[start : start + PER_LINE] for start in range(0, len(cells), PER_LINE)]
    body = "".join(f"            {' '.join(f'{cell},'.rjust(width) for cell in line)}\n" for line in lines)
    return f"(\n{body}        )"


def _cell(row: Any) -> str:
    return str(row) if isinstance(row, int) else f"({row[0]}, {row[1]})"
