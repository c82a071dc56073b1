"""A search that is over before anything could be shown: one call of compiled code, in the calling thread.

For a thousand nodes it takes longer to wake another thread and to report every iteration than to search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core.timer import monotonic
from bluekrait.search.limits import DEEPEST
from bluekrait.search.reports import EXACT, Choice, Line, OnCurrentMove, OnLine, choice_of, led_by
from bluekrait.search.scores import INFINITE
from bluekrait.search.thinking.win_rate import shown_score, win_draw_loss
from bluekrait.search.thinking.worker import bound_of

if TYPE_CHECKING:
    from bluekrait.search.iterations_record import Iterations
    from bluekrait.search.limits import Limits, Settings
    from bluekrait.search.thinking.worker import Worker
    from bluekrait.search.thread_record import RootMove

MOST_NODES = 100_000  # a few hundredths of a second, in which the calling thread does not hear Ctrl-C


def is_short(limits: Limits) -> bool:
    """True if a search ends soon by its number of nodes, and needs no clock."""
    has_clock = limits.remaining is not None or limits.move_time is not None or limits.ponder
    return limits.nodes is not None and limits.nodes <= MOST_NODES and not (has_clock or limits.mate)


class ShortSearch:
    """One search of one worker. It has the methods of `lazy_smp.SearchRun`, and finds the same."""

    def __init__(self, worker: Worker, limits: Limits, settings: Settings, pieces: int) -> None:
        self._worker, self._limits, self._settings = worker, limits, settings
        self._pieces = pieces
        self._began = monotonic()
        self._is_stopped = False

    def stop(self) -> None:
        """End the search after the first iteration. Called from another thread."""
        if not self._is_stopped:  # who closes an engine stops it again and again
            self._is_stopped = True
            self._worker.stop()

    def ponder_hit(self) -> None:
        """No such search ponders."""

    def run(self, on_line: OnLine | None = None, on_current_move: OnCurrentMove | None = None) -> Choice:
        """Search until the limit is reached; the choice. Nothing is reported."""
        last_depth = min(self._limits.depth or DEEPEST, DEEPEST)
        done = self._worker.run_iterations(last_depth, self._settings.multi_pv, self._limits.search_moves)
        while not done.count:  # it was stopped at once; but there is always a move with a score
            self._worker.record.stop = 0
            done = self._worker.run_iterations(1, self._settings.multi_pv, self._limits.search_moves)
        lines = self._lines(done)
        return choice_of(lines[0].moves, lines)

    def _lines(self, done: Iterations) -> list[Line]:
        """The lines of the last complete iteration, or with a better one that was found after it.

        All of them tell how much was searched until the end.
        """
        lines = [self._line(done.lines[rank], rank, done.depth, EXACT) for rank in range(done.count)]
        best = self._worker.root(0)
        if best.move == lines[0].moves[0] or abs(best.score) >= INFINITE:
            return lines
        return led_by(self._line(best, 0, done.depth + 1, bound_of(best)), lines)

    def _line(self, root: RootMove, rank: int, depth: int, bound: str) -> Line:
        record = self._worker.record
        return Line(
            depth,
            max(root.selective_depth, depth),
            rank + 1,
            shown_score(root.score, self._pieces),
            bound,
            win_draw_loss(root.score, self._pieces),
            record.nodes,
            monotonic() - self._began,
            0,  # the table's filling is not counted in so short a time
            record.tablebase_hits,
            root.line[: root.length],
        )
