"""OpenBench: its runner's command line, its engine file, and everything that a worker does."""

import json
import os
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import chess.pgn
import pytest

from bluekrait.tools.match.external.runner_command import CUTECHESS, FASTCHESS, find_runner
from bluekrait.tools.match.results.finished_games import ABANDONED, NORMAL, RULES_INFRACTION, FinishedGame
from bluekrait.tools.match.setup.contest import Contest, Rules
from bluekrait.tools.match.setup.engine_spec import EngineSpec
from bluekrait.tools.openbench import builtin_runner, cutechess_ob, try_worker
from bluekrait.tools.openbench.builtin_runner import contest_of, games_of, play
from bluekrait.tools.openbench.flags import parse_line, pgn_file, rounds_and_games
from bluekrait.tools.openbench.translation import translated
from helpers.match.matches import wait_until_gone
from helpers.paths import DATA, HELPERS, ROOT

FAKE = HELPERS / "match" / "fake_engine.py"
PROGRAM = [sys.executable, "-m", "bluekrait.tools.openbench.cutechess_ob"]

# Command lines as workers build them: today for fastchess, formerly for cutechess-cli.
TODAY = """
-recover -variant {variant} -testEnv -concurrency 2 -rounds 3 -games 2
-resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10
-engine dir={folder} cmd=./dev proto=uci tc=5+0.05 option.Threads=1 name=BlueKrait-dev
-engine dir={folder} cmd=./base proto=uci tc=5+0.05 option.Threads=1 name=BlueKrait-base
-openings file={book} format=epd order=random start=2 -srand 42
-pgnout file={folder}/games.pgn seldepth=true nodes=true match_line=^info
"""
FORMERLY = """
-repeat -recover -variant {variant} -concurrency 2 -games 6 -resign movecount=3 score=400
-engine dir={folder} cmd=./dev proto=uci tc=inf nodes=100 option.Hash=8 name=BlueKrait-dev
-engine dir={folder} cmd=./base proto=uci tc=inf nodes=100 option.Hash=8 name=BlueKrait-base
-openings file={book} format=epd order=random start=2 -srand 42 -pgnout {folder}/games.pgn
"""
TWO = [word for name in "AB" for word in ("-engine", f"cmd={sys.executable}", f"name={name}", "tc=1")]
OPENINGS = [
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;",
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;",
]


@pytest.fixture
def place(tmp_path):
    """A folder with two engines and a book."""
    for name, seed in (("dev", 1), ("base", 2)):
        engine = tmp_path / name
        engine.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" good seed={seed}\n')
        engine.chmod(0o755)
    (tmp_path / "book.epd").write_text("\n".join(OPENINGS) + "\n")
    return tmp_path


def words_of(text, folder, variant="standard"):
    return text.format(folder=folder, book=folder / "book.epd", variant=variant).split()


def call(words, runner="builtin", **settings):
    """Call the program as a worker does."""
    command = [*PROGRAM, *words]
    environment = dict(os.environ, BLUEKRAIT_RUNNER=runner)
    streams = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE) | settings
    return subprocess.run(command, text=True, timeout=120, env=environment, **streams)


def finished_games(output):
    """Numbers, players and results, read as a worker reads them."""
    lines = [line for line in output.splitlines() if "Finished game" in line]
    for line in lines:
        words, reason = line.split(), line.split(":")[1]
        assert not any(trouble in reason for trouble in ("disconnect", "stalls", "on time", "illegal"))
        yield int(words[2]), words[3].strip("("), words[5].rstrip("):"), words[6]


# The command line.


def test_flags_and_words():
    line = parse_line(["-a", "x=1", "y=-2", "-b", "-srand", "7", "-pgnout", "file=f", "min=true"])
    assert [flag.name for flag in line.flags] == ["-a", "-b", "-srand", "-pgnout"]
    assert line.all("-a")[0].values() == {"x": "1", "y": "-2"}
    assert line.has("-b") and not line.has("-c")
    assert (line.number("-srand", 0), line.number("-c", 5)) == (7, 5)
    again = parse_line(["-srand", "7", "-srand", "-8", "-srand", "9"])  # the last one counts
    assert again.all("-srand")[1].words == ["-8"] and again.number("-srand", 0) == 9
    assert pgn_file(line) == "f"
    with pytest.raises(ValueError, match="expected a flag"):
        parse_line(["x", "-a"])
    with pytest.raises(ValueError, match="whole number"):
        parse_line(["-games", "many"]).number("-games", 1)


