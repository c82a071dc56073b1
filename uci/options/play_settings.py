"""How to choose moves, as the options say."""

from __future__ import annotations

from bluekrait.search.limits import Settings
from bluekrait.search.playing.choice import PlaySettings
from bluekrait.search.playing.handicap import HIGHEST_SKILL, elo_of_skill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bluekrait.search.playing.book import Book
    from bluekrait.search.syzygy.root_tables import Tablebase
    from bluekrait.uci.options.option_table import Options


def play_settings(options: Options, book: Book | None, tablebase: Tablebase | None) -> PlaySettings:
    """The settings for one move."""
    search = Settings(
        multi_pv=options.number("MultiPV"),
        move_overhead=options.number("Move Overhead"),
        tablebase_pieces=options.number("SyzygyProbeLimit"),
        tablebase_depth=options.number("SyzygyProbeDepth"),
        fifty_moves=options.is_on("Syzygy50MoveRule"),
    )
    return PlaySettings(
        search=search,
        is_analysis=options.is_on("UCI_AnalyseMode"),
        book=book if options.is_on("OwnBook") else None,
        plays_best_of_book=options.text("Book Choice") == "best",
        tablebase=tablebase,
        elo=_limited_elo(options),
    )


def _limited_elo(options: Options) -> int | None:
    """The playing strength, None for full strength."""
    if options.is_on("UCI_LimitStrength"):
        return options.number("UCI_Elo")
    if options.number("Skill Level") < HIGHEST_SKILL:
        return elo_of_skill(options.number("Skill Level"))
    return None
