"""Play one pair of a contest, here and now: the unit of work for whoever spreads a contest over machines."""

import asyncio

from bluekrait.tools.match.runner.game_play import GamePlayer


def play_pair(contest, number):
    """Both games of the pair of that number: played in this thread, one after the other; their records."""
    return play_in_sequence(contest.games_of_pair(number))


def play_in_sequence(schedule):
    """Some games, one after the other; their records."""
    return asyncio.run(_play(schedule))


async def _play(schedule):
    player = GamePlayer()
    try:
        return [await player.play(scheduled) for scheduled in schedule]
    finally:
        await player.close()
