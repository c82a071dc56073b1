"""From limits to a choice, in whatever protocol they were asked for."""

from bluekrait.core.move import NO_MOVE
from bluekrait.search.limits import Settings
from bluekrait.search.reports import Choice


def think(room, limits, on_line, on_current_move=None):
    """The `Choice` for the current position; not before the other side may be told of it.

    `on_line` and `on_current_move` are told of what is found on the way.
    """
    is_patient = limits.infinite or limits.ponder
    if is_patient:
        room.be_patient(may_be_hit=limits.ponder)
    choice = _search(room, limits, on_line, on_current_move)
    if is_patient:
        room.wait_for_news(lambda: room.is_stopped() or room.is_hit())
    return choice


def _search(room, limits, on_line, on_current_move):
    if not room.engine.legal_moves():
        return Choice(NO_MOVE, NO_MOVE, [])

    def report(line):
        room.heed()
        on_line(line)

    return room.engine.go(limits, _settings(room.options, limits), report, on_current_move)


def _settings(options, limits):
    return Settings(
        multi_pv=options["MultiPV"],
        move_overhead=options["Move Overhead"],
        contemplation=options["UCI_AnalyseMode"] or limits.infinite,
    )
