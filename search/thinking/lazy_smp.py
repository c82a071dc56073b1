"""One search from its first iteration to its choice: iterative deepening, threads (Lazy SMP), clock, reports.

The thread that calls `run` only waits. The first worker decides when to stop; the others search the same
position, and share their results with it through the transposition table only: Lazy SMP. In the end all of
them vote for a move.
"""

from __future__ import annotations

from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from bluekrait.core.timer import LONGEST_WAIT
from bluekrait.search.limits import DEEPEST
from bluekrait.search.reports import (
    EXACT,
    LOWER_BOUND,
    UPPER_BOUND,
    Choice,
    CurrentMove,
    Line,
    OnCurrentMove,
    OnLine,
    choice_of,
    led_by,
)
from bluekrait.search.scores import DECIDED_BOUND, INFINITE, is_mate, moves_to_mate
from bluekrait.search.thinking.clock import Clock, soft_limit_factor
from bluekrait.search.thinking.fine_timer import fine_timer
from bluekrait.search.thinking.votes import Vote, elected
from bluekrait.search.thinking.win_rate import shown_score, win_draw_loss
from bluekrait.search.thinking.worker import bound_of
from bluekrait.search.thread_record import NO_NODE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bluekrait.search.limits import Limits, Settings
    from bluekrait.search.thinking.worker import Worker
    from bluekrait.search.thread_record import RootMove
    from bluekrait.search.transposition_memory import TranspositionTable

SECONDS_UNTIL_DETAILS = 3.0  # before, bounds and current moves are not reported
SECONDS_BETWEEN_UPDATES = 0.2
SECONDS_UNTIL_COUNTED = 0.05  # before, nothing is said of how full the table is
FORCED_DEPTH = 6  # with a single legal move: enough to find a move to ponder on
FIRST_ITERATION_NODES = 50_000  # at most, after a stop; only with a dozen queens it would be more
MATE_PATIENCE = 4  # iterations beyond the length of a mate, after which no shorter one is looked for

FINISHED, PONDER_HIT = "finished", "ponder hit"


