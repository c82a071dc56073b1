"""`make try-windows`: try a wheel under Wine, as a user does on Windows.

The first run downloads Wine, Python for Windows and Numba (about two gigabytes) and takes minutes; with --dir
the next one finds them there. Needs Debian or something like it: its packages are used, and not installed.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bluekrait.tools.common.command_line import Parser
from bluekrait.tools.ports.checklist import name_of, run_checks, table
from bluekrait.tools.ports.windows_checks import CHECK_NAMES, WindowsChecks
from bluekrait.tools.ports.wine import Windows
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail, tell

PROGRAM = "python -m bluekrait.tools.ports.try_windows"

EXAMPLES = """\
examples:
  make try-windows
  python -m bluekrait.tools.ports.try_windows dist/bluekrait-0.1.0-py3-none-any.whl --dir build/windows
  ... --only bench --only perft        some checks; the engine is compiled by whichever comes first
  ... --list                           what the checks are called

exit code: 0 all checks passed, 1 one failed, 2 wrong arguments, 130 Ctrl-C
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks and print their table; the exit code."""
    options = parser().parse_args(arguments)
    if options.list:
        for check in (getattr(WindowsChecks, name) for name in CHECK_NAMES):
            print(f"{check.__name__:14}{name_of(check)}")
        return SUCCESS
    if not options.wheel or not options.wheel.is_file():
        return fail(f"there is no wheel {options.wheel or ''}", WRONG_ARGUMENTS, PROGRAM)
    unknown = sorted(set(options.only) - set(CHECK_NAMES))
    if unknown:
        return fail(f"there is no check {unknown[0]}, see --list", WRONG_ARGUMENTS, PROGRAM)
    try:
        if options.dir:
            return attempt(options.wheel, options.dir, options.only)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            return attempt(options.wheel, Path(directory), options.only)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return fail(error, FAILED, PROGRAM)


def parser() -> Parser:
    """The command line parser."""
    parser = Parser(
        prog=PROGRAM,
        description="Try a wheel under Wine, as a user does on Windows: install, compile, play, run a match "
        "and data generation, kill it and continue.",
        epilog=EXAMPLES,
    )
    parser.add_argument("wheel", nargs="?", type=Path, help="what to try")
    parser.add_argument("--dir", type=Path, help="where to keep Wine and Python for the next time")
    parser.add_argument("--only", action="append", default=[], metavar="CHECK", help="run this check only")
    parser.add_argument("--list", action="store_true", help="list the checks")
    return parser


def attempt(wheel: Path, directory: Path, only: Sequence[str]) -> int:
    """Try a wheel on the computer of a directory; the exit code."""
    windows = Windows(directory)
    windows.prepare(tell)
    try:
        tell(f"installing {wheel.name} ...")
        windows.install(wheel)
        if not only:
            windows.forget()
        outcomes = run_checks(WindowsChecks(windows, wheel, tell).chosen(only), tell)
    finally:
        windows.end()
    print(table(outcomes))
    return SUCCESS if all(outcome.passed for outcome in outcomes) else FAILED


if __name__ == "__main__":
    sys.exit(main())
