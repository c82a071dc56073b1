"""The parser of command lines, of the engine's own programs and of the laboratory's."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any, NoReturn

from bluekrait.uci.exits import FAILED, WRONG_ARGUMENTS, fail
from bluekrait.uci.streams.output import write

HELP_WIDTH = 78


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line, and prints examples as they are written."""

    def __init__(self, description: str, **options: Any) -> None:
        options |= {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
        super().__init__(description=textwrap.fill(description, HELP_WIDTH), **options)

    def error(self, message: str) -> NoReturn:
        """Report wrong arguments and exit."""
        self.exit(WRONG_ARGUMENTS, f"{self.prog}: {message}, see {self.prog} --help\n")

    def print_help(self, file: Any = None) -> None:
        """Print the help on standard output; argparse would ignore that this fails."""
        try:
            write(self.format_help().rstrip("\n"))
        except BrokenPipeError:  # nobody reads it
            self.exit(FAILED)
        except OSError as error:  # the disk is full, for example
            self.exit(fail(error, FAILED, self.prog))


def file_to_write(text: str) -> str:
    """The value of an option that names a file to write, where standard output cannot take its place."""
    if text == "-":
        raise argparse.ArgumentTypeError("this cannot go to standard output, name a file")
    return text
