"""A contest being held: games that are missing are played, kept, counted and shown, until it is decided."""

from contextlib import closing
from typing import NamedTuple

from bluekrait.core.timer import monotonic
from bluekrait.tools.match.cluster_games import play_on_cluster
from bluekrait.tools.match.display import display_for
from bluekrait.tools.match.display.lines import duration_text
from bluekrait.tools.match.external.external_runner import play_with_runner
from bluekrait.tools.match.external.runner_command import Runner
from bluekrait.tools.match.results.finished_games import ABANDONED
from bluekrait.tools.match.results.game_journal import GameJournal
from bluekrait.tools.match.results.standings import Standings
from bluekrait.tools.match.runner.game_processes import play_games
from bluekrait.tools.match.setup.contest import Contest
from bluekrait.tools.statistics.sequential import Bounds, llr, verdict

MOST_FAILED_STARTS = 12  # games in a row that end before the first move: something is wrong with an engine


class MatchPlan(NamedTuple):
    """How a contest is held."""

    contest: Contest
    identity: dict  # what must be the same to go on with it
    pgn: str
    runner: Runner = None  # None: our own
    concurrency: int = 1
    cpus: list = None  # a set of processors for every game at a time
    overwrite: bool = False
    bounds: Bounds = None  # of a sequential test
    cluster: str = None  # address of a scheduler whose workers play


class Session:
    """One call of the program: the games before it, and those it plays itself."""

    def __init__(self, plan, notes=()):
        self.plan, self.bounds = plan, plan.bounds
        self.contest = plan.contest
        self._journal = GameJournal(plan.pgn, plan.identity, plan.overwrite)
        self.standings = Standings(self.contest)
        for game in self._journal.games:
            self.standings.add(game)
        self._games_before, self._start = self.standings.games, monotonic()
        self._failed_starts = 0
        self._notes = notes  # to be shown when it begins
        self._report = None, []  # the number of games that it tells of, and its lines

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._journal.close()

    def run(self):
        """Play what is missing; what the test says: "H0", "H1", or None without a verdict.

        RuntimeError if it makes no sense to go on. What is finished is kept, however this ends.
        """
        with display_for(self) as display:
            if self._games_before:
                display.note(f"{self._games_before} games are in {self._journal.path} already")
            for note in self._notes:
                display.note(note)
            with closing(self._games(display)) as games:
                while not self.verdict():
                    game = next(games, None)
                    if game is None:
                        break
                    self._take(game)
                    display.game_finished(game)
        return self.verdict()

    def _games(self, display):
        plan = self.plan
        done = {game.key for game in self._journal.games}
        if plan.cluster is not None:
            return play_on_cluster(plan.cluster, self.contest, done)
        missing = self.contest.schedule(done)
        if plan.runner is None:
            return play_games(missing, plan.concurrency, plan.cpus, display.game_started)
        cpus = set().union(*plan.cpus) if plan.cpus else None
        return play_with_runner(
            plan.runner, missing, plan.concurrency, cpus, display.game_started, display.note
        )

    def _take(self, game):
        """Keep and count a game."""
        self._journal.add(game)
        self.standings.add(game)
        failed_to_start = game.termination == ABANDONED and game.plies == 0
        self._failed_starts = self._failed_starts + 1 if failed_to_start else 0
        if self._failed_starts == MOST_FAILED_STARTS:
            raise RuntimeError(f"{MOST_FAILED_STARTS} games in a row ended before they began: {game.reason}")

    def verdict(self):
        """What the sequential test says by now; None if it says nothing."""
        return verdict(self.standings.pairs(), self.bounds) if self.bounds else None

    # --- for displays ---

    @property
    def title(self):
        """What is being played, in a line."""
        plan, engines, bounds = self.plan, self.contest.engines, self.bounds
        who = (
            " vs ".join(engine.name for engine in engines) if len(engines) == 2 else f"{len(engines)} engines"
        )
        games = f"{2 * self.contest.pairs} games"
        if bounds:
            games = f"SPRT [{bounds.elo0:.2f}, {bounds.elo1:.2f}] {bounds.model}, up to {games}"
        runner = plan.runner.kind if plan.runner else "built-in runner"
        where = f"{plan.concurrency} at a time, {runner}" if plan.cluster is None else f"on {plan.cluster}"
        return f"{who}: {games}, {where}, to {plan.pgn}"

    def report(self):
        """How it stands."""
        if self._report[0] != self.standings.games:
            self._report = self.standings.games, self.standings.report(self.bounds)
        return self._report[1]

    def share_done(self):
        """The share of the games that are finished."""
        return self.standings.games / (2 * self.contest.pairs)

    def share_of_test(self):
        """How far the sequential test has come to the hypothesis it tends to, and which one that is."""
        value = llr(self.standings.pairs(), self.bounds)
        if value >= 0:
            return value / self.bounds.upper, "to H1"
        return value / self.bounds.lower, "to H0"

    def progress_text(self):
        """How far it is, and how long it will take."""
        done, total = self.standings.games, 2 * self.contest.pairs
        seconds, new = monotonic() - self._start, done - self._games_before
        text = f"{done} of {total} games, {duration_text(seconds)}"
        if not new or done == total or self.verdict():
            return text
        most = "at most " if self.bounds else ""
        return f"{text}, {most}{duration_text(seconds / new * (total - done))} left"
