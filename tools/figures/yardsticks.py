"""The references of the figures: the engine's first prototype, and Stockfish if it is installed."""

import subprocess
from types import ModuleType

from bluekrait.tools.figures.figure import Unmeasurable
from bluekrait.tools.gauntlet.known_programs import STOCKFISH, path_of


def load_prototype() -> ModuleType:
    """The prototype's module, compiled in this process."""
    try:
        from bluekrait.tools.yardstick import perft_yardstick
    except ModuleNotFoundError as error:
        raise Unmeasurable(f"the yardstick needs {error.name}: pip install {error.name}") from None
    return perft_yardstick


class Stockfish:
    """An installed Stockfish, counting on the same core."""

    def __init__(self, path: str) -> None:
        self._process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say("uci")
        self.name = self._hear("id name").removeprefix("id name ")

    @classmethod
    def find(cls) -> "Stockfish | None":
        """The one on this machine, or None."""
        path = path_of(STOCKFISH)
        return cls(path) if path else None

    def set_position(self, fen: str) -> None:
        """Set up a position to count from."""
        self._say(f"position fen {fen}")

    def perft(self, depth: int) -> int:
        """Count."""
        self._say(f"go perft {depth}")
        return int(self._hear("Nodes searched").split(":")[1])

    def close(self) -> None:
        """End the process."""
        self._process.communicate("quit\n")

    def _say(self, line: str) -> None:
        print(line, file=self._process.stdin, flush=True)

    def _hear(self, beginning: str) -> str:
        for line in self._process.stdout or ():
            if line.startswith(beginning):
                return line.strip()
        raise Unmeasurable("Stockfish has ended")
