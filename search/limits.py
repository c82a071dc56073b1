"""The limits of a search (time, depth, nodes, moves), and the options that hold for all searches."""

from typing import NamedTuple

from bluekrait.search.scores import MAX_PLY

DEEPEST = MAX_PLY - 1  # iteration of a search


class Limits(NamedTuple):
    """The limits of one `go`. Times are in milliseconds; None means that nothing was said."""

    remaining: int | None = None  # on the clock of the side to move; may be zero or less
    increment: int = 0  # of that side, per move
    moves_to_go: int | None = None  # until the next time control
    move_time: int | None = None  # exactly so long
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None  # look for a mate in so many moves
    infinite: bool = False  # until told to stop
    ponder: bool = False  # until told to stop, or that the expected move was played
    asked_at: float | None = None  # when that was said, in seconds of `core.timer`; None for just now
    search_moves: tuple[int, ...] = ()  # packed moves to choose from, none for all


class Settings(NamedTuple):
    """How to search, whatever the limits: the options of a front end."""

    multi_pv: int = 1  # how many of the best moves to report
    move_overhead: int = 20  # milliseconds that a move may lose on its way
    is_analysis: bool = False  # analysing, not playing: no shortcuts when there is one legal move
    tablebase_pieces: int = 0  # positions with no more pieces are looked up in tablebases, if there are any
    tablebase_depth: int = 1  # those with exactly so many pieces only where so deep a search would follow
    fifty_moves: bool = True  # whether the fifty-move rule counts for what tablebases say
    most_threads: int | None = None  # that search, of those that there are; None for all
