"""`bluekrait worker`: let this machine work for a Dask scheduler, one process a core."""

import sys

from bluekrait.tools.cluster.dask_pool import connected
from bluekrait.tools.cluster.worker_pool import PoolError
from bluekrait.tools.common.command_line import Parser, add_processes
from bluekrait.tools.common.successor import run_instead
from bluekrait.uci.exits import FAILED, fail
from bluekrait.uci.programs.warmup import LoadError, load_with_progress

PROGRAM = "bluekrait worker"
PATIENCE = "60"  # seconds without a scheduler, before a worker gives up

EXAMPLES = """\
examples:
  one machine gives out the work; it prints the address to use below
    dask scheduler
  this machine takes part, with all its cores or with some
    bluekrait worker tcp://192.168.1.10:8786
    bluekrait worker tcp://192.168.1.10:8786 --processes 2

What there is to do is told by bluekrait datagen, perft, match or tune with --cluster; see
docs/laboratory/cluster.md.
"""


def main(arguments=None):
    """Become the workers; the exit code if that fails."""
    parser = Parser(
        prog=PROGRAM,
        description="Let this machine work for a Dask scheduler. Everything is compiled before the workers "
        "start; they live until Ctrl-C.",
        epilog=EXAMPLES,
    )
    parser.add_argument("address", metavar="ADDRESS", help="of the scheduler, tcp://host:8786")
    add_processes(parser)
    options = parser.parse_args(arguments)
    try:
        with connected(options.address):
            load_with_progress()
    except PoolError as error:
        return fail(error, error.exit_code, PROGRAM)
    except LoadError as error:
        return fail(error, FAILED, PROGRAM)
    return run_instead(sys.executable, worker_command(options.address, options.processes))


def worker_command(address, processes):
    """The command that starts the processes, and starts those again that die."""
    return [
        *(sys.executable, "-m", "distributed.cli.dask_worker", address),
        *("--nworkers", str(processes), "--nthreads", "1"),
        *("--no-dashboard", "--death-timeout", PATIENCE),
    ]


if __name__ == "__main__":
    sys.exit(main())
