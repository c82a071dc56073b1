"""The websocket of a page."""

import json
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

# Why a connection was closed, as the page understands it.
FULL, ELSEWHERE = 4029, 4001


class Connection:
    """The websocket of a page. What is sent after it was lost is dropped."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        with suppress(WebSocketDisconnect, RuntimeError):  # the page has just gone
            await self._socket.send_text(json.dumps(message, separators=(",", ":")))

    async def close(self, code: int = ELSEWHERE) -> None:
        """End the connection."""
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.close(code)
