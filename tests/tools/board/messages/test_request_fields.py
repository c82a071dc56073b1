"""Fields of a message of the page: what each may be."""

import json

import pytest

from bluekrait.tools.board.messages.requests import LONGEST_TEXT, BadRequest, Request


def request(**fields):
    return Request(json.dumps({"do": "try", **fields}))


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", "{}", '{"do": 1}', '{"do": null}', '"do"', "[" * 100_000]
)
def test_a_message_says_what_to_do(text):
    with pytest.raises(BadRequest, match="a message must "):
        Request(text)


def test_what_to_do_is_a_word_of_bounded_length():
    assert request().do == "try"
    assert Request(json.dumps({"do": "x" * (LONGEST_TEXT + 1)})).do == "x" * LONGEST_TEXT


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        (lambda it: it.text("value", 3), {"": "", "abc": "abc"}, ["abcd", 5, None, ["a"]]),
        (lambda it: it.text("value"), {"x" * LONGEST_TEXT: "x" * LONGEST_TEXT}, ["x" * (LONGEST_TEXT + 1)]),
        (lambda it: it.choice("value", ("a", "b")), {"a": "a", "b": "b"}, ["c", "ab", "", None, 1, ["a"]]),
        (lambda it: it.number("value", -1, 2), {-1: -1.0, 0.5: 0.5, 2: 2.0}, [-1.01, 2.01, "1", True, None]),
        (lambda it: it.number("value", -1, 2), {}, [float("nan"), float("inf"), 10**400]),
        (lambda it: it.whole("value", 0, 2), {0: 0, 1.0: 1, 2: 2}, [-1, 0.5, 3, "1", False, None]),
        (lambda it: it.switch("value"), {True: True, False: False}, [0, 1, "true", None]),
    ],
)
def test_fields_are_checked(read, good, bad):
    found = [read(request(value=value)) for value in good]
    assert found == list(good.values())
    assert list(map(type, found)) == list(map(type, good.values()))
    for value in bad:
        with pytest.raises(BadRequest, match="^value must be "):
            read(request(value=value))
    with pytest.raises(BadRequest, match="^value must be "):
        read(request())


def test_a_field_that_is_null_is_not_there():
    assert all(request(value=value).has("value") for value in (0, False, "", []))
    assert not request(value=None).has("value") and not request().has("value")
