"""Files that are made from others: drafts until they are finished, and never over something else."""

import pytest

from bluekrait.tools.common.files import whole_file
from bluekrait.tools.common.files.whole_file import opened_as_draft
from bluekrait.tools.data import data_command
from bluekrait.tools.data.formats.sample_file import pack_head
from helpers.labelled import MADE
from helpers.processes.machines import full_disk


@pytest.mark.parametrize("command", ["filter", "shuffle"])
def test_two_processes_do_not_write_one_file(played, tmp_path, capsys, command):
    pytest.importorskip("fcntl")
    output = tmp_path / "all.bks"
    with opened_as_draft(output) as file:
        file.write(pack_head(MADE))
        assert data_command.main([command, str(played), "-o", str(output)]) == 2
        assert "another process" in capsys.readouterr().err
    assert output.read_bytes() == pack_head(MADE) and list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize("command", ["filter", "shuffle"])
def test_what_another_process_has_just_finished_stays(played, tmp_path, monkeypatch, capsys, command):
    output = tmp_path / "all.bks"
    lock = whole_file.lock_for_writing

    def finish_before(file):
        output.write_bytes(b"of the other")
        lock(file)

    monkeypatch.setattr(whole_file, "lock_for_writing", finish_before)
    assert data_command.main([command, str(played), "-o", str(output)]) == 2
    assert f"{output} exists already" in capsys.readouterr().err
    assert output.read_bytes() == b"of the other" and list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize("name", ["all.bks.draft", "all.bks.0123abcd.draft"])
@pytest.mark.parametrize("command", ["filter", "shuffle"])
def test_positions_with_the_name_of_a_draft_stay(played, tmp_path, command, name):
    source, output = tmp_path / name, tmp_path / "all.bks"
    source.write_bytes(played.read_bytes())
    assert data_command.main([command, str(source), "-o", str(output)]) == 0
    assert source.read_bytes() == played.read_bytes() and set(tmp_path.iterdir()) == {source, output}


def test_what_was_not_converted_to_the_end_is_removed(played, tmp_path):
    output, killed = tmp_path / "all.bks", tmp_path / "all.bks.0123abcd.draft"
    command = ["convert", str(played), "-o", str(output)]
    killed.write_bytes(bytes(100_000))
    with full_disk(1000):
        assert data_command.main(command) == 1
    assert list(tmp_path.iterdir()) == []
    killed.write_bytes(bytes(100_000))
    assert data_command.main(command) == 0 and list(tmp_path.iterdir()) == [output]
    assert data_command.main(["check", str(output)]) == 0
