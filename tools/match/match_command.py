"""`bluekrait match`: let engines play each other."""

import signal
import sys

from bluekrait.tools.cluster.worker_pool import PoolUnavailable
from bluekrait.tools.common.command_line import Parser, at_least_one
from bluekrait.tools.common.pictures import check_picture
from bluekrait.tools.match.arguments import ENGINES, add_common_options, normalised, scheme_of
from bluekrait.tools.match.planning import is_in_place, plan_of
from bluekrait.tools.match.runner.engine_check import check_engines
from bluekrait.tools.match.session import Session
from bluekrait.tools.match.setup.contest import GAUNTLET
from bluekrait.tools.report.writing import write_plot, write_report
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail

PROGRAM = "bluekrait match"
ROUNDS = 50

EXAMPLES = (
    ENGINES
    + """
examples:
  a first match: a hundred games of this engine against another one
    bluekrait match --engine bluekrait --engine stockfish --tc 8+0.08 --rounds 50
  against engines at a fixed number of nodes, openings of your own in random order, two games at a time
    bluekrait match --engine bluekrait --engine "./other option.Threads=1" --engine cmd=fairymax proto=xboard
        --each nodes=20000 option.Hash=16 --openings book.epd order=random --concurrency 2
  everybody against everybody, ending games that are decided
    bluekrait match --engine ./a --engine ./b --engine ./c --scheme roundrobin --resign --draw
Interrupted? The same command goes on where it was; more rounds continue the same match.

exit code: 0 all games are played, 1 the match broke down, 2 wrong arguments, 130 Ctrl-C
"""
)


def main(arguments=None):
    """Play a match; the exit code."""
    parser = Parser(
        prog=PROGRAM,
        description="Let engines play each other, every opening twice with colours swapped. The first one\n"
        "plays all others. The games are kept as they end.",
        epilog=EXAMPLES,
    )
    add_common_options(parser, "match.pgn")
    games = "games in each encounter, two for each round; with --rounds it is 2"
    parser.add_argument("--games", type=at_least_one, metavar="N", help=games)
    rounds = f"pairs of games in each encounter ({ROUNDS})"
    parser.add_argument("--rounds", type=at_least_one, metavar="N", help=rounds)
    scheme = "gauntlet, or roundrobin: everybody against everybody (%(default)s)"
    parser.add_argument("--scheme", type=scheme_of, default=GAUNTLET, metavar="KIND", help=scheme)
    options = parser.parse_args(normalised(sys.argv[1:] if arguments is None else arguments))
    try:
        plan = plan_of(options, rounds_of(options), options.scheme)
    except (OSError, ValueError) as error:
        return fail(error, WRONG_ARGUMENTS, PROGRAM)
    code, _ = run_match(plan, options, PROGRAM)
    return code


def rounds_of(options):
    """Pairs of games in each encounter."""
    if options.rounds:
        if options.games not in (None, 2):
            raise ValueError("a round has 2 games: say --rounds N, or --games N alone")
        return options.rounds
    if options.games and options.games % 2:
        raise ValueError("openings are played twice: --games is an even number")
    return options.games // 2 if options.games else ROUNDS


def run_match(plan, options, program):
    """Hold a contest and say how it ended; the exit code, and the verdict of its test."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        session = _opened(plan, options)
    except (OSError, ValueError) as error:
        return fail(error, WRONG_ARGUMENTS, program), None
    code, verdict = SUCCESS, None
    try:
        with session:
            verdict = session.run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except PoolUnavailable as error:
        return fail(error, WRONG_ARGUMENTS, program), None
    except (OSError, RuntimeError) as error:
        code = fail(error, FAILED, program)
    print("\n".join((*session.report(), session.progress_text())), flush=True)
    if code == INTERRUPTED:
        print(f"Interrupted. The same command goes on; the games are in {plan.pgn}", flush=True)
        return code, None
    try:
        _write_reports(plan, options)
    except (OSError, ValueError) as error:
        code = fail(error, FAILED, program)
    return code, verdict


def _opened(plan, options):
    """The session, ready to play: whatever can be found wrong is found before it begins."""
    for path in filter(None, (plan.pgn, options.report, options.plot)):
        if not is_in_place(path):
            raise ValueError(f"{path} cannot be written")
    if options.plot:
        check_picture(options.plot)
    notes = [] if plan.runner else check_engines(plan.contest.engines)
    rounds, openings = plan.contest.rounds, len(plan.contest.openings)
    if rounds > openings:
        notes.append(
            f"{openings} openings for {rounds} rounds: they are played again; bluekrait openings has more"
        )
    return Session(plan, notes)


def _write_reports(plan, options):
    """Write what was asked for beside the games."""
    if options.report:
        write_report(plan.pgn, options.report, plan.bounds)
    if options.plot:
        write_plot(plan.pgn, options.plot, plan.bounds)
