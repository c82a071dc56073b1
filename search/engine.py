"""The engine as a front end sees it: a position, what can be asked about it, and `stop`.

It reports by values and callbacks, prints nothing, and needs neither Numba nor NumPy once compiled.
"""

from typing import NamedTuple

from bluekrait.core import native
from bluekrait.core.board import all_pieces
from bluekrait.core.compiler.shared_memory import HashTable
from bluekrait.core.counting.perft_threads import Perft
from bluekrait.core.generators.registry import with_perft
from bluekrait.core.move import NO_MOVE
from bluekrait.core.notation.fen import STARTING_FEN, FenError, board_text, format_fen, parse_fen
from bluekrait.core.notation.san_and_uci import MoveError, move_from_uci, square_name
from bluekrait.core.records import GameRecord, read_record, write_record
from bluekrait.core.tables.geometry import squares
from bluekrait.search.evaluation.classical.evaluation_records import EvaluationDesk
from bluekrait.search.evaluation.classical.explain import rows_of, traced_score
from bluekrait.search.evaluation.network import package
from bluekrait.search.evaluation.network.memory import NetworkMemory
from bluekrait.search.evaluation.network.network_file import NetworkError
from bluekrait.search.evaluation.network.worths import piece_worths
from bluekrait.search.limits import Settings
from bluekrait.search.parameters import DEFAULTS
from bluekrait.search.reports import EXACT, Choice, Line, Score
from bluekrait.search.thinking.evaluator import Evaluator
from bluekrait.search.thinking.lazy_smp import Thinking
from bluekrait.search.thinking.worker import Worker
from bluekrait.search.transposition_memory import Table

ENTRIES_MODULE = "bluekrait.search.engine_entries"
DEFAULT_MEGABYTES = 16  # of the transposition table


class PositionError(ValueError):
    """A malformed FEN or an illegal move; the message says which."""


class Description(NamedTuple):
    """The current position in words."""

    fen: str
    shredder: str
    key: int
    checkers: list
    diagram: str
    repetitions: int  # how often the position occurred before


