"""The positions in which engines choose a move: lines of EPD or FEN, or some of each game of a PGN file."""

import random
from collections.abc import Iterator

import chess

from bluekrait.tools.common.pgn_trees import is_chess, read_trees
from bluekrait.tools.match.setup.opening_files import read_openings, source_of

FIRST, STRIDE = 8, 9  # half-moves of a game: where choices begin, and how far they lie apart
MOST_LINES = 100_000  # of a file of positions, taken from all of it
FEWEST_MOVES = 4  # that are legal: otherwise there is too little to choose


def read_positions(path: str, count: int, seed: int) -> list[str]:
    """Positions of a file in random order, at most `count`. ValueError if there is none."""
    found = _of_games(path, random.Random(seed)) if path.lower().endswith(".pgn") else _of_lines(path, seed)
    fens = sorted({fen for fen in found if _has_choice(fen)})
    if not fens:
        raise ValueError(f"{path} holds no positions with a choice of moves")
    random.Random(seed).shuffle(fens)
    return fens[:count]


def _has_choice(fen: str) -> bool:
    return chess.Board(fen, chess960=True).legal_moves.count() >= FEWEST_MOVES


def _of_lines(path: str, seed: int) -> Iterator[str]:
    """The positions of lines of EPD or FEN."""
    source = source_of(path, order="random", seed=seed)
    return (opening.fen for opening in read_openings(source, MOST_LINES))


def _of_games(path: str, rng: random.Random) -> Iterator[str]:
    """Some positions of each game of chess; of one with a wrong move, of the moves before it."""
    for game in filter(is_chess, read_trees(path)):
        board, wanted = game.board(), FIRST + rng.randrange(STRIDE)
        for number, move in enumerate(game.mainline_moves(), 1):
            board.push(move)
            if number == wanted:
                wanted += STRIDE
                yield board.fen()
