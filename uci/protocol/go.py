"""Parse the words of `go`, in any order and with any mistakes, into `Limits` for a search.

Every `go` must be answered in time. So a limit that cannot be read counts as the smallest one, not as none;
only a `go` without any limit goes on until `stop`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.core.notation.san_and_uci import MoveError, move_from_uci
from bluekrait.search.limits import Limits
from bluekrait.uci.numbers import parse_nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST = 10**15  # milliseconds or nodes: upper bound for any number in `go`
MOST_MOVES = 1000  # or half-moves

SIDES = ("w", "b")

LOWEST = {
    "wtime": -MOST,
    "btime": -MOST,
    "winc": 0,
    "binc": 0,
    "movestogo": 0,  # as if it was not there
    "movetime": 0,
    "depth": 1,
    "nodes": 1,
    "mate": 1,
}
HIGHEST = {"movestogo": MOST_MOVES, "depth": MOST_MOVES, "mate": MOST_MOVES}
CLOCK = ("wtime", "btime", "winc", "binc", "movestogo")
FLAGS = ("infinite", "ponder")
LIST = "searchmoves"


def parse_go(words: Iterable[str], turn: int, legal_moves: Sequence[int]) -> tuple[Limits, list[str]]:
    """The limits that the words ask for, and a complaint about each word that was not understood."""
    parser = _Parser(words)
    moves = _search_moves(parser.move_texts, turn, legal_moves, parser.complaints)
    limits = _limits(parser.numbers, parser.flags, turn)._replace(search_moves=moves)
    return limits, parser.complaints


class _Parser:
    """Sorts the words into numbers, flags, moves and complaints."""

    def __init__(self, words: Iterable[str]) -> None:
        self.numbers: dict[str, int] = {}
        self.flags: set[str] = set()
        self.move_texts: list[str] = []
        self.complaints: list[str] = []
        self._words = list(words)[::-1]  # the next one is the last
        while self._words:
            self._take(self._words.pop())

    def _take(self, word: str) -> None:
        if word in LOWEST:
            self.numbers[word] = self._number(word)
        elif word in FLAGS:
            self.flags.add(word)
        elif word == LIST:
            self._take_moves()
        else:
            self.complaints.append(f"go: {word[:40]!r} is ignored")

    def _number(self, name: str) -> int:
        low = LOWEST[name]
        text = self._words.pop() if self._words and not self._is_keyword(self._words[-1]) else ""
        try:
            return parse_nearest(text, low, HIGHEST.get(name, MOST))
        except ValueError as error:
            self.complaints.append(f"go {name}: {error}")
            return max(low, 0)

    def _take_moves(self) -> None:
        while self._words and not self._is_keyword(self._words[-1]):
            self.move_texts.append(self._words.pop())

    def _is_keyword(self, word: str) -> bool:
        return word in LOWEST or word in FLAGS or word == LIST


def _search_moves(
    texts: list[str], turn: int, legal_moves: Sequence[int], complaints: list[str]
) -> tuple[int, ...]:
    """The legal moves among the texts; empty, which means all moves, if there is none."""
    chosen = []
    for text in texts:
        try:
            chosen.append(move_from_uci(text, legal_moves, turn))
        except MoveError as error:
            complaints.append(f"go searchmoves: {error}")
    return tuple(dict.fromkeys(chosen))


def _limits(numbers: dict[str, int], flags: set[str], turn: int) -> Limits:
    is_pondering = "ponder" in flags
    is_infinite = "infinite" in flags or not (numbers or is_pondering)
    return Limits(
        remaining=_remaining(numbers, turn),
        increment=numbers.get(SIDES[turn] + "inc", 0),
        moves_to_go=numbers.get("movestogo") or None,
        move_time=numbers.get("movetime"),
        depth=numbers.get("depth"),
        nodes=numbers.get("nodes"),
        mate=numbers.get("mate"),
        infinite=is_infinite,
        ponder=is_pondering and not is_infinite,
    )


def _remaining(numbers: dict[str, int], turn: int) -> int | None:
    """The engine's clock; if only the opponent's is given, that is taken for both."""
    if not any(name in numbers for name in CLOCK):
        return None
    own, other = SIDES[turn] + "time", SIDES[turn ^ 1] + "time"
    return numbers.get(own, numbers.get(other, 0))
