"""`bluekrait datagen`: positions labelled by self-play, for tuning and for training.

Every game is a unit of work with a number: seed and number decide it entirely. So work can be done
anywhere, in any order, and twice without harm; and to go on after an interruption is to play the games that
are missing.
"""

import signal
import sys
import threading

from bluekrait.core.timer import monotonic
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import PoolError, run_units
from bluekrait.tools.common.append_only import agreed, reserve, write
from bluekrait.tools.common.command_line import Parser, add_number, add_places
from bluekrait.tools.data.sample_file import mend, pack_block, pack_head
from bluekrait.tools.data.self_play_game import Player
from bluekrait.uci import __version__
from bluekrait.uci.exits import INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail
from bluekrait.uci.progress import ProgressLine

PROGRAM = "bluekrait datagen"
SEED, NODES, GAMES = 1, 1200, 1000
SELF_PLAY = "self-play"  # the kind of file that this command writes

EXAMPLES = """\
examples:
  a quick look: two thousand games on all cores, about five minutes on two of them
    bluekrait datagen --games 2000 positions.bks
  interrupted? the same command goes on where it was; more games continue the same file
    bluekrait datagen --games 5000 positions.bks
  better moves, fewer of them
    bluekrait datagen --games 5000 --nodes 5000 deep.bks
  another machine: another seed, then both files go to the tuner
    bluekrait datagen --games 5000 --seed 2 other.bks
  many machines, one file: the workers of a Dask scheduler (see docs/laboratory/cluster.md)
    bluekrait datagen --games 1000000 --cluster tcp://192.168.1.10:8786 many.bks

A file keeps the seed and the nodes it was begun with, and is never continued with others.
bluekrait data looks into such files; their format is told in docs/laboratory/data.md.
"""


def main(arguments=None):
    """Play the games that are missing; the exit code."""
    options = parser().parse_args(arguments)
    try:
        with open(options.file, "ab") as file:
            reserve(file)
            contents = mend(options.file)
            plan = plan_of(contents, options)
            with open_pool(options.processes, options.cluster) as pool:
                return generate(pool, file, contents, plan, options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except PoolError as error:
        return fail(error, error.exit_code, PROGRAM)
    except BrokenPipeError:  # nobody listens any more
        raise
    except (OSError, ValueError) as error:
        return fail(error, WRONG_ARGUMENTS, PROGRAM)


def parser():
    """What the command line may say."""
    parser = Parser(
        prog=PROGRAM,
        description="Let the engine play against itself from random openings, and keep the quiet positions "
        "with the engine's score and the result of the game.",
        epilog=EXAMPLES,
    )
    parser.add_argument("file", help="where to keep the positions; it is continued if it exists")
    add_number(parser, "--games", GAMES, "games in all")
    add_number(parser, "--nodes", None, f"soft limit for a move: no iteration is begun beyond it ({NODES})")
    add_number(parser, "--seed", None, f"another seed, other games ({SEED})")
    add_places(parser)
    return parser


def plan_of(contents, options):
    """What decides the games: as the file says if it was begun, else as the options do.

    A ValueError if they contradict each other.
    """
    head = contents.head or {}
    if head.get("kind", SELF_PLAY) != SELF_PLAY:
        raise ValueError(f"{options.file} holds {head['kind']} positions, to which no games can be added")
    wishes = {"seed": options.seed, "nodes": options.nodes}
    defaults = {"kind": SELF_PLAY, "seed": SEED, "nodes": NODES, "bluekrait": __version__}
    return agreed(head, wishes, defaults, options.file)


def generate(pool, file, contents, plan, options):
    """Play all games but those that are done, and write what they teach; the exit code."""
    if not contents.size:
        write(file, pack_head(plan))
    elif not contents.head:
        print(f"{PROGRAM}: {options.file} does not tell its seed and nodes: taken on trust", file=sys.stderr)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    missing = (game for game in range(options.games) if game not in contents.games)
    units = ((plan["nodes"], plan["seed"], game) for game in missing)
    tally = Tally(options.games, len(contents.games), contents.samples)
    try:
        for samples, block in run_units(pool, play, units):
            write(file, block)
            tally.add(samples)
    finally:
        tally.conclude(options.file)
    return SUCCESS


_here = threading.local()


def play(nodes, seed, game):
    """Play one game; the number of its samples, and the block that holds them."""
    if getattr(_here, "nodes", None) != nodes:
        _here.nodes, _here.player = nodes, Player(nodes)
    samples = _here.player.play_game(f"{seed}/{game}")
    return len(samples), pack_block(game, samples)


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
