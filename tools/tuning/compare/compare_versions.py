"""`bluekrait tune compare`: which of two versions of the engine plays better, with equal nodes for each move.

They differ in how they evaluate, or in numbers of the search.

The games are those of `self_match`: pairs from one opening with colours exchanged. Their results do not
depend on how busy the machine is, nor on what an evaluation costs: that is for `bluekrait match`.
"""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from bluekrait.search.self_play.game_records import WON
from bluekrait.search.self_play.players.player import ENTRIES_MODULE
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import run_units
from bluekrait.tools.common.command_line import add_clock, add_nodes, add_number, add_places
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.data.evaluation_choice import chosen
from bluekrait.tools.statistics.pentanomial import Pairs, elo
from bluekrait.tools.statistics.summary import summary_lines, with_error
from bluekrait.tools.tuning.compare.parameter_rows import ROWS, name_and_value
from bluekrait.tools.tuning.compare.self_match import Side, play_pair, results
from bluekrait.uci.exits import SUCCESS
from bluekrait.uci.progress import ProgressLine
from bluekrait.uci.streams.output import write

PROGRAM = "bluekrait tune compare"
IN_PACKAGE = "package"

EXAMPLES = """\
examples:
  a network against the one of the package: some minutes on two cores
    bluekrait tune compare run/network.bknn
  against the classical evaluation, with more nodes a move
    bluekrait tune compare run/network.bknn classical --nodes 8000 --games 1000
  numbers of the search (bluekrait parameters lists them) against those there are
    bluekrait tune compare --one razor_base=300 --one razor_slope=200 --nodes 1500 --games 8000
  the same with a clock, so that longer iterations must be paid for later
    bluekrait tune compare --one razor_base=300 --nodes 2000 --clock --games 8000

Ctrl-C ends the games early; what was played until then is counted.
"""


def add_to(modes: "argparse._SubParsersAction[Any]") -> None:
    """Describe this mode of `bluekrait tune`."""
    parser = modes.add_parser(
        "compare",
        help="let two evaluations, or two settings of the search, play with equal nodes for each move",
        description="Let the engine play against itself with two evaluations, or with two settings of the "
        "search, in pairs of games from one opening, and tell by how many Elo the first is better.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "one",
        metavar="ONE",
        nargs="?",
        default=IN_PACKAGE,
        help=f"classical, the file of a network, or {IN_PACKAGE}: what the engine plays with ({IN_PACKAGE})",
    )
    parser.add_argument(
        "other",
        metavar="OTHER",
        nargs="?",
        default=IN_PACKAGE,
        help=f"its opponent, named likewise ({IN_PACKAGE})",
    )
    for name in ("one", "other"):
        parser.add_argument(
            f"--{name}",
            dest=f"numbers_of_{name}",
            type=name_and_value,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"a number of the search of {name.upper()}; may be given several times",
        )
    add_number(parser, "--games", 400, "games in all, an even number")
    add_nodes(parser, 4000, "soft limit for a move")
    add_clock(parser)
    add_number(parser, "--seed", 1, "another seed, other openings")
    add_places(parser)
    parser.set_defaults(run=run)


def side(name: str, numbers: Sequence[tuple[str, int]]) -> Side:
    """A side by the name of its evaluation and the numbers of its search."""
    unusual = {row: value for row, value in dict(numbers).items() if value != ROWS[row].value}
    return Side(chosen(None if name == IN_PACKAGE else name, {}), unusual)


@with_errors_reported(PROGRAM)
def run(options: argparse.Namespace) -> int:
    """Play and print the result; the exit code."""
    sides = [side(options.one, options.numbers_of_one), side(options.other, options.numbers_of_other)]
    if sides[0] == sides[1]:
        raise ValueError("both sides are the same; name two evaluations, or a number with --one or --other")
    if options.games % 2:
        raise ValueError("every opening is played twice: --games must be even")
    pairs = options.games // 2
    has_clock = bool(options.clock)
    units = ((options.nodes, options.seed, pair, *sides, has_clock) for pair in range(pairs))
    points: list[float] = []
    try:
        with open_pool(options.processes, options.cluster, ENTRIES_MODULE) as pool:
            _play(run_units(pool, play_pair, units), points, 2 * pairs)
        return SUCCESS
    finally:  # also if it is interrupted, or a worker process has died
        if points:
            write("\n".join(summary_lines(points)))


def _play(played: Iterable[tuple[bytes, bytes]], points: list[float], wanted: int) -> None:
    """Collect the points of pairs of games as they end, and show how it stands."""
    line = ProgressLine()
    try:
        for pair in played:
            points += (result / WON for result in results(pair))
            standing = with_error(elo(Pairs.of_results(points)))
            line.show(f"{len(points)} of {wanted} games, Elo {standing}")
    finally:
        line.clear()
