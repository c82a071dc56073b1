"""The UCI commands that need the engine. The executor runs them one after another.

Each takes the session and the words after its name. A ValueError becomes one `info string` line. What a
command needs is imported when it runs, because this module is imported before `uciok`.
"""

from __future__ import annotations

from bluekrait.uci.numbers import parse_whole
from bluekrait.uci.option_effects import set_option
from bluekrait.uci.options.option_table import NETWORK, parse_setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bluekrait.uci.session import Session


class CommandError(ValueError):
    """The command is not written as it should be."""


def setoption(session: Session, words: list[str]) -> None:
    """setoption name <option> [value <value>]: change an option, or press a button"""
    set_option(session, *parse_setting(words))


def debug(session: Session, words: list[str]) -> None:
    """debug on|off: print more information, or only what is needed"""
    if words not in (["on"], ["off"]):
        raise CommandError("expected debug on or debug off")
    session.is_debugging = words == ["on"]


def ucinewgame(session: Session, words: list[str]) -> None:
    """ucinewgame: forget what was learnt, the next position is from another game"""
    session.engine.new_game()


def position(session: Session, words: list[str]) -> None:
    """position startpos|fen <fen> [moves <move> ...]: set up a position, and play moves from there"""
    end = words.index("moves") if "moves" in words else len(words)
    session.engine.set_position(_starting_fen(words[:end]), words[end + 1 :])


def _starting_fen(words: list[str]) -> str | None:
    """The FEN that the words name, None for the starting position."""
    if words == ["startpos"]:
        return None
    if words[:1] == ["fen"] and len(words) > 1:
        return " ".join(words[1:])
    raise CommandError("expected position startpos or position fen <fen>, then moves <move> ... if any")


def go(session: Session, words: list[str]) -> None:
    """go [<limit> <number>] ... [searchmoves <move> ...] [infinite] [ponder]: choose a move; limits are
    depth, nodes, mate, movetime, wtime, btime, winc, binc and movestogo; go perft <depth>: count sequences of
    moves
    """
    if "perft" in words:
        _perft(session, words[words.index("perft") + 1 :])
    else:
        _search(session, words)


def _search(session: Session, words: list[str]) -> None:
    from bluekrait.uci.protocol.go import parse_go
    from bluekrait.uci.protocol.info import Wording

    engine = session.engine
    limits, complaints = parse_go(words, engine.turn, engine.legal_moves())
    for complaint in complaints:
        session.inform(complaint)
    if session.is_debugging:
        session.inform(f"asked for {limits}")
    wording = Wording(engine.turn, engine.chess960, session.options.is_on("UCI_ShowWDL"))
    choice = session.think(
        limits,
        on_line=lambda line: session.say(wording.line(line)),
        on_current_move=lambda current: session.say(wording.current_move(current)),
    )
    session.say(wording.best_move(choice.move, choice.ponder_move))


def _perft(session: Session, words: list[str]) -> None:
    from bluekrait.uci.printing import root_count_text, total_text

    engine = session.engine
    depth = parse_perft_depth("".join(words[:1]))
    if session.command.is_stopped():
        raise CommandError("go perft was stopped before it began")
    result = engine.perft(
        depth,
        threads=session.options.number("Threads"),
        hash_mb=session.options.number("PerftHash"),
        generator=_perft_generator(session),
        on_move=lambda move, nodes: session.say(root_count_text(engine, move, nodes)),
        on_start=session.forward_to_engine,
    )
    if not result.complete:
        session.inform("perft was stopped, its count is not complete")
    session.say(total_text(result.nodes))


def _perft_generator(session: Session) -> Any:
    """The perft of the generator that the options name, None for the engine's own."""
    from bluekrait.core.generators.registry import LIVE, load_perft

    name = session.options.text("PerftGenerator")
    if name == LIVE:
        return None
    session.inform(f"loading the generator {name}; the first time, it is compiled")
    return load_perft(name)


def parse_perft_depth(text: str) -> int:
    """The depth that `text` means."""
    from bluekrait.core.records import MAX_DEPTH

    try:
        return parse_whole(text, 0, MAX_DEPTH - 1)
    except ValueError as error:
        raise CommandError(f"perft depth: {error}") from None


def d(session: Session, words: list[str]) -> None:
    """d: print the board, its FEN, its key and the pieces that give check"""
    from bluekrait.uci.printing import position_text

    session.say(position_text(session.engine.describe(), session.engine.chess960))


def moves(session: Session, words: list[str]) -> None:
    """moves: list the legal moves by kind"""
    from bluekrait.uci.printing import moves_text

    session.say(moves_text(session.engine))


def compiler(session: Session, words: list[str]) -> None:
    """compiler: print versions, processor and the state of the cache"""
    from bluekrait.search.engine import compiler_report
    from bluekrait.uci.printing import table_text

    session.say(table_text(compiler_report()))


def bench(session: Session, words: list[str]) -> None:
    """bench [<depth>] [<threads>] [<hash>], four words and more in Stockfish's order: search, count nodes"""
    from bluekrait.uci.protocol.bench import bench

    bench(session, words)


def speedtest(session: Session, words: list[str]) -> None:
    """speedtest [<threads>] [<hash>] [<seconds>]: measure the speed of the search in the course of a game"""
    from bluekrait.uci.protocol.bench import speedtest

    speedtest(session, words)


def genfens(session: Session, words: list[str]) -> None:
    """genfens <number> [seed <number>] [book <file>]: print balanced opening FENs"""
    from bluekrait.uci.protocol.genfens import genfens

    genfens(session, words)


def evaluation(session: Session, words: list[str]) -> None:
    """eval: print how the evaluation of the position comes about, in points, which are not yet centipawns"""
    from bluekrait.uci.printing import LONE_KING_TEXT, evaluation_text, final_text, network_text

    engine = session.engine
    rows, score = engine.evaluation()
    session.say(evaluation_text(rows, score, engine.turn))
    used = "the classical evaluation"
    judged = engine.network_evaluation()
    if judged:
        session.say(network_text(engine.position, *judged))
        if session.options.text("Evaluation") == NETWORK:
            score, used = judged[0], "the network"
    elif engine.network:
        session.say(LONE_KING_TEXT)
    session.say(final_text(score, engine.turn, used))


def parameters(session: Session, words: list[str]) -> None:
    """parameters: list the parameters of the search in the format of OpenBench's SPSA"""
    from bluekrait.search.parameters import PARAMETERS

    for number in PARAMETERS:
        session.say(f"{number.name}, int, {number.value}, {number.low}, {number.high}, {number.step}, 0.002")


COMMANDS: dict[str, Callable[[Session, list[str]], None]] = {
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

# Commands that print an answer. A script that ends right after one of them still gets it.
QUESTIONS = ("go", "d", "moves", "eval", "bench", "speedtest", "genfens", "compiler", "parameters")
