"""What the tools have in common: settings of work that goes on, files, numbers of command lines, signals."""

import asyncio
import errno
import os
import random
import re
import signal
import sys
import threading
from argparse import ArgumentTypeError
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from bluekrait.core import file_lock
from bluekrait.tools.common import engine_identity, errors
from bluekrait.tools.common.command_line import LARGEST, at_least_one, positive, share, whole_number
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.files import append_only, journal_place
from bluekrait.tools.common.files.append_only import append, merge_settings, opened_to_append
from bluekrait.tools.common.files.digest import digest, file_digest
from bluekrait.tools.common.files.json_journal import Journal
from bluekrait.tools.common.files.named_file import open_named
from bluekrait.tools.common.files.whole_file import check_writable, opened_as_draft, whole_file, write_whole
from bluekrait.tools.common.pictures import format_of
from bluekrait.uci.exits import FAILED, WRONG_ARGUMENTS, one_line
from helpers.processes.machines import full_disk

needs_links = pytest.mark.skipif(os.name == "nt", reason="Windows lets only some users make links")


# Settings.


def test_work_goes_on_as_it_was_begun():
    begun, defaults = {"seed": 7, "nodes": 100}, {"seed": 1, "nodes": 50, "games": 20, "plies": 8}
    wanted = {"seed": 7, "nodes": None, "games": 30}
    assert merge_settings(begun, wanted, defaults, "it") == {"seed": 7, "nodes": 100, "games": 30, "plies": 8}
    for other in (8, 0):
        with pytest.raises(ValueError, match=f"it was begun with --seed 7, not {other}"):
            merge_settings(begun, {"seed": other}, defaults, "it")


def test_another_engine_is_told_of(monkeypatch, capsys):
    monkeypatch.setattr(engine_identity, "engine_identity", lambda: {"sources": "new"})
    for head in ({}, {"sources": "new"}):
        engine_identity.warn_of_another_engine(head, "games.bkg", "bluekrait datagen")
        assert capsys.readouterr().err == ""
    engine_identity.warn_of_another_engine({"sources": "old"}, "games.bkg", "bluekrait datagen")
    told = "bluekrait datagen: games.bkg was begun by another engine (sources old, now new)\n"
    assert capsys.readouterr().err == told


# Files.


def test_a_lack_of_memory_is_told_in_one_line(capsys):
    @with_errors_reported("work")
    def command():
        raise MemoryError

    assert command() == FAILED
    assert capsys.readouterr().err == "work: there is not enough memory for this\n"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EMFILE])
def test_what_fails_in_the_system_is_no_wrong_argument(code, capsys):
    def failing():
        raise OSError(code, "the system failed")

    assert with_errors_reported("work")(failing)() == FAILED
    assert with_errors_reported("work", failed=3)(failing)() == 3
    assert capsys.readouterr().err.count("the system failed\n") == 2


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (FileNotFoundError(errno.ENOENT, "no such file"), "no such file"),
        (FileNotFoundError(errno.ENOENT, "no such file", "games.pgn"), "games.pgn: no such file"),
        (OSError("no scheduler"), "no scheduler"),
        (ValueError("no number"), "no number"),
    ],
)
def test_what_the_user_named_is_a_wrong_argument(error, told, capsys):
    @with_errors_reported("work", failed=3)
    def command():
        raise error

    assert command() == WRONG_ARGUMENTS
    assert capsys.readouterr().err == f"work: {told}\n"


def test_a_digest_is_of_the_whole_file(tmp_path):
    path, content = tmp_path / "large", b"x" * (5 << 19)
    path.write_bytes(content)
    assert file_digest(path) == digest(content) != digest(content[: 1 << 20])


def test_an_error_leaves_nothing_of_a_draft(tmp_path):
    path = tmp_path / "games"
    with pytest.raises(KeyError), opened_as_draft(path) as file:
        file.write(b"half")
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    with opened_as_draft(path) as file:
        file.write(b"whole")
    assert path.read_text() == "whole" and list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a device that is always full")
