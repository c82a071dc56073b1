"""One search from its first iteration to its choice: workers that deepen, a clock, and reports.

The thread that asks only waits here. The first worker decides when it is enough; the others search the same
position, and what they find reaches the first through the transposition table.
"""

from queue import Empty, SimpleQueue

from bluekrait.core.move import NO_MOVE
from bluekrait.search.reports import EXACT, LOWER_BOUND, UPPER_BOUND, Choice, CurrentMove, Line, Score
from bluekrait.search.scores import DECIDED_BOUND, INFINITE, MAX_PLY, is_mate, moves_to_mate
from bluekrait.search.thinking.clock import Clock, urgency
from bluekrait.search.thinking.fine_timer import fine_timer
from bluekrait.search.thinking.win_rate import centipawns, win_draw_loss

DEEPEST = MAX_PLY - 1
SECONDS_UNTIL_DETAILS = 3.0  # before, bounds and current moves would only flicker by
SECONDS_BETWEEN_LOOKS = 0.2
FORCED_DEPTH = 6  # enough where there is one move to choose from: it finds an answer to ponder on
MATE_PATIENCE = 4  # iterations beyond the length of a mate, after which no shorter one is looked for

FINISHED, PONDER_HIT = "finished", "ponder hit"


class Thinking:
    """A search that is going on."""

    def __init__(self, workers, table, limits, settings, pieces):
        self._workers, self._table = workers, table
        self._limits, self._settings = limits, settings
        self._pieces = pieces  # on the board, by which chances are judged
        self._clock = Clock(limits, settings.move_overhead)
        self._news = SimpleQueue()
        self._leader = workers[0]
        self._lines = []
        self._depth = 0
        self._stable_iterations = 0
        self._hash_used, self._hash_looked_at = 0, 0.0
        self._error = None

    # Called from any thread.

    def stop(self):
        """End the search."""
        for worker in self._workers:
            worker.stop()

    def ponder_hit(self):
        """The clock is running from now on."""
        self._clock.ponder_hit()
        self._news.put(PONDER_HIT)

    # The thread that asked.

    def run(self, on_line=None, on_current_move=None):
        """Think until a limit is reached; the choice."""
        with fine_timer():
            return self._run(on_line, on_current_move)

    def _run(self, on_line, on_current_move):
        self._on_line = on_line
        for number, worker in enumerate(self._workers[1:], 1):
            worker.give(self._assist, worker, 1 + number % 2)
        self._leader.give(self._lead)
        running = len(self._workers)
        last_shown = None
        while running:
            left = self._clock.seconds_left()
            if left == 0:
                self.stop()
            try:
                news = self._news.get(timeout=self._patience(left, on_current_move))
            except Empty:
                if on_current_move and self._clock.seconds > SECONDS_UNTIL_DETAILS:
                    last_shown = self._show_current_move(on_current_move, last_shown)
                continue
            running -= news == FINISHED
        if self._error:
            raise self._error
        return self._choice()

    def _patience(self, left, on_current_move):
        """How long to wait for news, None for as long as it takes."""
        if not on_current_move:
            return left or None
        return min(left or SECONDS_BETWEEN_LOOKS, SECONDS_BETWEEN_LOOKS)

    def _show_current_move(self, on_current_move, last_shown):
        record = self._leader.record
        place = record.current
        current = CurrentMove(self._depth, record.roots[record.ranking[place]].move, place + 1)
        if current != last_shown:
            on_current_move(current)
        return current

    # The workers' threads.

    def _assist(self, worker, first_depth):
        """Deepen until the leader is done. Every other assistant runs one iteration ahead."""
        self._guarded(self._deepen_until_stopped, worker, first_depth)

    def _deepen_until_stopped(self, worker, first_depth):
        for depth in range(first_depth, DEEPEST + 1):
            worker.deepen(depth, self._settings.multi_pv)
            if worker.record.stop:
                return

    def _lead(self):
        """Deepen until it is enough, and end the search of the others."""
        try:
            self._guarded(self._deepen)
        finally:
            for worker in self._workers[1:]:
                worker.stop()

    def _guarded(self, task, *details):
        try:
            task(*details)
        except Exception as error:
            self._error = error
            self.stop()
        finally:
            self._news.put(FINISHED)

    def _deepen(self):
        leader = self._leader
        ranks = min(self._settings.multi_pv, leader.record.root_count)
        for depth in range(1, min(self._limits.depth or DEEPEST, DEEPEST) + 1):
            self._depth = depth
            best_before, score_before = leader.root(0).move, leader.root(0).score
            leader.deepen(depth, ranks, self._report_bound if ranks == 1 else None)
            if leader.record.stop:
                self._report_unfinished(best_before)
                return
            self._report(ranks)
            is_stable = leader.root(0).move == best_before and depth > 1
            self._stable_iterations = self._stable_iterations + 1 if is_stable else 0
            if self._is_enough(depth, score_before):
                return

    def _is_enough(self, depth, score_before):
        """True if no further iteration is wanted."""
        best, record = self._leader.root(0), self._leader.record
        mate = self._limits.mate
        if mate and is_mate(best.score) and abs(moves_to_mate(best.score)) <= mate:
            return True
        if not (self._clock.is_playing and self._clock.is_running):
            return False
        if record.root_count == 1 and depth >= FORCED_DEPTH and not self._settings.contemplation:
            return True
        if is_mate(best.score) and depth >= 2 * abs(moves_to_mate(best.score)) + MATE_PATIENCE:
            return True
        drop = score_before - best.score if abs(score_before) < DECIDED_BOUND else 0
        share = best.nodes / max(1, record.nodes)
        return self._clock.is_time_to_stop(urgency(share, self._stable_iterations, drop))

    # Reports.

    def _report(self, ranks):
        """Tell of the lines of a complete iteration."""
        self._tell([self._line(rank, self._leader.root(rank).score, EXACT) for rank in range(ranks)])

    def _tell(self, lines):
        """Tell of lines that are the best from now on."""
        self._lines = lines
        for line in lines if self._on_line else ():
            self._on_line(line)

    def _report_bound(self, score, alpha, beta):
        """Tell of a score that fell out of its window, if the search takes long anyway."""
        if self._on_line and self._clock.seconds > SECONDS_UNTIL_DETAILS:
            bound = UPPER_BOUND if score <= alpha else LOWER_BOUND
            self._on_line(self._line(0, score, bound))

    def _report_unfinished(self, best_before):
        """Tell of a better move that was found before the iteration was cut off."""
        best = self._leader.root(0)
        if self._lines and best.move != best_before and abs(best.score) < INFINITE:
            others = [line for line in self._lines if line.moves[0] != best.move]
            bound = LOWER_BOUND if best.score >= self._leader.record.beta else EXACT
            lines = [self._line(0, best.score, bound), *others][: len(self._lines)]
            self._tell([line._replace(rank=rank) for rank, line in enumerate(lines, 1)])

    def _line(self, rank, score, bound):
        root = self._leader.root(rank)
        is_mating = is_mate(score)
        return Line(
            self._depth,
            max(root.selective_depth, self._depth),
            rank + 1,
            Score(None, moves_to_mate(score)) if is_mating else Score(centipawns(score, self._pieces), None),
            bound,
            win_draw_loss(score, self._pieces),
            sum(worker.record.nodes for worker in self._workers),
            self._clock.seconds,
            self._hash_permille(),
            sum(worker.record.table_hits for worker in self._workers),
            root.line[: root.length],
        )

    def _hash_permille(self):
        """How full the table is, looked at now and then."""
        if self._clock.seconds - self._hash_looked_at > SECONDS_BETWEEN_LOOKS:
            self._hash_looked_at, self._hash_used = self._clock.seconds, self._table.permille_used()
        return self._hash_used

    def _choice(self):
        """The best move, and the expected answer; any move if not even one iteration was completed."""
        line = self._lines[0].moves if self._lines else [self._leader.root(0).move]
        return Choice(line[0], line[1] if len(line) > 1 else NO_MOVE, self._lines)
