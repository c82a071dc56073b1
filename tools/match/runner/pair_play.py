"""Play one pair of games of a contest in this thread: a unit of work that any machine can do."""

import asyncio
from collections.abc import Iterable

from bluekrait.tools.match.results.finished_games import FinishedGame
from bluekrait.tools.match.runner.game_play import GamePlayer
from bluekrait.tools.match.setup.contest import Contest, ScheduledGame


def play_pair(contest: Contest, number: int) -> list[FinishedGame]:
    """Play both games of the pair with that number, one after the other."""
    return play_in_sequence(contest.games_of_pair(number))


def play_in_sequence(schedule: Iterable[ScheduledGame]) -> list[FinishedGame]:
    """Play some games, one after the other."""
    return asyncio.run(_play(schedule))


async def _play(schedule: Iterable[ScheduledGame]) -> list[FinishedGame]:
    player = GamePlayer()
    try:
        return [await player.play(scheduled) for scheduled in schedule]
    finally:
        await player.close()
