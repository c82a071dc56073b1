"""The program `bluekrait`: without arguments it speaks UCI; with arguments it does one thing and ends.

Each function imports what it needs, so that `uciok` does not wait for other imports.
"""

from __future__ import annotations

import os
import sys

from bluekrait.uci.exits import (
    FAILED,
    INTERRUPTED,
    SUCCESS,
    WRONG_ARGUMENTS,
    exit_code,
    fail,
    make_blocking,
    reason,
    use_utf8,
)
from bluekrait.uci.single_file import is_single_file, was_replaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the program and exit at once, even while other threads run compiled code."""
    use_utf8()
    make_blocking(sys.stdout)
    code = run(sys.argv[1:] if arguments is None else arguments)
    os._exit(code)


def run(arguments: list[str]) -> int:
    """Run the program; the exit code. Everything is printed and flushed when it returns."""
    try:
        return _dispatch(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the program that read the output has ended
        return FAILED
    except Exception as error:
        if was_replaced():
            return fail(reason(error))
        if isinstance(error, OSError):  # the disk is full, for example
            return fail(error)
        raise


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        return _converse()
    if arguments[0] in TOOLS or is_figures_call(arguments) or is_count_in_units(arguments):
        return _tool(arguments)
    return PROGRAMS.get(arguments[0], _one_shot)(arguments)


def is_figures_call(arguments: list[str]) -> bool:
    """True for `bench --...`, which measures everything; `bench` and numbers is the engine's own command."""
    return arguments[0] == "bench" and len(arguments) > 1 and arguments[1].startswith("-")


def is_count_in_units(arguments: list[str]) -> bool:
    """True for a perft that is counted unit by unit: on other machines, or with a journal."""
    return arguments[0] == "perft" and any(text.split("=")[0] in UNIT_OPTIONS for text in arguments)


def elsewhere(extra: str) -> str:
    """What a user of the single file has to do for the tools."""
    return f'pip install "bluekrait[{extra}]" in an environment, and use the command bluekrait there'


def _tool(arguments: list[str]) -> int:
    """Run a program of the laboratory. It is imported by name, since the engine depends on none of them."""
    from importlib import import_module

    from bluekrait.uci.programs.interrupts import interrupts_kept

    name = arguments[0]
    extra = EXTRAS.get(name, "tools")
    if is_single_file() and name in NOT_IN_SINGLE_FILE:
        return fail(f"{name} is not in this single file: {elsewhere(extra)}", WRONG_ARGUMENTS)
    try:
        with interrupts_kept():
            tool = import_module(f"bluekrait.tools.{(TOOLS | OTHER_FORMS)[name]}")
        code: int = tool.main(arguments[1:])
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("bluekrait"):
            raise
        how = elsewhere(extra) if is_single_file() else f'pip install "bluekrait[{extra}]"'
        return fail(f"{name} needs {error.name}, which is not installed: {how}", WRONG_ARGUMENTS)
    except SystemExit as leaving:
        code = exit_code(leaving)
    try:
        if sys.stdout is not None:  # it is None if standard output was closed at the start
            sys.stdout.flush()
    except OSError:
        if code == SUCCESS:  # else the tool has told what failed, perhaps just this
            raise
    return code


def _converse() -> int:
    from bluekrait.uci.message_loop import MessageLoop
    from bluekrait.uci.protocols import load_protocol

    return MessageLoop(load_protocol).converse()


def _one_shot(arguments: list[str]) -> int:
    """Run UCI commands: one in each argument if any has a space in it, otherwise all make one command."""
    from bluekrait.uci.message_loop import MessageLoop
    from bluekrait.uci.protocol.messages import is_command
    from bluekrait.uci.protocols import load_protocol

    if len(arguments) == 2 and arguments[1] in HELP_FLAGS and is_command(arguments[0]):
        return _one_shot_help(arguments[0])
    commands = arguments if any(" " in text for text in arguments) else [" ".join(arguments)]
    for command in commands:
        if not is_command(command):
            return fail(f"{command[:60]!r} is not a command, see bluekrait --help", WRONG_ARGUMENTS)
    return MessageLoop(load_protocol).execute(commands)


def _one_shot_help(name: str) -> int:
    from bluekrait.uci.protocol.messages import help_line
    from bluekrait.uci.streams.output import write

    write(help_line(name))
    return SUCCESS


def _perft(arguments: list[str]) -> int:
    from bluekrait.uci.programs.perft import main as perft

    return perft(arguments[1:])


def _warmup(arguments: list[str]) -> int:
    from bluekrait.uci.programs.warmup import main as warmup

    return warmup(arguments[1:])


def _compiler(arguments: list[str]) -> int:
    if len(arguments) > 1:  # one UCI command of several
        return _one_shot(arguments)
    from bluekrait.search.engine import compiler_report
    from bluekrait.uci.printing import table_text
    from bluekrait.uci.streams.output import write

    try:
        write(table_text(compiler_report()))
    except ValueError as error:  # an environment variable has an invalid value
        return fail(error)
    return SUCCESS


def _usage(arguments: list[str]) -> int:
    from bluekrait.uci.programs.usage import USAGE
    from bluekrait.uci.streams.output import write

    write(USAGE)
    return SUCCESS


def _version(arguments: list[str]) -> int:
    from bluekrait.uci import __version__
    from bluekrait.uci.streams.output import write

    write(f"BlueKrait {__version__}")
    return SUCCESS


# The programs of the laboratory, and the module of `bluekrait.tools` whose `main` each is.
TOOLS = {
    "analyse": "analyst.analyse_command",
    "choices": "choices.choices_command",
    "data": "data.data_command",
    "datagen": "data.datagen_command",
    "gauntlet": "gauntlet.gauntlet_command",
    "match": "match.match_command",
    "openings": "data.openings_command",
    "play": "board.play_command",
    "report": "report.report_command",
    "sliders": "sliders.sliders_command",
    "sprt": "match.sprt_command",
    "tune": "tuning.tune_command",
    "winrate": "tuning.fit_win_rate",
    "worker": "cluster.worker_command",
}

# Those whose packages are not in the extra [tools] of pyproject.toml.
EXTRAS = {"play": "play"}

# Those with files that are no sources.
NOT_IN_SINGLE_FILE = ("play",)

# Forms of the engine's own programs that the laboratory carries out, and the modules as in TOOLS.
UNIT_OPTIONS = ("--cluster", "--journal", "--split")  # of perft
OTHER_FORMS = {"bench": "figures.bench_command", "perft": "cluster.cluster_perft"}

HELP_FLAGS = ("-h", "--help")

PROGRAMS: dict[str, Callable[[list[str]], int]] = {
    "perft": _perft,
    "warmup": _warmup,
    "compiler": _compiler,
    "help": _usage,
    "-h": _usage,
    "--help": _usage,
    "--version": _version,
}
