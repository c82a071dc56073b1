"""The words that describe an engine: `cmd=... name=... tc=8+0.08 option.Hash=16`, as match runners have them.

The friendly form is a command alone, with words after it: `--engine ./mine`, `--engine "./mine tc=5+0.05"`.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from bluekrait.core.compiler import cache, sources
from bluekrait.search.engine import ENTRIES_MODULE
from bluekrait.tools.common import shell_words
from bluekrait.tools.match.setup.time_control import TimeControl, parse_time_control

KEYS = ("cmd", "name", "proto", "arg", "args", "dir", "tc", "st", "nodes", "depth", "plies", "timemargin")
KEYS += ("restart",)
PROTOCOLS = ("uci", "xboard")
OURSELVES = "bluekrait"  # needs no path: it is this very program
OUR_MODULE = "bluekrait.uci"


class EngineSpec(NamedTuple):
    """An engine that takes part: how to start it, what to tell it, and the time it has."""

    name: str
    command: tuple  # the program and its arguments
    protocol: str = "uci"
    directory: str = ""
    options: tuple = ()  # pairs of name and value
    time: TimeControl = TimeControl()
    restart: bool = False  # before every game

    @property
    def threads(self):
        """Cores that it keeps busy, as far as its options tell."""
        values = [value for name, value in self.options if name.lower() in ("threads", "cores")]
        return int(values[-1]) if values and values[-1].isdigit() else 1


def split_words(texts):
    """The words of `--engine ...`: what a shell left in one piece is taken apart, unless it is a program."""
    if len(texts) > 1 or os.path.exists(texts[0]):
        return list(texts)
    try:
        return shell_words.split(texts[0])
    except ValueError as error:
        raise ValueError(f"{texts[0]!r}: {error}") from None


def parse_engine(words, common=()):
    """The engine that some words describe, after those that all engines share; ValueError if that fails."""
    words = list(words)
    if not words:
        raise ValueError("an engine needs a command")
    bare = _is_bare(words[0])
    head, arguments, known = ([f"cmd={words.pop(0)}"] if bare else []), [], []
    for word in words:
        (arguments if bare and _is_bare(word) else known).append(word)
    settings = _Settings()
    for word in (*common, *head, *known):
        settings.take(word)
    return settings.engine(arguments)


def parse_common(words):
    """Check the words of `--each`, which every engine gets before its own; the words."""
    settings = _Settings()
    for word in words:
        settings.take(word)
        if word.startswith(("cmd=", "name=")):
            raise ValueError(f"--each {word}: engines do not share that")
    return tuple(words)


def with_distinct_names(engines):
    """The engines, renamed where two have one name: a PGN could not tell them apart."""
    taken, renamed = set(), []
    for engine in engines:
        name, number = engine.name, 1
        while name in taken:
            number += 1
            name = f"{engine.name}-{number}"
        taken.add(name)
        renamed.append(engine._replace(name=name))
    return tuple(renamed)


def fingerprint(engine):
    """Everything about an engine that may change how it plays, for comparison."""
    return {
        "name": engine.name,
        "command": list(engine.command),
        "program": _our_sources() if OUR_MODULE in engine.command else _digest(engine.command[0]),
        "protocol": engine.protocol,
        "options": [list(pair) for pair in engine.options],
        "time": list(engine.time),
    }


def _our_sources():
    """A name for this program: what it was compiled with, and the sources of all that chooses a move."""
    return f"{cache.fingerprint()}-{sources.digest_of('bluekrait.search.engine', ENTRIES_MODULE)}"


def _digest(path):
    with open(path, "rb") as file:
        digest = hashlib.sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:16]


def _is_bare(word):
    key, equals, _ = word.partition("=")
    return not equals or not (key in KEYS or key.startswith("option."))


class _Settings:
    """Words taken in one by one; later ones win."""

    def __init__(self):
        self._values, self._options, self._arguments = {}, {}, []
        self._time = TimeControl()

    def take(self, word):
        """Remember what one word says."""
        key, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{word!r} is not of the form key=value")
        if key.startswith("option.") and len(key) > len("option."):
            self._options[key.removeprefix("option.")] = value
        elif key in ("arg", "args"):
            self._arguments += [value] if key == "arg" else shell_words.split(value)
        elif key in ("tc", "st", "nodes", "depth", "plies", "timemargin"):
            self._time = _timed(self._time, key, value)
        elif key in KEYS:
            self._values[key] = value
        else:
            raise ValueError(f"{key!r} is none of {', '.join(KEYS)}, option.NAME")

    def engine(self, arguments):
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
            self._values.get("name") or _name_of(text),
            command,
            protocol,
            directory and os.path.abspath(directory),
            tuple(self._options.items()),
            self._time,
            self._values.get("restart", "off") in ("on", "true"),
        )


def _timed(control, key, value):
    """A time control after another word."""
    if key == "tc":
        clock = parse_time_control(value)
        return control._replace(
            seconds=clock.seconds, increment=clock.increment, moves=clock.moves, move_time=0.0
        )
    try:
        if key == "st":
            return control._replace(move_time=_positive(float(value)), seconds=0.0, increment=0.0, moves=0)
        if key == "timemargin":
            return control._replace(margin=int(value) / 1000)
        number = _positive(int(value))
    except ValueError:
        raise ValueError(f"{key}={value}: a positive number is expected") from None
    return control._replace(nodes=number) if key == "nodes" else control._replace(depth=number)


def _positive(number):
    if not 0 < number < 1e15:
        raise ValueError
    return number


def _name_of(text):
    program = text if os.path.exists(text) else shell_words.split(text)[0]
    return Path(program).name


def _found(text, directory):
    """The program with its arguments, the program by its full path; ValueError if there is none."""
    words = [text] if os.path.exists(text) else shell_words.split(text)
    program, *rest = words or [text]
    for place in ("", directory):
        path = os.path.abspath(os.path.join(place, program))
        if os.path.dirname(program) and os.access(path, os.X_OK) and os.path.isfile(path):
            return [path, *rest]
    found = shutil.which(program) or shutil.which(os.path.abspath(os.path.join(directory, program)))
    if found:
        return [os.path.abspath(found), *rest]
    if program == OURSELVES:
        return [sys.executable, "-m", OUR_MODULE, *rest]
    kind = "cannot be executed" if os.path.exists(program) else "is not there"
    raise ValueError(f"the engine {program} {kind}")
