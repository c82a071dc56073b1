"""`bluekrait report`: a match on one page."""

from pathlib import Path

from bluekrait.tools.common.command_line import Parser
from bluekrait.tools.report.writing import write_plot, write_report
from bluekrait.tools.statistics.sequential import MODELS, Bounds
from bluekrait.uci.exits import SUCCESS, WRONG_ARGUMENTS, fail

EXAMPLES = """\
examples:
  a page with everything inside it: figures, curves, crosstable, the games that were lost
    bluekrait report games.pgn
  the same for a sequential test, and its curves as a picture of their own
    bluekrait report games.pgn -o test.html --plot test.png --elo0 0 --elo1 5
  a tournament, seen by one of its players
    bluekrait report tournament.pgn --player BlueKrait
"""


def main(arguments=None):
    """Write the page, and the picture where asked; the exit code."""
    options = _parser().parse_args(arguments)
    try:
        bounds = _bounds(options)
        output = options.output or Path(options.games).with_suffix(".html")
        write_report(options.games, output, bounds, options.player)
        print(output)
        if options.plot:
            write_plot(options.games, options.plot, bounds, options.player)
            print(options.plot)
    except (OSError, ValueError) as error:
        return fail(error, WRONG_ARGUMENTS, "bluekrait report")
    return SUCCESS


def _parser():
    parser = Parser(
        prog="bluekrait report",
        description="Write what a file of games tells as a page that needs nothing but itself.",
        epilog=EXAMPLES,
    )
    parser.add_argument("games", metavar="GAMES.pgn", help="games, played in pairs with colours reversed")
    parser.add_argument("-o", "--output", metavar="FILE", help="the page (GAMES.html)")
    parser.add_argument("--plot", metavar="FILE", help="draw the curves there too: .png, .svg or .pdf")
    parser.add_argument("--player", metavar="NAME", help="whose match it is (who played most, or first)")
    add_bounds(parser)
    return parser


def add_bounds(parser):
    """The options that describe a sequential test."""
    parser.add_argument("--elo0", type=float, metavar="ELO", help="the test's H0: no more than this")
    parser.add_argument("--elo1", type=float, metavar="ELO", help="the test's H1: at least this")
    parser.add_argument("--alpha", type=float, default=0.05, help="error rate for H0 (%(default)s)")
    parser.add_argument("--beta", type=float, default=0.05, help="error rate for H1 (%(default)s)")
    parser.add_argument("--model", choices=MODELS, default=MODELS[0], help="the Elo meant (%(default)s)")


def _bounds(options):
    """The test that was asked for, if any was."""
    if options.elo0 is None and options.elo1 is None:
        return None
    if options.elo0 is None or options.elo1 is None:
        raise ValueError("a test needs both --elo0 and --elo1")
    return Bounds(options.elo0, options.elo1, options.alpha, options.beta, options.model)
