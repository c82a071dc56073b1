"""The engine as a front end uses it: limits, several lines, pondering, stopping, threads and memory."""

import gc
import random
import threading
import weakref
from queue import SimpleQueue
from time import sleep

import chess
import pytest

from bluekrait.core.memory.shared_memory import HashTable, SharedMemory
from bluekrait.core.move import NO_MOVE
from bluekrait.core.timer import monotonic
from bluekrait.search import engine as facade
from bluekrait.search.engine import Engine, PositionError, load_engine
from bluekrait.search.evaluation.network.network_memory import NetworkMemory
from bluekrait.search.limits import Limits, Settings
from bluekrait.search.reports import EXACT, Line, Score, led_by
from bluekrait.search.scores import MAX_PLY
from bluekrait.search.thinking import lazy_smp
from bluekrait.search.thinking import worker as worker_module
from bluekrait.search.thinking.worker import Worker
from bluekrait.search.thread_memory import new_thread
from helpers.network.networks import random_network
from helpers.processes.machines import is_interrupted_while
from helpers.search.searching import game, played, searcher, spelled, think
from helpers.support import lines_of
from helpers.waiting import PATIENCE, wait_until

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
FORCED = "7k/8/8/8/8/8/5PPr/r5K1 w - - 0 1"
POSITIONS = [chess.STARTING_FEN, KIWIPETE, CHESS960, ENDGAME, FORCED]

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"

AN_HOUR = 60 * 60 * 1000
ENDLESS_DEPTH = 100  # of an iteration that only a stop ends

each_position = pytest.mark.parametrize("fen", POSITIONS)


@pytest.fixture
def threads():
    """Search with several threads, and with one again afterwards."""
    yield searcher().set_threads
    searcher().set_threads(1)


def check(answer):
    """Whatever a search was asked, this is so."""
    choice, board = answer.choice, answer.board
    assert board.is_legal(board.parse_uci(answer.move))
    if choice.ponder_move:
        after = played(board, [choice.move])
        assert after.is_legal(after.parse_uci(spelled(choice.ponder_move, after)))
    for line in choice.lines:
        played(board, line.moves)
        assert line.moves and line.depth <= line.selective_depth
        assert (line.score.mate is None) != (line.score.centipawns is None)
        assert sum(line.win_draw_loss) == 1000
    if choice.lines:
        assert choice.lines[0].moves[0] == choice.move
        assert choice.lines[0].moves[1:2] in ([], [choice.ponder_move])
    firsts = [line.moves[0] for line in choice.lines]
    assert len(set(firsts)) == len(firsts)
    assert [line.rank for line in choice.lines] == list(range(1, len(firsts) + 1))


# --- limits -------------------------------------------------------------------------------------------


@each_position
@pytest.mark.parametrize("nodes", [1, 10, 500, 9000])
def test_every_answer_is_in_order(fen, nodes):
    check(think(fen, nodes=nodes))


def test_openings_of_chess960_too():
    for fen in lines_of("openings.epd")[::97]:
        check(think(fen, nodes=2000))


@each_position
def test_a_depth_is_reached_and_not_exceeded(fen):
    heard = []
    searcher().set_position(fen, [])
    choice = searcher().go(Limits(depth=6), on_line=heard.append)
    assert [line.depth for line in heard] == [1, 2, 3, 4, 5, 6]
    assert all(line.bound == EXACT for line in heard)
    assert heard[-1:] == choice.lines
    nodes = [line.nodes for line in heard]
    assert nodes == sorted(nodes)


def test_the_selective_depth_is_that_of_the_longest_line():
    assert think(FORCED, depth=1).best.selective_depth == 1
    assert think(KIWIPETE, depth=1).best.selective_depth > 3


@pytest.mark.parametrize("nodes", [1000, 1_000_000], ids=["short", "long"])
def test_the_deepest_search_ends(nodes):
    answer = think("7k/8/8/8/8/8/8/K7 w - - 0 1", depth=10_000, nodes=nodes)
    assert answer.best.depth == MAX_PLY - 1
    check(answer)


def test_a_deep_search_with_long_lines_ends():
    check(think("7k/7p/7P/8/8/8/8/K7 w - - 0 1", depth=10_000, nodes=1_000_000))


