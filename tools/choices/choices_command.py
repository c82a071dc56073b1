"""`bluekrait choices`: which engine chooses the better moves, judged by another one.

Games of long searches take days. To judge single moves takes an hour: where all engines choose the same move,
nothing has to be judged.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bluekrait.tools.choices.asking import Answer, Question
from bluekrait.tools.choices.comparison import Verdict, compare
from bluekrait.tools.choices.kept_answers import KeptAnswers
from bluekrait.tools.choices.positions import read_positions
from bluekrait.tools.common.command_line import Parser, add_number, add_processes, file_to_write, whole_number
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.match.runner.engine_check import check_engines
from bluekrait.tools.match.setup.engine_spec import (
    EngineSpec,
    parse_common,
    parse_engine,
    split_words,
    with_distinct_names,
    words_of_all,
)
from bluekrait.tools.statistics.summary import signed
from bluekrait.uci.exits import SUCCESS, tell
from bluekrait.uci.progress import ProgressLine
from bluekrait.uci.streams.output import write

PROGRAM = "bluekrait choices"
JOURNAL = "choices.jsonl"
LIMIT, JUDGE_LIMIT = "nodes=100000", "nodes=400000"
THOUSANDTHS = 1000

EXAMPLES = f"""\
engines: a program, then key=value words as for bluekrait match. Without nodes=, depth= or st= an engine has
{LIMIT}, the judge {JUDGE_LIMIT}. It should be stronger than those that it judges.

examples:
  is another network better in searches of 100 000 nodes?
    bluekrait choices games.pgn --engine bluekrait --engine "bluekrait option.EvalFile=new.bknn"
        --judge stockfish
  what are twice as many nodes worth? and another engine with as many?
    bluekrait choices positions.epd --engine bluekrait --engine "bluekrait nodes=200000" --engine ./other
        --judge stockfish

All answers are kept in a journal. Interrupted? The same command continues; another command asks only what is
not in it yet.

exit code: 0 all is judged, 1 an engine failed, or the disk is full, 2 wrong arguments, 130 Ctrl-C
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the choices of engines; the exit code."""
    parser = Parser(
        prog=PROGRAM,
        usage="%(prog)s POSITIONS --engine PROGRAM --engine PROGRAM --judge PROGRAM [options]",
        description="Let engines choose a move in many positions. Where one differs from the first engine, a "
        "judge that sees further scores both moves. Tells by how many thousandths of a point a move it "
        "chooses better than the first.",
        epilog=EXAMPLES,
    )
    add = parser.add_argument
    add("positions", metavar="POSITIONS", help="lines of EPD or FEN, or games in a PGN file")
    add("--engine", action="append", nargs="+", default=[], metavar="WORD", help="an engine, two or more")
    add("--judge", nargs="+", required=True, metavar="WORD", help="the engine that scores the moves")
    each = "words for all engines but the judge"
    add("--each", action="append", nargs="+", default=[], metavar="WORD", help=each)
    add_number(parser, "--count", 2000, "positions, at most")
    add(
        "--seed",
        type=whole_number,
        default=1,
        metavar="N",
        help="another seed, other positions (%(default)s)",
    )
    kept = "file that keeps all answers (%(default)s)"
    add("--journal", type=file_to_write, default=JOURNAL, metavar="FILE", help=kept)
    add_processes(parser)
    return run(parser.parse_args(sys.argv[1:] if arguments is None else arguments))


@with_errors_reported(PROGRAM, continues=True)
def run(options: argparse.Namespace) -> int:
    """Ask, judge and print; the exit code."""
    shared = parse_common(words_of_all(options.each))
    engines = with_distinct_names(engine_of(words, shared, LIMIT) for words in options.engine)
    if len(engines) < 2:
        raise ValueError("two engines are needed: --engine PROGRAM --engine PROGRAM")
    judge = engine_of(options.judge, (), JUDGE_LIMIT)
    fens = read_positions(options.positions, options.count, options.seed)
    for warning in check_engines((*engines, judge)):
        tell(f"{PROGRAM}: {warning}")
    line = ProgressLine()
    with KeptAnswers(Path(options.journal)) as kept:

        def ask(engine: EngineSpec, questions: Sequence[Question]) -> list[Answer]:
            doing = "judges" if engine is judge else "chooses"

            def show(done: int) -> None:
                line.show(f"{engine.name} {doing}: {done} of {len(questions)} moves")

            return kept.ask(engine, questions, options.processes, show)

        try:
            verdicts = compare(engines, judge, fens, ask)
        finally:
            line.clear()
    write("\n".join(table(verdicts, engines[0].name, len(fens))))
    return SUCCESS


def engine_of(words: Sequence[str], shared: Sequence[str], limit: str) -> EngineSpec:
    """The engine that some words describe, with a limit if it has none. ValueError if it has a clock."""
    engine = parse_engine(split_words(words), shared)
    if engine.time.seconds:
        raise ValueError(f"{engine.name}: a single position has no clock; use nodes=, depth= or st=")
    return engine if engine.time.is_limited else parse_engine(split_words(words), (*shared, limit))


def table(verdicts: Sequence[Verdict], first: str, positions: int) -> list[str]:
    """The result, for people."""
    rows = [("", "other moves", f"better than {first}, in thousandths of a point a move")]
    for name, differing, *gain_and_error in verdicts:
        gain, error = (THOUSANDTHS * number for number in gain_and_error)
        rows.append((name, f"{differing} of {positions}", f"{signed(gain, 2)} +/- {error:.2f}"))
    widths = [max(map(len, column)) for column in list(zip(*rows))[:2]]
    return [f"{name:{widths[0]}}  {differing:{widths[1]}}  {gain}" for name, differing, gain in rows]
