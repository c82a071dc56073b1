"""Games of two searchers against each other, in pairs from one opening with colours exchanged."""

from __future__ import annotations

from bluekrait.core import native
from bluekrait.search.self_play.game_records import SelfPlay, packed_game
from bluekrait.search.self_play.players.player import ENTRIES_MODULE
from bluekrait.search.self_play.players.searcher import Searcher

BALANCED = 250  # centipawns, or less, that an opening may favour one side by


class Rivals:
    """Plays the games of a seed. The judge decides which openings are balanced.

    With a clock, `nodes` is what each move gives back, else the soft limit for a move.

    A game depends on its number and on how the three search, not on what was played before.
    """

    def __init__(
        self,
        seed: int,
        nodes: int,
        judge: Searcher,
        one: Searcher,
        other: Searcher,
        has_clock: bool = False,
    ) -> None:
        self._entries = native.load(ENTRIES_MODULE)
        self._searchers = judge, one, other
        self._job = SelfPlay(seed=seed, nodes=nodes, most_ahead=BALANCED, judge=judge.address)
        self._job.has_clock = has_clock

    def play_pair(self, pair: int) -> tuple[bytes, bytes]:
        """Games `2 * pair`, in which `one` has White, and the next, in which the other has it."""
        _, one, other = self._searchers
        self._job.opening = pair
        return self._play(2 * pair, one, other), self._play(2 * pair + 1, other, one)

    def _play(self, number: int, white: Searcher, black: Searcher) -> bytes:
        for searcher in self._searchers:
            searcher.forget()
        self._job.number = number
        self._job.white, self._job.black = white.address, black.address
        return packed_game(self._job, self._entries["play_game"](self._job))
