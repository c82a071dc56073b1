"""`bluekrait datagen`: positions labelled by self-play, for tuning and for training.

Every game has a number; seed and number decide it entirely. So games can be played on any machine, in any
order, and again if one is lost. After an interruption, the games that are missing are played.
"""

import argparse
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, BinaryIO

from bluekrait.core.timer import monotonic
from bluekrait.search.self_play import adjudication_rules as rules
from bluekrait.search.self_play.players.player import ENTRIES_MODULE, Player
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import WorkerPool, run_units
from bluekrait.tools.common.command_line import (
    MOST_NODES,
    Parser,
    add_number,
    add_places,
    file_to_write,
    nodes_of_a_move,
    whole_number,
)
from bluekrait.tools.common.engine_identity import engine_identity, warn_of_another_engine
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.append_only import append, merge_settings, opened_to_append
from bluekrait.tools.data import evaluation_choice
from bluekrait.tools.data.formats import game_file
from bluekrait.tools.data.formats.labelled_file import contents_at, cut_torn_end
from bluekrait.tools.data.formats.sample_file import Contents
from bluekrait.uci.exits import SUCCESS, tell
from bluekrait.uci.progress import ProgressLine, count_text, duration_text

PROGRAM = "bluekrait datagen"
SEED, NODES, GAMES, CHESS960 = 1, 1200, 1000, 10
SELF_PLAY = "self-play"  # the kind of file that this command writes
UNIT_NODES = 5000  # nodes a move, times games, of a unit of work: half a second, or one longer game

EXAMPLES = """\
examples:
  a quick look: two thousand games on all cores, some minutes on two of them
    bluekrait datagen --games 2000 positions.bkg
  after an interruption the same command continues; a larger number of games extends the same file
    bluekrait datagen --games 5000 positions.bkg
  better moves, in the same time fewer of them
    bluekrait datagen --games 5000 --nodes 5000 deep.bkg
  standard chess only, no Chess960
    bluekrait datagen --games 5000 --chess960 0 chess.bkg
  with a network, or without the one that the engine comes with
    bluekrait datagen --games 5000 --evaluation first/network.bknn second.bkg
    bluekrait datagen --games 5000 --evaluation classical classical.bkg
  another machine: another seed, then both files go to the tuner
    bluekrait datagen --games 5000 --seed 2 other.bkg
  many machines, one file: the workers of a Dask scheduler (see docs/laboratory/cluster.md)
    bluekrait datagen --games 1000000 --cluster tcp://192.168.1.10:8786 many.bkg

A file keeps the seed, the nodes, the share of Chess960 and the evaluation it was begun with, and is never
continued with others. Every move of every game is kept; training commands choose the positions they use.
bluekrait data inspects such files; docs/laboratory/data.md describes the format.
"""


