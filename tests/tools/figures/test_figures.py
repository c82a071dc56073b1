"""`bluekrait bench --...`: figures and their verdicts, the history they are kept in, and its picture."""

import errno
import json
import math
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from bluekrait.core import file_lock
from bluekrait.tools.board import browser
from bluekrait.tools.board.browser import chromium
from bluekrait.tools.common.pictures import check_picture
from bluekrait.tools.figures import (
    analysing,
    bench_command,
    clocking,
    counting,
    library,
    searching,
    starting,
    trend,
)
from bluekrait.tools.figures import figure as measuring
from bluekrait.tools.figures.clocking import clock_figures, errors_of, p99, summary
from bluekrait.tools.figures.figure import Figure, MissingNeed, Unmeasurable, race, ratio
from bluekrait.tools.figures.page import page_figures
from bluekrait.tools.figures.starting import resident_megabytes, start_figures
from bluekrait.tools.figures.yardsticks import Stockfish
from bluekrait.tools.match.external import runner_command
from bluekrait.uci import __version__
from bluekrait.uci.exits import FAILED, INTERRUPTED
from helpers.processes.machines import FullStream, full_disk

SPEED = Figure("speed", 2.5, "Mnps", 1, 2)
DELAY = Figure("delay", 200, "ms", 300, 100)
SIZE = Figure("size", 500, "MB", 250, 100)


@pytest.fixture
def quick(monkeypatch):
    """Families that take no time."""

    def family(*figures):
        return lambda rounds, engine: iter(figures)

    monkeypatch.setattr(bench_command, "FAMILIES", {"fast": family(SPEED), "slow": family(DELAY, SIZE)})


def test_verdicts():
    assert [figure.verdict() for figure in (SPEED, DELAY, SIZE)] == ["aim", "floor", "MISSED"]
    ratios = [Figure("ratio", value, "x", 1, 2) for value in (0.9, 1, 2)]
    assert [ratio.verdict() for ratio in ratios] == ["MISSED", "floor", "aim"]
    texts = [figure.text() for figure in (SPEED, DELAY, Figure("", 1.234, "x", 1, 1))]
    assert texts == ["2.50 Mnps", "200.0 ms", "1.23 x"]


def test_candidates_take_turns_and_agree(monkeypatch):
    monkeypatch.setattr(measuring, "SHORT_SECONDS", 0)
    turns = []
    count, times = race([lambda: turns.append("a") or 20, lambda: turns.append("b") or 20], 3, "test")
    assert count == 20 and [len(seconds) for seconds in times] == [3, 3]
    assert "".join(turns) in ("abababab", "baababab")
    with pytest.raises(Unmeasurable, match="do not agree"):
        race([lambda: 20, lambda: 21], 1, "test")


