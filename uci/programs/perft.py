"""`bluekrait perft`: count the leaves of the tree of legal moves, and measure the speed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

from bluekrait.core.generators.registry import GENERATORS, LIVE, load_perft
from bluekrait.core.notation.fen import STARTING_FEN, needs_chess960, parse_fen
from bluekrait.core.timer import LONGEST_WAIT, monotonic
from bluekrait.uci.exits import INTERRUPTED, LOADING_ERRORS, SUCCESS, exit_code, fail
from bluekrait.uci.options.option_table import find_option, parse_value
from bluekrait.uci.programs.interrupts import interrupts_kept
from bluekrait.uci.programs.parser import Parser, file_to_write
from bluekrait.uci.programs.warmup import LoadError, load_with_progress
from bluekrait.uci.progress import ProgressLine
from bluekrait.uci.protocol.commands import parse_perft_depth
from bluekrait.uci.streams.output import write

if TYPE_CHECKING:
    from bluekrait.core.counting.gpu.gpu_perft import GpuPerft
    from bluekrait.core.counting.perft_threads import PerftResult
    from bluekrait.search.engine import Engine

CPU, GPU = "cpu", "gpu"
PROGRAM = "bluekrait perft"
EXAMPLES = """\
examples:
  bluekrait perft 6
  bluekrait perft 5 --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
  bluekrait perft 7 --threads 2 --hash 256
  bluekrait perft 6 --generator dirgolem
  bluekrait perft 9 --device gpu
  bluekrait perft 10 --threads 2 --hash 4096 --journal ten.jsonl
  bluekrait perft 10 --cluster tcp://192.168.1.10:8786 --journal ten.jsonl
