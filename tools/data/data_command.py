"""`bluekrait data`: look into files of labelled positions, check, convert, filter and shuffle them."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from bluekrait.core.board import Position
from bluekrait.core.move import CASTLING, kind_of, origin_of, target_of
from bluekrait.core.notation.fen import format_fen
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.tools.common.command_line import (
    Parser,
    add_nodes,
    add_places,
    at_least_one,
    file_to_write,
    whole_number,
)
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.data import evaluation_choice
from bluekrait.tools.data.formats.game_file import is_game_file
from bluekrait.tools.data.formats.game_samples import EVERYTHING, TRAINING, Filters
from bluekrait.tools.data.formats.labelled_file import opened, read_blocks, read_contents
from bluekrait.tools.data.formats.sample_file import Contents
from bluekrait.tools.data.formats.samples import SAMPLE, WON, Sample, short_move, unpack_sample
from bluekrait.uci.exits import FAILED, SUCCESS
from bluekrait.uci.streams.output import write

if TYPE_CHECKING:
    from bluekrait.search.engine import Engine

PROGRAM = "bluekrait data"
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"

CHESS_CASTLING = ((4, 0), (4, 7))  # king and rook, as the mover sees them
NO_MOVE = "-"  # where a sample has none
RELABEL_NODES = 1200  # a move
MEGABYTES = 1024  # of memory that shuffling may take

EXAMPLES = """\
examples:
  bluekrait data stats positions.bkg               # numbers, results, scores, duplicates
  bluekrait data stats one.bkg two.bkg --plot distribution.png
  bluekrait data check *.bkg                       # verify all checksums; exit code 1 if one is wrong
  bluekrait data show positions.bkg -n 20          # the first positions as text: FEN; result; score; move
  bluekrait data shuffle one.bkg two.bkg -o mixed.bks --seed 7
  bluekrait data convert games.bkg -o all.bks       # every position, 32 bytes each
  bluekrait data relabel old.bkg -o new.bks --nodes 5000        # search every position again
  bluekrait data relabel old.bkg -o new.bks --evaluation second/network.bknn
  bluekrait data filter games.bkg -o quiet.bks --from-ply 16 --max-score 3000 --no-checks --quiet --dedupe

