"""`bluekrait openings`: balanced random openings for matches.

Every attempt has a number: seed and number decide the random moves, and a search decides whether the position
is balanced. So the same seed gives the same openings on any number of cores, and after an interruption the
work continues with the next number.
"""

import argparse
import contextlib
import random
import re
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import BinaryIO, NamedTuple, TypeVar

from bluekrait.core.timer import monotonic
from bluekrait.search.engine import Engine, load_engine
from bluekrait.search.playing.random_openings import (
    MOST_ATTEMPTS,
    is_balanced,
    random_position,
    score_of_position,
)
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import WorkerPool, run_units
from bluekrait.tools.common.command_line import Parser, add_number, add_places, file_to_write
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.append_only import append, complete_lines, opened_to_append
from bluekrait.tools.common.files.whole_file import is_replaced
from bluekrait.uci.exits import INTERRUPTED, SUCCESS
from bluekrait.uci.progress import ProgressLine, count_text, duration_text

PROGRAM = "bluekrait openings"
Thing = TypeVar("Thing")

COUNT, PLIES, NODES, BOUND = 1000, 8, 20_000, 60
HASH_MEGABYTES = 8  # enough for so few nodes, and clearing it takes little time
FILE = "openings.epd"
HALF_LINE = re.compile(rb"\S+ \S+ \S+ \S+ ce ")  # how a line begins that a kill cut off

EXAMPLES = """\
examples:
  a thousand openings of eight half-moves, within 60 centipawns, to openings.epd
    bluekrait openings
  less balanced ones, with a seed of your own
    bluekrait openings --count 500 --plies 10 --bound 90 --seed 2718 --out sharp.epd
After an interruption the same command continues; a larger --count adds to the same file.

Every line is a position in EPD, with its score for the side to move (ce) and its origin (id).
"""


class Recipe(NamedTuple):
    """The settings that decide the openings."""

    seed: int = 1
    plies: int = PLIES
    nodes: int = NODES
    bound: int = BOUND

    def text(self) -> str:
        """For the `id` of every line."""
        return f"seed {self.seed}, plies {self.plies}, nodes {self.nodes}, bound {self.bound}"


class Opening(NamedTuple):
    """A balanced position."""

    number: int  # of the attempt that found it
    fen: str
    score: int  # centipawns, for the side to move

    @property
    def position(self) -> str:
        """The four fields of the FEN that identify a position."""
        return " ".join(self.fen.split()[:4])


def distinct(found: Iterable[Opening | None], known: Iterable[str] = ()) -> Iterator[Opening]:
    """The openings whose position did not occur before; None stands for an attempt that found none.

    ValueError if there seem to be no more.
    """
    known, in_vain = set(known), 0
    for opening in found:
        in_vain += 1
        if opening and opening.position not in known:
            known.add(opening.position)
            in_vain = 0
            yield opening
        elif in_vain == MOST_ATTEMPTS:
            raise ValueError(
                f"{MOST_ATTEMPTS} attempts found no other opening: "
                "ask for fewer, for more --plies, or for a larger --bound"
            )


_here = threading.local()


def attempt(recipe: Recipe, number: int) -> tuple[int, Opening | None]:
    """The number of an attempt, and the opening that it found, if any."""
    engine, rng = _engine(), random.Random(f"{recipe.seed}/{number}")
    fen = random_position(engine, rng, None, recipe.plies)
    score = score_of_position(engine, recipe.nodes) if fen else None
    if fen is None or score is None or not is_balanced(score, recipe.bound):
        return number, None
    return number, Opening(number, fen, score)


def _engine() -> Engine:
    """The engine of this thread."""
    if not hasattr(_here, "engine"):
        _here.engine = load_engine()
        _here.engine.set_hash(HASH_MEGABYTES)
    engine: Engine = _here.engine
    return engine


# --- the command ------------------------------------------------------------------------------------