"""


class PerftArguments(argparse.Namespace):
    """What the command line says."""

    depth: int
    fen: str | None
    threads: int
    hash: int
    generator: str
    device: str
    divide: bool
    cluster: str | None
    journal: str | None
    split: int | None


def main(arguments: list[str]) -> int:
    """Parse the arguments, count, print; the exit code."""
    try:
        parsed = parse_arguments(arguments)
    except SystemExit as leaving:
        return exit_code(leaving)
    try:
        if parsed.device == GPU:
            return _count_on_card(parsed)
        engine = load_with_progress()
        engine.set_position(parsed.fen, [])
        engine.chess960 = needs_chess960(engine.position.board)
        generator = _load_generator(parsed.generator)
        return _count_and_print(parsed, lambda line: _perft(engine, parsed, generator, line), engine.stop)
    except (LoadError, ValueError) as error:  # ValueError: no memory for the hash table
        return fail(error, program=PROGRAM)


def parse_arguments(arguments: list[str]) -> PerftArguments:
    """Parse the command line; SystemExit if it is wrong or asks for help."""
    parser = make_parser()
    parsed = parser.parse_args(arguments, namespace=PerftArguments())
    in_units = parsed.cluster or parsed.journal or parsed.split
    if parsed.generator != LIVE and (parsed.threads > 1 or parsed.hash or in_units):
        parser.error(f"all that makes counting quicker, and --journal, need the generator {LIVE}")
    if parsed.device == GPU and (parsed.threads > 1 or parsed.hash or parsed.generator != LIVE):
        parser.error(f"--device {GPU} works without --threads, --hash and --generator")
    if parsed.device == GPU and (in_units or parsed.divide):
        parser.error(f"--device {GPU} works without --cluster, --journal, --split and --divide")
    return parsed


def make_parser() -> Parser:
    """The parser of the command line."""
    parser = Parser(
        prog=PROGRAM,
        description="Count the sequences of exactly N half-moves, by the rules of chess.",
        epilog=EXAMPLES,
    )
    parser.add_argument("depth", metavar="N", type=_checked(parse_perft_depth), help="depth in half-moves")
    parser.add_argument(
        "--fen", type=_checked(_valid_fen), help="the position to begin from (default: the starting position)"
    )
    _add_option(parser, "--threads", "T", "Threads")
    _add_option(parser, "--hash", "MB", "PerftHash")
    parser.add_argument(
        "--generator",
        choices=(LIVE, *GENERATORS),
        default=LIVE,
        help=f"move generator to count with: the engine's own (default {LIVE}), or another, on one thread",
    )
    parser.add_argument(
        "--device",
        choices=(CPU, GPU),
        default=CPU,
        help=f"count on the processor (default {CPU}), or on a graphics card by NVIDIA, "
        'which needs pip install "bluekrait[gpu]"',
    )
    parser.add_argument("--divide", action="store_true", help="print the count below each first move too")
    cluster = parser.add_argument_group("unit by unit, also on many machines: see docs/laboratory/cluster.md")
    cluster.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="count with the workers of the Dask scheduler at this address; each has a hash table of its own",
    )
    kept = "write each result to this file; the same command continues from it"
    cluster.add_argument("--journal", metavar="FILE", type=file_to_write, help=kept)
    explanation = "cut the tree at this ply into units of work, 1 to 5 (default 3; 4 from depth 10 on)"
    cluster.add_argument("--split", metavar="PLIES", type=int, choices=range(1, 6), help=explanation)
    return parser


def _add_option(parser: argparse.ArgumentParser, flag: str, metavar: str, name: str) -> None:
    """An argument that is checked and explained by the UCI option of that name."""
    option = find_option(name)
    parse = _checked(lambda text: parse_value(option, text))
    explanation = f"{option.help} (default {option.default})"
    parser.add_argument(flag, metavar=metavar, type=parse, default=option.default, help=explanation)


def _valid_fen(text: str) -> str:
    parse_fen(text)
    return text


def _checked(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Let argparse print the error message of `parse`."""

    def parse_argument(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse_argument


@interrupts_kept()
def _load_generator(name: str) -> Any:
    """The perft of another generator, None for the engine's own. It is compiled before time is measured."""
    if name == LIVE:
        return None
    line = ProgressLine()
    line.show(f"loading the generator {name}; the first time, it is compiled")
    try:
        return load_perft(name)
    except LOADING_ERRORS as error:
        raise LoadError(f"the generator {name} cannot be loaded: {type(error).__name__}: {error}") from error
    finally:
        line.clear()


def _count_on_card(parsed: PerftArguments) -> int:
    """Count on a graphics card and print the result; the exit code."""
    position, card = parse_fen(parsed.fen or STARTING_FEN), _load_card()

    def count(line: ProgressLine) -> PerftResult:
        return card.run(position, parsed.depth, _progress_shower(line))

    return _count_and_print(parsed, count, card.stop)


@interrupts_kept()
def _load_card() -> GpuPerft:
    """The graphics card; LoadError if there is none, or no library for it."""
    try:
        from bluekrait.core.counting.gpu.gpu_perft import GpuPerft, NoCardError
    except ImportError as error:
        raise LoadError(
            f'--device {GPU} needs Numba with CUDA, pip install "bluekrait[gpu]": {error}'
        ) from error
    try:
        return GpuPerft()
    except NoCardError as error:
        raise LoadError(error) from error


def _count_and_print(
    parsed: PerftArguments, count: Callable[[ProgressLine], PerftResult], stop: Callable[[], object]
) -> int:
    line = ProgressLine(delay=1.0)
    result, is_interrupted = _count(lambda: count(line), stop)
    line.clear()
    if parsed.divide:
        write("")
    write(summary(parsed.depth, result))
    return INTERRUPTED if is_interrupted else SUCCESS


def _count(count: Callable[[], PerftResult], stop: Callable[[], object]) -> tuple[PerftResult, bool]:
    """The result, and whether Ctrl-C cut it short. A thread counts, so that this one notices Ctrl-C."""
    results: SimpleQueue[PerftResult | Exception] = SimpleQueue()

    def work() -> None:
        try:
            results.put(count())
        except Exception as error:
            results.put(error)

    Thread(target=work, daemon=True).start()
    try:
        return _result(results, lambda: None), False
    except KeyboardInterrupt:
        return _result(results, stop), True  # again and again, for the count may just be about to begin


def _result(
    results: SimpleQueue[PerftResult | Exception], while_waiting: Callable[[], object]
) -> PerftResult:
    """Wait for the result; an exception is raised here."""
    while True:
        while_waiting()
        with suppress(Empty):
            result = results.get(timeout=LONGEST_WAIT)
            if isinstance(result, Exception):
                raise result
            return result


def _perft(engine: Engine, parsed: PerftArguments, generator: Any, line: ProgressLine) -> PerftResult:
    return engine.perft(
        parsed.depth,
        threads=parsed.threads,
        hash_mb=parsed.hash,
        generator=generator,
        on_move=_divider(engine, line) if parsed.divide else None,
        on_progress=_progress_shower(line),
    )


def _progress_shower(line: ProgressLine) -> Callable[[int, float], None]:
    """What shows on a line how far a count is that begins now."""
    begin = monotonic()
    return lambda nodes, fraction: line.show(progress_text(nodes, fraction, monotonic() - begin))


def _divider(engine: Engine, line: ProgressLine) -> Callable[[int, int], None]:
    from bluekrait.uci.printing import root_count_text

    def print_move(move: int, nodes: int) -> None:
        line.clear()
        write(root_count_text(engine, move, nodes))

    return print_move


def progress_text(nodes: int, fraction: float, seconds: float, earlier: int = 0) -> str:
    """How far a count is; so many of the nodes were counted by an earlier process."""
    return f"{fraction:4.0%}  {nodes} nodes  {_speed(nodes - earlier, seconds)}  {seconds:.0f} s"


def summary(depth: int, result: PerftResult, earlier: int = 0) -> str:
    """The result of a count, as one line; so many of the nodes were counted by an earlier process."""
    what = f"perft {depth}" if result.complete else f"perft {depth} interrupted"
    nodes = f"{result.nodes} nodes" + (f" ({earlier} of them earlier)" if earlier else "")
    speed = _speed(result.nodes - earlier, result.seconds)
    return f"{what}: {nodes} in {result.seconds:.3f} s, {speed}"


def _speed(nodes: int, seconds: float) -> str:
    return f"{nodes / max(seconds, 1e-6) / 1e6:.1f} Mnps"
