"""Which engine chooses the better moves: what is asked, what is kept, and what follows from the scores."""

import json
import math
import os
import signal
import subprocess
import sys

import pytest

pytest.importorskip("chess")

import chess.pgn
from chess.engine import Cp, Mate, PovScore

from bluekrait.tools.choices import asking, choices_command, positions
from bluekrait.tools.choices.asking import MATE, Answer, Question, ask
from bluekrait.tools.choices.comparison import compare, expectation, mean_and_error, outcome
from bluekrait.tools.choices.kept_answers import KeptAnswers
from bluekrait.tools.choices.positions import FEWEST_MOVES, read_positions
from bluekrait.tools.common.errors import CommandError
from bluekrait.tools.match.runner.engine_process import EngineMove
from bluekrait.tools.match.setup.time_control import TimeControl
from helpers.match.matches import fake, wait_until_gone, words_of

OPEN = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 3 8"
ENDING = "8/5k2/8/3p4/3P4/8/5K2/8 w - - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
CORNERED = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"
CHESS960 = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"
GAME = (
    '[Event "?"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *\n\n'
)


# --- positions ------------------------------------------------------------------------------------


def test_lines_of_positions_come_in_an_order_that_the_seed_decides(tmp_path):
    file = tmp_path / "some.epd"
    file.write_text(f"# two\n{OPEN}\n{ENDING} bm Ke3;\n{OPEN}\n")
    assert sorted(read_positions(str(file), 10, 1)) == sorted([OPEN, ENDING])
    assert {read_positions(str(file), 10, seed)[0] for seed in range(20)} == {OPEN, ENDING}
    assert len(read_positions(str(file), 1, 1)) == 1


def test_positions_are_taken_from_the_whole_file(tmp_path, monkeypatch):
    file = tmp_path / "many.epd"
    fens = [f"{OPEN.rsplit(' ', 1)[0]} {number}" for number in range(8, 40)]
    file.write_text("\n".join(fens))
    monkeypatch.setattr(positions, "MOST_LINES", 4)
    assert {fen for seed in range(50) for fen in read_positions(str(file), 10, seed)} == set(fens)


def test_games_give_a_position_every_few_half_moves(tmp_path):
    file = tmp_path / "games.PGN"
    file.write_text(GAME)
    fens = read_positions(str(file), 10, 1)
    assert 1 <= len(fens) <= 2
    assert all(5 <= int(fen.split()[-1]) <= 9 for fen in fens)


def test_games_are_not_replayed_for_each_of_their_positions(tmp_path, monkeypatch):
    monkeypatch.setattr(chess.pgn.ChildNode, "board", None)
    file = tmp_path / "games.pgn"
    file.write_text(GAME)
    assert read_positions(str(file), 10, 1)


def test_games_that_are_not_chess_are_passed_over(tmp_path, caplog):
    file = tmp_path / "games.pgn"
    variants = ('[Variant "Crazyhouse"]', '[Variant "Atomic"]', '[Variant "Nothing"]')
    no_white_king = '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1"]'
    tags = (*variants, '[FEN "nonsense"]', no_white_king)
    file.write_text("".join(GAME.replace('[Event "?"]', tag) for tag in tags))
    file.write_text(file.read_text().replace("5. O-O Be7 6. Re1", "5. d3 Be7 6. h3"))
    with pytest.raises(ValueError, match="no positions with a choice"):
        read_positions(str(file), 10, 1)
    with file.open("a") as more:
        more.write(GAME.replace("8. c3 O-O", "8. c3 Ke3"))
    assert read_positions(str(file), 10, 1)
    assert not caplog.records


def test_without_a_choice_there_is_nothing_to_ask(tmp_path):
    file = tmp_path / "forced.epd"
    file.write_text("7k/8/8/8/8/8/5PPr/7K w - - 0 1\n")
    assert FEWEST_MOVES > 1
    with pytest.raises(ValueError, match="no positions with a choice"):
        read_positions(str(file), 10, 1)


# --- questions and answers ------------------------------------------------------------------------


def test_every_question_is_answered_once_whatever_the_number_of_processes():
    questions, answers = [Question(fen) for fen in (OPEN, ENDING, BACK_RANK, CORNERED)], {}
    ask(fake("a", "good", "score=31", tc="nodes=100"), iter(questions), 3, answers.__setitem__)
    assert set(answers) == set(questions)
    assert {answer.score for answer in answers.values()} == {31}
    assert all(question.board().parse_uci(answer.move) for question, answer in answers.items())


def test_an_engine_sees_the_position_after_a_move():
    board = Question(BACK_RANK, "a1a8").board()
    assert board.is_checkmate() and not board.chess960
    assert Question(CHESS960, "e1g1").board().fen().startswith("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 b")


