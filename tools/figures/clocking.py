"""How far the clocks of match runners are from those of the engines, while all processors are busy."""

import re
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from statistics import median, quantiles
from typing import TYPE_CHECKING

from bluekrait.tools.figures.figure import CORES, Figure, MissingNeed, Unmeasurable, use_all_cores
from bluekrait.uci.progress import ProgressLine

if TYPE_CHECKING:
    from bluekrait.tools.match.results.finished_games import FinishedGame
    from bluekrait.tools.match.setup.contest import Contest

OURS = "built-in"
TIME = "tc=60+1"  # enough: the engines take a tenth of a second for a move
MOVES = 40  # of a game
TOLERANCE = 0.005  # seconds
ENGINE = "bluekrait.tools.figures.stopwatch_engine"
COMMENT = re.compile(r"/(\d+) (\d+(?:\.\d+)?)s")  # what a runner writes of a move: depth and time


def clock_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """The built-in runner, and in the note those that are installed. Needs python-chess."""
    if not find_spec("chess"):
        raise MissingNeed("python-chess")
    use_all_cores()
    errors = {name: errors_of(games, name) for name, games in runners(rounds)}
    ours = errors.pop(OURS)
    note = "; ".join([summary(ours), *(f"{name}: {summary(theirs)}" for name, theirs in errors.items())])
    yield Figure("match runner's clock, error at p99", 1000 * p99(ours), "ms", 5, 2, note)


def runners(rounds: int) -> Iterator[tuple[str, Generator["FinishedGame", None, None]]]:
    """Every runner that is here, and its games: as many at a time as there are processors."""
    from bluekrait.tools.match.external.external_runner import play_with_runner
    from bluekrait.tools.match.external.runner_command import KNOWN_RUNNERS, find_runner
    from bluekrait.tools.match.runner.game_processes import play_games

    schedule = list(contest(rounds * len(CORES)).schedule())
    yield OURS, play_games(schedule, len(CORES))
    for runner in filter(None, map(find_runner, KNOWN_RUNNERS)):
        yield runner.kind, play_with_runner(runner, schedule, len(CORES))


def contest(rounds: int) -> "Contest":
    """Games of engines that take the time of their own moves."""
    from bluekrait.tools.match.setup.common_openings import common_openings
    from bluekrait.tools.match.setup.contest import Contest, Rules
    from bluekrait.tools.match.setup.engine_spec import parse_engine

    words = [f"cmd={sys.executable}", "arg=-m", f"arg={ENGINE}", TIME]
    engines = tuple(parse_engine([*words, f"name={name}"]) for name in ("first", "second"))
    return Contest(engines, common_openings(), rounds, rules=Rules(max_moves=MOVES))


def errors_of(games: Generator["FinishedGame", None, None], name: str) -> list[float]:
    """Seconds that were charged beyond those that the engine took, move by move, sorted."""
    errors, line = [], ProgressLine()
    with closing(games):
        for number, game in enumerate(games, 1):
            line.show(f"clock of {name}: {number} games")
            errors += [float(charged) - int(own) / 1e6 for own, charged in COMMENT.findall(game.pgn)]
    line.clear()
    if len(errors) < 2:
        raise Unmeasurable(f"clock of {name}: no game has come about")
    return sorted(errors)


def p99(errors: Sequence[float]) -> float:
    """The size that 99 of a hundred errors do not exceed."""
    return quantiles(map(abs, errors), n=100, method="inclusive")[-1]


def summary(errors: Sequence[float]) -> str:
    """The errors in a few words."""
    within = sum(abs(error) <= TOLERANCE for error in errors) / len(errors)
    extremes = f"{1000 * errors[0]:.1f} to {1000 * errors[-1]:.1f} ms"
    middle = f"median {1000 * median(errors):.1f}, p99 {1000 * p99(errors):.1f}"
    return f"{len(errors)} moves, {middle}, {extremes}, {100 * within:.1f} % within {1000 * TOLERANCE:.0f}"
