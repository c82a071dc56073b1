"""Chess programs that Linux distributions package: how to start them, and their approximate ratings.

The ratings are those of public rating lists on one core at moderate time controls. They are rough: hardware,
time control and openings differ. Stockfish is the better reference: its option UCI_Elo limits its strength to
a rating, on a scale that its authors fitted to such a list.
"""

import os
import re
import shutil
from collections.abc import Iterable, Sequence
from typing import NamedTuple

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # searched besides PATH
STOCKFISH = "stockfish"
WEAKEST, STRONGEST = 1350, 2850  # UCI_Elo of all recent versions
LEVELS = (1500, 2000, 2500)
LEVEL_NAME = re.compile(STOCKFISH + r"-(\d+)$")


class Program(NamedTuple):
    """A program that plays chess."""

    name: str
    command: str
    rating: int  # approximate
    words: tuple[str, ...] = ()  # its settings for `bluekrait match`


PROGRAMS = (
    Program("ethereal", "ethereal-chess", 3300),
    Program("toga2", "toga2", 2850, ("option.OwnBook=false",)),
    Program("glaurung", "glaurung", 2750, ("option.OwnBook=false", "option.Threads=1")),
    Program("gnuchess", "gnuchess", 2650, ("arg=-u", "option.OwnBook=false")),
    Program("phalanx", "phalanx", 2450, ("proto=xboard", "arg=-b-", "arg=-l-")),
    Program("hoichess", "hoichess", 2300, ("proto=xboard",)),
    Program("fairymax", "fairymax", 1950, ("proto=xboard",)),
)
NAMES = (STOCKFISH, *(program.name for program in PROGRAMS))


def path_of(command: str) -> str | None:
    """The path of a program; None if it is not installed."""
    return shutil.which(command, path=os.pathsep.join((os.environ.get("PATH", ""), *GAMES_FOLDERS)))


def opponents(names: Sequence[str] | None = None, levels: Iterable[int] = LEVELS) -> list[list[str]]:
    """The words that describe each opponent: those named, or all that are installed.

    ValueError if a named one is not installed.
    """
    wanted = names or NAMES
    found = []
    if STOCKFISH in wanted and (path := _required_path(STOCKFISH, names)):
        found += [_limited_stockfish(path, level) for level in sorted(set(levels), reverse=True)]
    for program in PROGRAMS:
        if program.name in wanted and (path := _required_path(program.command, names)):
            found.append([f"cmd={path}", f"name={program.name}", *program.words])
    return found


def published_rating(name: str) -> int | None:
    """The published rating of a player; None if it is unknown."""
    if level := LEVEL_NAME.match(name):
        return int(level[1])
    return {program.name: program.rating for program in PROGRAMS}.get(name)


def default_anchors(names: Iterable[str]) -> dict[str, float]:
    """The given ratings: those of Stockfish's levels if any of them played, else all published ones."""
    published = {name: published_rating(name) for name in names}
    known = {name: float(rating) for name, rating in published.items() if rating}
    levels = {name: rating for name, rating in known.items() if LEVEL_NAME.match(name)}
    return levels or known


def _limited_stockfish(path: str, level: int) -> list[str]:
    limits = ("option.UCI_LimitStrength=true", f"option.UCI_Elo={level}")
    return [f"cmd={path}", f"name={STOCKFISH}-{level}", *limits]


def _required_path(command: str, names: Sequence[str] | None) -> str | None:
    """The path of a program; ValueError if programs were named and it is not installed."""
    path = path_of(command)
    if names and not path:
        raise ValueError(f"{command} is not installed")
    return path
