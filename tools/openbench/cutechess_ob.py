"""`bluekrait-cutechess-ob`: a match runner for OpenBench's workers, whichever runner is installed.

A worker calls a program named fastchess-ob, or formerly cutechess-ob, with a long line of flags, and reads
`Finished game 1 (A vs B): 1-0 {White mates}` from what it prints. This program understands the flags of both,
says the same to fastchess or cutechess-cli, and if there is neither plays the games itself.
"""

import contextlib
import os
import shutil
import sys
import zlib

from bluekrait.core.compiler import cache
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail

PROGRAM = "bluekrait-cutechess-ob"
CHOICE = "BLUEKRAIT_RUNNER"  # the environment variable that names one
BUILTIN = "builtin"
CANDIDATES = ("fastchess", "cutechess-cli")

HELP = f"""\
{PROGRAM}: play a match, told what to play in the flags of fastchess or cutechess-cli.

usage: {PROGRAM} -engine cmd=./dev tc=8+0.08 name=dev -engine cmd=./base tc=8+0.08 name=base
           -rounds 100 -games 2 -concurrency 2 -openings file=book.epd format=epd order=random start=1
           -srand 1 -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10
           -tb /syzygy -recover -variant standard -pgnout file=games.pgn

An OpenBench worker looks for ./fastchess-ob in its folder, one before 2025-12 for ./cutechess-ob:
       ln -s "$(command -v {PROGRAM})" fastchess-ob

The games are played by fastchess or cutechess-cli, whichever is on the PATH, else by BlueKrait's own runner.
{CHOICE}=fastchess|cutechess-cli|builtin|/path/to/a/runner chooses one.

exit code: 0 all games are played, 1 the match broke down, 2 wrong arguments, 130 Ctrl-C"""


def main(arguments=None):
    """Play the match; the exit code. An installed runner takes the place of this process."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments or arguments[0] in ("-h", "--help", "-help"):
        print(HELP)
        return SUCCESS if arguments else WRONG_ARGUMENTS
    if arguments[0] in ("-version", "--version", "-v"):
        return show_version()
    try:
        return _run(arguments)
    except ModuleNotFoundError as error:
        return fail(f"it needs {error.name}: pip install 'bluekrait[tools]'", WRONG_ARGUMENTS, PROGRAM)
    except (OSError, ValueError, KeyError) as error:
        return fail(error, WRONG_ARGUMENTS, PROGRAM)
    except RuntimeError as error:
        return fail(error, FAILED, PROGRAM)
    except KeyboardInterrupt:
        return INTERRUPTED


def show_version():
    """Say what this is, in words in which a worker finds a version."""
    from bluekrait.uci import __version__

    print(f"{PROGRAM} {__version__}")
    return SUCCESS


def _run(arguments):
    from bluekrait.tools.common.successor import run_instead
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


def installed_runner():
    """The runner to call, None for our own; ValueError if the chosen one is not there."""
    from bluekrait.tools.match.external.runner_command import find_runner

    chosen = os.environ.get(CHOICE)
    if chosen == BUILTIN:
        return None
    for name in [chosen] if chosen else CANDIDATES:
        runner = find_runner(name)
        if runner and not _is_ourselves(runner.path):
            return runner
    if chosen:
        raise ValueError(f"{CHOICE}={chosen}: there is no such program")
    return None


def under_our_name(path):
    """A link to a runner, of the name that this program was called by: workers end runners by their name."""
    folder = os.path.join(next(cache.candidate_roots()), "runners", f"{zlib.crc32(path.encode()):08x}")
    link = os.path.join(folder, os.path.basename(sys.argv[0]))
    try:
        os.makedirs(folder, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.symlink(path, link)
    except OSError:
        return path
    return link


def _is_ourselves(path):
    """True for another name of this program, which would call itself for ever."""
    own = shutil.which(PROGRAM)
    return bool(own) and os.path.realpath(path) == os.path.realpath(own)


if __name__ == "__main__":
    sys.exit(main())
