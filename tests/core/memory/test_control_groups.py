import pytest

from bluekrait.core.memory import control_groups

memory_limit = control_groups.memory_limit.__wrapped__  # which reads the files each time

NO_LIMIT = 9223372036854771712  # what version 1 says then


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """Groups of processes as folders below `tmp_path`: a function that says which the process belongs to."""
    of_this_process = tmp_path / "cgroup"
    monkeypatch.setattr(control_groups, "GROUPS_OF_THIS_PROCESS", str(of_this_process))
    new, old = (str(tmp_path / name) for name in ("new", "old"))
    roots = {"": (new, "memory.max"), "memory": (old, "memory.limit_in_bytes")}
    monkeypatch.setattr(control_groups, "ROOTS_AND_FILES", roots)
    return of_this_process.write_text


def put(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{text}\n")


def test_without_groups_there_is_no_limit(groups):
    assert memory_limit() is None


def test_a_container_is_the_root_of_its_own_groups(groups, tmp_path):
    groups("0::/\n")
    put(tmp_path / "new" / "memory.max", 512 << 20)
    assert memory_limit() == 512 << 20


def test_without_a_limit(groups, tmp_path):
    groups("0::/\n")
    put(tmp_path / "new" / "memory.max", "max")
    assert memory_limit() is None


def test_the_smallest_limit_of_the_groups_around_counts(groups, tmp_path):
    groups("0::/user/games/engine\n")
    put(tmp_path / "new" / "user" / "memory.max", 400)
    put(tmp_path / "new" / "user" / "games" / "memory.max", 300)
    put(tmp_path / "new" / "user" / "games" / "engine" / "memory.max", "max")
    assert memory_limit() == 300
    put(tmp_path / "new" / "user" / "games" / "engine" / "memory.max", 200)
    assert memory_limit() == 200


def test_groups_of_others_do_not_count(groups, tmp_path):
    groups("0::/user\n")
    put(tmp_path / "new" / "other" / "memory.max", 100)
    put(tmp_path / "new" / "user" / "below" / "memory.max", 100)
    assert memory_limit() is None


def test_version_1_has_a_hierarchy_for_memory(groups, tmp_path):
    groups("5:cpu,cpuacct:/a\n4:memory:/b:c\n1:name=systemd:/d\n0::/\n")
    put(tmp_path / "old" / "memory.limit_in_bytes", NO_LIMIT)
    put(tmp_path / "old" / "a" / "memory.limit_in_bytes", 10)
    put(tmp_path / "old" / "b:c" / "memory.limit_in_bytes", 300 << 20)
    assert memory_limit() == 300 << 20


def test_a_group_that_cannot_be_seen_leaves_those_around_it(groups, tmp_path):
    groups("4:memory:/docker/0123\n")
    put(tmp_path / "old" / "memory.limit_in_bytes", 200 << 20)
    assert memory_limit() == 200 << 20


def test_this_system_is_asked_without_an_error():
    limit = memory_limit()
    assert limit is None or limit > 0
