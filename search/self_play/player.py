"""Games of self-play, for Python."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from bluekrait.core import native
from bluekrait.search.evaluation.network.network_memory import NetworkMemory, attach
from bluekrait.search.parameters import DEFAULTS
from bluekrait.search.self_play.game_records import GameHead, SelfPlay
from bluekrait.search.thread_memory import forget, new_thread
from bluekrait.search.transposition_layout import CLUSTER_BYTES

if TYPE_CHECKING:
    import numpy as np

    from bluekrait.search.evaluation.network.network_file import Network

ENTRIES_MODULE = "bluekrait.search.self_play.self_play_entries"
TABLE_BYTES = 1 << 19  # fits into the processor's second cache beside what else a search needs
PLY_BYTES = ctypes.sizeof(ctypes.c_uint32)


class Player:
    """Plays the games of a seed. The same number gives the same game, whatever was played before.

    It evaluates with a `network_file.Network`, or classically without one. Another player is
    `tools.tuning.node_limited_player`: Python asks it for each move, and sets its parameters.
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
        self._thread = thread = new_thread()
        self._table = (ctypes.c_char * (table_bytes + CLUSTER_BYTES))()
        start = ctypes.addressof(self._table)
        thread.table = start + -start % CLUSTER_BYTES
        thread.clusters = table_bytes // CLUSTER_BYTES
        for name, value in DEFAULTS.items():
            setattr(thread.parameters, name, value)
        self._network_in_use = attach(thread, NetworkMemory(network) if network else None)
        self._job = SelfPlay(seed=seed, nodes=nodes, chess960=chess960, thread=ctypes.addressof(thread))

    def play(self, number: int) -> bytes:
        """Play the game with a number; its bytes, as they stand in a file."""
        self._forget()
        self._job.number = number
        plies = self._entries["play_game"](self._job)
        return ctypes.string_at(ctypes.addressof(self._job.game), ctypes.sizeof(GameHead) + plies * PLY_BYTES)

    def label(self, samples: np.ndarray) -> None:
        """Search some samples, an array that can be written to, for new scores and moves.

        The result depends on all of them together, and on nothing else.
        """
        self._forget()
        self._job.samples, self._job.count = samples.ctypes.data, len(samples)
        self._entries["label_samples"](self._job)

    def _forget(self) -> None:
        """Clear what the last game left."""
        ctypes.memset(self._table, 0, len(self._table))
        forget(self._thread, keep_pawns=True)
