"""Files to which long work appends its results."""

import os

from bluekrait.core.file_lock import try_lock
from bluekrait.tools.common.files.append_only import opened_to_append


def test_a_new_file_that_stays_empty_is_removed_before_its_lock_is_released(tmp_path, monkeypatch):
    path, unlink, locked = str(tmp_path / "new"), os.unlink, []

    def watched(name):
        with open(name, "ab") as another:
            locked.append(not try_lock(another))
        unlink(name)

    monkeypatch.setattr("os.unlink", watched)
    with opened_to_append(path):
        assert os.path.exists(path)
    assert not os.path.exists(path) and locked == [os.name != "nt"]
