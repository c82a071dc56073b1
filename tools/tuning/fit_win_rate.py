"""`bluekrait winrate`: the constants of `search.thinking.win_rate`, fitted to games.

Each position of a game gives a score, a number of pieces and a result. The constants are those of maximum
likelihood, printed as they stand in `search/thinking/win_rate.py`.

Input are files of labelled positions (`bluekrait datagen`), and games in PGN whose comments give the score of
each move as match runners write it, {+0.35/14 0.2s}. They must be BlueKrait's own scores.
"""

import re
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from bluekrait.search.scores import DECIDED_BOUND, MATERIAL_SCALE_BASE, MATERIAL_SCALE_UNIT
from bluekrait.search.thinking.win_rate import PIECES_AT_LEAST, PIECES_AT_MOST, middle_of, width_of
from bluekrait.tools.common.command_line import Parser
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.data.evaluation_choice import CLASSICAL, named_in
from bluekrait.tools.data.formats.labelled_file import samples_of
from bluekrait.tools.data.formats.sample_array import Array, has_lone_king, pieces_on
from bluekrait.tools.data.formats.samples import DRAWN, LOST, WON
from bluekrait.uci.exits import SUCCESS, fail
from bluekrait.uci.streams.output import write

PROGRAM = "bluekrait winrate"
LEAST_SAMPLES = 100
LEAST_POINTS, MOST_POINTS = 0.01, 1e5  # no real games have a middle or a width beyond these
ROUNDS = 50
STEP = 1e-3  # of the finite differences, relative to a constant
SMALLEST = 1e-12  # probability: keeps logarithms finite
ENOUGH = 1e-9  # smallest improvement of the log-likelihood: then the fit has converged

Observations: TypeAlias = tuple[Array, Array, Array]  # scores, numbers of pieces, results
Line: TypeAlias = tuple[float, float]  # its value at 0, and its slope
Function: TypeAlias = Callable[[Array], float]

