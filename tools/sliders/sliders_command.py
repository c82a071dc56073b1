"""`bluekrait sliders`: the gallery of slider techniques, measured side by side on one core.

`core.sliders.timing` and `slider_benchmark` describe what is measured, and how.
"""

import argparse
import contextlib
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bluekrait.core.compiler import processor
from bluekrait.core.sliders import gallery
from bluekrait.core.tables import table_block
from bluekrait.tools.common.command_line import Parser, add_number, file_to_write, whole_number
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.own_output import check_own
from bluekrait.tools.common.files.whole_file import check_writable, write_whole
from bluekrait.tools.common.pictures import check_picture
from bluekrait.tools.figures.figure import pin_to_one_core
from bluekrait.tools.figures.trend import machine
from bluekrait.tools.sliders.slider_figures import Figure
from bluekrait.tools.sliders.slider_report import ReportError, check_places, report, with_tour
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail
from bluekrait.uci.progress import ProgressLine
from bluekrait.uci.streams.output import write

if TYPE_CHECKING:
    from bluekrait.tools.sliders.slider_benchmark import Candidate  # which imports compiled code

PROGRAM = "bluekrait sliders"
OWN_FIGURES = re.compile(rb'"figures": \[\s')  # in what --json writes
NOT_EVERYWHERE = {"pext"}  # techniques that some processors cannot run

