"""Games of the engine against itself, for Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core import native
from bluekrait.search.evaluation.network.network_memory import NetworkMemory
from bluekrait.search.self_play.adjudication_rules import MOST_AHEAD
from bluekrait.search.self_play.game_records import SelfPlay, packed_game
from bluekrait.search.self_play.players.searcher import TABLE_BYTES, Searcher

if TYPE_CHECKING:
    import numpy as np

    from bluekrait.search.evaluation.network.network_file import Network

ENTRIES_MODULE = "bluekrait.search.self_play.self_play_entries"


class Player:
    """Plays the games of a seed. The same number gives the same game, whatever was played before.

    It evaluates with a `network_file.Network`, or classically without one.
    """

    def __init__(
        self,
        seed: int,
        nodes: int,
        chess960: int = 0,
        table_bytes: int = TABLE_BYTES,
        network: Network | None = None,
    ) -> None:
        self._entries = native.load(ENTRIES_MODULE)
        self._searcher = Searcher(NetworkMemory(network) if network else None, table_bytes)
        self._job = SelfPlay(seed=seed, nodes=nodes, chess960=chess960, most_ahead=MOST_AHEAD)
        self._job.judge = self._job.white = self._job.black = self._searcher.address

    def play(self, number: int) -> bytes:
        """Play the game with a number; its bytes, as they stand in a file."""
        self._searcher.forget()
        self._job.number = self._job.opening = number
        return packed_game(self._job, self._entries["play_game"](self._job))

    def label(self, samples: np.ndarray) -> None:
        """Search some samples, an array that can be written to, for new scores and moves.

        The result depends on all of them together, and on nothing else.
        """
        self._searcher.forget()
        self._job.samples, self._job.count = samples.ctypes.data, len(samples)
        self._entries["label_samples"](self._job)
