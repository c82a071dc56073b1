"""Command lines for fastchess and cutechess-cli, which differ a little."""

import os
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

import chess

from bluekrait.tools.match.setup.contest import Contest, Rules, ScheduledGame
from bluekrait.tools.match.setup.engine_spec import EngineSpec
from bluekrait.tools.match.setup.opening_files import Opening
from bluekrait.tools.match.setup.time_control import TimeControl, exact_text

FASTCHESS, CUTECHESS = "fastchess", "cutechess-cli"
KNOWN_RUNNERS = (FASTCHESS, CUTECHESS)


class Runner(NamedTuple):
    """A match runner that is installed."""

    kind: str
    path: str


class Batch(NamedTuple):
    """Games that one call of a runner plays: rounds of one or two games between the same two engines."""

    first: EngineSpec  # White in the first game of each round
    second: EngineSpec
    rounds: tuple[tuple[ScheduledGame, ...], ...]

    @property
    def scheduled(self) -> list[ScheduledGame]:
        """All games, in the order in which the runner numbers them."""
        return [scheduled for schedule in self.rounds for scheduled in schedule]

    @property
    def games(self) -> int:
        """Games in a round."""
        return len(self.rounds[0])


def find_runner(wanted: str) -> Runner | None:
    """The runner with a name or path; None if it is not installed."""
    path = shutil.which(wanted)
    if path is None:
        return None
    kind = CUTECHESS if "cutechess" in Path(path).name else FASTCHESS
    return Runner(kind, os.path.abspath(path))


def why_unable(runner: Runner, contest: Contest, affinity: bool) -> str | None:
    """Why a runner cannot play a contest; None if it can."""
    for engine in contest.engines:
        if runner.kind == FASTCHESS and engine.protocol != "uci":
            return f"{FASTCHESS} plays UCI only, and {engine.name} speaks {engine.protocol}"
        if any(character.isspace() for word in engine.command for character in word):
            return f"{runner.kind} allows no spaces in the command of {engine.name}"
    if affinity and runner.kind == CUTECHESS:
        return f"{CUTECHESS} cannot bind games to processors"
    return None


def batches(schedule: Iterable[ScheduledGame]) -> list[Batch]:
    """The runs of a runner that play some games: complete pairs together, and single games."""
    pairs: dict[int, list[ScheduledGame]] = {}
    runs: dict[tuple[EngineSpec, EngineSpec, int], list[tuple[ScheduledGame, ...]]] = {}
    for scheduled in schedule:
        pairs.setdefault(scheduled.pair, []).append(scheduled)
    for missing in pairs.values():
        kind = missing[0].white, missing[0].black, len(missing)
        runs.setdefault(kind, []).append(tuple(missing))
    return [Batch(first, second, tuple(rounds)) for (first, second, _), rounds in runs.items()]


def write_openings(batch: Batch, directory: str | Path) -> tuple[str, str]:
    """Write the openings of a batch, in order; the path of the file, and its format."""
    openings = [schedule[0].opening for schedule in batch.rounds]
    is_960 = batch.rounds[0][0].chess960
    if any(opening.moves for opening in openings):
        text = "\n\n".join(_pgn_of(opening, is_960) for opening in openings)
        return _written(Path(directory) / "openings.pgn", text), "pgn"
    return _written(Path(directory) / "openings.epd", "\n".join(opening.fen for opening in openings)), "epd"


def _written(path: Path, text: str) -> str:
    path.write_text(text + "\n", encoding="utf-8")
    return str(path)


def _pgn_of(opening: Opening, chess960: bool) -> str:
    tags = '[Event "?"]\n[Result "*"]\n'
    tags += '[Variant "Chess960"]\n' if chess960 else ""
    if opening.fen != chess.STARTING_FEN or chess960:
        tags += f'[SetUp "1"]\n[FEN "{opening.fen}"]\n'
    board = chess.Board(opening.fen, chess960=chess960)
    moves = [chess.Move.from_uci(move) for move in opening.moves]
    return f"{tags}\n{board.variation_san(moves)} *"


def command_line(
    runner: Runner,
    batch: Batch,
    openings: tuple[str, str],
    pgn: str,
    concurrency: int,
    cpus: Collection[int] | None = None,
) -> list[str]:
    """The command that lets a runner play a batch; `openings` are a path and its format."""
    scheduled = batch.rounds[0][0]
    words = [runner.path]
    for engine in (batch.first, batch.second):
        words += ["-engine", *engine_words(runner.kind, engine)]
    path, kind = openings
    words += ["-openings", f"file={path}", f"format={kind}", "order=sequential"]
    words += ["-games", str(batch.games), "-rounds", str(len(batch.rounds)), "-recover"]
    words += ["-noswap"] if batch.games == 1 else []
    words += ["-repeat", str(batch.games)] if runner.kind == CUTECHESS else []
    words += ["-concurrency", str(concurrency), "-event", scheduled.event]
    words += ["-variant", "fischerandom"] if scheduled.chess960 else []
    words += rule_words(scheduled.rules)
    if runner.kind == CUTECHESS:
        return [*words, "-pgnout", pgn, "fi"]
    words += ["-force-concurrency", "-ratinginterval", "0", "-pgnout", f"file={pgn}"]
    return [*words, "-use-affinity", ",".join(map(str, sorted(cpus)))] if cpus else words


def engine_words(kind: str, engine: EngineSpec) -> list[str]:
    """The words for an engine."""
    program, *arguments = engine.command
    words = [f"cmd={program}", f"name={engine.name}", f"proto={engine.protocol}"]
    words += [f"dir={engine.directory or os.getcwd()}"]
    if kind == CUTECHESS:
        words += [f"arg={argument}" for argument in arguments]
    elif arguments:
        words += [f"args={' '.join(arguments)}"]
    words += time_words(kind, engine.time)
    words += ["restart=on"] if engine.restart else []
    return words + [f"option.{name}={value}" for name, value in engine.options]


def time_words(kind: str, control: TimeControl) -> list[str]:
    """The words for a time control."""
    words: list[str] = []
    if control.seconds:
        words += [f"tc={control.text()}"]
    elif control.move_time:
        words += [f"st={exact_text(control.move_time)}"]
    elif kind == CUTECHESS:
        words += ["tc=inf"]
    words += [f"nodes={control.nodes}"] if control.nodes else []
    words += [f"depth={control.depth}"] if control.depth else []
    return words + ([f"timemargin={control.margin * 1000:.0f}"] if control.margin else [])


def rule_words(rules: Rules) -> list[str]:
    """The words for adjudication, which are the same for both runners."""
    words: list[str] = []
    if rules.resign_moves:
        words += ["-resign", f"movecount={rules.resign_moves}", f"score={rules.resign_score}"]
        words += ["twosided=true"] if rules.resign_twosided else []
    if rules.draw_moves:
        words += ["-draw", f"movenumber={rules.draw_from}", f"movecount={rules.draw_moves}"]
        words += [f"score={rules.draw_score}"]
    if rules.tables:
        words += ["-tb", rules.tables]
        words += ["-tbpieces", str(rules.tablebase_pieces)] if rules.tablebase_pieces else []
        words += ["-tbignore50"] if rules.tables_ignore_fifty else []
    return words + (["-maxmoves", str(rules.max_moves)] if rules.max_moves else [])
