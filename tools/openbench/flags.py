"""The command line of a match runner, taken apart: flags, each with the words behind it.

    -engine cmd=./a tc=8+0.08 -rounds 100 -repeat

becomes ("-engine", ["cmd=./a", "tc=8+0.08"]), ("-rounds", ["100"]), ("-repeat", []).
"""

import re
from typing import NamedTuple

FLAG = re.compile(r"-[A-Za-z]")


class Flag(NamedTuple):
    """One flag and its words."""

    name: str
    words: list

    def values(self):
        """The words of the form key=value."""
        return dict(word.split("=", 1) for word in self.words if "=" in word)


class CommandLine(NamedTuple):
    """A whole command line."""

    flags: list

    def all(self, name):
        """Every flag of that name."""
        return [flag for flag in self.flags if flag.name == name]

    def has(self, name):
        """True if the flag was given."""
        return bool(self.all(name))

    def word(self, name, default=None):
        """The first word behind the last flag of that name."""
        given = [flag.words[0] for flag in self.all(name) if flag.words]
        return given[-1] if given else default

    def number(self, name, default):
        """The same as a whole number; ValueError if it is none."""
        text = self.word(name, str(default))
        if not text.isdigit():
            raise ValueError(f"{name} {text}: a whole number is expected")
        return int(text)


def parse_line(arguments):
    """Take a command line apart; ValueError if it does not begin with a flag."""
    flags = []
    for word in arguments:
        if FLAG.match(word):
            flags.append(Flag(word, []))
        elif flags:
            flags[-1].words.append(word)
        else:
            raise ValueError(f"{word!r}: a flag is expected, like -engine")
    return CommandLine(flags)


def rounds_and_games(line):
    """Rounds, and games in each: one, or two that share an opening.

    Older workers say how many games there are in all, `-games 64 -repeat`; newer ones, `-rounds 32 -games 2`.
    """
    games = line.number("-games", 1)
    if line.has("-rounds"):
        return line.number("-rounds", 1), min(games, 2)
    if line.has("-repeat"):
        return max(1, games // 2), 2
    return games, 1


def pgn_file(line):
    """Where the games are written, None for nowhere: `-pgnout FILE` or `-pgnout file=FILE`."""
    for flag in line.all("-pgnout"):
        return flag.values().get("file") or (flag.words[0] if flag.words else None)
    return None
