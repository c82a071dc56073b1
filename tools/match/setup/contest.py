"""What is to be played: engines, openings, rules, and the numbered games that follow from them.

Every pair of games has a number, and the number decides everything about it: the two engines, the opening,
and that they swap colours between its game 1 and its game 2. So games can be played anywhere and in any
order; to go on after an interruption is to play those that are missing. More rounds never change the
numbers of those before.
"""

from itertools import combinations
from typing import NamedTuple

from bluekrait.tools.match.setup.engine_spec import EngineSpec
from bluekrait.tools.match.setup.opening_files import START, Opening

GAUNTLET = "gauntlet"  # the first engine plays all others
ROUND_ROBIN = "roundrobin"  # everybody plays everybody


class Rules(NamedTuple):
    """When a game is ended before the rules of chess end it; counts of zero: never."""

    resign_score: int = 0  # centipawns
    resign_moves: int = 0  # in a row that the losing side says so
    resign_twosided: bool = False  # the winning side has to agree
    draw_score: int = 0
    draw_moves: int = 0  # in a row that both sides say so
    draw_from: int = 0  # move of the game
    max_moves: int = 0  # of a game, then it is drawn
    tables: str = ""  # directories of tablebases that end games, written as in PATH
    table_pieces: int = 0  # at most; 0: as many as there are tables for
    tables_ignore_fifty: bool = False  # a win that takes more than fifty moves is a win


class ScheduledGame(NamedTuple):
    """One game to be played."""

    pair: int
    game: int  # 1 or 2 of its pair
    white: EngineSpec
    black: EngineSpec
    opening: Opening
    rules: Rules = Rules()
    chess960: bool = False
    event: str = "?"

    @property
    def key(self):
        """What tells a game from all others of its contest."""
        return self.pair, self.game

    @property
    def round_text(self):
        """The PGN's Round tag."""
        return f"{self.pair}.{self.game}"


class Contest(NamedTuple):
    """Engines, and how they meet. It can be pickled; nothing in it changes."""

    engines: tuple
    openings: tuple = (Opening(START),)  # one for each round, and again from the first
    rounds: int = 1  # pairs of games in each encounter
    scheme: str = GAUNTLET
    rules: Rules = Rules()
    chess960: bool = False
    event: str = "BlueKrait match"

    @property
    def encounters(self):
        """Who meets whom: pairs of engines, the first of which is White in game 1."""
        if self.scheme == ROUND_ROBIN:
            return tuple(combinations(self.engines, 2))
        return tuple((self.engines[0], other) for other in self.engines[1:])

    @property
    def pairs(self):
        """How many pairs of games there are; they are numbered from 1."""
        return self.rounds * len(self.encounters)

    def games_of_pair(self, pair):
        """The two games of a pair."""
        encounters = self.encounters
        round_index, place = divmod(pair - 1, len(encounters))
        first, second = encounters[place]
        opening = self.openings[round_index % len(self.openings)]
        common = (opening, self.rules, self.chess960, self.event)
        return ScheduledGame(pair, 1, first, second, *common), ScheduledGame(pair, 2, second, first, *common)

    def schedule(self, done=()):
        """All games in order, but for those whose keys are given."""
        for pair in range(1, self.pairs + 1):
            for scheduled in self.games_of_pair(pair):
                if scheduled.key not in done:
                    yield scheduled
