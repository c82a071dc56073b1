"""How fast positions are counted: against the yardsticks, with two threads, with a hash table."""

from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from statistics import median

from bluekrait.core.compiler import processor
from bluekrait.core.notation.fen import STARTING_FEN
from bluekrait.search.engine import Engine, load_engine
from bluekrait.tools.figures.figure import (
    CORES,
    Candidate,
    Figure,
    MissingNeed,
    pin_to_one_core,
    race,
    ratio,
    rounds_of,
    use_all_cores,
)
from bluekrait.tools.figures.yardsticks import Stockfish, load_prototype

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PERFTS = (
    ("startpos 6", STARTING_FEN, 6),
    ("Kiwipete 5", KIWIPETE, 5),
    ("middlegame 5", MIDDLEGAME, 5),
    ("endgame 5", ENDGAME, 5),
)


def perft_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """One thread, no hash table, against the yardstick, which needs PEXT, and against Stockfish."""
    pin_to_one_core()
    engine, stockfish = load_engine(), Stockfish.find()
    yardstick = load_prototype() if processor.has_pext() else None
    if not yardstick and not stockfish:
        raise MissingNeed("a processor with PEXT, or Stockfish, to be compared with")
    with closing(stockfish) if stockfish else nullcontext():
        for name, fen, depth in PERFTS:
            engine.set_position(fen, [])
            candidates: list[Candidate] = [partial(_nodes, engine, depth)]
            if yardstick:
                candidates.append(partial(yardstick.perft, depth, yardstick.start(fen)))
            if stockfish:
                stockfish.set_position(fen)
                candidates.append(partial(stockfish.perft, depth))
            nodes, (ours, *others) = race(candidates, rounds, f"perft {name}")
            note = f"{nodes / median(ours) / 1e6:.0f} Mnps"
            if yardstick:
                yield Figure(f"perft {name} / yardstick", ratio(others[0], ours), "x", 1.0, 1.5, note)
            if stockfish:
                yield Figure(f"perft {name} / {stockfish.name}", ratio(others[-1], ours), "x", 4, 6, note)


def _nodes(engine: Engine, depth: int, threads: int = 1) -> int:
    nodes: int = engine.perft(depth, threads=threads).nodes
    return nodes


def thread_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """Two threads against one."""
    if len(CORES) < 2:
        raise MissingNeed("two cores")
    use_all_cores()
    engine = load_engine()
    candidates = [partial(_nodes, engine, 7, threads) for threads in (1, 2)]
    nodes, (one, two) = race(candidates, rounds, "perft with two threads")
    note = f"startpos 7: {nodes / median(two) / 1e6:.0f} Mnps"
    yield Figure("perft two threads / one", ratio(one, two), "x", 1.85, 1.95, note)


def hash_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """A hash table of 256 MB, empty at the start, against none. Its allocation is part of the time."""
    pin_to_one_core()
    engine = load_engine()
    bare, hashed = [], []
    for _ in rounds_of(rounds, "perft with a hash table"):
        bare.append(engine.perft(7).seconds)
        hashed.append(engine.perft(7, hash_mb=256).seconds)
    note = f"startpos 7: {median(bare):.2f} s, {median(hashed):.2f} s"
    yield Figure("perft 256 MB hash / none", ratio(bare, hashed), "x", 4, 8, note)
