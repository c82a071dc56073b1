"""Games on other machines: a pair is a unit of work for the farm behind a Dask scheduler."""

from bluekrait.tools.cluster.dask_pool import open_cluster
from bluekrait.tools.cluster.worker_pool import results
from bluekrait.tools.match.runner.pair_play import play_fixtures


def played_on(address, contest, done):
    """Games as they are finished, but for those whose keys are in `done`.

    To stop, close the generator: pairs that are not finished are dropped.
    """
    pairs = map(contest.fixtures_of, range(1, contest.pairs + 1))
    missing = ((pair,) for pair in pairs if any(fixture.key not in done for fixture in pair))
    with open_cluster(address) as farm:
        for games in results(farm, play_fixtures, missing):
            yield from (game for game in games if game.key not in done)