def test_every_question_is_a_game_of_its_own_within_the_limits_of_the_engine(monkeypatch):
    told, scores = [], iter([None, Cp(-30), Mate(2), Mate(-2)])

    class Process:
        def __init__(self, spec):
            pass

        async def start(self):
            pass

        async def end(self):
            pass

        async def move(self, board, limit, game):
            told.append((limit, game))
            move, score = next(iter(board.legal_moves)), next(scores)
            return EngineMove(move, 0.1, score and PovScore(score, board.turn))

    monkeypatch.setattr(asking, "EngineProcess", Process)
    questions, answers = [Question(fen) for fen in (OPEN, ENDING, BACK_RANK, CORNERED)], []
    engine = fake("a", tc="st=0.5")._replace(time=TimeControl(move_time=0.5, nodes=7, depth=3))
    ask(engine, questions, 1, lambda question, answer: answers.append(answer.score))
    assert {(limit.time, limit.nodes, limit.depth) for limit, _ in told} == {(0.5, 7, 3)}
    assert len({id(game) for _, game in told}) == 4
    assert answers == [None, -30, MATE - 2, 2 - MATE]


def test_an_engine_that_fails_ends_all_others(tmp_path):
    pids = tmp_path / "pids"
    spec = fake("broken", "crash", "at=1", f"pids={pids}", tc="nodes=100")
    with pytest.raises(CommandError, match=r"broken disconnects in \S+/"):
        ask(spec, iter([Question(OPEN)] * 8), 2, lambda *_: None)
    wait_until_gone(pids)


def test_nobody_is_asked_twice(tmp_path):
    one, other = fake("one", "good", "seed=1", tc="nodes=100"), fake("one", "good", "seed=1", tc="nodes=200")
    questions, seen = [Question(OPEN, "d1b3"), Question(ENDING)], []
    with KeptAnswers(tmp_path / "kept") as kept:
        first = kept.ask(one, questions[:1], 1, seen.append)
    with KeptAnswers(tmp_path / "kept") as kept:
        assert kept.ask(one._replace(name="renamed"), questions, 2, seen.append)[0] == first[0]
        assert seen == [1, 2]
        kept.ask(one, questions, 2, seen.append)
        assert seen == [1, 2]
        kept.ask(other, questions, 2, seen.append)  # another limit, another engine
        assert seen == [1, 2, 1, 2]


@pytest.mark.parametrize("line", ['{"engine": "one"}', "[]"])
def test_a_damaged_journal_is_told(tmp_path, line):
    path = tmp_path / "kept"
    KeptAnswers(path).__exit__()
    with path.open("a") as file:
        file.write(line + "\n")
    for _ in range(2):  # and it is released
        with pytest.raises(ValueError, match="kept is damaged"):
            KeptAnswers(path)


# --- the verdict ----------------------------------------------------------------------------------


def test_what_ends_the_game_needs_no_judge():
    assert outcome(Question(BACK_RANK, "a1a8")) == 1
    assert outcome(Question(CORNERED, "g5g6")) == 0.5
    assert outcome(Question(BACK_RANK, "a1a7")) is None


def test_expectations_are_of_the_one_who_moved():
    assert expectation(0) == 0.5
    assert expectation(-300) == pytest.approx(10 / 11)
    assert expectation(MATE) == pytest.approx(0)
    assert expectation(-MATE) == pytest.approx(1)
    assert expectation(100_000) == expectation(MATE) and expectation(-100_000) == expectation(-MATE)


def test_a_judge_without_scores_is_told():
    def answers(engine, questions):
        return [Answer("e1g1" if engine.name == "one" else "d2e4", None) for _ in questions]

    with pytest.raises(CommandError, match=r"^judge tells no score in r1bq1rk1/\S+ b "):
        compare([fake("one"), fake("other")], fake("judge"), [OPEN], answers)


def test_the_error_is_that_of_the_mean():
    gains = [0.3, -0.1] * 50
    mean, error = mean_and_error(gains)
    assert mean == pytest.approx(0.1)
    assert error == pytest.approx(1.96 * 0.2 / 10, rel=0.01)
    assert mean_and_error([0.1])[1] == math.inf


