"""Parse the command line of a match runner: flags, each with the words behind it.

    -engine cmd=./a tc=8+0.08 -rounds 100 -repeat

becomes ("-engine", ["cmd=./a", "tc=8+0.08"]), ("-rounds", ["100"]), ("-repeat", []).
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

FLAG = re.compile(r"-[A-Za-z]")


class Flag(NamedTuple):
    """One flag and its words."""

    name: str
    words: list[str]

    def values(self) -> dict[str, str]:
        """The key=value words."""
        return dict(word.split("=", 1) for word in self.words if "=" in word)


class CommandLine(NamedTuple):
    """A whole command line."""

    flags: list[Flag]

    def all(self, name: str) -> list[Flag]:
        """Every flag with that name."""
        return [flag for flag in self.flags if flag.name == name]

    def has(self, name: str) -> bool:
        """True if the flag was given."""
        return bool(self.all(name))

    def word(self, name: str, default: str) -> str:
        """The first word behind the last flag with that name."""
        given = [flag.words[0] for flag in self.all(name) if flag.words]
        return given[-1] if given else default

    def number(self, name: str, default: int, least: int = 0) -> int:
        """That word as a whole number; ValueError if it is none, or less than `least`."""
        text = self.word(name, str(default))
        if not text.isdecimal() or int(text) < least:
            raise ValueError(f"{name} {text}: a whole number of at least {least} is expected")
        return int(text)


def parse_line(arguments: Iterable[str]) -> CommandLine:
    """Parse a command line; ValueError if it does not begin with a flag."""
    flags: list[Flag] = []
    for word in arguments:
        if FLAG.match(word):
            flags.append(Flag(word, []))
        elif flags:
            flags[-1].words.append(word)
        else:
            raise ValueError(f"{word!r}: expected a flag like -engine")
    return CommandLine(flags)


def rounds_and_games(line: CommandLine) -> tuple[int, int]:
    """The number of rounds, and of games in each: one, or two with the same opening.

    Older workers give the number of all games, `-games 64 -repeat`; newer ones `-rounds 32 -games 2`.
    """
    games = line.number("-games", 1, least=1)
    if line.has("-rounds"):
        return line.number("-rounds", 1, least=1), min(games, 2)
    if line.has("-repeat"):
        return max(1, games // 2), 2
    return games, 1


def pgn_file(line: CommandLine) -> str | None:
    """The file for the games: `-pgnout FILE` or `-pgnout file=FILE`; None without the flag."""
    for flag in line.all("-pgnout"):
        return flag.values().get("file") or (flag.words[0] if flag.words else None)
    return None
