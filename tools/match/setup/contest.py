"""What is to be played: engines, openings, rules, and the numbered games that follow from them.

Every pair of games has a number, which decides everything about it: the two engines and the opening. The
engines swap colours between game 1 and game 2 of a pair. So games can be played anywhere and in any order,
and a contest is continued by playing the missing games. More rounds do not change the numbers of earlier
pairs.
"""

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import NamedTuple

from bluekrait.tools.match.setup.engine_spec import EngineSpec
from bluekrait.tools.match.setup.opening_files import START, Opening

GAUNTLET = "gauntlet"  # the first engine plays all others
ROUND_ROBIN = "roundrobin"  # every engine plays every other


class Rules(NamedTuple):
    """When a game is adjudicated before the rules of chess end it; counts of zero: never.

    The journal of a contest holds these names.
    """

    resign_score: int = 0  # centipawns
    resign_moves: int = 0  # in a row with such a score of the losing side
    resign_twosided: bool = False  # the winning side must report such a score, too
    draw_score: int = 0
    draw_moves: int = 0  # in a row with such a score of both sides
    draw_from: int = 0  # the earliest move number
    max_moves: int = 0  # of a game; a longer one is drawn
    tables: str = ""  # directories of tablebases, separated as in PATH
    tablebase_pieces: int = 0  # at most; 0: as many as the tables have
    tables_ignore_fifty: bool = False  # a win that takes more than fifty moves is a win


class ScheduledGame(NamedTuple):
    """One game to be played."""

    pair: int
    game: int  # 1 or 2 of its pair
    white: EngineSpec
    black: EngineSpec
    opening: Opening
    rules: Rules
    chess960: bool
    event: str

    @property
    def key(self) -> tuple[int, int]:
        """Identifies the game in its contest."""
        return self.pair, self.game

    @property
    def round_text(self) -> str:
        """The value of the PGN tag Round."""
        return f"{self.pair}.{self.game}"


class Contest(NamedTuple):
    """Engines, and who plays whom. Immutable, and can be pickled."""

    engines: tuple[EngineSpec, ...]
    openings: tuple[Opening, ...] = (Opening(START),)  # one for each round, then from the first again
    rounds: int = 1  # pairs of games in each encounter
    scheme: str = GAUNTLET
    rules: Rules = Rules()
    chess960: bool = False
    event: str = "BlueKrait match"

    @property
    def encounters(self) -> tuple[tuple[EngineSpec, EngineSpec], ...]:
        """Who plays whom: pairs of engines, of which the first has White in game 1."""
        if self.scheme == ROUND_ROBIN:
            return tuple(combinations(self.engines, 2))
        return tuple((self.engines[0], other) for other in self.engines[1:])

    @property
    def pairs(self) -> int:
        """The number of pairs of games; pairs are numbered from 1."""
        return self.rounds * len(self.encounters)

    def games_of_pair(self, pair: int) -> tuple[ScheduledGame, ScheduledGame]:
        """The two games of a pair."""
        encounters = self.encounters
        round_index, encounter = divmod(pair - 1, len(encounters))
        first, second = encounters[encounter]
        opening = self.openings[round_index % len(self.openings)]
        game = ScheduledGame(pair, 1, first, second, opening, self.rules, self.chess960, self.event)
        return game, game._replace(game=2, white=second, black=first)

    def schedule(self, done: Collection[tuple[int, int]] = ()) -> Iterator[ScheduledGame]:
        """All games in order, except those whose keys are in `done`."""
        for pair in range(1, self.pairs + 1):
            for scheduled in self.games_of_pair(pair):
                if scheduled.key not in done:
                    yield scheduled
