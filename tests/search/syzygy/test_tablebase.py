"""Tablebases at the root. Files of tables are large; most tests read made-up ones, of one ending they know.

Where SYZYGY_PATH names a directory with the tables of three and four pieces, those are read as well.
"""

import os
import sys

import chess
import chess.syzygy
import pytest

from bluekrait.search.syzygy.outcomes import BLESSED_LOSS, CURSED_WIN, DRAW, LOSS, WIN
from bluekrait.search.syzygy.root_tables import Tablebase, TablebaseError
from helpers.oracles import packed_move, packed_moves, position_of
from helpers.paths import DATA

ROOK_ENDING = "8/8/8/8/8/2k5/8/K6R w - - {clock} 60"


class MadeUpTables:
    """Tables that were told what to say of a position, by its placement and side to move."""

    def __init__(self, facts):
        self._facts = facts

    def probe_wdl(self, board):
        return self._facts[board.epd()][0]

    def probe_dtz(self, board):
        return self._facts[board.epd()][1]


def made_up(facts):
    """A tablebase that knows these facts."""
    tablebase = Tablebase([])
    tablebase._tables = MadeUpTables(facts)
    return tablebase


def told(board, **outcomes):
    """Facts about the positions after some moves: outcome and distance for the side that is then to move."""
    facts = {}
    for move, fact in outcomes.items():
        after = board.copy()
        after.push_uci(move)
        facts[after.epd()] = fact
    return facts


def probed(board, facts, fifty_moves=True, most_pieces=7):
    """What comes of probing, with moves as texts; only moves that there are facts about."""
    names = {packed_move(board, move): move.uci() for move in board.legal_moves}
    moves = [move for move in packed_moves(board) if follows(board, names[move]) in facts]
    probe = made_up(facts).probe_root(position_of(board), moves, most_pieces, fifty_moves)
    return probe and (probe.outcome, [names[move] for move in probe.moves], probe.probes)


def follows(board, move):
    after = board.copy()
    after.push_uci(move)
    return after.epd()


def ending(clock=0):
    return chess.Board(ROOK_ENDING.format(clock=clock))


def test_the_shortest_win_is_kept():
    facts = told(ending(), h1h2=(-2, -20), h1h3=(-2, -18), h1h4=(0, 0), a1b1=(-2, -18))
    outcome, moves, probes = probed(ending(), facts)
    assert (outcome, set(moves), probes) == (WIN, {"h1h3", "a1b1"}, 4)


def test_all_draws_are_kept_where_there_is_no_win():
    facts = told(ending(), h1h2=(0, 0), h1h3=(0, 0), h1h4=(2, 10))
    outcome, moves, _ = probed(ending(), facts)
    assert (outcome, set(moves)) == (DRAW, {"h1h2", "h1h3"})


def test_the_longest_loss_is_kept():
    facts = told(ending(), h1h2=(2, 8), h1h3=(2, 12))
    assert probed(ending(), facts)[:2] == (LOSS, ["h1h3"])


def test_a_win_that_comes_too_late_is_a_draw():
    facts = told(ending(90), h1h2=(-2, -20), h1h3=(-1, -110), h1h4=(0, 0))
    assert probed(ending(90), facts)[:2] == (CURSED_WIN, ["h1h2"])
    assert probed(ending(90), facts, fifty_moves=False)[:2] == (WIN, ["h1h2"])
    assert probed(ending(60), facts)[:2] == (WIN, ["h1h2"])


def test_a_loss_that_comes_too_late_is_a_draw():
    facts = told(ending(), h1h2=(2, 30), h1h3=(1, 101))
    assert probed(ending(), facts)[:2] == (BLESSED_LOSS, ["h1h3"])
    assert probed(ending(), facts, fifty_moves=False)[:2] == (LOSS, ["h1h3"])


def test_a_capture_begins_to_count_anew():
    board = chess.Board("8/8/8/8/7n/2k5/8/K6R w - - 99 60")
    facts = told(board, h1h4=(-2, -40), h1h2=(-2, -2))
    assert probed(board, facts)[:2] == (WIN, ["h1h4"])


def test_only_what_the_tables_can_know_is_asked():
    facts = told(ending(), h1h2=(-2, -20))
    assert probed(ending(), facts, most_pieces=2) is None
    tablebase = made_up(facts)
    assert (
        tablebase.probe_root(position_of(ending()), packed_moves(ending()), 7) is None
    )  # a table is missing
    castling = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert tablebase.probe_root(position_of(castling), packed_moves(castling), 7) is None
    assert tablebase.probe_root(position_of(castling), [], 7) is None


