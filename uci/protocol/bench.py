"""`bench` and `speedtest`: how much the search looks at, and how fast it is."""

from collections import deque
from time import perf_counter
from typing import NamedTuple

from bluekrait.search.bench_positions import BENCH_POSITIONS, GAME
from bluekrait.search.limits import Limits, Settings
from bluekrait.uci.numbers import parse_whole
from bluekrait.uci.options.option_table import find_option, parse_value
from bluekrait.uci.printing import move_text
from bluekrait.uci.protocol.info import per_second

BENCH_DEPTH = 13
DEEPEST = 100
PLIES_BETWEEN = 4  # two searches of `speedtest`
SPEEDTEST_SECONDS = 30
LONGEST = 3600
UNHURRIED = Settings(move_overhead=0)  # no move has to reach anybody in time


class Measurement(NamedTuple):
    """What a search came to."""

    move: int
    nodes: int
    seconds: float
    depth: int
    hash_permille: int


def bench(room, words):
    """Search every position of the benchmark to the same depth. The last line tells nodes and speed.

    The number of nodes identifies how the search plays: with one thread, it is the same everywhere.
    """
    readers = (_number("depth", BENCH_DEPTH, DEEPEST), _option("Threads"), _option("Hash"))
    depth, threads, megabytes = _parsed(words, readers)
    room.say(f"depth {depth}, {threads} threads, {megabytes} MB, {len(BENCH_POSITIONS)} positions")
    measured = []
    for number, fen in enumerate(as_new(room, threads, megabytes, BENCH_POSITIONS), 1):
        room.engine.set_position(fen, [])
        measured.append(measure(room, Limits(depth=depth)))
        latest = measured[-1]
        room.say(f"{number:2} {latest.nodes:9} {move_text(room.engine, latest.move):5} {fen}")
    room.say(_total(measured))


def speedtest(room, words):
    """Search positions of one game, in their order, for so many seconds, and print a table of the speed."""
    readers = (_option("Threads"), _option("Hash"), _number("seconds", SPEEDTEST_SECONDS, LONGEST))
    threads, megabytes, seconds = _parsed(words, readers)
    moves = GAME.split()
    stops = range(0, len(moves), PLIES_BETWEEN)
    limits = Limits(move_time=1000 * seconds // len(stops))
    room.say(f"{threads} threads, {megabytes} MB, {seconds} s\n ply  depth  hashfull        nodes        nps")
    measured = []
    for ply in as_new(room, threads, megabytes, stops):
        room.engine.set_position(None, moves[:ply])
        measured.append(measure(room, limits))
        latest = measured[-1]
        speed = per_second(latest.nodes, latest.seconds)
        room.say(f"{ply:4} {latest.depth:6} {latest.hash_permille:9} {latest.nodes:12} {speed:10}")
    room.say(_total(measured))


# What may be said behind the name.


def _parsed(words, readers):
    """The values of the words, in the order of the readers; the default where there is no word."""
    if len(words) > len(readers):
        raise ValueError(f"expected at most {len(readers)} numbers")
    return [reader(words[at] if at < len(words) else None) for at, reader in enumerate(readers)]


def _number(name, default, highest):
    def read(text):
        try:
            return default if text is None else parse_whole(text, 1, highest)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    return read


def _option(name):
    option = find_option(name)
    return lambda text: option.default if text is None else parse_value(option, text)


# The searches.


def as_new(room, threads, megabytes, positions):
    """The positions one after another, up to a `stop`, for an engine as new; in the end, it is so again."""
    engine, options = room.engine, room.options
    engine.set_hash(megabytes)
    engine.set_threads(threads)
    engine.new_game()
    try:
        for position in positions:
            if room.is_stopped():
                break
            yield position
    finally:
        engine.set_hash(options["Hash"])
        engine.set_threads(options["Threads"])
        engine.new_game()
        engine.set_position(None, [])


def measure(room, limits):
    """Search the current position."""
    lines = deque(maxlen=1)
    begin = perf_counter()
    choice = room.engine.go(limits, UNHURRIED, on_line=lines.append, on_start=room.heed)
    seconds = perf_counter() - begin
    if not lines:  # there was no time for a single iteration
        return Measurement(choice.move, 0, seconds, 0, 0)
    last = lines.pop()
    return Measurement(choice.move, last.nodes, seconds, last.depth, last.hash_permille)


def _total(measured):
    nodes = sum(one.nodes for one in measured)
    seconds = sum(one.seconds for one in measured)
    return f"{nodes} nodes {per_second(nodes, seconds)} nps"