def test_a_search_for_a_mate_ends_when_there_is_one():
    answer = think("8/8/8/8/1Q3K2/8/8/k7 w - - 0 1", mate=4, nodes=2_000_000)
    assert 1 <= answer.score.mate <= 4
    check(answer)


def test_a_search_for_a_mate_goes_on_after_a_longer_one():
    answer = think("8/8/8/8/1Q3K2/8/8/k7 w - - 0 1", mate=3, depth=9)
    assert answer.score.mate == 4 and answer.best.depth == 9


def test_a_search_for_a_mate_ends_if_the_side_to_move_is_mated():
    answer = think("k7/8/1K6/8/8/8/8/7R b - - 0 1", mate=1, depth=9)
    assert answer.score.mate == -1 and answer.best.depth < 9


TAKES = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"  # the best move is the first of the legal ones


@pytest.mark.parametrize(("fen", "changes"), [(chess.STARTING_FEN, True), (TAKES, False)])
def test_the_clock_hears_how_settled_the_best_move_is(monkeypatch, fen, changes):
    leader, moves, scores, heard = searcher()._workers[0], [], [], []

    def hear(share, stable_iterations, drop):
        best = leader.root(0)
        assert share == best.nodes / leader.record.nodes
        moves.append(best.move)
        scores.append(best.score)
        heard.append((stable_iterations, drop))
        return 1.0

    monkeypatch.setattr(lazy_smp, "soft_limit_factor", hear)
    think(fen, remaining=AN_HOUR, depth=10)
    stable, expected = 0, [(0, 0)]
    for last in range(len(moves) - 1):
        stable = stable + 1 if moves[last + 1] == moves[last] else 0
        expected.append((stable, scores[last] - scores[last + 1]))
    assert heard == expected
    assert (len(set(moves)) > 1) == changes


@pytest.mark.parametrize("limits", [{"move_time": 30}, {"remaining": 300}, {"remaining": 1, "increment": 9}])
def test_time_ends_a_search(limits):
    check(think(KIWIPETE, **limits))


@pytest.mark.parametrize("limits", [{"move_time": 0}, {"remaining": 0}, {"remaining": -500}])
def test_without_time_there_is_a_move_all_the_same(limits):
    check(think(KIWIPETE, **limits))


def test_a_forced_move_takes_little_time():
    answer = think(FORCED, remaining=AN_HOUR)
    check(answer)
    assert answer.best.depth == lazy_smp.FORCED_DEPTH


def test_a_forced_move_is_analysed_like_others():
    depth = lazy_smp.FORCED_DEPTH + 2
    analysis = Settings(is_analysis=True)
    assert think(FORCED, settings=analysis, remaining=AN_HOUR, depth=depth).best.depth == depth


def test_a_mate_that_was_found_takes_little_time():
    answer = think("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", remaining=AN_HOUR, depth=30)
    assert answer.score.mate == 1
    assert answer.best.depth == 2 + lazy_smp.MATE_PATIENCE


