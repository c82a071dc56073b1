"""What a position is worth without a search, in the centipawns in which searches tell their scores.

Inside, scores have other units: how many of them are a pawn depends on the pieces that are left. The search
also weights what a network says by material.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core.board import all_pieces
from bluekrait.core.notation.san_and_uci import square_name
from bluekrait.search.library.results import Evaluation, Term
from bluekrait.search.scores import MATERIAL_SCALE_BASE, MATERIAL_SCALE_UNIT
from bluekrait.search.thinking.win_rate import middle_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bluekrait.core.board import Position
    from bluekrait.search.evaluation.classical.explain import TermRow


def evaluation_of(
    position: Position,
    rows: Sequence[TermRow],
    classical: int,
    network: tuple[int, Mapping[int, int]] | None,
    uses_network: bool,
) -> Evaluation:
    """The evaluation, from what both kinds say in their own units; None for a network that says nothing."""
    turn, pieces = position.ply & 1, all_pieces(position.board).bit_count()
    unit = 100 / middle_of(pieces)
    network_unit = unit * (MATERIAL_SCALE_BASE + pieces) / MATERIAL_SCALE_UNIT
    terms = {
        row.group: Term(
            row.group,
            (round(unit * row.own_middle_game), round(unit * row.own_end_game)),
            (round(unit * row.enemy_middle_game), round(unit * row.enemy_end_game)),
        )
        for row in rows
    }
    by_terms = round(unit * classical)
    by_network = None if network is None else round(network_unit * network[0])
    worths = network[1] if network else {}
    return Evaluation(
        by_terms if by_network is None or not uses_network else by_network,
        by_terms,
        terms,
        by_network,
        {square_name(square, turn): round(network_unit * worth) for square, worth in worths.items()},
    )
