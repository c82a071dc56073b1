"""`python -m bluekrait.tools.board.guide_pictures`: what it says when it cannot take pictures."""

import pytest

from bluekrait.tools.board import guide_pictures
from bluekrait.uci.exits import FAILED, WRONG_ARGUMENTS


def test_help_names_what_it_needs(capsys):
    with pytest.raises(SystemExit):
        guide_pictures.main(["--help"])
    assert "It needs Chromium, playwright, Pillow" in capsys.readouterr().out


def test_a_missing_folder_is_told_in_one_line(tmp_path, capsys):
    assert guide_pictures.main([str(tmp_path / "nowhere")]) == WRONG_ARGUMENTS
    error = capsys.readouterr().err
    assert "there is no such directory" in error and error.count("\n") == 1


@pytest.mark.parametrize("package", guide_pictures.NEEDED)
def test_a_missing_package_is_told_in_one_line(package, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(guide_pictures, "find_spec", lambda name: None if name == package else "found")
    assert guide_pictures.main([str(tmp_path)]) == FAILED
    error = capsys.readouterr().err
    assert f"it needs {package}: pip install " in error and error.count("\n") == 1
