"""What the command lines of the tools share: the parser, common options, and checked numbers."""

import argparse
from functools import partial
from math import inf
from typing import Any

from bluekrait.tools.common.processors import usable_processors
from bluekrait.uci.programs.parser import Parser as Parser
from bluekrait.uci.programs.parser import file_to_write as file_to_write

CONTROL_CHARACTERS = dict.fromkeys((*range(32), *range(127, 160)), "?")
LARGEST = 2**63 - 1  # of whole numbers: compiled code calculates with 64 bits
MOST_NODES = 1_000_000  # a file has 32 bits for the nodes of a game: 400 plies, each up to 8 times as many


class MixedParser(Parser):
    """A parser to which arguments may come before, between and after options: `FOLDER --width 64 FILE`."""

    _is_mixed = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse with `parse_known_intermixed_args`, which in old versions of Python calls this method."""
        if self._is_mixed:
            return super().parse_known_args(args, namespace)
        self._is_mixed = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixed = False


def add_clock(parser: argparse.ArgumentParser) -> None:
    """The option for self-play with a clock that counts nodes."""
    parser.add_argument(
        "--clock",
        action="store_const",
        const=True,
        help="a clock that counts nodes: 100 times --nodes for the game, and --nodes more for each move",
    )


def add_number(
    parser: argparse.ArgumentParser, name: str, default: int | None, text: str, most: int = LARGEST
) -> None:
    """An option whose value is a number of at least 1."""
    shown = "" if default is None else f" ({default})"
    number = partial(at_least_one, most=most)
    parser.add_argument(name, type=number, metavar="N", default=default, help=text + shown)


def add_nodes(parser: argparse.ArgumentParser, default: int, text: str) -> None:
    """The option for the nodes of a move in self-play."""
    shown = f"{text} ({default}; at most {MOST_NODES})"
    parser.add_argument("--nodes", type=nodes_of_a_move, metavar="N", default=default, help=shown)


def add_processes(parser: argparse.ArgumentParser) -> None:
    """The option for the number of worker processes."""
    add_number(parser, "--processes", len(usable_processors()), "worker processes, one for each core")


def add_places(parser: argparse.ArgumentParser) -> None:
    """The options that say where units of work run, see `tools.cluster.pools`."""
    add_processes(parser)
    text = "run the work on the workers of the Dask scheduler at this address"
    parser.add_argument("--cluster", metavar="ADDRESS", help=text)


def printable(text: str) -> str:
    """A text of a command line or a file with ? for what is no UTF-8, which no file in UTF-8 could hold.

    The same goes for control characters: a line break would end the tag of a PGN, and divide a line of text,
    and terminals obey others.
    """
    return text.encode(errors="replace").decode().translate(CONTROL_CHARACTERS)


def at_least_one(text: str, most: int = LARGEST) -> int:
    """The value of an option that is a whole number of at least 1."""
    number = whole_number(text, most) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return number


def nodes_of_a_move(text: str) -> int:
    """The value of an option that is a limit for a move in self-play."""
    return at_least_one(text, MOST_NODES)


def whole_number(text: str, most: int = LARGEST) -> int:
    """The value of an option that is a whole number of at least 0, a seed for example."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    if len(text) > len(str(LARGEST)) or int(text) > most:  # Python refuses to read thousands of digits
        raise argparse.ArgumentTypeError(f"{text} is above {most}")
    return int(text)


def share(text: str) -> float:
    """The value of an option that is a number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return number


def positive(text: str, most: float = inf) -> float:
    """The value of an option that is a number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    if number > most:
        raise argparse.ArgumentTypeError(f"{text} is above {most}")
    return number
