"""Choose a move: from the book, among the moves that tablebases recommend, by search, or with a handicap.

Nothing here knows of protocols: a front end gives limits and settings, and is told of what is found.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from bluekrait.core.move import NO_MOVE
from bluekrait.search.limits import Limits, Settings
from bluekrait.search.playing import handicap
from bluekrait.search.playing.book import Book, best_move, random_move
from bluekrait.search.reports import EXACT, Choice, Line, OnCurrentMove, OnLine, OnStart, Score, choice_of
from bluekrait.search.syzygy import wdl
from bluekrait.search.thinking.win_rate import TABLEBASE_CENTIPAWNS

if TYPE_CHECKING:
    from bluekrait.search.engine import Engine
    from bluekrait.search.syzygy.root_tables import RootProbe, Tablebase

RANDOM = Random()
TABLEBASE_SCORES = {  # centipawns, and the chances of win, draw and loss
    wdl.WIN: (TABLEBASE_CENTIPAWNS, (1000, 0, 0)),
    wdl.CURSED_WIN: (1, (0, 1000, 0)),
    wdl.DRAW: (0, (0, 1000, 0)),
    wdl.BLESSED_LOSS: (-1, (0, 1000, 0)),
    wdl.LOSS: (-TABLEBASE_CENTIPAWNS, (0, 0, 1000)),
}


class PlaySettings(NamedTuple):
    """How to choose a move, whatever the limits."""

    search: Settings
    is_analysis: bool = False  # analyse instead of play: no book, full strength
    book: Book | None = None
    plays_best_of_book: bool = False  # always the book's best move, not one of them by weight
    tablebase: Tablebase | None = None
    elo: int | None = None  # the strength to play at, None for full strength


def choose_move(
    engine: Engine,
    limits: Limits,
    settings: PlaySettings,
    on_line: OnLine | None = None,
    on_current_move: OnCurrentMove | None = None,
    on_start: OnStart | None = None,
) -> Choice:
    """The `Choice` for the current position."""
    moves = engine.legal_moves()
    is_game = not (limits.infinite or limits.mate or settings.is_analysis)
    if is_game and settings.book and not limits.search_moves:
        if known := settings.book.moves(engine.position, moves):
            return Choice(_book_move(known, settings.plays_best_of_book), NO_MOVE, [])
    search = settings.search._replace(is_analysis=settings.is_analysis or limits.infinite)
    compares = search.is_analysis and search.multi_pv > 1  # worse moves are asked for, too
    probe = None if compares else _probe_root(engine, settings, limits.search_moves or moves)
    if probe:
        limits = limits._replace(search_moves=tuple(probe.moves))
        on_line = on_line and _with_table_scores(on_line, probe)
        # The outcome is known. What counts is how to reach it, and tables in the tree do not say that.
        search = search._replace(tablebase_pieces=0)
    if is_game and moves and settings.elo is not None:
        weakness = handicap.handicap_of(settings.elo)
        choice = _weak_choice(engine, limits, search, weakness, on_line, on_start)
    else:
        choice = engine.go(limits, search, on_line, on_current_move, on_start=on_start)
    return choice._replace(lines=[_scored(line, probe) for line in choice.lines]) if probe else choice


def _book_move(known: list[tuple[int, int]], best: bool) -> int:
    return best_move(known) if best else random_move(known, RANDOM)


# The tablebases.


def _probe_root(
    engine: Engine, settings: PlaySettings, moves: list[int] | tuple[int, ...]
) -> RootProbe | None:
    """What the tables say of the moves, None if nothing."""
    if not settings.tablebase:
        return None
    search = settings.search
    return settings.tablebase.probe_root(engine.position, moves, search.tablebase_pieces, search.fifty_moves)


def _with_table_scores(on_line: OnLine, probe: RootProbe) -> OnLine:
    """Report lines with the scores of the tables."""

    def report(line: Line) -> None:
        on_line(_scored(line, probe))

    return report


def _scored(line: Line, probe: RootProbe) -> Line:
    """A line with the score of the tables in place of that of the search, unless that is a mate.

    The search knows better than tables do whether a mate comes before the fifty-move rule.
    """
    line = line._replace(tablebase_hits=line.tablebase_hits + probe.probes)
    if line.score.mate is not None:
        return line
    centipawns, chances = TABLEBASE_SCORES[probe.outcome]
    return line._replace(score=Score(centipawns, None), bound=EXACT, win_draw_loss=chances)


# The handicap.


def _weak_choice(
    engine: Engine,
    limits: Limits,
    search: Settings,
    weakness: handicap.Handicap,
    on_line: OnLine | None,
    on_start: OnStart | None,
) -> Choice:
    """Search as many nodes as the handicap allows, and choose one of the lines; it is reported last.

    One thread does that: where several share the nodes, each searches less deep, and the play is weaker.
    """
    shown = search.multi_pv

    def report(line: Line) -> None:
        if on_line and line.rank <= shown:
            on_line(line)

    nodes = handicap.nodes_for(weakness, min(shown, len(limits.search_moves) or len(engine.legal_moves())))
    limits = limits._replace(nodes=min(limits.nodes or nodes, nodes))
    search = search._replace(multi_pv=max(shown, weakness.lines), most_threads=1)
    choice = engine.go(limits, search, on_line and report, on_start=on_start)
    if not choice.lines:  # there was no time for a single iteration
        return choice
    line = handicap.choose_line(choice.lines[: weakness.lines], weakness, RANDOM)
    if on_line and line.rank > 1:
        on_line(line._replace(rank=1))
    return choice_of(line.moves, choice.lines)
