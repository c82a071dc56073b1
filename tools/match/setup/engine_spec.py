"""Engines as command lines describe them: `cmd=... name=... tc=8+0.08 option.Hash=16`, as for fastchess.

The short form is a program, with key=value words after it: `--engine ./mine`, `--engine "./mine tc=5+0.05"`.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from bluekrait.tools.common import shell_words
from bluekrait.tools.common.command_line import printable
from bluekrait.tools.match.setup.time_control import MOST, TimeControl, parse_time_control

TIME_KEYS = ("tc", "st", "nodes", "depth", "plies", "timemargin")
KEYS = ("cmd", "name", "proto", "arg", "args", "dir", *TIME_KEYS, "restart")
PROTOCOLS = ("uci", "xboard")
OURSELVES = "bluekrait"  # needs no path: the program that is running
OUR_MODULE = "bluekrait.uci"
ON, OFF = ("on", "true", "yes", "1"), ("off", "false", "no", "0")


class EngineSpec(NamedTuple):
    """An engine: how to start it, its options, and its time control."""

    name: str
    command: tuple[str, ...]  # the program and its arguments
    protocol: str = "uci"
    directory: str = ""
    options: tuple[tuple[str, str], ...] = ()  # names and values
    time: TimeControl = TimeControl()
    restart: bool = False  # before every game

    @property
    def threads(self) -> int:
        """The number of cores it uses, by its options."""
        values = [value for name, value in self.options if name.lower() in ("threads", "cores")]
        return int(values[-1]) if values and values[-1].isdecimal() else 1


def split_words(texts: Sequence[str]) -> list[str]:
    """The words of an option: a single quoted argument is split, unless it is the path of a file."""
    if len(texts) > 1 or os.path.exists(texts[0]):
        return list(texts)
    try:
        return shell_words.split(texts[0])
    except ValueError as error:
        raise ValueError(f"{texts[0]!r}: {error}") from None


def words_of_all(given: Iterable[Sequence[str]]) -> list[str]:
    """The words of an option that may be given several times, later ones behind earlier ones."""
    return [word for texts in given for word in split_words(texts)]


def parse_engine(words: Iterable[str], common: Iterable[str] = ()) -> EngineSpec:
    """The engine that some words describe, after those for all engines. ValueError if they are invalid."""
    words = list(words)
    if not words:
        raise ValueError("an engine needs a command")
    bare = _is_bare(words[0])
    head = [f"cmd={words.pop(0)}"] if bare else []
    arguments: list[str] = []
    known: list[str] = []
    for word in words:
        (arguments if bare and _is_bare(word) else known).append(word)
    settings = _Settings()
    for word in (*common, *head, *known):
        settings.take(word)
    return settings.engine(arguments)


def parse_common(words: Iterable[str]) -> tuple[str, ...]:
    """The words of `--each`, which come before each engine's own. ValueError if they are invalid."""
    words = tuple(words)
    settings = _Settings()
    for word in words:
        settings.take(word)
        if word.startswith(("cmd=", "name=")):
            raise ValueError(f"--each {word}: a word for one engine only")
    return words


def with_distinct_names(engines: Iterable[EngineSpec]) -> tuple[EngineSpec, ...]:
    """The engines, with a number added to names that occur twice: a PGN could not tell them apart."""
    taken: set[str] = set()
    renamed = []
    for engine in engines:
        name, number = engine.name, 1
        while name in taken:
            number += 1
            name = f"{engine.name}-{number}"
        taken.add(name)
        renamed.append(engine._replace(name=name))
    return tuple(renamed)


def _is_bare(word: str) -> bool:
    """True for a program or an argument: a word without a known key."""
    key, equals, _ = word.partition("=")
    return not equals or not (key in KEYS or key.startswith("option."))


class _Settings:
    """The settings of an engine, word by word; later words replace earlier ones."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._options: dict[str, str] = {}
        self._arguments: list[str] = []
        self._time = TimeControl()

    def take(self, word: str) -> None:
        """Apply one word."""
        key, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{word!r} is not of the form key=value")
        if key.startswith("option.") and len(key) > len("option."):
            self._options[key.removeprefix("option.")] = value
        elif key in ("arg", "args"):
            self._arguments += [value] if key == "arg" else shell_words.split(value)
        elif key in TIME_KEYS:
            self._time = _timed(self._time, key, value)
        elif key in KEYS:
            self._values[key] = value
        else:
            raise ValueError(f"{key!r} is none of {', '.join(KEYS)}, option.NAME")

    def engine(self, arguments: Iterable[str]) -> EngineSpec:
        """The engine that all words together describe."""
        text = self._values.get("cmd")
        if not text:
            raise ValueError("an engine needs cmd=PROGRAM")
        directory = self._values.get("dir", "")
        if directory and not os.path.isdir(directory):
            raise ValueError(f"there is no directory {directory}")
        protocol = self._values.get("proto", "uci")
        if protocol not in PROTOCOLS:
            raise ValueError(f"proto={protocol}: it is uci or xboard")
        command = (*_found(text, directory), *self._arguments, *arguments)
        return EngineSpec(
            printable(self._values.get("name") or _name_of(text)),
            command,
            protocol,
            os.path.abspath(directory) if directory else "",
            tuple(self._options.items()),
            self._time,
            is_on("restart", self._values.get("restart", "off")),
        )


def is_on(key: str, value: str) -> bool:
    """The meaning of a word that switches something on or off."""
    if value.lower() not in (*ON, *OFF):
        raise ValueError(f"{key}={value}: it is on or off")
    return value.lower() in ON


def _timed(control: TimeControl, key: str, value: str) -> TimeControl:
    """The time control with one word applied."""
    if key == "tc":
        clock = parse_time_control(value)
        return control._replace(
            seconds=clock.seconds, increment=clock.increment, moves=clock.moves, move_time=0.0
        )
    try:
        if key == "st":
            return control._replace(move_time=_checked(float(value)), seconds=0.0, increment=0.0, moves=0)
        if key == "timemargin":
            return control._replace(margin=_not_negative(int(value)) / 1000)
        number = int(_checked(int(value)))
    except ValueError:
        raise ValueError(f"{key}={value}: a positive number is expected") from None
    return control._replace(nodes=number) if key == "nodes" else control._replace(depth=number)


def _checked(number: float) -> float:
    """The number if it is positive; ValueError otherwise."""
    if not 0 < number < MOST:
        raise ValueError
    return number


def _not_negative(number: int) -> int:
    """The number unless it is below 0 or too large; ValueError then."""
    if not 0 <= number < MOST:
        raise ValueError
    return number


def _name_of(text: str) -> str:
    program = text if os.path.exists(text) else shell_words.split(text)[0]
    return Path(program).name


def _found(text: str, directory: str) -> list[str]:
    """The full path of a program, and its arguments; ValueError if there is no such program."""
    words = [text] if os.path.exists(text) else shell_words.split(text)
    program, *rest = words or [text]
    if program == OURSELVES:  # whatever else has this name on the PATH
        return [sys.executable, "-m", OUR_MODULE, *rest]
    for place in ("", directory):
        path = os.path.abspath(os.path.join(place, program))
        if os.path.dirname(program) and os.access(path, os.X_OK) and os.path.isfile(path):
            return [path, *rest]
    found = shutil.which(program) or shutil.which(os.path.abspath(os.path.join(directory, program)))
    if found:
        return [os.path.abspath(found), *rest]
    problem = "cannot be executed" if os.path.exists(program) else "does not exist"
    raise ValueError(f"the engine {program} {problem}")
