"""The UCI options: how they are announced, which values they accept, and what they do."""

import os
import re
from unittest.mock import Mock, call

import pytest

from bluekrait.core.memory.control_groups import memory_limit
from bluekrait.core.memory.usable_memory import memory_megabytes
from bluekrait.search.limits import Settings
from bluekrait.search.playing.choice import PlaySettings
from bluekrait.search.playing.handicap import elo_of_skill
from bluekrait.uci.option_effects import set_option
from bluekrait.uci.options.option_kinds import Combo
from bluekrait.uci.options.option_table import OPTIONS, Options, find_option, parse_value
from bluekrait.uci.options.play_settings import play_settings
from bluekrait.uci.session import Session
from bluekrait.uci.streams.debug_log import DebugLog

EXPECTED = {  # some GUI, match runner or server uses these
    *("Threads", "Hash", "Clear Hash", "MultiPV", "Ponder", "Move Overhead", "UCI_Chess960", "UCI_ShowWDL"),
    *("UCI_LimitStrength", "UCI_Elo", "Skill Level", "SyzygyPath", "SyzygyProbeDepth", "SyzygyProbeLimit"),
    *("Syzygy50MoveRule", "EvalFile", "Debug Log File", "UCI_AnalyseMode", "UCI_Opponent", "OwnBook"),
    *("BookFile", "PerftHash", "Evaluation"),
}
RESERVED = {"name", "type", "default", "min", "max", "var"}
FORMS = {
    "check": r"type check default (true|false)",
    "spin": r"type spin default -?\d+ min -?\d+ max -?\d+",
    "combo": r"type combo default \w+( var \w+)+",
    "string": r"type string default (<empty>|\S.*)",
    "button": r"type button",
}


@pytest.fixture(scope="module")
def announced():
    """What is announced of each option, by its name."""
    lines = (f"{option.name} {option.announcement()}" for option in OPTIONS)
    return dict(re.fullmatch("(.+?) (type .*)", line).groups() for line in lines)


def test_options_are_announced_between_id_and_uciok(talk):
    lines = talk().leave("uci")
    assert [line.split()[0] for line in lines] == ["id", "id", *["option"] * len(OPTIONS), "uciok"]
    assert lines[2:-1] == [f"option name {option.name} {option.announcement()}" for option in OPTIONS]


def test_expected_options_exist(announced):
    assert set(announced) >= EXPECTED


def test_options_are_announced_in_uci_form(announced):
    for name, words in announced.items():
        assert re.fullmatch(FORMS[words.split()[1]], words), name
        assert not RESERVED & set(name.lower().split())


def test_names_are_distinct_whatever_the_case():
    assert len({option.name.lower() for option in OPTIONS}) == len(OPTIONS)


def test_defaults_are_within_bounds(announced):
    for words in announced.values():
        if words.startswith("type spin"):
            default, low, high = map(int, words.split()[3::2])
            assert low <= default <= high
        if words.startswith("type combo"):
            assert words.split()[3] in words.split()[5::2]
    assert int(announced["Threads"].split()[-1]) >= 256
    assert announced["Hash"].split()[3:6] == ["16", "min", "1"]
    assert announced["Move Overhead"] == "type spin default 20 min 0 max 5000"
    assert announced["MultiPV"] == "type spin default 1 min 1 max 218"


def test_largest_hash_is_the_memory_that_may_be_used(announced):
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    usable = min(pages, memory_limit() or pages)
    assert int(announced["Hash"].split()[-1]) == memory_megabytes() == usable // 2**20


def test_combo_accepts_choices_in_any_case():
    option = Combo("Style", "solid", ("solid", "Risky"), "")
    assert option.announcement() == "type combo default solid var solid var Risky"
    assert option.parse("RISKY") == "Risky"
    with pytest.raises(ValueError, match="solid or Risky"):
        option.parse("mad")


def test_option_names_and_keywords_in_any_case(talk):
    engine = talk()
    castling = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert "castling: e1h1" in engine.ask("setoption NAME uci_chess960 VALUE True", castling, "moves")
    assert "castling: e1g1" in engine.leave("setoption name UCI_CHESS960 value false", "moves")


def test_good_values_are_accepted_silently(talk):
    settings = [
        "Threads value 2",
        "hash value 1",
        "Clear Hash",
        "MultiPV value 218",
        "Ponder value true",
        "Move Overhead value 5000",
        "UCI_Opponent value GM 2800 human Gary Kasparov",
        "SyzygyPath value <empty>",
        "EvalFile value",
        "Skill Level value 0",
        "UCI_Elo value 1200",
        "uci_analysemode value TRUE",
    ]
    assert talk().ask(*(f"setoption name {setting}" for setting in settings)) == []


@pytest.mark.parametrize(
    "order",
    [
        "setoption",
        "setoption Threads 2",
        "setoption name",
        "setoption name value",
        "setoption name Threads",
        "setoption name Threads value",
        "setoption name Threads value 0",
        "setoption name Threads value 99999999999999999999999",
        "setoption name Threads value -1",
        "setoption name Threads value two",
        "setoption name Threads value 2 2",
        "setoption name Threads value 1_0",
        "setoption name Threads value \u0664",
        f"setoption name Hash value {memory_megabytes() + 1}",
        "setoption name UCI_Chess960 value maybe",
        "setoption name Book Choice value worst",
        "setoption name Contempt value 20",
        "setoption name " + "x " * 10000 + "value 3",
    ],
)
def test_bad_options_get_one_line(talk, order):
    heard = talk().leave(order)
    assert len(heard) == 1
    assert heard[0].startswith("info string ")


