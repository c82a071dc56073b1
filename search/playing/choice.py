"""From limits to a choice, whatever the protocol: by book, tablebases, search and handicap."""

from random import Random

from bluekrait.core.move import NO_MOVE
from bluekrait.search.limits import Settings
from bluekrait.search.playing import book, handicap
from bluekrait.search.reports import Choice, Score
from bluekrait.search.syzygy import outcomes
from bluekrait.search.thinking.win_rate import TABLE_CENTIPAWNS

DICE = Random()
TABLEBASE_SCORES = {
    outcomes.WIN: (TABLE_CENTIPAWNS, (1000, 0, 0)),
    outcomes.CURSED_WIN: (1, (0, 1000, 0)),
    outcomes.DRAW: (0, (0, 1000, 0)),
    outcomes.BLESSED_LOSS: (-1, (0, 1000, 0)),
    outcomes.LOSS: (-TABLE_CENTIPAWNS, (0, 0, 1000)),
}


def think(room, limits, on_line, on_current_move=None):
    """The `Choice` for the current position; not before the other side may be told of it.

    `on_line` and `on_current_move` are told of what is found on the way.
    """
    is_patient = limits.infinite or limits.ponder
    if is_patient:
        room.be_patient(may_be_hit=limits.ponder)
    limits = limits._replace(asked_at=room.asked_at())
    choice = _choice(room, limits, on_line, on_current_move)
    if is_patient:
        room.wait_for_news(lambda: room.is_stopped() or room.is_hit())
    room.note_answer()
    return choice


def _choice(room, limits, on_line, on_current_move):
    moves = room.engine.legal_moves()
    is_game = not (limits.infinite or limits.mate or room.options["UCI_AnalyseMode"])
    if is_game and not limits.search_moves:
        if known := _book_moves(room, moves):
            return Choice(_book_move(room.options, known), NO_MOVE, [])
    probe = _root_probe(room, limits.search_moves or moves)
    if probe:
        limits = limits._replace(search_moves=tuple(probe.moves))
        on_line = _informed(on_line, probe)
    settings = _settings(room.options, limits)
    if probe:  # the outcome is known: what counts is the way, of which the tables in the tree say nothing
        settings = settings._replace(table_pieces=0)
    weakness = _handicap(room.options) if is_game else None
    if weakness and moves:
        return _weak_choice(room, limits, settings, weakness, on_line)
    return _search(room, limits, settings, on_line, on_current_move)


def _settings(options, limits):
    return Settings(
        multi_pv=options["MultiPV"],
        move_overhead=options["Move Overhead"],
        contemplation=options["UCI_AnalyseMode"] or limits.infinite,
        table_pieces=options["SyzygyProbeLimit"],
        table_depth=options["SyzygyProbeDepth"],
        fifty_moves=options["Syzygy50MoveRule"],
    )


def _search(room, limits, settings, on_line, on_current_move=None):
    return room.engine.go(limits, settings, on_line, on_current_move, on_start=room.heed)


# The book.


def _book_moves(room, moves):
    is_used = room.book and room.options["OwnBook"]
    return room.book.moves(room.engine.position, moves) if is_used else []


def _book_move(options, known):
    return book.best(known) if options["Book Choice"] == "best" else book.choose(known, DICE)


# The tablebases.


def _root_probe(room, moves):
    """What the tables say of the moves, None if nothing."""
    options = room.options
    if not room.tablebase:
        return None
    most_pieces, fifty_moves = options["SyzygyProbeLimit"], options["Syzygy50MoveRule"]
    return room.tablebase.probe_root(room.engine.position, moves, most_pieces, fifty_moves)


def _informed(on_line, probe):
    """Tell of lines as the tables judge them, but for mates, which are more than they know."""
    centipawns, chances = TABLEBASE_SCORES[probe.outcome]

    def tell(line):
        line = line._replace(tablebase_hits=line.tablebase_hits + probe.probes)
        if line.score.mate is None or abs(probe.outcome) != outcomes.WIN:
            line = line._replace(score=Score(centipawns, None), win_draw_loss=chances)
        on_line(line)

    return tell


# The handicap.


def _handicap(options):
    """How weakly to play, None for as well as possible."""
    if options["UCI_LimitStrength"]:
        return handicap.handicap_of(options["UCI_Elo"])
    if options["Skill Level"] < handicap.HIGHEST_SKILL:
        return handicap.handicap_of(handicap.elo_of_skill(options["Skill Level"]))
    return None


def _weak_choice(room, limits, settings, weakness, on_line):
    """Search no more than the handicap allows, and choose from the lines found; the last one told is it."""
    shown = settings.multi_pv

    def tell(line):
        if line.rank <= shown:
            on_line(line)

    limits = limits._replace(nodes=min(limits.nodes or weakness.nodes, weakness.nodes))
    settings = settings._replace(multi_pv=max(shown, weakness.lines))
    choice = _search(room, limits, settings, tell)
    if not choice.lines:  # there was no time for a single iteration
        return choice
    line = handicap.choose_line(choice.lines[: weakness.lines], weakness, DICE)
    if line.rank > 1:
        on_line(line._replace(rank=1))
    return Choice(line.moves[0], line.moves[1] if len(line.moves) > 1 else NO_MOVE, choice.lines)
