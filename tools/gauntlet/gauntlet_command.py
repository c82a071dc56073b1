"""`bluekrait gauntlet`: our engine against the chess programs of this machine, and its rating from that."""

import argparse
import sys

from bluekrait.tools.common.command_line import Parser, at_least_one
from bluekrait.tools.common.pictures import check_picture
from bluekrait.tools.gauntlet.known_programs import (
    LEVELS,
    NAMES,
    PROGRAMS,
    STOCKFISH,
    STRONGEST,
    WEAKEST,
    opponents,
    path_of,
)
from bluekrait.tools.gauntlet.rating_list import draw_rating_list, rating_list_lines, ratings_from
from bluekrait.tools.match.arguments import ENGINES, add_common_options, normalised
from bluekrait.tools.match.match_command import run_match
from bluekrait.tools.match.planning import is_in_place, plan_of
from bluekrait.tools.match.setup.contest import GAUNTLET
from bluekrait.tools.report.match_facts import read_match
from bluekrait.tools.report.writing import write_report
from bluekrait.uci.exits import INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail

PROGRAM = "bluekrait gauntlet"
ROUNDS = 10
PGN = "gauntlet.pgn"

EXAMPLES = (
    ENGINES
    + """
examples:
  against all the programs that are found, twenty games each, and a picture of the ladder
    bluekrait gauntlet --tc 8+0.08 --plot ladder.svg
  against some of them
    bluekrait gauntlet --against stockfish toga2 --levels 1800 2200 2600 --rounds 50
  a version of yours in our place, and one more opponent without a rating
    bluekrait gauntlet --engine ./mine --engine ./another
  games that were played before; ratings of players that are known are found by their names
    bluekrait gauntlet --from old.pgn new.pgn --anchor SF2500=2500
Interrupted? The same command goes on where it was; more rounds continue it.

exit code: 0 all games are played, 1 the match broke down, 2 wrong arguments, 130 Ctrl-C
"""
)


def main(arguments=None):
    """Play the games that are missing and print the ladder; the exit code."""
    options = _parser().parse_args(normalised(sys.argv[1:] if arguments is None else arguments))
    if options.list:
        print("\n".join(known_programs()))
        return SUCCESS
    try:
        anchors = dict(map(anchor, options.anchor))
        for path in filter(None, (options.report, options.plot)):
            if not is_in_place(path):
                raise ValueError(f"{path} cannot be written")
        if options.plot:
            check_picture(options.plot)
        if options.games_from:
            return _show(options.games_from, anchors, options)
        plan = _plan(options)
    except (OSError, ValueError) as error:
        return fail(error, WRONG_ARGUMENTS, PROGRAM)
    return _play(plan, anchors, options)


def _parser():
    parser = Parser(
        prog=PROGRAM,
        description="Let this engine play the chess programs of this machine, and fit a rating to the games.",
        epilog=EXAMPLES,
    )
    add_common_options(parser, PGN)
    add = parser.add_argument
    add("--rounds", type=at_least_one, default=ROUNDS, metavar="N", help="pairs of games each (%(default)s)")
    add("--against", nargs="+", choices=NAMES, metavar="NAME", help=f"some of: {', '.join(NAMES)} (all)")
    levels = f"ratings that Stockfish is told to have ({' '.join(map(str, LEVELS))})"
    add("--levels", nargs="+", type=level, default=LEVELS, metavar="ELO", help=levels)
    given = "a player's rating to run_match on to (Stockfish's levels; without them, all that are known)"
    add("--anchor", action="append", default=[], metavar="NAME=RATING", help=given)
    add("--from", dest="games_from", nargs="+", metavar="PGN", help="play nothing, take the games of files")
    add("--list", action="store_true", help="show the known programs, and where they are")
    return parser


def level(text):
    """A strength that Stockfish can be told to have."""
    if not text.isdigit() or not WEAKEST <= int(text) <= STRONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is not from {WEAKEST} to {STRONGEST}")
    return int(text)


def anchor(text):
    """A name and a rating."""
    name, _, rating = text.rpartition("=")
    try:
        return name, float(rating)
    except ValueError:
        raise ValueError(f"--anchor {text}: NAME=RATING is expected") from None


def known_programs():
    """A line for every known program."""
    rows = [(STOCKFISH, STOCKFISH, f"{WEAKEST}-{STRONGEST}")]
    rows += [(program.name, program.command, f"about {program.rating}") for program in PROGRAMS]
    return [f"{name:10} {rating:11} {path_of(command) or 'not found'}" for name, command, rating in rows]


def _plan(options):
    """The contest: our engine, those named beside it, and the programs that are found."""
    own = options.engine or [["cmd=bluekrait"]]
    options.engine = [*own, *opponents(options.against, options.levels)]
    return plan_of(options, options.rounds, GAUNTLET)


def _play(plan, anchors, options):
    """Play, then show the ladder; after an interruption as far as it has come."""
    without_pictures = argparse.Namespace(**{**vars(options), "report": None, "plot": None})
    code, _ = run_match(plan, without_pictures, PROGRAM)
    if code not in (SUCCESS, INTERRUPTED):
        return code
    try:
        _show([plan.pgn], anchors, options)
    except (OSError, ValueError) as error:
        return code or fail(error, WRONG_ARGUMENTS, PROGRAM)
    return code


def _show(paths, anchors, options):
    """Print the ladder, and draw it and write its report where asked."""
    ours = read_match(paths[0]).player
    ratings, anchors = ratings_from(paths, anchors)
    print("\n".join(rating_list_lines(ratings, anchors)), flush=True)
    if options.plot:
        draw_rating_list(options.plot, ratings, anchors, ours)
    if options.report:
        if len(paths) > 1:
            raise ValueError("--report is of one file of games")
        write_report(paths[0], options.report)
    return SUCCESS
