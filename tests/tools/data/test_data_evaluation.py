"""Self-play and relabelling with a network: which one is used, what the files tell of it, what is refused."""

import json
from hashlib import sha256
from unittest.mock import Mock

import numpy as np
import pytest

from bluekrait.search.evaluation.network import default_network
from bluekrait.search.evaluation.network.network_file import RESIDUAL, pack
from bluekrait.search.self_play.players.player import Player
from bluekrait.tools.data import data_command, datagen_command, evaluation_choice, relabel
from bluekrait.tools.data.formats.labelled_file import is_shuffled, opened, read_blocks, read_head, samples_of
from bluekrait.tools.data.formats.sample_file import pack_block, pack_head
from bluekrait.tools.data.formats.samples import pack_sample, sample_from_text
from bluekrait.tools.data.sample_statistics import gathered, report
from helpers.network.networks import random_network

NODES, SEED, GAMES = 40, 7, 3
BARE = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
ONE, OTHER = random_network(32, seed=1), random_network(32, kind=RESIDUAL, factor=(400, 173), seed=2)


@pytest.fixture
def networks(tmp_path):
    """The paths of two networks."""
    paths = tmp_path / "one.bknn", tmp_path / "other.bknn"
    for path, network in zip(paths, (ONE, OTHER)):
        path.write_bytes(pack(network))
    return paths


@pytest.fixture
def in_package(monkeypatch):
    """A function that puts a network into the package; first it has none."""
    monkeypatch.setattr(default_network, "content", lambda: None)
    return lambda content: monkeypatch.setattr(default_network, "content", lambda: content)


def generate(path, *more):
    """Play some quick games; the exit code."""
    settings = ["--games", GAMES, "--nodes", NODES, "--seed", SEED, "--processes", 1]
    return datagen_command.main([str(path), *map(str, settings), *map(str, more)])


def evaluation_in(path):
    """What the head of a file tells of the evaluation."""
    with opened(path) as data:
        return read_head(data)["evaluation"]


def name_of(path, kind="bare"):
    """What a head should tell of a network."""
    return f"{kind} network {sha256(path.read_bytes()).hexdigest()[:16]}"


def played_with(network):
    """The games that a network, or none, plays, one after the other."""
    player = Player(SEED, NODES, datagen_command.CHESS960, network=network)
    return b"".join(player.play(number) for number in range(GAMES))


def test_games_are_played_with_the_network_and_the_file_names_it(networks, in_package, tmp_path):
    path = tmp_path / "games.bkg"
    for network, file, kind in ((ONE, networks[0], "bare"), (OTHER, networks[1], "residual")):
        assert generate(path, "--evaluation", file) == 0
        assert evaluation_in(path) == name_of(file, kind)
        assert played_with(network) in path.read_bytes()
        path.unlink()


def test_without_a_wish_the_engine_s_own_evaluation_plays(networks, in_package, tmp_path):
    path = tmp_path / "games.bkg"
    assert generate(path) == 0
    assert evaluation_in(path) == "classical"
    classical = path.read_bytes()
    assert played_with(None) in classical
    in_package(pack(ONE))
    assert generate(path) == 0  # a file that was begun classically stays so
    assert path.read_bytes() == classical
    path.unlink()
    assert generate(path) == 0
    assert evaluation_in(path) == name_of(networks[0])
    path.unlink()
    assert generate(path, "--evaluation", "classical") == 0
    assert path.read_bytes() == classical


def test_a_file_is_not_continued_with_another_evaluation(networks, in_package, tmp_path, capsys):
    path = tmp_path / "games.bkg"
    assert generate(path, "--evaluation", networks[0]) == 0
    before = path.read_bytes()
    for wrong in ((), ("--evaluation", networks[1]), ("--evaluation", "classical")):
        assert generate(path, *wrong) == 2
        assert name_of(networks[0]) in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", ["filter", "shuffle", "convert"])
def test_files_made_from_others_name_the_evaluations_of_all(networks, in_package, tmp_path, command):
    sources, made, again = (
        (tmp_path / "1.bkg", tmp_path / "2.bkg"),
        tmp_path / "made.bks",
        tmp_path / "again.bks",
    )
    assert generate(sources[0], "--evaluation", networks[0]) == 0
    assert generate(sources[1], "--evaluation", "classical") == 0
    (tmp_path / "empty.bkg").touch()
    assert data_command.main([command, str(sources[0]), str(tmp_path / "empty.bkg"), "-o", str(made)]) == 0
    assert evaluation_in(made) == name_of(networks[0])
    assert data_command.main([command, *map(str, sources), str(made), "-o", str(again)]) == 0
    assert evaluation_in(again) == f"{name_of(networks[0])}, classical"


