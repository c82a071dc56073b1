"""Games on other machines: a pair of games is a unit of work for the workers of a Dask scheduler."""

import platform
from collections.abc import Collection, Generator, Iterable

from bluekrait.tools.cluster.dask_pool import open_dask_pool
from bluekrait.tools.cluster.worker_pool import run_units
from bluekrait.tools.common.errors import CommandError
from bluekrait.tools.match.results.finished_games import FinishedGame, GameKey
from bluekrait.tools.match.runner.pair_play import play_in_sequence
from bluekrait.tools.match.setup.contest import Contest, ScheduledGame


def play_on_cluster(
    address: str, contest: Contest, done: Collection[GameKey]
) -> Generator[FinishedGame, None, None]:
    """Play all games whose keys are not in `done`, and yield each when it is finished.

    To stop, close the generator: unfinished pairs are dropped. CommandError if an engine does not start.
    """
    pairs = map(contest.games_of_pair, range(1, contest.pairs + 1))
    missing = ((pair,) for pair in pairs if any(scheduled.key not in done for scheduled in pair))
    with open_dask_pool(address) as pool:
        for games in run_units(pool, play_on_worker, missing):
            yield from (game for game in games if game.key not in done)


def play_on_worker(schedule: Iterable[ScheduledGame]) -> list[FinishedGame]:
    """Runs on a worker: play some games, one after the other. An error tells on which machine it occurred."""
    try:
        return play_in_sequence(schedule)
    except CommandError as error:
        raise CommandError(f"{error} (on {platform.node()})") from None