def test_an_error_names_the_file_whose_disk_is_full():
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_whole("/dev/full", "text")
    with (
        pytest.raises(OSError, match="No space left on device: '/dev/full'"),
        opened_to_append("/dev/full") as file,
    ):
        append(file, b"data")


def test_what_is_kept_for_later_fails_with_a_name_too(tmp_path):
    path = tmp_path / "journal"
    too_large = pytest.raises(OSError, match=f"File too large: '{re.escape(str(path))}'")
    with too_large, full_disk(100), Journal(path, "tests") as journal:
        journal.begin({"text": "x" * 200})


def test_a_journal_that_cannot_be_begun_is_closed(tmp_path):
    path = tmp_path / "journal"
    with pytest.raises(OSError, match="File too large"), full_disk(0):
        Journal(path, "tests").begin({})
    assert not path.exists()  # else the collector of garbage would try to write, and print that it failed


@pytest.mark.skipif(sys.version_info < (3, 11), reason="event loops have no handler of Ctrl-C")
def test_an_event_loop_does_not_lose_sigterm():
    class Leaving:
        def __del__(self):
            signal.raise_signal(signal.SIGTERM)  # an exception would only be printed here

    async def work():
        Leaving()
        await asyncio.sleep(0)

    before = signal.signal(signal.SIGTERM, errors._interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(work())
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("mode", ["ab", "ab+", "a"])
def test_no_interrupt_writes_a_line_twice(tmp_path, mode):
    this_thread, generator = threading.get_ident(), random.Random(0)
    for number in range(50):
        path = tmp_path / str(number)
        later = threading.Timer(
            generator.uniform(0.0001, 0.002), signal.pthread_kill, (this_thread, signal.SIGINT)
        )
        with open_named(path, mode) as file, pytest.raises(KeyboardInterrupt):
            later.start()
            for line in count():
                file.write(f"{line}\n" if mode == "a" else b"%d\n" % line)
                file.flush()
        later.join()
        lines = path.read_text().splitlines()
        assert lines == sorted(set(lines), key=int)


def test_an_error_of_something_else_does_not_name_the_file(tmp_path):
    with pytest.raises(OSError) as caught, whole_file(tmp_path / "file"):
        raise OSError(errno.ENOSPC, "another disk is full")
    assert caught.value.filename is None


def test_an_error_of_a_draft_tells_the_name_that_was_asked_for(tmp_path, monkeypatch):
    missing, kept = tmp_path / "missing" / "file", tmp_path / "kept"
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(missing, "text")
    assert str(caught.value).endswith(f": {str(missing)!r}")

    def refuse(draft, place):
        raise PermissionError(errno.EACCES, "refused", draft, None, place)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError) as caught:
        write_whole(kept, "text")
    assert str(caught.value).endswith(f"refused: {str(kept)!r}")
    assert not os.listdir(tmp_path)


@needs_links
@pytest.mark.parametrize("folder, is_writable", [("there", True), ("missing", False)])
def test_a_link_can_be_written_if_its_folder_is_there(tmp_path, folder, is_writable):
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / folder / "file")
    with nullcontext() if is_writable else pytest.raises(ValueError, match="link cannot be written"):
        check_writable([str(link)])


