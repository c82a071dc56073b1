"""The engine as a front end sees it: a position, what can be asked about it, and `stop`.

It reports by values and callbacks, prints nothing, and needs neither Numba nor NumPy once compiled. The
functions that a game does not need import what they need themselves, so that the engine starts quickly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bluekrait.core import native
from bluekrait.core.board import all_pieces
from bluekrait.core.memory.shared_memory import HashTable
from bluekrait.core.move import NO_MOVE
from bluekrait.core.notation.fen import STARTING_FEN, FenError, board_text, format_fen, parse_fen
from bluekrait.core.notation.san_and_uci import MoveError, move_from_uci, square_name
from bluekrait.core.records import GameRecord, read_record, write_record
from bluekrait.core.tables.geometry import squares
from bluekrait.core.timer import monotonic
from bluekrait.search.evaluation.network import default_network
from bluekrait.search.evaluation.network.network_memory import NetworkMemory, ThreadEvaluation
from bluekrait.search.limits import Settings
from bluekrait.search.parameters import DEFAULTS
from bluekrait.search.reports import EXACT, Choice, Line, OnCurrentMove, OnLine, OnStart, Score
from bluekrait.search.thinking.lazy_smp import SearchRun
from bluekrait.search.thinking.short_search import ShortSearch, is_short
from bluekrait.search.thinking.worker import Worker
from bluekrait.search.transposition_memory import TranspositionTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bluekrait.core.board import Position
    from bluekrait.core.counting.perft_threads import Perft, PerftResult
    from bluekrait.core.native import Entries, Progress
    from bluekrait.search.evaluation.classical.explain import TermRow
    from bluekrait.search.evaluation.network.network_file import Head, Network
    from bluekrait.search.limits import Limits
    from bluekrait.search.syzygy.table_library import TableLibrary

ENTRIES_MODULE = "bluekrait.search.engine_entries"
NO_GAME: tuple[str, list[str]] = "", []  # no FEN is empty
DEFAULT_MEGABYTES = 16  # of the transposition table


class PositionError(ValueError):
    """A malformed FEN or an illegal move; the message says which."""


class Description(NamedTuple):
    """The current position in words."""

    fen: str
    shredder: str
    key: int
    checkers: list[str]
    diagram: str
    repetitions: int  # how often the position occurred before
    status: int  # ONGOING, CHECKMATE, ... of `core.records`


class Engine:
    """A position, and what can be asked about it: its moves, a search, its evaluation, perft."""

    def __init__(self, entries: Entries) -> None:
        self.chess960 = False
        self._entries = entries
        self._perft: Perft | None = None
        self._run: SearchRun | ShortSearch | None = None
        self._table: TranspositionTable | None = None
        self._tablebases: TableLibrary | None = None
        self._workers: list[Worker] = []
        self._network: NetworkMemory | None = None
        self._is_classical = False
        self.network_problem = ""  # why the network of the package is not used
        self._load_network_of_package()
        self._parameters = dict(DEFAULTS)
        self._game: tuple[str | None, list[str]] = NO_GAME
        self.set_position(None, [])

    @property
    def entries(self) -> Entries:
        """The compiled functions."""
        return self._entries

    @property
    def turn(self) -> int:
        """The side to move."""
        return self.position.ply & 1

    def set_position(self, fen: str | None, moves: Sequence[str]) -> None:
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
            self._entries["play_move"](game)
        self._record, self.position = game, read_record(game.position)
        self._game = fen, list(moves)

    @property
    def game(self) -> GameRecord:
        """The game up to the position, for `set_game`."""
        return self._record

    def set_game(self, game: GameRecord, position: Position) -> None:
        """Set up a game and its present position. Both are only read, and must not change any more."""
        self._record, self.position = game, position
        self._game = NO_GAME

    def _known_beginning(self, fen: str | None, moves: Sequence[str]) -> tuple[GameRecord, int]:
        """A record to go on from, and how many of the moves are already played in it.

        During a game, the moves are those of the last call and one or two more.
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

    def legal_moves(self) -> list[int]:
        """The legal moves, packed."""
        return self._legal_moves(self._record)

    def describe(self) -> Description:
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
            self._record.status,
        )

    def perft(
        self,
        depth: int,
        threads: int = 1,
        hash_mb: int = 0,
        on_move: Callable[[int, int], None] | None = None,
        on_progress: Callable[[int, float], None] | None = None,
        generator: Callable[[Position, int], int] | None = None,
        on_start: OnStart | None = None,
    ) -> PerftResult:
        """Count the leaves of the tree of legal moves; see `Perft.run`. Blocks until done or stopped.

        The seconds of the result are those of the whole call.

        `generator` is another one's perft, of `core.generators.registry`. It uses no hash table. `on_start()`
        is called as soon as `stop` has an effect.
        """
        from bluekrait.core.counting.perft_threads import Perft, useful_bytes
        from bluekrait.core.generators.registry import with_perft

        entries = with_perft(self._entries, generator) if generator else self._entries
        began, table = monotonic(), None
        if hash_mb and not generator:
            table = HashTable(hash_mb)
            table.use(useful_bytes(entries, self.position, depth))
        self._perft = Perft(entries, threads, table)
        try:
            if on_start:
                on_start()
            result = self._perft.run(self.position, depth, on_move, on_progress)
        finally:
            self._perft = None  # it holds the hash table
        return result._replace(seconds=monotonic() - began)

    def new_game(self) -> None:
        """Clear transposition table and histories: the next position belongs to another game."""
        self.clear_hash()
        for worker in self._workers:
            worker.forget()

    def set_hash(self, megabytes: int) -> None:
        """Give the transposition table this size, and empty it; ValueError if there is not enough memory."""
        if self._table and self._table.megabytes == megabytes:
            self._table.clear()  # new pages would take longer, and for a moment twice the memory
        else:
            self._table = TranspositionTable(megabytes)

    def clear_hash(self) -> None:
        """Clear the transposition table."""
        if self._table:
            self._table.clear()

    def set_tablebases(self, library: TableLibrary | None) -> None:
        """Probe these tablebases in the search; None for no tablebases."""
        self._tablebases = library

    def set_threads(self, count: int) -> None:
        """Set the number of threads that search; ValueError, and no change, if there is not enough memory."""
        new = [self._new_worker() for _ in range(count - len(self._workers))]
        for worker in self._workers[count:]:
            worker.shut_down()
        del self._workers[count:]
        self._workers += new

    def _new_worker(self) -> Worker:
        worker = Worker(self._entries, self._parameters)
        worker.use_evaluation(ThreadEvaluation(None if self._is_classical else self._network))
        return worker

    def release(self) -> None:
        """End the threads and release the memory; both come back when they are needed again."""
        self.set_threads(0)
        self._table = None

    @property
    def network(self) -> Head | None:
        """The head of the network that is loaded; None if there is none."""
        return self._network.head if self._network else None

    def _load_network_of_package(self) -> None:
        try:
            self.set_network(default_network.load())
        except ValueError as error:
            self.network_problem = str(error)

    def set_network(self, network: Network | None) -> None:
        """Evaluate by a `network_file.Network`; None for no network at all.

        ValueError, and no change, if there is not enough memory.
        """
        self._change_evaluation(NetworkMemory(network) if network else None, is_classical=not network)

    def use_classical(self, is_classical: bool) -> None:
        """Evaluate classically, or by the network if one is loaded; ValueError as above."""
        self._change_evaluation(self._network, is_classical)

    def _change_evaluation(self, network: NetworkMemory | None, is_classical: bool) -> None:
        used = None if is_classical else network
        evaluations = [ThreadEvaluation(used) for _ in self._workers]  # first: memory may lack
        for worker, evaluation in zip(self._workers, evaluations):
            worker.use_evaluation(evaluation)
        self._network, self._is_classical = network, is_classical
        self.new_game()  # the table holds evaluations of the other kind

    def set_parameter(self, name: str, value: int) -> None:
        """Change one of the numbers in `search.parameters`."""
        self._parameters[name] = value
        for worker in self._workers:
            worker.set_parameters(self._parameters)

    def go(
        self,
        limits: Limits,
        settings: Settings | None = None,
        on_line: OnLine | None = None,
        on_current_move: OnCurrentMove | None = None,
        on_start: OnStart | None = None,
    ) -> Choice:
        """Search the current position; the `Choice`. Blocks until a limit is reached, or `stop` is called.

        The first iteration is finished, so that there is a move with a score; but after a stop it may take
        `FIRST_ITERATION_NODES` of `lazy_smp` at most.

        `on_line(line)` is called for each `Line`; `on_current_move(current)` for each root move that is being
        searched, after the first seconds; `on_start()` as soon as `stop` has an effect.
        """
        moves = list(limits.search_moves) or self.legal_moves()
        if not moves:
            return self._no_choice(on_line)
        if not self._workers:
            self.set_threads(1)
        if not self._table:
            self._table = TranspositionTable(DEFAULT_MEGABYTES)
        self._table.begin_search()
        settings = settings or Settings()
        workers = self._workers[: settings.most_threads]
        node_limit = None if limits.nodes is None else max(1, limits.nodes // len(workers))
        keys = self._record.history.keys[: self._record.history.count]
        is_silent = not (on_line or on_current_move)
        for worker in workers:
            worker.use_tablebases(self._tablebases, settings)
        pieces = all_pieces(self.position.board).bit_count()
        if is_silent and len(workers) == 1 and is_short(limits):
            workers[0].prepare_position(self._record.position, keys, self._table, node_limit)
            self._run = ShortSearch(workers[0], limits, settings, pieces)
        else:
            for worker in workers:
                worker.prepare(self._record.position, keys, moves, self._table, node_limit)
            ply = self.position.ply
            self._run = SearchRun(workers, self._table, limits, settings, pieces, ply)
        try:
            if on_start:
                on_start()
            return self._run.run(on_line, on_current_move)
        finally:
            self._run = None
            self._table.end_search()

    def _no_choice(self, on_line: OnLine | None) -> Choice:
        """The result in a game that is over: mate or stalemate."""
        in_check = bool(self._record.checkers)
        score = Score(None, 0) if in_check else Score(0, None)
        chances = (0, 0, 1000) if in_check else (0, 1000, 0)
        line = Line(0, 0, 1, score, EXACT, chances, 0, 0.0, 0, 0, [])
        if on_line:
            on_line(line)
        return Choice(NO_MOVE, NO_MOVE, [line])

    def ponder_hit(self) -> None:
        """The expected move was played: from now on, the clock counts. Called from another thread."""
        run = self._run
        if run:
            run.ponder_hit()

    def evaluation(self) -> tuple[list[TermRow], int]:
        """The classical evaluation by terms, and the score for the side to move."""
        from bluekrait.search.evaluation.classical.evaluation_records import EvaluationRequest
        from bluekrait.search.evaluation.classical.explain import rows_of, traced_score

        request = EvaluationRequest(board=self._record.position.board)
        self._entries["trace"](request)
        return rows_of(request.trace), traced_score(request.trace)

    def network_evaluation(self) -> tuple[int, dict[int, int]] | None:
        """The network's score for the side to move, and what each piece is worth to it.

        The latter by squares as the side to move sees them: the score less the score without that piece.
        None if there is no network, or a lone king, which the classical evaluation judges.
        """
        if not self._network:
            return None
        from bluekrait.search.evaluation.network.worths import has_lone_king, piece_worths
        from bluekrait.search.thinking.evaluator import Evaluator

        board = self.position.board
        if has_lone_king(board):
            return None
        score_of = Evaluator(self._entries, self._network).score_of
        return score_of(board), piece_worths(score_of, board)

    def stop(self) -> None:
        """Stop the search or perft that is running. Called from another thread."""
        run, perft = self._run, self._perft
        if run:
            run.stop()
        if perft:
            perft.stop()

    def _legal_moves(self, game: GameRecord) -> list[int]:
        count = self._entries["legal_moves"](game)
        moves: list[int] = game.legal.moves[:count]
        return moves


def compiler_report() -> list[tuple[str, str]]:
    """Names and values that tell how the engine was compiled, and where the machine code is kept."""
    from bluekrait.core import compiler_report

    return compiler_report.compiler_report(ENTRIES_MODULE)


def load_engine(on_progress: Progress | None = None) -> Engine:
    """An engine, ready for use. `on_progress(done, total, what)` is called if it must be compiled first."""
    return Engine(native.load(ENTRIES_MODULE, on_progress))
