"""The engine of the library: searches, moves in games, evaluation, counts, options."""

import copy
import gc
import os
import pickle
import re
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Event
from time import sleep
from types import SimpleNamespace

import chess
import numpy as np
import pytest

from bluekrait import Engine, Line, Position, Score
from bluekrait.core.move import NO_MOVE
from bluekrait.search import reports
from bluekrait.search.evaluation.classical.explain import TermRow
from bluekrait.search.evaluation.network import default_network
from bluekrait.search.library import compiled, drawing
from bluekrait.search.library.arguments import MOST_SECONDS, search_limits, with_clock
from bluekrait.search.library.evaluations import evaluation_of
from bluekrait.search.library.options import Options
from bluekrait.search.library.results import Result
from bluekrait.search.limits import Limits, Settings
from bluekrait.search.playing.choice import PlaySettings
from bluekrait.search.scores import MATERIAL_SCALE_BASE, MATERIAL_SCALE_UNIT
from bluekrait.search.thinking.win_rate import middle_of
from bluekrait.uci.options.option_table import find_option
from helpers.paths import DATA
from helpers.search.polyglot_book import entry

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


@pytest.fixture
def engine():
    with Engine() as made:
        yield made


# --- searches -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [{"nodes": 3000}, {"depth": 5}, {"seconds": 0.05}, {"mate": 1, "depth": 9}])
def test_every_limit_ends_a_search(engine, limit):
    result = engine.search(MATE_IN_ONE, **limit)
    assert result.move == "a1a8" and result.reply is None
    assert result.line.score == Score(None, 1)


def test_a_line_in_every_notation(engine):
    position = Position(KIWIPETE)
    result = engine.search(position, nodes=5000)
    line, board = result.line, position.board()
    assert board.variation_san([chess.Move.from_uci(move) for move in line.moves]) == line.san
    assert line.uci == " ".join(line.moves)
    assert result.move == line.moves[0] and result.reply == line.moves[1]
    assert sum(line.chances) == pytest.approx(1) and 0 < line.chances.expectation < 1
    assert 0 < line.depth <= line.selective_depth and 0 < line.nodes <= 5000 and line.seconds > 0
    assert line._repr_svg_().count("arrow") >= 2 and result._repr_svg_() == line._repr_svg_()
    assert "depth" in repr(line) and result.move in repr(result)


def test_the_arrows_of_the_first_two_moves_are_bold_and_lie_on_top(engine):
    picture = engine.search(Position(), nodes=5000).line.svg()
    arrows = re.findall('<polygon [^>]*fill="(#[^"]*)" class="arrow"', picture)
    own, enemy = drawing.COLOURS
    assert arrows[-2:] == [enemy, own]
    assert set(arrows[:-2]) == {colour[:-2] + drawing.FADED for colour in drawing.COLOURS}


REPORT = reports.Line(7, 9, 2, Score(31, None), reports.LOWER_BOUND, (400, 500, 100), 1234, 2.5, 250, 17, [])


def test_shares_are_told_from_0_to_1():
    line = Line(REPORT, Position())
    assert line.chances == (0.4, 0.5, 0.1) and line.hash_full == 0.25
    assert line.chances.expectation == 0.65


def test_a_line_tells_what_the_search_reports():
    line = Line(REPORT, Position())
    assert (line.depth, line.selective_depth, line.rank, line.bound) == (7, 9, 2, "lowerbound")
    assert (line.nodes, line.seconds, line.tablebase_hits) == (1234, 2.5, 17)


def test_the_picture_of_a_line_shows_its_first_moves_as_arrows():
    game = Position().play("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6")
    line = Line(REPORT._replace(moves=list(game.played)), Position())
    tails = re.findall('<line x1="([^"]*)" y1="([^"]*)"', line.svg(size=200))
    assert len(tails) == 6 and tails[-1] == ("217.5", "307.5")  # that of the first move is on e2
    flipped = line.svg(size=200, flipped=True)
    assert 'width="200" height="200"' in flipped
    assert re.findall('<line x1="([^"]*)" y1="([^"]*)"', flipped)[-1] == ("172.5", "82.5")


