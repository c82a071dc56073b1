"""The match in a PGN file: its main player, its pairs of games, and its course."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from bluekrait.tools.report.pgn_games import PgnGame, read_games
from bluekrait.tools.statistics.pentanomial import Pairs
from bluekrait.tools.statistics.ratings import Encounter
from bluekrait.uci.progress import ProgressLine, count_text

PLACES = ("1", "2")  # of a game in its pair, behind the number of the round
SECOND = 2  # the place of the game with swapped colours
MOST_LOSSES = 200  # of a player, that are kept with their moves

Step = tuple[int, Pairs]  # the number of games so far, and the pairs so far


class Match(NamedTuple):
    """The games of a file, from the point of view of one player."""

    player: str
    games: list[PgnGame]  # finished ones, of all players
    unfinished: int

    @property
    def own_games(self) -> list[PgnGame]:
        """The games of the player."""
        return [game for game in self.games if self.player in (game.white, game.black)]

    @property
    def players(self) -> list[str]:
        """The names of all players, this one first."""
        names = dict.fromkeys(name for game in self.games for name in (game.white, game.black))
        return [self.player, *(name for name in names if name != self.player)]

    @property
    def points(self) -> list[float]:
        """The player's points, game by game."""
        return [game.points_of(self.player) for game in self.own_games]

    @property
    def paired_points(self) -> list[float]:
        """The points from complete pairs only, pair after pair."""
        return [game.points_of(self.player) for pair in self._pairs() for game in pair]

    @property
    def pairs(self) -> Pairs:
        """The pentanomial counts."""
        return Pairs.of_results(self.paired_points)

    def history(self) -> list[Step]:
        """After every complete pair: the number of the player's games so far, and the pairs so far."""
        played = {game.number: count for count, game in enumerate(self.own_games, 1)}
        so_far, steps = Pairs(), []
        for pair in self._pairs():
            so_far = so_far.plus(Pairs.of_results([game.points_of(self.player) for game in pair]))
            steps.append((played[pair[-1].number], so_far))
        return steps

    def lost_games(self) -> list[PgnGame]:
        """The games that the player lost."""
        return [game for game in self.own_games if game.points_of(self.player) == 0]

    def endings(self) -> list[tuple[str, int]]:
        """The kinds of ending and their numbers of games, the most frequent first."""
        return Counter(game.ending for game in self.games).most_common()

    def encounters(self) -> list[Encounter]:
        """The crosstable: wins, draws and losses of every two players."""
        counts: dict[tuple[str, str], Counter[float]] = {}
        for game in self.games:
            first, second = min(game.white, game.black), max(game.white, game.black)
            points = game.points_of(first)
            counts.setdefault((first, second), Counter())[points] += 1
        return [Encounter(*names, c[1.0], c[0.5], c[0.0]) for names, c in counts.items()]

    def _pairs(self) -> list[tuple[PgnGame, PgnGame]]:
        """The pairs of the player's games, in the order in which they were completed.

        The two games of a pair have the same opponent and round: "7.1" and "7.2", or 7 and 7. If rounds tell
        no pairs, games against the same opponent are paired in their order.
        """
        rounds = [(_opponent(game, self.player), game.round.split(".")[0]) for game in self.own_games]
        numbered = all(game.round.partition(".")[2] in PLACES for game in self.own_games)
        has_rounds = numbered or max(Counter(rounds).values(), default=0) > 1
        waiting: dict[Hashable, PgnGame] = {}
        complete = []
        for game, (opponent, number) in zip(self.own_games, rounds):
            key: Hashable = (opponent, number) if has_rounds else opponent
            if key in waiting:
                complete.append((waiting.pop(key), game))
            else:
                waiting[key] = game
        return complete


def read_match(path: str | Path, player: str | None = None) -> Match:
    """The match in a PGN file; ValueError if there is none, or nobody to report on."""
    games = list(_shown(_without_other_moves(read_games(path))))
    finished = [game for game in games if game.is_finished]
    if not finished:
        raise ValueError(f"{path}: no finished game")
    for game in finished:
        if game.white == game.black:
            raise ValueError(f"{path}, game {game.number}: both players are called {game.white!r}")
    first = min(finished, key=_order)
    pairing = (first.white, first.black) if _order(first)[1] != SECOND else (first.black, first.white)
    counts = Counter([*pairing, *(name for game in finished for name in (game.white, game.black))])
    if player is None:
        player = max(counts, key=lambda name: counts[name])  # of equals, White of the first game of a pair
    elif player not in counts:
        raise ValueError(f"{path}: nobody is called {player!r}, there are {', '.join(sorted(counts))}")
    return Match(player, finished, len(games) - len(finished))


def _without_other_moves(games: Iterable[PgnGame]) -> Iterator[PgnGame]:
    """The games; only those that a report may show keep their moves, which need as much memory as the file.

    Whose losses it shows is known when all games are read.
    """
    losses: Counter[str] = Counter()
    for game in games:
        loser = {"1-0": game.black, "0-1": game.white}.get(game.result)
        if loser is not None and losses[loser] < MOST_LOSSES:
            losses[loser] += 1
            yield game
        else:
            yield game._replace(text="")


def _shown(games: Iterable[PgnGame]) -> Iterator[PgnGame]:
    """The games; a line tells how many were read."""
    line = ProgressLine(delay=1.0)
    try:
        for number, game in enumerate(games, 1):
            line.show(f"{count_text(number, 'game')} read")
            yield game
    finally:
        line.clear()


def _order(game: PgnGame) -> tuple[int, int]:
    """The place of a game in its match: games are not always written in order."""
    pair, _, second = game.round.partition(".")
    return (int(pair), int(second)) if pair.isdecimal() and second.isdecimal() else (game.number, 0)


def _opponent(game: PgnGame, player: str) -> str:
    return game.black if game.white == player else game.white
