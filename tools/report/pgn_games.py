"""Games as a PGN file has them: the tags that statistics need, read quickly, and the moves as they stand."""

import re
from typing import NamedTuple

WHITE_POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
UNFINISHED = "*"
TAG = re.compile(r'\[(\w+) "(.*)"\]\s*$')
ASIDE = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+")


class PgnGame(NamedTuple):
    """One game."""

    number: int  # in the file, from 1
    tags: dict
    text: str  # moves and comments

    @property
    def white(self):
        """White's name."""
        return self.tags.get("White", "?")

    @property
    def black(self):
        """Black's name."""
        return self.tags.get("Black", "?")

    @property
    def result(self):
        """What the Result tag says."""
        return self.tags.get("Result", UNFINISHED)

    @property
    def round(self):
        """What the Round tag says."""
        return self.tags.get("Round", "?")

    @property
    def ending(self):
        """How the game came to its end."""
        return self.tags.get("Termination", "normal")

    @property
    def is_finished(self):
        """True if it has a result."""
        return self.result in WHITE_POINTS

    @property
    def moves(self):
        """The moves without comments."""
        return " ".join(ASIDE.sub(" ", self.text).split())

    def points_of(self, player):
        """What a player made of it."""
        white = WHITE_POINTS[self.result]
        return white if player == self.white else 1 - white


def read_games(path):
    """Every game of a PGN file, finished or not, in its order."""
    tags, text, number = {}, [], 0
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            tag = TAG.match(line) if line.startswith("[") else None
            if tag and text:
                number += 1
                yield PgnGame(number, tags, "".join(text).strip())
                tags, text = {}, []
            if tag:
                tags[tag[1]] = tag[2].replace('\\"', '"').replace("\\\\", "\\")
            elif tags and (text or line.strip()):
                text.append(line)
    if tags:
        yield PgnGame(number + 1, tags, "".join(text).strip())
