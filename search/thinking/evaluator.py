"""Single boards, evaluated without a search, which would scale the score of a network by material."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core.records import write_board
from bluekrait.search.evaluation.network.network_memory import ThreadEvaluation
from bluekrait.search.thread_memory import new_thread

if TYPE_CHECKING:
    from bluekrait.core.board import Board
    from bluekrait.core.native import Entries
    from bluekrait.search.evaluation.network.network_memory import NetworkMemory


class Evaluator:
    """Evaluates boards by a `NetworkMemory`, or classically if that is None."""

    def __init__(self, entries: Entries, network: NetworkMemory | None) -> None:
        self._thread = new_thread()
        self._evaluation = ThreadEvaluation(network)
        self._evaluation.attach(self._thread)
        self._evaluate = entries["evaluate"]

    def score_of(self, board: Board) -> int:
        """The score of a board for the side to move."""
        write_board(self._thread.position.board, board)
        return self._evaluate(self._thread)
