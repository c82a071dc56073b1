"""`bluekrait tune search`: SPSA of the numbers in `search.parameters`, by games of the engine against itself.

Every iteration is a line of a journal, so that an interrupted run continues. Signs, openings and games all
come from the seed, so a continued run gives exactly what an uninterrupted one would.
"""

import argparse
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from bluekrait.core.timer import monotonic
from bluekrait.search.parameters import Parameter
from bluekrait.search.self_play.game_records import DRAWN, LOST, WON
from bluekrait.search.self_play.players.player import ENTRIES_MODULE
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import WorkerPool, run_units
from bluekrait.tools.common.command_line import (
    MOST_NODES,
    add_clock,
    add_places,
    at_least_one,
    file_to_write,
    nodes_of_a_move,
    positive,
    share,
)
from bluekrait.tools.common.engine_identity import engine_identity, warn_of_another_engine
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files.append_only import merge_settings
from bluekrait.tools.common.files.digest import digest
from bluekrait.tools.common.files.json_journal import Journal, read_journal
from bluekrait.tools.common.files.whole_file import check_targets
from bluekrait.tools.common.pictures import check_picture, draw_picture
from bluekrait.tools.data.evaluation_choice import EvaluationChoice
from bluekrait.tools.data.evaluation_choice import chosen as chosen_evaluation
from bluekrait.tools.tuning.compare.parameter_rows import ROWS, row_named
from bluekrait.tools.tuning.compare.self_match import Side, number_of, play_pair, results
from bluekrait.tools.tuning.search.effects import Effect, effect_lines, effects
from bluekrait.tools.tuning.search.kept_games import KeptGames
from bluekrait.tools.tuning.search.spsa import Gains, Spsa, Trial, rounded
from bluekrait.tools.tuning.search.spsa_view import SpsaView, draw_steps
from bluekrait.uci.exits import INTERRUPTED, SUCCESS
from bluekrait.uci.streams.output import write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PROGRAM = "bluekrait tune search"
DEFAULTS: dict[str, Any] = {"parameters": "all", "iterations": 1000, "nodes": 2000, "pairs": 8, "seed": 1}
DEFAULTS |= {"clock": False, **Gains()._asdict()}

WHAT_TO_DO = "begin another journal, or look at this one with --show"
HEADING_OF_EFFECTS = "# Elo of the higher value against the lower, 95 %"

EXAMPLES = """\
examples:
  all numbers, sixteen thousand games: about half an hour on two cores
    bluekrait tune search tuning.jsonl
  after an interruption the same command continues; with --show it only reports
    bluekrait tune search tuning.jsonl
    bluekrait tune search tuning.jsonl --plot paths.png --show
  keep the games, too: bluekrait tune network learns from them
    bluekrait tune search tuning.jsonl --keep games.bkg
  some numbers, more nodes
    bluekrait tune search margins.jsonl --parameters razor_base,razor_slope --nodes 5000 --iterations 500
  no tuning, only what each number does to the result, with a clock that counts nodes
    bluekrait tune search effects.jsonl --a 1e-9 --c 1.5 --clock --iterations 1250
  many machines (see docs/laboratory/cluster.md)
    bluekrait tune search tuning.jsonl --pairs 200 --cluster tcp://192.168.1.10:8786

The result is printed as it stands in search/parameters.py. No file is changed: play a match first.
"""


def add_to(modes: "argparse._SubParsersAction[Any]") -> None:
    """Describe this mode of `bluekrait tune`."""
    parser = modes.add_parser(
        "search",
        help="SPSA of the numbers in search/parameters.py, by self-play",
        description="SPSA: in each iteration, move all numbers a little up or down, play pairs of games "
        "between these values and their opposites, and move towards the winner.",
        epilog=EXAMPLES,
    )
    parser.add_argument("journal", type=file_to_write, help="the file of results; continued if it exists")
    parser.add_argument("--parameters", type=names, metavar="A,B,...", help="names of those to tune (all)")
    for name, whole, text in (
        ("iterations", at_least_one, "iterations in all"),
        ("nodes", nodes_of_a_move, f"soft limit for a move, at most {MOST_NODES}"),
        ("pairs", at_least_one, "pairs of games in an iteration"),
        ("seed", at_least_one, "seed of signs and games"),
    ):
        _add_setting(parser, name, whole, "N", text)
    add_clock(parser)
    for name, kind, text in (
        ("a", positive, "step for a won game in the last iteration, as a share of --c"),
        ("c", positive, "perturbation in the last iteration, in steps of each number"),
        ("A", share, "share of the iterations that dampen the first steps"),
        ("alpha", positive, "exponent by which steps decrease"),
        ("gamma", positive, "exponent by which perturbations decrease"),
    ):
        _add_setting(parser, name, kind, "X", text)
    keep = "add the games to a file, as bluekrait datagen does"
    parser.add_argument("--keep", type=file_to_write, metavar="FILE", help=keep)
    parser.add_argument("--plot", metavar="FILE", help="draw how the numbers changed (.png, .svg, .pdf)")
    parser.add_argument("--show", action="store_true", help="play nothing, only print what was found so far")
    add_places(parser)
    parser.set_defaults(run=run)


