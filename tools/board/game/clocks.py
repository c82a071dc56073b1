"""The two clocks of a game."""

from typing import NamedTuple

from bluekrait.core.timer import monotonic

SIDES = ("white", "black")


class TimeControl(NamedTuple):
    """How much time a side has, in seconds."""

    base: float
    increment: float

    @property
    def text(self) -> str:
        """As in the TimeControl tag of PGN."""
        return f"{self.base:g}+{self.increment:g}"


class Limit(NamedTuple):
    """How long the engine may think about its move: so long, or by its clock."""

    seconds: float | None
    clock: float | None = None
    increment: float = 0.0


class Clocks:
    """Seconds that are left to both sides. At most one clock runs."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.running: str | None = None
        self._left = dict.fromkeys(SIDES, control.base)
        self._since = 0.0

    def left(self, side: str) -> float:
        """The seconds that are left, not less than none."""
        used = monotonic() - self._since if side == self.running else 0.0
        return max(0.0, self._left[side] - used)

    def run(self, side: str) -> None:
        """Let the clock of a side run, and stop the other."""
        self.stop()
        self.running, self._since = side, monotonic()

    def stop(self) -> None:
        """Stop both."""
        if self.running:
            self._left[self.running] = self.left(self.running)
            self.running = None

    def add_increment(self, side: str) -> None:
        """A side has moved in time."""
        self._left[side] += self.control.increment

    def set(self, white: float, black: float) -> None:
        """Stop both, and set them."""
        self.running = None
        self._left = {"white": white, "black": black}
