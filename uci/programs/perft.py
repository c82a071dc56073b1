"""`bluekrait perft`: count the leaves of the tree of legal moves, and say how fast that was."""

import argparse
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from bluekrait.core.generators.registry import GENERATORS, LIVE, load_perft
from bluekrait.core.timer import monotonic
from bluekrait.uci.exits import INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail
from bluekrait.uci.options.option_table import find_option, parse_value
from bluekrait.uci.output import write
from bluekrait.uci.programs.warmup import LoadError, load_with_progress
from bluekrait.uci.progress import ProgressLine
from bluekrait.uci.protocol.commands import parse_perft_depth

LONGEST_WAIT = 1.0  # seconds: an interrupt in the very moment in which a wait begins is noticed when it ends
PROGRAM = "bluekrait perft"
EXAMPLES = """\
examples:
  bluekrait perft 6
  bluekrait perft 5 --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
  bluekrait perft 7 --threads 2 --hash 256
  bluekrait perft 6 --generator dirgolem
  bluekrait perft 10 --cluster tcp://192.168.1.10:8786 --journal ten.jsonl
"""


def main(arguments):
    """Parse the arguments, count, print; the exit code."""
    try:
        wishes = parsed(arguments)
    except SystemExit as leaving:
        sys.stdout.flush()
        return leaving.code
    if wishes.journal is not None or wishes.split is not None:
        return fail("--journal and --split are for a count with --cluster", WRONG_ARGUMENTS, PROGRAM)
    try:
        engine = load_with_progress()
        engine.set_position(wishes.fen, [])
        wishes.generator = _load_generator(wishes.generator)
        return _count_and_print(engine, wishes)
    except (LoadError, ValueError) as error:  # ValueError: a bad FEN, or no room for the hash table
        return fail(error, program=PROGRAM)


def parsed(arguments):
    """What the command line says."""
    known = parser()
    wishes = known.parse_args(arguments)
    if wishes.generator != LIVE and (wishes.threads > 1 or wishes.hash or wishes.cluster):
        known.error(f"--threads, --hash and --cluster work with the generator {LIVE} only")
    return wishes


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(WRONG_ARGUMENTS, f"{self.prog}: {message}, see {self.prog} --help\n")


def parser():
    """What the command line may say."""
    parser = _Parser(
        prog=PROGRAM,
        description="Count the positions that can be reached in exactly N half-moves.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("depth", metavar="N", type=_checked(parse_perft_depth), help="depth in half-moves")
    parser.add_argument("--fen", help="where to begin, if not at the start position")
    _add_option(parser, "--threads", "T", "Threads")
    _add_option(parser, "--hash", "MB", "PerftHash")
    parser.add_argument(
        "--generator",
        choices=(LIVE, *GENERATORS),
        default=LIVE,
        help=f"whose moves to count: the engine's own (default {LIVE}), or another generator's, one thread",
    )
    parser.add_argument("--divide", action="store_true", help="print the count below each first move too")
    cluster = parser.add_argument_group("on many machines, see docs/laboratory/cluster.md")
    cluster.add_argument(
        "--cluster", metavar="ADDRESS", help="let the workers of the Dask scheduler at that address count"
    )
    cluster.add_argument("--journal", metavar="FILE", help="keep what is counted, to go on where it was")
    explanation = "plies below which a subtree is a piece of work, 1 to 5 (default 3; 4 from depth 10 on)"
    cluster.add_argument("--split", metavar="PLIES", type=int, choices=range(1, 6), help=explanation)
    return parser


def _add_option(parser, flag, metavar, name):
    """An argument that is checked and explained by the UCI option of that name."""
    option = find_option(name)
    parse = _checked(lambda text: parse_value(option, text))
    explanation = f"{option.help} (default {option.default})"
    parser.add_argument(flag, metavar=metavar, type=parse, default=option.default, help=explanation)


def _checked(parse):
    """Let argparse print what `parse` has to say about a wrong value."""

    def parse_argument(text):
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse_argument


def _load_generator(name):
    """Another generator's perft, None for the engine's own. Its compiler runs before the clock does."""
    if name == LIVE:
        return None
    line = ProgressLine()
    line.show(f"loading the generator {name}; the first time, it is compiled")
    try:
        return load_perft(name)
    except Exception as error:
        raise LoadError(f"the generator {name} cannot be loaded: {type(error).__name__}: {error}") from error
    finally:
        line.clear()


def _count_and_print(engine, wishes):
    line = ProgressLine(delay=1.0)
    result, is_interrupted = _count(engine, wishes, line)
    line.clear()
    if wishes.divide:
        write("")
    write(summary(wishes.depth, result))
    return INTERRUPTED if is_interrupted else SUCCESS


def _count(engine, wishes, line):
    """The result, and whether Ctrl-C cut it short. A thread counts, so that this one can hear Ctrl-C."""
    results = SimpleQueue()
    Thread(target=_report, args=(results, engine, wishes, line), daemon=True).start()
    try:
        return _taken(results), False
    except KeyboardInterrupt:
        engine.stop()
        return _taken(results), True


def _report(results, engine, wishes, line):
    try:
        results.put((_perft(engine, wishes, line), None))
    except Exception as error:
        results.put((None, error))


def _taken(results):
    while True:
        with suppress(Empty):
            result, error = results.get(timeout=LONGEST_WAIT)
            if error:
                raise error
            return result


def _perft(engine, wishes, line):
    begin = monotonic()
    return engine.perft(
        wishes.depth,
        threads=wishes.threads,
        hash_mb=wishes.hash,
        generator=wishes.generator,
        on_move=_divider(engine, line) if wishes.divide else None,
        on_progress=lambda nodes, fraction: line.show(progress_text(nodes, fraction, monotonic() - begin)),
    )


def _divider(engine, line):
    from bluekrait.uci.printing import root_count_text

    def print_move(move, nodes):
        line.clear()
        write(root_count_text(engine, move, nodes))

    return print_move


def progress_text(nodes, fraction, seconds):
    """How far a count is."""
    return f"{fraction:4.0%}  {nodes} nodes  {_speed(nodes, seconds)}  {seconds:.0f} s"


def summary(depth, result):
    """What a count found."""
    what = f"perft {depth}" if result.complete else f"perft {depth} interrupted"
    return f"{what}: {result.nodes} nodes in {result.seconds:.3f} s, {_speed(result.nodes, result.seconds)}"


def _speed(nodes, seconds):
    return f"{nodes / max(seconds, 1e-6) / 1e6:.1f} Mnps"
