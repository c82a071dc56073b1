"""`bluekrait tune network`: train a network to evaluate positions of the engine's own games."""

import argparse
import os
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bluekrait.search.evaluation.network.network_file import (
    BUCKET_COUNTS,
    KIND_COUNTS,
    NARROWEST,
    REGION_COUNTS,
    THREAT_COUNTS,
    WIDEST,
    WIDTH_STEP,
)
from bluekrait.tools.common.command_line import at_least_one, file_to_write, positive, share
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.pictures import check_picture, draw_picture
from bluekrait.tools.network import settings as run_settings
from bluekrait.tools.network.folder import BEST, NETWORK, RunFolder, read_reports, read_settings
from bluekrait.tools.network.losses import KINDS, Losses, table
from bluekrait.tools.network.settings import DEFAULTS, NUMBA
from bluekrait.uci.exits import INTERRUPTED, SUCCESS
from bluekrait.uci.progress import ProgressLine
from bluekrait.uci.streams.output import write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PROGRAM = "bluekrait tune network"
DEVICES = NUMBA, "cuda", "cpu-torch"

EXAMPLES = """\
examples:
  a small network, some minutes on two cores
    bluekrait tune network first --width 128 --epochs 8 positions.bkg
  after an interruption the same command continues; with --show it only reports
    bluekrait tune network first
    bluekrait tune network first --show --plot losses.png
  the result of the game counts more and more; outputs for eight phases of the game
    bluekrait tune network second --width 512 --buckets 8 --result-share 0.1:0.3 *.bkg
  fine-tune a network with games of more nodes
    bluekrait tune network refined --start first/network.bknn deep.bkg
  learn from many games with few nodes, and be judged by others with many
    bluekrait tune network third cheap.bkg --judge deep.bkg

The folder keeps the settings, checkpoints, losses.jsonl, and network.bknn, which the engine reads (EvalFile).
A run is never continued with other settings. See docs/laboratory/network.md.
"""


def add_to(modes: "argparse._SubParsersAction[Any]") -> None:
    """Describe this mode of `bluekrait tune`."""
    parser = modes.add_parser(
        "network",
        help="train a network to evaluate positions",
        description="Train a network on labelled positions. Some games are held out: the loss on their "
        "positions shows how good the network is.",
        epilog=EXAMPLES,
    )
    run_help = "the folder of the run; continued if it exists"
    parser.add_argument("folder", type=file_to_write, metavar="FOLDER", help=run_help)
    parser.add_argument("files", nargs="*", metavar="FILE", help="what bluekrait datagen wrote")
    for name, kind, metavar, text in (
        ("width", width, "N", f"hidden numbers of each side, a multiple of {WIDTH_STEP}"),
        ("buckets", one_of(BUCKET_COUNTS), "B", "outputs, chosen by the number of pieces: 1 or 8"),
        (
            "regions",
            one_of(REGION_COUNTS),
            "R",
            "sets of inputs, chosen by the place of the own king: 1 or 4",
        ),
        ("threats", one_of(THREAT_COUNTS), "T", "sets of inputs, 2: others for pieces that are attacked"),
        ("kinds", one_of(KIND_COUNTS), "K", "kinds of pieces, 7: passed pawns are another than other pawns"),
        ("epochs", at_least_one, "N", "passes over all positions"),
        ("batch", at_least_one, "N", "positions between two steps"),
        ("rate", positive, "X", "learning rate at the beginning; 1e-4 with --start"),
        ("last-rate", positive, "X", "learning rate in the end; 1e-6 with --start"),
        ("decay", share, "X", "weight decay"),
        (
            "most-error",
            positive,
            "X",
            "errors beyond this pull no stronger (Huber loss); 1 for squared errors",
        ),
        ("seed", at_least_one, "N", "seed of the first weights, the order and the held-out games"),
        ("every", at_least_one, "N", "steps between two reports and checkpoints"),
    ):
        shown = f"{DEFAULTS[name]:g}"
        parser.add_argument(f"--{name}", type=kind, metavar=metavar, help=f"{text} ({shown})")
    parser.add_argument(
        "--result-share",
        type=shares,
        metavar="X[:Y]",
        help="share of the game's result in the label, from X to Y; the rest is the search's score (0.1)",
    )
    parser.add_argument(
        "--look-ahead",
        type=share,
        metavar="X",
        help="share of the label that comes from the moves after it in the game "
        f"({DEFAULTS['look-ahead']:g}); see docs/laboratory/network.md",
    )
    for name, text in (
        ("residual", "train a correction that is added to the classical evaluation"),
        ("deduplicate", "learn from each position once"),
    ):
        parser.add_argument(f"--{name}", action="store_true", default=None, help=text)
    parser.add_argument(
        "--start",
        type=os.path.abspath,
        metavar="NETWORK",
        help="begin with the weights of a network's file or a run's folder",
    )
    parser.add_argument(
        "--judge",
        action="extend",
        nargs="+",
        type=os.path.abspath,
        metavar="FILE",
        help="hold out the positions of these files instead of some games of the others",
    )
    explanation = f"one of {', '.join(DEVICES)} ({NUMBA})"
    parser.add_argument("--device", choices=DEVICES, metavar="D", help=explanation)
    parser.add_argument("--plot", metavar="FILE", help="draw the losses (.png, .svg, .pdf)")
    parser.add_argument("--show", action="store_true", help="train nothing, only print the losses so far")
    parser.set_defaults(run=run)


