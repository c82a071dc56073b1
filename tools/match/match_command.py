"""`bluekrait match`: play a match or a tournament between engines."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bluekrait.tools.cluster.dask_pool import connected
from bluekrait.tools.cluster.worker_pool import PoolUnavailable
from bluekrait.tools.common.command_line import Parser, at_least_one
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.whole_file import check_targets, check_writable
from bluekrait.tools.common.pictures import check_picture
from bluekrait.tools.match.arguments import ENGINES, ONLY_PRINTED, add_common_options, normalised, scheme_of
from bluekrait.tools.match.match_session import MatchPlan, MatchSession
from bluekrait.tools.match.planning import plan_of
from bluekrait.tools.match.runner.engine_check import check_engines
from bluekrait.tools.match.setup.contest import GAUNTLET
from bluekrait.tools.report.writing import check_page, write_plot, write_report
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, fail

PROGRAM = "bluekrait match"
ROUNDS = 50

EXAMPLES = (
    ENGINES
    + """
examples:
  a first match: a hundred games of this engine against another one
    bluekrait match --engine bluekrait --engine stockfish --tc 8+0.08 --rounds 50
  three engines at a fixed number of nodes, openings from a file in random order, two games at a time
    bluekrait match --engine bluekrait --engine "./other option.Threads=1" --engine ./third
        --each nodes=20000 option.Hash=16 --openings book.epd order=random --concurrency 2
  a round-robin tournament; decided games are adjudicated
    bluekrait match --engine ./a --engine ./b --engine ./c --scheme roundrobin --resign --draw
Interrupted? The same command continues the match; a larger --rounds extends it.

exit code: 0 all games are played, 1 an engine or a runner failed, or the disk is full,
2 wrong arguments, 130 Ctrl-C
"""
)


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play a match; the exit code."""
    parser = Parser(
        prog=PROGRAM,
        usage="%(prog)s --engine PROGRAM --engine PROGRAM [options]",
        description="Play a match or a tournament between engines. Every opening is played twice, with "
        "colours swapped. Each game is saved when it ends.",
        epilog=EXAMPLES,
    )
    add_common_options(parser, "match.pgn")
    games = "games between two engines, an even number (two for each round)"
    parser.add_argument("--games", type=at_least_one, metavar="N", help=games)
    rounds = f"pairs of games between two engines ({ROUNDS})"
    parser.add_argument("--rounds", type=at_least_one, metavar="N", help=rounds)
    scheme = "gauntlet: the first engine against all others; roundrobin: all against all (%(default)s)"
    parser.add_argument("--scheme", type=scheme_of, default=GAUNTLET, metavar="KIND", help=scheme)
    parser.add_argument("--sprt", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args(normalised(sys.argv[1:] if arguments is None else arguments))
    if options.sprt is not None:
        raise ValueError("--sprt: use bluekrait sprt, with the same words")
    plan = plan_of(options, rounds_of(options), options.scheme)
    code, _ = run_match(plan, options, PROGRAM)
    return code


def rounds_of(options: argparse.Namespace) -> int:
    """Pairs of games in each encounter."""
    if options.rounds:
        if options.games not in (None, 2):
            raise ValueError("a round has 2 games: say --rounds N, or --games N alone")
        return int(options.rounds)
    games: int | None = options.games
    if games and games % 2:
        raise ValueError("every opening is played twice: --games must be even")
    return games // 2 if games else ROUNDS


def run_match(plan: MatchPlan, options: argparse.Namespace, program: str) -> tuple[int, str | None]:
    """Play a match and print its result; the exit code, and the hypothesis that its test accepts."""
    session = _opened(plan, options)
    code, accepted, failure = SUCCESS, None, None
    try:
        with session:
            accepted = session.run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except (PoolUnavailable, BrokenPipeError):
        raise
    except (OSError, RuntimeError, ValueError) as error:
        failure = error
    print("\n".join((*session.report(), session.progress_text())), flush=True)
    if failure:  # told last, and not twice if it is the output that fails
        code = fail(failure, FAILED, program)
    if code == INTERRUPTED:
        print(f"Interrupted. The same command continues; the games are in {plan.pgn}", flush=True)
        return code, None
    try:
        _write_reports(plan, options)
    except (OSError, ValueError) as error:
        code = fail(error, FAILED, program)
    return code, accepted


def _opened(plan: MatchPlan, options: argparse.Namespace) -> MatchSession:
    """The session. Everything that can be checked is checked before the first game."""
    check_writable((plan.pgn,))
    check_outputs([plan.pgn], options)
    warnings = check_engines(plan.contest.engines, is_builtin=plan.runner is None)
    warnings += [f"--{name} has no effect here" for name in ONLY_PRINTED if _is_given(options, name)]
    rounds, openings = plan.contest.rounds, len(plan.contest.openings)
    if rounds > openings:
        warnings.append(
            f"{openings} openings for {rounds} rounds: they are repeated; bluekrait openings makes more"
        )
    if plan.cluster is not None:
        with connected(plan.cluster):  # before files are begun, or earlier games deleted
            pass
    return MatchSession(plan, warnings)


def _is_given(options: argparse.Namespace, name: str) -> bool:
    return getattr(options, name.replace("-", "_")) is not None


def check_outputs(games: Iterable[str | Path], options: argparse.Namespace) -> None:
    """ValueError if the report or the plot cannot be written, or would replace games or another page."""
    check_writable((options.report, options.plot))
    for path in games:
        check_targets(path, options.report, options.plot)
    if options.plot:
        check_picture(options.plot)
    if options.report:
        check_page(options.report)


def _write_reports(plan: MatchPlan, options: argparse.Namespace) -> None:
    """Write the report and the plot if asked for."""
    if options.report:
        write_report(plan.pgn, options.report, plan.bounds)
    if options.plot:
        write_plot(plan.pgn, options.plot, plan.bounds)