All commands read files of games (.bkg) and files of single positions (.bks). From games, stats, show and
convert take every position; shuffle, relabel and the training commands take quiet positions only: from ply
16, scores below 3000, no checks, no capture or promotion as the best move. bluekrait datagen writes such
files; docs/laboratory/data.md describes the formats.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the first argument names; the exit code."""
    options = parser().parse_args(arguments)
    reported = with_errors_reported(f"{PROGRAM} {options.name}", continues=options.command is _relabel)
    return reported(options.command)(options)


def parser() -> Parser:
    """The command line parser."""
    parser = Parser(
        prog=PROGRAM,
        description="Look into files of labelled positions, check, convert, filter and shuffle them.",
        epilog=EXAMPLES,
    )
    commands = parser.add_subparsers(dest="name", metavar="COMMAND", required=True)

    stats = _command(commands, "stats", _stats, "print statistics of all files together")
    stats.add_argument("--plot", metavar="FILE", help="also draw the distributions (.png, .svg, .pdf)")

    _command(commands, "check", check, "verify the checksums; exit code 1 if a file is incomplete or damaged")

    show = _command(commands, "show", show_samples, "print positions as text: FEN; result; score; move")
    show.add_argument("-n", type=whole_number, default=10, metavar="N", help="how many, 0 for all (10)")
    show.add_argument(
        "--skip", type=whole_number, default=0, metavar="N", help="positions to skip before (0)"
    )

    convert = _command(commands, "convert", _convert, "write every position of the files, 32 bytes each")
    _add_output(convert)

    sift = _command(commands, "filter", _filter, "write the positions that pass all filters, 32 bytes each")
    _add_output(sift)
    sift.add_argument(
        "--from-ply",
        type=whole_number,
        default=0,
        metavar="N",
        help="omit positions before that half-move (0)",
    )
    sift.add_argument(
        "--max-score",
        type=whole_number,
        default=EVERYTHING.highest_score,
        metavar="CP",
        help="omit positions in which either side is further ahead, in centipawns (no limit)",
    )
    sift.add_argument("--no-checks", action="store_true", help="omit positions in check")
    sift.add_argument(
        "--quiet", action="store_true", help="omit positions whose best move captures or promotes"
    )
    sift.add_argument(
        "--training", action="store_true", help="these four filters at least as training uses them"
    )
    sift.add_argument(
        "--dedupe", action="store_true", help="keep each position once; needs 17 bytes of memory for each"
    )

    relabel = _command(commands, "relabel", _relabel, "search every position again, for new scores and moves")
    _add_output(relabel)
    add_nodes(relabel, RELABEL_NODES, "soft limit for a position, as in datagen")
    relabel.add_argument("--evaluation", metavar="WHAT", help=evaluation_choice.HELP)
    add_places(relabel)

    shuffle = _command(commands, "shuffle", _shuffle, "write all positions of the files in random order")
    _add_output(shuffle)
    shuffle.add_argument(
        "--seed", type=whole_number, default=1, metavar="N", help="seed of the random order (1)"
    )
    memory = f"memory to use, about ({MEGABYTES})"
    shuffle.add_argument("--memory", type=at_least_one, default=MEGABYTES, metavar="MB", help=memory)
    return parser


def _command(
    commands: Commands, name: str, function: Callable[[argparse.Namespace], int], text: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    command.add_argument("files", nargs="+", metavar="FILE", help="what bluekrait datagen wrote")
    command.set_defaults(command=function)
    return command


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o", "--output", type=file_to_write, metavar="OUT", required=True, help="the file to write"
    )


def _convert(options: argparse.Namespace) -> int:
    from bluekrait.tools.data.filter_samples import write_filtered

    return write_filtered(options.files, options.output, EVERYTHING, dedupe=False)


def _filter(options: argparse.Namespace) -> int:
    from bluekrait.tools.data.filter_samples import write_filtered

    filters = Filters(options.from_ply, options.max_score, options.no_checks, options.quiet)
    if options.training:
        filters = filters.and_those_of(TRAINING)
    return write_filtered(options.files, options.output, filters, options.dedupe)


def _relabel(options: argparse.Namespace) -> int:
    from bluekrait.tools.data.relabel import relabel

    return relabel(options)


def _stats(options: argparse.Namespace) -> int:
    from bluekrait.tools.data.sample_statistics import print_stats

    return print_stats(options.files, options.plot)


def _shuffle(options: argparse.Namespace) -> int:
    from bluekrait.tools.data.shuffle import shuffle

    return shuffle(options.files, options.output, options.seed, options.memory)


# --- check ----------------------------------------------------------------------------------------


def check(options: argparse.Namespace) -> int:
    """Print for each file whether it is complete; exit code 1 if one is not."""
    flaws = 0
    for name in options.files:
        with opened(name) as data:
            contents, unit = read_contents(data), "games" if is_game_file(data) else "blocks"
        found = list(flaws_of(contents))
        flaws += len(found)
        write(f"{name}: {contents.samples} positions in {contents.blocks} {unit}, {'; '.join(found) or 'ok'}")
    return FAILED if flaws else SUCCESS


def flaws_of(contents: Contents) -> Iterator[str]:
    """What is wrong with a file, in words."""
    for start, end in contents.damage:
        yield f"damaged from byte {start} to {end}"
    if contents.torn:
        yield f"incomplete from byte {contents.end}, the last {contents.torn} bytes are no whole block"
    repeated = contents.blocks - len(contents.games)
    if repeated:
        yield f"{repeated} games occur twice"


# --- show -----------------------------------------------------------------------------------------


def show_samples(options: argparse.Namespace) -> int:
    """Print samples as text."""
    from bluekrait.search.engine import load_engine

    engine = load_engine()
    last = options.skip + options.n if options.n else None
    for packed in islice(packed_samples(options.files), options.skip, last):
        write(sample_text(unpack_sample(packed), engine))
    return SUCCESS


def packed_samples(names: Iterable[str]) -> Iterator[bytes]:
    """All samples of some files, one after the other."""
    for name in names:
        with opened(name) as data:
            for block in read_blocks(data, EVERYTHING):
                for start in range(0, len(block.body), SAMPLE.size):
                    yield block.body[start : start + SAMPLE.size]


def sample_text(sample: Sample, engine: "Engine") -> str:
    """A sample as a line of text, see `tools.data.formats.samples`; the engine finds the name of its move."""
    black = sample.ply & 1
    fen = format_fen(Position(sample.board, 0, sample.clock, sample.ply))
    result = (WON - sample.result if black else sample.result) / 2
    score = -sample.score if black else sample.score
    return f"{fen}; {result:g}; {score}; {_move_text(sample, fen, engine)}"


def _move_text(sample: Sample, fen: str, engine: "Engine") -> str:
    if not sample.move:
        return NO_MOVE
    engine.set_position(fen, [])
    moves = (move for move in engine.legal_moves() if short_move(move) == sample.move)
    return next((move_to_uci(move, engine.turn, _is_chess960(move)) for move in moves), NO_MOVE)


def _is_chess960(move: int) -> bool:
    """True if a move castles with a king or a rook on a square that is possible in Chess960 only."""
    return kind_of(move) == CASTLING and (origin_of(move), target_of(move)) not in CHESS_CASTLING


if __name__ == "__main__":
    sys.exit(main())
