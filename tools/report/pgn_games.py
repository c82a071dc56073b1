"""Read a PGN file quickly: the tags of every game, and its moves as text."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bluekrait.tools.common.pgn_splitter import OLD_ENCODING

WHITE_POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
UNFINISHED = "*"
FIRST_TAG = "Event"  # of a game, by the standard
TAG = re.compile(r'\[(\w+) "(.*)"\]\s*$')
COMMENT = re.compile(r"\{[^}]*\}?|;[^\n]*|\$\d+")


class PgnGame(NamedTuple):
    """One game."""

    number: int  # in the file, from 1
    tags: dict[str, str]
    text: str  # moves and comments

    @property
    def white(self) -> str:
        """White's name."""
        return self.tags.get("White", "?")

    @property
    def black(self) -> str:
        """Black's name."""
        return self.tags.get("Black", "?")

    @property
    def result(self) -> str:
        """The Result tag."""
        return self.tags.get("Result", UNFINISHED)

    @property
    def round(self) -> str:
        """The Round tag."""
        return self.tags.get("Round", "?")

    @property
    def ending(self) -> str:
        """The Termination tag."""
        return self.tags.get("Termination", "normal")

    @property
    def is_finished(self) -> bool:
        """True if it has a result."""
        return self.result in WHITE_POINTS

    @property
    def moves(self) -> str:
        """The moves without comments."""
        return " ".join(COMMENT.sub(" ", self.text).split())

    def points_of(self, player: str) -> float:
        """The points of a player."""
        white = WHITE_POINTS[self.result]
        return white if player == self.white else 1 - white


def read_games(path: str | Path) -> Iterator[PgnGame]:
    """Every game of a PGN file, finished or not, in the file's order.

    A line that is not UTF-8 is read as Windows-1252, which old databases use.
    """
    tags: dict[str, str] = {}
    text: list[str] = []
    number = 0
    with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
        for line in map(_in_unicode, file):
            tag = TAG.match(line) if line.startswith("[") else None
            if tag and (text or tag[1] == FIRST_TAG and tags):  # one without moves may have no text at all
                number += 1
                yield PgnGame(number, tags, "".join(text).strip())
                tags, text = {}, []
            if tag:
                tags[tag[1]] = tag[2].replace('\\"', '"').replace("\\\\", "\\")
            elif tags and (text or line.strip()):
                text.append(line)
    if tags:
        yield PgnGame(number + 1, tags, "".join(text).strip())


def _in_unicode(line: str) -> str:
    """A line whose bytes that are not UTF-8 were kept as surrogates, without them."""
    if line.isascii():
        return line
    content = line.encode("utf-8", "surrogateescape")
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode(OLD_ENCODING, errors="replace")
