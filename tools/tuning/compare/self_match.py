"""Self match: pairs of games from one opening, colours exchanged, between two versions of the engine.

They differ in parameters of the search, or in how they evaluate. Whole games are played in compiled code.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bluekrait.search.evaluation.network.network_memory import NetworkMemory
from bluekrait.search.self_play.game_records import WON, GameHead
from bluekrait.search.self_play.players.rivals import Rivals
from bluekrait.search.self_play.players.searcher import TABLE_BYTES, Searcher
from bluekrait.tools.data.evaluation_choice import EvaluationChoice, chosen, network_of

TABLE_BYTES_A_NODE = 128  # so that the table of a long search is not too small for it


class Side(NamedTuple):
    """How one side searches: its evaluation, and the parameters that differ from the usual ones."""

    evaluation: EvaluationChoice
    parameters: Mapping[str, int] = {}


def play_pair(
    nodes: int, seed: int, pair: int, one: Side, other: Side, has_clock: bool = False
) -> tuple[bytes, bytes]:
    """Two games from one opening, as they stand in a file: first with `one` as White, then as Black."""
    players = _players(nodes, seed, one.evaluation, other.evaluation, has_clock)
    players.one.set_parameters(one.parameters)
    players.other.set_parameters(other.parameters)
    return players.rivals.play_pair(pair)


def results(games: Sequence[bytes]) -> list[int]:
    """How `one` did in the two games of a pair: LOST, DRAWN or WON."""
    as_white, against_white = (GameHead.from_buffer_copy(game).result for game in games)
    return [as_white, WON - against_white]


def number_of(game: bytes) -> int:
    """The number of a packed game."""
    return int(GameHead.from_buffer_copy(game).number)


class _Players(NamedTuple):
    one: Searcher
    other: Searcher
    rivals: Rivals


_here = threading.local()


def _players(
    nodes: int, seed: int, one: EvaluationChoice, other: EvaluationChoice, has_clock: bool
) -> _Players:
    """The players of this thread; new ones if the last match was another."""
    match = nodes, seed, one, other, has_clock
    if getattr(_here, "match", None) != match:
        own = chosen(None, {})  # the engine as it is judges the openings
        memories = {evaluation: _memory(evaluation) for evaluation in {own, one, other}}
        size = max(TABLE_BYTES, TABLE_BYTES_A_NODE * nodes)
        judge, first, second = (Searcher(memories[side], size) for side in (own, one, other))
        _here.players = _Players(first, second, Rivals(seed, nodes, judge, first, second, has_clock))
        _here.match = match
    players: _Players = _here.players
    return players


def _memory(evaluation: EvaluationChoice) -> NetworkMemory | None:
    network = network_of(evaluation)
    return NetworkMemory(network) if network else None
