"""Time controls as match runners write them, and the clock of one side."""

import re
from decimal import Decimal
from typing import NamedTuple

PATTERN = re.compile(r"(?:(\d+)/)?(?:(\d+):)?(\d+(?:\.\d*)?|\.\d+)(?:\+(\d+(?:\.\d*)?|\.\d+))?")
WITHOUT_LIMIT = ("inf", "infinite")
MOST = 1e15  # seconds, moves or nodes: engines calculate with 64 bits, some of them in milliseconds


class TimeControl(NamedTuple):
    """The limits of one side. All times in seconds; zero means that there is no such limit."""

    seconds: float = 0.0
    increment: float = 0.0
    moves: int = 0  # in which the seconds are to be used; 0: the whole game
    move_time: float = 0.0  # for every move
    nodes: int = 0
    depth: int = 0
    margin: float = 0.0  # an overrun up to this is forgiven

    @property
    def is_limited(self) -> bool:
        """True if a search ends by itself."""
        return bool(self.seconds or self.move_time or self.nodes or self.depth)

    def text(self) -> str:
        """The value of the PGN tag TimeControl, nearly as in the standard."""
        if self.seconds:
            moves = f"{self.moves}/" if self.moves else ""
            increment = f"+{exact_text(self.increment)}" if self.increment else ""
            return f"{moves}{exact_text(self.seconds)}{increment}"
        return f"{exact_text(self.move_time)}/move" if self.move_time else "-"

    def short_text(self) -> str:
        """Every limit, for people."""
        parts = [self.text()] if self.seconds or self.move_time else []
        parts += [f"{self.nodes} nodes"] if self.nodes else []
        parts += [f"depth {self.depth}"] if self.depth else []
        return ", ".join(parts) or "no limit"


def exact_text(seconds: float) -> str:
    """All digits of a time, without an exponent."""
    return f"{Decimal(repr(seconds)):f}".removesuffix(".0")


def parse_time_control(text: str) -> TimeControl:
    """Seconds, increment and moves of `8+0.08`, `40/60+0.5`, `1:30+1` or `inf`; ValueError otherwise."""
    if text in WITHOUT_LIMIT:
        return TimeControl()
    match = PATTERN.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no time control like 8+0.08, 40/60+0.5 or 1:30+1 (seconds)")
    moves, minutes, seconds, increment = match.groups()
    control = TimeControl(float(minutes or 0) * 60 + float(seconds), float(increment or 0), int(moves or 0))
    if control.seconds == 0 and control.increment == 0:
        raise ValueError(f"{text!r} leaves no time at all")
    if max(control) >= MOST:
        raise ValueError(f"{text!r} is too much time, or for too many moves")
    return control._replace(seconds=control.seconds or control.increment)


class SideClock:
    """The time that one side has left."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.remaining = control.seconds
        self.moves_to_go = control.moves

    @property
    def limit(self) -> float | None:
        """Seconds that the next move may take; None without limit."""
        return self.remaining if self.control.seconds else self.control.move_time or None

    def overrun(self, seconds: float) -> float:
        """By how much a move that took so long exceeds its limit; 0 if the margin forgives it."""
        if self.limit is None:
            return 0.0
        return max(0.0, seconds - self.limit) if seconds > self.limit + self.control.margin else 0.0

    def spend(self, seconds: float) -> None:
        """Subtract the time of a move and add the increment, and the time for the next moves."""
        if not self.control.seconds:
            return
        self.remaining = max(0.0, self.remaining - seconds) + self.control.increment
        if self.control.moves:
            self.moves_to_go -= 1
            if self.moves_to_go == 0:
                self.moves_to_go = self.control.moves
                self.remaining += self.control.seconds
