"""The protocols that the front end speaks, found by name.

A protocol may ask for a switch to another one, and none of them imports another: they are loaded from here.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bluekrait.search.engine import Engine

# The class of each protocol: module and name.
PROTOCOLS = {
    "uci": ("bluekrait.uci.protocol.messages", "Uci"),
    "xboard": ("bluekrait.uci.cecp.cecp_messages", "Xboard"),
}


class ChessProtocol:
    """What the message loop expects of a protocol. It alone calls these methods."""

    def prepare(self, engine: Engine) -> None:
        """Make a loaded engine ready: its first search is to be as quick as the next."""

    def obey(self, line: str) -> None:
        """Handle one line of input: answer it at once, or give a command to the executor."""
        raise NotImplementedError

    def inform(self, text: str) -> None:
        """Print one line for the user."""
        raise NotImplementedError

    def owes_answer(self) -> bool:
        """True if an answer is due that does not come from a command in the executor."""
        raise NotImplementedError

    def patience(self) -> float | None:
        """Seconds after which `on_timeout` is to be called if no message comes, None for never."""
        return None

    def on_timeout(self) -> None:
        """No message came for as long as `patience` said."""

    def on_loaded(self) -> None:
        """The engine is loaded."""

    def on_done(self) -> None:
        """The executor has finished one more command."""


def load_protocol(name: str) -> Callable[..., ChessProtocol]:
    """The class that speaks the protocol of this name. It is called with the message loop."""
    module, class_name = PROTOCOLS[name]
    protocol: Callable[..., ChessProtocol] = getattr(import_module(module), class_name)
    return protocol
