"""`bluekrait gauntlet`: play this engine against the chess programs of this machine, and rate it."""

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from bluekrait.tools.common.command_line import Parser, at_least_one
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.ordinary_file import check_ordinary
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
from bluekrait.tools.gauntlet.rating_list import (
    check_anchors,
    draw_rating_list,
    rating_list_lines,
    ratings_from,
)
from bluekrait.tools.match.arguments import ENGINES, add_common_options, file_of, normalised
from bluekrait.tools.match.match_command import check_outputs, run_match
from bluekrait.tools.match.match_session import MatchPlan
from bluekrait.tools.match.planning import plan_of
from bluekrait.tools.match.setup.contest import GAUNTLET
from bluekrait.tools.report.match_facts import read_match
from bluekrait.tools.report.writing import write_report
from bluekrait.uci.exits import INTERRUPTED, SUCCESS
from bluekrait.uci.streams.output import write

PROGRAM = "bluekrait gauntlet"
ROUNDS = 10
FARTHEST = 5000  # from zero that a given rating may be: with wider gaps the fit is lost in rounding
PGN = "gauntlet.pgn"

EXAMPLES = (
    ENGINES
    + """
examples:
  against all installed programs, twenty games each, with a picture of the rating list
    bluekrait gauntlet --tc 8+0.08 --plot ratings.svg
  against some of them, and Stockfish at three levels, a hundred games each
    bluekrait gauntlet --against stockfish toga2 --levels 1800 2200 2600 --rounds 50
  another engine in place of bluekrait, and one more opponent without a rating
    bluekrait gauntlet --engine ./mine --engine ./another
  rate the players of existing games; known players are recognised by their names
    bluekrait gauntlet --from old.pgn new.pgn --anchor SF2500=2500
Interrupted? The same command continues; a larger --rounds extends it.

exit code: 0 all games are played, 1 an engine or a runner failed, or the disk is full,
2 wrong arguments, 130 Ctrl-C
"""
)


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play the missing games and print the rating list; the exit code."""
    options = _parser().parse_args(normalised(sys.argv[1:] if arguments is None else arguments))
    if options.list:
        write("\n".join(known_programs()))
        return SUCCESS
    anchors = anchors_of(options.anchor)
    check_outputs(_files_of_games(options), options)
    if options.report and len(_files_of_games(options)) > 1:
        raise ValueError("--report needs a single file of games")
    if options.games_from:
        if options.engine or options.against or options.levels:
            raise ValueError("--from plays nothing: leave out --engine, --against and --levels")
        check_games(options.games_from)
        return _show(options.games_from, anchors, options)
    plan = _plan(options)
    check_anchors(anchors, [engine.name for engine in plan.contest.engines])
    return _play(plan, anchors, options)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=PROGRAM,
        usage="%(prog)s [options]",
        description="Play this engine against the chess programs of this machine, and print a rating list.",
        epilog=EXAMPLES,
    )
    add_common_options(parser, PGN, "the rating list")
    add = parser.add_argument
    add(
        "--rounds",
        type=at_least_one,
        default=ROUNDS,
        metavar="N",
        help="pairs of games against each (%(default)s)",
    )
    add(
        "--against",
        action="extend",
        nargs="+",
        choices=NAMES,
        metavar="NAME",
        help=f"opponents, of {', '.join(NAMES)} (all installed)",
    )
    levels = f"strengths of Stockfish (UCI_Elo) as opponents ({' '.join(map(str, LEVELS))})"
    add("--levels", action="extend", nargs="+", type=level, metavar="ELO", help=levels)
    given = "take this rating as given (those of Stockfish's levels; if none played, all published ones)"
    add("--anchor", action="append", default=[], metavar="NAME=RATING", help=given)
    add(
        "--from",
        dest="games_from",
        action="extend",
        nargs="+",
        metavar="PGN",
        help="play nothing, rate the games of these files",
    )
    add("--list", action="store_true", help="list the known programs and their paths, and exit")
    return parser


def check_games(paths: Sequence[str]) -> None:
    """ValueError if a file cannot be read again, or is named twice: its games would count twice."""
    for place, path in enumerate(paths):
        check_ordinary(path)
        if os.path.realpath(path) in map(os.path.realpath, paths[:place]):
            raise ValueError(f"--from {path}: this file is named twice")


def level(text: str) -> int:
    """A value of --levels: a UCI_Elo of Stockfish."""
    if not text.isdecimal() or not WEAKEST <= int(text) <= STRONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is not from {WEAKEST} to {STRONGEST}")
    return int(text)


def anchors_of(texts: Iterable[str]) -> dict[str, float]:
    """The given ratings by name. ValueError if a player has two."""
    anchors: dict[str, float] = {}
    for name, rating in map(anchor, texts):
        if anchors.setdefault(name, rating) != rating:
            raise ValueError(f"--anchor {name}: is it {anchors[name]:g} or {rating:g}?")
    return anchors


def anchor(text: str) -> tuple[str, float]:
    """A value of --anchor: a name and a rating."""
    name, _, rating = text.rpartition("=")
    with suppress(ValueError):
        if abs(float(rating)) <= FARTHEST:
            return name, float(rating)
    raise ValueError(f"--anchor {text}: expected NAME=RATING, a rating from -{FARTHEST} to {FARTHEST}")


def known_programs() -> list[str]:
    """A line for every known program."""
    rows = [(STOCKFISH, STOCKFISH, f"{WEAKEST}-{STRONGEST}")]
    rows += [(program.name, program.command, f"about {program.rating}") for program in PROGRAMS]
    return [f"{name:10} {rating:11} {path_of(command) or 'not found'}" for name, command, rating in rows]


def _files_of_games(options: argparse.Namespace) -> list[str | Path]:
    """The files that nothing else may be written to."""
    return list(options.games_from or [file_of(options.pgn)])


def _plan(options: argparse.Namespace) -> MatchPlan:
    """The plan: this engine or the first --engine, the other --engine, and the installed programs."""
    own = options.engine or [["cmd=bluekrait"]]
    options.engine = [*own, *opponents(options.against, options.levels or LEVELS)]
    if len(options.engine) < 2:
        raise ValueError(f"no --engine to play against, and none of these is installed: {', '.join(NAMES)}")
    return plan_of(options, options.rounds, GAUNTLET)


def _play(plan: MatchPlan, anchors: Mapping[str, float], options: argparse.Namespace) -> int:
    """Play, then show the rating list, after an interruption with the games so far."""
    without_pictures = argparse.Namespace(**{**vars(options), "report": None, "plot": None})
    code, _ = run_match(plan, without_pictures, PROGRAM)
    if code not in (SUCCESS, INTERRUPTED):
        return code
    try:
        _show([plan.pgn], anchors, options)
    except (OSError, ValueError):
        if code == SUCCESS:
            raise
    return code


def _show(paths: Sequence[str], anchors: Mapping[str, float], options: argparse.Namespace) -> int:
    """Print the rating list; draw it and write the report if asked for."""
    ours = read_match(paths[0]).player
    ratings, anchors = ratings_from(paths, anchors)
    if options.plot:
        draw_rating_list(options.plot, ratings, anchors, ours)
    if options.report:
        write_report(paths[0], options.report)
    write("\n".join(rating_list_lines(ratings, anchors)))
    return SUCCESS
