"""The evaluation that self-play uses: classical or a network's, as a command line and a file's head name it.

Workers receive the path of a network and its digest, and read the file themselves.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from bluekrait.search.evaluation.network import default_network
from bluekrait.search.evaluation.network.network_file import Network, NetworkError, read_content, unpack
from bluekrait.tools.common.files.digest import digest
from bluekrait.tools.data.formats.labelled_file import opened, read_head
from bluekrait.tools.data.formats.sample_file import Contents

CLASSICAL = "classical"
IN_PACKAGE = "the network of the package"
BETWEEN = ", "  # the evaluations of a file that was made from others
HELP = f"{CLASSICAL}, or the file of a network to evaluate with (what the engine itself plays with)"


class EvaluationChoice(NamedTuple):
    """The name of an evaluation, for other processes."""

    name: str  # CLASSICAL, or kind and digest of a network: as in the head of a file
    path: str | None = None  # of the network; None for the one in the package


def settings_begun(contents: Contents) -> dict[str, Any]:
    """The settings that a file was begun with, an evaluation among them."""
    return _with_evaluation(contents.head) if contents.is_begun else {}


def named_in(paths: Iterable[str]) -> list[str]:
    """The evaluations by which the scores of some files were found, each once."""
    names: list[str] = []
    for path in paths:
        with opened(path) as data:
            if len(data):
                names += _with_evaluation(read_head(data))["evaluation"].split(BETWEEN)
    return list(dict.fromkeys(names))


def chosen(wish: str | None, begun: dict[str, Any]) -> EvaluationChoice:
    """The evaluation that is wished for: CLASSICAL or a path. A ValueError if it cannot be used.

    Without a wish it is the engine's own, except in a file that was begun with the classical one.
    """
    if wish == CLASSICAL or wish is None and begun.get("evaluation") == CLASSICAL:
        return EvaluationChoice(CLASSICAL)
    content = _content(wish)
    return EvaluationChoice(CLASSICAL) if content is None else EvaluationChoice(_name(content, wish), wish)


def network_of(evaluation: EvaluationChoice) -> Network | None:
    """The network to evaluate with, None if classically. A ValueError if its file is another one now."""
    if evaluation.name == CLASSICAL:
        return None
    content = _content(evaluation.path)
    if content is None or _name(content, evaluation.path) != evaluation.name:
        raise ValueError(f"{evaluation.path or IN_PACKAGE} is not the {evaluation.name} any more")
    return unpack(content)


def _with_evaluation(head: dict[str, Any] | None) -> dict[str, Any]:
    """What a head says. Where it names no evaluation, it was the classical one."""
    return {"evaluation": CLASSICAL} | (head or {})


def _content(path: str | None) -> bytes | None:
    """The content of a network's file, or of the one in the package; None if the package has none."""
    if path is None:
        return default_network.content()
    try:
        return read_content(path)
    except NetworkError as error:
        raise ValueError(f"{path}: {error}") from None


def _name(content: bytes, path: str | None) -> str:
    try:
        kind = unpack(content).head.kind
    except NetworkError as error:
        raise ValueError(f"{path or IN_PACKAGE}: {error}") from None
    return f"{kind} network {digest(content)}"
