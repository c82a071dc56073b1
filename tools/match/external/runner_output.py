"""Read what fastchess and cutechess-cli print, and the PGN that they write."""

import re
from pathlib import Path
from typing import NamedTuple

from bluekrait.tools.match.results.finished_games import (
    ABANDONED,
    NORMAL,
    RULES_INFRACTION,
    UNKNOWN,
    FinishedGame,
)
from bluekrait.tools.match.setup.contest import ScheduledGame

NEW_GAME = re.compile(r'^(?=\[Event )|(?<=\n\n)(?=\[\w+ ")', re.MULTILINE)
STARTED = re.compile(r"Started game (\d+) of \d+ \((.+) vs (.+)\)")
WARNING = re.compile(r"(?:Warning|Error|Fatal)\b[;:]?\s*(.*)", re.IGNORECASE)
FASTCHESS_SCORE = re.compile(r"Games: \d+, Wins: (\d+), Losses: (\d+), Draws: (\d+), Points: ")
CUTECHESS_SCORE = re.compile(r"Score of .+ vs .+: (\d+) - (\d+) - (\d+)\s+\[")

TAG = re.compile(r'^\[(\w+) "(.*)"\]\s*$', re.MULTILINE)
LAST_COMMENT = re.compile(r"\{([^{}]*)\}\s*\S+\s*$")
OUR_TERMINATIONS = {
    "illegal move": RULES_INFRACTION,
    "stalled connection": ABANDONED,
    "disconnect": ABANDONED,
}


class RunnerScore(NamedTuple):
    """The score of the first engine, as a runner counts it."""

    wins: int
    losses: int
    draws: int


def started_game(line: str) -> int | None:
    """The number of the game in a "Started game" line; None for another line."""
    match = STARTED.match(line)
    return int(match[1]) if match else None


def warning(line: str) -> str | None:
    """The text of a warning or an error; None for another line."""
    match = WARNING.match(line)
    return match[1] if match else None


def score(line: str) -> RunnerScore | None:
    """The score in a line; None for another line."""
    match = FASTCHESS_SCORE.match(line) or CUTECHESS_SCORE.match(line)
    return RunnerScore(*map(int, match.groups())) if match else None


class PgnTail:
    """Reads a PGN file while it is being written: every game once, as soon as it is complete."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._offset = 0
        self._rest = ""

    def games(self) -> list[str]:
        """The texts of the games completed since the last call."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._offset)
                content = file.read()
        except FileNotFoundError:
            return []
        whole = content[: content.rfind(b"\n") + 1]  # not the middle of a character
        self._offset += len(whole)
        text = whole.decode("utf-8", "replace").replace("\r\n", "\n")  # as runners write it on Windows
        *games, self._rest = NEW_GAME.split(self._rest + text)
        if is_complete(self._rest):
            games.append(self._rest)
            self._rest = ""
        return [game for game in games if game.strip()]


def is_complete(pgn: str) -> bool:
    """True if the text of a game ends with its result."""
    result = dict(TAG.findall(pgn)).get("Result")
    moves = pgn.rpartition("]\n")[2]
    return bool(result and moves.strip()) and moves.rstrip().endswith(result or "")


def game_of(pgn: str, scheduled: ScheduledGame) -> FinishedGame | None:
    """The record of a game that a runner has played; None if it has no result."""
    tags: dict[str, str] = dict(TAG.findall(pgn))
    if tags.get("Result", UNKNOWN) == UNKNOWN:
        return None
    termination: str = tags.get("Termination", NORMAL)
    return FinishedGame(
        *scheduled.key,
        tags["White"],
        tags["Black"],
        tags["Result"],
        OUR_TERMINATIONS.get(termination, termination),
        reason_of(pgn),
        int(tags.get("PlyCount", 0)),
        seconds_of(tags.get("GameDuration", "")),
        pgn.strip().replace(f'[Round "{tags["Round"]}"]', f'[Round "{scheduled.round_text}"]', 1) + "\n\n",
    )


def round_and_white(pgn: str) -> tuple[str, str]:
    """The round and White's name, which identify a game of a run."""
    tags = dict(TAG.findall(pgn))
    return tags.get("Round", "").partition(".")[0], tags.get("White", "")


def reason_of(pgn: str) -> str:
    """How the game ended, from its last comment."""
    match = LAST_COMMENT.search(pgn)
    return " ".join(match[1].rpartition(", ")[2].split()) if match else ""


def seconds_of(text: str) -> float:
    """The seconds of a duration in hours, minutes and seconds."""
    seconds = 0
    for part in text.split(":"):
        seconds = 60 * seconds + (int(part) if part.isdecimal() else 0)
    return float(seconds)
