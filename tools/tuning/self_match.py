"""Two ways to search, and who plays better: pairs of games from one opening, colours exchanged."""

import random
import threading

from bluekrait.core.records import GameRecord
from bluekrait.search.parameters import DEFAULTS
from bluekrait.tools.data.samples import WON
from bluekrait.tools.data.self_play_game import Player, play_out

_here = threading.local()


def play_pair(nodes, seed, one, other):
    """Games that `one` has won, drawn and lost: two games, both from the opening that a seed leads to.

    `one` and `other` are parameters of the search that differ from the usual ones.
    """
    players = _players(nodes)
    players[0].set_parameters(DEFAULTS)
    opening = players[0].opening(random.Random(seed))
    for player, parameters in zip(players, (one, other)):
        player.set_parameters(DEFAULTS | parameters)
    whites = [_white_result(opening, pair) for pair in (players, players[::-1])]
    ours = [whites[0], WON - whites[1]]
    return tuple(ours.count(result) for result in (2, 1, 0))


def _players(nodes):
    """The two players of this thread."""
    if getattr(_here, "nodes", None) != nodes:
        _here.nodes, _here.players = nodes, (Player(nodes), Player(nodes))
    return _here.players


def _white_result(opening, players):
    """How White does against Black in a game from an opening."""
    for player in players:
        player.forget()
    result, ply = play_out(GameRecord.from_buffer_copy(opening), players)
    return WON - result if ply & 1 else result
