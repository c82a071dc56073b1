"""What a file of games is about: whose match it is, its pairs, how it stood in between."""

from collections import Counter
from typing import NamedTuple

from bluekrait.tools.report.pgn_games import read_games
from bluekrait.tools.statistics.pentanomial import Pairs
from bluekrait.tools.statistics.ratings import Encounter


class Match(NamedTuple):
    """The games of a file, seen by the player they are about."""

    player: str
    games: list  # finished ones, all players'
    unfinished: int

    @property
    def own_games(self):
        """The player's games."""
        return [game for game in self.games if self.player in (game.white, game.black)]

    @property
    def players(self):
        """All names, the player's first."""
        names = dict.fromkeys(name for game in self.games for name in (game.white, game.black))
        return [self.player, *(name for name in names if name != self.player)]

    @property
    def points(self):
        """The player's points by game."""
        return [game.points_of(self.player) for game in self.own_games]

    @property
    def paired_points(self):
        """The same for complete pairs only, the two games of a pair next to each other."""
        return [game.points_of(self.player) for pair in self._pairs() for game in pair]

    @property
    def pairs(self):
        """How many pairs brought how many points."""
        return Pairs.of_results(self.paired_points)

    def history(self):
        """For every pair when it was complete: the player's games so far, and the pairs so far."""
        place = {game.number: count for count, game in enumerate(self.own_games, 1)}
        so_far, steps = Pairs(), []
        for pair in self._pairs():
            so_far = so_far.plus(Pairs.of_results([game.points_of(self.player) for game in pair]))
            steps.append((place[pair[-1].number], so_far))
        return steps

    def lost_games(self):
        """The games that the player has lost."""
        return [game for game in self.own_games if game.points_of(self.player) == 0]

    def endings(self):
        """How many games ended how, the most frequent way first."""
        return Counter(game.ending for game in self.games).most_common()

    def encounters(self):
        """The crosstable."""
        counts = {}
        for game in self.games:
            first, second = sorted((game.white, game.black))
            points = game.points_of(first)
            counts.setdefault((first, second), Counter())[points] += 1
        return [Encounter(*names, c[1.0], c[0.5], c[0.0]) for names, c in counts.items()]

    def _pairs(self):
        """The player's games two by two, in the order in which pairs were complete.

        The two games of a pair share opponent and round: "7.1" and "7.2", or 7 and 7. Where rounds only
        count games, or say nothing, partners follow each other.
        """
        rounds = [(_opponent(game, self.player), game.round.split(".")[0]) for game in self.own_games]
        is_told = max(Counter(rounds).values(), default=0) == 2
        waiting, complete = {}, []
        for game, (opponent, number) in zip(self.own_games, rounds):
            key = (opponent, number) if is_told else opponent
            if key in waiting:
                complete.append((waiting.pop(key), game))
            else:
                waiting[key] = game
        return complete


def read_match(path, player=None):
    """The match that a PGN file holds; ValueError if it holds none."""
    games = list(read_games(path))
    finished = [game for game in games if game.is_finished]
    if not finished:
        raise ValueError(f"{path}: no finished game")
    first = min(finished, key=_order)
    counts = Counter(name for game in (first, *finished) for name in (game.white, game.black))
    if player is None:
        player = max(counts, key=lambda name: counts[name])  # of equals, White of the first game
    elif player not in counts:
        raise ValueError(f"{path}: nobody is called {player!r}, there are {', '.join(sorted(counts))}")
    return Match(player, finished, len(games) - len(finished))


def _order(game):
    """Where a game stands in its match, which is not always where it stands in the file."""
    pair, _, second = game.round.partition(".")
    return (int(pair), int(second)) if pair.isdecimal() and second.isdecimal() else (game.number, 0)


def _opponent(game, player):
    return game.black if game.white == player else game.white