def test_options_decide_how_moves_are_chosen():
    options, book, tablebase = Options(), object(), object()
    usual = PlaySettings(Settings(tablebase_pieces=7), tablebase=tablebase)
    assert play_settings(options, book, tablebase) == usual
    for name, value in (
        *(("MultiPV", 3), ("Move Overhead", 77), ("SyzygyProbeLimit", 5), ("SyzygyProbeDepth", 9)),
        *(("Syzygy50MoveRule", False), ("UCI_AnalyseMode", True), ("OwnBook", True)),
        *(("Book Choice", "best"), ("Skill Level", 4)),
    ):
        options.set(name, value)
    search = Settings(multi_pv=3, move_overhead=77, tablebase_pieces=5, tablebase_depth=9, fifty_moves=False)
    expected = PlaySettings(search, True, book, True, tablebase, elo_of_skill(4))
    assert play_settings(options, book, tablebase) == expected
    options.set("UCI_LimitStrength", True)
    assert play_settings(options, book, tablebase) == expected._replace(elo=1600)


@pytest.mark.parametrize(
    "name, value, told",
    [
        ("Threads", "3", [call.set_threads(3)]),
        ("Hash", "64", [call.set_hash(64)]),
        ("Clear Hash", "", [call.clear_hash()]),
        ("SyzygyPath", "", [call.set_tablebases(None)]),
        ("reduction_base", "200", [call.set_parameter("reduction_base", 200)]),
        ("MultiPV", "3", []),
        ("Ponder", "true", []),
    ],
)
def test_the_engine_is_told_of_options(name, value, told):
    session = Session(lambda *message: None)
    session.engine, session.tablebase = Mock(), Mock()
    option = find_option(name)
    set_option(session, option, parse_value(option, value))
    assert session.engine.mock_calls == told
    assert bool(session.tablebase) == (name != "SyzygyPath")


def test_a_missing_network_is_reported(talk):
    (heard,) = talk().ask("setoption name EvalFile value missing.bknn")
    assert re.match("info string EvalFile: missing.bknn: No such file", heard)


def test_blanks_in_a_path_are_kept(talk, tmp_path):
    book = tmp_path / "two  blanks.bin"
    book.write_bytes(b"")
    assert talk().ask(f"  setoption  name BookFile  value  {book} ") == []


# The debug log


def test_all_input_and_output_is_logged(talk, tmp_path):
    engine, log = talk(), tmp_path / "the log.txt"
    engine.ask(f"setoption name Debug Log File value {log}")
    engine.ask("position startpos moves e2e4", "d", "nonsense")
    stamp = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} "
    lines = log.read_text().splitlines()
    assert all(re.match(stamp + "[<>] ?", line) for line in lines)
    words = [re.sub(stamp, "", line) for line in lines]
    assert words.index("< d") < words.index("> info string unknown command 'nonsense', type help for a list")
    assert any(line.startswith("> Fen: rnbqkbnr/pppppppp/8/8/4P3") for line in words)
    assert words[-1] == "> readyok"


def test_the_log_is_appended_to_and_can_be_ended(talk, tmp_path):
    engine, log = talk(), tmp_path / "log"
    log.write_text("kept\n")
    engine.ask(f"setoption name Debug Log File value {log}", "isready")
    engine.hear("readyok")
    assert engine.ask("setoption name Debug Log File value <empty>") == []
    length = len(log.read_text())
    engine.ask("d")
    assert log.read_text().startswith("kept\n2")
    assert len(log.read_text()) == length


def test_the_log_has_every_line_and_whatever_is_in_it(tmp_path):
    log, path = DebugLog(), tmp_path / "log"
    log.received("before")
    log.open(str(path))
    descriptor = log._descriptor
    log.received("")
    log.sent("one\n\n\udcff")
    log.open("")
    log.sent("after")
    assert [line[24:] for line in path.read_text().splitlines()] == ["< ", "> one", "> ", "> ?"]
    with pytest.raises(OSError):
        os.fstat(descriptor)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a device that is always full")
def test_a_full_disk_ends_the_log_and_not_the_game():
    log = DebugLog()
    log.open("/dev/full")
    log.received("isready")
    assert log._descriptor is None
    log.sent("readyok")


def test_a_log_that_cannot_be_opened_gets_one_line(talk, tmp_path):
    (heard,) = talk().ask(f"setoption name Debug Log File value {tmp_path}")
    assert heard.startswith(f"info string no log is kept: {tmp_path}: ")


def test_a_log_whose_name_no_file_can_have_gets_one_line(talk):
    (heard,) = talk().ask("setoption name Debug Log File value a\0b")
    assert heard == "info string no log is kept: a?b: embedded null byte"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_nobody_is_waited_for_who_would_read_the_log(talk, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    engine = talk()
    (heard,) = engine.ask(f"setoption name Debug Log File value {pipe}")
    assert heard.startswith(f"info string no log is kept: {pipe}: ")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert engine.ask(f"setoption name Debug Log File value {pipe}") == []
    engine.ask("d")
    assert b" < d\n" in os.read(reader, 1000)
    assert engine.ask(*["d"] * 500), "a reader that is too slow costs the log, not the game"
    os.close(reader)
