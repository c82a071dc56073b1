"""Statistics of labelled positions: counts, results, distributions of scores, pieces, phases and plies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bluekrait.core.board import BISHOP, KNIGHT, QUEEN, ROOK
from bluekrait.search.evaluation.classical.tapered import FULL_PHASE
from bluekrait.tools.common.files.whole_file import check_targets
from bluekrait.tools.common.pictures import check_picture, draw_picture
from bluekrait.tools.data.formats.game_samples import EVERYTHING
from bluekrait.tools.data.formats.labelled_file import SHUFFLED, opened, read_blocks, read_head, samples_in
from bluekrait.tools.data.formats.sample_array import (
    Array,
    Samples,
    as_array,
    hashes_of,
    pieces_on,
    white_results,
    white_scores,
)
from bluekrait.tools.data.formats.sample_file import Part, in_batches
from bluekrait.tools.data.formats.samples import CASTLING_ROOK, DRAWN, ENEMY, LOST, WON
from bluekrait.tools.statistics.summary import signed
from bluekrait.uci.exits import SUCCESS, WRONG_ARGUMENTS, fail
from bluekrait.uci.printing import table_text
from bluekrait.uci.progress import ProgressLine
from bluekrait.uci.streams.output import write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PROGRAM = "bluekrait data stats"
HIGHEST = 3000  # centipawns: what is beyond is counted with the last bar
SCORE_STEP, PIECES_STEP, PHASE_STEP, PLY_STEP = 250, 4, 3, 20  # that a bar is wide
MOST_PIECES, MOST_PLIES = 32, 400
BAR = 40  # characters, the longest
BATCH_BYTES = 1 << 21  # of samples that are looked at together: enough for NumPy to be efficient

SHARES = {KNIGHT: 1, BISHOP: 1, ROOK: 2, CASTLING_ROOK: 2, QUEEN: 4}  # of a piece in the phase
PHASES = np.array([sum(SHARES.get(code & ~ENEMY, 0) for code in (two & 15, two >> 4)) for two in range(256)])
UNORDERED = (SHUFFLED, "filtered", "relabelled")  # kinds of files whose blocks are no games


@dataclass
class Stats:
    """The counts."""

    made: list[tuple[str, Mapping[str, Any] | None]] = field(default_factory=list)  # of each file, how
    games: int = 0
    plies: int = 0  # of the last kept positions of all games
    results: Array = field(default_factory=lambda: np.zeros(3, np.int64))  # of games, White's
    labels: Array = field(default_factory=lambda: np.zeros(3, np.int64))  # of positions, White's
    scores: Array = field(default_factory=lambda: np.zeros(2 * HIGHEST // SCORE_STEP, np.int64))
    score_sums: Array = field(default_factory=lambda: np.zeros(2))  # of scores, and of their squares
    pieces: Array = field(default_factory=lambda: np.zeros(MOST_PIECES + 1, np.int64))
    phases: Array = field(default_factory=lambda: np.zeros(FULL_PHASE + 1, np.int64))
    at_plies: Array = field(default_factory=lambda: np.zeros(MOST_PLIES + 1, np.int64))
    hashes: list[Array] = field(default_factory=list)  # of positions

    @property
    def positions(self) -> int:
        """How many there are."""
        return int(self.labels.sum())

    @property
    def duplicates(self) -> int:
        """How many positions there are that occurred before."""
        hashes = np.concatenate([np.empty(0, np.uint64), *self.hashes])
        hashes.sort()
        return int(np.count_nonzero(hashes[1:] == hashes[:-1]))


def print_stats(names: Sequence[str], plot: str | None) -> int:
    """Print what is in some files, and draw it; the exit code."""
    if plot:
        for name in names:
            check_targets(name, plot)
        check_picture(plot)
    stats = gathered(names)
    if not stats.positions:
        return fail("there are no positions in these files", WRONG_ARGUMENTS, PROGRAM)
    if plot:
        draw(stats, plot)
    write(report(stats))
    return SUCCESS


# --- counting -------------------------------------------------------------------------------------


def gathered(names: Iterable[str]) -> Stats:
    """The statistics of some files together."""
    stats, line = Stats(), ProgressLine(delay=1.0)
    for name in names:
        with opened(name) as data:
            head = read_head(data)
            stats.made.append((name, head))
            for blocks in in_batches(read_blocks(data, EVERYTHING), BATCH_BYTES):
                if (head or {}).get("kind") not in UNORDERED:
                    _add_games(stats, blocks)
                _add_samples(stats, samples_in(blocks))
                line.show(f"{stats.positions} positions")
    line.clear()
    return stats


def _add_games(stats: Stats, blocks: list[Part]) -> None:
    stats.games += len(blocks)
    last_of_each = [as_array(block.body)[-1:] for block in blocks if block.body]
    if last_of_each:
        last = np.concatenate(last_of_each)
        stats.plies += int(last["ply"].sum(dtype=np.int64))
        stats.results += np.bincount(white_results(last), minlength=3)


def _add_samples(stats: Stats, samples: Samples) -> None:
    scores = white_scores(samples)
    bars = (np.clip(scores, -HIGHEST, HIGHEST - 1) + HIGHEST) // SCORE_STEP
    stats.scores += np.bincount(bars, minlength=len(stats.scores))
    scores = np.clip(scores, -HIGHEST, HIGHEST)  # otherwise mates would hide the others
    stats.score_sums += scores.sum(dtype=np.float64), np.square(scores).sum(dtype=np.float64)
    stats.labels += np.bincount(white_results(samples), minlength=3)
    stats.pieces += np.bincount(pieces_on(samples), minlength=MOST_PIECES + 1)
    phases = np.minimum(_phases_of(samples), FULL_PHASE)
    stats.phases += np.bincount(phases, minlength=FULL_PHASE + 1)
    stats.at_plies += np.bincount(np.minimum(samples["ply"], MOST_PLIES), minlength=MOST_PLIES + 1)
    stats.hashes.append(hashes_of(samples))


def _phases_of(samples: Samples) -> Array:
    pieces = np.stack([samples["first_pieces"], samples["last_pieces"]], axis=1).view(np.uint8)
    phases: Array = PHASES[pieces].sum(axis=1)
    return phases


# --- reporting ------------------------------------------------------------------------------------


def report(stats: Stats) -> str:
    """All of it as text."""
    positions = stats.positions
    mean = stats.score_sums[0] / positions
    spread = np.sqrt(max(0, stats.score_sums[1] / positions - mean * mean))
    rows = [(name, _made_text(head)) for name, head in stats.made]
    rows += [("positions", f"{positions}, {stats.duplicates / positions:.2%} of them occurred before")]
    if stats.games:
        rows += [
            ("games", f"{stats.games}, {positions / stats.games:.1f} positions each"),
            ("mean length", f"{stats.plies / stats.games:.1f} plies, up to the last position kept"),
            ("games of White", _results_text(stats.results)),
        ]
    rows += [
        ("positions of White", _results_text(stats.labels)),
        ("score for White", f"{signed(mean, 1)} on average, standard deviation {spread:.0f}"),
    ]
    charts = (chart(title, *bars) for title, bars in distributions(stats).items())
    return "\n\n".join([table_text(rows), *charts])


def _made_text(head: Mapping[str, Any] | None) -> str:
    if head is None:
        return "does not say how it was made"
    return ", ".join(f"{name} {value}" for name, value in head.items())


def _results_text(results: Array) -> str:
    won, drawn, lost = (results[kind] / max(1, results.sum()) for kind in (WON, DRAWN, LOST))
    return f"{won:.1%} won, {drawn:.1%} drawn, {lost:.1%} lost"


def distributions(stats: Stats) -> dict[str, tuple[Array, Array]]:
    """By title: the lower ends of the bars, and how many positions each counts."""
    return {
        "score for White, centipawns": (np.arange(-HIGHEST, HIGHEST, SCORE_STEP), stats.scores),
        "pieces": _bars(stats.pieces, PIECES_STEP),
        "phase, from pawns alone to all pieces": _bars(stats.phases, PHASE_STEP),
        "plies since the start of the game": _bars(stats.at_plies, PLY_STEP),
    }


def _bars(counts: Array, width: int) -> tuple[Array, Array]:
    starts = np.arange(0, len(counts), width)
    return starts, np.add.reduceat(counts, starts)


def chart(title: str, starts: Array, counts: Array) -> str:
    """A bar chart of characters; empty bars at both ends are left out."""
    used = np.flatnonzero(counts)
    lines = [title]
    for place in range(used[0], used[-1] + 1):
        share, bar = counts[place] / counts.sum(), "#" * round(BAR * counts[place] / counts.max())
        lines.append(f"{starts[place]:7} {share:7.2%} {bar}".rstrip())
    return "\n".join(lines)


def draw(stats: Stats, path: str) -> None:
    """Draw the distributions into a picture."""

    def paint(figure: "Figure", frames: "list[Axes]") -> None:
        for frame, (title, (starts, counts)) in zip(frames, distributions(stats).items()):
            width = starts[1] - starts[0]
            frame.bar(starts, 100 * counts / counts.sum(), width=width, align="edge", edgecolor="white")
            frame.set_title(title)
            frame.set_ylabel("% of the positions")
        figure.suptitle(f"{stats.positions} positions")

    draw_picture(path, paint, rows=2, columns=2)