def test_scores_are_seen_by_the_side_to_move_or_by_white(engine):
    white_is_ahead = "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 1"
    line = engine.search(white_is_ahead, nodes=2000).line
    assert line.score.centipawns is None or line.score.centipawns < -300
    assert line.white_score.centipawns == -line.score.centipawns
    assert line.chances.loss > 0.9
    black_mates = engine.search("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", depth=3).line
    assert (black_mates.score, black_mates.white_score) == (Score(None, 1), Score(None, -1))


def test_boards_of_python_chess_are_positions(engine):
    board = chess.Board(MATE_IN_ONE)
    assert board.parse_uci(engine.search(board, nodes=500).move) == chess.Move.from_uci("a1a8")
    castling = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1", chess960=True)
    assert engine.search(castling, nodes=500, moves=["e1h1"]).move == "e1h1"
    castling.chess960 = False
    assert engine.search(castling, nodes=500, moves=["O-O"]).move == "e1g1"


def test_several_lines(engine):
    lines = engine.search(KIWIPETE, depth=6, multi_pv=3).lines
    assert [line.rank for line in lines] == [1, 2, 3]
    assert len({line.moves[0] for line in lines}) == 3
    assert lines[0].score.centipawns >= lines[1].score.centipawns >= lines[2].score.centipawns
    engine.options.multi_pv = 2
    assert len(engine.search(KIWIPETE, nodes=5000).lines) == 2


def test_chosen_moves_only(engine):
    assert engine.search(KIWIPETE, nodes=2000, moves=["a2a3"]).move == "a2a3"
    assert engine.search(KIWIPETE, nodes=2000, moves=["a2a3", "Rb1"]).move in ("a2a3", "a1b1")
    with pytest.raises(ValueError, match="e2e5"):
        engine.search(Position(), nodes=10, moves=["e2e5"])


def test_a_game_that_is_over(engine):
    result = engine.search(STALEMATED, nodes=100)
    assert result.move is None and result.reply is None
    assert result.line.moves == () and result.line.chances.draw == 1
    assert engine.best_move(STALEMATED, nodes=100) is None


def test_same_engine_same_answer():
    def answers():
        with Engine() as engine:
            return [(line.uci, line.nodes) for line in engine.search(KIWIPETE, nodes=5000, multi_pv=2).lines]

    assert answers() == answers()


@pytest.mark.parametrize(
    "limits, complaint",
    [
        ({}, "give a limit"),
        ({"nodes": 0}, "nodes must be at least 1"),
        ({"depth": -1}, "depth must be at least 1"),
        ({"seconds": -0.5}, "seconds must not be negative"),
        ({"seconds": float("nan")}, "seconds must not be negative"),
        ({"seconds": float("inf")}, "seconds must be at most"),
        ({"seconds": "1"}, "seconds must be a number, not '1'"),
        ({"nodes": "9"}, "nodes must be a whole number, not '9'"),
        ({"depth": 2.5}, "depth must be a whole number, not 2.5"),
        ({"nodes": 9, "multi_pv": 0}, "multi_pv must be from 1 to 218, not 0"),
        ({"nodes": 9, "multi_pv": 999}, "multi_pv must be from 1 to 218, not 999"),
        ({"nodes": 9, "multi_pv": "2"}, "multi_pv must be a whole number, not '2'"),
    ],
)
def test_wrong_limits_are_refused(engine, limits, complaint):
    with pytest.raises((ValueError, TypeError), match=complaint):
        engine.search(Position(), **limits)


@pytest.mark.parametrize(
    "wrong, complaint",
    [
        ({"clock": "10"}, "clock must be a number, not '10'"),
        ({"clock": 10, "increment": "1"}, "increment must be a number, not '1'"),
        ({"clock": 10, "increment": None}, "increment must be a number, not None"),
        ({"clock": 10, "moves_to_go": 0}, "moves_to_go must be at least 1, not 0"),
        ({"clock": 10**400}, "clock must be at most"),
        ({"nodes": 9, "increment": "1"}, "increment must be a number, not '1'"),
        ({"nodes": 9, "moves_to_go": -3}, "moves_to_go must be at least 1, not -3"),
        ({"nodes": 9, "moves_to_go": "x"}, "moves_to_go must be a whole number, not 'x'"),
    ],
)
def test_wrong_clocks_are_refused(engine, wrong, complaint):
    with pytest.raises((ValueError, TypeError), match=complaint):
        engine.best_move(Position(), **wrong)


