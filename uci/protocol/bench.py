"""`bench` and `speedtest`: how many nodes the search needs, and how fast it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bluekrait.search.bench_positions import BENCH_POSITIONS, GAME
from bluekrait.search.limits import Limits, Settings
from bluekrait.uci.numbers import parse_whole
from bluekrait.uci.option_effects import set_option
from bluekrait.uci.options.option_kinds import Spin
from bluekrait.uci.options.option_table import CLASSICAL, NETWORK, find_option, parse_value
from bluekrait.uci.printing import move_text
from bluekrait.uci.progress import count_text
from bluekrait.uci.protocol.info import per_second
from bluekrait.uci.protocol.position_file import read_positions

if TYPE_CHECKING:
    from bluekrait.search.engine import Engine
    from bluekrait.search.reports import Line
    from bluekrait.uci.session import Session

BENCH_DEPTH = 13
MOST_DEPTH = 100
MOST_NODES = 10**12
STOCKFISHS_WORDS = 4  # from so many on, they are in its order; in ours there are at most three
MOST_WORDS = 6  # in its order
PLIES_BETWEEN = 4  # two searches of `speedtest`
SPEEDTEST_SECONDS = 30
MOST_SECONDS = 3600
LIMIT_KINDS = {  # words for the kind of a limit, its name in `Limits`, and its highest value
    "depth": ("depth", MOST_DEPTH),
    "nodes": ("nodes", MOST_NODES),
    "movetime": ("move_time", 1000 * MOST_SECONDS),
}
EVALUATION_WORDS = {"mixed": None, "classical": CLASSICAL, "NNUE": NETWORK}  # None: that of the options
NO_OVERHEAD = Settings(move_overhead=0)  # the moves are not sent to anyone

Item = TypeVar("Item")
NumberReader = Callable[[str | None], int]  # the number in a word, or the default if there is no word


class BenchResult(NamedTuple):
    """The result of one search."""

    move: int
    nodes: int
    seconds: float
    depth: int
    hash_permille: int


class BenchOrder(NamedTuple):
    """What a `bench` is to do."""

    limit: str  # in words: depth 13
    limits: Limits
    threads: int
    megabytes: int
    fens: Sequence[str]
    evaluation: str | None = None  # None for that of the options


def bench(session: Session, words: list[str]) -> None:
    """Search every position of the benchmark with the same limit. The last line has node count and speed.

    With a depth, and one thread, the node count is the same on every machine: it identifies how the search
    plays.
    """
    order = _in_stockfishs_form(session, words) if len(words) >= STOCKFISHS_WORDS else _in_our_form(words)
    threads, megabytes, fens = order.threads, order.megabytes, order.fens
    measured = []
    with _evaluating(session, order.evaluation):
        work = f"{count_text(threads, 'thread')}, {megabytes} MB, {count_text(len(fens), 'position')}"
        session.say(f"{order.limit}, {work}")
        for number, fen in enumerate(with_new_engine(session, threads, megabytes, fens), 1):
            session.engine.set_position(fen, [])
            latest = measure(session.engine, order.limits, session.forward_to_engine)
            measured.append(latest)
            session.say(f"{number:2} {latest.nodes:9} {move_text(session.engine, latest.move):5} {fen}")
    session.say(_total(measured))


def _in_our_form(words: list[str]) -> BenchOrder:
    """What `bench [depth] [threads] [hash]` asks for."""
    readers = (_number("depth", BENCH_DEPTH, MOST_DEPTH), _option("Threads"), _option("Hash"))
    depth, threads, megabytes = _parse(words, readers)
    return BenchOrder(f"depth {depth}", Limits(depth=depth), threads, megabytes, BENCH_POSITIONS)


def _in_stockfishs_form(session: Session, words: list[str]) -> BenchOrder:
    """What `bench <hash> <threads> <limit> <file> [depth|nodes|movetime] [mixed|classical|NNUE]` asks for.

    The file may be `default` or `current`, too.
    """
    if len(words) > MOST_WORDS:
        raise ValueError(f"unexpected: {' '.join(words[MOST_WORDS:])[:60]}")
    kind = words[4] if len(words) > 4 else "depth"
    evaluation = words[5] if len(words) > 5 else "mixed"
    field, most = _known(kind, LIMIT_KINDS)
    readers = (_option("Hash"), _option("Threads"), _number(kind, BENCH_DEPTH, most))
    megabytes, threads, limit = _parse(words[:3], readers)
    return BenchOrder(
        f"{kind} {limit}",
        Limits(**{field: limit}),  # type: ignore[arg-type]
        threads,
        megabytes,
        _positions(session, words[3]),
        _known(evaluation, EVALUATION_WORDS),
    )


def _positions(session: Session, name: str) -> Sequence[str]:
    """The FENs that a word names: those of the benchmark, the present position, or the lines of a file."""
    if name == "default":
        return BENCH_POSITIONS
    if name == "current":
        return [session.engine.describe().fen]
    return read_positions(name)


def speedtest(session: Session, words: list[str]) -> None:
    """Search positions of one game, in their order, for so many seconds, and print a table of the speed."""
    readers = (_option("Threads"), _option("Hash"), _number("seconds", SPEEDTEST_SECONDS, MOST_SECONDS))
    threads, megabytes, seconds = _parse(words, readers)
    moves = GAME.split()
    stops = range(0, len(moves), PLIES_BETWEEN)
    limits = Limits(move_time=1000 * seconds // len(stops))
    session.say(
        f"{count_text(threads, 'thread')}, {megabytes} MB, {seconds} s\n"
        " ply  depth  hashfull        nodes        nps"
    )
    measured = []
    for ply in with_new_engine(session, threads, megabytes, stops):
        session.engine.set_position(None, moves[:ply])
        latest = measure(session.engine, limits, session.forward_to_engine)
        measured.append(latest)
        speed = per_second(latest.nodes, latest.seconds)
        session.say(f"{ply:4} {latest.depth:6} {latest.hash_permille:9} {latest.nodes:12} {speed:10}")
    session.say(_total(measured))


# The words after the name.


def _known(word: str, meanings: Mapping[str, Item]) -> Item:
    """What a word means, which is one of these."""
    if word not in meanings:
        raise ValueError(f"bench: expected {', '.join(meanings)}, not {word[:40]!r}")
    return meanings[word]


def _parse(words: list[str], readers: tuple[NumberReader, ...]) -> list[int]:
    """The values of the words, in the order of the readers; the default where there is no word."""
    if len(words) > len(readers):
        raise ValueError(f"expected at most {len(readers)} numbers")
    return [reader(words[at] if at < len(words) else None) for at, reader in enumerate(readers)]


def _number(name: str, default: int, highest: int) -> NumberReader:
    def read(text: str | None) -> int:
        try:
            return default if text is None else parse_whole(text, 1, highest)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    return read


def _option(name: str) -> NumberReader:
    """A reader for a number that has the bounds and the default of a UCI option."""
    option = find_option(name)
    assert isinstance(option, Spin)

    def read(text: str | None) -> int:
        value = option.default if text is None else parse_value(option, text)
        assert isinstance(value, int)
        return value

    return read


# The searches.


@contextmanager
def _evaluating(session: Session, name: str | None) -> Iterator[None]:
    """Search with this evaluation, None for that of the options, which is used again afterwards."""
    if name is None:
        yield
        return
    option, usual = find_option("Evaluation"), session.options.text("Evaluation")
    set_option(session, option, name)
    try:
        yield
    finally:
        set_option(session, option, usual)


def with_new_engine(session: Session, threads: int, megabytes: int, items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items one after another, up to a `stop`, with an engine as after its start.

    Afterwards the engine has its options and its position again, and nothing in its memory.
    """
    engine, options = session.engine, session.options
    game = engine.game, engine.position
    try:
        engine.set_hash(megabytes)
        engine.set_threads(threads)
        engine.new_game()
        for item in items:
            if session.command.is_stopped():
                break
            yield item
    finally:
        engine.set_hash(options.number("Hash"))
        engine.set_threads(options.number("Threads"))
        engine.new_game()
        engine.set_game(*game)


def measure(engine: Engine, limits: Limits, on_start: Callable[[], None] | None = None) -> BenchResult:
    """Search the current position."""
    lines: deque[Line] = deque(maxlen=1)
    begin = perf_counter()
    choice = engine.go(limits, NO_OVERHEAD, on_line=lines.append, on_start=on_start)
    seconds = perf_counter() - begin
    if not lines:  # there was no time for a single iteration
        return BenchResult(choice.move, 0, seconds, 0, 0)
    last = lines.pop()
    return BenchResult(choice.move, last.nodes, seconds, last.depth, last.hash_permille)


def _total(measured: list[BenchResult]) -> str:
    nodes = sum(one.nodes for one in measured)
    seconds = sum(one.seconds for one in measured)
    return f"{nodes} nodes {per_second(nodes, seconds)} nps"