@pytest.mark.parametrize(
    "words, expected",
    [
        ("-rounds 32 -games 2", (32, 2)),
        ("-rounds 32 -games 1", (32, 1)),
        ("-rounds 3 -games 4", (3, 2)),
        ("-games 64 -repeat", (32, 2)),
        ("-games 1 -repeat", (1, 2)),
        ("-games 64", (64, 1)),
        ("-rounds 5", (5, 1)),
    ],
)
def test_rounds_and_games(words, expected):
    assert rounds_and_games(parse_line(words.split())) == expected


@pytest.mark.parametrize("text", [TODAY, FORMERLY])
def test_both_runners_are_told_the_same(text):
    line = parse_line(words_of(text, Path("/engines")))
    cutechess, fastchess = translated(line, CUTECHESS), translated(line, FASTCHESS)
    assert "-testEnv" not in cutechess and ("-testEnv" in fastchess) == (text is TODAY)
    assert cutechess[cutechess.index("-pgnout") + 1] == "/engines/games.pgn"
    assert "file=/engines/games.pgn" in fastchess
    assert ("nodes=true" in fastchess) == (text is TODAY)
    for words in (cutechess, fastchess):
        assert " -rounds 3 -games 2" in " ".join(words)
        assert words.count("-engine") == 2
        assert words[words.index("-resign") + 1 :][:2] == ["movecount=3", "score=400"]
    assert "-repeat" in cutechess
    assert "-repeat" not in translated(parse_line(["-games", "3"]), CUTECHESS)


def test_what_only_fastchess_waits_for_and_checks_is_not_passed_on_to_cutechess():
    words = ["-startup-ms", "9000", "-ucinewgame-ms", "9000", "-ping-ms", "9000", "-check-mate-pvs"]
    line = parse_line(["-recover", *words])
    assert not set(words) & set(translated(line, CUTECHESS))
    assert set(words) <= set(translated(line, FASTCHESS))


def test_arguments_of_an_engine_are_translated():
    for flag in ("-engine", "-each"):
        line = parse_line([flag, "cmd=e", "args=-l 'a b'"])
        assert translated(line, CUTECHESS)[:4] == [flag, "cmd=e", "arg=-l", "arg=a b"]
        line = parse_line([flag, "cmd=e", "arg=-l", "arg=a b"])
        assert translated(line, FASTCHESS)[:3] == [flag, "cmd=e", "args=-l 'a b'"]


def test_words_for_each_engine_come_before_its_own():
    contest = contest_of(parse_line([*TWO, "-each", "tc=5+0.5", "option.Hash=8"]))
    assert all(engine.options == (("Hash", "8"),) and engine.time.seconds == 1 for engine in contest.engines)


def test_the_contest_is_what_was_asked_for(place):
    contest = contest_of(parse_line(words_of(TODAY, place, "fischerandom")))
    assert [engine.name for engine in contest.engines] == ["BlueKrait-dev", "BlueKrait-base"]
    assert contest.rounds == 3 and contest.chess960
    assert (contest.rules.resign_moves, contest.rules.resign_score, contest.rules.draw_from) == (3, 400, 40)
    assert len({opening.fen for opening in contest.openings}) == 3


