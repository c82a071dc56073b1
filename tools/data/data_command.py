"""`bluekrait data`: look into files of labelled positions, check them, shuffle them."""

import sys
from itertools import islice

from bluekrait.core.board import Position
from bluekrait.core.notation.fen import format_fen
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.tools.common.command_line import Parser
from bluekrait.tools.data.sample_file import opened, read_blocks, survey
from bluekrait.tools.data.samples import SAMPLE, WON, short_move, unpack_sample
from bluekrait.uci.exits import FAILED, SUCCESS, WRONG_ARGUMENTS, fail

PROGRAM = "bluekrait data"
NO_MOVE = "-"  # where a sample tells none
MEGABYTES = 1024  # of memory that shuffling may take

EXAMPLES = """\
examples:
  bluekrait data stats positions.bks               how many, how won, how difficult, how often the same
  bluekrait data stats one.bks two.bks --plot distribution.png
  bluekrait data check *.bks                       is every checksum right? the exit code tells
  bluekrait data show positions.bks -n 20          the first positions as text: FEN; result; score; move
  bluekrait data shuffle one.bks two.bks -o mixed.bks --seed 7

Such files are written by bluekrait datagen; their format is told in docs/laboratory/data.md.
"""


def main(arguments=None):
    """Do what the first argument names; the exit code."""
    options = parser().parse_args(arguments)
    try:
        return options.command(options)
    except BrokenPipeError:  # nobody reads on, which is no fault of the files
        raise
    except (OSError, ValueError) as error:
        return fail(error, WRONG_ARGUMENTS, f"{PROGRAM} {options.name}")


def parser():
    """What the command line may say."""
    parser = Parser(
        prog=PROGRAM,
        description="Look into files of labelled positions, check them, shuffle them.",
        epilog=EXAMPLES,
    )
    commands = parser.add_subparsers(dest="name", metavar="COMMAND", required=True)

    stats = _command(commands, "stats", _stats, "count what is in the files, all of them together")
    stats.add_argument("--plot", metavar="PICTURE", help="draw the distributions too (.png, .svg, .pdf)")

    _command(commands, "check", check, "verify the checksums; exit code 1 if anything is torn or damaged")

    show = _command(commands, "show", show_samples, "print positions as text: FEN; result; score; move")
    show.add_argument("-n", type=int, default=10, metavar="N", help="how many, 0 for all (10)")
    show.add_argument("--skip", type=int, default=0, metavar="N", help="leave out so many before (0)")

    shuffle = _command(commands, "shuffle", _shuffle, "write all positions of the files in random order")
    shuffle.add_argument("-o", "--output", metavar="OUT", required=True, help="the file to write")
    shuffle.add_argument("--seed", type=int, default=1, help="another seed, another order (1)")
    shuffle.add_argument(
        "--memory", type=int, default=MEGABYTES, metavar="MB", help=f"use about so much memory ({MEGABYTES})"
    )
    return parser


def _command(commands, name, function, text):
    command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    command.add_argument("files", nargs="+", metavar="FILE", help="what bluekrait datagen wrote")
    command.set_defaults(command=function)
    return command


def _stats(options):
    from bluekrait.tools.data.sample_statistics import print_stats

    return print_stats(options.files, options.plot)


def _shuffle(options):
    from bluekrait.tools.data.shuffle import shuffle

    return shuffle(options.files, options.output, options.seed, options.memory)


# --- check ----------------------------------------------------------------------------------------


def check(options):
    """Say of each file whether it is whole; 1 if one is not."""
    flaws = 0
    for name in options.files:
        with opened(name) as data:
            contents = survey(data)
        found = list(flaws_of(contents))
        flaws += len(found)
        print(f"{name}: {contents.samples} positions in {contents.blocks} blocks, {'; '.join(found) or 'ok'}")
    return FAILED if flaws else SUCCESS


def flaws_of(contents):
    """What is wrong with a file, in words."""
    for start, end in contents.damage:
        yield f"damaged from byte {start} to {end}"
    if contents.torn:
        yield f"torn at byte {contents.end}, the last {contents.torn} bytes are no whole block"
    repeated = contents.blocks - len(contents.games)
    if repeated:
        yield f"{repeated} games are there twice"


# --- show -----------------------------------------------------------------------------------------


def show_samples(options):
    """Print samples as text."""
    from bluekrait.search.engine import load_engine

    engine = load_engine()
    last = options.skip + options.n if options.n else None
    for packed in islice(packed_samples(options.files), options.skip, last):
        print(sample_text(unpack_sample(packed), engine))
    return SUCCESS


def packed_samples(names):
    """All samples of some files, one after the other."""
    for name in names:
        with opened(name) as data:
            for block in read_blocks(data):
                for start in range(0, len(block.body), SAMPLE.size):
                    yield block.body[start : start + SAMPLE.size]


def sample_text(sample, engine):
    """A sample as a line of text, see `tools.data.samples`; the engine knows what its move is called."""
    black = sample.ply & 1
    fen = format_fen(Position(sample.board, 0, sample.clock, sample.ply))
    result = (WON - sample.result if black else sample.result) / 2
    score = -sample.score if black else sample.score
    return f"{fen}; {result:g}; {score}; {_move_text(sample, fen, engine)}"


def _move_text(sample, fen, engine):
    if not sample.move:
        return NO_MOVE
    engine.set_position(fen, [])
    moves = (move for move in engine.legal_moves() if short_move(move) == sample.move)
    return next((move_to_uci(move, engine.turn) for move in moves), NO_MOVE)


if __name__ == "__main__":
    sys.exit(main())