def test_what_cannot_be_used_says_so(tmp_path, monkeypatch):
    with pytest.raises(TablebaseError, match="no tablebases"):
        Tablebase([str(tmp_path / "nowhere")])
    monkeypatch.setitem(sys.modules, "chess.syzygy", None)
    with pytest.raises(TablebaseError, match="python-chess"):
        Tablebase([str(tmp_path)])


# In a game

# Every move but to the h-file's end is said to lose: nobody would find that by searching.
WITH_MADE_UP_TABLES = """
import chess.syzygy
from bluekrait.uci import cli

class Tables:
    def add_directory(self, directory):
        return 7
    def probe_wdl(self, board):
        return {outcome} if board.piece_at(chess.H8) else 2
    def probe_dtz(self, board):
        return 3

chess.syzygy.Tablebase = Tables
cli.main([])
"""


@pytest.mark.parametrize("outcome, score", [(-2, "cp 20000 wdl 1000 0 0"), (0, "cp 0 wdl 0 1000 0")])
def test_the_search_chooses_among_the_moves_the_tables_recommend(talk, outcome, score):
    engine = talk("-c", WITH_MADE_UP_TABLES.format(outcome=outcome))
    path = os.pathsep.join(("/first", "/with a space"))
    heard = engine.ask(f"setoption name SyzygyPath value {path}", "setoption name UCI_ShowWDL value true")
    assert heard == ["info string 14 tables found"]
    engine.say(f"position fen {ROOK_ENDING.format(clock=0)}", "go depth 3")
    *infos, answer = engine.hear("^bestmove")
    assert answer.startswith("bestmove h1h8")
    assert all(f" score {score} nodes" in info for info in infos)
    assert int(infos[-1].split()[infos[-1].split().index("tbhits") + 1]) >= 14
    engine.ask("setoption name SyzygyProbeLimit value 2")
    engine.say("go depth 3")
    assert " tbhits 0 " in engine.hear("^bestmove")[-2]


def test_a_missing_directory_costs_that_directory_only(talk, tmp_path):
    engine = talk()
    path = os.pathsep.join((str(tmp_path / "nowhere"), str(DATA / "syzygy")))
    found, problem = engine.ask(f"setoption name SyzygyPath value {path}")
    assert found == "info string 5 tables found"
    assert problem.startswith(f"info string no tablebases in {tmp_path / 'nowhere'}: ")


def test_tables_that_are_not_there_cost_one_line(talk, tmp_path):
    engine = talk()
    (heard,) = engine.ask(f"setoption name SyzygyPath value {tmp_path / 'nowhere'}")
    assert heard.startswith(f"info string no tablebases in {tmp_path / 'nowhere'}: ")
    assert engine.ask(f"setoption name SyzygyPath value {tmp_path}") == ["info string 0 tables found"]
    engine.say(f"position fen {ROOK_ENDING.format(clock=0)}", "go depth 3")
    engine.hear("^bestmove")


# Real tables


@pytest.fixture(scope="module")
def real_tables():
    path = os.environ.get("SYZYGY_PATH")
    if not path:
        pytest.skip("SYZYGY_PATH names no directory of tables")
    return Tablebase([path])


@pytest.mark.parametrize(
    "fen, outcome, kept, spoilt",
    [
        ("8/8/8/8/8/2k5/8/K6R w - - 0 1", WIN, "h1h4", "h1h3"),
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", DRAW, "e2e4", None),
        ("8/4P3/4K3/8/8/8/8/k7 w - - 0 1", WIN, "e7e8q", "e7e8b"),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", WIN, "f7e7", "g5g6"),
        ("8/8/8/8/8/5k2/4p3/4K3 w - - 0 1", LOSS, "e1d2", None),
    ],
)
def test_real_tables_know_the_textbook(real_tables, fen, outcome, kept, spoilt):
    board = chess.Board(fen)
    names = {packed_move(board, move): move.uci() for move in board.legal_moves}
    probe = real_tables.probe_root(position_of(board), list(names), 7)
    moves = {names[move] for move in probe.moves}
    assert probe.outcome == outcome
    assert kept in moves
    assert spoilt not in moves


def test_real_tables_lead_to_mate(real_tables):
    board = chess.Board("8/8/8/3k4/8/8/1KB5/2N5 w - - 0 1")
    while not board.is_game_over():
        probe = real_tables.probe_root(position_of(board), packed_moves(board), 7)
        assert probe.outcome == (WIN if board.turn == chess.WHITE else LOSS)
        names = {packed_move(board, move): move for move in board.legal_moves}
        board.push(names[probe.moves[0]])
    assert board.is_checkmate()
