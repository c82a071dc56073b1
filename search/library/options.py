"""The options of an engine as typed attributes. They are checked when they are set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, overload
from weakref import WeakMethod

from bluekrait.core.memory.usable_memory import memory_megabytes
from bluekrait.search.engine import DEFAULT_MEGABYTES
from bluekrait.search.library.arguments import within
from bluekrait.search.playing.handicap import HIGHEST_ELO, LOWEST_ELO

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_MEGABYTES = memory_megabytes()  # of the transposition table
MOST_THREADS = 1024
MOST_LINES = 218  # no position has more moves
MOST_OVERHEAD = 5000  # milliseconds
MOST_PIECES = 7  # in tablebases
DEEPEST_PROBE = 100

NETWORK, CLASSICAL = "network", "classical"

Value = TypeVar("Value")


class Option(Generic[Value]):
    """An attribute whose value is checked, and passed on to the engine."""

    def __init__(self, initial: Value) -> None:
        self.initial = initial
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, options: None, owner: type) -> Option[Value]: ...

    @overload
    def __get__(self, options: Options, owner: type) -> Value: ...

    def __get__(self, options: Options | None, owner: type) -> Option[Value] | Value:
        if options is None:
            return self
        value: Value = options.values[self.name]
        return value

    def __set__(self, options: Options, value: Value) -> None:
        options.change(self.name, self.checked(value))

    def checked(self, value: Value) -> Value:
        """The value as it is kept. ValueError or TypeError if it is none of the option."""
        raise NotImplementedError


class Number(Option[int]):
    """A whole number within bounds."""

    def __init__(self, initial: int, low: int, high: int) -> None:
        super().__init__(initial)
        self.low, self.high = low, high

    def checked(self, value: int) -> int:
        """It must be a whole number within the bounds."""
        return within(self.name, value, self.low, self.high)


class OptionalNumber(Option["int | None"]):
    """A whole number within bounds, or None."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__(None)
        self.low, self.high = low, high

    def checked(self, value: int | None) -> int | None:
        """None, or a whole number within the bounds."""
        if value is None:
            return None
        return within(self.name, value, self.low, self.high)


class Switch(Option[bool]):
    """True or False."""

    def checked(self, value: bool) -> bool:
        """It must be True or False."""
        if not isinstance(value, bool):
            raise TypeError(f"{self.name} must be True or False, not {value!r}")
        return value


class Word(Option[str]):
    """One of several words."""

    def __init__(self, initial: str, words: tuple[str, ...]) -> None:
        super().__init__(initial)
        self.words = words

    def checked(self, value: str) -> str:
        """It must be one of the words."""
        if value not in self.words:
            raise ValueError(f"{self.name} must be {' or '.join(map(repr, self.words))}, not {value!r}")
        return value


class Path(Option["str | None"]):
    """The path of a file or folder, or None."""

    def __init__(self) -> None:
        super().__init__(None)

    def checked(self, value: str | None) -> str | None:
        """It must be a text or None; whether the file can be read is seen when it is opened."""
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{self.name} must be a path as text, or None, not {value!r}")
        return value


class Options:
    """The options of an engine: `engine.options.threads = 2`.

    A wrong value raises ValueError or TypeError, and the old one stays. While the engine searches, a change
    waits for the end of that search.

    Examples:
        >>> from bluekrait import Engine
        >>> engine = Engine(threads=2)
        >>> engine.options.hash_mb = 8
        >>> engine.options.threads, engine.options.hash_mb, engine.options.elo
        (2, 8, None)
        >>> engine.options.elo = 100
        Traceback (most recent call last):
            ...
        ValueError: elo must be from 800 to 2800, not 100
    """

    __slots__ = ("_apply", "values")

    threads = Number(1, 1, MOST_THREADS)
    """Number of search threads."""
    hash_mb = Number(DEFAULT_MEGABYTES, 1, MOST_MEGABYTES)
    """Size of the transposition table in megabytes."""
    multi_pv = Number(1, 1, MOST_LINES)
    """How many of the best lines to report, unless a search asks for another number."""
    elo = OptionalNumber(LOWEST_ELO, HIGHEST_ELO)
    """The strength at which `play` and `best_move` choose; None for full strength."""
    move_overhead_ms = Number(20, 0, MOST_OVERHEAD)
    """Milliseconds that a move may lose on its way to the board, in games with a clock."""
    book = Path()
    """An opening book in Polyglot's format, for `play` and `best_move`."""
    is_best_of_book = Switch(False)
    """Always play the book's best move, instead of one of its moves by their weights."""
    syzygy = Path()
    """Folders of Syzygy tablebases, separated as in PATH. What cannot be read is left out and logged."""
    syzygy_pieces = Number(MOST_PIECES, 0, MOST_PIECES)
    """Look up positions of at most so many pieces."""
    syzygy_depth = Number(1, 1, DEEPEST_PROBE)
    """The least remaining depth at which the largest tables are looked up."""
    fifty_moves = Switch(True)
    """Whether tablebase wins that the fifty-move rule prevents count as draws."""
    network = Path()
    """A network for the evaluation; None for the one in the package, if there is one."""
    evaluation = Word(CLASSICAL, (NETWORK, CLASSICAL))
    """Which evaluation the search uses: `network` or `classical`."""

    def __init__(self, apply: Callable[[str, Any], None]) -> None:
        self._apply = WeakMethod(apply)  # the engine holds its options: no cycle must keep it alive
        options = (option for option in vars(type(self)).values() if isinstance(option, Option))
        self.values: dict[str, Any] = {option.name: option.initial for option in options}

    def change(self, name: str, value: Any) -> None:
        """Let the engine do what follows from a new value, then keep it."""
        if value != self.values[name]:
            if apply := self._apply():
                apply(name, value)
            self.values[name] = value

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "Options cannot be copied or pickled, for they belong to an engine: keep their values"
        )

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"Options({values})"
