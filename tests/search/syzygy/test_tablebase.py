"""Tablebases at the root. Most tests ask made-up tables, which are told what to say.

The tables of three pieces are here. Where SYZYGY_PATH names a directory with more, those are read as well.
"""

import os

import chess
import pytest

from bluekrait.core.board import NONE, PAWN
from bluekrait.core.move import captured_of, piece_of
from bluekrait.search.syzygy.root_tables import MissingTableError, Tablebase
from bluekrait.search.syzygy.table_library import TablebaseError, TableLibrary
from bluekrait.search.syzygy.wdl import BLESSED_LOSS, CURSED_WIN, DRAW, LOSS, WIN
from helpers.oracles import packed_move, packed_moves, position_of
from helpers.paths import DATA
from helpers.search.searching import searcher

SMALL = str(DATA / "syzygy")

ROOK_ENDING = "8/8/8/8/8/2k5/8/K6R w - - {clock} 60"


class MadeUpTables(Tablebase):
    """Tables that know these facts: outcome and distance after some moves."""

    def __init__(self, facts):
        super().__init__({}, TableLibrary([]))
        self._facts = facts

    def _after(self, position, move):
        if move not in self._facts:
            raise MissingTableError
        is_zeroing = captured_of(move) != NONE or piece_of(move) == PAWN
        return *self._facts[move], 0 if is_zeroing else position.clock + 1


def told(board, **outcomes):
    """Facts about the positions after some moves: outcome and distance for the side that is then to move."""
    return {packed_move(board, chess.Move.from_uci(move)): fact for move, fact in outcomes.items()}


def probed(board, facts, fifty_moves=True, most_pieces=7):
    """What comes of probing, with moves as texts; only moves that there are facts about."""
    names = {packed_move(board, move): move.uci() for move in board.legal_moves}
    moves = [move for move in packed_moves(board) if move in facts]
    probe = MadeUpTables(facts).probe_root(position_of(board), moves, most_pieces, fifty_moves)
    return probe and (probe.outcome, [names[move] for move in probe.moves], probe.probes)


def ending(clock=0):
    return chess.Board(ROOK_ENDING.format(clock=clock))


def test_the_shortest_win_is_kept():
    facts = told(ending(), h1h2=(LOSS, 20), h1h3=(LOSS, 18), h1h4=(DRAW, 0), a1b1=(LOSS, 18))
    outcome, moves, probes = probed(ending(), facts)
    assert (outcome, set(moves), probes) == (WIN, {"h1h3", "a1b1"}, 4)


def test_all_draws_are_kept_where_there_is_no_win():
    facts = told(ending(), h1h2=(DRAW, 0), h1h3=(DRAW, 0), h1h4=(WIN, 10))
    outcome, moves, _ = probed(ending(), facts)
    assert (outcome, set(moves)) == (DRAW, {"h1h2", "h1h3"})


def test_the_longest_loss_is_kept():
    facts = told(ending(), h1h2=(WIN, 8), h1h3=(WIN, 12))
    assert probed(ending(), facts)[:2] == (LOSS, ["h1h3"])


def test_a_win_that_comes_too_late_is_a_draw():
    facts = told(ending(90), h1h2=(LOSS, 20), h1h3=(BLESSED_LOSS, 110), h1h4=(DRAW, 0))
    assert probed(ending(90), facts)[:2] == (CURSED_WIN, ["h1h2"])
    assert probed(ending(90), facts, fifty_moves=False)[:2] == (WIN, ["h1h2"])
    assert probed(ending(60), facts)[:2] == (WIN, ["h1h2"])


def test_a_loss_that_comes_too_late_is_a_draw():
    facts = told(ending(), h1h2=(WIN, 30), h1h3=(CURSED_WIN, 101))
    assert probed(ending(), facts)[:2] == (BLESSED_LOSS, ["h1h3"])
    assert probed(ending(), facts, fifty_moves=False)[:2] == (LOSS, ["h1h3"])


def test_mate_with_the_last_half_move_wins():
    facts = told(ending(99), h1h2=(LOSS, 0), h1h3=(LOSS, 2))
    assert probed(ending(99), facts)[:2] == (WIN, ["h1h2"])
    assert probed(ending(99), told(ending(99), h1h3=(LOSS, 1)))[:2] == (CURSED_WIN, ["h1h3"])


@pytest.mark.parametrize(
    ("sign", "distance", "kept"), [(1, 2, "h1h2"), (1, 3, "h1h4"), (-1, 2, "h1h4"), (-1, 3, "h1h2")]
)
def test_what_may_come_with_the_last_half_move_is_more_than_a_draw(sign, distance, kept):
    """To the winner; to the loser it is less. The capture is a certain draw, and so is what comes later."""
    board = chess.Board("8/8/8/8/7n/2k5/8/K6R w - - 97 60")
    facts = told(board, h1h2=(sign * LOSS, distance), h1h4=(sign * BLESSED_LOSS, None))
    assert probed(board, facts)[:2] == (sign * CURSED_WIN, [kept])


def test_a_capture_begins_to_count_anew():
    board = chess.Board("8/8/8/8/7n/2k5/8/K6R w - - 99 60")
    facts = told(board, h1h4=(LOSS, None), h1h2=(LOSS, 2))
    assert probed(board, facts)[:2] == (WIN, ["h1h4"])


def test_a_capture_that_wins_is_no_better_than_a_mate():
    board = chess.Board("8/8/8/8/7n/2k5/8/K6R w - - 0 60")
    facts = told(board, h1h4=(LOSS, None), h1h2=(LOSS, 0), h1h3=(LOSS, 2))
    outcome, moves, _ = probed(board, facts)
    assert (outcome, set(moves)) == (WIN, {"h1h4", "h1h2"})


