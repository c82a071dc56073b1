"""Self match: two sets of search parameters play pairs of games from one opening, colours exchanged."""

import random
import threading
from collections.abc import Mapping, Sequence

from bluekrait.core.records import GameRecord
from bluekrait.search.parameters import DEFAULTS
from bluekrait.tools.data.node_limited_player import NodeLimitedPlayer, play_game
from bluekrait.tools.data.samples import DRAWN, LOST, WON

_here = threading.local()


def play_pair(
    nodes: int, seed: str, one: Mapping[str, int], other: Mapping[str, int]
) -> tuple[int, int, int]:
    """Games that `one` has won, drawn and lost: two games, both from the opening that a seed leads to.

    `one` and `other` are parameters of the search that differ from the usual ones.
    """
    players = _players(nodes)
    players[0].set_parameters(DEFAULTS)
    opening = players[0].opening(random.Random(seed))
    for player, parameters in zip(players, (one, other)):
        player.set_parameters({**DEFAULTS, **parameters})
    whites = [_white_result(opening, pair) for pair in (players, players[::-1])]
    ours = [whites[0], WON - whites[1]]
    return ours.count(WON), ours.count(DRAWN), ours.count(LOST)


def _players(nodes: int) -> tuple[NodeLimitedPlayer, NodeLimitedPlayer]:
    """The two players of this thread."""
    if getattr(_here, "nodes", None) != nodes:
        _here.nodes, _here.players = nodes, (NodeLimitedPlayer(nodes), NodeLimitedPlayer(nodes))
    return _here.players


def _white_result(opening: GameRecord, players: Sequence[NodeLimitedPlayer]) -> int:
    """How White does against Black in a game from an opening."""
    for player in players:
        player.forget()
    result, ply = play_game(GameRecord.from_buffer_copy(opening), players)
    return WON - result if ply & 1 else result