def test_what_is_too_short_to_be_timed_is_repeated(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(measuring, "perf_counter", lambda: clock.now)

    def candidate(seconds):
        clock.now += seconds
        return 20

    assert measuring.seconds_for(lambda: candidate(0.03)) == pytest.approx(0.03)
    assert measuring.seconds_for(lambda: candidate(7)) == pytest.approx(7)


def test_ratios_are_taken_round_by_round():
    assert ratio([2, 40, 6], [1, 10, 3]) == 2


SLOW, FAST = [6.0, 9.0, 6.0], [2.0, 3.0, 3.0]  # seconds of three rounds; the median of the ratios is 3


@pytest.mark.parametrize(
    ("family", "stand_ins", "expected"),
    [
        (
            counting.perft_figures,
            {"race": lambda *_: (1000, [FAST, SLOW])},
            {"perft startpos 6 / yardstick": 3},
        ),
        (counting.thread_figures, {"race": lambda *_: (1000, [SLOW, FAST])}, {"perft two threads / one": 3}),
        (
            counting.hash_figures,
            {
                "load_engine": lambda: SimpleNamespace(
                    perft=lambda depth, hash_mb=0: one_of(FAST if hash_mb else SLOW)
                )
            },
            {"perft 256 MB hash / none": 3},
        ),
        (
            searching.search_figures,
            {"search_speed": lambda engine, threads: 1.5 * threads},
            {"search, one thread": 1.5, "search, two threads / one": 2},
        ),
        (
            starting.start_figures,
            {"start": lambda command: (0.02, 0.06, 45.0)},
            {"start to uciok": 20, "start to readyok, warm": 60, "memory after readyok, warm": 45},
        ),
        (
            library.library_figures,
            {
                "library_seconds": lambda positions: 3.0,
                "bare_seconds": lambda positions: 2.0,
                "simple_engine_seconds": lambda positions, command: 12.0,
                "printed": lambda program: 0.05,
                "analysis_figures": lambda rounds: (),
            },
            {"library / search alone": 1.5, "library / python-chess's SimpleEngine": 4},
        ),
    ],
    ids=["perft", "threads", "hash", "search", "start", "library"],
)
def test_figures_are_what_they_are_called(monkeypatch, family, stand_ins, expected):
    module = sys.modules[family.__module__]
    no_stockfish = SimpleNamespace(find=lambda: None)
    for name, stand_in in {
        **{name: lambda: MagicMock() for name in ("load_engine", "load_prototype")},
        **{name: lambda: None for name in ("pin_to_one_core", "use_all_cores")},
        **{"CORES": {0, 1}, "Stockfish": no_stockfish, "PERFTS": counting.PERFTS[:1]},
        **stand_ins,
    }.items():
        monkeypatch.setattr(module, name, stand_in, raising=False)
    found = {figure.name: figure.value for figure in family(3, ())}
    assert {name: found[name] for name in expected} == pytest.approx(expected)


@pytest.fixture
def without_pext(monkeypatch):
    """Perft's figures on a processor that lacks PEXT, so that the yardstick cannot run."""
    monkeypatch.setattr(counting.processor, "has_pext", lambda: False)
    monkeypatch.setattr(counting, "load_engine", lambda: MagicMock())
    monkeypatch.setattr(counting, "load_prototype", lambda: pytest.fail("the yardstick needs PEXT"))
    monkeypatch.setattr(counting, "pin_to_one_core", lambda: None)
    monkeypatch.setattr(counting, "race", lambda candidates, *_: (1000, [FAST, SLOW][: len(candidates)]))


def test_perft_without_pext_is_compared_with_stockfish_only(without_pext, monkeypatch):
    stockfish = MagicMock()
    stockfish.name = "Stockfish 99"
    monkeypatch.setattr(counting, "Stockfish", SimpleNamespace(find=lambda: stockfish))
    found = [(figure.name, figure.value) for figure in counting.perft_figures(3, ())]
    assert found == [(f"perft {name} / Stockfish 99", 3) for name, _, _ in counting.PERFTS]


def test_perft_without_anything_to_be_compared_with_is_told(without_pext, monkeypatch, capsys):
    monkeypatch.setattr(counting, "Stockfish", SimpleNamespace(find=lambda: None))
    assert bench_command.main(["--only", "perft"]) == FAILED
    need = "a processor with PEXT, or Stockfish, to be compared with"
    assert capsys.readouterr() == ("", f"perft: not measured, it needs {need}\n")


def one_of(rounds):
    """A count that takes the seconds of the next round."""
    rounds.append(rounds.pop(0))
    return SimpleNamespace(seconds=rounds[-1])


def test_stockfish_counts_what_it_is_told(tmp_path):
    program = tmp_path / "stockfish"
    program.write_text(STOCKFISH.format(sys.executable))
    program.chmod(0o755)
    with closing(Stockfish(str(program))) as stockfish:
        assert stockfish.name == "Stockfish 99"
        stockfish.set_position("a position")
        assert stockfish.perft(4) == 41
        with pytest.raises(Unmeasurable, match="has ended"):
            stockfish.perft(0)


STOCKFISH = """#!{}
import sys
for line in sys.stdin:
    if line == "uci\\n":
        print("Stockfish is here\\nid name Stockfish 99\\nuciok", flush=True)
    if line == "go perft 4\\n":
        print("e2e4: 1\\n\\nNodes searched: 41\\n", flush=True)
    if line in ("quit\\n", "go perft 0\\n"):
        break
"""


def test_table(quick, capsys):
    assert bench_command.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("processor ") and len({len(line) for line in lines[2:]}) == 1
    assert [line.split("|")[1].strip() for line in lines[4:]] == ["speed", "delay", "size"]
    assert bench_command.main(["--only", "slow"]) == 0
    assert "speed" not in capsys.readouterr().out


@pytest.mark.parametrize("names", [["fast", "--only", "slow"], ["fast", "slow", "fast"]])
def test_families_may_be_named_one_by_one_and_are_measured_once(quick, names, capsys):
    assert bench_command.main(["--only", *names]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in lines[4:]] == ["speed", "delay", "size"]


def test_rounds_and_engine_are_those_that_were_named(monkeypatch):
    measured = []
    family = {"fast": lambda *arguments: measured.append(arguments) or iter([SPEED])}
    monkeypatch.setattr(bench_command, "FAMILIES", family)
    assert bench_command.main(["--rounds", "3", "--engine", "./bluekrait"]) == 0
    assert measured == [(3, ["./bluekrait"])]


def test_start_is_measured():
    figures = {figure.name: figure for figure in start_figures(1, [sys.executable, "-m", "bluekrait.uci"])}
    assert 0 < figures["start to uciok"].value <= figures["start to readyok, warm"].value
    assert len(figures) == 3


def test_engine_that_dies_is_told(capsys):
    assert bench_command.main(["--only", "start", "--engine", "/bin/true"]) == FAILED
    assert capsys.readouterr().err.splitlines()[-1] == "bluekrait bench: the engine ended before uciok"


def test_engine_that_dies_beside_the_library_is_told(monkeypatch, capsys):
    pytest.importorskip("chess")
    monkeypatch.setattr(library, "SEARCHES", 1)
    assert bench_command.main(["--only", "library", "--rounds", "1", "--engine", "/bin/true"]) == FAILED
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("bluekrait bench: /bin/true has failed: engine process died")


def test_memory_that_the_system_does_not_tell_is_left_out(monkeypatch):
    monkeypatch.setattr(starting, "start", lambda command: (0.02, 0.06, math.nan))
    assert [figure.name for figure in start_figures(1, ())] == ["start to uciok", "start to readyok, warm"]


def test_clocks_are_compared_move_by_move(monkeypatch):
    monkeypatch.setattr(clocking, "MOVES", 10)
    monkeypatch.setattr(runner_command, "KNOWN_RUNNERS", ())
    (figure,) = clock_figures(1, None)
    assert figure.value > 0 and re.fullmatch(r"[1-9]\d* moves, median .+ % within 5", figure.note)


def test_errors_of_clocks():
    pgn = "1. e4 {+0.12/100000 0.104s} 1... e5 {-0.12/50000 0.050s, White wins by adjudication} 1-0"
    errors = errors_of(iter_of(SimpleNamespace(pgn=pgn)), "test")
    assert errors == pytest.approx([0, 0.004])
    assert p99([-0.006, 0.001, 0.002]) == pytest.approx(0.006, rel=0.05)
    assert summary([-0.006, 0.001, 0.002]).endswith("66.7 % within 5")
    with pytest.raises(Unmeasurable, match="no game"):
        errors_of(iter_of(SimpleNamespace(pgn="*")), "test")


def iter_of(*games):
    yield from games


# --- history --------------------------------------------------------------------------------------------


def test_a_full_disk_costs_no_history(tmp_path):
    path = tmp_path / "figures.jsonl"
    trend.append(path, [SPEED])
    before = path.read_bytes()
    for room in (0, 10):
        with full_disk(len(before) + room), pytest.raises(OSError, match="figures.jsonl"):
            trend.append(path, [DELAY])
    assert path.read_bytes() == before
    trend.append(path, [SIZE])
    assert [one.figures for one in trend.read(path)] == [[SPEED], [SIZE]]


def test_a_measurement_is_a_line_of_its_own_behind_one_without_an_end(tmp_path):
    path = tmp_path / "figures.jsonl"
    trend.append(path, [SPEED])
    path.write_bytes(path.read_bytes().rstrip())
    trend.append(path, [SIZE])
    assert [one.figures for one in trend.read(path)] == [[SPEED], [SIZE]]


@pytest.mark.parametrize("option", ["--json", "--from"])
def test_a_picture_does_not_replace_the_history(quick, option, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    path = tmp_path / "figures.svg"
    trend.append(path, [SPEED])
    before = path.read_bytes()
    assert bench_command.main([option, str(path), "--plot", str(path)]) == 2
    assert "would replace what this command works on" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_two_runs_at_once_lose_no_measurement(tmp_path, monkeypatch):
    path = tmp_path / "figures.jsonl"
    trend.append(path, [SPEED])
    waits = Event()
    monkeypatch.setattr(
        file_lock, "time", SimpleNamespace(sleep=lambda seconds: waits.set())
    )  # between attempts
    with ThreadPoolExecutor() as pool:
        with open(path, "ab") as other:
            assert file_lock.try_lock(other)
            added = pool.submit(trend.append, path, [DELAY])
            added.add_done_callback(lambda _: waits.set())
            waits.wait()
            other.write(path.read_bytes())
        added.result()
    assert [one.figures for one in trend.read(path)] == [[SPEED], [SPEED], [DELAY]]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes of POSIX")
def test_a_history_may_be_a_link_or_a_pipe(tmp_path):
    real, link, pipe = tmp_path / "figures.jsonl", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(real)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for path in (link, pipe):
        trend.append(path, [SPEED])
    assert link.is_symlink() and [one.figures for one in trend.read(real)] == [[SPEED]]
    assert json.loads(os.read(reader, 1 << 16))["commit"] == trend.commit()
    os.close(reader)


def test_history_grows_by_a_line(quick, tmp_path, capsys):
    path = tmp_path / "figures.jsonl"
    for _ in range(2):
        assert bench_command.main(["--json", str(path), "--plot", str(tmp_path / "trends.svg")]) == 0
    first, second = trend.read(path)
    assert first.figures == second.figures == [SPEED, DELAY, SIZE]
    assert first.commit == second.commit and first.machine["cores"] >= 1
    assert (tmp_path / "trends.svg").read_text().count("<svg") == 1
    capsys.readouterr()
    assert bench_command.main(["--from", str(path), "--plot", str(tmp_path / "again.png")]) == 0
    assert (tmp_path / "again.png").exists() and "speed" in capsys.readouterr().out


def test_kept_figures_are_told_with_their_commit_and_machine(tmp_path, capsys):
    path = tmp_path / "figures.jsonl"
    content = {"commit": "abc", "machine": {"processor": "zen"}, "figures": [SPEED._asdict()]}
    path.write_text(json.dumps(content | {"date": "2026-11-21"}) + "\n")
    assert bench_command.main(["--from", str(path)]) == 0
    assert capsys.readouterr().out.startswith("commit abc, 2026-11-21\nprocessor zen\n\n| figure")


def test_what_was_measured_before_an_interruption_is_kept(monkeypatch, tmp_path):
    def interrupted(rounds, engine):
        yield SPEED
        raise KeyboardInterrupt

    monkeypatch.setattr(bench_command, "FAMILIES", {"fast": interrupted})
    assert bench_command.main(["--json", str(tmp_path / "kept")]) == INTERRUPTED
    assert trend.read(tmp_path / "kept")[0].figures == [SPEED]


@pytest.mark.skipif(sys.platform == "win32", reason="its locks are others")
def test_figures_are_kept_where_the_file_system_has_no_locks(monkeypatch, tmp_path):
    def no_locks(file, operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)
    trend.append(tmp_path / "kept", [SPEED])
    assert trend.read(tmp_path / "kept")[0].figures == [SPEED]


def test_what_was_measured_before_a_failure_is_kept(monkeypatch, tmp_path, capsys):
    def failing(rounds, engine):
        yield SPEED
        raise ValueError("the engine is gone")

    monkeypatch.setattr(bench_command, "FAMILIES", {"fast": failing})
    assert bench_command.main(["--json", str(tmp_path / "kept")]) != 0
    assert trend.read(tmp_path / "kept")[0].figures == [SPEED]
    printed = capsys.readouterr()
    assert SPEED.name in printed.out and "the engine is gone" in printed.err


def record(commit, speed, processor="zen"):
    figures = [SPEED._replace(value=speed), DELAY]
    return trend.Measurement(commit, {"processor": processor}, figures, "2026-11-21")


def test_trends_are_medians_by_commit_on_one_machine():
    records = [record("a", 9), record("a", 2), record("z", 5, "other"), record("a", 1), record("b", 4)]
    lines = trend.trends(records)
    assert [(commit, figure.value) for commit, figure in lines["speed"]] == [("a", 2), ("b", 4)]
    assert list(lines) == ["speed", "delay"]


@pytest.mark.parametrize(("figures", "plots"), [(1, (1, 1)), (3, (1, 3)), (7, (3, 3))])
def test_every_figure_has_its_plot(figures, plots, monkeypatch):
    shapes = []
    monkeypatch.setattr(trend, "draw_picture", lambda path, paint, *shape: shapes.append(shape))
    named = [SPEED._replace(name=f"speed {number}") for number in range(figures)]
    trend.draw([record("a", 1)._replace(figures=named)], "trends.svg")
    assert shapes == [plots]


@pytest.mark.parametrize("commits", [1, 2, 40])
def test_any_number_of_commits_can_be_drawn(tmp_path, commits):
    pytest.importorskip("matplotlib")
    records = [record(f"{number:07x}", number) for number in range(commits)]
    trend.draw(records, tmp_path / "trends.png")
    assert (tmp_path / "trends.png").read_bytes().startswith(b"\x89PNG")


def test_no_figures_cannot_be_drawn(tmp_path, capsys):
    path = tmp_path / "figures.jsonl"
    path.write_text('{"commit": "a", "machine": {"processor": "zen"}, "figures": []}\n')
    assert bench_command.main(["--from", str(path), "--plot", str(tmp_path / "trends.svg")]) == 2
    assert capsys.readouterr().err == (
        "bluekrait bench: nothing was measured on zen: there are no figures to draw\n"
    )


def test_sources_in_no_repository_of_their_own_are_known_by_their_version(monkeypatch, tmp_path):
    (tmp_path / ".git").mkdir()
    monkeypatch.setattr(trend, "SOURCES", tmp_path / "bluekrait")
    assert trend.commit() == __version__


@pytest.mark.parametrize("command", ["figures.bench_command", "sliders.sliders_command"])
def test_help_does_not_wait_for_numpy(command):
    program = f"import sys, bluekrait.tools.{command}; print(*{{'numpy', 'matplotlib'}} & set(sys.modules))"
    assert not subprocess.check_output([sys.executable, "-c", program]).split()


@pytest.mark.parametrize("ending", ["eps", "svgz", "jpg"])
def test_pictures_of_other_formats_are_refused(ending):
    with pytest.raises(ValueError, match=r"ends in one of \.png, \.svg, \.pdf"):
        check_picture(f"trend.{ending}")


def test_equal_figures_make_equal_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    for path in (first, second):
        trend.draw([record("abc", 1)], path)
    assert first.read_bytes() == second.read_bytes()


def test_wrong_files_and_options_cost_one_line(quick, tmp_path, capsys):
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"figures": []}, indent=2))
    for arguments, complaint in (
        (["--json", str(report)], "line 1: no measurement"),
        (["--from", str(report)], "line 1: no measurement"),
        (["--from", str(tmp_path / "none")], "none"),
        (["--plot", "x.png"], "--json FILE too"),
        (["--json", str(tmp_path / "new"), "--plot", "x.doc"], "x.doc"),
    ):
        assert bench_command.main(arguments) == 2
        error = capsys.readouterr().err
        assert complaint in error and error.count("\n") == 1
    for arguments in (["--only", "nothing"], ["--rounds", "0"], ["--what"]):
        with pytest.raises(SystemExit) as leaving:
            bench_command.main(arguments)
        assert leaving.value.code == 2 and capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("wrong", [{"value": "fast"}, {"aim": None}, {"name": ["speed"]}, {"note": 1}])
