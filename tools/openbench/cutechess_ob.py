"""`bluekrait-cutechess-ob`: a match runner for OpenBench's workers that calls whichever runner is installed.

A worker calls a program named fastchess-ob, or formerly cutechess-ob, with a long line of flags, and parses
`Finished game 1 (A vs B): 1-0 {White mates}` from its output. This program accepts the flags of both and
translates them for fastchess or cutechess-cli. If neither is installed, it plays the games itself.
"""

import contextlib
import os
import shutil
import sys
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from bluekrait.core.compiler import directories
from bluekrait.tools.common.errors import fail_with
from bluekrait.uci import __version__
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail
from bluekrait.uci.streams.output import write

if TYPE_CHECKING:
    from bluekrait.tools.match.external.runner_command import Runner

PROGRAM = "bluekrait-cutechess-ob"
CHOICE = "BLUEKRAIT_RUNNER"  # environment variable: the runner to use
BUILTIN = "builtin"

HELP = f"""\
{PROGRAM}: play a match that the flags of fastchess or cutechess-cli describe.

usage: {PROGRAM} -engine cmd=./dev tc=8+0.08 name=dev -engine cmd=./base tc=8+0.08 name=base
           -rounds 100 -games 2 -concurrency 2 -openings file=book.epd format=epd order=random start=1
           -srand 1 -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10
           -tb /syzygy -recover -variant standard -pgnout file=games.pgn

An OpenBench worker starts ./fastchess-ob in its folder (before 2025-12: ./cutechess-ob):
       ln -s "$(command -v {PROGRAM})" fastchess-ob

fastchess plays the games if it is on the PATH, else cutechess-cli, else BlueKrait's own runner.
{CHOICE}=fastchess|cutechess-cli|builtin|/path/to/a/runner chooses one.

exit code: 0 all games are played, 1 an engine or a runner failed, or the disk is full,
2 wrong arguments, 130 Ctrl-C"""


def main() -> NoReturn:
    """Run the program and exit at once: a usual exit tries again to print what could not be printed."""
    os._exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments ask for; the exit code."""
    try:
        if not arguments or arguments[0] in ("-h", "--help", "-help"):
            write(HELP)
            return SUCCESS if arguments else WRONG_ARGUMENTS
        if arguments[0] in ("-version", "--version", "-v"):
            write(f"{PROGRAM} {__version__}")
            return SUCCESS
        return _play(arguments)
    except BrokenPipeError:  # the program that read the output has ended
        return FAILED
    except ModuleNotFoundError as error:
        return fail(f'it needs {error.name}: pip install "bluekrait[tools]"', WRONG_ARGUMENTS, PROGRAM)
    except (OSError, ValueError, KeyError) as error:
        return fail_with(error, PROGRAM)
    except RuntimeError as error:
        return fail(error, FAILED, PROGRAM)
    except KeyboardInterrupt:
        return INTERRUPTED


def _play(arguments: Sequence[str]) -> int:
    """Play the match; the exit code. An installed runner replaces this process."""
    from bluekrait.tools.common.run_instead import run_instead
    from bluekrait.tools.openbench.flags import parse_line
    from bluekrait.tools.openbench.translation import translated

    line = parse_line(arguments)
    runner = installed_runner()
    if runner:
        path = under_our_name(runner.path)
        return run_instead(path, [path, *translated(line, runner.kind)])
    from bluekrait.tools.openbench.builtin_runner import contest_of, play

    play(line, contest_of(line), lambda text: print(text, flush=True))
    return SUCCESS


def installed_runner() -> "Runner | None":
    """The runner to call, None for the built-in one; ValueError if the chosen one is not installed."""
    from bluekrait.tools.match.external.runner_command import KNOWN_RUNNERS, find_runner

    chosen = os.environ.get(CHOICE)
    if chosen == BUILTIN:
        return None
    for name in [chosen] if chosen else KNOWN_RUNNERS:
        runner = find_runner(name)
        if runner and not _is_ourselves(runner.path):
            return runner
    if chosen:
        raise ValueError(f"{CHOICE}={chosen}: there is no such program")
    return None


def under_our_name(path: str) -> str:
    """A link to a runner with the name of this program: workers end runners by their name."""
    folder = os.path.join(next(directories.candidate_roots()), "runners", f"{zlib.crc32(path.encode()):08x}")
    link = os.path.join(folder, os.path.basename(sys.argv[0]))
    try:
        os.makedirs(folder, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.symlink(path, link)
    except OSError:
        return path
    return link


def _is_ourselves(path: str) -> bool:
    """True for a link to this program, which would call itself endlessly."""
    own = shutil.which(PROGRAM)
    return own is not None and os.path.realpath(path) == os.path.realpath(own)


if __name__ == "__main__":
    main()
