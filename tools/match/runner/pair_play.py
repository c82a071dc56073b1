"""Play one pair of a contest, here and now: the unit of work for whoever spreads a contest over machines."""

import asyncio

from bluekrait.tools.match.runner.game_play import Table


def play_pair(contest, number):
    """Both games of the pair of that number: played in this thread, one after the other; their records."""
    return play_fixtures(contest.fixtures_of(number))


def play_fixtures(fixtures):
    """Some games, one after the other; their records."""
    return asyncio.run(_play(fixtures))


async def _play(fixtures):
    table = Table()
    try:
        return [await table.play(fixture) for fixture in fixtures]
    finally:
        await table.close()
