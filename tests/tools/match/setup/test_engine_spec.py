"""The words that describe an engine."""

import re
import sys

import pytest

from bluekrait.tools.match.setup.engine_spec import (
    OUR_MODULE,
    OURSELVES,
    parse_common,
    parse_engine,
    split_words,
    with_distinct_names,
)
from bluekrait.tools.match.setup.time_control import TimeControl
from helpers.match.matches import fake, script_of


def test_the_words_of_an_engine(tmp_path):
    program = tmp_path / "my engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    words = [f"cmd={program}", "name=Mine", "proto=xboard", "option.Hash=16", "option.Clear Hash=", "arg=a b"]
    words += ["args=c 'd e'", f"dir={tmp_path}", "tc=40/60+0.5", "timemargin=20", "restart=on"]
    engine = parse_engine(words, ("option.Hash=1", "option.Threads=2", "st=1"))
    assert engine.name == "Mine"
    assert engine.command == (str(program), "a b", "c", "d e")
    assert (engine.protocol, engine.directory, engine.restart) == ("xboard", str(tmp_path), True)
    assert dict(engine.options) == {"Hash": "16", "Threads": "2", "Clear Hash": ""}
    assert engine.time == TimeControl(60.0, 0.5, 40, margin=0.02)
    assert engine.threads == 2


def test_the_last_clock_counts():
    assert parse_engine(["sh", "st=0.5"], ("tc=40/60+0.5",)).time == TimeControl(move_time=0.5)
    assert parse_engine(["sh", "tc=8"], ("st=0.5", "nodes=9")).time == TimeControl(8.0, nodes=9)


def test_a_bare_name_is_looked_for_where_programs_are(tmp_path, monkeypatch):
    other = tmp_path / "sh"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert parse_engine(["sh"]).command != (str(other),)
    assert parse_engine(["./sh"]).command == (str(other),)


def test_names_can_be_written_into_any_file(tmp_path):
    program = tmp_path / "bk\udce9"  # a byte that is no UTF-8
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    engine = parse_engine([str(program)])
    assert (engine.name, engine.command) == ("bk?", (str(program),))
    assert parse_engine(["sh", "name=f\udce9 é"]).name == "f? é"
    assert parse_engine(["sh", "name=two\nlines\t\r\x7f"]).name == "two?lines???"  # a tag is one line


def test_our_name_means_the_program_that_is_running(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(script_of(tmp_path / "bin").parent))
    assert parse_engine([OURSELVES, "x"]).command == (sys.executable, "-m", OUR_MODULE, "x")


def test_a_program_alone_is_an_engine(tmp_path):
    program = tmp_path / "my engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert parse_engine(split_words([str(program)])).command == (str(program),)
    engine = parse_engine(split_words(["sh -c exit option.Hash=16 tc=1"]))
    assert (engine.name, engine.command[1:]) == ("sh", ("-c", "exit"))
    assert dict(engine.options) == {"Hash": "16"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "an engine needs a command"),
        (["name=A"], "an engine needs cmd=PROGRAM"),
        (["cmd=no-such-engine"], "the engine no-such-engine does not exist"),
        (["./no-such-engine"], "the engine ./no-such-engine does not exist"),
        (["cmd=sh", "hash=16"], "'hash' is none of cmd, name, "),
        (["cmd=sh", "option.=16"], "'option.' is none of cmd, name, "),
        (["cmd=sh", "word"], "'word' is not of the form key=value"),
        (["cmd=sh", "tc=fast"], "'fast' is no time control"),
        (["cmd=sh", "nodes=0"], "nodes=0: a positive number is expected"),
        (["cmd=sh", "depth=many"], "depth=many: a positive number is expected"),
        (["cmd=sh", "proto=usi"], "proto=usi: it is uci or xboard"),
        (["cmd=sh", "dir=/no/such/folder"], "there is no directory /no/such/folder"),
    ],
)
def test_words_that_make_no_engine(words, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        parse_engine(words)


def test_a_file_that_is_no_program(tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("")
    with pytest.raises(ValueError, match=f"the engine {re.escape(str(notes))} cannot be executed"):
        parse_engine([str(notes)])


def test_engines_do_not_share_everything():
    assert parse_common(["tc=1", "option.Hash=1"]) == ("tc=1", "option.Hash=1")
    for word in ("name=A", "cmd=sh"):
        with pytest.raises(ValueError, match="one engine only"):
            parse_common([word])


def test_names_are_made_distinct():
    engines = with_distinct_names([fake("A"), fake("A"), fake("B"), fake("A")])
    assert [engine.name for engine in engines] == ["A", "A-2", "B", "A-3"]
