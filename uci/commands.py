"""The commands that need the engine. They are carried out one after another in the engine room.

Each takes the room and the words after its name. A ValueError becomes one `info string` line. What they
need is imported when they run, for this module is on the way to `uciok`.
"""

from bluekrait.uci.numbers import parse_whole


class CommandError(ValueError):
    """The command makes no sense as it was written."""


def setoption(room, words):
    """setoption name <option> value <value>"""
    room.options.set(words)
    room.engine.chess960 = room.options["UCI_Chess960"]


def position(room, words):
    """position startpos|fen <fen> [moves <move> ...]"""
    end = words.index("moves") if "moves" in words else len(words)
    room.engine.set_position(_starting_fen(words[:end]), words[end + 1 :])


def _starting_fen(words):
    """The FEN that the words name, None for the start position."""
    if words == ["startpos"]:
        return None
    if words[:1] == ["fen"] and len(words) > 1:
        return " ".join(words[1:])
    raise CommandError("expected position startpos or position fen <fen>, then moves <move> ... if any")


def go(room, words):
    """go perft <depth>; any other go is answered with just some legal move, for there is no search yet"""
    if "perft" in words:
        _perft(room, words[words.index("perft") + 1 :])
    else:
        _play_something(room, words)


def _play_something(room, words):
    from bluekrait.core.move import NO_MOVE
    from bluekrait.uci.printing import move_text

    if "infinite" in words or "ponder" in words:
        room.wait_for_stop()  # a GUI takes no answer before
    moves = room.engine.legal_moves()
    room.say_info("no search in this version, this is just some legal move")
    room.say(f"bestmove {move_text(room.engine, moves[0] if moves else NO_MOVE)}")


def _perft(room, words):
    from bluekrait.uci.printing import root_count_text, total_text

    engine = room.engine
    depth = parse_perft_depth("".join(words[:1]))
    if room.is_stopped():
        raise CommandError("go perft was stopped before it began")
    result = engine.perft(
        depth,
        threads=room.options["Threads"],
        hash_mb=room.options["PerftHash"],
        on_move=lambda move, nodes: room.say(root_count_text(engine, move, nodes)),
        on_progress=lambda nodes, fraction: room.heed_stop(),
    )
    if not result.complete:
        room.say_info("perft was stopped, its count is not complete")
    room.say(total_text(result.nodes))


def parse_perft_depth(text):
    """The depth that `text` means."""
    from bluekrait.core.records import MAX_DEPTH

    try:
        return parse_whole(text, 0, MAX_DEPTH - 1)
    except ValueError as error:
        raise CommandError(f"perft depth: {error}") from None


def d(room, words):
    """d: show the board, its FEN, its key and who gives check"""
    from bluekrait.uci.printing import position_text

    room.say(position_text(room.engine.describe(), room.engine.chess960))


def moves(room, words):
    """moves: list the legal moves by kind"""
    from bluekrait.uci.printing import moves_text

    room.say(moves_text(room.engine))


def compiler(room, words):
    """compiler: show versions, processor and the state of the cache"""
    from bluekrait.search.engine import compiler_report
    from bluekrait.uci.printing import table_text

    room.say(table_text(compiler_report()))


IN_ORDER = {
    "setoption": setoption,
    "position": position,
    "go": go,
    "d": d,
    "moves": moves,
    "compiler": compiler,
}