def test_a_move_needs_a_limit(engine):
    with pytest.raises(ValueError, match="give a limit"):
        engine.best_move(Position())


def test_numbers_of_numpy_and_fractions_are_numbers(engine):
    assert engine.search(MATE_IN_ONE, nodes=np.int64(1000), multi_pv=np.uint8(2)).move == "a1a8"
    assert engine.search(MATE_IN_ONE, seconds=np.float32(0.05)).move == "a1a8"
    assert engine.best_move(MATE_IN_ONE, clock=Fraction(1, 2), increment=np.float64(0.1)) == "a1a8"
    assert engine.perft(Position(), np.int64(2)) == 400
    engine.options.multi_pv = np.int64(2)
    assert type(engine.options.multi_pv) is int
    engine.options.multi_pv = 1


def test_limits_are_given_in_seconds_and_kept_in_milliseconds():
    place = Position()
    moves = tuple(place.move(move).packed for move in ("e4", "d4"))
    limits = search_limits(place, 1.5, 9, 8, 7, ["e4", "e2e4", "d4"])
    assert limits == Limits(move_time=1500, nodes=9, depth=8, mate=7, search_moves=moves)
    assert search_limits(place, MOST_SECONDS, None, None).move_time == 1000 * MOST_SECONDS
    assert with_clock(Limits(), 60, 0.5, 20) == Limits(remaining=60_000, increment=500, moves_to_go=20)
    assert with_clock(Limits(), 0, 0.0, None) == Limits(remaining=0)  # it is there, and has run out
    assert with_clock(Limits(depth=1), None, 0.0, None) == Limits(depth=1)


def test_a_new_game_begins_with_nothing_in_memory(engine):
    first, second = (engine.search(KIWIPETE, depth=6).line.nodes for _ in range(2))
    engine.new_game()
    assert engine.search(KIWIPETE, depth=6).line.nodes == first != second


# --- games --------------------------------------------------------------------------------------------


def test_limited_strength_plays_legal_moves_that_differ(engine):
    engine.options.elo = 800
    moves = {engine.best_move(Position(), seconds=1) for _ in range(12)}
    assert len(moves) > 1 and moves <= set(Position().legal_moves)
    result = engine.play(Position(), clock=10).result()
    assert result.move in Position().legal_moves and result.line.nodes <= 1000


def test_a_result_shows_the_line_of_the_move_that_is_played(engine):
    position = Position(MATE_IN_ONE)
    best, second = engine.search(position, depth=3, multi_pv=2).lines
    choice = reports.Choice(second.moves[0].packed, NO_MOVE, [best._report, second._report])
    result = Result(choice, position)  # as limited strength may choose
    assert repr(result) == f"<Result: {second.moves[0]}, {second.score}>"
    assert result._repr_svg_() == second.svg() != best.svg()


def test_a_clock_ends_a_move(engine):
    assert engine.best_move(MATE_IN_ONE, clock=2, increment=0.1, moves_to_go=20) == "a1a8"
    assert engine.best_move(MATE_IN_ONE, clock=-1) == "a1a8"  # it has run out


def test_book_moves_are_played(engine, tmp_path):
    path = tmp_path / "book.bin"
    path.write_bytes(entry(chess.Board(), "a2a4", 1))
    engine.options.book = str(path)
    assert engine.best_move(Position(), nodes=100) == "a2a4"
    result = engine.play(Position(), nodes=100).result()
    assert result.lines == () and "a2a4" in repr(result)
    assert result._repr_svg_() == Position()._repr_svg_()
    with pytest.raises(ValueError, match="nothing was searched"):
        _ = result.line
    engine.options.book = None
    assert engine.best_move(Position(), nodes=100) != "a2a4"