# With its depth, which is 0 where the engine has told no score: a move of its book, for example.
SCORE_IN_COMMENT = re.compile(r"\s*([+-]?\d+\.\d+)/0*[1-9]")
EXAMPLES = """\
examples:
  bluekrait winrate positions.bkg
  bluekrait winrate games.pgn more.pgn

Files are what bluekrait datagen writes, or games in PGN whose comments give BlueKrait's own scores as match
runners write them, {+0.35/14 0.2s}.
"""
RESULTS = {"1-0": WON, "1/2-1/2": DRAWN, "0-1": LOST}


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Read, fit and print; the exit code."""
    options = _parser().parse_args(arguments)
    scores, pieces, results = (np.concatenate(column) for column in zip(*map(read, options.files)))
    if len(scores) < LEAST_SAMPLES:
        return fail(f"{len(scores)} positions are too few", program=PROGRAM)
    middle, width = fit(scores, pieces, results)
    write(f"# {len(scores)} positions")
    write(f"MIDDLE = ({middle[0]:.1f}, {middle[1]:.2f})")
    write(f"WIDTH = ({width[0]:.1f}, {width[1]:.2f})")
    return SUCCESS


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Fit the win rate model to games, and print its two constants as they "
        "stand in search/thinking/win_rate.py.",
        epilog=EXAMPLES,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="labelled positions, or games: *.pgn")
    return parser


# --- reading --------------------------------------------------------------------------------------


def read(path: str) -> Observations:
    """Scores, numbers of pieces and results in a file, each for the side to move."""
    return _games(path) if path.lower().endswith(".pgn") else _samples(path)


def _samples(path: str) -> Observations:
    """Files hold scores as the evaluation tells them; the model is for those that the search shows.

    The search weights scores of the network, but neither proven ones nor those with a lone king, which the
    classical evaluation judges.
    """
    samples = samples_of(path)
    scores, pieces = samples["score"].astype(float), pieces_on(samples).astype(float)
    evaluations = named_in([path])
    if CLASSICAL not in evaluations:
        is_weighted = (abs(scores) < DECIDED_BOUND) & ~has_lone_king(samples)
        scores[is_weighted] *= (MATERIAL_SCALE_BASE + pieces[is_weighted]) / MATERIAL_SCALE_UNIT
    elif len(evaluations) > 1:
        raise ValueError(f"{path} mixes scores of the classical evaluation with those of a network")
    return scores, pieces, samples["result"].astype(int)


def _games(path: str) -> Observations:
    try:
        from bluekrait.tools.common.pgn_trees import is_chess, read_trees
    except ModuleNotFoundError:
        raise ValueError('reading games needs chess: pip install "bluekrait[tools]"') from None

    numbers = array("d")  # three of each position: there may be millions
    for game in read_trees(path):
        result = RESULTS.get(game.headers["Result"])
        if result is not None and is_chess(game):
            for position in _positions(game, result):
                numbers.extend(position)
    scores, pieces, results = np.array(numbers).reshape(-1, 3).T
    return scores, pieces, results.astype(int)


def _positions(game: Any, result: int) -> Iterator[tuple[float, int, int]]:
    """Score, pieces and result of every position in which a move with a score was made."""
    board = game.board()
    for node in game.mainline():
        if found := SCORE_IN_COMMENT.match(node.comment):
            pieces = board.occupied.bit_count()
            yield float(found[1]) * middle_of(pieces), pieces, result if board.turn else WON - result
        board.push(node.move)


# --- fitting --------------------------------------------------------------------------------------


def fit(scores: Array, pieces: Array, results: Array) -> tuple[Line, Line]:
    """The constants MIDDLE and WIDTH under which the results are most likely.

    Found are the logarithms of both with the fewest and with the most pieces: so neither can become negative.
    ValueError if the results are just as likely under ever smaller or larger constants.
    """
    at_least, at_most = PIECES_AT_LEAST, PIECES_AT_MOST
    share = (np.clip(pieces, at_least, at_most) - at_least) / (at_most - at_least)

    def negative_log_likelihood(logarithms: Array) -> float:
        few_middle, many_middle, few_width, many_width = np.exp(logarithms)
        middle = few_middle + (many_middle - few_middle) * share
        width = few_width + (many_width - few_width) * share
        return _negative_log_likelihood(middle, width, scores, results)

    start = [part(number) for part in (middle_of, width_of) for number in (at_least, at_most)]
    values = np.exp(minimum(negative_log_likelihood, np.log(start)))
    if values.min() < LEAST_POINTS or values.max() > MOST_POINTS:
        raise ValueError(f"{len(scores)} positions do not tell the constants: more games are needed")
    return _line(values[0], values[1]), _line(values[2], values[3])


def _line(few: float, many: float) -> Line:
    """The line through the values with the fewest and with the most pieces."""
    slope = (many - few) / (PIECES_AT_MOST - PIECES_AT_LEAST)
    return few - PIECES_AT_LEAST * slope, slope


def _negative_log_likelihood(middle: Array, width: Array, scores: Array, results: Array) -> float:
    """The mean negative log-likelihood of the results."""
    win, loss = (1 / (1 + np.exp(np.clip((middle - sign * scores) / width, -50, 50))) for sign in (1, -1))
    chance = np.choose(results, [loss, 1 - win - loss, win])
    return float(-np.log(np.maximum(chance, SMALLEST)).mean())


def minimum(function: Function, start: Array) -> Array:
    """The minimum of a smooth function of a few numbers, by Newton's method."""
    place, value = start, function(start)
    for _ in range(ROUNDS):
        slope, curvature = _derivatives(function, place)
        lowest = np.linalg.eigvalsh(curvature)[0]
        bent = curvature + max(0.0, 1e-12 - 2 * lowest) * np.eye(len(place))  # upwards in every direction
        new_place, new_value = _step(function, place, value, -np.linalg.solve(bent, slope))
        if value - new_value < ENOUGH:
            return new_place
        place, value = new_place, new_value
    return place


def _step(function: Function, place: Array, value: float, direction: Array) -> tuple[Array, float]:
    """A step in a direction, halved until the function decreases."""
    for _ in range(ROUNDS):
        if function(place + direction) < value:
            return place + direction, function(place + direction)
        direction = direction / 2
    return place, value


def _derivatives(function: Function, place: Array) -> tuple[Array, Array]:
    """Gradient and Hessian by finite differences."""
    steps = np.diag(STEP * (1 + np.abs(place)))
    sizes = steps.diagonal()
    ahead = np.array([function(place + step) for step in steps])
    behind = np.array([function(place - step) for step in steps])
    both = np.array([[function(place + one + other) for other in steps] for one in steps])
    none = np.array([[function(place - one - other) for other in steps] for one in steps])
    here = function(place)
    pairs = ahead[:, None] + ahead + behind[:, None] + behind - 2 * here
    return (ahead - behind) / (2 * sizes), (both + none - pairs) / (2 * np.outer(sizes, sizes))


if __name__ == "__main__":
    sys.exit(main())
