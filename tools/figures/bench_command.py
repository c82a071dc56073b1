"""`bluekrait bench --...` and `make bench`: the project's own figures in one table.

Candidates take turns in one run, so that a machine that is slow for a minute is slow for all of them. Every
figure is the median of several rounds. Nothing else should run meanwhile.

`bluekrait bench` without options is the engine's own command, whose nodes identify how it plays.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bluekrait.tools.common.command_line import Parser, add_number, file_to_write
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.whole_file import check_targets, check_writable
from bluekrait.tools.common.pictures import check_picture
from bluekrait.tools.figures import trend
from bluekrait.tools.figures.clocking import clock_figures
from bluekrait.tools.figures.counting import hash_figures, perft_figures, thread_figures
from bluekrait.tools.figures.figure import Figure, MissingNeed, Unmeasurable
from bluekrait.tools.figures.library import library_figures
from bluekrait.tools.figures.page import page_figures
from bluekrait.tools.figures.searching import search_figures
from bluekrait.tools.figures.starting import compile_figures, start_figures
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, fail, tell
from bluekrait.uci.streams.output import write

PROGRAM = "bluekrait bench"
ROUNDS = 7
FAMILIES = {
    "perft": perft_figures,
    "threads": thread_figures,
    "hash": hash_figures,
    "search": search_figures,
    "library": library_figures,
    "page": page_figures,
    "start": start_figures,
    "compile": compile_figures,
    "clock": clock_figures,
}

EXAMPLES = """\
some figures need more than the extra [tools], and are left out otherwise:
  page     playwright, Chromium, and the extra [play]
  threads  two cores
  perft    a processor with PEXT (for the prototype), or Stockfish, to be compared with

two commands have this name:
  bluekrait bench [DEPTH [THREADS [HASH]]]
    the engine's own: search a set of positions; the nodes identify how it plays
    (four words and more have Stockfish's order: HASH THREADS LIMIT FILE ...)
  bluekrait bench --OPTION ...
    this one: how fast it is, against itself, its first prototype and an installed Stockfish

examples:
  all figures, which takes some minutes
    bluekrait bench --rounds 7
  the search only, quickly
    bluekrait bench --only search --rounds 3
  add a line for this commit to a file, and draw how the figures changed
    bluekrait bench --json figures.jsonl --plot trends.svg
  draw only
    bluekrait bench --from figures.jsonl --plot trends.svg
"""


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the table, and keep and draw it where asked; the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return _draw(options) if options.kept else _measure(options)
    except (Unmeasurable, subprocess.CalledProcessError) as error:
        return fail(error, FAILED, PROGRAM)


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Measure the engine's figures and print them beside their floors and aims.",
        epilog=EXAMPLES,
    )
    add_number(parser, "--rounds", ROUNDS, "rounds to take the median of")
    names = ", ".join(FAMILIES)
    some = f"some of: {names}"
    parser.add_argument("--only", action="extend", nargs="+", choices=FAMILIES, metavar="WHAT", help=some)
    parser.add_argument("--engine", metavar="FILE", help="the executable to start (this package)")
    kept = "add the figures to that file, a line a measurement"
    parser.add_argument("--json", type=file_to_write, metavar="FILE", help=kept)
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the figures of all commits in the --json file (.png, .svg, .pdf)"
    )
    parser.add_argument("--from", dest="kept", metavar="FILE", help="measure nothing, take a --json file")
    return parser


def _measure(options: argparse.Namespace) -> int:
    """Measure, print, keep and draw; what was measured before an interruption is not lost."""
    if options.plot and not options.json:
        raise ValueError("--plot draws what is kept: say --json FILE too, or --from FILE")
    if options.plot:
        check_targets(options.json, options.plot)
        check_picture(options.plot)
    if options.json and os.path.exists(options.json) and os.path.getsize(options.json):
        trend.read(options.json)
    check_writable([options.json])
    figures, code = [], SUCCESS
    try:
        for figure in measured(options):
            figures.append(figure)
            tell(f"measured {figure.name}: {figure.text()}")
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:  # also if a family fails
        if figures:
            _keep(figures, options.json)
    if not figures:
        return code or FAILED
    if options.plot and not code:
        trend.draw(trend.read(options.json), options.plot)
    return code


def _draw(options: argparse.Namespace) -> int:
    """Draw what was kept, and print the last of it."""
    if options.json or options.only or options.engine:
        raise ValueError("--from measures nothing: it goes with --plot only")
    measurements = trend.read(options.kept)
    if options.plot:
        check_targets(options.kept, options.plot)
        check_picture(options.plot)
        trend.draw(measurements, options.plot)
    last = measurements[-1]
    write(f"commit {last.commit}, {last.date}")
    write(table(last.figures, last.machine))
    return SUCCESS


def _keep(figures: Sequence[Figure], path: str | None) -> None:
    """Add figures to a file, if there is one, and print them, also if they could not be added."""
    try:
        if path:
            trend.append(path, figures)
    finally:
        write(table(figures))


def measured(options: argparse.Namespace) -> Iterator[Figure]:
    """The figures that are wanted, one by one; families that need what is not here are told and left out."""
    engine = [options.engine] if options.engine else [sys.executable, "-m", "bluekrait.uci"]
    for name in dict.fromkeys(options.only or FAMILIES):
        try:
            yield from FAMILIES[name](options.rounds, engine)
        except MissingNeed as need:
            tell(f"{name}: not measured, it needs {need}")


def table(figures: Iterable[Figure], machine: Mapping[str, object] | None = None) -> str:
    """The figures as Markdown, for the README."""
    rows = [("figure", "measured", "at least", "aim", "reached", "that is")]
    for figure in figures:
        floor, aim = (f"{number:g} {figure.unit}" for number in (figure.floor, figure.aim))
        rows.append((figure.name, figure.text(), floor, aim, figure.verdict(), figure.note))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    where = ", ".join(f"{key} {value}" for key, value in (machine or trend.machine()).items())
    return f"{where}\n\n" + "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
