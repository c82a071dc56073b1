"""`bluekrait analyse`: annotate the games of a PGN file, or solve a suite of test positions."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bluekrait.search.library.arguments import MOST_SECONDS
from bluekrait.tools.analyst.analyse_games import Job, analyse_games
from bluekrait.tools.analyst.analyse_suite import SuiteJob, analyse_suite
from bluekrait.tools.analyst.game_search import Limit
from bluekrait.tools.analyst.own_outputs import check_outputs
from bluekrait.tools.analyst.played_game import NO_GAME, read_game
from bluekrait.tools.analyst.suite import table
from bluekrait.tools.common.command_line import Parser, at_least_one, positive
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.descriptors import is_standard_output, output_path
from bluekrait.tools.common.files.journal_place import journal_place
from bluekrait.tools.common.files.json_journal import journal_beside
from bluekrait.tools.common.files.ordinary_file import check_ordinary
from bluekrait.tools.common.files.whole_file import check_targets, check_writable, is_replaced
from bluekrait.tools.common.pgn_splitter import games_in
from bluekrait.tools.common.processors import usable_processors
from bluekrait.uci.exits import FAILED, SUCCESS, tell
from bluekrait.uci.progress import count_text
from bluekrait.uci.streams.output import write

PROGRAM = "bluekrait analyse"
GAME_NODES = 100_000  # a position
SUITE_SECONDS = 1.0

EXAMPLES = """\
examples:
  write games.annotated.pgn: scores, better lines, marks for lost chances, accuracy of the players
    bluekrait analyse games.pgn
  and a page with a board to step through the games; it needs no other file
    bluekrait analyse games.pgn -o annotated.pgn --html report.html --nodes 500000
  a suite of test positions: what is solved, at which depth, and after how long
    bluekrait analyse suite.epd --seconds 1

A move is marked ?! if it loses 8 % of the chances, ? for 16 %, ?? for 30 %. What was found is kept in a
journal beside the output, or beside the suite, until the work is done; so the same command goes on after
an interruption.

exit code: 0 done, 1 some games or positions were left out, or the disk is full,
2 wrong arguments or nothing to analyse
"""


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Analyse a file; the exit code."""
    options = _parser().parse_args(arguments)
    path = Path(options.file)
    if path.is_dir():
        raise ValueError(f"{path} is a folder")
    if not path.exists():
        raise ValueError(f"there is no {path}")
    check_ordinary(path)
    if path.suffix.lower() == ".epd":
        return _suite(path, options)
    return _games(path, options)


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Annotate the games of a PGN file on all processors, or solve a suite of test positions.",
        epilog=EXAMPLES,
    )
    parser.add_argument("file", metavar="GAMES.pgn|SUITE.epd", help="what to analyse")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the annotated games (GAMES.annotated.pgn); - is standard output",
    )
    parser.add_argument("--html", metavar="FILE", help="also write a page that shows the games")
    limit = parser.add_mutually_exclusive_group()
    nodes = f"positions to search for each position ({GAME_NODES} in games)"
    limit.add_argument("--nodes", type=at_least_one, metavar="N", help=nodes)
    seconds = f"or seconds for each ({SUITE_SECONDS:g} in suites)"
    limit.add_argument("--seconds", type=partial(positive, most=MOST_SECONDS), metavar="S", help=seconds)
    limit.add_argument("--depth", type=at_least_one, metavar="N", help="or half-moves to search ahead")
    threads = "positions that are searched at the same time, one on each processor (all)"
    parser.add_argument("--threads", type=at_least_one, metavar="N", help=threads)
    cluster = "search on the workers of the Dask scheduler at this address"
    parser.add_argument("--cluster", metavar="ADDRESS", help=cluster)
    return parser


def _limit(options: argparse.Namespace, default: Limit) -> Limit:
    given = Limit(options.nodes, options.seconds, options.depth)
    return given if any(given) else default


def _processes(options: argparse.Namespace) -> int:
    return options.threads or len(usable_processors())


def _complain(line: str) -> None:
    tell(f"{PROGRAM}: {line}")


def _journal(path: Path) -> Path:
    """Where the journal of the work on a file is kept; if that is not beside the file, this is told."""
    journal = journal_place(path)
    if journal != journal_beside(path):
        _complain(
            f"nothing can be written beside {path}: what is found is kept in {journal} until the work is done"
        )
    return journal


@contextmanager
def _interruption_told(journal: Path) -> Iterator[None]:
    """A block after whose interruption a line says what is kept."""
    try:
        yield
    except KeyboardInterrupt:
        if journal.exists():
            _complain(f"interrupted. The same command continues; what was found is in {journal}")
        raise


# --- games --------------------------------------------------------------------------------------------


def _games(path: Path, options: argparse.Namespace) -> int:
    beside = path.with_suffix(".annotated.pgn")
    output = output_path(options.output) if options.output else beside
    page = output_path(options.html) if options.html else None
    check_targets(path, output, page)
    check_writable([str(file) for file in (output, page) if file])
    check_outputs(output, page)
    _check_games(path)
    limit = _limit(options, Limit(nodes=GAME_NODES))
    journal = _journal(output if is_replaced(output) else beside)
    check_targets(journal, output, page)
    job = Job(path, output, page, journal, limit, _processes(options), options.cluster)
    with _interruption_told(journal):
        summary = analyse_games(job, _complain)
    left_out = f", {_left_out_text(summary.left_out)}" if summary.left_out else ""
    is_printed = is_standard_output(output) or is_standard_output(page)
    report = tell if is_printed else print
    games, moves = count_text(summary.games, "game"), count_text(summary.moves, "move")
    report(f"{output}: {games}, {moves}{left_out}")
    if page:
        report(str(page))
    return FAILED if summary.left_out else SUCCESS


def _left_out_text(games: int) -> str:
    return "1 left as it was" if games == 1 else f"{games} left as they were"


def _check_games(path: Path) -> None:
    """ValueError if a file has no game that can be analysed."""
    reason = None
    with open(path, "rb") as file:
        for text in games_in(file):
            problem = read_game(text).problem
            if not problem:
                return
            if problem != NO_GAME:
                reason = reason or f"no game in it can be analysed; that at line {text.line}: {problem}"
    raise ValueError(f"{path}: {reason or 'there is no game in it'}")


# --- suites -------------------------------------------------------------------------------------------


def _suite(path: Path, options: argparse.Namespace) -> int:
    if options.output or options.html:
        raise ValueError("a suite is printed: --output and --html are for games")
    limit = _limit(options, Limit(seconds=SUITE_SECONDS))
    journal = _journal(path)
    with _interruption_told(journal):
        solved = analyse_suite(
            SuiteJob(path, limit, journal, _processes(options), options.cluster), _complain
        )
        write(table(solved.tasks, solved.answers))
    journal.unlink(missing_ok=True)
    return FAILED if solved.left_out else SUCCESS


if __name__ == "__main__":
    sys.exit(main())
