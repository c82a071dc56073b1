"""The standings of a contest: the score of each engine, in complete pairs of games."""

from collections import defaultdict
from collections.abc import Sequence

from bluekrait.tools.match.results.finished_games import FinishedGame
from bluekrait.tools.match.setup.contest import Contest
from bluekrait.tools.match.setup.engine_spec import EngineSpec
from bluekrait.tools.statistics.pentanomial import Pairs, elo, normalised_elo
from bluekrait.tools.statistics.sequential import Bounds
from bluekrait.tools.statistics.summary import number, percent, summary_lines


class Standings:
    """Counts games in the order in which they finish."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._waiting: dict[int, FinishedGame] = {}  # by pair: a game whose partner is not finished
        self._results: defaultdict[int, list[float]] = defaultdict(list)  # by encounter
        self._pairs: defaultdict[int, Pairs] = defaultdict(Pairs)  # by encounter
        self._restarts = 0  # games before which an engine had ended by itself
        self.games = 0

    def add(self, game: FinishedGame) -> None:
        """Count a finished game."""
        partner = self._waiting.pop(game.pair, None)
        if partner is None:
            self._waiting[game.pair] = game
        else:
            self._add_pair(partner, game)
        self._restarts += bool(game.restarted)
        self.games += 1  # at last: a new number tells other threads that there is a new report

    def _add_pair(self, partner: FinishedGame, game: FinishedGame) -> None:
        encounter = (game.pair - 1) % len(self._contest.encounters)
        first, second = sorted((partner, game))
        points = [first.points[0], second.points[1]]  # the first engine has White in game 1
        self._results[encounter] += points
        self._pairs[encounter] = self._pairs[encounter].plus(Pairs.of_results(points))

    def pairs(self, encounter: int = 0) -> Pairs:
        """The pentanomial counts of an encounter, for its first engine."""
        return self._pairs[encounter]

    def pairs_of(self, engine: EngineSpec) -> Pairs:
        """The pentanomial counts of an engine against all others."""
        total = Pairs()
        for encounter, (first, second) in enumerate(self._contest.encounters):
            if engine == first:
                total = total.plus(self.pairs(encounter))
            elif engine == second:
                total = total.plus(self.pairs(encounter).reversed())
        return total

    def report(self, bounds: Bounds | None = None) -> list[str]:
        """The standings as lines of text."""
        lines = self._table() if len(self._contest.encounters) > 1 else self._summary(bounds)
        if self._restarts:
            lines.append(f"Games before which an engine had ended and was started again: {self._restarts}")
        return lines

    def _summary(self, bounds: Bounds | None) -> list[str]:
        first, second = self._contest.encounters[0]
        heading = f"Results of {first.name} vs {second.name} ({_conditions(first, second)}):"
        return [heading, *summary_lines(self._results[0], bounds)]

    def _table(self) -> list[str]:
        """All engines, the best first, each against all its opponents."""
        rows = [(engine, self.pairs_of(engine)) for engine in self._contest.engines]
        rows.sort(key=lambda row: -_score(row[1]))
        width = max(len(engine.name) for engine, _ in rows)
        lines = [
            f"Rank {'Name':{width}} {'Elo':>10} {'+/-':>9} {'nElo':>10} {'+/-':>9} Games   Score   Ptnml(0-2)"
        ]
        for rank, (engine, pairs) in enumerate(rows, 1):
            figures = (*elo(pairs), *normalised_elo(pairs))
            columns = " ".join(f"{number(value):>{size}}" for value, size in zip(figures, (10, 9, 10, 9)))
            share = f"{percent(_score(pairs)):>9}"
            lines.append(f"{rank:4} {engine.name:{width}} {columns} {2 * sum(pairs):5} {share} {list(pairs)}")
        return lines


def _conditions(first: EngineSpec, second: EngineSpec) -> str:
    first_limit, second_limit = first.time.short_text(), second.time.short_text()
    return first_limit if first_limit == second_limit else f"{first_limit} against {second_limit}"


def _score(pairs: Sequence[int]) -> float:
    """The share of the points."""
    total = sum(pairs)
    return sum(points * count for points, count in enumerate(pairs)) / (4 * total) if total else 0.0
