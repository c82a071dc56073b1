"""The network in UCI: loaded, refused, chosen, benched and explained."""

import re

import pytest

from bluekrait.search.evaluation.network.network_file import pack
from helpers.network.networks import random_network


@pytest.fixture(scope="module")
def networks(tmp_path_factory):
    """Paths of two networks."""
    folder = tmp_path_factory.mktemp("some networks")
    paths = []
    for seed in (1, 2):
        paths.append(folder / f"network {seed}.bknn")
        paths[-1].write_bytes(pack(random_network(32, buckets=8, seed=seed)))
    return paths


def load(path):
    """The command that loads a network."""
    return f"setoption name EvalFile value {path}"


def nodes(conversation):
    """What a short benchmark counts."""
    return conversation.ask("bench 5")[-1].split()[0]


WITH_ANOTHER_PACKAGE = """
from pathlib import Path
from bluekrait.search.evaluation.network import default_network

default_network.content = lambda: {content}
from bluekrait.uci import cli

cli.main([])
"""


def talk_with_package(talk, path):
    """A conversation with an engine whose package has the network in a file."""
    return talk("-c", WITH_ANOTHER_PACKAGE.format(content=f"Path({str(path)!r}).read_bytes()"))


def talk_without_network(talk):
    """A conversation with an engine whose package has no network."""
    return talk("-c", WITH_ANOTHER_PACKAGE.format(content=None))


def test_networks_are_loaded_and_left_again(talk, networks):
    engine = talk_without_network(talk)
    classical = nodes(engine)
    assert "32 neurons" in engine.ask(load(networks[0]))[0]
    first = nodes(engine)
    engine.ask(load(networks[1]))
    assert nodes(engine) not in (first, classical)
    engine.ask("setoption name Evaluation value classical")
    assert nodes(engine) == classical
    engine.ask("setoption name Evaluation value network", load(networks[0]))
    assert nodes(engine) == first
    engine.ask("setoption name EvalFile value")
    assert nodes(engine) == classical


def test_bad_files_are_refused_and_the_engine_plays_on(talk, networks, tmp_path):
    content = networks[0].read_bytes()
    bad = {
        "truncated": (content[:-100], "truncated"),
        "damaged": (content[:5000] + b"\x99" + content[5001:], "damaged"),
        "foreign": (b"\x7fELF" + bytes(1000), "no network"),
        "empty": (b"", "no network"),
    }
    engine = talk()
    engine.ask(load(networks[0]))
    counted = nodes(engine)
    for name, (wrong, reason) in bad.items():
        (tmp_path / name).write_bytes(wrong)
        (heard,) = engine.ask(load(tmp_path / name))
        assert heard.startswith("info string EvalFile: ") and reason in heard
    (heard,) = engine.ask(load(tmp_path / "missing"))
    assert "No such file" in heard
    assert nodes(engine) == counted
    engine.say("position startpos moves e2e4", "go depth 3")
    assert re.match("bestmove [a-h][1-8]", engine.hear("^bestmove")[-1])


def test_no_network_no_evaluation_by_it(talk):
    engine = talk_without_network(talk)
    (heard,) = engine.ask("setoption name Evaluation value network")
    assert re.match("info string Evaluation: no network", heard)
    (heard,) = engine.ask("bench 16 1 1 default depth NNUE")
    assert re.match("info string Evaluation: no network", heard)


def test_eval_shows_both_evaluations(talk, networks):
    engine = talk_without_network(talk)
    engine.ask("position startpos moves e2e4")
    text = "\n".join(engine.ask("eval"))
    assert "network" not in text and text.endswith("; the search uses the classical evaluation")
    engine.ask(load(networks[0]))
    text = "\n".join(engine.ask("eval"))
    assert re.search(r"Classical evaluation: [+-]\d+ for Black", text)
    assert re.search(r"Evaluation by the network: [+-]\d+ for Black", text)
    assert len(re.findall(r"\| +[+-]\d+ +(?=\|)", text)) == 30  # all but the kings
    assert text.count("|   P   ") == 8


@pytest.mark.parametrize("side", "wb")
def test_eval_tells_what_pieces_are_worth_for_white(talk, side):
    lines = talk().ask(f"position fen 4k2r/6pp/8/8/8/8/PP6/R3K3 {side} - - 0 1", "eval")
    cells = [[cell.strip() for cell in line.split("|")] for line in lines if line.startswith("|")]
    worths = {}
    for letters, numbers in zip(cells[::2], cells[1::2], strict=True):
        worths |= dict(zip(letters, numbers, strict=True))
    assert int(worths["R"]) > 0 > int(worths["r"])


def test_eval_says_that_the_network_does_not_judge_a_lone_king(talk, networks):
    engine = talk()
    text = "\n".join(engine.ask(load(networks[0]), "position fen 8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "eval"))
    assert re.search(r"Classical evaluation: [+-]\d+ for White", text)
    assert "by the network" not in text and "worth to the network" not in text
    assert "the classical evaluation does" in text
    assert text.endswith("; the search uses the classical evaluation")


def test_eval_ends_with_the_evaluation_that_the_search_uses(talk, networks):
    engine = talk()
    lines = engine.ask(load(networks[0]), "position startpos moves e2e4", "eval")
    score = next(line for line in lines if line.startswith("Evaluation by the network: ")).split(": ")[1]
    assert lines[-1] == f"Final evaluation: {score}; the search uses the network"
    lines = engine.ask("setoption name Evaluation value classical", "eval")
    score = next(line for line in lines if line.startswith("Classical evaluation: ")).split(": ")[1]
    assert lines[-1] == f"Final evaluation: {score}; the search uses the classical evaluation"


def test_several_threads_search_with_the_network(talk, networks):
    engine = talk()
    engine.ask("setoption name Threads value 3", load(networks[0]), "setoption name Threads value 4")
    engine.say("go nodes 20000")
    assert re.match("bestmove [a-h][1-8]", engine.hear("^bestmove")[-1])


# --- the network of the package -------------------------------------------------------------------


def test_the_network_of_the_package_is_used(talk, networks):
    engine = talk()
    engine.ask(load(networks[0]))
    counted = nodes(engine)
    engine = talk_with_package(talk, networks[0])
    assert nodes(engine) == counted
    engine.say("uci")
    assert "option name Evaluation type combo default network var network var classical" in engine.hear(
        "uciok"
    )
    engine.ask(load(networks[1]))
    assert nodes(engine) != counted
    engine.ask("setoption name EvalFile value")
    assert nodes(engine) == counted


@pytest.mark.parametrize("end", [b"", bytes(9)])
def test_a_damaged_network_in_the_package_is_not_used(talk, networks, tmp_path, end):
    classical = nodes(talk_without_network(talk))
    (tmp_path / "damaged.bknn").write_bytes(networks[0].read_bytes()[:-9] + end)
    engine = talk_with_package(talk, tmp_path / "damaged.bknn")
    (heard,) = engine.ask()
    assert re.match("info string the network of the package is not used: it is (truncated|damaged)", heard)
    assert nodes(engine) == classical
    (heard,) = engine.ask("setoption name Evaluation value network")
    assert "no network is loaded" in heard
    assert engine.ask(load(networks[0]))[-1].endswith("32 neurons a side, 8 output buckets")
    (heard,) = engine.ask("setoption name EvalFile value")
    assert "the network of the package: it is" in heard
    assert nodes(engine) != classical  # the network that was loaded stays
