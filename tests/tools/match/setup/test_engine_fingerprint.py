"""What makes an engine another one: its program, scripts, directory and network."""

import sys
import sysconfig

from bluekrait.search.evaluation.network import default_network
from bluekrait.tools.match.setup.engine_fingerprint import fingerprint
from bluekrait.tools.match.setup.engine_spec import OURSELVES, parse_engine
from helpers.match.matches import script_of


def test_an_engine_is_another_one_with_another_network_under_the_same_name(tmp_path):
    network = tmp_path / "run" / "network.bknn"
    network.parent.mkdir()
    engine = parse_engine(["sh", "option.EvalFile=run/network.bknn", f"dir={tmp_path}"])
    without = fingerprint(engine)
    network.write_bytes(b"one")
    first = fingerprint(engine)
    network.write_bytes(b"two")
    second = fingerprint(engine)
    assert first != second and "networks" not in without
    assert {**first, "networks": None} == {**second, "networks": None}


def test_a_changed_script_or_another_directory_makes_another_engine(tmp_path):
    (tmp_path / "other").mkdir()
    script, log = tmp_path / "engine.py", tmp_path / "engine.log"
    words = [sys.executable, "engine.py", str(log)]
    without = fingerprint(parse_engine([*words, f"dir={tmp_path}"]))
    script.write_text("print(1)")
    first = fingerprint(parse_engine([*words, f"dir={tmp_path}"]))
    log.write_text("a game")
    assert fingerprint(parse_engine([*words, f"dir={tmp_path}"])) == first
    script.write_text("print(2)")
    second = fingerprint(parse_engine([*words, f"dir={tmp_path}"]))
    elsewhere = fingerprint(parse_engine([*words, f"dir={tmp_path / 'other'}"]))
    assert "arguments" not in without and first["arguments"] != second["arguments"]
    assert without["directory"] != elsewhere["directory"]
    assert {"directory", "arguments"}.isdisjoint(fingerprint(parse_engine(["sh"])))


def test_the_script_that_starts_this_program_is_this_program(tmp_path, monkeypatch):
    script = script_of(tmp_path / "bin")
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(script.parent))
    program = fingerprint(parse_engine([OURSELVES]))["program"]
    assert fingerprint(parse_engine([str(script)]))["program"] == program
    other = script_of(tmp_path / "other")
    assert fingerprint(parse_engine([str(other)]))["program"] != program


def test_another_installation_of_this_program_is_another_engine_after_an_upgrade(tmp_path):
    engine = parse_engine([str(script_of(tmp_path / "bin"))])
    record = tmp_path / "lib" / "python3.11" / "site-packages" / "bluekrait-0.1.dist-info" / "RECORD"
    record.parent.mkdir(parents=True)
    record.write_text("bluekrait/search/tree/alphabeta.py,sha256=1,1\n")
    before = fingerprint(engine)
    record.write_text("bluekrait/search/tree/alphabeta.py,sha256=2,1\n")
    assert fingerprint(engine) != before


def test_our_own_network_is_part_of_the_engine(monkeypatch):
    engine = parse_engine([OURSELVES])
    before = fingerprint(engine)
    monkeypatch.setattr(default_network, "content", lambda: b"another")
    assert fingerprint(engine) != before
