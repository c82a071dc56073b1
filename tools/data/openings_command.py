"""`bluekrait openings`: random openings that favour neither side, for matches that are to tell something.

Every attempt has a number: seed and number decide the random moves, and the engine's own search decides
whether the position is balanced. So the same seed gives the same openings, on however many cores, and to go
on after an interruption is to go on with the next number.
"""

import contextlib
import random
import re
import signal
import sys
import threading
from itertools import count
from typing import NamedTuple

from bluekrait.core.notation.fen import format_fen
from bluekrait.core.records import read_record
from bluekrait.core.timer import monotonic
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import PoolError, run_units
from bluekrait.tools.common.append_only import lock_for_writing
from bluekrait.tools.common.command_line import Parser, add_number, add_places
from bluekrait.tools.data.self_play_game import Player
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail
from bluekrait.uci.progress import ProgressLine

PROGRAM = "bluekrait openings"
COUNT, PLIES, NODES, BOUND = 1000, 8, 20_000, 60
FILE = "openings.epd"

EXAMPLES = """\
examples:
  a thousand openings of eight half-moves, within 60 centipawns, to openings.epd
    bluekrait openings
  sharper ones that nobody else has
    bluekrait openings --count 500 --plies 10 --bound 90 --seed 2718 --out sharp.epd
Interrupted? The same command goes on where it was; a larger --count adds to the same file.

Every line is a position in EPD, with its score for the side to move (ce) and how it was found (id).
"""


class Recipe(NamedTuple):
    """What decides the openings."""

    seed: int = 1
    plies: int = PLIES
    nodes: int = NODES
    bound: int = BOUND

    def text(self):
        """For the `id` of every line."""
        return f"seed {self.seed}, plies {self.plies}, nodes {self.nodes}, bound {self.bound}"


class Opening(NamedTuple):
    """A balanced position."""

    number: int  # of the attempt that found it
    fen: str
    score: int  # centipawns, for the side to move

    @property
    def position(self):
        """The four fields that tell positions apart."""
        return " ".join(self.fen.split()[:4])


def balanced_openings(seed, plies=PLIES, nodes=NODES, bound=BOUND):
    """Openings without end, all different, always the same for the same arguments."""
    recipe = Recipe(seed, plies, nodes, bound)
    return distinct(attempt(recipe, number)[1] for number in count())


def distinct(found, known=()):
    """Those of the openings whose position was not there before; an attempt that found none is None."""
    known = set(known)
    for opening in found:
        if opening and opening.position not in known:
            known.add(opening.position)
            yield opening


_here = threading.local()


def attempt(recipe, number):
    """Its number, and the opening that an attempt finds, if it finds one."""
    if not hasattr(_here, "player"):
        _here.player = Player(recipe.nodes)
    dice = random.Random(f"{recipe.seed}/{number}")
    game, score = _here.player.try_opening(dice, recipe.plies, recipe.nodes)
    if game is None or abs(score) > recipe.bound:
        return number, None
    return number, Opening(number, format_fen(read_record(game.position)), score)


# --- the command ------------------------------------------------------------------------------------


def main(arguments=None):
    """Find the openings that are missing; the exit code."""
    options = _parser().parse_args(arguments)
    recipe = Recipe(options.seed, options.plies, options.nodes, options.bound)
    try:
        with open(options.out, "a+", encoding="utf-8") as file:
            lock_for_writing(file)
            return _fill(file, recipe, options)
    except (PoolError, OSError, ValueError) as error:
        return fail(error, FAILED if isinstance(error, PoolError) else WRONG_ARGUMENTS, PROGRAM)


def _parser():
    parser = Parser(
        prog=PROGRAM,
        description="Find positions after random moves that the engine's search calls balanced.",
        epilog=EXAMPLES,
    )
    add_number(parser, "--count", COUNT, "openings in all")
    add_number(parser, "--plies", PLIES, "random half-moves of each")
    add_number(parser, "--seed", 1, "another seed, other openings")
    add_number(parser, "--nodes", NODES, "soft limit of the search that judges a position")
    add_number(parser, "--bound", BOUND, "centipawns that either side may be ahead")
    parser.add_argument("--out", metavar="FILE", default=FILE, help=f"where to write or add them ({FILE})")
    add_places(parser)
    return parser


def _fill(file, recipe, options):
    """Add the openings that are missing to a file; the exit code."""
    known = _mended(file, recipe)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    line, start, have = ProgressLine(), monotonic(), len(known)
    try:
        if have < options.count:
            with open_pool(options.processes, options.cluster) as pool:
                for opening in _found(pool, recipe, known):
                    file.write(line_of(opening, recipe))
                    file.flush()
                    have += 1
                    pace = (have - len(known)) / (monotonic() - start)
                    left = (options.count - have) / pace
                    line.show(f"{have} of {options.count} openings, {pace:.0f} a second, {left:.0f} s left")
                    if have >= options.count:
                        break
        return SUCCESS
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        line.clear()
        have = len(_mended(file, recipe))  # an interrupt may have come between a line and its count
        print(f"{options.out}: {have} openings")


def _found(pool, recipe, known):
    """The openings that follow those known, in the order of their numbers."""
    following = max(known.values(), default=-1) + 1
    units = ((recipe, number) for number in count(following))
    with contextlib.closing(run_units(pool, attempt, units)) as finished:
        yield from distinct(in_order(finished, following), known)


def in_order(numbered, following):
    """What comes with numbers, brought into their order."""
    waiting = {}
    for number, thing in numbered:
        waiting[number] = thing
        while following in waiting:
            yield waiting.pop(following)
            following += 1


# --- the file ---------------------------------------------------------------------------------------


def line_of(opening, recipe):
    """An opening as a line of EPD."""
    return f'{opening.position} ce {opening.score}; id "{recipe.text()} #{opening.number}";\n'


def _mended(file, recipe):
    """The positions of a file and the numbers of their attempts, after cutting off half a last line."""
    file.seek(0)
    text = file.read()
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.truncate(len(whole.encode()))
    found = {}
    for line in whole.splitlines():
        told = re.match(r'(\S+ \S+ \S+ \S+) ce -?\d+; id "(.*) #(\d+)";$', line)
        if not told:
            raise ValueError(f"{file.name} was not made by this command: choose another file")
        if told[2] != recipe.text():
            raise ValueError(f"{file.name} was made with {told[2]}: choose another file, or the same again")
        found[told[1]] = int(told[3])
    return found


if __name__ == "__main__":
    sys.exit(main())
