"""The standings of a contest: who has won what, in complete pairs of games."""

from collections import defaultdict

from bluekrait.tools.statistics.pentanomial import Pairs, elo, normalised_elo
from bluekrait.tools.statistics.summary import number, percent, summary_lines


class Standings:
    """Counts games as they come in, in any order."""

    def __init__(self, contest):
        self._contest = contest
        self._waiting = {}  # by pair: the game whose other one is missing
        self._results = defaultdict(list)  # by encounter: the points of its first engine, pair after pair
        self._pairs = defaultdict(Pairs)
        self.games = 0

    def add(self, game):
        """Count a finished game."""
        self.games += 1
        other = self._waiting.pop(game.pair, None)
        if other is None:
            self._waiting[game.pair] = game
            return
        place = (game.pair - 1) % len(self._contest.encounters)
        points = [one.points[one.game - 1] for one in sorted((other, game))]  # White in game 1 comes first
        self._results[place] += points
        self._pairs[place] = self._pairs[place].plus(Pairs.of_results(points))

    def pairs(self, place=0):
        """The pentanomial counts of an encounter, for its first engine."""
        return self._pairs[place]

    def pairs_of(self, engine):
        """The pentanomial counts of an engine against all others."""
        total = Pairs()
        for place, (first, second) in enumerate(self._contest.encounters):
            if engine == first:
                total = total.plus(self.pairs(place))
            elif engine == second:
                total = total.plus(self.pairs(place).reversed())
        return total

    def report(self, bounds=None):
        """How it stands, as lines of text."""
        encounters = self._contest.encounters
        if len(encounters) > 1:
            return self._table()
        (first, second), results = encounters[0], self._results[0]
        heading = f"Results of {first.name} vs {second.name} ({self._conditions(first, second)}):"
        return [heading, *summary_lines(results, bounds)]

    def _conditions(self, first, second):
        mine, theirs = first.time.short_text(), second.time.short_text()
        return mine if mine == theirs else f"{mine} against {theirs}"

    def _table(self):
        """All engines, the best first; each against the field that it met."""
        rows = [(engine, self.pairs_of(engine)) for engine in self._contest.engines]
        rows.sort(key=lambda row: -_score(row[1]))
        width = max(len(engine.name) for engine, _ in rows)
        lines = [
            f"Rank {'Name':{width}} {'Elo':>10} {'+/-':>9} {'nElo':>10} {'+/-':>9} Games   Score   Ptnml(0-2)"
        ]
        for rank, (engine, pairs) in enumerate(rows, 1):
            figures = (*elo(pairs), *normalised_elo(pairs))
            columns = [f"{number(value):>{size}}" for value, size in zip(figures, (10, 9, 10, 9))]
            share = f"{percent(_score(pairs)):>9}"
            line = (
                f"{rank:4} {engine.name:{width}} {' '.join(columns)} {2 * sum(pairs):5} {share} {list(pairs)}"
            )
            lines.append(line)
        return lines


def _score(pairs):
    """The share of the points."""
    total = sum(pairs)
    return sum(points * count for points, count in enumerate(pairs)) / (4 * total) if total else 0.0
