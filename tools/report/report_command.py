"""`bluekrait report`: a report about a match on one HTML page."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from bluekrait.tools.common.command_line import Parser
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.descriptors import is_standard_output, output_path
from bluekrait.tools.common.files.ordinary_file import check_no_folder, check_ordinary
from bluekrait.tools.common.files.whole_file import check_targets, check_writable
from bluekrait.tools.common.pictures import check_picture
from bluekrait.tools.report.writing import check_page, write_plot, write_report
from bluekrait.tools.statistics.sequential import MODELS, Bounds
from bluekrait.uci.exits import SUCCESS, tell

PROGRAM = "bluekrait report"

EXAMPLES = """\
examples:
  write games.html: figures, curves, crosstable and the lost games
    bluekrait report games.pgn
  the same with a sequential test, and the curves as a separate picture
    bluekrait report games.pgn -o test.html --plot test.png --elo0 0 --elo1 5
  a tournament, from the point of view of one player
    bluekrait report tournament.pgn --player BlueKrait

Games with the same opponent and round (12.1 and 12.2) are a pair; without rounds, games in their order.

exit code: 0 written, 1 the disk is full, 2 wrong arguments or unreadable games
"""


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, and the picture if asked for; the exit code."""
    options = _parser().parse_args(arguments)
    bounds = _bounds(options)
    check_no_folder(options.games)
    output = output_path(options.output) if options.output else Path(options.games).with_suffix(".html")
    check_targets(options.games, output, options.plot)
    check_writable([str(output)])
    check_page(output)
    if options.plot:
        check_picture(options.plot)
        check_ordinary(options.games)  # which are read again for the picture
    report = tell if is_standard_output(output) else print
    write_report(options.games, output, bounds, options.player)
    report(str(output))
    if options.plot:
        write_plot(options.games, options.plot, bounds, options.player)
        report(options.plot)
    return SUCCESS


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Write a report about the games of a PGN file: one HTML page that needs no other file.",
        epilog=EXAMPLES,
    )
    parser.add_argument("games", metavar="GAMES.pgn", help="games, played in pairs with colours reversed")
    parser.add_argument("-o", "--output", metavar="FILE", help="the page (GAMES.html); - is standard output")
    parser.add_argument("--plot", metavar="FILE", help="also draw the curves (.png, .svg, .pdf)")
    parser.add_argument("--player", metavar="NAME", help="the player to report on (the one with most games)")
    add_bounds(parser)
    return parser


def add_bounds(parser: argparse.ArgumentParser) -> None:
    """The options that describe a sequential test."""
    parser.add_argument("--elo0", type=float, metavar="ELO", help="H0 of the test: the difference is this")
    parser.add_argument("--elo1", type=float, metavar="ELO", help="H1 of the test: the difference is this")
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="RATE", help="rate of rejecting H0 wrongly (%(default)s)"
    )
    parser.add_argument(
        "--beta", type=float, default=0.05, metavar="RATE", help="rate of rejecting H1 wrongly (%(default)s)"
    )
    units = "unit of elo0 and elo1 (%(default)s)"
    parser.add_argument("--model", choices=MODELS, default=MODELS[0], help=units)


def _bounds(options: argparse.Namespace) -> Bounds | None:
    """The test that the options describe; None without one."""
    if options.elo0 is None and options.elo1 is None:
        return None
    if options.elo0 is None or options.elo1 is None:
        raise ValueError("a test needs both --elo0 and --elo1")
    return Bounds(options.elo0, options.elo1, options.alpha, options.beta, options.model)