@needs_links
def test_a_link_goes_on_leading_to_its_file(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    write_whole(link, "new")
    assert link.is_symlink() and file.read_text() == "new"


@needs_links
def test_a_link_stays_when_nothing_was_appended(tmp_path):
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")
    with opened_to_append(str(link)):
        pass
    assert link.is_symlink() and not link.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other devices")
def test_devices_and_pipes_can_be_written():
    reading, writing = os.pipe()
    check_writable([os.devnull, f"/dev/fd/{writing}"])
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd"])
def test_the_file_behind_a_descriptor_is_not_replaced(tmp_path, folder):
    log = tmp_path / "log"
    with open(log, "w") as file:
        file.write("before\n")
        file.flush()
        path = f"{folder}/{file.fileno()}"
        check_writable([path])
        write_whole(path, "text\n")
        write_whole(path, b"bytes\n")
        file.write("after\n")
    assert log.read_text() == "before\ntext\nbytes\nafter\n"
    assert list(tmp_path.iterdir()) == [log]


def test_standard_output_that_was_closed_at_the_start_cannot_be_written(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)  # another file may have its number
    with pytest.raises(ValueError, match="/dev/stdout cannot be written"):
        check_writable(["/dev/stdout"])


def test_a_file_system_without_locks_says_so(tmp_path, monkeypatch):
    def flock(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(file_lock, "fcntl", SimpleNamespace(flock=flock, LOCK_EX=2, LOCK_NB=4))
    with pytest.raises(OSError, match="No locks available"), opened_to_append(str(tmp_path / "file")):
        pass


def test_a_file_that_was_removed_before_it_was_locked_is_not_written(tmp_path, monkeypatch):
    path, lock = tmp_path / "games", append_only.lock_for_writing

    def lock_too_late(file):
        path.unlink()
        path.touch()
        lock(file)

    monkeypatch.setattr(append_only, "lock_for_writing", lock_too_late)
    with pytest.raises(ValueError, match="another process has removed it"), opened_to_append(str(path)):
        pass


def test_a_journal_of_something_else_is_not_kept_locked(tmp_path):
    path = tmp_path / "journal"
    path.write_text('{"journal": "another"}\n')
    errors = []  # which hold what there was when they came
    for _ in range(2):
        with pytest.raises(ValueError, match="is no journal of this") as told:
            Journal(path, "this")
        errors.append(told)


def test_a_journal_that_was_not_begun_leaves_no_file(tmp_path):
    path = tmp_path / "journal"
    with Journal(path, "this"):
        assert path.exists()
    assert not path.exists()
    path.touch()
    with Journal(path, "this"):
        pass
    assert path.exists()  # it was there before
    with Journal(path, "this") as journal:
        journal.begin({})
    with Journal(path, "this"):
        pass
    assert path.read_text() == '{"journal": "this"}\n'


def test_a_folder_cannot_be_written(tmp_path):
    check_writable([str(tmp_path / "new"), None])
    with pytest.raises(ValueError, match="cannot be written"):
        check_writable([str(tmp_path)])


def test_where_a_journal_is_kept(tmp_path, monkeypatch):
    home = tmp_path / "home"
    monkeypatch.setattr(journal_place, "user_folder", lambda: home)
    monkeypatch.chdir(tmp_path)
    beside = tmp_path / "suite.epd"
    assert journal_place.journal_place(beside) == tmp_path / "suite.epd.journal"
    assert not home.exists()
    one, other = (journal_place.journal_place(tmp_path / name / "suite.epd") for name in ("a", "b"))
    assert one.parent == other.parent == home / "journals" and one != other
    assert journal_place.journal_place(tmp_path / "a" / "suite.epd") == one
    (home / "journals").rmdir()
    (home / "journals").touch()  # no folder can be there
    assert journal_place.journal_place(tmp_path / "a" / "suite.epd") == Path(one.name)


def test_the_ending_of_a_picture_may_be_in_capitals():
    assert format_of("a.b/trends.PNG") == "png"


# Words.


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        (
            at_least_one,
            {"1": 1, "007": 7, str(LARGEST): LARGEST},
            ["0", "-1", "1.0", "", "²", str(LARGEST + 1)],
        ),
        (whole_number, {"0": 0, str(LARGEST): LARGEST}, ["-1", "x", str(LARGEST + 1), "9" * 5000]),
        (share, {"0": 0, "1": 1, "0.25": 0.25}, ["-0.1", "1.01", "nan", "x"]),
        (positive, {"1e-9": 1e-9, "2": 2}, ["0", "-1", "inf", "nan", "x"]),
    ],
)
def test_numbers_of_a_command_line(read, good, bad):
    assert {text: read(text) for text in good} == good
    for text in bad:
        with pytest.raises(ArgumentTypeError):
            read(text)


def test_a_reason_is_one_line_of_bounded_length():
    assert one_line("a  b\n c", 5) == "a b c"
    assert one_line("abcdefgh", 7) == "abcd..."
