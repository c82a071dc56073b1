"""`bluekrait tune compare`: which of two versions of the engine plays better, with equal nodes for each move.

They differ in how they evaluate, or in numbers of the search.

The games are those of `tools.tuning.self_match`: pairs from one opening with colours exchanged. Their results
do not depend on how busy the machine is, nor on what an evaluation costs: that is for `bluekrait match`.
"""

import argparse
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from bluekrait.search.parameters import PARAMETERS
from bluekrait.search.self_play.game_records import WON
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import run_units
from bluekrait.tools.common.command_line import add_places, at_least_one
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.data.evaluation_choice import HELP, chosen
from bluekrait.tools.data.formats.game_samples import load_self_play
from bluekrait.tools.statistics.pentanomial import Pairs, elo
from bluekrait.tools.statistics.summary import summary_lines, with_error
from bluekrait.tools.tuning.self_match import Side, play_pair, results
from bluekrait.uci.exits import INTERRUPTED, SUCCESS
from bluekrait.uci.progress import ProgressLine

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
        "one", metavar="ONE", nargs="?", default=IN_PACKAGE, help=f"{HELP}: {IN_PACKAGE}, unless you name one"
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
            type=number_of_search,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"a number of the search of {name.upper()}; may be given several times",
        )
    for name, default, text in (
        ("games", 400, "games in all, an even number"),
        ("nodes", 4000, "soft limit for a move"),
        ("seed", 1, "another seed, other openings"),
    ):
        parser.add_argument(
            f"--{name}", type=at_least_one, default=default, metavar="N", help=f"{text} ({default})"
        )
    add_places(parser)
    parser.set_defaults(run=run)


def number_of_search(text: str) -> tuple[str, int]:
    """A parameter of `search.parameters` and its value, from NAME=VALUE."""
    name, _, value = text.partition("=")
    row = next((row for row in PARAMETERS if row.name == name), None)
    if row is None:
        raise argparse.ArgumentTypeError(f"no parameter is called {name!r}, bluekrait parameters lists them")
    number = int(value) if value.isascii() and value.isdigit() else -1
    if not row.low <= number <= row.high:
        raise argparse.ArgumentTypeError(f"{name} must be from {row.low} to {row.high}, not {value!r}")
    return name, number


def side(name: str, numbers: Sequence[tuple[str, int]]) -> Side:
    """A side by the name of its evaluation and the numbers of its search."""
    return Side(chosen(None if name == IN_PACKAGE else name, {}), dict(numbers))


@with_errors_reported(PROGRAM)
def run(options: argparse.Namespace) -> int:
    """Play and print the result; the exit code."""
    sides = [side(options.one, options.numbers_of_one), side(options.other, options.numbers_of_other)]
    if sides[0] == sides[1]:
        raise ValueError("both sides are the same; name two evaluations, or a number with --one or --other")
    pairs = options.games // 2
    units = ((options.nodes, options.seed, pair, *sides) for pair in range(pairs))
    points: list[float] = []
    load_self_play()  # now: otherwise each process would compile it
    with open_pool(options.processes, options.cluster) as pool:
        code = _play(run_units(pool, play_pair, units), points, 2 * pairs)
    if points:
        print("\n".join(summary_lines(points)))
    return code


def _play(played: Iterable[tuple[bytes, bytes]], points: list[float], wanted: int) -> int:
    """Collect the points of pairs of games as they end, and show how it stands; the exit code."""
    line, code = ProgressLine(), INTERRUPTED
    with suppress(KeyboardInterrupt):
        for pair in played:
            points += (result / WON for result in results(pair))
            standing = with_error(elo(Pairs.of_results(points)))
            line.show(f"{len(points)} of {wanted} games, Elo {standing}")
        code = SUCCESS
    line.clear()
    return code
