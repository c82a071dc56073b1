"""How many nodes a second the search visits."""

from collections.abc import Iterator, Sequence
from statistics import median

from bluekrait.search.bench_positions import BENCH_POSITIONS
from bluekrait.search.engine import Engine, load_engine
from bluekrait.search.limits import Limits, Settings
from bluekrait.tools.figures.figure import CORES, Figure, ratio, rounds_of, use_all_cores

MILLISECONDS = 100  # a position


def search_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """With one thread, and with two where there are two cores."""
    use_all_cores()
    engine = load_engine()
    one, two = [], []
    for _ in rounds_of(rounds, "search"):
        one.append(search_speed(engine, 1))
        if len(CORES) > 1:
            two.append(search_speed(engine, 2))
    yield Figure("search, one thread", median(one), "Mnps", 1.0, 1.8, "bench positions, 16 MB hash")
    if two:
        yield Figure("search, two threads / one", ratio(two, one), "x", 1.8, 1.95, f"{median(two):.2f} Mnps")


def search_speed(engine: Engine, threads: int) -> float:
    """Million nodes a second over the positions of the `bench` command, each from scratch."""
    engine.set_threads(threads)
    nodes, seconds = 0, 0.0
    for fen in BENCH_POSITIONS:
        engine.new_game()
        engine.set_position(fen, [])
        last = engine.go(Limits(move_time=MILLISECONDS), Settings(move_overhead=0)).lines[0]
        nodes, seconds = nodes + last.nodes, seconds + last.seconds
    return nodes / seconds / 1e6
