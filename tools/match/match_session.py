"""A running match: the missing games are played, kept, counted and shown, until the match is over."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import Any, NamedTuple

from bluekrait.core.timer import monotonic
from bluekrait.tools.match.cluster_games import play_on_cluster
from bluekrait.tools.match.display import display_for
from bluekrait.tools.match.display.match_status import Display
from bluekrait.tools.match.external.external_runner import play_with_runner
from bluekrait.tools.match.external.runner_command import Runner
from bluekrait.tools.match.results.finished_games import FinishedGame
from bluekrait.tools.match.results.game_journal import GameJournal
from bluekrait.tools.match.results.standings import Standings
from bluekrait.tools.match.runner.game_processes import play_games
from bluekrait.tools.match.setup.contest import Contest
from bluekrait.tools.statistics.sequential import Bounds, accepted_hypothesis, llr
from bluekrait.uci.progress import duration_text


class MatchPlan(NamedTuple):
    """Everything that a match session needs to know."""

    contest: Contest
    identity: dict[str, Any]  # what must be the same to continue the contest
    pgn: str
    runner: Runner | None = None  # None: the built-in one
    concurrency: int = 1
    cpus: list[set[int]] | None = None  # processors of each concurrent game
    overwrite: bool = False
    bounds: Bounds | None = None  # of a sequential test
    cluster: str | None = None  # address of the Dask scheduler whose workers play


class MatchSession:
    """One run of the program: the games in the journal, and those that this run plays."""

    def __init__(self, plan: MatchPlan, warnings: Sequence[str] = ()) -> None:
        self.plan, self.bounds = plan, plan.bounds
        self.contest = plan.contest
        test = asdict(plan.bounds) if plan.bounds else None
        self._journal = GameJournal(plan.pgn, plan.identity, plan.overwrite, test)
        self.standings = Standings(self.contest)
        for game in self._journal.games:
            self.standings.add(game)
        self._games_before, self._start = self.standings.games, monotonic()
        self._warnings = warnings  # shown at the start
        self._report: tuple[int, list[str]] = -1, []  # the last report, and the number of games it counts

    def __enter__(self) -> "MatchSession":
        return self

    def __exit__(self, *error: object) -> None:
        self._journal.close()

    def run(self) -> str | None:
        """Play the missing games. The hypothesis that the test accepts, "H0" or "H1", or None.

        RuntimeError if an engine does not start. Finished games are kept, however this ends.
        """
        with display_for(self) as display:
            if self._games_before:
                display.say(f"{self._games_before} games are already in {self._journal.path}")
            for warning in self._warnings:
                display.warn(warning)
            with closing(self._games(display)) as games:
                while not self.accepted_hypothesis():
                    game = next(games, None)
                    if game is None:
                        break
                    self._journal.add(game)
                    self.standings.add(game)
                    if game.restarted:
                        number = f"{game.pair}.{game.game}"
                        display.warn(f"{game.restarted} ended before game {number}, and was started again")
                    display.game_finished(game)
        return self.accepted_hypothesis()

    def _games(self, display: Display) -> Generator[FinishedGame, None, None]:
        plan = self.plan
        done = {game.key for game in self._journal.games}
        if plan.cluster is not None:
            return play_on_cluster(plan.cluster, self.contest, done)
        missing = self.contest.schedule(done)
        if plan.runner is None:
            return play_games(missing, plan.concurrency, plan.cpus, display.game_started)
        cpus = {cpu for cpus in plan.cpus for cpu in cpus} if plan.cpus else None
        return play_with_runner(
            plan.runner, missing, plan.concurrency, cpus, display.game_started, display.warn
        )

    def accepted_hypothesis(self) -> str | None:
        """The hypothesis that the sequential test accepts; None while it continues, or without a test."""
        return accepted_hypothesis(self.standings.pairs(), self.bounds) if self.bounds else None

    # --- for displays ---

    @property
    def title(self) -> str:
        """What is being played, in one line."""
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

    def report(self) -> list[str]:
        """The standings as lines."""
        if self._report[0] != self.standings.games:
            self._report = self.standings.games, self.standings.report(self.bounds)
        return self._report[1]

    def share_done(self) -> float:
        """The share of the games that are finished."""
        return self.standings.games / self._total()

    def _total(self) -> int:
        """The games of the match: more than were asked for if an earlier command has played more."""
        return max(2 * self.contest.pairs, self.standings.games)

    def share_of_test(self) -> tuple[float, str]:
        """The LLR as a share of the bound on its side, and the name of that bound."""
        assert self.bounds is not None
        value = llr(self.standings.pairs(), self.bounds)
        if value >= 0:
            return value / self.bounds.upper, "to H1"
        return value / self.bounds.lower, "to H0"

    def progress_text(self) -> str:
        """Games finished, time used, and time left."""
        done, total = self.standings.games, self._total()
        seconds, new = monotonic() - self._start, done - self._games_before
        text = f"{done} of {total} games, {duration_text(seconds)}"
        if not new or done == total or self.accepted_hypothesis():
            return text
        most = "at most " if self.bounds else ""
        return f"{text}, {most}{duration_text(seconds / new * (total - done))} left"
