"""The protocols that the front end speaks, found by name.

A protocol may ask for a switch to another one, and none of them imports another. Only what is spoken is
imported.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bluekrait.uci.message_loop import ProtocolMaker


def load_protocol(name: str) -> ProtocolMaker:
    """The class that speaks the protocol of this name, "uci" or "xboard"."""
    if name == "xboard":
        from bluekrait.uci.cecp.cecp_messages import Xboard

        return Xboard
    from bluekrait.uci.protocol.messages import Uci

    return Uci
