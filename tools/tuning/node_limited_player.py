"""The engine with a node limit, asked for each move by Python: for the games that tune parameters.

It can be given other parameters in each game. Training data come from `search.self_play` instead, which plays
whole games in compiled code, always with the default parameters.
"""

from collections.abc import Mapping, Sequence

from bluekrait.core import native
from bluekrait.core.records import ONGOING, GameRecord
from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.search.evaluation.network.network_memory import NetworkMemory
from bluekrait.search.parameters import DEFAULTS
from bluekrait.search.scores import MAX_PLY
from bluekrait.search.thinking.worker import Worker
from bluekrait.search.transposition_memory import TranspositionTable
from bluekrait.tools.data.evaluation_choice import EvaluationChoice, chosen, network_of
from bluekrait.tools.data.formats.samples import DRAWN, LOST, WON

TABLE_MEGABYTES = 8  # enough for a few thousand nodes, and clearing it takes little time
HARD_LIMIT = 8  # times the soft one: where an iteration is cut off

LONGEST = 400  # plies, then it is a draw

WIN_SCORE, WIN_PLIES = 2500, 4  # in a row, and the game counts as won
DRAW_SCORE, DRAW_PLIES, DRAW_FROM = 12, 8, 80  # in a row from that ply on, and it counts as drawn


class NodeLimitedPlayer:
    """The engine with one thread and a soft limit of nodes for each move."""

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes
        self._entries = native.load(ENTRIES_MODULE)
        self._table = TranspositionTable(TABLE_MEGABYTES)
        self._worker = Worker(self._entries, DEFAULTS)
        self._evaluation: EvaluationChoice | None = None
        self.evaluate_by(chosen(None, {}))

    def evaluate_by(self, evaluation: EvaluationChoice) -> None:
        """Evaluate positions in this way. A ValueError if its network is another one now."""
        if evaluation != self._evaluation:
            network = network_of(evaluation)
            self._worker.use_network(network and NetworkMemory(network))
            self._evaluation = evaluation

    def set_parameters(self, values: Mapping[str, int]) -> None:
        """Search with these values of the parameters in `search.parameters`."""
        self._worker.set_parameters(values)

    def forget(self) -> None:
        """Forget all games so far."""
        self._table.clear()
        self._worker.forget()

    def think(self, game: GameRecord) -> tuple[int, int]:
        """The best move, and its score."""
        worker, record = self._worker, self._worker.record
        keys = game.history.keys[: game.history.count]
        self._table.begin_search()
        moves = self.legal_moves(game)
        worker.prepare(game.position, keys, moves, self._table, self._nodes * HARD_LIMIT)
        score = 0
        for depth in range(1, MAX_PLY):
            worker.run_iteration(depth, 1)
            if record.stop:
                break
            score = worker.root(0).score
            if record.nodes >= self._nodes:
                break
        return worker.root(0).move, score

    def legal_moves(self, game: GameRecord) -> list[int]:
        """The legal moves of a game, packed; none if it is over."""
        count = self._entries["legal_moves"](game)
        moves: list[int] = game.legal.moves[:count]
        return moves

    def play(self, game: GameRecord, move: int) -> None:
        """Make a move in a game."""
        game.move = move
        self._entries["play_move"](game)


def play_game(game: GameRecord, players: Sequence[NodeLimitedPlayer]) -> tuple[int, int]:
    """Let White and Black play a game to its end; the result for the side to move then, and the ply."""
    adjudicator = Adjudicator()
    while players[0].legal_moves(game):
        ply = game.position.ply
        player = players[ply & 1]
        move, score = player.think(game)
        result = DRAWN if is_drawn(game) else adjudicator.after(score, ply)
        if result is not None:
            return result, ply
        player.play(game, move)
    return LOST if game.checkers else DRAWN, game.position.ply


class Adjudicator:
    """Adjudicates games: ends them when the scores leave no doubt about the result."""

    def __init__(self) -> None:
        self._winning_plies = self._even_plies = 0
        self._sign = 0

    def after(self, score: int, ply: int) -> int | None:
        """The result for the side to move if it is clear after this score, else None."""
        sign = (1 if score > 0 else -1) * (-1 if ply & 1 else 1)
        is_winning = abs(score) >= WIN_SCORE
        self._winning_plies = self._winning_plies * (sign == self._sign) + 1 if is_winning else 0
        self._sign = sign
        self._even_plies = self._even_plies + 1 if abs(score) <= DRAW_SCORE and ply >= DRAW_FROM else 0
        if self._winning_plies >= WIN_PLIES:
            return WON if score > 0 else LOST
        return DRAWN if self._even_plies >= DRAW_PLIES else None


def is_drawn(game: GameRecord) -> bool:
    """True if a game that `legal_moves` has seen, and in which there are some, ends here."""
    return game.status != ONGOING or game.repetitions >= 2 or game.position.ply >= LONGEST