@with_errors_reported(PROGRAM, continues=True)
def main(arguments: Sequence[str] | None = None) -> int:
    """Find the missing openings; the exit code."""
    options = _parser().parse_args(arguments)
    recipe = Recipe(options.seed, options.plies, options.nodes, options.bound)
    if not is_replaced(options.out):
        raise ValueError(f"{options.out} is no file that can be continued")
    with opened_to_append(options.out, "ab+") as file:
        return _fill(file, recipe, options)


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Find positions after random moves that are balanced by the engine's search.",
        epilog=EXAMPLES,
    )
    add_number(parser, "--count", COUNT, "openings in all")
    add_number(parser, "--plies", PLIES, "random half-moves of each")
    add_number(parser, "--seed", 1, "seed of the random moves")
    add_number(parser, "--nodes", NODES, "nodes of the search that judges a position")
    add_number(parser, "--bound", BOUND, "largest score of either side, in centipawns")
    out = f"the file to write or extend ({FILE})"
    parser.add_argument("--out", type=file_to_write, metavar="FILE", default=FILE, help=out)
    add_places(parser)
    return parser


def _fill(file: BinaryIO, recipe: Recipe, options: argparse.Namespace) -> int:
    """Add the missing openings to a file; the exit code."""
    known = _mended(file, recipe)
    line, start, have = ProgressLine(), monotonic(), len(known)
    try:
        if have < options.count:
            with open_pool(options.processes, options.cluster) as pool:
                for opening in _found(pool, recipe, known):
                    append(file, line_of(opening, recipe).encode())
                    have += 1
                    pace = (have - len(known)) / (monotonic() - start)
                    left = (options.count - have) / pace
                    line.show(
                        f"{have} of {options.count} openings, {pace:.0f} a second, {duration_text(left)} left"
                    )
                    if have >= options.count:
                        break
        return SUCCESS
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        line.clear()
        have = len(_mended(file, recipe))  # an interrupt may have come between a line and its count
        print(f"{options.out}: {count_text(have, 'opening')}")


def _found(pool: WorkerPool, recipe: Recipe, known: Mapping[str, int]) -> Iterator[Opening]:
    """The openings that follow those known, in the order of their numbers."""
    following = max(known.values(), default=-1) + 1
    units = ((recipe, number) for number in count(following))
    with contextlib.closing(run_units(pool, attempt, units)) as finished:
        yield from distinct(in_order(finished, following), known)


def in_order(numbered: Iterable[tuple[int, Thing]], following: int) -> Iterator[Thing]:
    """Things that come with numbers, sorted by these."""
    waiting = {}
    for number, thing in numbered:
        waiting[number] = thing
        while following in waiting:
            yield waiting.pop(following)
            following += 1


# --- the file ---------------------------------------------------------------------------------------


def line_of(opening: Opening, recipe: Recipe) -> str:
    """An opening as a line of EPD."""
    return f'{opening.position} ce {opening.score}; id "{recipe.text()} #{opening.number}";\n'


def _mended(file: BinaryIO, recipe: Recipe) -> dict[str, int]:
    """The positions of a file and the numbers of their attempts, after cutting off half a last line."""
    found = {}
    file.seek(0)
    beginning = file.readline()
    if beginning and not beginning.endswith(b"\n") and not HALF_LINE.match(beginning):
        raise ValueError(f"{file.name} was not made by this command: choose another file")
    for line in complete_lines(file):
        text = line.decode(errors="replace").rstrip()
        match = re.match(r'(\S+ \S+ \S+ \S+) ce -?\d+; id "(.*) #(\d+)";$', text)
        if not match:
            raise ValueError(f"{file.name} was not made by this command: choose another file")
        if match[2] != recipe.text():
            raise ValueError(f"{file.name} was made with {match[2]}: choose another file or those settings")
        found[match[1]] = int(match[3])
    return found


if __name__ == "__main__":
    sys.exit(main())