def width(text: str) -> int:
    """A width that networks may have."""
    number = at_least_one(text)
    if number % WIDTH_STEP or not NARROWEST <= number <= WIDEST:
        raise ArgumentTypeError(f"{text} is not a multiple of {WIDTH_STEP} from {NARROWEST} to {WIDEST}")
    return number


def one_of(counts: tuple[int, int]) -> Callable[[str], int]:
    """What reads one of two numbers."""

    def read(text: str) -> int:
        number = at_least_one(text)
        if number not in counts:
            raise ArgumentTypeError(f"{text} is neither {counts[0]} nor {counts[1]}")
        return number

    return read


def shares(text: str) -> list[float]:
    """The shares of the result at the beginning and in the end."""
    first, _, last = text.partition(":")
    return [share(first), share(last or first)]


@with_errors_reported(PROGRAM, continues=True)
def run(options: argparse.Namespace) -> int:
    """Train and print the losses; the exit code."""
    if options.plot:
        check_picture(options.plot)
    if options.show and not os.path.isdir(options.folder):
        raise ValueError(f"there is no folder {options.folder}")
    code = SUCCESS
    if not options.show:
        with RunFolder(options.folder) as folder:
            code = train(folder, options)
    print_losses(options.folder, options.plot)
    return code


def train(folder: RunFolder, options: argparse.Namespace) -> int:
    """Make the missing steps; the exit code."""
    from bluekrait.tools.network.trainer import Trainer, check_device
    from bluekrait.tools.network.view import TrainingView

    wishes = {name: getattr(options, name.replace("-", "_")) for name in DEFAULTS}
    settings = run_settings.chosen(folder, options.files, wishes)
    check_device(settings["device"])  # before files are read, and before the folder keeps what it cannot do
    line = ProgressLine()
    settings, data = run_settings.prepare(
        settings, options.files, lambda name, count: line.show(f"{name}: {count} positions")
    )
    line.clear()
    if not folder.settings():
        folder.begin(settings)
    trainer = Trainer(folder, settings, data)
    with TrainingView(settings) as view:
        return SUCCESS if trainer.run(view) else INTERRUPTED


def print_losses(folder: str, picture: str | None) -> None:
    """Print the losses of the best network of a run, and draw the losses of all reports."""
    settings, reports = read_settings(folder), read_reports(folder)
    if not settings or not reports:
        write(f"{folder}: nothing has been reported yet")
        return
    best = min(reports, key=lambda report: report["held_out"]["target"])
    if picture:
        draw_losses(settings, reports, picture)
    write(
        f"{folder}: {settings['training']} positions, {settings['held-out']} held out; "
        f"step {reports[-1]['step']} of {settings['steps']}, best at step {best['step']}"
    )
    rows = {"classical": settings["classical"], "network": best["held_out"], "its search": settings["search"]}
    write("\n".join(table([(name, Losses(**losses)) for name, losses in rows.items()])))
    write(f"{os.path.join(folder, NETWORK)}: the best network; {BEST} its weights")


def draw_losses(settings: Mapping[str, Any], reports: Sequence[Mapping[str, Any]], picture: str) -> None:
    """Draw losses against positions learnt from."""
    seen = [report["positions"] / 1e6 for report in reports]

    def paint(figure: "Figure", frames: "list[Axes]") -> None:
        for frame, (field, name) in zip(frames, KINDS.items()):
            if field == "target":
                frame.plot(seen, [report["loss"] for report in reports], label="training", alpha=0.5)
            frame.plot(seen, [report["held_out"][field] for report in reports], label="held out")
            frame.axhline(settings["classical"][field], linestyle="--", color="grey", label="classical")
            frame.set_title(f"error of the {name}")
            frame.set_xlabel("million positions")
            frame.legend()

    draw_picture(picture, paint, columns=3)