class SearchRun:
    """One search of all workers."""

    def __init__(
        self,
        workers: Sequence[Worker],
        table: TranspositionTable,
        limits: Limits,
        settings: Settings,
        pieces: int,
        ply: int,
    ) -> None:
        self._workers, self._table = workers, table
        self._limits, self._settings = limits, settings
        self._pieces = pieces  # on the board, for the win rate
        self._clock = Clock(limits, settings.move_overhead, ply)
        self._events: SimpleQueue[str] = SimpleQueue()
        self._leader = workers[0]
        self._given = 0  # tasks to workers
        self._ended: list[str] = []  # one entry for each of them that has ended
        self._finished = [0] * len(workers)  # of each worker, the depth of its last complete iteration
        self._node_limit = self._leader.record.node_limit
        self._leader.record.node_limit = NO_NODE_LIMIT  # for the first iteration
        self._lines: list[Line] = []
        self._on_line: OnLine | None = None
        self._depth = 0
        self._is_stopped = False
        self._stable_iterations = 0
        self._would_answer = False  # in a game, the last complete iteration was enough; pondering goes on
        self._hash_used, self._hash_updated = 0, 0.0
        self._error: Exception | None = None

    # Called from any thread.

    def stop(self) -> None:
        """End the search as soon as there is a move to play: after the first iteration, if that is short."""
        self._is_stopped = True
        if self._lines:
            self._stop_workers()
        else:
            self._leader.record.node_limit = FIRST_ITERATION_NODES

    def _stop_workers(self) -> None:
        for worker in self._workers:
            worker.stop()

    def ponder_hit(self) -> None:
        """The clock is running from now on."""
        self._clock.ponder_hit()
        self._events.put(PONDER_HIT)

    # The thread that calls `run`.

    def run(self, on_line: OnLine | None = None, on_current_move: OnCurrentMove | None = None) -> Choice:
        """Search until a limit is reached; the choice."""
        with fine_timer():
            return self._run(on_line, on_current_move)

    def _run(self, on_line: OnLine | None, on_current_move: OnCurrentMove | None) -> Choice:
        self._on_line = on_line
        try:
            self._start()
            self._wait(on_current_move)
        except BaseException:  # no thread to be had, Ctrl-C, or an error in a callback
            self._stop_workers()  # none may be left running
            while self._is_running():  # an interrupt may have come after an event was taken, which is lost
                with suppress(Empty):
                    self._events.get(timeout=LONGEST_WAIT)
            raise
        if self._error:
            raise self._error
        return self._choice()

    def _start(self) -> None:
        """Let the workers begin; the leader, which stops the others in the end, comes last."""
        for number, worker in enumerate(self._workers[1:], 1):
            worker.submit(self._guarded, self._assist, number, 1 + number % 2)
            self._given += 1
        self._leader.submit(self._guarded, self._lead)
        self._given += 1

    def _is_running(self) -> bool:
        """True until all workers have ended."""
        return len(self._ended) < self._given

    def _wait(self, on_current_move: OnCurrentMove | None) -> None:
        """Wait until all workers have finished; stop them when the time is up."""
        last_shown: CurrentMove | None = None
        while self._is_running():
            left = self._clock.seconds_left()
            if left == 0:
                self.stop()
            try:
                event = self._events.get(timeout=self._timeout(left, on_current_move))
            except Empty:
                if on_current_move and self._clock.seconds > SECONDS_UNTIL_DETAILS:
                    last_shown = self._show_current_move(on_current_move, last_shown)
                continue
            if event == PONDER_HIT and self._would_answer:
                self.stop()

    def _timeout(self, left: float | None, on_current_move: OnCurrentMove | None) -> float:
        """How many seconds to wait for an event."""
        longest = SECONDS_BETWEEN_UPDATES if on_current_move else LONGEST_WAIT
        return min(left or longest, longest)

    def _show_current_move(
        self, on_current_move: OnCurrentMove, last_shown: CurrentMove | None
    ) -> CurrentMove:
        record = self._leader.record
        place = record.current
        current = CurrentMove(self._depth, record.roots[record.ranking[place]].move, place + 1)
        if current != last_shown:
            on_current_move(current)
        return current

    # The workers' threads.

    def _guarded(self, task: Callable[..., None], *arguments: Any) -> None:
        """Do a task, and tell who waits when it has ended: then another search may begin."""
        try:
            task(*arguments)
        except Exception as error:
            self._error = error
            self._stop_workers()
        finally:
            self._ended.append(task.__name__)
            self._events.put(FINISHED)

    def _assist(self, number: int, first_depth: int) -> None:
        """Deepen until the leader is done. Every second assistant is one iteration ahead."""
        worker = self._workers[number]
        for depth in range(first_depth, DEEPEST + 1):
            worker.run_iteration(depth, self._settings.multi_pv)
            if worker.record.stop:
                return
            self._finished[number] = depth

    def _lead(self) -> None:
        """Deepen until a limit is reached, and stop the others."""
        try:
            self._deepen()
        finally:
            for worker in self._workers[1:]:
                worker.stop()

    def _deepen(self) -> None:
        leader = self._leader
        ranks = min(self._settings.multi_pv, leader.record.root_count)
        for depth in range(1, min(self._limits.depth or DEEPEST, DEEPEST) + 1):
            self._depth = depth
            best_before, score_before = leader.root(0).move, leader.root(0).score
            leader.run_iteration(depth, ranks, self._report_bound if ranks == 1 else None)
            if leader.record.stop:
                self._report_unfinished(best_before)
                return
            self._finished[0] = depth
            self._report(ranks)
            if depth == 1:  # now there is a move to play: the search may be ended
                leader.record.node_limit = self._node_limit
                if self._is_stopped:
                    self._stop_workers()
            is_stable = leader.root(0).move == best_before and depth > 1
            self._stable_iterations = self._stable_iterations + 1 if is_stable else 0
            if self._is_enough(depth, score_before):
                return

    def _is_enough(self, depth: int, score_before: int) -> bool:
        """True if no new iteration should begin."""
        best, mate = self._leader.root(0), self._limits.mate
        if mate and is_mate(best.score) and abs(moves_to_mate(best.score)) <= mate:
            return True
        self._would_answer = self._clock.is_playing and self._is_enough_for_a_move(depth, score_before)
        return self._would_answer and self._clock.is_running

    def _is_enough_for_a_move(self, depth: int, score_before: int) -> bool:
        """True if it would be a waste of time on the clock to begin a new iteration."""
        best, record = self._leader.root(0), self._leader.record
        if self._is_forced() and depth >= FORCED_DEPTH:
            return True
        if is_mate(best.score) and depth >= 2 * abs(moves_to_mate(best.score)) + MATE_PATIENCE:
            return True
        drop = score_before - best.score if abs(score_before) < DECIDED_BOUND else 0
        share = best.nodes / max(1, record.nodes)
        return self._clock.is_time_to_stop(soft_limit_factor(share, self._stable_iterations, drop))

    def _is_forced(self) -> bool:
        """True if there is nothing to think about: a single move, which is to be played."""
        return self._leader.record.root_count == 1 and not self._settings.is_analysis

    # Reports.

    def _report(self, ranks: int) -> None:
        """Report the lines of a complete iteration."""
        roots = [self._leader.root(rank) for rank in range(ranks)]
        lines = [self._line(root, root.score, EXACT, rank) for rank, root in enumerate(roots, 1)]
        self._report_lines(lines)

    def _report_lines(self, lines: list[Line]) -> None:
        """Report lines, and keep them as the result so far."""
        self._lines = lines
        if self._on_line:
            for line in lines:
                self._on_line(line)

    def _report_bound(self, score: int, alpha: int) -> None:
        """Report a score outside its window, if the search already takes long."""
        if self._on_line and self._clock.seconds > SECONDS_UNTIL_DETAILS:
            bound = UPPER_BOUND if score <= alpha else LOWER_BOUND
            self._on_line(self._line(self._leader.root(0), score, bound))

    def _report_unfinished(self, best_before: int) -> None:
        """Report a better move that was found before the iteration was stopped, or the result so far again.

        Either tells the nodes and the time of the whole search, which UCI wants to be known before the move.
        """
        best = self._leader.root(0)
        if abs(best.score) == INFINITE:
            return
        now = self._line(best, best.score, bound_of(best))
        if not self._lines:
            self._report_lines([now])
        elif best.move != best_before:
            self._report_lines(led_by(now, self._lines))
        else:
            self._report_lines([line.as_of(now) for line in self._lines])

    def _line(self, root: RootMove, score: int, bound: str, rank: int = 1, depth: int | None = None) -> Line:
        depth = depth or self._depth
        return Line(
            depth,
            max(root.selective_depth, depth),
            rank,
            shown_score(score, self._pieces),
            bound,
            win_draw_loss(score, self._pieces),
            sum(worker.record.nodes for worker in self._workers),
            self._clock.seconds,
            self._hash_permille(),
            sum(worker.record.tablebase_hits for worker in self._workers),
            root.line[: root.length],
        )

    def _hash_permille(self) -> int:
        """How full the transposition table is; not counted every time."""
        wait = SECONDS_BETWEEN_UPDATES if self._hash_updated else SECONDS_UNTIL_COUNTED
        if self._clock.seconds - self._hash_updated > wait:
            self._hash_updated, self._hash_used = self._clock.seconds, self._table.permille_used()
        return self._hash_used

    def _follow_votes(self) -> None:
        """If the threads together prefer another move than the leader, report its line as the result."""
        candidates = [
            (worker.root(0), depth)
            for worker, depth in zip(self._workers, self._finished)
            if depth and abs(worker.root(0).score) < INFINITE
        ]
        votes = [Vote(root.move, root.score, depth) for root, depth in candidates]
        if len(votes) > 1 and votes[place := elected(votes)].move != self._lines[0].moves[0]:
            root, depth = candidates[place]
            self._report_lines([self._line(root, root.score, bound_of(root), depth=depth)])

    def _choice(self) -> Choice:
        """The best move and the expected reply; any move if there was no time for a single one."""
        if self._settings.multi_pv == 1 and self._limits.depth is None and self._lines:
            self._follow_votes()
        moves = self._lines[0].moves if self._lines else [self._leader.root(0).move]
        return choice_of(moves, self._lines)
