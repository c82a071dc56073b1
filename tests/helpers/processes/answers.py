"""A few questions to every part of core and search. Run as a program, it prints the answers as JSON."""

import json

from bluekrait.core import (
    attacked_squares,
    checkers,
    format_fen,
    is_legal,
    legal_moves,
    make_move,
    parse_fen,
    perft,
    san,
    see_at_least,
    status,
)
from bluekrait.search.engine import load_engine
from bluekrait.search.limits import Limits
from bluekrait.search.reports import EXACT

POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
)
SEARCH_DEPTH = 4


def answers():
    """Answers by position."""
    engine = load_engine()
    engine.set_hash(1)
    return {
        fen: [*about_the_board(fen), *about_its_search(engine, fen), *about_its_tree(engine, fen)]
        for fen in POSITIONS
    }


def about_the_board(fen):
    """What can be said of one position, and of each of its moves."""
    position = parse_fen(fen)
    yield [int(checkers(position)), int(attacked_squares(position)), int(status(position))]
    for move in map(int, legal_moves(position)):
        after = make_move(position, move)
        near_misses = [bool(is_legal(position, move ^ 1 << bit)) for bit in range(24)]
        exchanges = [bool(see_at_least(position.board, move, goal)) for goal in (-300, 0, 1, 300)]
        yield [move, san(move, position), format_fen(after), int(after.key), near_misses, exchanges]


def about_its_search(engine, fen):
    """What a search finds, iteration by iteration."""
    engine.set_position(fen, [])
    engine.new_game()
    heard = []
    choice = engine.go(Limits(depth=SEARCH_DEPTH), on_line=heard.append)
    yield [choice.move, choice.ponder_move]
    for line in heard:
        if line.bound != EXACT:  # told only by searches that take seconds
            continue
        yield [line.depth, line.selective_depth, *line.score, line.nodes, *line.win_draw_loss, *line.moves]


def about_its_tree(engine, fen):
    """Counts of small trees, with and without threads and a hash table."""
    engine.set_position(fen, [])
    yield list(engine.describe())
    yield [int(perft(parse_fen(fen), depth)) for depth in range(3)]
    yield [engine.perft(2).nodes, engine.perft(3, threads=2, hash_mb=1).nodes]


if __name__ == "__main__":
    print(json.dumps(answers()))