def test_only_what_the_tables_can_know_is_asked():
    facts = told(ending(), h1h2=(LOSS, 20))
    assert probed(ending(), facts, most_pieces=3) == (WIN, ["h1h2"], 1)
    assert probed(ending(), facts, most_pieces=2) is None
    tablebase = MadeUpTables(facts)
    assert (
        tablebase.probe_root(position_of(ending()), packed_moves(ending()), 7) is None
    )  # a table is missing
    castling = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert probed(castling, told(castling, h1h2=(LOSS, 20))) is None
    assert tablebase.probe_root(position_of(ending()), [], 7) is None  # the game is over


def test_directories_that_cannot_be_read_say_so(tmp_path):
    with pytest.raises(TablebaseError, match="no tablebases"):
        TableLibrary([str(tmp_path / "nowhere")])


# In a game

# Every move but to the h-file's end is said to lose: nobody would find that by searching.
WITH_MADE_UP_TABLES = """
from bluekrait.core.move import target_of
from bluekrait.search.syzygy.root_tables import Tablebase
from bluekrait.uci import cli

H8 = 63
Tablebase._after = lambda self, position, move: ({outcome} if target_of(move) == H8 else 2, 3, 1)
cli.main([])
"""


@pytest.mark.parametrize("outcome, score", [(LOSS, "cp 20000 wdl 1000 0 0"), (DRAW, "cp 0 wdl 0 1000 0")])
def test_the_search_chooses_among_the_moves_the_tables_recommend(talk, outcome, score):
    engine = talk("-c", WITH_MADE_UP_TABLES.format(outcome=outcome))
    engine.ask(f"setoption name SyzygyPath value {SMALL}", "setoption name UCI_ShowWDL value true")
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
    assert found == "info string 5 tables found, 5 with distances"
    assert problem.startswith(f"info string no tablebases in {tmp_path / 'nowhere'}: ")


def test_tables_that_are_not_there_cost_one_line(talk, tmp_path):
    engine = talk()
    (heard,) = engine.ask(f"setoption name SyzygyPath value {tmp_path / 'nowhere'}")
    assert heard.startswith(f"info string no tablebases in {tmp_path / 'nowhere'}: ")
    assert engine.ask(f"setoption name SyzygyPath value {tmp_path}") == [
        "info string 0 tables found, 0 with distances"
    ]
    engine.say(f"position fen {ROOK_ENDING.format(clock=0)}", "go depth 3")
    engine.hear("^bestmove")


# Real tables

KEPT = [
    ("8/8/8/8/8/2k5/8/K6R w - - 0 1", WIN, "h1h4", "h1h3"),
    ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", DRAW, "e2e4", None),
    ("8/4P3/4K3/8/8/8/8/k7 w - - 0 1", WIN, "e7e8q", "e7e8b"),
    ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", WIN, "f7e7", "g5g6"),
    ("8/8/8/8/8/5k2/4p3/4K3 w - - 0 1", LOSS, "e1d2", None),
    ("7k/8/6K1/8/8/8/8/R7 w - - 99 120", WIN, "a1a8", "a1a7"),
]


def root_probe(tables, board):
    """The outcome, and the moves that keep it."""
    names = {packed_move(board, move): move.uci() for move in board.legal_moves}
    probe = tables.probe_root(position_of(board), list(names), 7)
    return probe.outcome, {names[move] for move in probe.moves}


@pytest.fixture
def small_tables():
    """Tables of which none was asked before: those of distances are opened when they are needed."""
    return Tablebase(searcher().entries, TableLibrary([SMALL]))


@pytest.mark.parametrize("fen, outcome, kept, spoilt", KEPT)
def test_real_tables_know_the_textbook(small_tables, fen, outcome, kept, spoilt):
    known, moves = root_probe(small_tables, chess.Board(fen))
    assert known == outcome
    assert kept in moves and spoilt not in moves


@pytest.mark.parametrize("fen", ["8/8/8/3k4/8/8/1K6/2R5 w - - 0 1", "8/8/4K3/8/4P3/8/8/4k3 w - - 0 1"])
def test_real_tables_lead_to_mate(small_tables, fen):
    board = chess.Board(fen)
    while not board.is_game_over():
        outcome, moves = root_probe(small_tables, board)
        assert outcome == (WIN if board.turn == chess.WHITE else LOSS)
        board.push_uci(min(moves))
    assert board.is_checkmate()


def test_a_table_of_distances_that_is_cut_off_is_not_asked(tmp_path):
    for name in ("KRvK.rtbw", "KRvK.rtbz"):
        content = (DATA / "syzygy" / name).read_bytes()
        (tmp_path / name).write_bytes(content if name.endswith("w") else content[:2000])
    tables = Tablebase(searcher().entries, TableLibrary([str(tmp_path)]))
    board = chess.Board(ROOK_ENDING.format(clock=0))
    for _ in range(2):
        assert tables.probe_root(position_of(board), packed_moves(board), 7) is None


def test_a_table_of_distances_that_is_damaged_inside_is_told_once(talk, tmp_path):
    for name in ("KRvK.rtbw", "KRvK.rtbz"):
        content = (DATA / "syzygy" / name).read_bytes()
        (tmp_path / name).write_bytes(content if name.endswith("w") else content[:2000])
    engine = talk()
    heard = engine.ask(f"setoption name SyzygyPath value {tmp_path}")
    assert heard == ["info string 1 tables found, 1 with distances"]
    told = []
    for _ in range(2):
        engine.say(f"position fen {ROOK_ENDING.format(clock=0)}", "go depth 3")
        told += [line for line in engine.hear("^bestmove") if line.startswith("info string")]
    assert told == [f"info string {tmp_path / 'KRvK.rtbz'}: it is cut off"]