def test_tablebases_are_asked(engine):
    engine.options.syzygy = str(DATA / "syzygy")
    line = list(engine.analyse("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", nodes=5000))[-1]
    assert line.chances.win == 1 and line.tablebase_hits > 0
    root = engine.search("8/8/8/8/8/2k5/8/K6R w - - 0 1", depth=1).line  # the search itself would ask nothing
    assert root.score == Score(20_000, None) and root.tablebase_hits > 0
    four_pieces = "8/8/8/8/7p/2k5/8/K6R w - - 0 1"  # no table has them all
    hits = []
    for _ in range(2):
        engine.new_game()
        hits.append(engine.search(four_pieces, depth=3).line.tablebase_hits)
    assert hits[0] == hits[1] > 0
    engine.options.syzygy = None
    engine.new_game()
    assert engine.search(four_pieces, depth=3).line.tablebase_hits == 0
    engine.options.syzygy = os.pathsep.join(2 * [str(DATA / "syzygy")])
    assert engine.search(four_pieces, depth=3).line.tablebase_hits > 0


def test_tables_that_cannot_be_read_are_logged_once(engine, tmp_path, caplog):
    outcomes, distances = ((DATA / "syzygy" / f"KRvK.{ending}").read_bytes() for ending in ("rtbw", "rtbz"))
    for name, content in (("KRvK.rtbw", outcomes), ("KRvK.rtbz", distances[:2000]), ("KPvK.rtbw", b"")):
        (tmp_path / name).write_bytes(content)
    engine.options.syzygy = str(tmp_path)
    assert caplog.messages == [f"{tmp_path / 'KPvK.rtbw'}: not a table"]
    for _ in range(2):
        engine.search("8/8/8/8/8/2k5/8/K6R w - - 0 1", depth=1)  # asks for the distances
    assert caplog.messages[1:] == [f"{tmp_path / 'KRvK.rtbz'}: it is cut off"]


# --- evaluation and perft -----------------------------------------------------------------------------


