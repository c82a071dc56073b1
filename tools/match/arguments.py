"""What the command lines of `bluekrait match`, `sprt` and `gauntlet` share.

They accept the language of fastchess and cutechess-cli, so that a command line written for those works here:
key=value words after an option, and one dash is as good as two.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence

from bluekrait.tools.common.command_line import at_least_one, file_to_write, printable, whole_number
from bluekrait.tools.match.external.runner_command import KNOWN_RUNNERS
from bluekrait.tools.match.setup.adjudication import DRAW, RESIGN, parse_rules
from bluekrait.tools.match.setup.contest import GAUNTLET, ROUND_ROBIN, Rules
from bluekrait.tools.match.setup.engine_spec import split_words

TC = "8+0.08"  # the default time control
OTHER_SPELLINGS = {
    "pgnout": "pgn",
    "srand": "seed",
    "maxmoves": "max-moves",
    "tournament": "scheme",
    "use-affinity": "affinity",
    "round-robin": "roundrobin",
}
# Options of other runners that are ignored: they are always on here, or change no game.
ALWAYS_ON = ("repeat", "recover", "force-concurrency", "testEnv")
ONLY_PRINTED = (
    "output",
    "log",
    "debug",
    "ratinginterval",
    "scoreinterval",
    "outcomeinterval",
    "show-latency",
    "site",
    "epdout",
    "config",
)
WITHOUT_EFFECT = (
    *ALWAYS_ON,
    *ONLY_PRINTED,
    "resultformat",
    "autosaveinterval",
    "wait",
    "crc32",
    "strict",
    "bookmode",
    "check-mate-pvs",
    "startup-ms",
    "ucinewgame-ms",
    "ping-ms",
)

ENGINES = """\
engines: --engine PROGRAM, or key=value words:
  cmd=PROGRAM          the program to start; cmd=bluekrait needs no path
  name=NAME            its name in the results (the program's name)
  proto=uci|xboard     its protocol (uci)
  option.NAME=VALUE    one of its options, such as option.Hash=16
  tc=8+0.08            its clock in seconds: 40/60+0.5 is 60 s for 40 moves, 1:30+1 is 90 s
  st=0.1  nodes=20000  depth=8       other limits for each move
  timemargin=MS        overrun of a move that is forgiven (0)
  arg=WORD  dir=FOLDER  restart=on   an argument, working directory, a new process for every game
"""


def add_common_options(parser: argparse.ArgumentParser, pgn: str, drawn: str = "Elo against games") -> None:
    """The options of every contest: `pgn` is the default file for the games, `drawn` what --plot draws."""
    add = parser.add_argument
    add("--engine", action="append", nargs="+", metavar="WORD", help="an engine, see below")
    each = "words for all engines: --each tc=8+0.08 option.Hash=16"
    add("--each", action="append", nargs="+", default=[], metavar="WORD", help=each)
    add("--tc", help=f"short for --each tc=... ({TC} if no engine has a time limit)")
    openings = "EPD or PGN file, then words: order=random|sequential plies=N start=N format=epd|pgn"
    add("--openings", nargs="+", metavar="WORD", help=openings)
    add("--seed", type=whole_number, default=0, metavar="N", help="seed of order=random (%(default)s)")
    concurrency = "games at a time (processors divided by the threads of an engine)"
    add("--concurrency", type=at_least_one, metavar="N", help=concurrency)
    affinity = "bind each game to processors of its own: of all, or of a list (0,2-5)"
    add("--affinity", nargs="?", const="", metavar="CPUS", help=affinity)
    runner = f"program that plays the games: auto, {', '.join(KNOWN_RUNNERS)}, builtin, or a path (auto)"
    add("--runner", default="auto", metavar="RUNNER", help=runner)
    add("--cluster", metavar="ADDRESS", help="play on the workers of the Dask scheduler at this address")
    for name, defaults, kind in (("resign", RESIGN, "lost"), ("draw", DRAW, "drawn")):
        text = f"adjudicate {kind} games: {_shown(defaults)}"
        add(f"--{name}", action="extend", nargs="*", metavar="WORD", help=text)
    add("--tb", metavar="DIRS", help="adjudicate by the Syzygy tables in these directories")
    pieces = "probe the tables with at most N pieces (all that the tables have)"
    add("--tbpieces", type=at_least_one, default=0, metavar="N", help=pieces)
    add("--tbignore50", action="store_true", help="ignore the fifty-move rule in the tables")
    longest = "adjudicate a draw after N moves (no limit)"
    add("--max-moves", type=at_least_one, default=0, metavar="N", help=longest)
    add("--variant", choices=("standard", "fischerandom"), default="standard", help="rules (%(default)s)")
    add("--event", type=printable, default="BlueKrait match", help="Event tag in the PGN (%(default)s)")
    kept = f"file for the games; the same command again continues the match ({pgn})"
    add("--pgn", nargs="+", type=file_to_write, default=[pgn], metavar="FILE", help=kept)
    add("--overwrite", action="store_true", help="start again: delete the games in that file")
    add("--report", type=_page, metavar="FILE.html", help="write a report at the end")
    add("--plot", metavar="FILE", help=f"draw {drawn} (.png, .svg, .pdf)")
    for option in WITHOUT_EFFECT:
        add(f"--{option}", nargs="*", help=argparse.SUPPRESS)


def normalised(arguments: Iterable[str]) -> list[str]:
    """Arguments with two dashes instead of one, and our names of options that others call otherwise."""
    result = []
    for argument in arguments:
        word = argument.lstrip("-")
        if argument.startswith("-") and len(word) > 1 and word[0].isalpha():
            name, equals, value = word.partition("=")
            argument = f"--{OTHER_SPELLINGS.get(name, name)}{equals}{value}"
        result.append(OTHER_SPELLINGS[argument] if argument == "round-robin" else argument)
    return result


def key_values(words: Sequence[str] | None, defaults: Mapping[str, str], option: str) -> dict[str, str]:
    """The values of an option's key=value words, with defaults; ValueError for an unknown word."""
    values = dict(defaults)
    for word in split_words(words) if words else ():
        key, equals, value = word.partition("=")
        if not equals or key not in defaults:
            known = ", ".join(f"{key}=..." for key in defaults)
            raise ValueError(f"{option} {word}: unknown word, expected {known}")
        values[key] = value
    return values


def rules_of(options: argparse.Namespace) -> Rules:
    """The adjudication rules that the options describe."""
    return parse_rules(
        None if options.resign is None else key_values(options.resign, RESIGN, "--resign"),
        None if options.draw is None else key_values(options.draw, DRAW, "--draw"),
        options.max_moves,
        options.tb or "",
        options.tbpieces,
        options.tbignore50,
    )


def file_of(words: Sequence[str]) -> str:
    """The file that `--pgn` names; words for other runners are ignored."""
    if len(words) == 1 and "=" not in words[0]:
        return words[0]  # a name may have spaces
    words = split_words(words)
    named = [word.removeprefix("file=") for word in words if word.startswith("file=") or "=" not in word]
    if not named:
        raise ValueError(f"--pgn {' '.join(words)}: no file is named")
    return named[0]


def _page(text: str) -> str | None:
    """The value of --report; None for that of fastchess, which chooses what is printed."""
    return None if text.startswith("penta=") else file_to_write(text)


def scheme_of(text: str) -> str:
    """The value of --scheme."""
    text = OTHER_SPELLINGS.get(text, text)
    if text not in (GAUNTLET, ROUND_ROBIN):
        raise argparse.ArgumentTypeError(f"{text!r} is neither {GAUNTLET} nor {ROUND_ROBIN}")
    return text


def _shown(defaults: Mapping[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in defaults.items())