@pytest.mark.parametrize("words, whites", [("-games 4", "ABAB"), ("-games 4 -repeat", "ABAB")])
def test_colours_change_from_game_to_game(words, whites):
    _, games = rounds_and_games(parse_line(words.split()))
    contest = Contest((EngineSpec("A", ("a",)), EngineSpec("B", ("b",))), rounds=4 // games)
    assert "".join(game.white.name for game in games_of(contest, games)) == whites


def test_tablebases_may_end_games(place):
    folder = str(DATA / "syzygy")
    words = [*words_of(TODAY, place), "-tb", folder, "-tbpieces", "3", "-tbignore50"]
    rules = contest_of(parse_line(words)).rules
    assert (rules.tables, rules.tablebase_pieces, rules.tables_ignore_fifty) == (folder, 3, True)
    for kind in (CUTECHESS, FASTCHESS):
        assert f"-tb {folder} -tbpieces 3 -tbignore50" in " ".join(translated(parse_line(words), kind))
    with pytest.raises(ValueError, match="no Syzygy tables"):
        contest_of(parse_line([*words_of(TODAY, place), "-tb", "/"]))


def test_runners_that_begin_elsewhere_take_other_openings(place):
    first, second = (
        contest_of(parse_line([*words_of(TODAY, place), "-rounds", "1", *more])).openings[0]
        for more in ([], ["-openings", f"file={place / 'book.epd'}", "order=random", "start=3"])
    )
    assert first != second


@pytest.mark.parametrize(
    "words, message",
    [
        ("-openings format=epd", "needs a file"),
        ("-openings", "needs a file"),
        ("-openings file={book} order=sorted", "order=sorted: it is sequential or random"),
        ("-openings file={book} format=fen", "format=fen: it is epd or pgn"),
        ("-openings file={book} start=0", "start=0: a number of at least 1"),
        ("-rounds 0", "-rounds 0: a whole number of at least 1"),
        ("-games 0 -repeat", "-games 0: a whole number of at least 1"),
        ("-concurrency 0", "-concurrency 0: a whole number of at least 1"),
    ],
)
def test_words_that_make_no_contest(place, words, message):
    line = parse_line([*TWO, *words.format(book=place / "book.epd").split()])
    with pytest.raises(ValueError, match=message):
        play(line, contest_of(line), print)


def test_adjudication_has_the_defaults_of_a_match():
    def rules(words):
        return contest_of(parse_line([*TWO, *words.split()])).rules

    assert rules("-resign movecount=2") == Rules(resign_moves=2, resign_score=400)
    assert rules("-draw score=5") == Rules(draw_moves=8, draw_score=5, draw_from=34)
    assert rules("-resign movecount=0 -draw movecount=0") == rules("") == Rules()


# The match.


@pytest.mark.parametrize(
    "result, termination, reason, told",
    [
        ("1-0", ABANDONED, "Black does not start: no file ö", "Black disconnects"),
        ("0-1", ABANDONED, "White gives up (no move)", "White disconnects"),
        ("0-1", ABANDONED, "White floods its output", "White disconnects"),
        ("1-0", ABANDONED, "Black's connection stalls", "Black's connection stalls"),
        ("1-0", RULES_INFRACTION, "Black makes an illegal move: ö", "Black makes an illegal move: ?"),
        ("1-0", NORMAL, "White mates", "White mates"),
    ],
)
def test_a_worker_recognises_what_went_wrong(place, monkeypatch, result, termination, reason, told):
    def play_games(*_, **__):
        yield FinishedGame(1, 1, "A", "B", result, termination, reason, 0, 0.1, f"{{{reason}}} {result}\n\n")

    monkeypatch.setattr(builtin_runner, "check_engines", lambda engines: [])
    monkeypatch.setattr(builtin_runner, "play_games", play_games)
    line, said = parse_line([*TWO, "-pgnout", f"file={place / 'games.pgn'}"]), []
    play(line, contest_of(line), said.append)
    assert said[0] == f"Finished game 1 (A vs B): {result} {{{told}}}"
    assert reason in (place / "games.pgn").read_text(encoding="utf-8")


def test_games_are_numbered_and_counted_for_the_first_engine(monkeypatch):
    games = [(1, 1, "A", "B", "1-0"), (2, 2, "B", "A", "0-1"), (3, 1, "A", "B", "1/2-1/2")]
    played = [FinishedGame(*game, NORMAL, "for no reason", 9, 0.1, "") for game in games]
    monkeypatch.setattr(builtin_runner, "check_engines", lambda engines: [])
    monkeypatch.setattr(builtin_runner, "play_games", lambda *_, **__: (game for game in played))
    line, said = parse_line([*TWO, "-games", "3"]), []
    play(line, contest_of(line), said.append)
    assert [text[:23] for text in said[:5:2]] == [
        *("Finished game 1 (A vs B", "Finished game 2 (B vs A", "Finished game 3 (A vs B")
    ]
    assert said[5] == "Score of A vs B: 2 - 0 - 1  [0.833] 3"


def test_an_engine_that_ended_between_two_games_is_told(monkeypatch):
    game = FinishedGame(2, 1, "A", "B", "1-0", NORMAL, "for no reason", 9, 0.1, "", restarted="B")
    monkeypatch.setattr(builtin_runner, "check_engines", lambda engines: [])
    monkeypatch.setattr(builtin_runner, "play_games", lambda *_, **__: (one for one in [game]))
    line, said = parse_line(TWO), []
    play(line, contest_of(line), said.append)
    assert said[0] == "B ended before game 2, and was started again"


@pytest.mark.parametrize("runner", ["builtin", "fastchess", "cutechess-cli"])
@pytest.mark.parametrize("text", [TODAY, FORMERLY], ids=["today", "formerly"])
def test_a_workers_match(place, runner, text):
    if runner != "builtin" and not find_runner(runner):
        pytest.skip(f"{runner} is not installed")
    words = [*words_of(text, place), "-maxmoves", "6"]
    answer = call(words, runner, cwd=place)  # fastchess leaves a file there
    games = list(finished_games(answer.stdout))
    assert answer.returncode == 0, answer.stderr
    assert {number for number, *_ in games} == set(range(1, 7))
    assert all((white == "BlueKrait-dev") == (number % 2 == 1) for number, white, *_ in games)
    with open(place / "games.pgn") as file:
        played = [chess.pgn.read_headers(file) for _ in range(6)]
        assert chess.pgn.read_headers(file) is None
    assert sorted(game["Result"] for game in played) == sorted(result for *_, result in games)


def test_a_runner_can_be_ended_by_the_name_it_was_called_by(place):
    """The link under our name is what is run: a worker looks for that name among the processes."""
    fake = place / "fastchess"
    fake.write_text("#!/bin/sh\necho run as $0\n")
    fake.chmod(0o755)
    (place / "fastchess-ob").write_text("from bluekrait.tools.openbench.cutechess_ob import main\nmain()\n")
    environment = dict(os.environ, BLUEKRAIT_RUNNER=str(fake), BLUEKRAIT_CACHE_DIR=str(place / "cache"))
    command = [sys.executable, place / "fastchess-ob", "-rounds", "1"]
    answer = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert re.fullmatch(r"run as .*/fastchess-ob\n", answer.stdout)


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["-engine", "cmd=/nowhere/at/all", "tc=1", "-engine", "cmd=/nowhere", "tc=1"],
        ["-engine", f"cmd={sys.executable}", "tc=1"],
        ["-rounds", "few"],
        [*TWO, "-openings", "file=nowhere.epd"],
    ],
    ids=["no flag", "no engine", "one engine", "no number", "no book"],
)
def test_wrong_words_cost_one_line(words):
    answer = call(words)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert re.fullmatch("bluekrait-cutechess-ob: .+\n", answer.stderr)


