"""The two kinds of evaluation, as the option `Evaluation` names them."""

from __future__ import annotations

from bluekrait.search.evaluation.network import package

NETWORK, CLASSICAL = ALL = ("network", "classical")


def default() -> str:
    """The network if the package has one, whether or not it can be used."""
    return CLASSICAL if package.content() is None else NETWORK
