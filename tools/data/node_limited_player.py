"""The engine with a node limit, asked for each move by Python: for games that tune parameters, and for
openings.

It can be given other parameters in each game. Training data come from `search.self_play` instead, which plays
whole games in compiled code, always with the default parameters.
"""

import random
from collections.abc import Mapping, Sequence

from bluekrait.core import native
from bluekrait.core.board import Board, Position
from bluekrait.core.notation.fen import STARTING_FEN, parse_fen
from bluekrait.core.records import GameRecord, read_record, write_record
from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.search.evaluation.network import package
from bluekrait.search.evaluation.network.memory import NetworkMemory
from bluekrait.search.parameters import DEFAULTS
from bluekrait.search.scores import MAX_PLY
from bluekrait.search.thinking.worker import Worker
from bluekrait.search.transposition_memory import TranspositionTable
from bluekrait.tools.data.samples import DRAWN, LOST, WON

TABLE_MEGABYTES = 8  # enough for a few thousand nodes, and clearing it takes little time
HARD_LIMIT = 8  # times the soft one: where an iteration is cut off

OPENING_PLIES = (8, 9)
BALANCED = 250  # centipawns, or less, that an opening may favour one side by
OPENING_NODES = 4  # times those of a move, to judge an opening

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
        network = package.network()
        self._worker.use_network(network and NetworkMemory(network))

    def opening(self, rng: random.Random) -> GameRecord:
        """A position after some random moves that favours neither side by much."""
        while True:
            game, score = self.try_opening(rng, rng.choice(OPENING_PLIES), self._nodes * OPENING_NODES)
            if game and abs(score) <= BALANCED:
                return game

    def try_opening(self, rng: random.Random, plies: int, nodes: int) -> tuple[GameRecord | None, int]:
        """A position after some random moves, and its score; None and 0 if the game was over before."""
        self.forget()
        game = self._random_opening(rng, plies)
        return (game, self._think(game, nodes)[1]) if game else (None, 0)

    def _random_opening(self, rng: random.Random, plies: int) -> GameRecord | None:
        game = GameRecord()
        write_record(game.position, parse_fen(STARTING_FEN))
        for _ in range(plies):
            moves = self.legal_moves(game)
            if not moves:
                return None
            self.play(game, rng.choice(moves))
        return game if self.legal_moves(game) else None

    def set_parameters(self, values: Mapping[str, int]) -> None:
        """Search with these values of the parameters in `search.parameters`."""
        self._worker.set_parameters(values)

    def forget(self) -> None:
        """Forget all games so far."""
        self._table.clear()
        self._worker.forget()

    def think(self, game: GameRecord) -> tuple[int, int]:
        """The best move, and its score."""
        return self._think(game, self._nodes)

    def _think(self, game: GameRecord, nodes: int) -> tuple[int, int]:
        worker, record = self._worker, self._worker.record
        keys = game.history.keys[: game.history.count]
        self._table.begin_search()
        moves = self.legal_moves(game)
        worker.prepare(read_record(game.position), keys, moves, self._table, nodes * HARD_LIMIT)
        score = 0
        for depth in range(1, MAX_PLY):
            worker.run_iteration(depth, 1)
            if record.stop:
                break
            score = worker.root(0).score
            if record.nodes >= nodes:
                break
        return worker.root(0).move, score

    def legal_moves(self, game: GameRecord) -> list[int]:
        """The legal moves of a game, packed; none if it is over."""
        count = self._entries["survey"](game)
        moves: list[int] = game.legal.moves[:count]
        return moves

    def play(self, game: GameRecord, move: int) -> None:
        """Make a move in a game."""
        game.move = move
        self._entries["play"](game)


def play_game(game: GameRecord, players: Sequence[NodeLimitedPlayer]) -> tuple[int, int]:
    """Let White and Black play a game to its end; the result for the side to move then, and the ply."""
    adjudicator = Adjudicator()
    while players[0].legal_moves(game):
        player = players[game.position.ply & 1]
        move, score = player.think(game)
        position = read_record(game.position)
        result = DRAWN if is_drawn(game, position) else adjudicator.after(score, position.ply)
        if result is not None:
            return result, position.ply
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


def is_drawn(game: GameRecord, position: Position) -> bool:
    """True if the rules end the game here, the side to move not being mated."""
    too_little = is_insufficient_material(position.board)
    return position.clock >= 100 or game.repetitions >= 2 or too_little or position.ply >= LONGEST


def is_insufficient_material(board: Board) -> bool:
    """True if neither side has more than a minor piece in all."""
    return not board.pawns | board.orthogonals and (board.diagonals | board.knights).bit_count() <= 1