def test_an_engine_is_checked_before_the_games(place):
    words = words_of(FORMERLY, place)
    answer = call([word.replace("option.Hash=8", "option.Hash=5000") for word in words])
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == (
        "bluekrait-cutechess-ob: BlueKrait-dev does not start: option Hash cannot be 5000\n"
    )
    answer = call([*(word.replace("option.Hash", "option.Nope") for word in words), "-maxmoves", "2"])
    assert answer.returncode == 0
    assert answer.stdout.startswith("Warning; BlueKrait-dev has no option Nope: it is not set\n")


def engine_of(folder, *lines):
    """A program in place of the engine that a worker has built."""
    program = folder / try_worker.ENGINE
    folder.mkdir(exist_ok=True)
    program.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    program.chmod(0o755)


def test_no_benchmark_goes_on_when_it_takes_too_long(tmp_path, monkeypatch):
    pids = tmp_path / "pids"
    engine_of(tmp_path, f"echo $$ >>{pids}", "exec sleep 60")
    monkeypatch.setattr(try_worker, "BENCH_SECONDS", 0.5)
    with pytest.raises(subprocess.TimeoutExpired):
        try_worker.bench(tmp_path)
    if pids.exists():
        wait_until_gone(pids)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["echo positions", "echo 17 nodes 5 nps"], None),
        (["echo $$ nodes 5 nps"], "the copies do not agree"),
        (["exit 3"], "the copies do not agree"),
        (["touch rest", "echo 17 nodes 5 nps"], "something was left beside the executable"),
    ],
)
def test_the_copies_of_a_benchmark_must_agree_and_leave_nothing(tmp_path, lines, complaint):
    engine_of(tmp_path, *lines)
    with pytest.raises(try_worker.TrialError, match=complaint) if complaint else nullcontext():
        assert try_worker.bench(tmp_path) == 17


@pytest.mark.parametrize("count", [3, 4])
def test_as_many_openings_are_generated_as_are_wanted(tmp_path, count):
    engine_of(tmp_path / "Engines", *[f"echo '{try_worker.OPENING}8/8/8/8/8/8/8/8 w - - 5 9'"] * count)
    wanted = count == try_worker.OPENINGS
    with nullcontext() if wanted else pytest.raises(try_worker.TrialError, match="3 openings of 4"):
        lines = try_worker.genfens(tmp_path).read_text().splitlines()
        assert lines == ["8/8/8/8/8/8/8/8 w - - hmvc 5; fmvn 9;"] * count


def finished(number, how="White mates"):
    """The line that a runner prints after a game."""
    return f"Finished game {number} (BlueKrait-dev vs BlueKrait-base): 1-0 {{{how}}}"


