"""Which files `bluekrait analyse` may write to."""

from pathlib import Path

from bluekrait.tools.analyst.own_outputs import check_outputs


def test_a_log_behind_an_open_file_is_not_replaced_and_so_not_refused(tmp_path):
    with open(tmp_path / "log", "w") as log:
        log.write("before\n")
        log.flush()
        check_outputs(Path(f"/dev/fd/{log.fileno()}"), None)