def test_figures_that_were_edited_wrongly_are_refused(wrong, tmp_path, capsys):
    path = tmp_path / "kept.jsonl"
    trend.append(path, [SPEED])
    kept = json.loads(path.read_text())
    kept["figures"][0] |= wrong
    path.write_text(json.dumps(kept))
    assert bench_command.main(["--from", str(path)]) == 2
    assert capsys.readouterr().err.endswith("kept.jsonl, line 1: no measurement of bluekrait bench\n")


def test_cores_are_those_that_were_given():
    before = measuring.CORES
    measuring.pin_to_one_core()
    try:
        if hasattr(os, "sched_getaffinity"):
            assert len(os.sched_getaffinity(0)) == 1
    finally:
        measuring.use_all_cores()
    assert not hasattr(os, "sched_getaffinity") or os.sched_getaffinity(0) == before


def test_cost_of_the_library_is_measured(monkeypatch):
    monkeypatch.setattr(library, "SEARCHES", 3)
    monkeypatch.setattr(library, "printed", lambda program: 0.5)
    monkeypatch.setattr(analysing, "NODES", 100)
    monkeypatch.setattr(analysing, "MOVES", 3)
    found = {
        figure.name: figure for figure in library.library_figures(1, [sys.executable, "-m", "bluekrait.uci"])
    }
    assert found["library / search alone"].value > 0
    assert found["library / search alone"].unit == "times"
    assert found["library / python-chess's SimpleEngine"].value > 0
    assert found["import to first result, warm"].value == 500
    assert found["analysis of a 3-move game"].value > 0