@with_errors_reported(PROGRAM, continues=True)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play the missing games; the exit code."""
    options = parser().parse_args(arguments)
    with opened_to_append(options.file) as file:
        contents = contents_at(options.file)
        begun = evaluation_choice.settings_begun(contents)
        evaluation = evaluation_choice.chosen(options.evaluation, begun)
        plan = plan_of(contents, begun, options, evaluation.name)
        cut_torn_end(options.file, contents)
        with open_pool(options.processes, options.cluster, ENTRIES_MODULE) as pool:
            return generate(pool, file, contents, plan, evaluation, options)


def parser() -> Parser:
    """The command line parser."""
    parser = Parser(
        prog=PROGRAM,
        description="Let the engine play against itself from random openings, and keep the games: every "
        "move with the engine's score, and the result.",
        epilog=EXAMPLES,
    )
    parser.add_argument("file", type=file_to_write, help="the file of games; continued if it exists")
    add_number(parser, "--games", GAMES, "games in all")
    nodes = f"soft limit for a move: no iteration is begun beyond it ({NODES}; at most {MOST_NODES})"
    parser.add_argument("--nodes", type=nodes_of_a_move, metavar="N", help=nodes)
    add_number(parser, "--seed", None, f"another seed, other games ({SEED})")
    share = f"games that begin from a random position of Chess960, of a hundred ({CHESS960})"
    parser.add_argument("--chess960", type=partial(whole_number, most=100), metavar="PERCENT", help=share)
    parser.add_argument("--evaluation", metavar="WHAT", help=evaluation_choice.HELP)
    add_places(parser)
    return parser


def plan_of(
    contents: Contents, begun: dict[str, Any], options: argparse.Namespace, evaluation: str
) -> dict[str, Any]:
    """The settings that decide the games: those in the file if it was begun, else the options.

    ValueError if they contradict each other.
    """
    if begun.get("kind", SELF_PLAY) != SELF_PLAY:
        raise ValueError(f"{options.file} holds {begun['kind']} positions, to which no games can be added")
    if contents.is_begun and not is_continuable(options.file):
        raise ValueError(f"{options.file} has the old format, which cannot be continued: name a new file")
    if contents.is_head_damaged:
        raise ValueError(f"the head of {options.file}, with its settings, is damaged: name a new file")
    warn_of_another_engine(begun, options.file, PROGRAM)
    wishes = {"seed": options.seed, "nodes": options.nodes, "chess960": options.chess960}
    wishes["evaluation"] = evaluation
    defaults = {
        "kind": SELF_PLAY,
        "seed": SEED,
        "nodes": NODES,
        "chess960": CHESS960,
        "adjudication": rules.AS_TEXT,
        **engine_identity(),
    }
    return merge_settings(begun, wishes, defaults, options.file)


def is_continuable(name: str) -> bool:
    """True if a file is one of games."""
    with open(name, "rb") as file:
        return game_file.is_game_file(file.read(len(game_file.HEAD)))


def generate(
    pool: WorkerPool,
    file: BinaryIO,
    contents: Contents,
    plan: Mapping[str, Any],
    evaluation: evaluation_choice.EvaluationChoice,
    options: argparse.Namespace,
) -> int:
    """Play the missing games and write them; the exit code."""
    if not contents.is_begun:
        append(file, game_file.pack_head(plan))
    elif not contents.head:
        tell(f"{PROGRAM}: {options.file} names no seed and nodes: those of the command are assumed")
    missing = (game for game in range(options.games) if game not in contents.games)
    settings = plan["nodes"], plan["seed"], plan["chess960"], evaluation
    units = ((*settings, games) for games in shares(missing, plan["nodes"]))
    progress = GenerationProgress(options.games, len(contents.games), contents.samples)
    try:
        for games, positions, block in run_units(pool, play, units):
            append(file, block)
            progress.add(games, positions)
    finally:
        progress.conclude(options.file)
    return SUCCESS


def shares(games: Iterable[int], nodes: int) -> Iterator[tuple[int, ...]]:
    """The numbers of games in tuples, each a unit of work: with fewer nodes a move, more games."""
    size = max(1, UNIT_NODES // nodes)
    while share := tuple(islice(games, size)):
        yield share


_here = threading.local()


def play(
    nodes: int, seed: int, chess960: int, evaluation: evaluation_choice.EvaluationChoice, games: Sequence[int]
) -> tuple[int, int, bytes]:
    """Play some games; how many they are, how many positions, and the block that holds them."""
    plan = nodes, seed, chess960, evaluation
    if getattr(_here, "plan", None) != plan:
        network = evaluation_choice.network_of(evaluation)
        _here.plan, _here.player = plan, Player(seed, nodes, chess960, network=network)
    played = [_here.player.play(game) for game in games]
    plies = game_file.plies_in(sum(map(len, played)), len(played))
    return len(played), plies, game_file.pack_games(played)


class GenerationProgress:
    """The progress of data generation, on one line."""

    def __init__(self, games: int, games_done: int, samples: int) -> None:
        self._games, self._done, self._samples = games, games_done, samples
        self._new_games = self._new_samples = 0
        self._start = monotonic()
        self._line = ProgressLine()

    def add(self, games: int, positions: int) -> None:
        """More games are finished."""
        self._new_games += games
        self._new_samples += positions
        self._done += games
        self._samples += positions
        self._line.show(self._text())

    def conclude(self, name: str) -> None:
        """Print what the file holds in the end."""
        self._line.clear()
        print(f"{name}: {self._samples} positions of {count_text(self._done, 'game')}")

    def _text(self) -> str:
        seconds = monotonic() - self._start
        hourly = self._new_samples / seconds * 3600
        left = seconds / self._new_games * (self._games - self._done)
        return (
            f"{self._done} of {self._games} games, {self._samples} positions, "
            f"{hourly / 1e6:.2f} M an hour, {duration_text(left)} left"
        )


if __name__ == "__main__":
    sys.exit(main())