def test_files_from_before_networks_are_classical(networks, in_package, tmp_path):
    path = tmp_path / "games.bkg"
    assert generate(path) == 0
    with opened(path) as data:
        head = read_head(data)
        rest = data[data.find(b"BKG1") :]
    del head["evaluation"]
    path.write_bytes(datagen_command.game_file.pack_head(head) + rest)
    assert "evaluation" not in json.dumps(head)
    assert generate(path, "--evaluation", networks[0]) == 2
    assert generate(path) == 0


@pytest.mark.parametrize("content", [None, b"", b"BKNN", pack(ONE)[:-1]])
def test_bad_networks_are_refused_in_one_line(in_package, tmp_path, capsys, content):
    path = tmp_path / "bad.bknn"
    if content is not None:
        path.write_bytes(content)
    games = tmp_path / "games.bkg"
    assert generate(games, "--evaluation", path) == 2
    assert not games.exists()
    error = capsys.readouterr().err
    assert str(path) in error and error.count("\n") == 1


def test_a_network_that_changes_under_the_work_is_noticed(networks, in_package):
    evaluation = evaluation_choice.chosen(str(networks[0]), {})
    assert evaluation_choice.network_of(evaluation) == ONE
    networks[0].write_bytes(pack(OTHER))
    with pytest.raises(ValueError, match="any more"):
        evaluation_choice.network_of(evaluation)


def test_positions_are_relabelled_with_the_network(networks, in_package, tmp_path, capsys):
    games, out = tmp_path / "games.bkg", tmp_path / "new.bks"
    assert generate(games) == 0
    command = ["relabel", str(games), "-o", str(out), "--nodes", "50", "--processes", "1"]
    assert data_command.main([*command, "--evaluation", str(networks[0])]) == 0
    assert evaluation_in(out) == name_of(networks[0])
    expected = samples_of(games).copy()
    Player(0, 50, network=ONE).label(expected)
    assert samples_of(out).tobytes() == expected.tobytes()
    assert data_command.main(command) == 2
    assert name_of(networks[0]) in capsys.readouterr().err


def test_a_file_that_has_grown_is_relabelled_to_another_file(in_package, tmp_path, capsys):
    games, out = tmp_path / "games.bkg", tmp_path / "new.bks"
    command = ["relabel", str(games), "-o", str(out), "--nodes", "20", "--processes", "1"]
    assert generate(games) == 0
    assert data_command.main(command) == 0
    before = out.read_bytes()
    assert data_command.main(command) == 0
    assert generate(games, "--games", 2 * GAMES) == 0
    assert data_command.main(command) == 2
    assert "relabel them to another file" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_relabelling_is_not_continued_with_other_positions(in_package, tmp_path, capsys):
    out = tmp_path / "new.bks"
    packed = [pack_sample(sample_from_text(f"{BARE}; 1; {score}")) for score in range(6)]
    names = [tmp_path / folder / name for folder, name in (("1", "s.bks"), ("2", "s.bks"), ("3", "t.bks"))]
    for name, samples in zip(names, (packed[:3], packed[3:], packed[:3])):
        name.parent.mkdir()
        name.write_bytes(pack_block(0, samples))

    def relabelled(name):
        return data_command.main(["relabel", str(name), "-o", str(out), "--nodes", "20", "--processes", "1"])

    assert relabelled(names[0]) == 0
    before = out.read_bytes()
    for name, complaint in (names[1], "held other positions"), (names[2], "begun with s.bks, not t.bks"):
        assert relabelled(name) == 2
        assert complaint in capsys.readouterr().err
    assert relabelled(names[0]) == 0
    assert out.read_bytes() == before


def test_a_slip_of_the_pen_begins_no_file(in_package, tmp_path, capsys):
    games, out = tmp_path / "games.bkg", tmp_path / "new.bks"
    assert data_command.main(["relabel", str(games), "-o", str(out)]) == 2
    assert "games.bkg" in capsys.readouterr().err
    assert not out.exists()
    assert generate(games) == 0
    nowhere = "--evaluation", str(tmp_path / "missing.bknn")
    assert data_command.main(["relabel", str(games), "-o", str(out), *nowhere]) == 2
    assert "missing.bknn" in capsys.readouterr().err
    assert not out.exists()


def test_an_output_that_is_something_else_is_left_as_it_is(in_package, tmp_path, capsys):
    games, other = tmp_path / "games.bkg", tmp_path / "other.bkg"
    assert generate(games) == 0
    before = games.read_bytes()[:-1]  # its last block is torn
    other.write_bytes(before)
    assert data_command.main(["relabel", str(games), "-o", str(other)]) == 2
    assert "was not written by this command" in capsys.readouterr().err
    assert other.read_bytes() == before


RELABEL = ["relabel", "--nodes", "20", "--processes", "1"]


