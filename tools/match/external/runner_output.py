"""What fastchess and cutechess-cli print and write, and what of it is worth knowing."""

import re
from typing import NamedTuple

from bluekrait.tools.match.results.finished_games import (
    ABANDONED,
    NORMAL,
    RULES_INFRACTION,
    UNKNOWN,
    FinishedGame,
)
from bluekrait.tools.match.setup.opening_files import NEW_GAME

STARTED = re.compile(r"Started game (\d+) of \d+ \((.+) vs (.+)\)")
WARNING = re.compile(r"(?:Warning|Error|Fatal)\b[;:]?\s*(.*)", re.IGNORECASE)
FASTCHESS_SCORE = re.compile(r"Games: \d+, Wins: (\d+), Losses: (\d+), Draws: (\d+), Points: ")
CUTECHESS_SCORE = re.compile(r"Score of .+ vs .+: (\d+) - (\d+) - (\d+)\s+\[")

TAG = re.compile(r'^\[(\w+) "(.*)"\]\s*$', re.MULTILINE)
LAST_COMMENT = re.compile(r"\{([^{}]*)\}\s*\S+\s*$")
OUR_WORDS = {"illegal move": RULES_INFRACTION, "stalled connection": ABANDONED, "disconnect": ABANDONED}


class RunnerScore(NamedTuple):
    """What a runner has counted for its first engine."""

    wins: int
    losses: int
    draws: int


def started_game(line):
    """The number of the game that a line says has begun; None if it says something else."""
    match = STARTED.match(line)
    return match and int(match[1])


def warning(line):
    """What a line complains about; None if it does not."""
    match = WARNING.match(line)
    return match and match[1]


def score(line):
    """The score that a line tells; None if it tells none."""
    match = FASTCHESS_SCORE.match(line) or CUTECHESS_SCORE.match(line)
    return match and RunnerScore(*map(int, match.groups()))


class PgnTail:
    """Reads a PGN file while it is being written: every game once, as soon as it is complete."""

    def __init__(self, path):
        self._path = path
        self._offset = 0
        self._rest = ""

    def games(self):
        """The texts of the games that have been completed since the last call."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._offset)
                content = file.read()
        except FileNotFoundError:
            return []
        whole = content[: content.rfind(b"\n") + 1]  # no character is cut in two
        self._offset += len(whole)
        *games, self._rest = NEW_GAME.split(self._rest + whole.decode("utf-8", "replace"))
        if is_complete(self._rest):
            games.append(self._rest)
            self._rest = ""
        return [game for game in games if game.strip()]


def is_complete(pgn):
    """True if the text of a game has come to its end."""
    result = dict(TAG.findall(pgn)).get("Result")
    moves = pgn.rpartition("]\n")[2]
    return bool(result) and moves.rstrip().endswith(result) and bool(moves.strip())


def game_of(pgn, scheduled):
    """The record of the game that a runner has played for us; None if it has no result."""
    tags = dict(TAG.findall(pgn))
    if tags.get("Result", UNKNOWN) == UNKNOWN:
        return None
    termination = tags.get("Termination", NORMAL)
    return FinishedGame(
        *scheduled.key,
        tags["White"],
        tags["Black"],
        tags["Result"],
        OUR_WORDS.get(termination, termination),
        reason_of(pgn),
        int(tags.get("PlyCount", 0)),
        seconds_of(tags.get("GameDuration", "")),
        pgn.strip().replace(f'[Round "{tags["Round"]}"]', f'[Round "{scheduled.round_text}"]', 1) + "\n\n",
    )


def round_and_white(pgn):
    """What tells a game from the others of its run."""
    tags = dict(TAG.findall(pgn))
    return tags.get("Round", "").partition(".")[0], tags.get("White", "")


def reason_of(pgn):
    """How the game ended, as its last comment tells."""
    match = LAST_COMMENT.search(pgn)
    return " ".join(match[1].rpartition(", ")[2].split()) if match else ""


def seconds_of(text):
    """The seconds in hours, minutes and seconds."""
    seconds = 0
    for part in text.split(":"):
        seconds = 60 * seconds + (int(part) if part.isdigit() else 0)
    return float(seconds)