def test_game_to_be_analysed_is_long_enough():
    assert len(analysing.played().split()) == 2 * analysing.MOVES


@pytest.mark.skipif(not chromium(), reason="no Chromium is installed")
def test_page_is_measured(warm_cache):
    pytest.importorskip("playwright", reason="playwright is not installed")
    pytest.importorskip("starlette", reason="the extra [play] is not installed")
    (figure,) = page_figures(1, ())
    assert figure.value > 0 and figure.unit == "s"


@pytest.mark.parametrize("need", ["playwright", "Chromium"])
def test_page_that_cannot_be_measured_is_told(monkeypatch, capsys, need):
    if need == "playwright":
        monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    else:
        pytest.importorskip("playwright", reason="playwright is not installed")
        monkeypatch.setattr(browser, "NAMES", ("no-such-browser",))
    assert bench_command.main(["--only", "page"]) == FAILED
    assert capsys.readouterr() == ("", f"page: not measured, it needs {need}\n")


def test_clock_without_python_chess_is_told(monkeypatch, capsys):
    monkeypatch.setattr(clocking, "find_spec", lambda name: None)
    assert bench_command.main(["--only", "clock"]) == FAILED
    assert capsys.readouterr() == ("", "clock: not measured, it needs python-chess\n")


def test_threads_on_one_core_are_told(monkeypatch, capsys):
    monkeypatch.setattr(counting, "CORES", {0})
    assert bench_command.main(["--only", "threads"]) == FAILED
    assert capsys.readouterr() == ("", "threads: not measured, it needs two cores\n")


def test_what_can_be_measured_counts(quick, monkeypatch, capsys):
    def in_need(rounds, engine):
        raise MissingNeed("a spoon")
        yield

    monkeypatch.setitem(bench_command.FAMILIES, "fast", in_need)
    assert bench_command.main([]) == 0
    printed = capsys.readouterr()
    assert "fast: not measured, it needs a spoon" in printed.err.splitlines() and "delay" in printed.out


@pytest.mark.parametrize("stream", [FullStream(), None], ids=["full", "closed"])
def test_measuring_goes_on_without_standard_error(quick, monkeypatch, capsys, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    assert bench_command.main([]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("processor") and "delay" in printed


def test_programs_that_fail_are_told_in_one_line():
    assert library.printed("print(2.5)") == 2.5
    with pytest.raises(Unmeasurable, match="has failed: ZeroDivisionError"):
        library.printed("1 / 0")


def test_memory_is_measured_where_the_system_tells_it():
    megabytes = resident_megabytes(os.getpid())
    assert megabytes > 1 if sys.platform.startswith("linux") else math.isnan(megabytes)
