"""Names of open files: which name which, and that an ordinary file is none."""

import sys
from pathlib import Path

import pytest

from bluekrait.tools.common.files.descriptors import (
    descriptor_of,
    is_standard_output,
    open_descriptor,
    output_path,
)


def test_a_dash_is_standard_output():
    assert is_standard_output(output_path("-"))
    assert [output_path(text) for text in ("./-", "page.html")] == [Path("-"), Path("page.html")]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("/dev/stdout", 1),
        ("/dev/stderr", 2),
        ("/dev/fd/0", 0),
        ("/dev/fd/1", 1),
        ("/proc/self/fd/17", 17),
        ("/dev//fd/1", 1),
        ("/dev/stdin", None),
        ("/dev/fd", None),
        ("/dev/fd/x", None),
        ("/dev/fd/1/page", None),
        ("/tmp/dev/fd/1", None),
        ("dev/stdout", None),
        ("/dev/fd/" + "1" * 10, None),  # more than there are
    ],
)
def test_names_of_open_files(name, number):
    assert descriptor_of(name) == descriptor_of(Path(name)) == number
    assert is_standard_output(name) is (number == 1)


def test_nothing_is_not_standard_output():
    assert not is_standard_output(None)


@pytest.mark.parametrize(("name", "number"), [("/dev/stdout", 1), ("/dev/stderr", 2)])
def test_what_was_printed_before_stands_before(name, number, capfd, monkeypatch):
    text = {1: sys.__stdout__, 2: sys.__stderr__}[number]
    monkeypatch.setattr(sys, {1: "stdout", 2: "stderr"}[number], text)
    text.write("before, ")  # it waits in a buffer
    with open_descriptor(name, number, "w") as file:
        file.write("beside, ")
    text.write("after\n")
    text.flush()
    assert capfd.readouterr()[number - 1] == "before, beside, after\n"


def test_an_open_file_stays_open(tmp_path):
    with open(tmp_path / "log", "wb+") as file:
        with open_descriptor("/dev/fd/9", file.fileno(), "wb") as other:
            other.write(b"beside")
        file.seek(0)
        assert file.read() == b"beside"