EXAMPLES = """\
examples:
  everything, half a minute once it is compiled
    bluekrait sliders
  three techniques, more precisely, against the same in C++
    bluekrait sliders --only kindergarten,fancy-magic,pext --rounds 31 --cpp
  the documentation's figures again
    bluekrait sliders --rounds 15 --cpp --json figures.json --markdown docs/sliders.md --plot docs/sliders.svg
  another picture of figures that were measured before
    bluekrait sliders --from figures.json --plot figures.png

BLUEKRAIT_SLIDERS=kindergarten bluekrait perft 5 has the engine itself use a technique.
"""


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and report; the exit code."""
    try:
        options = _parser().parse_args(arguments)
        names = _chosen(options.only)
        _check_reports(options, names)
        _check_files(options)
        if options.list:
            return _list(names)
        figures, where, code = _read_figures(options.source) if options.source else _measured(names, options)
        if options.markdown:
            _check_complete(figures)
        try:
            _write_files(figures, where, options)
        finally:  # also if the disk is full
            write(report(figures, where["technique"]))
        return code
    except (_WrongArguments, ReportError) as error:
        return fail(error, WRONG_ARGUMENTS, PROGRAM)
    except ValueError as error:  # no g++, or an environment variable that makes no sense
        return fail(error, FAILED, PROGRAM)


class _WrongArguments(Exception):
    """The message says what is wrong, in one line."""


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Measure how fast the techniques of the gallery find the attacks of sliding pieces, for "
        "random squares and occupancies and for sliders as they stand in games; and how fast bits are found "
        "and counted.",
        epilog=EXAMPLES,
    )
    parser.add_argument("--only", metavar="NAMES", help="these techniques, separated by commas")
    add_number(parser, "--rounds", 9, "rounds to take the median of")
    parser.add_argument(
        "--seed", type=whole_number, default=1, metavar="N", help="seed of the inputs (%(default)s)"
    )
    parser.add_argument("--cpp", action="store_true", help="compare with the same loops in C++; needs g++")
    parser.add_argument("--json", type=file_to_write, metavar="FILE", help="write the figures there")
    parser.add_argument("--plot", metavar="FILE", help="draw them (.png, .svg, .pdf)")
    parser.add_argument(
        "--markdown", metavar="FILE", help="write descriptions and figures between the markers of a document"
    )
    parser.add_argument(
        "--from", metavar="FILE", dest="source", help="report what --json wrote, and measure nothing"
    )
    parser.add_argument("--list", action="store_true", help="list the techniques and their inventors")
    return parser


def _chosen(text: str | None) -> Sequence[str]:
    """The names of techniques and scans that were asked for."""
    known = (*gallery.TECHNIQUES, *gallery.SCANS)
    names = [name.strip() for name in text.split(",")] if text else known
    for name in names:
        if name not in known:
            raise _WrongArguments(f"{name[:40]!r} is not in the gallery, which has {', '.join(known)}")
    return names


def _check_reports(options: argparse.Namespace, names: Sequence[str]) -> None:
    """Check that what is measured is enough for what is to be made of it."""
    if options.only and options.markdown:
        raise _WrongArguments("--markdown replaces the figures of all techniques: leave out --only")
    if options.plot and not options.source and not set(names) & set(gallery.TECHNIQUES):
        raise _WrongArguments("--plot draws the speed of techniques: name one in --only")


def _check_complete(figures: Sequence[Figure]) -> None:
    """Check that a document, which has figures of all techniques, loses none of them."""
    needed = (*gallery.TECHNIQUES, *gallery.SCANS)
    there = NOT_EVERYWHERE | {figure.name for figure in figures}
    missing = ", ".join(name for name in needed if name not in there)
    if missing:
        raise _WrongArguments(
            f"--markdown replaces the figures of all techniques: there are none of {missing}"
        )


def _check_files(options: argparse.Namespace) -> None:
    """Check the files before anything is measured."""
    for path in (options.json, options.plot, options.markdown):
        if path and not Path(path).absolute().parent.is_dir():
            raise _WrongArguments(f"{path}: there is no such directory")
    try:
        check_writable((options.json, options.markdown))
        if options.json:
            check_own(options.json, OWN_FIGURES)
        if options.plot:
            check_picture(options.plot)
    except ValueError as error:
        raise _WrongArguments(error) from None
    if options.markdown and not Path(options.markdown).is_file():
        raise _WrongArguments(f"{options.markdown}: no such file")
    if options.markdown:
        check_places(Path(options.markdown).read_text(encoding="utf-8"))


def _list(names: Sequence[str]) -> int:
    for name in names:
        opened = gallery.open_technique if name in gallery.TECHNIQUES else gallery.open_scan
        about = opened(name).ABOUT
        write(f"{name:18}{about.inventor}, {about.year}: {about.reference}")
    return SUCCESS


def _measured(
    names: Sequence[str], options: argparse.Namespace
) -> tuple[list[Figure], Mapping[str, Any], int]:
    """Figures, what they were measured on, and the exit code. Interrupted, what there is by then."""
    if processor.is_interpreted():
        raise ValueError("NUMBA_DISABLE_JIT is set: there is nothing to be measured")
    technique = table_block.technique()  # which may complain, in one line
    if options.only:
        _check_usable(names)
    from bluekrait.tools.sliders.slider_benchmark import Benchmark

    pin_to_one_core()
    line = ProgressLine()
    with contextlib.ExitStack() as stack:
        stack.callback(line.clear)
        benchmark = Benchmark(list(_candidates(names, options, stack, line)))
        benchmark.prepare(lambda who: line.show(f"compiling {who}"))
        code = SUCCESS
        try:
            for done in range(options.rounds):
                line.show(f"round {done + 1} of {options.rounds}")
                benchmark.run_round()
        except KeyboardInterrupt:
            if not benchmark.rounds_done:
                raise
            code = INTERRUPTED
        return list(benchmark.figures()), {**machine(), "technique": technique}, code


def _check_usable(names: Sequence[str]) -> None:
    """ValueError if this machine cannot run a technique that was asked for."""
    for name in names:
        if name in gallery.TECHNIQUES and name not in gallery.usable():
            raise ValueError(f"this processor cannot run {name}: leave it out of --only")


def _candidates(
    names: Sequence[str], options: argparse.Namespace, stack: contextlib.ExitStack, line: ProgressLine
) -> "Iterator[Candidate]":
    from bluekrait.tools.sliders.slider_benchmark import scan_candidates, technique_candidates
    from bluekrait.tools.sliders.slider_yardstick import Yardstick

    techniques = [name for name in gallery.usable() if name in names]
    line.show("preparing")
    if techniques:
        yield from technique_candidates(techniques, options.seed)
        if options.cpp:
            yardstick = Yardstick(options.seed)
            stack.callback(yardstick.close)
            yield from yardstick.candidates(techniques)
    yield from scan_candidates([name for name in gallery.SCANS if name in names], options.seed)


def _read_figures(path: str) -> tuple[list[Figure], Mapping[str, Any], int]:
    """The figures in a file that `--json` wrote."""
    try:
        content = json.loads(Path(path).read_bytes())
        figures, where = list(map(_figure_of, content["figures"])), dict(content["machine"])
        if not figures or not {"processor", "python", "technique"} <= set(where):
            raise ValueError("something is missing")
        return figures, where, SUCCESS
    except OSError as error:
        raise _WrongArguments(f"{path}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError):
        raise _WrongArguments(f"{path}: these are not figures of {PROGRAM}") from None


def _figure_of(fields: Mapping[str, Any]) -> Figure:
    """A figure as it was kept; TypeError or ValueError if it is none."""
    figure = Figure(**fields)
    if not all(isinstance(text, str) for text in (figure.section, figure.name, figure.made_in)):
        raise TypeError("names are texts")
    if not 0 < figure.millions < inf or not 0 < (figure.of_reference or 1) < inf:
        raise ValueError("speeds and ratios are positive")
    return figure


def _write_files(figures: Sequence[Figure], where: Mapping[str, Any], options: argparse.Namespace) -> None:
    live = where["technique"]
    if options.json:
        content = {"machine": where, "figures": [figure._asdict() for figure in figures]}
        write_whole(options.json, json.dumps(content, indent=1) + "\n")
    if options.markdown:
        document = Path(options.markdown)
        place = f"one core of a {where['processor']}, Python {where['python']}."
        write_whole(document, with_tour(document.read_text(encoding="utf-8"), figures, live, place))
    if options.plot:
        from bluekrait.tools.sliders.slider_plot import plot

        plot(figures, live, options.plot)


if __name__ == "__main__":
    sys.exit(main())