@pytest.mark.parametrize(
    ("lines", "kept", "complaint"),
    [
        ([finished(2), finished(1), "Score: 1 - 0 - 1", finished(4), finished(3)], 4, None),
        ([finished(number) for number in (1, 2, 3)], 3, "3 games of 4"),
        ([finished(number) for number in (1, 2, 3, 3)], 4, "4 games of 4"),
        ([*map(finished, (1, 2, 3)), finished(4, "Black disconnects")], 4, "Black disconnects"),
        ([*map(finished, (1, 2, 3)), finished(4, "White loses on time")], 4, "White loses on time"),
        ([finished(number) for number in (1, 2, 3, 4)], 3, "the PGN does not hold these games"),
    ],
)
def test_the_games_of_a_trial_are_all_played_without_faults_and_kept(
    tmp_path, monkeypatch, lines, kept, complaint
):
    (tmp_path / "output").write_text("\n".join(lines) + "\n")
    (tmp_path / "of_the_runner").write_text('[Event "?"]\n\n1-0\n\n' * kept)
    engine_of(tmp_path, "cat output", "cp of_the_runner games.pgn")  # it stands for the runner, too
    monkeypatch.setattr(sys, "executable", str(tmp_path / try_worker.ENGINE))
    with pytest.raises(try_worker.TrialError, match=complaint) if complaint else nullcontext():
        assert try_worker.play(tmp_path, tmp_path / "book.epd") == 4


def test_a_trial_without_make_costs_one_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "Makefile").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert try_worker.main(["--sources", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "make" in told and told.count("\n") == 1


def test_a_runner_that_is_not_there():
    answer = call(["-rounds", "1"], "/no/such/runner")
    assert answer.returncode == 2
    assert "/no/such/runner" in answer.stderr


def test_a_runner_that_is_this_program_is_passed_over(tmp_path, monkeypatch):
    program = tmp_path / cutechess_ob.PROGRAM
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "fastchess").symlink_to(program)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(cutechess_ob.CHOICE, raising=False)
    assert find_runner("fastchess") and cutechess_ob.installed_runner() is None
    (tmp_path / "cutechess-cli").write_bytes(program.read_bytes())
    (tmp_path / "cutechess-cli").chmod(0o755)
    assert cutechess_ob.installed_runner().kind == CUTECHESS


def test_help_and_version(capsys):
    assert cutechess_ob.run([]) == 2 and cutechess_ob.run(["--help"]) == 0
    assert capsys.readouterr().out.count("usage: ") == 2
    assert "exit code" in call(["--help"]).stdout
    assert re.fullmatch(r"bluekrait-cutechess-ob \S+\n", call(["-version"]).stdout)


def test_nobody_is_told_that_the_reader_of_the_output_has_ended(place):
    for words in ["--help"], ["-version"], words_of(FORMERLY, place):
        listening_end, speaking_end = os.pipe()
        os.close(listening_end)
        answer = call(words, stdout=speaking_end)
        os.close(speaking_end)
        assert (answer.returncode, answer.stderr) == (1, ""), words


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a device that is always full")
@pytest.mark.parametrize("word", ["--help", "-version"])
def test_a_full_disk_costs_one_line(word):
    with open("/dev/full", "wb") as full:
        answer = call([word], stdout=full)
    assert answer.returncode == 1
    assert re.fullmatch("bluekrait-cutechess-ob: .*No space left on device\n", answer.stderr)


# The engine.


def test_the_engine_file_says_what_a_server_needs():
    engine = json.loads((ROOT / "openbench" / "BlueKrait.json").read_text())
    assert engine["nps"] > 0 and engine["private"] is False and engine["source"]
    assert set(engine["build"]) == {"path", "compilers", "cpuflags", "systems"}
    assert engine["build"]["path"] == "" and (ROOT / "Makefile").exists()
    for kind in ("test_presets", "tune_presets", "datagen_presets"):
        assert "default" in engine[kind]


@pytest.mark.timeout(900)
def test_everything_that_a_worker_does():
    command = [sys.executable, "-m", "bluekrait.tools.openbench.try_worker"]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert answer.returncode == 0, answer.stderr
    assert re.search(r"bench \d+, \d+ with a network; 4 games without trouble\n$", answer.stdout)


def test_a_trial_without_sources_says_what_was_called(tmp_path, capsys):
    assert try_worker.main(["--sources", str(tmp_path)]) == 2
    called = "python -m bluekrait.tools.openbench.try_worker"
    assert capsys.readouterr().err == f"{called}: {tmp_path} has no Makefile\n"