@each_position
def test_only_the_moves_that_were_named_are_searched(fen):
    searcher().set_position(fen, [])
    moves = searcher().legal_moves()
    for chosen in (moves[-1:], moves[: len(moves) // 2 + 1]):
        answer = think(fen, settings=Settings(multi_pv=3), depth=5, search_moves=tuple(chosen))
        check(answer)
        assert len(answer.choice.lines) == min(3, len(chosen))
        assert all(line.moves[0] in chosen for line in answer.choice.lines)


# --- several lines ------------------------------------------------------------------------------------


@each_position
@pytest.mark.parametrize("count", [1, 2, 5, 500])
def test_several_lines_are_distinct_and_sorted(fen, count):
    answer = think(fen, settings=Settings(multi_pv=count), depth=5)
    check(answer)
    assert len(answer.choice.lines) == min(count, answer.board.legal_moves.count())
    values = [worth(line.score) for line in answer.choice.lines]
    assert values == sorted(values, reverse=True)


def worth(score):
    """A score as one number."""
    if score.mate is None:
        return score.centipawns
    return 1_000_000 - score.mate if score.mate > 0 else -1_000_000 - score.mate


def test_lines_are_distinct_wherever_the_search_is_cut_off():
    for nodes in range(500, 20_000, 650):
        check(think(KIWIPETE, settings=Settings(multi_pv=4), nodes=nodes))


@pytest.mark.parametrize("nodes", [400, 3000, 4900])
def test_what_is_told_of_nodes_and_time_never_becomes_less(nodes):
    told = []
    searcher().set_position(None, [])
    searcher().new_game()
    searcher().go(Limits(nodes=nodes), Settings(multi_pv=3), on_line=told.append)
    for figures in ([line.nodes for line in told], [line.seconds for line in told]):
        assert figures == sorted(figures)


def test_a_better_line_comes_first_and_the_old_one_of_its_move_goes():
    best, others = Line(4, 4, 1, Score(9, None), EXACT, (0, 1000, 0), 99, 0.1, 0, 0, [11]), [22, 33]
    lines = [best, *(best._replace(rank=rank, moves=[move]) for rank, move in enumerate(others, 2))]
    for move, expected in ((22, [22, 11, 33]), (44, [44, 11, 22]), (11, [11, 22, 33])):
        led = led_by(best._replace(depth=5, moves=[move]), lines)
        assert [line.moves[0] for line in led] == expected
        assert [(line.rank, line.depth) for line in led] == [(1, 5), (2, 4), (3, 4)]


def test_the_best_line_is_the_same_with_others_beside_it():
    for fen in (KIWIPETE, ENDGAME):
        alone, beside = (think(fen, settings=Settings(multi_pv=count), depth=1) for count in (1, 3))
        assert (alone.move, alone.score) == (beside.move, beside.score)


@pytest.mark.parametrize("lines", [1, 3])
@pytest.mark.parametrize("reports", [True, False], ids=["long", "short"])
def test_the_last_lines_tell_the_nodes_of_the_whole_search(lines, reports):
    for nodes in range(2000, 9000, 700):
        told = []
        searcher().set_position(KIWIPETE, [])
        searcher().new_game()
        on_line = told.append if reports else None
        choice = searcher().go(Limits(nodes=nodes), Settings(multi_pv=lines), on_line)
        assert [line.nodes for line in choice.lines] == [nodes] * lines
        assert searcher()._workers[0].record.nodes == nodes
        assert told[-lines:] == (choice.lines if reports else [])


# --- details for who watches --------------------------------------------------------------------------


def test_bounds_and_current_moves_are_told_once_a_search_takes_long(monkeypatch):
    monkeypatch.setattr(lazy_smp, "SECONDS_UNTIL_DETAILS", 0.0)
    monkeypatch.setattr(lazy_smp, "SECONDS_BETWEEN_UPDATES", 0.01)
    lines, current = [], []
    searcher().set_position(KIWIPETE, [])
    searcher().new_game()
    searcher().go(Limits(nodes=200_000), on_line=lines.append, on_current_move=current.append)
    assert {line.bound for line in lines} > {EXACT}
    assert all(line.moves[0] in searcher().legal_moves() for line in lines)
    assert all(entry.move in searcher().legal_moves() and entry.number >= 1 for entry in current)
    assert current


def test_of_several_lines_no_bounds_are_told(monkeypatch):
    monkeypatch.setattr(lazy_smp, "SECONDS_UNTIL_DETAILS", 0.0)
    lines = []
    searcher().set_position(KIWIPETE, [])
    searcher().new_game()
    searcher().go(Limits(depth=9), Settings(multi_pv=2), on_line=lines.append)
    assert [(line.depth, line.rank, line.bound) for line in lines] == [
        (depth, rank, EXACT) for depth in range(1, 10) for rank in (1, 2)
    ]


def test_the_last_line_that_is_told_is_the_one_that_is_chosen(monkeypatch):
    monkeypatch.setattr(lazy_smp, "SECONDS_UNTIL_DETAILS", 0.0)
    ended_after_a_bound = 0
    for nodes in range(20_000, 80_000, 3000):
        told = []
        searcher().set_position(KIWIPETE, [])
        searcher().new_game()
        choice = searcher().go(Limits(nodes=nodes), on_line=told.append)
        assert told[-1] == choice.lines[0]
        assert told[-1].moves[0] == choice.move
        assert [line.nodes for line in told] == sorted(line.nodes for line in told)
        ended_after_a_bound += told[-2].bound != EXACT and told[-1].bound == EXACT
    assert ended_after_a_bound


# --- positions ----------------------------------------------------------------------------------------


def test_a_game_that_goes_on_is_set_up_as_from_its_beginning():
    engine, shuffle = load_engine(), ["g1f3", "g8f6", "f3g1", "f6g8"]
    for moves in (shuffle, [*shuffle, *shuffle], [*shuffle, "e2e4"], shuffle[:2], ["g1f3", "e7e5"], []):
        other = load_engine()
        for each in (engine, other):
            each.set_position(chess.STARTING_FEN, moves)
        assert engine.describe() == other.describe()
        assert engine.legal_moves() == other.legal_moves()


def test_a_game_that_was_set_as_a_record_is_not_taken_for_that_of_the_moves_before():
    engine, other = load_engine(), load_engine()
    engine.set_position(None, ["e2e4"])
    other.set_position(KIWIPETE, [])
    engine.set_game(other.game, other.position)
    assert engine.describe() == other.describe()
    engine.set_position(None, ["e2e4", "e7e5"])
    other.set_position(None, ["e2e4", "e7e5"])
    assert engine.describe() == other.describe()


@pytest.mark.parametrize(
    "fen, moves", [("8/8 w", []), (None, ["e2e4", "e2e4"]), (KIWIPETE, ["e1g1", "e8c8", "e1g1"])]
)
def test_a_position_that_is_refused_leaves_the_old_one(fen, moves):
    engine = load_engine()
    engine.set_position(KIWIPETE, ["e1g1"])
    before = engine.describe()
    with pytest.raises(PositionError):
        engine.set_position(fen, moves)
    assert engine.describe() == before
    engine.set_position(KIWIPETE, ["e1g1", "e8c8"])
    assert engine.describe().fen.startswith("2kr3r/")


# --- the end of the game ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen, score, chances", [(MATED, (None, 0), (0, 0, 1000)), (STALEMATED, (0, None), (0, 1000, 0))]
)
def test_where_there_is_no_move_none_is_made_up(fen, score, chances):
    heard = []
    searcher().set_position(fen, [])
    choice = searcher().go(Limits(depth=3), on_line=heard.append)
    assert (choice.move, choice.ponder_move) == (NO_MOVE, NO_MOVE)
    assert choice.lines == heard
    (line,) = heard
    assert (line.score, line.win_draw_loss, line.moves) == (score, chances, [])
    assert searcher().go(Limits(depth=3)) == choice


# --- from other threads -------------------------------------------------------------------------------


class Caller:
    """Calls something a while after a search began."""

    def __init__(self, delay, action):
        self.called_at, self._delay, self._action = None, delay, action
        self.thread = threading.Thread(target=self._call)

    def start(self):
        """The search is on: from now on, time passes."""
        self.thread.start()

    def _call(self):
        sleep(self._delay)
        self.called_at = monotonic()
        self._action()


@pytest.mark.parametrize("count", [1, 2])
def test_a_stop_at_any_moment_gets_a_legal_move_with_a_score(threads, count):
    threads(count)
    rng = random.Random(count)
    for round_number in range(30):
        fen = POSITIONS[round_number % len(POSITIONS)]
        caller = Caller(rng.choice([0, rng.random() * 0.03]), searcher().stop)
        searcher().set_position(fen, [])
        choice = searcher().go(Limits(infinite=True), on_start=caller.start)
        caller.thread.join()
        board = game(fen)
        assert board.is_legal(board.parse_uci(spelled(choice.move, board)))
        assert choice.lines[0].moves[0] == choice.move


@pytest.mark.parametrize(("nodes", "lines"), [(100, 1), (10, 0)])  # the latter are not enough for a score
def test_a_stop_ends_a_long_first_iteration(monkeypatch, nodes, lines):
    monkeypatch.setattr(lazy_smp, "FIRST_ITERATION_NODES", nodes)
    searcher().new_game()  # with what earlier searches have found, it would not be long
    told = []
    searcher().set_position(KIWIPETE, [])
    choice = searcher().go(Limits(infinite=True), on_line=told.append, on_start=searcher().stop)
    assert choice.lines == told and len(told) == lines
    assert all(line.nodes <= nodes for line in told)
    assert choice.move in searcher().legal_moves()


def test_pondering_goes_on_until_the_expected_move_is_played():
    caller = Caller(0.05, searcher().ponder_hit)
    searcher().set_position(KIWIPETE, [])
    choice = searcher().go(Limits(remaining=10, ponder=True), on_start=caller.start)
    assert caller.called_at is not None
    assert choice.move in searcher().legal_moves()
    caller.thread.join()


@pytest.mark.parametrize("moment", ["on_start", "on_line"])  # before the first iteration, and after it
def test_a_ponder_hit_does_not_end_a_search_that_has_time_left(moment):
    searcher().set_position(KIWIPETE, [])
    searcher().new_game()
    hit = {moment: lambda *line: searcher().ponder_hit()}
    choice = searcher().go(Limits(remaining=AN_HOUR, ponder=True, depth=11), **hit)
    assert choice.lines[0].depth == 11


def test_after_a_ponder_hit_the_clock_ends_the_search():
    searcher().set_position(KIWIPETE, [])
    stopper = threading.Timer(PATIENCE, searcher().stop)
    stopper.start()
    searcher().go(Limits(move_time=30, ponder=True), on_start=searcher().ponder_hit)
    assert stopper.is_alive()
    stopper.cancel()


def test_a_ponder_hit_ends_an_iteration_that_would_not_have_begun_in_a_game(monkeypatch):
    run_iteration = Worker.run_iteration

    def hit_and_run(worker, depth, *arguments):
        if depth == 5:
            searcher().ponder_hit()
        return run_iteration(worker, depth if depth < 5 else ENDLESS_DEPTH, *arguments)

    monkeypatch.setattr(Worker, "run_iteration", hit_and_run)
    searcher().set_position(KIWIPETE, [])
    day = 24 * 60 * 60
    limits = Limits(remaining=1000 * day, ponder=True, asked_at=monotonic() - day)
    stopper = threading.Timer(PATIENCE, searcher().stop)
    stopper.start()
    choice = searcher().go(limits)
    assert stopper.is_alive()
    stopper.cancel()
    assert choice.lines[0].depth in (4, 5)


def test_pondering_ends_with_a_stop():
    caller = Caller(0.02, searcher().stop)
    searcher().set_position(KIWIPETE, [])
    choice = searcher().go(Limits(remaining=10, ponder=True), on_start=caller.start)
    assert caller.called_at is not None
    assert choice.move in searcher().legal_moves()
    caller.thread.join()


def test_a_stop_or_a_ponder_hit_without_a_search_does_nothing():
    searcher().stop()
    searcher().ponder_hit()
    check(think(KIWIPETE, depth=4))


# --- threads and memory -------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 3])
def test_several_threads_find_legal_moves_too(threads, count):
    threads(count)
    for fen in POSITIONS:
        answer = think(fen, nodes=20_000)
        check(answer)
        assert answer.best.nodes <= 20_000
        spent = sum(worker.record.nodes for worker in searcher()._workers)
        assert answer.nodes <= spent <= 20_000


@pytest.mark.parametrize("on_line", [None, lambda line: None], ids=["short", "long"])
def test_a_search_of_one_thread_does_not_depend_on_how_many_there_are(threads, on_line):
    settings, found = Settings(multi_pv=2, most_threads=1), []
    for count in (1, 3):
        threads(count)
        searcher().set_position(KIWIPETE, [])
        searcher().new_game()
        choice = searcher().go(Limits(nodes=3000), settings, on_line)
        found.append([line._replace(seconds=0, hash_permille=0) for line in choice.lines])
    assert found[0] == found[1]
    assert found[0][0].nodes == 3000


def test_the_nodes_of_all_threads_are_told(threads):
    threads(2)
    told, leader = [], searcher()._workers[0].record
    searcher().set_position(KIWIPETE, [])
    searcher().new_game()
    searcher().go(Limits(nodes=300_000), on_line=lambda line: told.append((line.nodes, leader.nodes)))
    total, of_leader = told[-1]
    assert total > of_leader > 0


def test_the_thread_that_wins_the_vote_is_followed(threads, monkeypatch):
    threads(3)
    followed, prepare = [], Worker.prepare

    def prepare_one_move(worker, position, keys, moves, *arguments):
        place = searcher()._workers.index(worker)
        prepare(worker, position, keys, moves[place : place + 1], *arguments)

    def elect_the_last(votes):
        followed.append(votes[-1].move)
        return len(votes) - 1

    monkeypatch.setattr(Worker, "prepare", prepare_one_move)
    monkeypatch.setattr(lazy_smp, "elected", elect_the_last)
    elections = 0
    for _ in range(50):  # on a busy machine the first thread may be done before the others begin
        followed.clear()
        answer = think(KIWIPETE, nodes=60_000)
        check(answer)
        if followed:
            assert answer.choice.move == followed[0]
            elections += 1
        if elections == 3:
            break
    assert elections == 3


@pytest.mark.parametrize(("count", "limit"), [(3, {"nodes": 60_000}), (1, {"depth": 9})])
def test_neither_several_lines_nor_a_given_depth_are_put_to_the_vote(threads, monkeypatch, count, limit):
    threads(3)
    monkeypatch.setattr(lazy_smp, "elected", None)
    answer = think(KIWIPETE, settings=Settings(multi_pv=count), **limit)
    check(answer)
    assert len(answer.choice.lines) == count


def test_two_threads_mate_as_well(threads):
    threads(2)
    for _ in range(5):
        answer = think("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", mate=2, nodes=2_000_000)
        assert answer.score == (None, 2)
        check(answer)


def test_threads_come_and_go():
    engine = load_engine()
    before = threading.active_count()
    for count in (1, 4, 2, 8, 1, 3):
        engine.set_threads(count)
        check(think(KIWIPETE, engine=engine, nodes=3000))
        assert len(engine._workers) == count
        records = [worker.record for worker in engine._workers]
        assert {record.network for record in records} == {engine._network.address}
        assert len({record.accumulators for record in records}) == count
    engine.set_threads(0)
    wait_until(lambda: threading.active_count() <= before)


@pytest.mark.filterwarnings("error")  # of what `__del__` raises, too
def test_without_memory_for_more_threads_there_are_as_many_as_before(monkeypatch):
    engine = load_engine()
    engine.set_threads(2)
    records = [new_thread()]

    def make():
        if not records:
            raise ValueError("there is not enough memory")
        return records.pop()

    monkeypatch.setattr(worker_module, "new_thread", make)
    with pytest.raises(ValueError, match="not enough memory"):
        engine.set_threads(4)
    assert not records and len(engine._workers) == 2
    gc.collect()


def test_without_memory_for_another_network_all_threads_keep_theirs(monkeypatch):
    engine = load_engine()
    engine.set_threads(2)
    before = [(worker.record.network, worker.record.accumulators) for worker in engine._workers]
    network, made = engine._network, [SharedMemory(1)]

    def make(network):
        if not made:
            raise ValueError("there is not enough memory")
        return made.pop()

    monkeypatch.setattr(NetworkMemory, "new_accumulators", make)
    with pytest.raises(ValueError, match="not enough memory"):
        engine.set_network(random_network(32))
    assert not made and engine._network is network
    assert [(worker.record.network, worker.record.accumulators) for worker in engine._workers] == before


def test_memory_can_be_changed_at_any_time():
    engine = load_engine()
    for megabytes in (1, 8, 2):
        engine.set_hash(megabytes)
        check(think(KIWIPETE, engine=engine, nodes=5000))
        engine.clear_hash()
        check(think(KIWIPETE, engine=engine, nodes=5000))
    with pytest.raises(ValueError, match="there is too little memory"):
        engine.set_hash(1 << 40)
    check(think(KIWIPETE, engine=engine, nodes=5000))


def test_a_table_that_is_given_its_size_again_is_emptied_and_not_made_anew():
    engine = load_engine()
    engine.set_hash(1)
    think(KIWIPETE, engine=engine, nodes=5000)
    table, size = engine._table, 1 << 20
    assert any(table._memory.first_bytes(size))
    engine.set_hash(1)
    assert engine._table is table and not any(table._memory.first_bytes(size))


def test_it_is_told_how_full_the_table_is(monkeypatch):
    monkeypatch.setattr(lazy_smp, "SECONDS_UNTIL_COUNTED", 0)
    monkeypatch.setattr(lazy_smp, "SECONDS_BETWEEN_UPDATES", 0)
    engine = load_engine()
    engine.set_hash(1)
    told = []
    engine.go(Limits(nodes=200_000), on_line=told.append)
    assert 0 <= told[0].hash_permille < told[-1].hash_permille <= 1000


def test_a_count_releases_its_hash_table(monkeypatch):
    tables = weakref.WeakSet()

    def make(megabytes):
        table = HashTable(megabytes)
        tables.add(table)
        return table

    monkeypatch.setattr(facade, "HashTable", make)
    searcher().set_position(KIWIPETE, [])

    def look(move, nodes):
        assert len(tables) == 1

    assert searcher().perft(3, hash_mb=1, on_move=look).nodes == 97862
    assert not tables
    with pytest.raises(ZeroDivisionError):
        searcher().perft(3, hash_mb=1, on_move=lambda move, nodes: 1 / 0)
    gc.collect()  # the error led to the frames of the call
    assert not tables


def test_the_time_of_a_count_is_that_of_the_call():
    searcher().set_position(KIWIPETE, [])
    began = monotonic()
    seconds = searcher().perft(3).seconds
    assert 0 < seconds <= monotonic() - began


@pytest.mark.parametrize("limits", [Limits(nodes=200), Limits(depth=3)])  # a short search, and another one
def test_each_search_lets_histories_fade_once(limits):
    engine = searcher()
    engine.new_game()
    engine.set_position(KIWIPETE, [])
    histories = engine._workers[0].record.butterfly
    no_move = len(histories) - 1  # from the last square to itself
    histories[no_move] = 4000
    for expected in (3000, 2250):
        engine.go(limits)
        assert histories[no_move] == expected


def test_the_smallest_table_finds_the_same_mate():
    engine = load_engine()
    engine.set_hash(1)
    fen = "8/8/8/8/1Q3K2/8/8/k7 w - - 0 1"
    assert think(fen, engine=engine, mate=4, nodes=2_000_000).score == (None, 4)


def wait_for(workers):
    """Wait until each worker has done all that it was given."""
    for worker in workers:
        is_free = threading.Event()
        worker.submit(is_free.set)
        assert is_free.wait(PATIENCE)


def test_what_goes_wrong_in_a_worker_is_told_to_who_asked():
    def break_down(record):
        raise ArithmeticError("on purpose")

    engine = load_engine()
    broken = Engine({**engine._entries, "search": break_down})
    with pytest.raises(ArithmeticError, match="on purpose"):
        broken.go(Limits(depth=3))


@pytest.mark.parametrize("place", [0, 1])
def test_what_goes_wrong_in_one_of_several_workers_ends_the_others(threads, monkeypatch, place):
    threads(2)
    broken, run_iteration = searcher()._workers[place], Worker.run_iteration

    def break_down(worker, depth, *arguments):
        if worker is broken and depth > 2:
            raise ArithmeticError("on purpose")
        run_iteration(worker, depth, *arguments)

    monkeypatch.setattr(Worker, "run_iteration", break_down)
    searcher().set_position(KIWIPETE, [])
    with pytest.raises(ArithmeticError, match="on purpose"):
        searcher().go(Limits(infinite=True))


def test_a_search_that_fails_as_it_begins_is_over(monkeypatch):
    engine, ended = load_engine(), []
    engine.go(Limits(depth=1))
    monkeypatch.setattr(engine._table, "end_search", lambda: ended.append(True))
    with pytest.raises(ZeroDivisionError):
        engine.go(Limits(depth=1), on_start=lambda: 1 / 0)
    assert ended and engine._run is None


@pytest.mark.parametrize("place", [0, 1, 2])
def test_where_a_thread_cannot_be_started_none_goes_on(monkeypatch, place):
    engine = load_engine()
    engine.set_threads(3)
    refused, submit = engine._workers[place], Worker.submit

    def refuse(worker, task, *arguments):
        if worker is refused:
            raise RuntimeError("can't start new thread")
        submit(worker, task, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Worker, "submit", refuse)
        with pytest.raises(RuntimeError, match="can't start"):
            engine.go(Limits(infinite=True))
    wait_for(engine._workers)
    check(think(KIWIPETE, engine=engine, depth=3))


def test_when_a_search_ends_no_worker_will_be_stopped_any_more(threads, monkeypatch):
    """The first worker ends last here; a stop that it sent later would reach the next search."""
    threads(2)
    leader, run_iteration, stop = searcher()._workers[0], Worker.run_iteration, Worker.stop
    stopped = []

    def end_last(worker, *arguments):
        if worker is leader:
            wait_until(lambda: searcher()._run._ended)
            run_iteration(worker, *arguments)
        else:
            worker.record.stop = 1

    def stop_slowly(worker):
        sleep(0.05)
        stopped.append(worker)
        stop(worker)

    monkeypatch.setattr(Worker, "run_iteration", end_last)
    monkeypatch.setattr(Worker, "stop", stop_slowly)
    searcher().set_position(KIWIPETE, [])
    searcher().go(Limits(depth=1))
    stopped_meanwhile = len(stopped)
    wait_for(searcher()._workers)
    assert len(stopped) == stopped_meanwhile > 0


# --- long games ---------------------------------------------------------------------------------------


def test_a_game_may_be_longer_than_what_is_looked_back_over():
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 600
    answer = think(None, [*moves, "e2e4"], depth=4)
    check(answer)
    record = searcher()._workers[0].record
    assert record.game_length + MAX_PLY < len(record.keys)  # the longest line finds room behind the game


def test_games_against_itself_stay_in_order():
    rng = random.Random(6)
    for fen in rng.sample(lines_of("openings.epd"), 3):
        moves = []
        while len(moves) < 60 and not game(fen, moves).is_game_over(claim_draw=True):
            answer = think(fen, moves, nodes=600)
            check(answer)
            moves.append(answer.move)


def test_windows_hears_an_interrupt_while_it_searches(monkeypatch):
    monkeypatch.setattr(lazy_smp, "LONGEST_WAIT", 0.1)
    searcher().set_position(KIWIPETE, [])
    assert is_interrupted_while(lambda: searcher().go(Limits(infinite=True)), searcher().stop)


class LosingQueue(SimpleQueue):
    """A queue from which an interrupt takes the first event: it comes before the event is heard."""

    has_lost = False

    def get(self, *arguments, **options):
        event = super().get(*arguments, **options)
        if not self.has_lost:
            self.has_lost = True
            raise KeyboardInterrupt
        return event


@pytest.mark.parametrize("count", [1, 2])
def test_an_interrupt_that_comes_with_the_end_of_a_worker(threads, monkeypatch, count):
    threads(count)
    searcher().set_position(KIWIPETE, [])
    monkeypatch.setattr(lazy_smp, "SimpleQueue", LosingQueue)
    monkeypatch.setattr(lazy_smp, "LONGEST_WAIT", 0.1)
    with pytest.raises(KeyboardInterrupt):
        searcher().go(Limits(depth=6))


@pytest.mark.parametrize("count", [1, 2])
def test_an_interrupted_search_leaves_no_worker_running(threads, monkeypatch, count):
    threads(count)
    searcher().set_position(KIWIPETE, [])

    def interrupt(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(lazy_smp.SearchRun, "_timeout", interrupt)
        with pytest.raises(KeyboardInterrupt):
            searcher().go(Limits(infinite=True))
    nodes = [worker.record.nodes for worker in searcher()._workers]
    wait_for(searcher()._workers)
    assert [worker.record.nodes for worker in searcher()._workers] == nodes
    assert searcher().go(Limits(depth=5)).lines[0].depth == 5
