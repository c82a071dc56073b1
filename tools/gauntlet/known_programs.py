"""Chess programs that Linux distributions have, how to start them, and about how strong they are.

The ratings are those of public lists of engines on one core at moderate time controls, and rough: hardware,
time control and openings all differ. Stockfish is the better measure, for it can be told how strong to be;
its makers fitted that scale to such a list.
"""

import os
import re
import shutil
from typing import NamedTuple

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where programs may lie though no PATH leads there
STOCKFISH = "stockfish"
WEAKEST, STRONGEST = 1350, 2850  # that every Stockfish of recent years can be told to be
LEVELS = (1500, 2000, 2500)
LEVEL_NAME = re.compile(STOCKFISH + r"-(\d+)$")


class Program(NamedTuple):
    """A program that plays chess."""

    name: str
    command: str
    rating: int  # about
    words: tuple = ()  # that describe it to `bluekrait match`


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


def path_of(command):
    """Where a program lies on this machine; None if it is not here."""
    return shutil.which(command, path=os.pathsep.join((os.environ.get("PATH", ""), *GAMES_FOLDERS)))


def opponents(names=None, levels=LEVELS):
    """For every opponent the words that describe it: those named, or all that are here.

    ValueError if one that is named is not here, or if there is nobody at all.
    """
    wanted = names or NAMES
    found = []
    if STOCKFISH in wanted and (path := _demanded(STOCKFISH, names)):
        found += [_limited_stockfish(path, level) for level in sorted(levels, reverse=True)]
    for program in PROGRAMS:
        if program.name in wanted and (path := _demanded(program.command, names)):
            found.append([f"cmd={path}", f"name={program.name}", *program.words])
    if not found:
        raise ValueError(f"none of the known programs is on this machine: {', '.join(NAMES)}")
    return found


def published_rating(name):
    """The rating of a player of that name; None if it is unknown."""
    if level := LEVEL_NAME.match(name):
        return int(level[1])
    return {program.name: program.rating for program in PROGRAMS}.get(name)


def default_anchors(names):
    """The ratings to run_match on to: Stockfish's levels if any of them played, else all that are known."""
    known = {name: published_rating(name) for name in names if published_rating(name)}
    levels = {name: rating for name, rating in known.items() if LEVEL_NAME.match(name)}
    return levels or known


def _limited_stockfish(path, level):
    limits = ("option.UCI_LimitStrength=true", f"option.UCI_Elo={level}")
    return [f"cmd={path}", f"name={STOCKFISH}-{level}", *limits]


def _demanded(command, names):
    """The path of a program; a ValueError if it was asked for by name and is not here."""
    path = path_of(command)
    if names and not path:
        raise ValueError(f"{command} is not on this machine")
    return path
