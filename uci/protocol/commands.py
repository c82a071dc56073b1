"""The UCI commands that need the engine. They are carried out one after another in the engine room.

Each takes the room and the words after its name. A ValueError becomes one `info string` line. What they
need is imported when they run, for this module is on the way to `uciok`.
"""

from bluekrait.uci.numbers import parse_whole
from bluekrait.uci.options.option_effects import set_option
from bluekrait.uci.options.option_table import parse_setting


class CommandError(ValueError):
    """The command makes no sense as it was written."""


def setoption(room, words):
    """setoption name <option> [value <value>]: change an option, or press a button"""
    set_option(room, *parse_setting(words))


def debug(room, words):
    """debug on|off: say more, or no more than needed"""
    if words not in (["on"], ["off"]):
        raise CommandError("expected debug on or debug off")
    room.is_talkative = words == ["on"]


def ucinewgame(room, words):
    """ucinewgame: forget what was learnt, the next position has nothing to do with those before"""
    room.engine.new_game()


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
    """go [<limit> <number>] ... [searchmoves <move> ...] [infinite] [ponder], go perft <depth>"""
    if "perft" in words:
        _perft(room, words[words.index("perft") + 1 :])
    else:
        _choose(room, words)


def _choose(room, words):
    from bluekrait.search.playing.choice import think
    from bluekrait.uci.protocol.go import parse_go
    from bluekrait.uci.protocol.info import Wording

    engine = room.engine
    limits, complaints = parse_go(words, engine.turn, engine.legal_moves())
    for complaint in complaints:
        room.say_info(complaint)
    if room.is_talkative:
        room.say_info(f"asked for {limits}")
    wording = Wording(engine.turn, engine.chess960, room.options["UCI_ShowWDL"])
    choice = think(
        room,
        limits,
        on_line=lambda line: room.say(wording.line(line)),
        on_current_move=lambda current: room.say(wording.current_move(current)),
    )
    room.say(wording.best_move(choice.move, choice.ponder_move))


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
        generator=_generator(room),
        on_move=lambda move, nodes: room.say(root_count_text(engine, move, nodes)),
        on_progress=lambda nodes, fraction: room.heed(),
    )
    if not result.complete:
        room.say_info("perft was stopped, its count is not complete")
    room.say(total_text(result.nodes))


def _generator(room):
    """The perft of another generator, if one is wanted."""
    from bluekrait.core.generators.registry import LIVE, load_perft

    name = room.options["PerftGenerator"]
    if name == LIVE:
        return None
    room.say_info(f"loading the generator {name}; the first time, it is compiled")
    return load_perft(name)


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


def bench(room, words):
    """bench [<depth>] [<threads>] [<hash>]: search a set of positions; the nodes identify how it plays"""
    from bluekrait.uci.protocol.bench import bench

    bench(room, words)


def speedtest(room, words):
    """speedtest [<threads>] [<hash>] [<seconds>]: measure how fast the search is in the course of a game"""
    from bluekrait.uci.protocol.bench import speedtest

    speedtest(room, words)


def genfens(room, words):
    """genfens <number> [seed <number>] [book <file>]: say openings for other programs, fair ones"""
    from bluekrait.uci.protocol.genfens import genfens

    genfens(room, words)


def evaluation(room, words):
    """eval: show how the evaluation of the position comes about"""
    from bluekrait.uci.printing import evaluation_text

    room.say(evaluation_text(*room.engine.evaluation(), room.engine.turn))


def parameters(room, words):
    """parameters: list the numbers that shape the search, as OpenBench's SPSA wants them"""
    from bluekrait.search.parameters import PARAMETERS

    for number in PARAMETERS:
        room.say(f"{number.name}, int, {number.value}, {number.low}, {number.high}, {number.step}, 0.002")


IN_ORDER = {
    "setoption": setoption,
    "debug": debug,
    "ucinewgame": ucinewgame,
    "position": position,
    "go": go,
    "d": d,
    "moves": moves,
    "eval": evaluation,
    "bench": bench,
    "speedtest": speedtest,
    "genfens": genfens,
    "compiler": compiler,
    "parameters": parameters,
}

# Those whose whole point is what they print.
QUESTIONS = ("go", "d", "moves", "eval", "bench", "speedtest", "genfens", "compiler", "parameters")
