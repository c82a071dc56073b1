"""`bluekrait worker`: run the worker processes of a Dask scheduler on this machine, one for each core."""

import sys
from collections.abc import Sequence

from bluekrait.tools.cluster.dask_pool import connected
from bluekrait.tools.common.command_line import Parser, add_processes
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.run_instead import run_instead
from bluekrait.uci.exits import FAILED, fail
from bluekrait.uci.programs.warmup import LoadError, load_with_progress

PROGRAM = "bluekrait worker"
DEATH_TIMEOUT = "60"  # seconds without a scheduler before a worker exits

EXAMPLES = """\
examples:
  on one machine: the scheduler, which prints the address for the workers
    dask scheduler
  on every machine that works: with all its cores, or with some of them
    bluekrait worker tcp://192.168.1.10:8786
    bluekrait worker tcp://192.168.1.10:8786 --processes 2

The work comes from commands with --cluster: datagen, openings, perft, match, sprt, gauntlet, tune search and
others; see docs/laboratory/cluster.md.

exit code: 1 the engine does not compile, 2 wrong arguments or no scheduler, else that of dask worker
"""


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Replace this process by `dask worker`; the exit code if that fails."""
    parser = Parser(
        prog=PROGRAM,
        description="Run worker processes for a Dask scheduler on this machine, until Ctrl-C. The engine is "
        "compiled before they start.",
        epilog=EXAMPLES,
    )
    parser.add_argument("address", metavar="ADDRESS", help="address of the scheduler, like tcp://host:8786")
    add_processes(parser)
    options = parser.parse_args(arguments)
    try:
        with connected(options.address):
            load_with_progress()
    except LoadError as error:
        return fail(error, FAILED, PROGRAM)
    return run_instead(sys.executable, worker_command(options.address, options.processes))


def worker_command(address: str, processes: int) -> list[str]:
    """The command that starts the worker processes, and restarts those that die."""
    return [
        *(sys.executable, "-m", "distributed.cli.dask_worker", address),
        *("--nworkers", str(processes), "--nthreads", "1"),
        *("--memory-limit", "0"),  # else Dask kills a worker whose hash table is larger than its share
        *("--no-dashboard", "--death-timeout", DEATH_TIMEOUT),
    ]


if __name__ == "__main__":
    sys.exit(main())
