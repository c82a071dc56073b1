"""Writing `search/evaluation/classical/weights.py`, so that people can read it too."""

import os

from bluekrait.search.evaluation.classical import weights

IN_USE = weights.__file__

HEADER = '''\
"""The weights of the evaluation: points for the middle game and the end game; see `layout`.

`tools.tuning.tune_command` writes this file.
"""

# fmt: off
WEIGHTS = {
'''
FOOTER = "}\n# fmt: on\n"
TABLES = {"place", "mobility"}
PAWN_SQUARES = slice(8, 56)
PER_LINE = 8  # a rank of the board, as White sees it with a1 first


def weights_text(groups):
    """The source of the module that holds these weights: rows of numbers by group and term."""
    return HEADER + "".join(_group_text(name, terms) for name, terms in groups.items()) + FOOTER


def write_weights(groups, path=IN_USE):
    """Write weights; by default those that the evaluation uses from the next start on."""
    draft = f"{path}.draft"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(weights_text(groups))
    os.replace(draft, path)


def check_place(path):
    """An OSError if weights cannot be written there: better told before they are found."""
    draft = f"{path}.draft"
    open(draft, "w").close()
    os.unlink(draft)


def centred(groups):
    """The same weights with tables around zero, so that the value of a piece is what it is worth on average.

    That changes no score: every piece has one value, one place and, but for pawns, one mobility.
    """
    return {name: _centred_terms(name, terms) for name, terms in groups.items()}


def _centred_terms(name, terms):
    terms = dict(terms)
    used = PAWN_SQUARES if name == "pawn" else slice(None)
    for table in TABLES & terms.keys() if "value" in terms else ():
        rows = list(terms[table])
        shift = [round(sum(column) / len(column)) for column in zip(*rows[used])]
        rows[used] = [_sum(row, shift, -1) for row in rows[used]]
        terms[table], terms["value"] = rows, [_sum(terms["value"][0], shift, 1)]
    return terms


def _sum(row, shift, sign):
    return tuple(number + sign * step for number, step in zip(row, shift))


def _group_text(name, terms):
    body = "".join(f'        "{term}": {_rows_text(rows)},\n' for term, rows in terms.items())
    return f'    "{name}": {{\n{body}    }},\n'


def _rows_text(rows):
    cells = [_cell(row) for row in rows]
    if len(cells) == 1:
        return f"({cells[0]},)"
    width = max(map(len, cells)) + 1
    lines = [cells[start : start + PER_LINE] for start in range(0, len(cells), PER_LINE)]
    body = "".join(f"            {' '.join(f'{cell},'.rjust(width) for cell in line)}\n" for line in lines)
    return f"(\n{body}        )"


def _cell(row):
    return str(row) if isinstance(row, int) else f"({row[0]}, {row[1]})"