def test_evaluation_has_parts(engine):
    evaluation = engine.evaluate("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    assert evaluation.terms["rook"].own[1] > 300 and evaluation.terms["rook"].enemy == (0, 0)
    assert evaluation.score > 300
    assert engine.evaluate("4k3/8/8/8/8/8/8/4K2R b - - 0 1").score < -300


def test_evaluations_have_the_unit_of_scores():
    without_rook = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"
    for kind in ("network", "classical"):
        with Engine(evaluation=kind) as engine:
            evaluation = engine.evaluate(without_rook)
            assert evaluation.score == getattr(evaluation, kind)
            assert abs(evaluation.score - engine.search(without_rook, depth=1).line.score.centipawns) < 100
            assert evaluation.score < -500
            assert evaluation.worths["h1"] > 500 and evaluation.terms["rook"].enemy[0] > 1000


def test_centipawns_follow_from_the_pieces_that_are_left_and_a_network_is_weighted_by_them():
    position, row = Position("4k3/2pp4/8/8/8/8/PPP5/4K3 b - - 0 1").value, TermRow("pawn", 10, 20, 30, 40)
    centipawn = middle_of(7) / 100
    weighted = round(100 / centipawn * (MATERIAL_SCALE_BASE + 7) / MATERIAL_SCALE_UNIT)
    evaluation = evaluation_of(position, [row], 100, (100, {8: 100}), uses_network=True)
    assert evaluation.classical == round(100 / centipawn) != weighted
    assert evaluation.network == evaluation.score == weighted
    assert evaluation.worths == {"a7": weighted}  # squares are numbered from the side to move
    own, enemy = (tuple(round(points / centipawn) for points in pair) for pair in ((10, 20), (30, 40)))
    assert evaluation.terms == {"pawn": ("pawn", own, enemy)}


def test_network_evaluation(engine, tmp_path):
    from bluekrait.search.evaluation.network.network_file import pack
    from helpers.network.networks import random_network

    path = tmp_path / "random.bknn"
    path.write_bytes(pack(random_network(32)))
    engine.options.network = str(path)
    assert engine.options.evaluation == "network"
    evaluation = engine.evaluate(KIWIPETE)
    assert evaluation.score == evaluation.network
    assert set(evaluation.worths) >= {"e5", "a8"}
    lone_king = engine.evaluate("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    assert lone_king.network is None and lone_king.worths == {}
    assert lone_king.score == lone_king.classical
    engine.options.evaluation = "classical"
    assert engine.evaluate(KIWIPETE).score == evaluation.classical


def test_a_search_uses_the_network_that_was_loaded_last_until_another_evaluation_is_chosen(engine, tmp_path):
    from bluekrait.search.evaluation.network.network_file import pack
    from helpers.network.networks import random_network

    def found():
        line = engine.search(KIWIPETE, nodes=2000).line
        return line.uci, line.score, line.nodes

    path = tmp_path / "random.bknn"
    path.write_bytes(pack(random_network(32)))
    engine.options.evaluation = "classical"
    classical = found()
    engine.options.network = str(path)
    assert engine.options.evaluation == "network"
    assert found() != classical
    engine.options.evaluation = "classical"
    assert found() == classical  # nothing in the table is of the network


def test_perft(engine):
    assert engine.perft(KIWIPETE, 3) == 97862
    assert engine.perft(KIWIPETE, 3, threads=2, hash_mb=1) == 97862
    assert engine.perft(KIWIPETE, 0) == 1
    counts = engine.divide(Position(), 2)
    assert len(counts) == 20 and set(counts.values()) == {20}


def test_a_count_can_be_stopped(engine):
    with ThreadPoolExecutor() as pool:
        count = pool.submit(engine.perft, KIWIPETE, 12)
        while not count.done():  # the first stop may come before there is anything to stop
            engine.stop()
            sleep(0.01)
        with pytest.raises(InterruptedError, match="perft 12 was stopped"):
            count.result()


def test_what_waits_for_its_turn_can_be_stopped(engine, monkeypatch):
    def stopped(call, *arguments, **named):
        lines = iter(engine.analyse(KIWIPETE))
        next(lines)  # it has its turn
        waits.clear()
        waiting = pool.submit(call, *arguments, **named)
        waits.wait()
        engine.stop()
        return waiting.result()

    waits = Event()
    monkeypatch.setattr(engine._lock, "check_wait", lambda *_: waits.set())  # asked before a call waits
    with ThreadPoolExecutor() as pool:
        assert stopped(engine.search, KIWIPETE, depth=9).line.depth < 9
        with pytest.raises(InterruptedError, match="perft 4 was stopped"):
            stopped(engine.perft, KIWIPETE, 4)


# --- options ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, value, error",
    [
        ("threads", 0, "threads must be from 1 to"),
        ("threads", 1.5, "threads must be a whole number"),
        ("threads", True, "threads must be a whole number"),
        ("hash_mb", 1 << 40, "hash_mb must be from 1 to"),
        ("elo", 100, "elo must be from 800 to 2800"),
        ("elo", "weak", "elo must be a whole number"),
        ("evaluation", "both", "evaluation must be 'network' or 'classical'"),
        ("fifty_moves", 1, "fifty_moves must be True or False"),
        ("book", 7, "book must be a path"),
        ("book", "/missing/book.bin", "book: /missing/book.bin: No such file"),
        ("book", __file__, "it is no opening book in Polyglot's format"),
        ("syzygy", "/missing/tables", "no tablebases"),
        ("network", "/missing/network.bknn", "missing"),
    ],
)
def test_wrong_options_are_refused_and_the_old_value_stays(engine, name, value, error):
    before = getattr(engine.options, name)
    with pytest.raises((ValueError, TypeError), match=error):
        setattr(engine.options, name, value)
    assert getattr(engine.options, name) == before
    assert engine.search(MATE_IN_ONE, nodes=100).move == "a1a8"


@pytest.mark.parametrize(
    "name, bounds", [("elo", (800, 2800)), ("multi_pv", (1, 218)), ("syzygy_pieces", (0, 7))]
)
def test_options_take_both_of_their_bounds(engine, name, bounds):
    for bound in bounds:
        setattr(engine.options, name, bound)
        assert getattr(engine.options, name) == bound


@pytest.mark.parametrize(
    "name, of_uci",
    [
        ("hash_mb", "Hash"),
        ("multi_pv", "MultiPV"),
        ("move_overhead_ms", "Move Overhead"),
        ("syzygy_pieces", "SyzygyProbeLimit"),
        ("syzygy_depth", "SyzygyProbeDepth"),
    ],
)
def test_numbers_have_the_defaults_and_bounds_that_uci_announces(name, of_uci):
    ours, theirs = getattr(Options, name), find_option(of_uci)
    assert (ours.initial, ours.low, ours.high) == (theirs.default, theirs.low, theirs.high)


def test_switches_have_the_defaults_that_uci_announces():
    assert Options.fifty_moves.initial is find_option("Syzygy50MoveRule").default is True
    assert Options.is_best_of_book.initial is (find_option("Book Choice").default == "best") is False


def test_an_option_that_is_set_to_what_it_is_empties_no_table(engine, monkeypatch):
    sizes = []
    monkeypatch.setattr(engine._engine, "set_hash", sizes.append)
    for megabytes in (engine.options.hash_mb, 3, 3):
        engine.options.hash_mb = megabytes
    assert sizes == [3]


def test_unknown_options_are_refused(engine):
    with pytest.raises(AttributeError):
        engine.options.contempt = 3


@pytest.mark.parametrize("attempt", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_belongs_to_an_engine_cannot_be_copied(engine, attempt):
    search = engine.analyse(MATE_IN_ONE, nodes=500)
    for thing, instead in (
        (engine, "an Engine .* make another one"),
        (engine.options, "Options .* keep their values"),
        (search, r"a Search .* its `result\(\)` can"),
    ):
        with pytest.raises(TypeError, match=instead):
            attempt(thing)
    assert search.result().move == engine.search(MATE_IN_ONE, nodes=500).move == "a1a8"


@pytest.mark.parametrize("wrong", ["e4", "a1a8", Position().move("e4"), 3])
def test_a_text_is_no_list_of_moves(engine, wrong):
    for use in Position, lambda moves: engine.search(Position(), nodes=9, moves=moves):
        with pytest.raises(TypeError, match=r"moves must be a list of texts such as \['e2e4', 'Nf3'\], not"):
            use(moves=wrong)


def test_options_of_the_constructor():
    with Engine(threads=2, hash_mb=4, multi_pv=2, elo=2000) as engine:
        assert repr(engine.options).startswith("Options(threads=2, hash_mb=4, multi_pv=2, elo=2000")
        assert len(engine.search(KIWIPETE, nodes=4000).lines) == 2


def test_files_of_the_constructor(tmp_path):
    from bluekrait.search.evaluation.network.network_file import pack
    from helpers.network.networks import random_network

    book, network = tmp_path / "book.bin", tmp_path / "random.bknn"
    book.write_bytes(entry(chess.Board(), "a2a4", 1))
    network.write_bytes(pack(random_network(32)))
    with Engine(book=str(book), syzygy=str(DATA / "syzygy"), network=str(network)) as engine:
        assert engine.best_move(Position(), nodes=9) == "a2a4"
        assert engine.search("8/8/8/8/8/2k5/8/K6R w - - 0 1", depth=1).line.tablebase_hits > 0
        assert engine.evaluate(KIWIPETE).network != Engine().evaluate(KIWIPETE).network


def test_options_decide_how_moves_are_chosen(engine, monkeypatch):
    told = []

    def choose(engine, limits, settings, *callbacks, **more):
        told.append(settings)
        return reports.Choice(NO_MOVE, NO_MOVE, [])

    monkeypatch.setattr("bluekrait.search.library.engine.choose_move", choose)
    options = engine.options
    options.multi_pv, options.move_overhead_ms, options.elo, options.is_best_of_book = 3, 77, 1500, True
    options.syzygy_pieces, options.syzygy_depth, options.fifty_moves = 5, 9, False
    engine.best_move(Position(), nodes=9)
    search = Settings(multi_pv=3, move_overhead=77, tablebase_pieces=5, tablebase_depth=9, fifty_moves=False)
    assert told == [PlaySettings(search, plays_best_of_book=True, elo=1500)]


def test_an_analysis_takes_no_shortcuts_and_needs_no_time_for_a_board(engine, monkeypatch):
    told = []

    def go(limits, settings, on_line, on_start):
        told.append((limits, settings))
        return reports.Choice(NO_MOVE, NO_MOVE, [])

    monkeypatch.setattr(engine._engine, "go", go)
    engine.search(Position(), mate=3, multi_pv=2)
    engine.analyse(Position(), mate=3, multi_pv=2).result()
    settings = Settings(multi_pv=2, move_overhead=0, is_analysis=True, tablebase_pieces=7)
    assert told == [(Limits(mate=3), settings)] * 2


def test_threads_and_memory_are_passed_on(engine, monkeypatch):
    told = []

    def perft(depth, threads, hash_mb, count, on_start):
        told.append((depth, threads, hash_mb))
        return SimpleNamespace(complete=True)

    monkeypatch.setattr(engine._engine, "perft", perft)
    monkeypatch.setattr(engine._engine, "set_threads", told.append)
    engine.divide(Position(), 3, threads=2, hash_mb=5)
    engine.options.threads = 4
    assert told == [(3, 2, 5), 4]


def test_without_a_file_the_network_of_the_package_is_loaded_again(engine, tmp_path):
    from bluekrait.search.evaluation.network.network_file import pack
    from helpers.network.networks import random_network

    path, own = tmp_path / "random.bknn", engine.evaluate(KIWIPETE).network
    path.write_bytes(pack(random_network(32)))
    engine.options.network = str(path)
    assert engine.evaluate(KIWIPETE).network != own
    engine.options.network = None
    assert engine.evaluate(KIWIPETE).network == own


def test_without_a_network_none_can_be_chosen(monkeypatch):
    monkeypatch.setattr(default_network, "load", lambda: None)
    with Engine() as engine:
        with pytest.raises(ValueError, match=r"no network is loaded: options\.network loads one"):
            engine.options.evaluation = "network"
        assert engine.options.evaluation == "classical"
        assert engine.evaluate(KIWIPETE).score == engine.evaluate(KIWIPETE).classical


def test_compiling_is_logged(monkeypatch, caplog):
    def load(module, on_progress):
        for done, what in enumerate(("rook moves", "the search")):
            on_progress(done, 2, what)

    monkeypatch.setattr(compiled.native, "load", load)
    caplog.set_level("INFO", "bluekrait")
    compiled._entries.__wrapped__()
    first, *others = [(record.levelname, record.message) for record in caplog.records]
    assert first[0] == "WARNING" and "about a minute" in first[1]
    assert others == [("INFO", "compiling 1 of 2: rook moves"), ("INFO", "compiling 2 of 2: the search")]


def test_neither_numba_nor_numpy_is_loaded(warm_cache):
    program = (
        "import sys; from bluekrait import Engine, Position;"
        "print(Engine().search(Position(), nodes=1000).move, {'numba', 'numpy', 'chess'} & set(sys.modules))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert answer.stdout.split(maxsplit=1)[1:] == ["set()\n"], answer.stderr


@pytest.mark.parametrize(
    "name, wrong", [("threads", 0), ("threads", -1), ("threads", 1025), ("hash_mb", -1), ("hash_mb", 1 << 40)]
)
def test_threads_and_memory_of_a_count_are_bounded(engine, name, wrong):
    with pytest.raises(ValueError, match=f"{name} must be from"):
        engine.perft("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 2, **{name: wrong})


def test_a_count_of_depth_zero_is_checked_like_others():
    with Engine() as engine:
        assert (engine.perft(KIWIPETE, 0), engine.divide(KIWIPETE, 0)) == (1, {})
        with pytest.raises(ValueError, match="fields: 1"):
            engine.perft("garbage", 0)
    with pytest.raises(ValueError, match="closed"):
        engine.perft(KIWIPETE, 0)


def test_more_nodes_than_can_be_counted_are_no_limit(engine):
    assert engine.search(KIWIPETE, nodes=1 << 64, depth=5).line.depth == 5


@pytest.mark.parametrize("depth", ["x", "", 2.0, None])
def test_a_count_needs_a_whole_depth(engine, depth):
    for count in engine.perft, engine.divide:
        with pytest.raises(TypeError, match="depth must be a whole number"):
            count(Position(), depth)


def test_dropped_engines_need_no_collector():
    gc.disable()
    try:
        engine = Engine()
        dropped = weakref.ref(engine)
        del engine
        assert dropped() is None
    finally:
        gc.enable()
