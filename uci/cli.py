"""The program `bluekrait`: no arguments start the UCI loop, others do one thing and leave.

Nothing is imported before it is known to be needed, for `uciok` must not wait for it.
"""

import os
import sys

from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail, use_utf8


def main(arguments=None):
    """Run the program and leave without waiting for threads that are deep in compiled code."""
    use_utf8()
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
    if arguments[0] in TOOLS or is_call_for_figures(arguments) or is_call_for_cluster(arguments):
        return _tool(arguments)
    return PROGRAMS.get(arguments[0], _one_shot)(arguments)


def is_call_for_figures(arguments):
    """True for `bench --...`, which measures everything; `bench` and numbers is the engine's own command."""
    return arguments[0] == "bench" and len(arguments) > 1 and arguments[1].startswith("-")


def is_call_for_cluster(arguments):
    """True for `perft ... --cluster ADDRESS`, which is counted on other machines."""
    return arguments[0] == "perft" and any(text.split("=")[0] == "--cluster" for text in arguments)


def _tool(arguments):
    """Run a program of the laboratory. It is found by name, for the engine depends on none of them."""
    from importlib import import_module

    name = arguments[0]
    try:
        tool = import_module(f"bluekrait.tools.{(TOOLS | OTHER_FORMS)[name]}")
    except ModuleNotFoundError as error:
        if error.name.startswith("bluekrait"):
            raise
        needs = f"{name} needs {error.name}, which is not installed: pip install 'bluekrait[tools]'"
        return fail(needs, WRONG_ARGUMENTS)
    try:
        return tool.main(arguments[1:])
    except SystemExit as leaving:
        return leaving.code
    finally:
        sys.stdout.flush()


def _converse():
    from bluekrait.uci.message_loop import FrontDesk

    return FrontDesk().converse()


def _one_shot(arguments):
    """UCI commands: one in each argument if any contains a space, otherwise all of them are one."""
    from bluekrait.uci.message_loop import FrontDesk
    from bluekrait.uci.protocol.messages import is_command

    commands = arguments if any(" " in text for text in arguments) else [" ".join(arguments)]
    for command in commands:
        if not is_command(command):
            return fail(f"{command[:60]!r} is not a command, see bluekrait --help", WRONG_ARGUMENTS)
    return FrontDesk().execute(commands)


def _perft(arguments):
    from bluekrait.uci.programs.perft import main as perft

    return perft(arguments[1:])


def _warmup(arguments):
    from bluekrait.uci.programs.warmup import main as warmup

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
    from bluekrait.uci.programs.usage import USAGE

    write(USAGE)
    return SUCCESS


def _version(arguments):
    from bluekrait.uci import __version__
    from bluekrait.uci.output import write

    write(f"BlueKrait {__version__}")
    return SUCCESS


# The programs of the laboratory, and the module of `bluekrait.tools` whose `main` each is.
TOOLS = {
    "data": "data.data_command",
    "datagen": "data.datagen_command",
    "gauntlet": "gauntlet.gauntlet_command",
    "match": "match.match_command",
    "openings": "data.openings_command",
    "report": "report.report_command",
    "sliders": "sliders.sliders_command",
    "sprt": "match.sprt_command",
    "tune": "tuning.tune_command",
    "winrate": "tuning.fit_win_rate",
    "worker": "cluster.worker_command",
}

# The same for the forms of the engine's own programs that the laboratory carries out.
OTHER_FORMS = {"bench": "figures.bench_command", "perft": "cluster.cluster_perft"}

PROGRAMS = {
    "perft": _perft,
    "warmup": _warmup,
    "compiler": _compiler,
    "help": _usage,
    "-h": _usage,
    "--help": _usage,
    "--version": _version,
}
