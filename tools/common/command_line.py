"""What the command lines of the laboratory have in common."""

import argparse
import textwrap

from bluekrait.tools.common.processors import usable_processors
from bluekrait.uci.exits import WRONG_ARGUMENTS

HELP_WIDTH = 78


class Parser(argparse.ArgumentParser):
    """A parser that complains in one line, and leaves examples as they are written."""

    def __init__(self, description, **options):
        options |= {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
        super().__init__(description=textwrap.fill(description, HELP_WIDTH), **options)

    def error(self, message):
        """Say what is wrong with the arguments, and leave."""
        self.exit(WRONG_ARGUMENTS, f"{self.prog}: {message}, see {self.prog} --help\n")


def add_number(parser, name, default, text):
    """An option whose value is a number of at least 1."""
    shown = "" if default is None else f" ({default})"
    parser.add_argument(name, type=at_least_one, metavar="N", default=default, help=text + shown)


def add_processes(parser):
    """The option that says how many processes work."""
    add_number(parser, "--processes", len(usable_processors()), "processes that work, one a core")


def add_places(parser):
    """The options that say where work is done, see `tools.cluster.worker_pool`."""
    add_processes(parser)
    explanation = "let the workers of the Dask scheduler at that address do the work"
    parser.add_argument("--cluster", metavar="ADDRESS", help=explanation)


def at_least_one(text):
    """The number that a text says, if it is at least 1."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return number


def share(text):
    """The share that a text says, from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return number


def positive(text):
    """The number that a text says, if it is more than 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number
