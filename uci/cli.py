"""The program `bluekrait`: no arguments start the UCI loop, others do one thing and leave.

Nothing is imported before it is known to be needed, for `uciok` must not wait for it.
"""

import os
import sys

from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail


def main(arguments=None):
    """Run the program and leave without waiting for threads that are deep in compiled code."""
    code = run(sys.argv[1:] if arguments is None else arguments)
    os._exit(code)


def run(arguments):
    """Run the program; the exit code. Everything is printed and flushed when it returns."""
    try:
        return _dispatch(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # nobody listens any more
        return FAILED
    except OSError as error:  # the disk is full, or memory is
        return fail(error)


def _dispatch(arguments):
    if not arguments:
        return _converse()
    return PROGRAMS.get(arguments[0], _one_shot)(arguments)


def _converse():
    from bluekrait.uci.front_desk import FrontDesk

    return FrontDesk().converse()


def _one_shot(arguments):
    """UCI commands: one in each argument if any contains a space, otherwise all of them are one."""
    from bluekrait.uci.front_desk import FrontDesk
    from bluekrait.uci.protocol import is_command

    commands = arguments if any(" " in text for text in arguments) else [" ".join(arguments)]
    for command in commands:
        if not is_command(command):
            return fail(f"{command[:60]!r} is not a command, see bluekrait --help", WRONG_ARGUMENTS)
    return FrontDesk().execute(commands)


def _perft(arguments):
    from bluekrait.uci.perft import main as perft

    return perft(arguments[1:])


def _warmup(arguments):
    from bluekrait.uci.warmup import main as warmup

    return fail("warmup takes no arguments", WRONG_ARGUMENTS) if arguments[1:] else warmup()


def _compiler(arguments):
    from bluekrait.search.engine import compiler_report
    from bluekrait.uci.output import write
    from bluekrait.uci.printing import table_text

    try:
        write(table_text(compiler_report()))
    except ValueError as error:  # an environment variable that makes no sense
        return fail(error)
    return SUCCESS


def _usage(arguments):
    from bluekrait.uci.output import write
    from bluekrait.uci.usage import USAGE

    write(USAGE)
    return SUCCESS


def _version(arguments):
    from bluekrait.uci import __version__
    from bluekrait.uci.output import write

    write(f"BlueKrait {__version__}")
    return SUCCESS


PROGRAMS = {
    "perft": _perft,
    "warmup": _warmup,
    "compiler": _compiler,
    "help": _usage,
    "-h": _usage,
    "--help": _usage,
    "--version": _version,
}