def _add_setting(
    parser: argparse.ArgumentParser, name: str, kind: Callable[[str], float], metavar: str, text: str
) -> None:
    explanation = f"{text} ({DEFAULTS[name]})"
    parser.add_argument(f"--{name}", type=kind, metavar=metavar, help=explanation)


def names(text: str) -> str:
    """Names of parameters, separated by commas."""
    for name in text.split(",") if text != "all" else ():
        row_named(name)
    return ",".join(dict.fromkeys(text.split(",")))


@with_errors_reported(PROGRAM, continues=True)
def run(options: argparse.Namespace) -> int:
    """Tune and print the result; the exit code."""
    if options.plot:
        check_targets(options.journal, options.keep, options.plot)
        check_picture(options.plot)
    wishes = {name: getattr(options, name) for name in DEFAULTS}
    if options.show:
        tuning, code = kept_tuning(options.journal, wishes), SUCCESS
    else:
        with Journal(options.journal, PROGRAM) as journal:
            tuning = Tuning(journal.head, journal.entries, wishes, options.journal)
            code = tune(tuning, journal, options)
    if options.plot:
        draw_paths(tuning, options.plot)
    write(report(tuning.spsa, tuning.settings))
    if found := effects_of(tuning):
        write("\n".join(("", HEADING_OF_EFFECTS, *effect_lines(found))))
    return code


def kept_tuning(name: str, wishes: Mapping[str, Any]) -> "Tuning":
    """What a journal holds, also while another process continues it. ValueError if there is none."""
    if not os.path.exists(name):
        raise ValueError(f"there is no journal {name}")
    head, entries = read_journal(name, PROGRAM)
    if not head:
        raise ValueError(f"{name} is empty: no tuning was begun")
    return Tuning(head, entries, wishes, name)


def tune(tuning: "Tuning", journal: Journal, options: argparse.Namespace) -> int:
    """Play the missing iterations; the exit code."""
    settings, spsa = tuning.settings, tuning.spsa
    evaluation = chosen_evaluation(None, {})
    check_engine(settings, evaluation.name, options.journal)
    view = SpsaView(spsa, settings, len(tuning.path))
    try:
        with (
            kept_games(options.keep, settings, evaluation) as kept,
            open_pool(options.processes, options.cluster, ENTRIES_MODULE) as pool,
            view,
        ):
            journal.begin(settings)  # not before: after a wrong --keep the settings may still be others
            for iteration in range(len(tuning.path), settings["iterations"]):
                trial, begin = spsa.trial(iteration), monotonic()
                pairs = played(pool, trial, iteration, settings, evaluation)
                if kept:
                    kept.add(game for pair in pairs for game in pair)
                games = counted(pairs)
                spsa.learn(iteration, trial, games[0] - games[2])
                journal.add(tuning.add(games))
                view.update(games, monotonic() - begin)
        return SUCCESS
    except KeyboardInterrupt:
        return INTERRUPTED


def check_engine(settings: Mapping[str, Any], evaluation: str, name: str) -> None:
    """ValueError if this engine lacks a number that a journal tunes, or plays with another evaluation."""
    missing = [row[0] for row in settings["rows"] if row[0] not in ROWS]
    if missing:
        raise ValueError(f"{name} tunes what this engine does not have, {', '.join(missing)}: {WHAT_TO_DO}")
    begun = settings.get("evaluation", evaluation)
    if begun != evaluation:
        others = f"{begun}, now {evaluation}"
        raise ValueError(f"{name} was begun with another evaluation ({others}): {WHAT_TO_DO}")
    warn_of_another_engine(settings, name, PROGRAM)