class Engine:
    """One position, and the compiled rules to ask about it."""

    def __init__(self, entries):
        self.chess960 = False
        self._entries = entries
        self._perft = None
        self._thinking = None
        self._table = None
        self._library = None
        self._workers = []
        self._network = None
        self._is_classical = False
        self.network_problem = ""  # why the network of the package is not used
        self._load_network_of_package()
        self._parameters = dict(DEFAULTS)
        self._game = "", []
        self.set_position(None, [])

    @property
    def turn(self):
        """The side to move."""
        return self.position.ply & 1

    def set_position(self, fen, moves):
        """Set up a FEN, None for the starting position, and play moves in UCI notation from there.

        Raises PositionError, and keeps the old position, if anything is wrong with either.
        """
        game, played = self._known_beginning(fen, moves)
        for text in moves[played:]:
            turn = game.position.ply & 1
            try:
                game.move = move_from_uci(text, self._legal_moves(game), turn)
            except MoveError as error:
                raise PositionError(str(error)) from None
            self._entries["play"](game)
        self._record, self.position = game, read_record(game.position)
        self._game = fen, list(moves)

    def _known_beginning(self, fen, moves):
        """A record to go on from, and how many of the moves are already played in it.

        While a game goes on, each time the moves are those of the time before and one or two more.
        """
        known_fen, known = self._game
        if fen == known_fen and list(moves[: len(known)]) == known:
            return GameRecord.from_buffer_copy(self._record), len(known)
        try:
            position = parse_fen(STARTING_FEN if fen is None else fen)
        except FenError as error:
            raise PositionError(f"bad FEN: {error}") from None
        game = GameRecord()
        write_record(game.position, position)
        return game, 0

    def legal_moves(self):
        """The legal moves, packed."""
        return self._legal_moves(self._record)

    def describe(self):
        """The current position as FEN, key, checkers and diagram."""
        self.legal_moves()
        checkers = [square_name(square, self.turn) for square in squares(self._record.checkers)]
        return Description(
            format_fen(self.position),
            format_fen(self.position, shredder=True),
            self.position.key,
            checkers,
            board_text(self.position),
            self._record.repetitions,
        )

    def perft(self, depth, threads=1, hash_mb=0, on_move=None, on_progress=None, generator=None):
        """Count the leaves of the tree of legal moves; see `Perft.run`. Blocks until done or stopped.

        `generator` is another one's perft, of `core.generators.registry`. It uses no hash table.
        """
        entries = with_perft(self._entries, generator) if generator else self._entries
        table = HashTable(hash_mb) if hash_mb and not generator else None
        self._perft = Perft(entries, threads, table)
        return self._perft.run(self.position, depth, on_move, on_progress)

    def new_game(self):
        """Forget everything that was learnt: the next position has nothing to do with those before."""
        if self._table:
            self._table.clear()
        for worker in self._workers:
            worker.forget()

    def set_hash(self, megabytes):
        """Give the transposition table so much memory, empty; a ValueError if there is not so much."""
        self._table = Table(megabytes)

    def clear_hash(self):
        """Forget what is in the transposition table."""
        if self._table:
            self._table.clear()

    def set_tables(self, library):
        """Look positions up in the tables of a `syzygy.files.Library`; in none if it is None."""
        self._library = library

    def set_threads(self, count):
        """Search with so many threads."""
        for worker in self._workers[count:]:
            worker.dismiss()
        del self._workers[count:]
        while len(self._workers) < count:
            self._workers.append(Worker(self._entries, self._parameters))
            self._workers[-1].use_network(self._network_in_use)

    @property
    def network(self):
        """The head of the network that is loaded; None if there is none."""
        return self._network and self._network.head

    @property
    def _network_in_use(self):
        return None if self._is_classical else self._network

    def _load_network_of_package(self):
        try:
            self.set_network(package.network())
        except NetworkError as error:
            self.network_problem = str(error)

    def set_network(self, network):
        """Load a `network_file.Network`; None for no network at all."""
        self._network = NetworkMemory(network) if network else None
        self._change_evaluation()

    def use_classical(self, is_classical):
        """Evaluate classically, or by the network if one is loaded."""
        self._is_classical = is_classical
        self._change_evaluation()

    def _change_evaluation(self):
        for worker in self._workers:
            worker.use_network(self._network_in_use)
        self.new_game()  # the evaluations that the table remembers are others now

    def set_parameter(self, name, value):
        """Change one of the numbers in `search.parameters`."""
        self._parameters[name] = value
        for worker in self._workers:
            worker.set_parameters(self._parameters)

    def go(self, limits, settings=None, on_line=None, on_current_move=None, on_start=None):
        """Search the current position; the `Choice`. Blocks until a limit is reached, or `stop` is called.

        `on_line(line)` is told of each `Line` that is found, `on_current_move(current)` which `CurrentMove`
        is looked at, once the search takes long enough for somebody to read that. `on_start()` is called as
        soon as a `stop` would not be forgotten any more.
        """
        moves = list(limits.search_moves) or self.legal_moves()
        if not moves:
            return self._no_choice(on_line)
        if not self._workers:
            self.set_threads(1)
        if not self._table:
            self.set_hash(DEFAULT_MEGABYTES)
        self._table.begin_search()
        settings = settings or Settings()
        node_limit = None if limits.nodes is None else max(1, limits.nodes // len(self._workers))
        keys = self._record.history.keys[: self._record.history.count]
        for worker in self._workers:
            worker.prepare(self.position, keys, moves, self._table, node_limit)
            worker.use_tables(self._library, settings)
        pieces = all_pieces(self.position.board).bit_count()
        self._thinking = Thinking(self._workers, self._table, limits, settings, pieces)
        if on_start:
            on_start()
        try:
            return self._thinking.run(on_line, on_current_move)
        finally:
            self._thinking = None

    def _no_choice(self, on_line):
        """What there is to say of a game that is over: mate or stalemate."""
        in_check = bool(self._record.checkers)
        score = Score(None, 0) if in_check else Score(0, None)
        chances = (0, 0, 1000) if in_check else (0, 1000, 0)
        line = Line(0, 0, 1, score, EXACT, chances, 0, 0.0, 0, 0, [])
        if on_line:
            on_line(line)
        return Choice(NO_MOVE, NO_MOVE, [line])

    def ponder_hit(self):
        """The expected move was played: from now on, the clock counts. From another thread."""
        thinking = self._thinking
        if thinking:
            thinking.ponder_hit()

    def evaluation(self):
        """How the evaluation comes about: rows as of `rows_of`, and the score for the side to move."""
        request = EvaluationDesk(board=self._record.position.board)
        self._entries["trace"](request)
        return rows_of(request.trace), traced_score(request.trace)

    def network_evaluation(self):
        """The network's score for the side to move, and what each piece is worth to it.

        The latter by squares as the side to move sees them: the score less the score without that piece.
        None if there is no network.
        """
        if not self._network:
            return None
        score_of, board = Evaluator(self._entries, self._network).score_of, self.position.board
        return score_of(board), piece_worths(score_of, board)

    def stop(self):
        """End what is running, from another thread."""
        thinking = self._thinking
        if thinking:
            thinking.stop()
        if self._perft:
            self._perft.stop()

    def _legal_moves(self, game):
        count = self._entries["survey"](game)
        return game.legal.moves[:count]


def compiler_report():
    """Names and values that tell what the rules were compiled with, and where they are kept."""
    from bluekrait.core import compiler_report

    return compiler_report.compiler_report(ENTRIES_MODULE)


def load_engine(on_progress=None):
    """An engine, ready to be asked. `on_progress(done, total, what)` is told if it must be compiled first."""
    return Engine(native.load(ENTRIES_MODULE, on_progress))
