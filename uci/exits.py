"""How a program ends: its exit code, and one line on standard error that explains a failure.

And what its standard streams need, so that it does not end by them.
"""

from __future__ import annotations

import io
import os
import sys

from bluekrait.uci.single_file import REPLACED, was_replaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

SUCCESS = 0
FAILED = 1
WRONG_ARGUMENTS = 2
NOT_KEPT = 3  # of `warmup`: the engine works, but the next start compiles again
INTERRUPTED = 130  # what a shell reports for Ctrl-C

# What may go wrong while something is loaded: a script of the user with the name of a library, `numpy.py` for
# example, is imported in its place if Python finds it first, and may call `sys.exit`.
LOADING_ERRORS = (Exception, SystemExit)


def use_utf8() -> None:
    """Let Python print any text; with an old code page, `print` would fail for letters that it lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not if it is closed or replaced
            stream.reconfigure(encoding="utf-8", errors="replace")


def make_blocking(stream: TextIO | None) -> None:
    """Let reads and writes wait. None is a stream that was closed at the start.

    Some launchers pass non-blocking pipes: there "nothing yet" looks like the end, and to find no room is an
    error.
    """
    if os.name == "posix" and stream is not None:
        os.set_blocking(stream.fileno(), True)


def fail(message: object, code: int = FAILED, program: str = "bluekrait") -> int:
    """Print what went wrong as one line; the exit code."""
    if isinstance(message, OSError):
        message = system_error_text(message)
    tell(f"{program}: {one_line(message)}")
    return code


def system_error_text(error: OSError) -> str:
    """What an error of the system says without its number: FILE: No such file or directory."""
    if error.strerror is None:  # it was made from a text
        return str(error)
    return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"


def tell(line: str) -> None:
    """Print a line on standard error. Where that cannot be written, the work goes on all the same."""
    from contextlib import suppress  # not before `uciok`

    if sys.stderr is not None:  # it is None if standard error was closed at the start
        with suppress(OSError):  # the disk is full, for example
            print(line, file=sys.stderr, flush=True)


def one_line(text: object, longest: int | None = None) -> str:
    """What an error or a text says, in one line, of at most so many characters; empty if it says nothing."""
    line = " ".join(str(text).split())
    return line if longest is None or len(line) <= longest else line[: longest - 3] + "..."


def reason(error: Exception | SystemExit) -> str:
    """What to tell of an error that nothing expected."""
    return REPLACED if was_replaced() else f"{type(error).__name__}: {error}"


def exit_code(leaving: SystemExit) -> int:
    """The exit code of a program that left by `sys.exit`, as argparse does."""
    if leaving.code is None or isinstance(leaving.code, int):
        return leaving.code or SUCCESS
    return fail(leaving.code)