@pytest.mark.parametrize("command", [["filter"], ["filter", "--dedupe"], RELABEL])
def test_blocks_end_where_a_game_ends(in_package, tmp_path, monkeypatch, command):
    """Or else some positions of a game would be learnt from, and others held out."""
    monkeypatch.setattr("bluekrait.tools.data.filter_samples.BLOCK_SAMPLES", 50)
    monkeypatch.setattr("bluekrait.tools.data.relabel.UNIT_SAMPLES", 50)
    games, out = tmp_path / "games.bks", tmp_path / "out.bks"
    plies = [ply for length in (20, 20, 20, 70, 9) for ply in range(16, 16 + length)]  # one game is too long
    sample = sample_from_text(f"{BARE}; 1; 0")
    games.write_bytes(pack_block(0, [pack_sample(sample._replace(ply=ply)) for ply in plies]))
    if "--dedupe" in command:
        monkeypatch.setattr(
            "bluekrait.tools.data.filter_samples.hashes_of", lambda rows: np.arange(len(rows))
        )
    assert data_command.main([*command, str(games), "-o", str(out)]) == 0
    with opened(out) as data:
        blocks = list(read_blocks(data))
    assert [block.samples for block in blocks] == [40, 20, 50, 29]
    assert samples_of(out)["ply"].tolist() == plies


def test_relabelling_that_an_earlier_version_began_is_not_continued(in_package, tmp_path, capsys):
    games, out = tmp_path / "games.bks", tmp_path / "out.bks"
    games.write_bytes(pack_block(0, [pack_sample(sample_from_text(f"{BARE}; 1; 0"))]))
    head = pack_head({"kind": "relabelled", "nodes": 20, "files": ["games.bks"]})
    out.write_bytes(head)
    assert data_command.main([*RELABEL, str(games), "-o", str(out)]) == 2
    assert "begun by an earlier version, and is not continued: name another" in capsys.readouterr().err
    assert out.read_bytes() == head


def test_relabelling_that_an_earlier_version_completed_is_complete(in_package, tmp_path, capsys):
    games, out = tmp_path / "games.bks", tmp_path / "out.bks"
    block = pack_block(0, [pack_sample(sample_from_text(f"{BARE}; 1; 0"))])
    games.write_bytes(block)
    complete = pack_head({"kind": "relabelled", "nodes": 20, "files": ["games.bks"]}) + block
    out.write_bytes(complete)
    assert data_command.main([*RELABEL, str(games), "-o", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: 1 positions\n"
    assert out.read_bytes() == complete


@pytest.mark.parametrize("command", [["filter"], ["shuffle"], RELABEL])
def test_blocks_of_what_is_made_from_games_are_no_games(in_package, tmp_path, command):
    games, out = tmp_path / "games.bkg", tmp_path / "new.bks"
    assert generate(games) == 0
    assert data_command.main([*command, str(games), "-o", str(out)]) == 0
    of_games, of_others = gathered([str(games)]), gathered([str(out)])
    assert (of_games.games, of_others.games) == (GAMES, 0)
    assert "mean length" in report(of_games) and "mean length" not in report(of_others)


@pytest.mark.parametrize("command", [["filter"], RELABEL])
def test_what_is_made_of_shuffled_positions_says_so(in_package, tmp_path, command):
    games, shuffled, out = tmp_path / "games.bkg", tmp_path / "shuffled.bks", tmp_path / "new.bks"
    assert generate(games) == 0
    assert data_command.main(["shuffle", str(games), "-o", str(shuffled)]) == 0
    assert data_command.main([*command, str(shuffled), "-o", str(out)]) == 0
    assert is_shuffled(out) and not is_shuffled(games)


def test_relabelling_goes_on_where_it_was(in_package, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("bluekrait.tools.data.relabel.UNIT_SAMPLES", 3)
    games, out = tmp_path / "games.bks", tmp_path / "out.bks"
    packed = [pack_sample(sample_from_text(f"{BARE}; 1; {score}")) for score in range(12)]
    games.write_bytes(pack_block(0, packed))
    command = [*RELABEL, str(games), "-o", str(out)]
    assert data_command.main(command) == 0
    whole, first = out.read_bytes(), out.read_bytes().index(b"BKS1")
    size = (len(whole) - first) // 4  # of each of four blocks
    label = Mock(side_effect=relabel.label)
    monkeypatch.setattr(relabel, "label", label)
    for place, missing in ((first, 4), (first + size, 3), (first + size + 5, 3), (len(whole) - 1, 1)):
        out.write_bytes(whole[:place])
        label.reset_mock()
        assert data_command.main(command) == 0
        assert out.read_bytes() == whole and label.call_count == missing
        assert capsys.readouterr().out.endswith(f"{out}: 12 positions\n")
