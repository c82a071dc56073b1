"""Self match: pairs of games from one opening, colours exchanged, between two sets of search parameters,
or two evaluations."""

import threading
from collections.abc import Mapping, Sequence

from bluekrait.core.notation.fen import parse_fen
from bluekrait.core.records import GameRecord, write_record
from bluekrait.search.engine import Engine, load_engine
from bluekrait.search.parameters import DEFAULTS
from bluekrait.search.playing.random_openings import balanced_openings
from bluekrait.tools.data.evaluation_choice import EvaluationChoice
from bluekrait.tools.data.formats.samples import DRAWN, LOST, WON
from bluekrait.tools.tuning.node_limited_player import TABLE_MEGABYTES, NodeLimitedPlayer, play_game

BALANCED = 250  # centipawns, or less, that an opening may favour one side by
OPENING_NODES = 4  # times those of a move, to judge an opening

_here = threading.local()


def play_pair(
    nodes: int, seed: str, one: Mapping[str, int], other: Mapping[str, int]
) -> tuple[int, int, int]:
    """Games that `one` has won, drawn and lost: two games, both from the opening that a seed leads to.

    `one` and `other` are parameters of the search that differ from the usual ones.
    """
    players = _players(nodes)
    for player, parameters in zip(players, (one, other)):
        player.set_parameters({**DEFAULTS, **parameters})
    ours = _results(players, _opening(seed, nodes))
    return ours.count(WON), ours.count(DRAWN), ours.count(LOST)


def play_pair_by(
    nodes: int, seed: str, one: EvaluationChoice, other: EvaluationChoice
) -> tuple[float, float]:
    """The points (1, 1/2, 0) of evaluation `one` in two games from the opening that a seed leads to."""
    players = _players(nodes)
    for player, evaluation in zip(players, (one, other)):
        player.evaluate_by(evaluation)
    first, second = _results(players, _opening(seed, nodes))
    return first / WON, second / WON


def _results(players: tuple[NodeLimitedPlayer, NodeLimitedPlayer], opening: GameRecord) -> list[int]:
    """How the first of two players does in two games from an opening, first with White, then with Black."""
    as_white, against_white = (_white_result(opening, pair) for pair in (players, players[::-1]))
    return [as_white, WON - against_white]


def _opening(seed: str, nodes: int) -> GameRecord:
    """The opening that a seed leads to, by the engine as it is."""
    if not hasattr(_here, "engine"):
        _here.engine = load_engine()
        _here.engine.set_hash(TABLE_MEGABYTES)
    engine: Engine = _here.engine
    game = GameRecord()
    fens = balanced_openings(engine, seed, nodes=nodes * OPENING_NODES, bound=BALANCED)
    write_record(game.position, parse_fen(next(fens)))
    return game


def _players(nodes: int) -> tuple[NodeLimitedPlayer, NodeLimitedPlayer]:
    """The two players of this thread."""
    if getattr(_here, "nodes", None) != nodes:
        _here.nodes, _here.players = nodes, (NodeLimitedPlayer(nodes), NodeLimitedPlayer(nodes))
    players: tuple[NodeLimitedPlayer, NodeLimitedPlayer] = _here.players
    return players


def _white_result(opening: GameRecord, players: Sequence[NodeLimitedPlayer]) -> int:
    """How White does against Black in a game from an opening."""
    for player in players:
        player.forget()
    result, ply = play_game(GameRecord.from_buffer_copy(opening), players)
    return WON - result if ply & 1 else result
