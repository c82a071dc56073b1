"""The entries of self-play: play a game, read games, filter samples, search samples again."""

from bluekrait.core.compiler.jit import entry
from bluekrait.search.self_play import game, labels, replay
from bluekrait.search.self_play.job import job_at, replay_at
from bluekrait.search.tree.state import thread_at


@entry
def play_game(address):
    """Play the game of a `SelfPlay`; how many plies it has."""
    job = job_at(address)
    return game.play_game(job, thread_at(job.judge), thread_at(job.white), thread_at(job.black))


@entry
def replay_games(address):
    """Write the positions of a `Replay`'s games; how many are kept."""
    return replay.replay_games(replay_at(address))


@entry
def filter_samples(address):
    """Copy the samples, of those that a `Replay` names, that pass its filters; how many do."""
    return replay.filter_samples(replay_at(address))


@entry
def label_samples(address):
    """Search the samples that a `SelfPlay` names; how many they are."""
    job = job_at(address)
    return labels.label_samples(job, thread_at(job.judge))


ENTRIES = {
    "play_game": play_game,
    "replay_games": replay_games,
    "filter_samples": filter_samples,
    "label_samples": label_samples,
}
