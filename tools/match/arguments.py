"""What the command lines of `bluekrait match` and `bluekrait sprt` have in common.

They speak the language of fastchess and cutechess-cli, so that a line written for those works here: words of
the form key=value after an option, and one dash is as good as two.
"""

import argparse

from bluekrait.tools.common.command_line import at_least_one
from bluekrait.tools.match.external.runner_command import KNOWN_RUNNERS
from bluekrait.tools.match.runner.referee_tables import open_tables
from bluekrait.tools.match.setup.contest import GAUNTLET, ROUND_ROBIN, Rules
from bluekrait.tools.match.setup.engine_spec import split_words

TC = "8+0.08"  # if nothing is said about time
RESIGN = {"movecount": "3", "score": "600", "twosided": "false"}  # what --resign alone means
DRAW = {"movenumber": "34", "movecount": "8", "score": "20"}
OTHER_SPELLINGS = {
    "pgnout": "pgn",
    "srand": "seed",
    "maxmoves": "max-moves",
    "tournament": "scheme",
    "use-affinity": "affinity",
    "round-robin": "roundrobin",
}

ENGINES = """\
engines: --engine PROGRAM, or words:
  cmd=PROGRAM          how to start it; cmd=bluekrait needs no path
  name=NAME            what to call it
  proto=uci|xboard     what it speaks (uci)
  option.NAME=VALUE    its options, such as option.Hash=16
  tc=8+0.08            its time in seconds: 40/60+0.5 is 60 s for 40 moves, 1:30+1 is 90 s
  st=0.1  nodes=20000  depth=8       other limits for each move
  timemargin=MS        how much later a move may come
  arg=WORD  dir=FOLDER  restart=on   arguments, working directory, a new process for every game
"""


def add_common_options(parser, pgn):
    """The options of every contest; the PGN goes to a file of that name if nothing else is said."""
    add = parser.add_argument
    add("--engine", action="append", nargs="+", metavar="WORD", help="one that plays, see below")
    each = "words for all engines: --each tc=8+0.08 option.Hash=16"
    add("--each", nargs="+", default=[], metavar="WORD", help=each)
    add("--tc", help=f"short for --each tc=... ({TC} if nothing is said about time)")
    openings = "EPD or PGN file; words: order=random|sequential plies=N start=N format=epd|pgn"
    add("--openings", nargs="+", metavar="WORD", help=openings)
    add("--seed", type=int, default=0, metavar="N", help="of the order of the openings (%(default)s)")
    at_a_time = "games at a time (as many as there are processors for their engines)"
    add("--concurrency", type=at_least_one, metavar="N", help=at_a_time)
    own = "give each game processors of its own: of all there are, or of some (0,2-5)"
    add("--affinity", nargs="?", const="", metavar="CPUS", help=own)
    add(
        "--runner",
        default="auto",
        metavar="WHO",
        help=f"auto, {', '.join(KNOWN_RUNNERS)}, builtin, or a path (auto)",
    )
    add("--cluster", metavar="ADDRESS", help="let the workers of the Dask scheduler at that address play")
    add("--resign", nargs="*", metavar="WORD", help=f"end lost games: {_shown(RESIGN)}")
    add("--draw", nargs="*", metavar="WORD", help=f"end drawn games: {_shown(DRAW)}")
    add("--tb", metavar="DIRS", help="end games that the Syzygy tables of some directories decide")
    add("--tbpieces", type=at_least_one, default=0, metavar="N", help="with so many pieces at most")
    add("--tbignore50", action="store_true", help="wins that take more than fifty moves are wins")
    add("--max-moves", type=at_least_one, default=0, metavar="N", help="a longer game is drawn")
    add("--variant", choices=("standard", "fischerandom"), default="standard", help="(%(default)s)")
    add("--event", default="BlueKrait match", help="name of the event in the PGN (%(default)s)")
    kept = f"where to keep the games; the same command again goes on where it was ({pgn})"
    add("--pgn", nargs="+", default=[pgn], metavar="FILE", help=kept)
    add("--overwrite", action="store_true", help="begin anew, forgetting the games in that file")
    add("--report", metavar="FILE.html", help="write a report when it is over")
    add("--plot", metavar="FILE", help="draw how it went, as .svg, .png or .pdf")
    for habit in ("--repeat", "--recover"):  # so it is always
        add(habit, nargs="?", const=True, help=argparse.SUPPRESS)


def normalised(arguments):
    """Arguments with two dashes where one was written, and the spelling of ours where it is another's."""
    spelt = []
    for argument in arguments:
        word = argument.lstrip("-")
        if argument.startswith("-") and len(word) > 1 and word[0].isalpha():
            name, equals, value = word.partition("=")
            argument = f"--{OTHER_SPELLINGS.get(name, name)}{equals}{value}"
        spelt.append(OTHER_SPELLINGS.get(argument, argument) if argument == "round-robin" else argument)
    return spelt


def key_values(words, defaults, option):
    """The values of an option's words by their keys, with defaults; ValueError for any other word."""
    values = dict(defaults)
    for word in split_words(words) if words else ():
        key, equals, value = word.partition("=")
        if not equals or key not in defaults:
            raise ValueError(f"{option} {word}: its words are {', '.join(f'{key}=...' for key in defaults)}")
        values[key] = value
    return values


def parse_rules(options):
    """When games are ended early."""
    rules = Rules(max_moves=options.max_moves)
    if options.tb:
        open_tables(options.tb)
        rules = rules._replace(
            tables=options.tb, table_pieces=options.tbpieces, tables_ignore_fifty=options.tbignore50
        )
    if options.resign is not None:
        words = key_values(options.resign, RESIGN, "--resign")
        rules = rules._replace(
            resign_moves=_number(words["movecount"], "--resign movecount", 1),
            resign_score=_number(words["score"], "--resign score"),
            resign_twosided=words["twosided"] == "true",
        )
    if options.draw is not None:
        words = key_values(options.draw, DRAW, "--draw")
        rules = rules._replace(
            draw_moves=_number(words["movecount"], "--draw movecount", 1),
            draw_score=_number(words["score"], "--draw score"),
            draw_from=_number(words["movenumber"], "--draw movenumber"),
        )
    return rules


def file_of(words):
    """The file that `--pgn` names, whatever else a line written for another runner says with it."""
    if len(words) == 1 and "=" not in words[0]:
        return words[0]  # a name may have spaces
    words = split_words(words)
    named = [word.removeprefix("file=") for word in words if word.startswith("file=") or "=" not in word]
    if not named:
        raise ValueError(f"--pgn {' '.join(words)}: no file is named")
    return named[0]


def scheme_of(text):
    """The scheme in our word."""
    text = OTHER_SPELLINGS.get(text, text)
    if text not in (GAUNTLET, ROUND_ROBIN):
        raise argparse.ArgumentTypeError(f"{text!r} is neither {GAUNTLET} nor {ROUND_ROBIN}")
    return text


def _number(text, what, least=0):
    number = int(text) if text.isascii() and text.isdigit() else -1
    if number < least:
        raise ValueError(f"{what} is a number of at least {least}, not {text!r}")
    return number


def _shown(defaults):
    return " ".join(f"{key}={value}" for key, value in defaults.items())
