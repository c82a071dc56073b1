"""The engine, for Python programs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bluekrait.search import engine as facade
from bluekrait.search.evaluation.network import default_network
from bluekrait.search.library.arguments import (
    is_endless,
    refuse_endless,
    search_limits,
    whole,
    with_clock,
    within,
)
from bluekrait.search.library.background import Search
from bluekrait.search.library.closing import close_in_the_end
from bluekrait.search.library.compiled import entries
from bluekrait.search.library.engine_lock import EngineLock
from bluekrait.search.library.evaluations import evaluation_of
from bluekrait.search.library.options import CLASSICAL, MOST_MEGABYTES, MOST_THREADS, NETWORK, Options
from bluekrait.search.library.position import Move, Position
from bluekrait.search.library.results import Evaluation, Result
from bluekrait.search.limits import Settings
from bluekrait.search.playing.book import Book
from bluekrait.search.playing.choice import PlaySettings, choose_move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NoReturn

    import chess

    from bluekrait.search.limits import Limits
    from bluekrait.search.reports import Choice
    from bluekrait.search.syzygy.root_tables import Tablebase


class Engine:
    """A chess engine in this process. Engines are independent of each other; make as many as you like.

    Positions are FENs, boards of python-chess, or `Position`s. Each engine does one thing at a time: calls
    from several threads wait for one another. It is released when it is dropped; `close`, or a `with` block,
    release its memory and threads at once.

    Examples:
        >>> from bluekrait import Engine, Position
        >>> with Engine() as engine:
        ...     result = engine.search(Position().play("f3", "e5", "g4"), nodes=2000)
        >>> result.move, result.move.san, str(result.line.score)
        ('d8h4', 'Qh4#', '#1')
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        hash_mb: int = facade.DEFAULT_MEGABYTES,
        multi_pv: int = 1,
        elo: int | None = None,
        book: str | None = None,
        syzygy: str | None = None,
        network: str | None = None,
        evaluation: str | None = None,
    ) -> None:
        """Make an engine; the parameters are the most common of its `options`, which see."""
        self._engine = facade.Engine(entries())
        self._lock = EngineLock()
        close_in_the_end(self)
        self._latest_stop = object()  # another one after each `stop`
        self._book: Book | None = None
        self._tablebase: Tablebase | None = None
        self.options = Options(self._apply)
        """The options, as typed attributes."""
        if self._engine.network:
            self.options.values["evaluation"] = NETWORK
        self.options.threads, self.options.hash_mb, self.options.multi_pv = threads, hash_mb, multi_pv
        self.options.elo, self.options.book, self.options.syzygy = elo, book, syzygy
        self.options.network = network
        if evaluation:
            self.options.evaluation = evaluation

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an Engine cannot be copied or pickled: make another one, and one in each process")

    def close(self) -> None:
        """Stop what runs, and release threads and memory. The engine cannot be used after that."""
        self._lock.close(self._engine.stop, self._engine.release)

    # Searching.

    def search(
        self,
        position: Position | str | chess.Board,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        mate: int | None = None,
        multi_pv: int | None = None,
        moves: Iterable[str] = (),
    ) -> Result:
        """Search a position at full strength, and wait for the result.

        Args:
            position: where to begin.
            seconds: search so long,
            nodes: or so many positions,
            depth: or so many half-moves deep,
            mate: or until a mate in so many moves is found; whatever is reached first. One of them is needed.
            multi_pv: how many of the best moves to find; `options.multi_pv` if left out.
            moves: choose from these moves only.

        Examples:
            >>> from bluekrait import Engine
            >>> with Engine() as engine:
            ...     result = engine.search("8/8/2R5/4N3/8/6KP/8/6k1 w - - 0 1", depth=6, multi_pv=2)
            >>> [(line.rank, str(line.score), line.moves[0].san) for line in result.lines]
            [(1, '#1', 'Rc1#'), (2, '#2', 'Rf6')]
        """
        place = _position(position)
        limits = search_limits(place, seconds, nodes, depth, mate, moves)
        refuse_endless(limits)
        on_start = self._forward_stop()
        with self._lock:
            return Result(self._find(place, limits, self._analysis(multi_pv), on_start=on_start), place)

    def analyse(
        self,
        position: Position | str | chess.Board,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        mate: int | None = None,
        multi_pv: int | None = None,
        moves: Iterable[str] = (),
    ) -> Search:
        """Begin to search a position at full strength; lines can be read while the search runs.

        The parameters are those of `search`. Without a limit it goes on until it is stopped.

        Examples:
            >>> from bluekrait import Engine
            >>> with Engine() as engine:
            ...     depths = [line.depth for line in engine.analyse(Position(), depth=5)]
            >>> depths
            [1, 2, 3, 4, 5]
        """
        place = _position(position)
        limits = search_limits(place, seconds, nodes, depth, mate, moves)
        return self._begin(place, limits, self._analysis(multi_pv))

    def best_move(
        self,
        position: Position | str | chess.Board,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        clock: float | None = None,
        increment: float = 0.0,
        moves_to_go: int | None = None,
    ) -> Move | None:
        """Choose a move as in a game, by the options `book` and `elo`; None if the game is over.

        Args:
            position: where to begin.
            seconds: think so long,
            nodes: or search so many positions,
            depth: or so many half-moves deep,
            clock: or as long as is wise with so many seconds on the own clock.
            increment: seconds that are added to that clock for each move.
            moves_to_go: moves until time is added to it.

        Examples:
            >>> from bluekrait import Engine
            >>> with Engine(elo=1200) as engine:
            ...     move = engine.best_move("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", clock=60)
            >>> move.san
            'Ra8#'
        """
        place = _position(position)
        limits = with_clock(search_limits(place, seconds, nodes, depth), clock, increment, moves_to_go)
        refuse_endless(limits)
        on_start = self._forward_stop()
        with self._lock:
            return Result(self._find(place, limits, self._game_play(), on_start=on_start), place).move

    def play(
        self,
        position: Position | str | chess.Board,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        clock: float | None = None,
        increment: float = 0.0,
        moves_to_go: int | None = None,
    ) -> Search:
        """Begin to choose a move as `best_move` does; for event loops, and to show what the engine thinks.

        Examples:
            >>> import asyncio
            >>> from bluekrait import Engine
            >>> async def main():
            ...     with Engine() as engine:
            ...         return (await engine.play("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", nodes=1000)).move.san
            >>> asyncio.run(main())
            'Ra8#'
        """
        place = _position(position)
        limits = with_clock(search_limits(place, seconds, nodes, depth), clock, increment, moves_to_go)
        return self._begin(place, limits, self._game_play())

    def stop(self) -> None:
        """Stop what is running, and what waits for its turn.

        What a search has found is its result; `perft` and `divide` raise InterruptedError.
        """
        self._latest_stop = object()
        self._lock.stop_all()
        self._engine.stop()

    def new_game(self) -> None:
        """Forget everything that was found so far: the next position belongs to another game."""
        with self._lock:
            self._engine.new_game()

    # Without searching.

    def evaluate(self, position: Position | str | chess.Board) -> Evaluation:
        """What a position is worth by itself, and the parts of that, in the centipawns of `Line.score`."""
        place = _position(position)
        with self._lock:
            self._engine.set_game(place.game, place.value)
            rows, classical = self._engine.evaluation()
            network = self._engine.network_evaluation()
        uses_network = self.options.evaluation == NETWORK
        return evaluation_of(place.value, rows, classical, network, uses_network)

    def perft(
        self, position: Position | str | chess.Board, depth: int, *, threads: int = 1, hash_mb: int = 0
    ) -> int:
        """Count the sequences of legal moves of a length.

        Examples:
            >>> from bluekrait import Engine, Position
            >>> Engine().perft(Position(), 4)
            197281
        """
        counts = self.divide(position, depth, threads=threads, hash_mb=hash_mb)
        return sum(counts.values()) if depth else 1

    def divide(
        self, position: Position | str | chess.Board, depth: int, *, threads: int = 1, hash_mb: int = 0
    ) -> dict[Move, int]:
        """The same by first moves; empty if the length is 0.

        Examples:
            >>> from bluekrait import Engine
            >>> Engine().divide("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 2)["e2e4"]
            5
        """
        depth = whole("depth", depth)
        threads = within("threads", threads, 1, MOST_THREADS)
        hash_mb = within("hash_mb", hash_mb, 0, MOST_MEGABYTES)
        place = _position(position)
        counts: dict[Move, int] = {}

        def count(move: int, nodes: int) -> None:
            counts[Move(move, place)] = nodes

        on_start = self._forward_stop()
        with self._lock:
            self._engine.set_game(place.game, place.value)
            result = self._engine.perft(depth, threads, hash_mb, count, on_start=on_start)
        if not result.complete:
            raise InterruptedError(f"perft {depth} was stopped")
        return counts

    # How searches are made.

    def _forward_stop(self) -> Callable[[], None]:
        """What a call does when it begins: it stops if `stop` was called while it waited for its turn."""
        before = self._latest_stop

        def forward() -> None:
            if self._latest_stop is not before:
                self._engine.stop()

        return forward

    def _begin(self, place: Position, limits: Limits, settings: PlaySettings) -> Search:
        def work(on_line: Any, on_start: Callable[[], None], on_end: Callable[[], None]) -> Choice:
            with self._lock:
                try:
                    return self._find(place, limits, settings, on_line, on_start)
                finally:
                    on_end()

        self._lock.check_open()
        search = Search(place, work, self._engine.stop, self._lock.check_wait, self)
        self._lock.note(search, is_endless(limits))
        return search

    def _find(
        self,
        place: Position,
        limits: Limits,
        settings: PlaySettings,
        on_line: Any = None,
        on_start: Callable[[], None] | None = None,
    ) -> Choice:
        self._engine.set_game(place.game, place.value)
        if settings.is_analysis and not settings.tablebase:
            return self._engine.go(limits, settings.search, on_line, on_start=on_start)
        return choose_move(self._engine, limits, settings, on_line, on_start=on_start)

    def _analysis(self, multi_pv: int | None) -> PlaySettings:
        """The settings of an analysis; ValueError or TypeError if there cannot be so many lines."""
        if multi_pv is not None:
            multi_pv = Options.multi_pv.checked(multi_pv)
        search = self._search_settings(multi_pv, 0, is_analysis=True)
        return PlaySettings(search, True, tablebase=self._tablebase)

    def _game_play(self) -> PlaySettings:
        """The settings of a move in a game."""
        options = self.options
        return PlaySettings(
            self._search_settings(None, options.move_overhead_ms, is_analysis=False),
            book=self._book,
            plays_best_of_book=options.is_best_of_book,
            tablebase=self._tablebase,
            elo=options.elo,
        )

    def _search_settings(self, multi_pv: int | None, overhead: int, is_analysis: bool) -> Settings:
        values = self.options.values
        lines = values["multi_pv"] if multi_pv is None else multi_pv
        tables = values["syzygy_pieces"], values["syzygy_depth"], values["fifty_moves"]
        return Settings(lines, overhead, is_analysis, *tables)

    # What follows from options.

    def _apply(self, name: str, value: Any) -> None:
        effects: dict[str, Callable[[Any], None]] = {
            "threads": self._engine.set_threads,
            "hash_mb": self._engine.set_hash,
            "book": self._open_book,
            "syzygy": self._open_tablebases,
            "network": self._load_network,
            "evaluation": self._choose_evaluation,
        }
        if name in effects:
            with self._lock:
                effects[name](value)

    def _open_book(self, path: str | None) -> None:
        try:
            self._book = Book(path) if path else None
        except OSError as error:
            raise ValueError(f"book: {path}: {error.strerror}") from None

    def _open_tablebases(self, path: str | None) -> None:
        from bluekrait.search.syzygy.root_tables import Tablebase
        from bluekrait.search.syzygy.table_library import TableLibrary

        folders = [folder for folder in (path or "").split(os.pathsep) if folder]
        library = TableLibrary(folders) if folders else None
        self._tablebase = Tablebase(self._engine.entries, library, _log_problem) if library else None
        self._engine.set_tablebases(library)
        for problem in library.problems if library else ():
            _log_problem(problem)

    def _load_network(self, path: str | None) -> None:
        from bluekrait.search.evaluation.network.network_file import NetworkError, read_network

        try:
            network = read_network(path) if path else default_network.load()
        except NetworkError as error:
            raise ValueError(f"network {path or 'of the package'}: {error}") from None
        self._engine.set_network(network)
        self.options.values["evaluation"] = NETWORK if network else CLASSICAL

    def _choose_evaluation(self, name: str) -> None:
        if name == NETWORK and not self._engine.network:
            raise ValueError("no network is loaded: options.network loads one")
        self._engine.use_classical(name == CLASSICAL)


def _log_problem(problem: str) -> None:
    import logging  # not needed where every file can be read

    logging.getLogger("bluekrait").warning("%s", problem)


def _position(source: Position | str | chess.Board) -> Position:
    return source if isinstance(source, Position) else Position(source)
