"""`bluekrait analyse` on suites of test positions."""

from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import chess
import pytest

from bluekrait.search.library.position import Position
from bluekrait.tools.analyst import analyse_command, analyse_suite, game_search
from bluekrait.tools.analyst.game_search import Limit
from bluekrait.tools.analyst.suite import Answer, Task, read_suite, solve, table
from bluekrait.tools.common.files import journal_place
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS

MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - -"
GOOD = f'{MATE} bm Ra8#; id "mate";\n'


@pytest.fixture
def analyse(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(content, *arguments):
        (tmp_path / "suite.epd").write_text(content, encoding="utf-8")
        arguments = arguments or ("--nodes", "500")
        code = analyse_command.main(["suite.epd", "--threads", "1", *arguments])
        return code, *capsys.readouterr()

    return run


def tasks_of(tmp_path, content):
    path = tmp_path / "suite.epd"
    path.write_text(content, encoding="utf-8")
    return list(read_suite(path))


def test_tasks_are_read(tmp_path):
    content = (
        "\ufeff# a comment\n\n"
        + GOOD
        + f'{MATE} am Ra7 Rb1; id "avoid";\n'
        + f'{MATE} bm Ra8; id "STS"; c0 "Ra8#=10, Ra7=3, Kd2=1";\n'
        + f'{MATE} bm Ra8; c8 "10 2"; c9 "a1a8 a1b1";\n'
    )
    first, avoid, points, other = tasks_of(tmp_path, content)
    assert first == Task(1, "mate", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", ("a1a8",), (), {})
    assert avoid.avoid == ("a1a7", "a1b1") and not avoid.best
    assert points.points == {"a1a8": 10, "a1a7": 3, "e1d2": 1}
    assert other.points == {"a1a8": 10, "a1b1": 2} and other.name == "position 4"


@pytest.mark.parametrize(
    ("counters", "operations", "read"),
    [
        ("7 30", "bm Ra8#;", "7 30"),
        ("7 30;", "bm Ra8#;", "7 30"),
        ("7 30", "bm Ra8#; hmvc 9; fmvn 40;", "9 40"),
        ("", "bm Ra8#; fmvn 40;", "0 40"),
    ],
)
def test_positions_with_all_fields_of_a_fen(tmp_path, counters, operations, read):
    (task,) = tasks_of(tmp_path, f"{MATE} {counters} {operations}\n")
    assert task == Task(1, "position 1", f"{MATE} {read}", ("a1a8",), (), {})


def test_numbers_in_a_name_are_no_counters_of_a_fen(tmp_path):
    (task,) = tasks_of(tmp_path, f'{MATE} bm Ra8#; id "game 12 30 of the book";\n')
    assert task.name == "game 12 30 of the book"


def test_a_name_holds_no_commands_for_the_terminal(tmp_path):
    (task,) = tasks_of(tmp_path, f'{MATE} bm Ra8#; id "\x1b[31mred\x07 \x9b1m";\n')
    assert task.name == "?[31mred? ?1m"


def test_positions_of_chess960_keep_their_castling_rights(tmp_path):
    rest = "bm O-O; am O-O-O;\n"
    unusual, usual, none = tasks_of(
        tmp_path,
        f"4k3/8/8/8/8/8/8/1R2K1R1 w BG - {rest}4k3/8/8/8/8/8/8/R3K2R w HA - {rest}"
        "4k3/8/8/8/8/8/8/R3K2R w KQkq - bm O-O;\n",
    )
    assert unusual.fen == "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"
    assert (unusual.best, unusual.avoid) == (("e1g1",), ("e1b1",))
    assert (usual.best, usual.avoid) == (("e1g1",), ("e1c1",))
    assert none.best == ("e1g1",)  # rights without a rook are passed over


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_suites_in_the_encodings_of_games(tmp_path, encoding):
    path = tmp_path / "suite.epd"
    path.write_bytes(f'{MATE} bm Ra8; id "Zürich 1";\r\n{MATE} am Ra7; id "Köln";\r\n'.encode(encoding))
    assert [task.name for task in read_suite(path)] == ["Zürich 1", "Köln"]


@pytest.mark.parametrize(
    "line",
    ["nonsense", MATE, f"{MATE} bm Qh8;", "8/8/8/8/8/8/8/8 w - - bm e4;", f"{MATE} bm Ra8; c9 x; c8 y;"],
)
def test_wrong_lines_are_told_and_left_out(analyse, line):
    code, printed, complaints = analyse(GOOD + line + "\n" + GOOD)
    assert code == FAILED and "solved 2 of 2" in printed
    assert len(complaints.splitlines()) == 1
    assert complaints.startswith("bluekrait analyse: suite.epd, line 2: ")


def test_what_is_solved_when(analyse):
    code, printed, complaints = analyse(GOOD + f'{MATE} am Ra8#; id "no";\n')
    assert (code, complaints) == (SUCCESS, "")
    solved, missed, _, total = printed.splitlines()
    assert solved.startswith("mate  Ra8#     solved  depth  1") and "nodes" in solved
    assert missed.startswith("no    Ra8#     -") and total == "solved 1 of 2"


def test_points_are_added(analyse):
    _, printed, _ = analyse(f'{MATE} bm Ra8; c0 "Ra8=10, Ra7=3";\n' + GOOD)
    assert printed.splitlines()[0].endswith(" 10 of 10")
    assert printed.splitlines()[-1] == "solved 2 of 2, 10 of 10 points"
    _, printed, _ = analyse(f"{MATE} am Ra7;\n")
    assert printed.splitlines()[-1] == "solved 1 of 1"
    _, printed, _ = analyse(f'{MATE} c0 "Ra8=3, Ra7=10";\n')
    assert printed.splitlines()[-1] == "solved 0 of 1, 3 of 10 points"


def test_a_task_is_solved_by_a_search():
    answer = solve(Task(1, "mate", f"{MATE} 0 1", ("a1a8",), (), {}), Limit(depth=9))
    assert (answer.move, answer.is_solved) == ("Ra8#", True)
    assert 1 <= answer.depth <= 9 and answer.nodes > 0


def test_an_answer_that_was_left_counts_from_when_it_was_found_again(monkeypatch):
    class Found(list):
        def result(self):
            return SimpleNamespace(move=Position().move("e2e4"))

    lines = Found(
        SimpleNamespace(moves=[move], depth=depth, seconds=depth / 4, nodes=100 * depth)
        for depth, move in enumerate(("e2e4", "d2d4", "e2e4", "e2e4"), 1)
    )
    engine = SimpleNamespace(new_game=lambda: None, analyse=lambda position, **limits: lines)
    monkeypatch.setattr(game_search._here, "engine", engine, raising=False)
    task = Task(1, "first move", chess.STARTING_FEN, ("e2e4",), (), {})
    assert solve(task, Limit(depth=4)) == Answer(1, "e4", True, 3, 0.75, 300, 0)


def test_a_table_of_tasks_and_answers():
    tasks = [Task(n, name, "", ("a",), (), {}) for n, name in ((1, "first"), (2, "second one"))]
    answers = [Answer(2, "Nf3", False, 3, 1.5, 1234, 0), Answer(1, "e4", True, 12, 0.25, 99, 0)]
    first, second, empty, total = table(tasks, answers).splitlines()
    assert first == "first       e4       solved  depth 12    0.25 s          99 nodes"
    assert second == "second one  Nf3      -       depth  3    1.50 s        1234 nodes"
    assert (empty, total) == ("", "solved 1 of 2")


@pytest.mark.parametrize(
    "arguments, complaint", [(["--html", "x.html"], "a suite is printed"), (["--depth", "1"], "no position")]
)
def test_what_suites_do_not_do(analyse, arguments, complaint):
    code, _, complaints = analyse("", *arguments)
    assert code == WRONG_ARGUMENTS and complaint in complaints


def test_points_of_promotions_and_comments_that_are_no_points(tmp_path):
    promotion, comment, bare = tasks_of(
        tmp_path,
        'k7/4P3/8/8/8/8/8/K7 w - - bm e8=Q; c0 "e8=Q=10, e8=R+=7,Kb1=1";\n'
        + f'{MATE} bm Ra8; c0 "eval=12, Ra7=3";\n'
        + f'{MATE} c0 "eval=12";\n',
    )
    assert promotion.points == {"e7e8q": 10, "e7e8r": 7, "a1b1": 1}
    assert comment.best == ("a1a8",) and comment.points == {}
    assert "neither bm nor am nor points" in bare


# --- interruptions ------------------------------------------------------------------------------------

SECOND = "4k3/8/4K3/8/8/8/8/7R w - -"


def solve_by(monkeypatch, solver):
    """Let a function of the test solve the positions, in this process."""
    monkeypatch.setattr(analyse_suite, "run_units", lambda pool, work, units: (work(*unit) for unit in units))
    monkeypatch.setattr(analyse_suite, "solve", solver)


def test_suite_goes_on_where_it_was(analyse, tmp_path, monkeypatch):
    content = GOOD + f'{SECOND} bm Rh8#; id "second";\n'
    solved = []

    def killed_at_the_second(task, limit):
        if task.number == 2:
            raise KeyboardInterrupt
        solved.append(task.name)
        return Answer(task.number, "kept", True, 1, 0.5, 77, 0)

    solve_by(monkeypatch, killed_at_the_second)
    assert analyse(content)[0] == INTERRUPTED
    assert solved == ["mate"] and (tmp_path / "suite.epd.journal").exists()

    shown = []
    monkeypatch.setattr(analyse_suite.ProgressLine, "show", lambda _, text: shown.append(text))
    monkeypatch.setattr(analyse_suite, "solve", solve)
    code, printed, _ = analyse(content)
    assert shown == ["1 position read", "2 positions read", "2 of 2 positions, 2 solved"]
    first, second, _, total = printed.splitlines()
    assert code == SUCCESS and total == "solved 2 of 2"
    assert first.split()[:2] == ["mate", "kept"] and second.split()[1] == "Rh8#"
    assert not (tmp_path / "suite.epd.journal").exists()


def solve_again(task, limit):
    raise AssertionError("the answer was lost")


@pytest.mark.parametrize("failure", [KeyboardInterrupt, BrokenPipeError])
def test_answers_are_kept_until_they_are_printed(analyse, tmp_path, monkeypatch, failure):
    def failing(text):
        raise failure

    with monkeypatch.context() as patched, suppress(BrokenPipeError):
        patched.setattr(analyse_command, "write", failing)
        assert analyse(GOOD)[0] == INTERRUPTED
    solve_by(monkeypatch, solve_again)
    code, printed, _ = analyse(GOOD)
    assert code == SUCCESS and printed.startswith("mate  Ra8#     solved")
    assert [path.name for path in tmp_path.iterdir()] == ["suite.epd"]


def test_suite_in_a_folder_that_cannot_be_written_goes_on_too(analyse, tmp_path, monkeypatch):
    home = tmp_path / "home"

    def check(paths):
        if home not in Path(paths[0]).parents:
            raise ValueError

    def failing(text):
        raise KeyboardInterrupt

    monkeypatch.setattr(journal_place, "check_writable", check)
    monkeypatch.setattr(journal_place, "user_folder", lambda: home)
    with monkeypatch.context() as patched:
        patched.setattr(analyse_command, "write", failing)
        assert analyse(GOOD)[0] == INTERRUPTED
    (journal,) = (home / "journals").iterdir()
    solve_by(monkeypatch, solve_again)
    code, printed, complaints = analyse(GOOD)
    assert code == SUCCESS and printed.splitlines()[-1] == "solved 1 of 1"
    assert complaints == (
        "bluekrait analyse: nothing can be written beside suite.epd: "
        f"what is found is kept in {journal} until the work is done\n"
    )
    assert not any(journal.parent.iterdir())


def test_an_interruption_says_that_the_same_command_goes_on(analyse, monkeypatch):
    def interrupted(task, limit):
        raise KeyboardInterrupt

    solve_by(monkeypatch, interrupted)
    assert analyse(GOOD) == (
        INTERRUPTED,
        "",
        "bluekrait analyse: interrupted. The same command continues; "
        "what was found is in suite.epd.journal\n",
    )


@pytest.fixture
def interrupted(analyse, monkeypatch):
    """An analysis of `GOOD` was begun, which left its journal."""

    def killed(task, limit):
        raise KeyboardInterrupt

    solve_by(monkeypatch, killed)
    assert analyse(GOOD)[0] == INTERRUPTED


@pytest.mark.usefixtures("interrupted")
def test_journal_of_another_suite_is_not_continued(analyse):
    code, _, complaint = analyse(GOOD, "--nodes", "600")
    assert code == WRONG_ARGUMENTS and "--nodes 500, not 600" in complaint
    for other in (GOOD + GOOD, GOOD.replace("mate", "lost")):
        code, _, complaint = analyse(other)
        assert code == WRONG_ARGUMENTS
        assert "suite.epd.journal was begun with other contents of suite.epd: remove the journal" in complaint


@pytest.mark.usefixtures("interrupted")
def test_damaged_journal_is_told(analyse, tmp_path):
    with open(tmp_path / "suite.epd.journal", "a") as file:
        file.write('{"number": 1}\n')
    code, _, complaint = analyse(GOOD)
    assert code == WRONG_ARGUMENTS and "suite.epd.journal is damaged" in complaint