def kept_games(
    name: str | None, settings: Mapping[str, Any], evaluation: EvaluationChoice
) -> AbstractContextManager[KeptGames | None]:
    """The file that games are kept in, if they are."""
    if name is None:
        return nullcontext()
    shown = {key: settings[key] for key in ("seed", "nodes", "pairs", "clock")}
    run = digest(json.dumps(settings, sort_keys=True).encode())
    return KeptGames(name, {**shown, "evaluation": evaluation.name, "run": run})


def played(
    pool: WorkerPool, trial: Trial, iteration: int, settings: Mapping[str, Any], evaluation: EvaluationChoice
) -> list[tuple[bytes, bytes]]:
    """The pairs of games of a trial, in the order of their numbers."""
    nodes, seed, clock, pairs = (settings[name] for name in ("nodes", "seed", "clock", "pairs"))
    sides = Side(evaluation, trial.plus), Side(evaluation, trial.minus)
    units = ((nodes, seed, iteration * pairs + pair, *sides, clock) for pair in range(pairs))
    return sorted(run_units(pool, play_pair, units), key=lambda games: number_of(games[0]))


def counted(pairs: Sequence[tuple[bytes, bytes]]) -> list[int]:
    """How many games the first side has won, drawn and lost."""
    ours = [result for pair in pairs for result in results(pair)]
    return [ours.count(WON), ours.count(DRAWN), ours.count(LOST)]


class Tuning:
    """A run, new or from a journal: the settings, and the values after each iteration."""

    def __init__(
        self,
        head: Mapping[str, Any],
        entries: Sequence[Mapping[str, Any]],
        wishes: Mapping[str, Any],
        name: str,
    ) -> None:
        self.settings = merge_settings(head, wishes, DEFAULTS if head else new_defaults(), name)
        if "rows" not in self.settings:
            self.settings["rows"] = chosen(self.settings["parameters"])
        rows = [Parameter(*row) for row in self.settings["rows"]]
        gains = Gains(*(self.settings[name] for name in Gains._fields))
        self.spsa = Spsa(rows, self.settings["iterations"], self.settings["seed"], gains)
        self.path = [entry["values"] for entry in entries]
        self.games = [entry["games"] for entry in entries]
        if self.path:
            self.spsa.values = dict(self.path[-1])

    def add(self, games: Sequence[int]) -> dict[str, Any]:
        """Another iteration is done: plus has won, drawn and lost so many games. The entry of a journal."""
        values = dict(self.spsa.values)
        self.path.append(values)
        self.games.append(list(games))
        return {"iteration": len(self.path), "games": games, "values": values}


def new_defaults() -> dict[str, Any]:
    """The settings of a new run, with the engine that plays it."""
    return {**DEFAULTS, **engine_identity(), "evaluation": chosen_evaluation(None, {}).name}


def effects_of(tuning: Tuning) -> list[Effect]:
    """What each number does to the result."""
    signs = [tuning.spsa.signs(iteration) for iteration in range(len(tuning.games))]
    return effects(signs, tuning.games)


def chosen(wanted: str) -> list[Parameter]:
    """The rows of the named parameters, or all."""
    return list(ROWS.values()) if wanted == "all" else [ROWS[name] for name in wanted.split(",")]


# --- reporting ------------------------------------------------------------------------------------


def report(spsa: Spsa, settings: Mapping[str, Any]) -> str:
    """The values found, as source code and as input of OpenBench."""
    lines = ["# search/parameters.py"]
    for row in rounded(spsa):
        fields = f'"{row.name}", {row.value}, {row.low}, {row.high}, {row.step}'
        lines.append(f"    Parameter({fields}),")
    lines += ["", "# SPSA input of OpenBench"]
    for row in rounded(spsa):
        end = f"{settings['c'] * row.step:g}"
        lines.append(f"{row.name}, int, {row.value}, {row.low}, {row.high}, {end}, {settings['a']:g}")
    return "\n".join(lines)


def draw_paths(tuning: Tuning, picture: str) -> None:
    """Draw how far each number went, in its own steps."""

    def paint(figure: "Figure", frames: "list[Axes]") -> None:
        draw_steps(frames[0], tuning.spsa.rows, tuning.path)
        figure.legend(loc="outside right upper", fontsize="small")

    draw_picture(picture, paint, scale=2)