def test_only_moves_that_differ_are_judged():
    judge, engines = fake("judge"), [fake("first"), fake("second"), fake("third")]
    moves = {"first": ("e1g1", "f2e3"), "second": ("e1g1", "f2e2"), "third": ("d2e4", "f2e3")}
    scores = {"f2e3": 0, "f2e2": 300, "e1g1": -300, "d2e4": 0}
    judged = []

    def answers(engine, questions):
        if engine is judge:
            judged.extend(question.move for question in questions)
            return [Answer("", scores[question.move]) for question in questions]
        return [Answer(move, 0) for move in moves[engine.name]]

    second, third = compare(engines, judge, [OPEN, ENDING], answers)
    assert sorted(judged) == sorted(scores)
    assert (second.name, second.differing, third.differing) == ("second", 1, 1)
    assert second.gain == pytest.approx((1 / 11 - 1 / 2) / 2)
    assert third.gain == pytest.approx((1 / 2 - 10 / 11) / 2)


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def words(tmp_path):
    """A comparison of two engines that move at random, judged by one that sees the opponent ahead."""
    file = tmp_path / "two.epd"
    file.write_text(f"{OPEN}\n{ENDING}\n")
    engines = [word for seed in (1, 2) for word in ("--engine", *words_of("fake", "good", f"seed={seed}"))]
    judge = ["--judge", *words_of("judge", "good", "score=40")]
    return [str(file), *engines, *judge, "--journal", str(tmp_path / "kept.jsonl")]


def test_the_table(words, capsys):
    assert choices_command.main(words) == 0
    header, line = capsys.readouterr().out.splitlines()
    assert header.endswith("better than fake, in thousandths of a point a move")
    assert line.split() == ["fake-2", "2", "of", "2", "+0.00", "+/-", "0.00"]


def test_answers_are_kept_however_often_it_is_begun_again(words, tmp_path, capsys):
    tables = []
    for _ in range(4):
        assert choices_command.main(words) == 0
        tables.append(capsys.readouterr().out)
    assert len(set(tables)) == 1
    kept = (tmp_path / "kept.jsonl").read_text().splitlines()
    assert sum('"journal"' in line for line in kept) == 1 < len(kept)


def test_a_journal_that_was_begun_twice_is_read(words, tmp_path, capsys):
    assert choices_command.main(words) == 0
    journal = tmp_path / "kept.jsonl"
    with open(journal, "a") as file:
        file.write(journal.read_text().splitlines()[0] + "\n")
    before = journal.read_bytes()
    assert choices_command.main(words) == 0
    assert journal.read_bytes() == before


def test_an_engine_without_a_limit_gets_one(words):
    engine = choices_command.engine_of(words_of("fake"), (), "nodes=7")
    assert engine.time.nodes == 7
    assert choices_command.engine_of([*words_of("fake"), "depth=3"], (), "nodes=7").time[4:6] == (0, 3)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--each", "tc=8+0.08"], "a single position has no clock"),
        (["--each", "nonsense"], "not of the form key=value"),
        (["--each", "nonsense", "--each", "depth=3"], "not of the form key=value"),
        (["--engine", "/no/such/program"], "does not exist"),
        (["--count", "0"], "not a number of at least 1"),
    ],
)
def test_wrong_arguments(words, capsys, more, message):
    try:
        code = choices_command.main([*words, *more])
    except SystemExit as leaving:
        code = leaving.code
    assert code == 2
    assert message in capsys.readouterr().err


def test_one_engine_is_not_enough(words, capsys):
    assert choices_command.main([words[0], *words[words.index("--judge") :]]) == 2
    assert "two engines are needed" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_command_has_kept_its_answers_and_leaves_no_engine(words, tmp_path):
    pids, file = tmp_path / "pids", tmp_path / "many.epd"
    file.write_text("".join(f"{OPEN.rsplit(' ', 1)[0]} {number}\n" for number in range(8, 40)))
    slow = [str(file), *words[1:], "--engine", *words_of("slow", "good", "sleep=0.1", f"pids={pids}")]
    command = [sys.executable, "-c", f"from bluekrait.uci.cli import main; main({['choices', *slow]!r})"]
    kept = tmp_path / "kept.jsonl"
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        while not (kept.exists() and len(kept.read_text().splitlines()) > 67):
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 130
    wait_until_gone(pids)
    answers = [json.loads(line) for line in kept.read_text().splitlines()[1:]]
    assert 64 <= len(answers) < 3 * 32


def test_verdicts_that_nobody_can_read_are_a_failure(tmp_path, monkeypatch):
    file = tmp_path / "some.epd"
    file.write_text(f"{OPEN}\n")
    monkeypatch.setattr(choices_command, "check_engines", lambda engines: [])
    monkeypatch.setattr(choices_command, "compare", lambda *_: [])
    monkeypatch.setattr(sys, "stdout", None)  # it was closed at the start
    words = words_of("any")
    engines = ["--engine", *words, "--engine", *words, "--judge", *words]
    with pytest.raises(BrokenPipeError):  # `bluekrait` then ends without a word
        choices_command.main([str(file), *engines, "--journal", str(tmp_path / "kept.jsonl")])
