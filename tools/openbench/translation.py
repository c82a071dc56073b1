"""Translate a worker's command line for the installed runner: fastchess or cutechess-cli."""

from collections.abc import Iterable

from bluekrait.tools.common import shell_words
from bluekrait.tools.match.external.runner_command import CUTECHESS
from bluekrait.tools.openbench.flags import CommandLine, pgn_file, rounds_and_games

# Flags that only one of the two knows, and that a match does not need.
FASTCHESS_ONLY = {"-testEnv", "-force-concurrency", "-use-affinity", "-crc32", "-report", "-quick", "-output"}
FASTCHESS_ONLY |= {"-autosaveinterval", "-show-latency", "-strict", "-check-mate-pvs"}
FASTCHESS_ONLY |= {"-startup-ms", "-ucinewgame-ms", "-ping-ms"}
CUTECHESS_ONLY = {"-wait", "-debug", "-resultformat", "-outcomeinterval"}

REPLACED = {"-rounds", "-games", "-repeat", "-pgnout"}


def translated(line: CommandLine, kind: str) -> list[str]:
    """The words behind the runner's name."""
    unknown = FASTCHESS_ONLY if kind == CUTECHESS else CUTECHESS_ONLY
    words: list[str] = []
    for name, behind in line.flags:
        if name in ("-engine", "-each"):
            words += [name, *engine_words(behind, kind)]
        elif name not in REPLACED | unknown:
            words += [name, *behind]
    return words + schedule_words(line, kind) + pgn_words(line, kind)


def engine_words(words: Iterable[str], kind: str) -> list[str]:
    """The words for an engine; fastchess has args=..., cutechess-cli has arg=... for each argument."""
    words = list(words)
    translated_words: list[str] = []
    for word in words:
        key, _, value = word.partition("=")
        if key == "args" and kind == CUTECHESS:
            translated_words += [f"arg={argument}" for argument in shell_words.split(value)]
        elif key != "arg" or kind == CUTECHESS:
            translated_words.append(word)
    single = [word.removeprefix("arg=") for word in words if word.startswith("arg=")]
    if single and kind != CUTECHESS:
        translated_words.append(f"args={shell_words.join(single)}")
    return translated_words


def schedule_words(line: CommandLine, kind: str) -> list[str]:
    """The words for the number of games."""
    rounds, games = rounds_and_games(line)
    words = ["-rounds", str(rounds), "-games", str(games)]
    return words + ["-repeat"] if games == 2 and kind == CUTECHESS else words


def pgn_words(line: CommandLine, kind: str) -> list[str]:
    """The words for the PGN file, and for what it records."""
    path = pgn_file(line)
    if not path:
        return []
    if kind == CUTECHESS:
        return ["-pgnout", path]
    noted = line.all("-pgnout")[0].values() | {"file": path}
    return ["-pgnout", *(f"{key}={value}" for key, value in noted.items())]
