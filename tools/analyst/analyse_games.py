"""Analyse all games of a PGN file on several processors, and write what was found.

First all positions are judged, by workers, and kept in a journal beside the output; then the games are read
again and written with their judgements. Both keep only one game in memory at a time.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from bluekrait.core.timer import monotonic
from bluekrait.tools.analyst.analysis_journal import AnalysisJournal
from bluekrait.tools.analyst.annotations import JudgedGame, annotated, judged_game
from bluekrait.tools.analyst.game_page import GamePage
from bluekrait.tools.analyst.game_search import Limit, Stretch, judge_stretch, stretches
from bluekrait.tools.analyst.played_game import PlayedGame, read_game
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import run_units
from bluekrait.tools.common.command_line import printable
from bluekrait.tools.common.files.digest import file_digest
from bluekrait.tools.common.files.whole_file import whole_file, write_whole
from bluekrait.tools.common.pgn_splitter import GameText, games_in
from bluekrait.uci.progress import ProgressLine, duration_text

Complain = Callable[[str], None]


class Job(NamedTuple):
    """What is to be done."""

    games: Path
    output: Path
    page: Path | None
    journal: Path  # where the judgements are kept until the work is done
    limit: Limit
    processes: int
    cluster: str | None


class Summary(NamedTuple):
    """What was done."""

    games: int
    moves: int
    left_out: int  # games that cannot be analysed, and were written as they are


def analyse_games(job: Job, complain: Complain) -> Summary:
    """Judge and write all games. `complain(line)` is told of each game that cannot be analysed."""
    settings = {**job.limit._asdict(), "games": job.games.name, "digest": file_digest(job.games)}
    with AnalysisJournal(job.journal, settings) as journal:
        _judge_all(job, journal, complain)
        summary = _write_all(job, journal)
        journal.remove()
    return summary


def _judge_all(job: Job, journal: AnalysisJournal, complain: Complain) -> None:
    progress = _Progress(job.games.stat().st_size)
    with open_pool(job.processes, job.cluster) as pool:
        units = _units(job, journal, complain, progress)
        try:
            for number, first, judged in run_units(pool, judge_stretch, units):
                journal.add(number, first, judged)
                progress.add(len(judged))
        finally:
            progress.clear()


def _units(
    job: Job, journal: AnalysisJournal, complain: Complain, progress: "_Progress"
) -> Iterator[tuple[int, Stretch, Limit]]:
    """The stretches that are not judged yet."""
    with open(job.games, "rb") as file:
        for text in games_in(file):
            game = read_game(text)
            progress.read(text)
            if game.problem:
                progress.clear()
                where = f"{job.games}, game {text.number} at line {text.line}"
                complain(f"{where}: {game.problem}; left as it is")
                continue
            for stretch in stretches(game.fen, game.chess960, game.moves):
                if not journal.has(text.number, stretch):
                    progress.begin(stretch.last - stretch.first)
                    yield text.number, stretch, job.limit


def _write_all(job: Job, journal: AnalysisJournal) -> Summary:
    """Write every game of the file, in its order."""
    games = moves = left_out = 0
    page = GamePage(printable(job.games.name), job.limit) if job.page else None
    line = ProgressLine(delay=1.0)
    with open(job.games, "rb") as file, whole_file(job.output) as output:
        for text in games_in(file):
            game = read_game(text)
            games += 1
            line.show(f"writing game {games}")
            if game.problem:
                left_out += 1
                output.write(text.text + "\n")
                continue
            judged = _judged(game, journal)
            if page:
                page.add(judged)  # before the tree gets the engine's variations
            output.write(annotated(judged) + "\n")
            moves += len(judged.moves)
    line.clear()
    if page and job.page:
        write_whole(job.page, page.text())
    return Summary(games, moves, left_out)


def _judged(game: PlayedGame, journal: AnalysisJournal) -> JudgedGame:
    number = game.source.number
    parts = stretches(game.fen, game.chess960, game.moves)
    return judged_game(game, [one for part in parts for one in journal.judgements(number, part.first)])


class _Progress:
    """How far the work is, on standard error."""

    def __init__(self, size: int) -> None:
        self._size = max(1, size)
        self._line, self._began = ProgressLine(delay=1.0), monotonic()
        self._positions = self._begun = 0  # that were judged, and that were handed out
        self._game = self._place = 0  # the game that was read last, and the characters up to its end
        self._start = self._game_start = 0  # of the first game that this run judges, and of the last one

    def read(self, text: GameText) -> None:
        """Go on to a game."""
        self._game, self._game_start = text.number, self._place
        self._place += len(text.text)
        if not self._begun:
            self._line.show(f"game {self._game}: looking for the first that is not judged")

    def begin(self, positions: int) -> None:
        """Count positions that are handed out. What came before the first was judged by an earlier run."""
        if not self._begun:
            self._start = self._game_start
        self._begun += positions

    def add(self, positions: int) -> None:
        """Count positions that were judged."""
        self._positions += positions
        seconds = max(0.001, monotonic() - self._began)
        begun = (self._place - self._start) / self._size
        done = begun * self._positions / self._begun  # by this run
        share = min(1.0, self._start / self._size + done)
        left = seconds / done * (1 - share) if done else 0.0
        pace = f"{self._positions / seconds:.0f} positions a second"
        self._line.show(f"game {self._game}, {100 * share:.0f} %, {pace}, {duration_text(left)} left")

    def clear(self) -> None:
        """Make room for other output."""
        self._line.clear()
