"""`python -m bluekrait.tools.datagen`: positions labelled by self-play, for tuning and for training.

Every game is a unit of work with a number: seed and number decide it entirely. So work can be done
anywhere, in any order, and twice without harm; and to go on after an interruption is to play the games that
are missing.
"""

import argparse
import os
import signal
import sys
from multiprocessing import get_context, parent_process
from time import monotonic

from bluekrait.core import native
from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.tools.samples import mend, pack_block
from bluekrait.tools.selfplay import Player
from bluekrait.uci.exits import INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail
from bluekrait.uci.progress import ProgressLine

EXAMPLES = """\
examples:
  a quick look: two thousand games on all cores, about five minutes on two of them
    python -m bluekrait.tools.datagen --games 2000 positions.bks
  interrupted? the same command goes on where it was; more games continue the same file
    python -m bluekrait.tools.datagen --games 5000 positions.bks
  better moves, fewer of them
    python -m bluekrait.tools.datagen --games 5000 --nodes 5000 deep.bks
  another machine: another seed, then both files go to the tuner
    python -m bluekrait.tools.datagen --games 5000 --seed 2 other.bks

The format of the file is told in tools/samples.py.
"""


def main(arguments=None):
    """Play the games that are missing; the exit code."""
    options = parser().parse_args(arguments)
    try:
        done, samples = mend(options.file)
        with open(options.file, "ab") as file:
            return generate(file, done, Tally(options.games, len(done), samples), options)
    except (OSError, ValueError) as error:
        return fail(error, WRONG_ARGUMENTS, "datagen")


def generate(file, done, tally, options):
    """Play all games but those that are done, and write what they teach; the exit code."""
    native.load(ENTRIES_MODULE)  # so that not every process compiles the engine
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    missing = (game for game in range(options.games) if game not in done)
    try:
        for game, packed in played(missing, options):
            file.write(pack_block(game, packed))
            file.flush()
            tally.add(len(packed))
        return SUCCESS
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        tally.conclude(options.file)


def parser():
    """What the command line may say."""
    parser = argparse.ArgumentParser(
        prog="python -m bluekrait.tools.datagen",
        description="Let the engine play against itself from random openings, and keep the quiet positions "
        "with the engine's score and the result of the game.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", help="where to keep the positions; it is continued if it exists")
    for name, default, text in (
        ("--games", 1000, "games in all"),
        ("--nodes", 1200, "soft limit for a move: no iteration is begun beyond it"),
        ("--seed", 1, "another seed, other games"),
        ("--processes", os.cpu_count() or 1, "games at a time, one a core"),
    ):
        parser.add_argument(name, type=positive, default=default, help=f"{text} (%(default)s)")
    return parser


def positive(text):
    """The number that a text says, if it is at least 1."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def played(games, options):
    """The numbers and samples of games, as they are finished."""
    work = ((game, f"{options.seed}/{game}") for game in games)
    if options.processes == 1:
        begin_work(options.nodes)
        yield from map(play, work)
        return
    with get_context("spawn").Pool(options.processes, begin_work, (options.nodes,)) as pool:
        yield from pool.imap_unordered(play, work)


_player = None


def begin_work(nodes):
    """Make ready the engine of this process. Who is interrupted is the one who gave the work."""
    global _player
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _player = Player(nodes)


def play(unit):
    """Play one game; its number and samples."""
    game, seed = unit
    giver = parent_process()
    if giver and not giver.is_alive():  # nobody wants it any more
        os._exit(INTERRUPTED)
    return game, _player.play_game(seed)


class Tally:
    """What was done so far, on one line."""

    def __init__(self, games, games_done, samples):
        self._games, self._done, self._samples = games, games_done, samples
        self._new_games = self._new_samples = 0
        self._start = monotonic()
        self._line = ProgressLine()

    def add(self, samples):
        """Another game is finished."""
        self._new_games += 1
        self._new_samples += samples
        self._done += 1
        self._samples += samples
        self._line.show(self._text())

    def conclude(self, name):
        """Say what there is in the end."""
        self._line.clear()
        print(f"{name}: {self._samples} positions of {self._done} games")

    def _text(self):
        seconds = monotonic() - self._start
        hourly = self._new_samples / seconds * 3600
        left = seconds / self._new_games * (self._games - self._done) / 60
        return (
            f"{self._done} of {self._games} games, {self._samples} positions, "
            f"{hourly / 1e6:.2f} M an hour, {left:.0f} min left"
        )


if __name__ == "__main__":
    sys.exit(main())
