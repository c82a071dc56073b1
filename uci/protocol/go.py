"""The words of `go`, in any order and however badly written, as `Limits` for a search.

Every `go` deserves an answer in time. So a limit that cannot be read counts as next to nothing rather than
as no limit at all; only a `go` without any limit goes on until `stop`.
"""

from bluekrait.core.notation.san_and_uci import MoveError, move_from_uci
from bluekrait.search.limits import Limits
from bluekrait.uci.numbers import parse_nearest

MOST = 10**15  # milliseconds or nodes; nobody lives to see the end of it
DEEPEST = 1000

SIDES = ("w", "b")

LOWEST = {
    "wtime": -MOST,
    "btime": -MOST,
    "winc": 0,
    "binc": 0,
    "movestogo": 1,
    "movetime": 0,
    "depth": 1,
    "nodes": 1,
    "mate": 1,
}
HIGHEST = {"movestogo": DEEPEST, "depth": DEEPEST, "mate": DEEPEST}
CLOCK = ("wtime", "btime", "winc", "binc", "movestogo")
FLAGS = ("infinite", "ponder")
LIST = "searchmoves"


def parse_go(words, turn, legal_moves):
    """The limits that the words ask for, and a complaint about each thing that was not understood."""
    reading = _Reading(words)
    moves = _chosen(reading.move_texts, turn, legal_moves, reading.complaints)
    limits = _limits(reading.numbers, reading.flags, turn)._replace(search_moves=moves)
    return limits, reading.complaints


class _Reading:
    """What the words are, one after another."""

    def __init__(self, words):
        self.numbers = {}
        self.flags = set()
        self.move_texts = []
        self.complaints = []
        self._words = list(reversed(words))
        while self._words:
            self._take(self._words.pop())

    def _take(self, word):
        if word in LOWEST:
            self.numbers[word] = self._number(word)
        elif word in FLAGS:
            self.flags.add(word)
        elif word == LIST:
            self._take_moves()
        else:
            self.complaints.append(f"go: {word[:40]!r} is ignored")

    def _number(self, name):
        low = LOWEST[name]
        text = self._words.pop() if self._words and not self._is_keyword(self._words[-1]) else ""
        try:
            return parse_nearest(text, low, HIGHEST.get(name, MOST))
        except ValueError as error:
            self.complaints.append(f"go {name}: {error}")
            return max(low, 0)

    def _take_moves(self):
        while self._words and not self._is_keyword(self._words[-1]):
            self.move_texts.append(self._words.pop())

    def _is_keyword(self, word):
        return word in LOWEST or word in FLAGS or word == LIST


def _chosen(texts, turn, legal_moves, complaints):
    """The legal moves among the texts, none for all if there is none."""
    chosen = []
    for text in texts:
        try:
            chosen.append(move_from_uci(text, legal_moves, turn))
        except MoveError as error:
            complaints.append(f"go searchmoves: {error}")
    return tuple(dict.fromkeys(chosen))


def _limits(numbers, flags, turn):
    is_pondering = "ponder" in flags
    is_infinite = "infinite" in flags or not (numbers or is_pondering)
    return Limits(
        remaining=_remaining(numbers, turn),
        increment=numbers.get(SIDES[turn] + "inc", 0),
        moves_to_go=numbers.get("movestogo"),
        move_time=numbers.get("movetime"),
        depth=numbers.get("depth"),
        nodes=numbers.get("nodes"),
        mate=numbers.get("mate"),
        infinite=is_infinite,
        ponder=is_pondering and not is_infinite,
    )


def _remaining(numbers, turn):
    """The own clock; if only the other one was told, the own will not be much different."""
    if not any(name in numbers for name in CLOCK):
        return None
    own, other = SIDES[turn] + "time", SIDES[turn ^ 1] + "time"
    return numbers.get(own, numbers.get(other, 0))
