"""What the engine is measured against: its first prototype, and Stockfish if it is installed."""

import os
import shutil
import subprocess

from bluekrait.tools.figures.figure import Unmeasurable


def load_prototype():
    """The prototype's module, compiled in this process."""
    try:
        from bluekrait.tools.yardstick import perft_yardstick
    except ModuleNotFoundError as error:
        raise Unmeasurable(f"the yardstick needs {error.name}: pip install {error.name}") from None
    return perft_yardstick


class Stockfish:
    """An installed Stockfish, counting on the same core."""

    def __init__(self, path):
        self._process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say("uci")
        self.name = self._hear("id name").removeprefix("id name ")

    @classmethod
    def find(cls):
        """The one on this machine, or None."""
        path = shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
        return cls(path) if path else None

    def set_position(self, fen):
        """Set up a position to count from."""
        self._say(f"position fen {fen}")

    def perft(self, depth):
        """Count."""
        self._say(f"go perft {depth}")
        return int(self._hear("Nodes searched").split(":")[1])

    def close(self):
        """Let it go."""
        self._process.communicate("quit\n")

    def _say(self, line):
        print(line, file=self._process.stdin, flush=True)

    def _hear(self, beginning):
        for line in self._process.stdout:
            if line.startswith(beginning):
                return line.strip()
        raise Unmeasurable("Stockfish has died")
